# SPDX-License-Identifier: GPL-3.0-or-later
"""The style as a test: every check yields findings, each a file, a line, what is wrong and how to mend it.

usage: checks.py ROOT      exits 1 on findings. The layout of Swift is left to `swift format lint` (see scripts/tidy).
"""

import os
import re
import subprocess
import sys
from typing import NamedTuple

from source import blanked, functions

FUNCTION_LINES, LINE_COLUMNS, TRACKED_BYTES = 70, 120, 1 << 20
SOURCE = (".swift", ".h", ".c", ".py")

# (where it is banned, pattern, may stand with a reason on the line above, how to mend it)
BANNED = [
    (("Sources",), r"\btry!", False, "let the error through with a typed throw"),
    (("Sources",), r"\bas!", False, "use `as?` and say what was expected when it fails"),
    (("Sources",), r"\b(?:fatalError|preconditionFailure)\s*\(", False, "throw an error that carries what to mend"),
    (("Sources",), r"@unchecked\s+Sendable\b", True, "say on the line above why it is safe, or use a checked type"),
    (("Sources",), r"\bnonisolated\(unsafe\)", True, "say on the line above why it is safe, or use a checked type"),
    (("Tests",), r"(?<!clock\.)\b(?:u|nano)?sleep\s*\(", False,
     "wait for the event itself, or drive a virtual clock"),
    (("Sources", "Tests"), r"(?<![\w.])(?<!func )(?:debugPrint|print)\s*\(", False,
     "return the text; only executables write it out"),
]

# The modules that write to the standard output.
WRITERS = ("Sources/assay/", "Sources/Benchmarks/property-benchmark/")


class Finding(NamedTuple):
    path: str
    line: int
    what: str
    mend: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.what}; {self.mend}"


def project_files(root):
    """Paths that git tracks or would track, relative to `root`."""
    listing = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True, capture_output=True, text=True).stdout
    return sorted(p for p in set(listing.split("\0")) if p and os.path.isfile(os.path.join(root, p)))


def is_script(path):
    return path.split("/")[0] in ("scripts", ".ci") and "." not in os.path.basename(path)


def weight(root, path):
    size = os.path.getsize(os.path.join(root, path))
    if size > TRACKED_BYTES:
        yield Finding(path, 1, f"{size} bytes in git, over {TRACKED_BYTES}", "generate it, or keep it out of git")


def lengths(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > LINE_COLUMNS:
            yield Finding(path, number, f"line of {len(line)} columns, over {LINE_COLUMNS}", "break it")


def licence(path, text):
    head = text.split("\n", 2)[:2]
    line = head[1] if head[0].startswith(("#!", "// swift-tools-version")) and len(head) > 1 else head[0]
    core = re.match(r"Sources/Core/|Tests/\w+CoreTests/", path)
    wanted = "Apache-2.0" if core else "GPL-3.0-or-later"
    mark = "//" if path.endswith((".swift", ".h", ".c")) else "#"
    if line.strip() != f"{mark} SPDX-License-Identifier: {wanted}" and path != "Package.swift":
        yield Finding(path, 1, "no licence header, or not this folder's",
                      f"begin with `{mark} SPDX-License-Identifier: {wanted}`")


def long_functions(path, code):
    for name, first, last in functions(code):
        if last - first + 1 > FUNCTION_LINES:
            yield Finding(path, first, f"`{name}` has {last - first + 1} lines, over {FUNCTION_LINES}",
                          "name its steps and call them")


def banned_calls(path, text, code):
    lines = text.splitlines()
    for folders, pattern, excusable, mend in BANNED:
        if path.split("/")[0] not in folders or ("print" in pattern and path.startswith(WRITERS)):
            continue
        for number, line in enumerate(code.splitlines(), 1):
            match = re.search(pattern, line)
            excused = excusable and number > 1 and lines[number - 2].lstrip().startswith("//")
            if match and not excused:
                yield Finding(path, number, f"`{match.group().strip(' (')}` is banned", mend)


def swift_checks(path, text):
    code = blanked(text)
    yield from long_functions(path, code)
    yield from banned_calls(path, text, code)


def findings(root):
    for path in project_files(root):
        yield from weight(root, path)
        if not (path.endswith(SOURCE) or is_script(path)):
            continue
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = file.read()
        yield from lengths(path, text)
        yield from licence(path, text)
        if path.endswith(".swift") and path.startswith(("Sources/", "Tests/")):
            yield from swift_checks(path, text)


if __name__ == "__main__":
    found = list(findings(sys.argv[1]))
    for finding in found:
        print(finding)
    sys.exit(1 if found else 0)
