# SPDX-License-Identifier: GPL-3.0-or-later
"""Uses the page of strategy cards as a person does, on a phone and on a desk: follows a link, changes rules, and
measures what is printed. See scripts/look.

usage: cards.py [--shots FOLDER] FILE.html      exits 1 when there are faults
"""

import argparse
import os
import pathlib
import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
WIDTHS = (390, 1280)
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# A card of ISO/IEC 7810 in the pixels of CSS, and whether all of it is on it.
CARD = """(() => {
  const card = document.getElementById('card'), box = card.getBoundingClientRect();
  return [box.width, box.height, card.scrollHeight - card.clientHeight, card.scrollWidth - card.clientWidth];
})()"""
MILLIMETRE = 96 / 25.4


def cell(page, table, row, column):
    """What a cell shows: the hand's row and the dealer's column, both from 0."""
    return page.locator(f"#{table} tbody tr").nth(row).locator("td").nth(column).inner_text().split(",")[0].strip()


def use(page, url, expect):
    page.goto(url + "#8d-h17-das-ls")
    text = lambda name: page.locator(f"#{name}").inner_text()
    expect(text("name") == "8d-h17-ls", f"the link leads to {text('name')}")
    expect(cell(page, "hard", 11, 8) == "Rh", f"hard 16 against 10 is {cell(page, 'hard', 11, 8)}, not Rh")
    expect("0.55" in text("edge"), f"the edge is '{text('edge')}'")
    page.select_option("#surrender", "")
    expect(page.url.endswith("#8d-h17"), f"the address is {page.url}")
    expect(page.locator("td.changed").count() == 7, f"{page.locator('td.changed').count()} cells are marked, not 7")
    expect("7 cells differ" in text("change") and "worse for the player" in text("change"), text("change"))
    page.select_option("#payoff", "bj65")
    expect("0 cells differ" in text("change") and "1.3" in text("change"), text("change"))
    expect(page.locator("td.changed").count() == 0, "cells are marked though none differs")
    page.evaluate("location.hash = '#1d-xyz'")
    page.wait_for_function("document.getElementById('name').textContent === '1d'")
    expect("'xyz'" in text("change"), f"an unknown rule is not named: {text('change')}")


def faults_at(browser, path, width, shots):
    faults, url = [], pathlib.Path(path).resolve().as_uri()
    expect = lambda holds, fault: holds or faults.append(f"{width} px: {fault}")
    context = browser.new_context(viewport={"width": width, "height": 844}, bypass_csp=True, offline=True)
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(f"{width} px: an error of the script: {error}"))
    page.on("request", lambda request: expect(request.url.split("#")[0] == url, f"asks for {request.url}"))
    use(page, url, expect)
    page.select_option("#decks", "2d")
    expect(page.evaluate(TOO_WIDE) <= 0, "wider than the screen")
    for found in Axe().run(page).response["violations"]:
        faults.append(f"{width} px: axe, {found['id']}: {found['help']}")
    if shots:
        page.screenshot(path=os.path.join(shots, f"cards-{width}.png"), full_page=True)
    page.emulate_media(media="print")
    size = page.evaluate(CARD)
    expect(abs(size[0] - 85.6 * MILLIMETRE) < 1 and abs(size[1] - 53.98 * MILLIMETRE) < 1, f"printed at {size} pixels")
    expect(size[2] <= 0 and size[3] <= 0, f"{size[2]} by {size[3]} pixels do not fit on the printed card")
    if shots:
        page.locator("#card").screenshot(path=os.path.join(shots, f"cards-{width}-print.png"))
    context.close()
    return faults


def main(arguments):
    parser = argparse.ArgumentParser(prog="cards.py", description="Uses the page of strategy cards.")
    parser.add_argument("--shots", metavar="FOLDER", help="leave pictures in this folder")
    parser.add_argument("page", metavar="FILE.html")
    options = parser.parse_args(arguments)
    if options.shots:
        os.makedirs(options.shots, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        faults = [fault for width in WIDTHS for fault in faults_at(browser, options.page, width, options.shots)]
    print("".join(f"  {fault}\n" for fault in faults) or f"{options.page}: used at {WIDTHS} pixels\n", end="")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
