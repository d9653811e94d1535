# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the xunit file of `swift test`: first line, how many tests ran and how many of them failed; then, a line each,
the filter that runs a failed one again.

usage: count_tests.py FILE      a file that is not there, or not whole, counts no test
"""

import re
import sys
import xml.etree.ElementTree as ElementTree


def filter_of(case):
    module, *suites = case.get("classname", "").split(".")
    name = case.get("name", "").split("(")[0]
    return f"{module}.{'/'.join([*suites, name])}"


def whole(file):
    # Without what the failures say, which may hold characters that XML does not allow.
    with open(file, encoding="utf-8", errors="replace") as text:
        return re.sub('message="[^"]*"', "", text.read())


try:
    root = ElementTree.fromstring(whole(sys.argv[1]))
    cases = [case for case in root.iter("testcase") if case.find("skipped") is None]
except (OSError, ElementTree.ParseError):
    cases = []
failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
print(len(cases), len(failed))
for case in failed:
    print(filter_of(case))
