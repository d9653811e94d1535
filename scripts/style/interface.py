# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the reference of what an experiment is declared with, from the comments in the source: for each declaration a
line and an example, both of which it must have.

usage: interface.py ROOT                   prints Markdown
       interface.py ROOT --samples FILE    writes the examples as a Swift source that has to compile
"""

import pathlib
import re
import sys

PARTS = [
    ("ValueType", "Workbench/Scenarios/Parameter.swift", "Types of parameters",
     "The third argument of a `Parameter`. It reads and writes a value, for an option and for a key of a scenario."),
    ("SampleMeasure", "Workbench/Sampling/SampleMeasure.swift", "Measures of samples",
     "The rows of `measures` of a `SampledExperiment`."),
    ("RandomStream", "Engine/Randomness/RandomStream.swift", "Draws",
     "What `sample(_:)` may draw. A parameter out of its range gives NaN or 0, and ends the run with an error."),
    ("RandomStreams", "Engine/Randomness/RandomStream.swift", "Streams in an array", "The substreams of one name."),
    ("RunContext", "Workbench/Scenarios/ScenarioResult.swift", "The surroundings of a run",
     "What `run(on:)` of an `Experiment` gets; an experiment of samples needs none of it."),
]
OPENING = re.compile(r"^(?:@\w+ )?(?:public )?(?:final )?(?:struct|extension|enum|class) (\w+)")
PUBLIC = re.compile(r"^  (?:@\w+ )*public (?!internal)(.+)$")


def declarations(path, kind):
    """The public declarations of a type: (declaration, comment), in the order of the source."""
    inside, comment, lines = False, [], path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        opening = OPENING.match(line)
        if opening:
            inside = opening.group(1) == kind
        elif re.match(r"^  ///", line):
            comment.append(line[6:] if line.startswith("  /// ") else "")
            continue
        elif inside and (found := PUBLIC.match(line)) and not found.group(1).startswith("init"):
            text = found.group(1)
            while text.count("(") > text.count(")"):
                number += 1
                text += " " + lines[number].strip()
            text = re.sub(r" (?:\{|where ).*$", "", text.replace("( ", "(").replace(" )", ")")).strip()
            yield re.sub(r"^private\(set\) ", "", text), comment
        if not line.strip().startswith("@"):
            comment = []


def read(root):
    for kind, path, title, about in PARTS:
        rows, missing = [], []
        for text, comment in declarations(pathlib.Path(root, "Sources", path), kind):
            prose = "\n".join(comment).split("\n\n")[0].split("\n- ")[0].replace("\n", " ")
            # Of a type of values, what makes one is listed, and not what it is made of.
            if kind == "ValueType" and not re.search(r"(?:->|:) (?:Self|ValueType<.+>)$", text):
                continue
            code = [part for part in "\n".join(comment).split("\n\n") if part.startswith("    ")]
            example = "\n".join(line[4:] for line in code[0].splitlines()) if code else ""
            rows.append((text, prose, example))
            if not example or not prose:
                missing.append(text)
        if missing:
            sys.exit(f"{path}: give these a sentence and an example in their comments: {'; '.join(missing)}")
        yield kind, title, about, rows


def markdown(root):
    out = ["# Reference of the workbench", "",
           "What an experiment is declared with, from the comments in the source; the examples are compiled. The keys",
           "and measures of the kinds of `assay` are in the [reference of scenarios](reference.md)."]
    for kind, title, about, rows in read(root):
        out += ["", f"## {title}: `{kind}`", "", about]
        for text, prose, example in rows:
            out += ["", f"### `{text}`", "", prose, "", "```swift", example, "```"]
    return "\n".join(out) + "\n"


def samples(root):
    out = ["import Workbench", ""]
    count = 0
    for _, _, _, rows in read(root):
        for text, _, example in rows:
            count += 1
            body = "\n".join("  " + line for line in example.splitlines())
            out += [f"// {text}",
                    f"func example{count}(_ random: inout RandomStream, _ context: RunContext) throws {{", body, "}"]
    return "\n".join(out) + "\n"


if len(sys.argv) == 4 and sys.argv[2] == "--samples":
    pathlib.Path(sys.argv[3]).write_text(samples(sys.argv[1]), encoding="utf-8")
else:
    sys.stdout.write(markdown(sys.argv[1]))
