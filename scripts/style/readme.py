# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs every `$ scripts/assay ...` of README.md and docs/ and compares the block below it with what it prints; with
--coffee the commands of the workbench's example instead, `$ swift run -c release coffee ...`, by the program named."""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys

PAGES = [pathlib.Path("README.md"), *sorted(pathlib.Path("docs").glob("*.md"))]
# A fenced block whose first line is a command of ours and whose other lines are what it prints.
def block(command):
    return re.compile(rf"```\n\$ ({command} [^\n]*)\n(.*?)```", re.DOTALL)


def printed(command):
    """What a command prints on its standard output; it must end with 0, or 1 where something under test failed."""
    run = subprocess.run(shlex.split(command), capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1, 3):
        sys.exit(f"'{command}' exits with {run.returncode}: {run.stderr}")
    return run.stdout


def main():
    parser = argparse.ArgumentParser(prog="scripts/readme")
    parser.add_argument("--check", action="store_true", help="compare and write nothing")
    parser.add_argument("--coffee", help="the example's program")
    options = parser.parse_args()
    check, shown_as = options.check, "swift run -c release coffee" if options.coffee else "scripts/assay"
    commands, stale = 0, []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")

        def current(match):
            output = printed(match[1].replace(shown_as, options.coffee or shown_as))
            if output != match[2]:
                stale.append((page, text.count("\n", 0, match.start()) + 2, match[1]))
            return f"```\n$ {match[1]}\n{output}```"

        updated, shown = block(shown_as).subn(current, text)
        commands += shown
        if not check:
            page.write_text(updated, encoding="utf-8")
    if commands == 0:
        sys.exit("README.md:1: shows no command of ours")
    if not check:
        print(f"readme: {len(stale)} of {commands} outputs written again")
    elif stale:
        for page, line, command in stale:
            print(f"{page}:{line}: '{command}' prints something else; run scripts/readme", file=sys.stderr)
        sys.exit(1)
    else:
        print(f"readme: {commands} commands print what the pages show")


if __name__ == "__main__":
    main()
