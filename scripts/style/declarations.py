# SPDX-License-Identifier: GPL-3.0-or-later
"""Public declarations that `swift format lint` lets through undocumented: requirements of public protocols, members of
public extensions, and cases of public enums that carry values; a plain case may rest on its enum's comment."""

import re

from source import line_of, matching

SCOPE = re.compile(
    r"\bpublic\s+(?:indirect\s+)?(?P<kind>enum|protocol|extension)\s+(?P<name>[\w.]+)[^{}]*\{")
ATTRIBUTE = re.compile(r"^\s*@\w+(\([^)]*\))?\s*$")
ANY_CASE = re.compile(r"^\s*(?:indirect\s+)?case\s")
MEMBERS = {
    "enum": re.compile(r"^\s*(?:indirect\s+)?case\s+`?(\w+)`?(?=\()"),
    "protocol": re.compile(
        r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:static|mutating|consuming)\s+)*"
        r"(?:func|var|init|subscript|associatedtype)\b\s*([^\s(:<]*)"),
    "extension": re.compile(
        r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:static|mutating|consuming|borrowing)\s+)*"
        r"(?:func|var|let|init|subscript|typealias|struct|enum)\b\s*([^\s(:<]*)"),
}


def undocumented(text, code):
    """(line, what) for each such declaration. A run of enum cases without a blank line shares one comment."""
    lines, code_lines = text.splitlines(), code.splitlines()
    for scope in SCOPE.finditer(code):
        kind, opening = scope["kind"], scope.end() - 1
        depth = 0
        first, last = line_of(code, opening), line_of(code, matching(code, opening) - 1)
        for number in range(first + 1, last):
            line = code_lines[number - 1]
            match = MEMBERS[kind].match(line) if depth == 0 else None
            depth += sum(line.count(c) for c in "({[") - sum(line.count(c) for c in ")}]")
            if match and not _documented(lines, number, shared=ANY_CASE if kind == "enum" else None):
                yield number, f"`{match.group(1) or match.group().split()[-1]}` of {scope['name']}"


def _documented(lines, number, shared):
    above = number - 2
    while above >= 0 and (ATTRIBUTE.match(lines[above]) or (shared and shared.match(lines[above]))):
        above -= 1
    return above >= 0 and lines[above].strip().startswith(("///", "*/"))
