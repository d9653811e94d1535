# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the documented public declarations of modules: types, members, functions.

A case of an enumeration belongs to its type, and what a protocol does where nobody says otherwise to its requirement.
What is public only so that a hot loop can inline it is hidden from the documentation, and not in the symbol graph.

usage: declarations.py FOLDER [--most N]     FOLDER has the modules' symbol graphs; exits 1 where there are more than N
"""

import collections
import json
import pathlib
import sys


def declarations(folder: str) -> list[tuple[str, str]]:
    found = []
    for path in sorted(pathlib.Path(folder).glob("*.symbols.json")):
        graph = json.loads(path.read_text(encoding="utf-8"))
        defaults = {one["source"] for one in graph["relationships"] if one["kind"] == "defaultImplementationOf"}
        for symbol in graph["symbols"]:
            is_written = "location" in symbol and symbol["kind"]["identifier"] != "swift.enum.case"
            if is_written and symbol["identifier"]["precise"] not in defaults:
                found.append((graph["module"]["name"], ".".join(symbol["pathComponents"])))
    return sorted(found)


def main(folder: str, *limit: str) -> int:
    found = declarations(folder)
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
