# SPDX-License-Identifier: GPL-3.0-or-later
"""Joins `swift format lint` and the checks of this folder into one list of findings.

usage: tidy.py ROOT      exits 1 when there are findings
"""

import os
import re
import subprocess
import sys

from checks import Finding, findings

LINT = re.compile(r"^(?P<path>.+?):(?P<line>\d+):\d+: (?:error|warning): (?P<what>.*)$")


def lint(root):
    """What `swift format lint --strict` says of the project at `root`, as findings."""
    places = [p for p in ("Sources", "Tests", "Package.swift") if os.path.exists(os.path.join(root, p))]
    run = subprocess.run(
        ["swift", "format", "lint", "--strict", "--recursive", "--parallel", *places],
        cwd=root, capture_output=True, text=True)
    found = []
    for line in (run.stderr + run.stdout).splitlines():
        match = LINT.match(line)
        if match:
            path = os.path.relpath(os.path.join(root, match["path"]), root)
            found.append(Finding(path, int(match["line"]), match["what"], "`scripts/format` mends most of these"))
    if run.returncode != 0 and not found:
        found.append(Finding(".swift-format", 1, f"swift format exited {run.returncode}", run.stderr.strip()))
    return found


def tidy(root):
    return sorted(set(lint(root)) | set(findings(root)))


if __name__ == "__main__":
    found = tidy(sys.argv[1])
    for finding in found:
        print(finding)
    print(f"tidy: {len(found)} findings" if found else "tidy: nothing to mend")
    sys.exit(1 if found else 0)
