# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a reference from the comments in the source: what an experiment is declared with, or what a property is
written with. It has a line and an example for each declaration, both of which its comment must have.

usage: interface.py ROOT PAGE                  prints Markdown; PAGE is workbench or properties
       interface.py ROOT PAGE --samples FILE   writes the examples as a Swift source that has to compile
"""

import pathlib
import re
import sys

WORKBENCH = [
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
GENERATORS = "Engine/PropertyTesting/Generators/"
# (whether the functions are static, sources, title)
PROPERTIES = [
    (True, [GENERATORS + "Gen.swift"], "Choices and structure"),
    (True, [GENERATORS + "NumberGenerators.swift", "Engine/GSLDistributions/DistributionGenerators.swift"],
     "Numbers and ranges"),
    (True, [GENERATORS + "StringGenerators.swift", GENERATORS + "RegexGenerators.swift"], "Texts"),
    (True, [GENERATORS + "CollectionGenerators.swift"], "Collections and bytes"),
    (True, [GENERATORS + "TimeGenerators.swift", GENERATORS + "FoundationGenerators.swift"],
     "Times and other types of Foundation"),
    (True, [GENERATORS + "FunctionGenerators.swift", GENERATORS + "DerivedGenerators.swift"],
     "Functions, and types of your own"),
    (False, [GENERATORS + "Gen.swift", GENERATORS + "CollectionGenerators.swift"], "From other generators"),
    (False, ["Engine/PropertyTesting/Properties/Annotations.swift"], "In the body of a property"),
]
OPENING = re.compile(r"^(?:@\w+ )?(?:public )?(?:final )?(?:struct|extension|enum|class) (\w+)")
PUBLIC = re.compile(r"^(?:  )?(?:@\w+ )*public (?!internal)(.+)$")
FUNCTION = re.compile(r"^(static )?(?:mutating )?func (\w+)(?:<[^(]*>)?\(")


def declarations(path, kind=None):
    """The public declarations of a type, or all: (declaration, comment), in the order of the source."""
    inside, comment, lines = kind is None, [], path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        opening = OPENING.match(line)
        if opening and kind:
            inside = opening.group(1) == kind
        elif line.strip().startswith("///"):
            comment.append(line.strip()[4:])
            continue
        elif inside and (found := PUBLIC.match(line)) and not found.group(1).startswith("init"):
            text = found.group(1)
            while text.count("(") > text.count(")"):
                number += 1
                text += " " + lines[number].strip()
            text = re.sub(r" (?:\{|where ).*$", "", text.replace("( ", "(").replace(" )", ")")).strip()
            yield re.sub(r"^private\(set\) ", "", text), comment
        if not re.match(r"\s*(?:@|// )", line):
            comment = []


def parts(comment):
    """The abstract of a comment and its first example, which is indented or fenced."""
    prose = "\n".join(comment).split("\n\n")[0].split("\n- ")[0].replace("\n", " ")
    found = re.search(r"(?:^|\n\n)((?:    [^\n]*\n?)+)|```swift\n(.*?)\n```", "\n".join(comment), re.DOTALL)
    code = (found.group(1) or found.group(2)) if found else ""
    return prose, "\n".join(line.removeprefix("    ") for line in code.strip("\n").splitlines())


def demand(path, missing):
    if missing:
        sys.exit(f"{path}: give these a sentence and an example in their comments: {'; '.join(missing)}")


def read(root):
    for kind, path, title, about in WORKBENCH:
        rows, missing = [], []
        for text, comment in declarations(pathlib.Path(root, "Sources", path), kind):
            prose, example = parts(comment)
            # Of a type of values, what makes one is listed, and not what it is made of.
            if kind == "ValueType" and not re.search(r"(?:->|:) (?:Self|ValueType<.+>)$", text):
                continue
            rows.append((text, prose, example))
            if not example or not prose:
                missing.append(text)
        demand(path, missing)
        yield kind, title, about, rows


def label(text, start):
    """The name of a function with the labels of its parameters, as `arrays(of:count:)`."""
    depth, labels = 0, []
    for at in range(start - 1, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            break
        if depth == 1 and text[at] in "(," and (found := re.match(r"[(,] ?(\w+)[ :]", text[at:])):
            labels.append(found.group(1) + ":")
    return f"({''.join(labels).removesuffix('fileID:line:')})"


def functions(root):
    """(title, rows) of each part; of several functions of one name those with an example, at least one."""
    for is_static, paths, title in PROPERTIES:
        rows, missing = [], {}
        for path in paths:
            for text, comment in declarations(pathlib.Path(root, "Sources", path)):
                found = FUNCTION.match(text)
                if not found or bool(found.group(1)) != is_static or found.group(2) in ("callAsFunction", "chooser"):
                    continue
                prose, example = parts(comment)
                missing.setdefault(found.group(2), not example)
                if example:
                    missing[found.group(2)] = False
                    sentence = re.split(r"(?<=\.) ", prose)[0]
                    rows.append((found.group(2) + label(text, found.end()), sentence, example))
        demand(" or ".join(paths), [name for name, is_missing in missing.items() if is_missing])
        yield title, rows


HEADS = {
    "workbench": """# Reference of the workbench

What an experiment is declared with, from the comments in the source; the examples are compiled. The keys
and measures of the kinds of `assay` are in the [reference of scenarios](reference.md).""",
    "properties": """# Reference of properties

Every generator and every function of a body, from the comments in the source; the examples are compiled.
`gaussians` is of the product `GSLDistributions`. They are explained in [properties](properties.md).""",
}


def markdown(root, page):
    out = [HEADS[page]]
    if page == "workbench":
        for kind, title, about, rows in read(root):
            out += ["", f"## {title}: `{kind}`", "", about]
            for text, prose, example in rows:
                out += ["", f"### `{text}`", "", prose, "", "```swift", example, "```"]
    else:
        for title, rows in functions(root):
            out += ["", f"## {title}", "", "| name | what it does | example |", "|---|---|---|"]
            for row in rows:
                name, prose, example = (cell.replace("|", "\\|").replace("\n", " ") for cell in row)
                out.append(f"| `{name}` | {prose} | `{example}` |")
    return "\n".join(out) + "\n"


def samples(root, page):
    if page == "workbench":
        head, given = ["import Workbench"], "_ random: inout RandomStream, _ context: RunContext"
        examples = [(text, example) for _, _, _, rows in read(root) for text, _, example in rows]
    else:
        head, given = ["import Foundation", "import GSLDistributions", "import PropertyTesting"], "_ numbers: [Int]"
        examples = [(name, example) for _, rows in functions(root) for name, _, example in rows]
    out = head + [""]
    for count, (text, example) in enumerate(examples, 1):
        body = "\n".join("  " + line for line in example.splitlines())
        out += [f"// {text}", f"func example{count}({given}) throws {{", body, "}"]
    return "\n".join(out) + "\n"


if len(sys.argv) == 5 and sys.argv[3] == "--samples":
    pathlib.Path(sys.argv[4]).write_text(samples(*sys.argv[1:3]), encoding="utf-8")
elif len(sys.argv) == 3:
    sys.stdout.write(markdown(*sys.argv[1:]))
else:
    sys.exit(__doc__)
