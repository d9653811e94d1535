# SPDX-License-Identifier: GPL-3.0-or-later
"""The arrows between rooms. The manifest draws them too, but SwiftPM lets an undeclared import through whenever the
module happens to have been built already, so they are checked in the source as well."""

import os
import re

IMPORT = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?(\w+)", re.MULTILINE)

# What a core, which ships inside apps, may import from outside the house.
CORE_LIBRARIES = {"Swift", "Foundation", "FoundationEssentials"}
TEST_LIBRARIES = {"Testing"}

# Which kinds of room a room of one kind must not see; and whether it may see another of its own kind.
FORBIDDEN = {
    "core": ({"platform", "engine", "lab", "reporting", "assay"}, True),
    "platform": ({"engine", "lab", "reporting", "assay"}, True),
    "engine": ({"core", "platform", "lab", "reporting", "assay"}, True),
    "lab": ({"platform", "assay"}, False),
    "reporting": ({"core", "platform", "lab", "assay"}, True),
    "assay": (set(), True),
}


class House:
    """Which module is in which room, read from the folders."""

    def __init__(self, root):
        self.kind_of = {"Reporting": "reporting", "assay": "assay"}
        for folder, kind in (("Core", "core"), ("Platform", "platform"), ("Engine", "engine"), ("Labs", "lab")):
            place = os.path.join(root, "Sources", folder)
            for module in os.listdir(place) if os.path.isdir(place) else []:
                self.kind_of[module] = kind

    def module_of(self, path):
        """The module that a file belongs to, and whether the file is one of its tests."""
        parts = path.split("/")
        if parts[0] == "Tests":
            return re.sub(r"Tests$", "", parts[1]), True
        return next((part for part in parts[1:-1] if part in self.kind_of), None), False

    def wrong_arrows(self, path, code):
        """(line, what, how to mend it) for each import that this file's room must not have."""
        module, testing = self.module_of(path)
        kind = self.kind_of.get(module)
        if kind is None:
            return
        forbidden, own_kind = FORBIDDEN[kind]
        for match in IMPORT.finditer(code):
            seen = match.group(1)
            number = code.count("\n", 0, match.start(1)) + 1
            target = self.kind_of.get(seen)
            if target is None:
                allowed = CORE_LIBRARIES | (TEST_LIBRARIES if testing else set())
                if kind == "core" and seen not in allowed:
                    yield (number, f"{module}, a core, imports {seen}",
                           "a core may import other cores and Foundation only")
            elif seen != module and (target in forbidden or (target == kind and not own_kind)):
                yield (number, f"{module} ({kind}) imports {seen} ({target})",
                       "turn the arrow round: assay -> Reporting, Labs -> Core, Engine")
