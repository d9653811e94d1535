# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the documented public declarations that `import Workbench` gives: types, members, functions.

The workbench's own count, and of other modules' those of the types that it exports by name. A case of an enumeration
belongs to its type, what a protocol does where nobody says otherwise to its requirement, and how values are compared
to their conformance. What is public only so that a hot loop can inline it is hidden from the documentation, and not
in the symbol graph.

usage: declarations.py EXPORTS.swift FOLDER [--most N]     FOLDER has the modules' symbol graphs; exits 1 over N
"""

import collections
import json
import pathlib
import re
import sys

CONFORMANCE = {"==(_:_:)", "hash(into:)"}
EXPORT = re.compile(r"^@_exported public import \w+ (\w+)\.(\w+)$", re.MULTILINE)


def declarations(exports: str, folder: str) -> list[tuple[str, str]]:
    found = []
    exported = set(EXPORT.findall(pathlib.Path(exports).read_text(encoding="utf-8")))
    for path in sorted(pathlib.Path(folder).glob("*.symbols.json")):
        graph = json.loads(path.read_text(encoding="utf-8"))
        defaults = {one["source"] for one in graph["relationships"] if one["kind"] == "defaultImplementationOf"}
        for symbol in graph["symbols"]:
            is_written = "location" in symbol and symbol["kind"]["identifier"] != "swift.enum.case"
            module, path = graph["module"]["name"], symbol["pathComponents"]
            is_given = (module == "Workbench" or (module, path[0]) in exported) and path[-1] not in CONFORMANCE
            if is_given and is_written and symbol["identifier"]["precise"] not in defaults:
                found.append((module, ".".join(path)))
    return sorted(found)


def main(exports: str, folder: str, *limit: str) -> int:
    found = declarations(exports, folder)
    if "--list" in limit:
        print("\n".join(f"{module} {name}" for module, name in found))
    counts = collections.Counter(module for module, _ in found)
    parts = ", ".join(f"{module} {count}" for module, count in sorted(counts.items()))
    print(f"{len(found)} documented public declarations: {parts}")
    if limit[:1] == ("--most",) and len(found) > int(limit[1]):
        print(f"declarations: {len(found)}, over {limit[1]}; make private what no other package needs", file=sys.stderr)
        return 1
    return 0


sys.exit(main(*sys.argv[1:]))
