# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a manual page, in man(7), of what `assay --experimental-dump-help` says.

usage: manual.py VERSION DAY <help.json >assay.1
"""

import json
import re
import sys

ENVIRONMENT = [
    ("CI, GITHUB_ACTIONS", "Where one is set, and not to false, runs tell a build server what they came to."),
    ("GITHUB_STEP_SUMMARY", "A file that runs on a build server add their summary to."),
    ("GITHUB_WORKSPACE", "The folder from which annotations name files."),
    ("NO_COLOR", "Where it is set, nothing is coloured."),
]
FILES = [
    ("Scenarios/*.yaml", "The scenarios that are run when none is named."),
    ("Results/runs/SCENARIO-DIGEST/", "What a run leaves: scenario.yaml, result.json, run.json, report.html, junit.xml "
     "and figures."),
    ("Results/history.sqlite", "Every run, remembered."),
    (".assay/examples/", "Failing cases of properties, tried first the next time."),
]


def escaped(text):
    """Plain text for roff: no backslash, hyphen or leading point of it means anything."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\n".join("\\&" + line if line.startswith(".") else line for line in text.split("\n"))


def paragraphs(text):
    """Paragraphs filled, lines that are indented as they stand."""
    for part in text.split("\n\n"):
        lines = part.split("\n")
        yield ".PP"
        kept = False
        for line in lines:
            if line.startswith("  ") != kept:
                kept = not kept
                yield ".nf" if kept else ".fi"
            yield escaped(line if kept else line.strip())
        if kept:
            yield ".fi"


def name_of(name):
    return {"long": "--", "short": "-", "longWithSingleDash": "-"}[name["kind"]] + name["name"]


def shown(argument):
    return argument.get("shouldDisplay", True)


def synopsis(path, command):
    words = [f"\\fB{escaped(' '.join(path))}\\fR"]
    if any(shown(one) and one["kind"] != "positional" for one in command.get("arguments", [])):
        words.append("[\\fIOPTION\\fR]...")
    for one in command.get("arguments", []):
        if one["kind"] == "positional" and shown(one):
            word = f"\\fI{escaped(one['valueName'].upper())}\\fR" + ("..." if one["isRepeating"] else "")
            words.append(f"[{word}]" if one["isOptional"] else word)
    return " ".join(words)


def entry(argument):
    yield ".TP"
    if argument["kind"] == "positional":
        yield f"\\fI{escaped(argument['valueName'].upper())}\\fR"
    else:
        value = f" \\fI{escaped(argument['valueName'].upper())}\\fR" if argument["kind"] == "option" else ""
        yield ", ".join(f"\\fB{escaped(name_of(name))}\\fR{value}" for name in argument["names"])
    text = " ".join(filter(None, [argument.get("abstract"), argument.get("discussion")]))
    default = argument.get("defaultValue")
    if default and "default:" not in text and argument["kind"] == "option":
        text = f"{text.rstrip('.')}. The default is {default}."
    yield escaped(text)


def commands(path, command):
    """A section for each command that does something, below it its options; common ones only once, at the end."""
    below = [one for one in command.get("subcommands", []) if one.get("shouldDisplay", True) and
             one["commandName"] != "help"]
    for one in below:
        yield from commands(path + [one["commandName"]], one)
    if below:
        return
    yield f'.SS "{escaped(" ".join(path[1:]))}"'
    yield synopsis(path, command)
    yield ".PP"
    yield escaped(command.get("abstract", ""))
    yield from paragraphs(command.get("discussion", "")) if command.get("discussion") else ()
    for argument in command.get("arguments", []):
        names = [name["name"] for name in argument.get("names", [])]
        if shown(argument) and "help" not in names and "version" not in names:
            yield from entry(argument)


def table(title, entries):
    yield f".SH {title}"
    for name, text in entries:
        yield from [".TP", f"\\fB{escaped(name)}\\fR", escaped(text)]


def page(command, version, day):
    discussion = command["discussion"]
    codes = re.findall(r"^ +(\d+) +(.*)$", discussion, re.MULTILINE)
    prose = " ".join(line for line in discussion.split("\n") if not re.match(r"^ +\d", line))
    before, after = prose.split("Exit codes:")
    yield f'.TH ASSAY 1 "{day}" "Assay {version}" "User Commands"'
    yield from [".nh", ".ad l"]
    abstract = command["abstract"].rstrip(".")
    yield from [".SH NAME", "assay \\- " + escaped(abstract[0].lower() + abstract[1:])]
    yield from [".SH SYNOPSIS", synopsis(["assay", "COMMAND"], {"arguments": command["arguments"]})]
    yield from [".SH DESCRIPTION", escaped(command["abstract"]), ".PP", escaped(before.strip())]
    yield ".SH COMMANDS"
    yield from commands(["assay"], command)
    yield ".SH OPTIONS OF EVERY COMMAND"
    for argument in command["arguments"]:
        yield from entry(argument)
    yield from table("EXIT STATUS", codes)
    yield from [".PP", escaped(after.strip())]
    yield from table("ENVIRONMENT", ENVIRONMENT)
    yield from table("FILES", FILES)


if __name__ == "__main__":
    root = json.load(sys.stdin)["command"]
    print("\n".join(page(root, sys.argv[1], sys.argv[2])))
