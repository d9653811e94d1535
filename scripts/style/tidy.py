# SPDX-License-Identifier: GPL-3.0-or-later
"""What `swift format lint` does not look at: length of lines, licence, banned calls, files too large for git, records
of modules that do not exist, a build that depends on `CI`, phrases that read oddly.

usage: tidy.py ROOT          prints findings and exits 1 where there are some
       tidy.py --self-test   checks that each kind is found, and that look-alikes are not
"""

import pathlib
import re
import subprocess
import sys

COLUMNS, BYTES = 120, 1 << 20
# Comments and literals that end on their line; what spans lines is no place for a call.
QUOTED = re.compile(r'//.*|"(?:\\.|[^"\\])*"')
# (folders, pattern, whether a comment on the line above excuses it, how to fix it)
BANNED = [
    (r"Sources/", r"\btry!|\bas!|\b(?:fatalError|preconditionFailure)\(", False, "throw an error with the cure"),
    (r"Sources/", r"@unchecked Sendable\b|\bnonisolated\(unsafe\)", True, "say on the line above why it is safe"),
    (r"Tests/", r"(?<!clock\.)\bu?sleep\(", False, "wait for the event itself, or drive a virtual clock"),
    (r"(?!Sources/assay/|Sources/Benchmarks/)(Sources|Tests)/", r"(?<![\w.])(?<!func )(?:debugPrint|print)\(", False,
     "return the text; only executables write it out"),
]
# (pattern, what to write instead) in code, comments, help, documents and titles of tests.
PHRASES = [(re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in [
    (r"\bat the (?:least|soonest)\b|\bat the most\b(?! [a-z])", "'at least', 'at most' or 'at the earliest'"),
    (r"\bso (?:many|wide)\b(?! that)", "the number, or 'this many'"),
    (r"\bbesides\b", "'other than', 'in addition to' or 'also'"),
    (r"\bof its own\b(?! [a-z])", "'its own'"),
    (r"\bas it is\b(?! [a-z])", "'unchanged' or 'the baseline'"),
    (r"\bon trial\b|\bjudged\b|\banew\b|\bforthwith\b", "'under test', 'evaluated', 'again' or 'immediately'"),
    (r"\bmend(?:s|ed|ing)?\b", "'fix'"),
    (r"\bin the mean\b|\bby the clock\b|\bby use\b", "'on average', 'wall time' or 'weighted by use'"),
    (r"\bcannot be had\b|\balone holds\b|\bwhose amount\b|\bin so far\b", "a plain sentence"),
    (r"^ */// (?:What|Whether|How (?:far|long|many|often|much))\b.*(?<!\?)$", "a noun or a verb first"),
]]
# Where a phrase stands for a reason: (path, text of the line).
ALLOWED = [
    ("scripts/style/tidy.py", ""), ("", "weighted by use"),
    ("Sources/Engine/PropertyTestingHost/Host.swift", "instead of its own"),
    ("Sources/Core/ContrastCore/TokenThemes.swift", "instead of its own"),
]


def phrases(path, text):
    """(line, what to write instead) of each phrase that reads oddly."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        for pattern, instead in PHRASES:
            found = pattern.search(line)
            is_abstract = "///" in pattern.pattern
            if not found or any(path.startswith(file) and words in line for file, words in ALLOWED):
                continue
            if is_abstract and not path.startswith(("Sources/", "Package.swift")):
                continue
            if is_abstract and number > 1 and lines[number - 2].lstrip().startswith("///"):
                continue
            yield number, f"'{found.group().strip()}' reads oddly; write {instead}"


def licence(path):
    sockets = r"(Sources/Platform|Tests)/(CZlib|WebSocketProtocol|LiveSockets)(Tests)?/"
    engine = (r"Sources/Engine/(CCoverage|MonteCarlo)/|Tests/(TestSupport|GuidedSearchTests)/|"
              r"(Sources/Engine|Tests)/(SeededWords|VirtualTime|PropertyTesting|PropertyTestingHost)(Tests)?/")
    permissive = re.match(rf"Sources/Core/|Tests/\w+CoreTests/|{sockets}|{engine}", path)
    name = "Apache-2.0" if permissive else "GPL-3.0-or-later"
    return f"{'//' if path.endswith(('.swift', '.h', '.c', '.cpp')) else '#'} SPDX-License-Identifier: {name}"


def findings(path, text):
    """(line, what is wrong and how to fix it) of each finding in a file of ours."""
    lines = text.splitlines()
    # What `assay new` writes is its user's own.
    is_ours = path != "Package.swift" and not path.startswith(("Examples/coffee/", "Examples/garage/"))
    if licence(path) not in lines[:2] and is_ours:
        yield 1, f"no licence, or not this folder's; begin with '{licence(path)}'"
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS:
            yield number, f"{len(line)} columns, over {COLUMNS}; break the line"
        for folders, pattern, excusable, fix in BANNED if path.endswith(".swift") else []:
            found = re.match(folders, path) and re.search(pattern, QUOTED.sub("", line))
            if found and not (excusable and lines[number - 2].lstrip().startswith("//")):
                yield number, f"'{found.group().strip('(')}' is banned; {fix}"


def stale_records(text, manifest):
    """(line, what) of each module in the table of the first build that the manifest does not name."""
    is_table = False
    for number, line in enumerate(text.splitlines(), 1):
        is_table = line.startswith("| module of the first build") or is_table and line.startswith("|")
        name = re.match(r"\| (\w+) \|", line)
        if is_table and name and f'"{name[1]}"' not in manifest:
            yield number, f"no module '{name[1]}' in Package.swift; measure again: scripts/benchmark --write build"


def self_test():
    core, test, app = "Sources/Core/A/B.swift", "Tests/ATests/B.swift", "Sources/assay/B.swift"
    bad = [(core, text) for text in ("try! f()", "x as! Int", 'fatalError("")', "@unchecked Sendable", "x" * 121)]
    bad += [(core, "nonisolated(unsafe) var x = 1"), (core, "print(1)"), (test, "usleep(1)"), (test, "debugPrint(1)")]
    good = [(core, "/// try! print("), (core, '"as! \\" fatalError("'), (core, "self.print()"), (app, "print(1)"),
            (core, "// The lock guards it.\nclass A: @unchecked Sendable {}"), (test, "try await clock.sleep(for: x)")]
    wrong = [f"not found: {text}" for path, text in bad if not list(findings(path, f"{licence(path)}\n\n{text}"))]
    wrong += [f"found: {text}" for path, text in good if list(findings(path, f"{licence(path)}\n\n{text}"))]
    wrong += [f"licence: {path}" for path in (core, test, app, "scripts/x") if not list(findings(path, "// no\n"))]
    odd = ["/// What it is.", "at the least", "a file of its own.", "two besides", "to mend it"]
    plain = ["at least", "one of its own rides", "so many that", "/// Why.\n/// What it is."]
    wrong += [f"not found: {text}" for text in odd if not list(phrases(core, text))]
    wrong += [f"found: {text}" for text in plain if list(phrases(core, text))]
    table = "| module of the first build | CPU, s |\n|---|--:|\n| Gone | 3 |\n| Here | 4 |\n\n| Other |\n"
    if [line for line, _ in stale_records(table, '.byName("Here")')] != [3]:
        wrong.append("records: a module that does not exist is not found, or another is")
    count = len(bad) + len(good) + len(odd) + len(plain) + 5
    print("\n".join(wrong) or f"tidy --self-test: {count} of {count} right")
    return 1 if wrong else 0


def main(root):
    listing = ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, check=True, capture_output=True, text=True).stdout.split("\0")
    count = 0
    for path in sorted({name for name in names if (pathlib.Path(root) / name).is_file()}):
        data = (pathlib.Path(root) / path).read_bytes()
        found = [(1, f"{len(data)} bytes, over {BYTES}; keep it out of git")] if len(data) > BYTES else []
        if re.search(r"\.(swift|h|c|cpp|py)$|^(scripts|\.ci)/([^.]+|.*\.sh)$", path):
            found += findings(path, data.decode())
        if re.search(r"\.(swift|md|py|sh|ya?ml)$|^scripts/[^.]+$", path) and "/Fixtures/" not in path:
            found += phrases(path, data.decode())
        if path == "docs/records/benchmarks.md":
            found += stale_records(data.decode(), (pathlib.Path(root) / "Package.swift").read_text())
        if path == "Package.swift" and 'environment["CI"]' in data.decode():
            found.append((1, "the build depends on CI, which every build server sets; read a variable of ours"))
        for line, what in found:
            print(f"{path}:{line}: {what}")
        count += len(found)
    print(f"tidy: {count} findings" if count else "tidy: nothing to fix")
    return 1 if count else 0


sys.exit(self_test() if sys.argv[1] == "--self-test" else main(sys.argv[1]))
