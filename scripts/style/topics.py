# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that a documentation catalogue groups every public type and function of its module under a topic.

usage: topics.py CATALOGUE.docc SYMBOLS.json      names what stands nowhere and exits 1 when there is something
"""

import json
import pathlib
import re
import sys

LINK = re.compile(r"^- ``(.+?)``$", re.MULTILINE)


def main(catalogue: str, symbols: str) -> int:
    pages = sorted(pathlib.Path(catalogue).rglob("*.md"))
    grouped = {link for page in pages for link in LINK.findall(page.read_text(encoding="utf-8"))}
    # Where two functions share a name, the link tells them apart by a suffix such as -5k1f0.
    plain = {re.sub(r"-[0-9a-z]+$", "", link) for link in grouped} | grouped
    graph = json.loads(pathlib.Path(symbols).read_text(encoding="utf-8"))
    public = {s["pathComponents"][0] for s in graph["symbols"] if len(s["pathComponents"]) == 1}
    missing = sorted(public - plain)
    for name in missing:
        print(f"{catalogue}: ``{name}`` stands under no topic; add it where a reader looks for it")
    return 1 if missing else 0


sys.exit(main(*sys.argv[1:]))
