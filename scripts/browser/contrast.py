# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares `assay contrast check` with axe-core in headless Chromium on a page of 200 random pairs, small texts and
large ones, every third translucent: the verdicts have to be the same, and the ratios but for the eight bits that
axe-core composites with. See scripts/look.

usage: contrast.py ASSAY      exits 1 where they differ
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

COUNT = 200


def pairs():
    """Role, text and background of each pair, channels from 0 to 255 and an opacity in hundredths."""
    draw = random.Random(35)
    for number in range(COUNT):
        colours = [[draw.randrange(256) for _ in range(3)] + [100] for _ in range(2)]
        if number % 5 < 3:
            # Dark on light, since most of any two colours fail.
            colours = [[c // 2 for c in colours[0][:3]] + [100], [128 + c // 2 for c in colours[1][:3]] + [100]]
        if number % 3 == 0:
            colours[draw.randrange(2)][3] = draw.randrange(30, 100)
        yield ("small", "large")[number % 2], *colours


def token(colour):
    *channels, opacity = colour
    return {"$value": {"colorSpace": "srgb", "components": [c / 255 for c in channels], "alpha": opacity / 100}}


def css(colour):
    *channels, opacity = colour
    return f"rgba({', '.join(map(str, channels))}, {opacity / 100})"


def ours(assay, folder):
    tokens = {"$type": "color", "small": {}, "large": {}}
    for number, (size, text, ground) in enumerate(pairs()):
        tokens[size][f"p{number}"] = {"text": token(text), "ground": token(ground)}
    (folder / "t.tokens.json").write_text(json.dumps(tokens), encoding="utf-8")
    (folder / "t.pairs").write_text(
        "small.*.text on small.*.ground\nlarge.*.text on large.*.ground as large-text\n", encoding="utf-8")
    run = subprocess.run(
        [assay, "contrast", "check", "t.tokens.json", "--pairs", "t.pairs", "--format", "json"], cwd=folder,
        capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"contrast: assay exits with {run.returncode}: {run.stderr}")
    found = json.loads(run.stdout)["data"]["pairs"]
    return {one["foreground"].split(".")[1]: (one["passes"], one["ratio"]) for one in found}


def axes(folder):
    items = "".join(
        f'<p id="p{number}" style="color: {css(text)}; background: {css(ground)};'
        f' font-size: {24 if size == "large" else 16}px">A text to read</p>\n'
        for number, (size, text, ground) in enumerate(pairs()))
    page_file = folder / "pairs.html"
    page_file.write_text(
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Pairs</title></head>'
        f'<body style="background: #fff"><main><h1>Pairs</h1>\n{items}</main></body></html>\n', encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto(pathlib.Path(page_file).resolve().as_uri())
        response = Axe().run(page, options={"runOnly": ["color-contrast"]}).response
        browser.close()
    found = {}
    for kind in ("passes", "violations", "incomplete"):
        for node in (node for rule in response[kind] for node in rule["nodes"]):
            name, data = node["target"][0].lstrip("#"), node["any"][0]["data"]
            # Colours that are equal to eight bits are left to a person to look at.
            if name.startswith("p") and (kind != "incomplete" or data["messageKey"] == "equalRatio"):
                found[name] = (kind == "passes", data["contrastRatio"])
    return found


def main(assay):
    with tempfile.TemporaryDirectory() as name:
        one, other = ours(os.path.abspath(assay), pathlib.Path(name)), axes(pathlib.Path(name))
    wrong = [
        f"{pair}: assay {one.get(pair)}, axe-core {other.get(pair)}" for pair in sorted(one.keys() | other.keys())
        if pair not in one or pair not in other or one[pair][0] != other[pair][0]
        or abs(one[pair][1] - other[pair][1]) > 0.05]
    for line in wrong:
        print(f"contrast: {line}")
    if len(one) != COUNT:
        sys.exit(f"contrast: assay checked {len(one)} pairs, not {COUNT}")
    passed = sum(passes for passes, _ in one.values())
    print(f"contrast: {COUNT} pairs, {passed} pass; axe-core differs in {len(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
