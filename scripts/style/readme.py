# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs every `$ scripts/assay ...` of README.md and docs/, and every `$ swift run -c release coffee ...` or `outbreak
...` by the programs of the workbench's examples that are named, and compares the block below it with what it prints."""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys

PAGES = [pathlib.Path("README.md"), *sorted(pathlib.Path("docs").glob("*.md"))]
EXAMPLE = "swift run -c release "
# A fenced block whose first line is a command of ours and whose other lines are what it prints.
BLOCK = re.compile(rf"```\n\$ ((?:scripts/assay|{EXAMPLE}(?:coffee|outbreak)) [^\n]*)\n(.*?)```", re.DOTALL)


def printed(command):
    """What a command prints on its standard output; it must end with 0, or 1 where something under test failed."""
    run = subprocess.run(shlex.split(command), capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1, 3):
        sys.exit(f"'{command}' exits with {run.returncode}: {run.stderr}")
    return run.stdout


def main():
    parser = argparse.ArgumentParser(prog="scripts/readme")
    parser.add_argument("--check", action="store_true", help="compare and write nothing")
    parser.add_argument("--example", action="append", default=[], help="NAME=PROGRAM of an example")
    options = parser.parse_args()
    examples = dict(one.split("=", 1) for one in options.example)
    commands, stale = 0, []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")

        def current(match):
            command = match[1]
            if command.startswith(EXAMPLE):
                name, _, rest = command.removeprefix(EXAMPLE).partition(" ")
                command = f"{examples[name]} {rest}"
            output = printed(command)
            if output != match[2]:
                stale.append((page, text.count("\n", 0, match.start()) + 2, match[1]))
            return f"```\n$ {match[1]}\n{output}```"

        updated, shown = BLOCK.subn(current, text)
        commands += shown
        if not options.check:
            page.write_text(updated, encoding="utf-8")
    if commands == 0:
        sys.exit("README.md:1: shows no command of ours")
    if not options.check:
        print(f"readme: {len(stale)} of {commands} outputs written again")
    elif stale:
        for page, line, command in stale:
            print(f"{page}:{line}: '{command}' prints something else; run scripts/readme", file=sys.stderr)
        sys.exit(1)
    else:
        print(f"readme: {commands} commands print what the pages show")


if __name__ == "__main__":
    main()
