# SPDX-License-Identifier: GPL-3.0-or-later
"""Swift source as the checks see it: comments and literals blanked, functions found by their braces."""

import re

OPENERS = {"(": ")", "[": "]", "{": "}"}
DECLARATION = re.compile(r"(?<![\w.`])(?:func\s+[^\s(<]+|init\b|deinit\b|subscript\b|var\s+\w+)")


def blanked(text):
    """The same text, character for character, with comments and the insides of literals turned to spaces."""
    out = list(text)
    i, end = 0, len(text)
    while i < end:
        if text.startswith("//", i):
            stop = text.find("\n", i)
            stop = end if stop < 0 else stop
        elif text.startswith("/*", i):
            stop = _comment_end(text, i)
        elif text[i] == '"' or (text[i] == "#" and re.match(r'#+"', text[i:i + 8])):
            stop = _literal_end(text, i)
        else:
            i += 1
            continue
        for j in range(i, stop):
            if out[j] != "\n":
                out[j] = " "
        i = stop
    return "".join(out)


def _comment_end(text, start):
    depth, i = 0, start
    while i < len(text):
        if text.startswith("/*", i):
            depth, i = depth + 1, i + 2
        elif text.startswith("*/", i):
            depth, i = depth - 1, i + 2
            if depth == 0:
                return i
        else:
            i += 1
    return len(text)


def _literal_end(text, start):
    hashes = re.match(r"#*", text[start:]).group()
    i = start + len(hashes)
    quote = '"""' if re.match(r'"""[ \t]*\n', text[i:]) else '"'
    i += len(quote)
    escape = "\\" + hashes
    while i < len(text):
        if text.startswith(escape + "(", i):
            i = _interpolation_end(text, i + len(escape))
        elif text.startswith(escape, i):
            i += len(escape) + 1
        elif text.startswith(quote + hashes, i):
            return i + len(quote) + len(hashes)
        elif text[i] == "\n" and quote == '"':
            return i
        else:
            i += 1
    return len(text)


def _interpolation_end(text, start):
    depth, i = 0, start
    while i < len(text):
        if text[i] == '"':
            i = _literal_end(text, i)
            continue
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        i += 1
        if depth == 0:
            return i
    return len(text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def matching(text, start):
    """The offset just past the bracket that closes the one at `start`; the end of the text when none does."""
    depth = 0
    for i in range(start, len(text)):
        if text[i] in OPENERS:
            depth += 1
        elif text[i] in ")]}":
            depth -= 1
            if depth == 0:
                return i + 1
    return len(text)


def functions(code):
    """(name, first line, last line) of every function, initialiser, subscript and computed variable with a body.

    `code` is blanked. A declaration without a body (a protocol's requirement, a stored variable) is passed over, and
    so is a body that is one switch: a table, however long.
    """
    for match in DECLARATION.finditer(code):
        body = _body(code, match.end())
        if body is not None and not _is_table(code[body + 1:matching(code, body) - 1].strip()):
            name = match.group().split()[-1]
            yield name, line_of(code, match.start()), line_of(code, matching(code, body) - 1)


def _is_table(body):
    return body.startswith("switch ") and matching(body, body.find("{")) == len(body)


def _body(code, start):
    i = start
    while i < len(code):
        if code[i] == "{":
            return i
        if code[i] in "([":
            i = matching(code, i)
            continue
        if code[i] in "}=;" and not code.startswith("==", i) and code[i - 1] not in "=<>!":
            return None
        if code[i] == "\n" and DECLARATION.match(code[i:].lstrip("\n ")):
            return None
        i += 1
    return None
