# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the Swift samples of a documentation catalogue, or of one page, as source files, each in its own function.

usage: samples.py CATALOGUE.docc|PAGE.md MODULE FOLDER
"""

import pathlib
import re
import sys

SAMPLE = re.compile(r"^```swift\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main(catalogue: str, module: str, folder: str) -> None:
    pages = pathlib.Path(catalogue)
    for page in [pages] if pages.is_file() else sorted(pages.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        for match in SAMPLE.finditer(text):
            line = text.count("\n", 0, match.start(1)) + 1
            body = match.group(1)
            source = f'#sourceLocation(file: "{page}", line: {line})\n{body}'
            if not body.lstrip().startswith(("import", "struct", "@Suite")):
                source = f"func sample() async throws {{\n{source}}}\n"
            target = pathlib.Path(folder) / f"{page.stem}-{line}.swift"
            target.write_text(f"import {module}\n{source}", encoding="utf-8")


main(*sys.argv[1:])
