# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens pages in headless Chromium and checks them; see scripts/browse.

usage: browse.py [--shots FOLDER] FILE.html...      exits 1 when a check finds a fault
"""

import argparse
import os
import pathlib
import sys

from playwright.sync_api import sync_playwright

from checks import CHECKS, DESK, PHONE, SHEET, Visit, look

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
MOST_FAULTS = 12


def launch(playwright):
    return playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])


def take_pictures(browser, url, folder):
    """What people see: a desk in light and dark, a phone with and without a cell's numbers, and paper."""
    stem = pathlib.Path(folder, pathlib.Path(url).stem)
    os.makedirs(folder, exist_ok=True)
    for name, size, scheme in [("light", DESK, "light"), ("dark", DESK, "dark"), ("phone", PHONE, "light"),
                               ("phone-dark", PHONE, "dark")]:
        visit = Visit(browser, url, viewport=size, color_scheme=scheme)
        visit.page.screenshot(path=f"{stem}-{name}.png", full_page=True)
        cell = visit.page.locator("button.cell")
        if cell.count():
            cell.nth(min(cell.count() - 1, 45)).click()
            visit.page.wait_for_timeout(200)
            visit.page.screenshot(path=f"{stem}-{name}-cell.png")
        visit.close()
    visit = Visit(browser, url, viewport=SHEET)
    visit.page.pdf(path=f"{stem}.pdf", format="A4", prefer_css_page_size=True, print_background=False)
    visit.page.emulate_media(media="print")
    visit.page.screenshot(path=f"{stem}-print.png", full_page=True)
    visit.close()


def main(arguments):
    parser = argparse.ArgumentParser(prog="scripts/browse", description="Checks pages in headless Chromium.")
    parser.add_argument("--shots", metavar="FOLDER", help="leave pictures of every page in this folder")
    parser.add_argument("pages", nargs="+", metavar="FILE.html")
    options = parser.parse_args(arguments)
    missing = [page for page in options.pages if not os.path.isfile(page)]
    if missing:
        parser.error(f"no such file: {', '.join(missing)}")
    faulty = 0
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for page in options.pages:
            url = pathlib.Path(page).resolve().as_uri()
            for name, check, context in CHECKS:
                words, faults = look(browser, url, name, check, context)
                print(f"{page}: {name}: " + (f"{len(faults)} faults" if faults else f"holds ({words})"), flush=True)
                for fault in faults[:MOST_FAULTS]:
                    print(f"  {fault}", flush=True)
                if len(faults) > MOST_FAULTS:
                    print(f"  and {len(faults) - MOST_FAULTS} more", flush=True)
                faulty += bool(faults)
            if options.shots:
                take_pictures(browser, url, options.shots)
        browser.close()
    print(f"browse: {len(options.pages)} pages, {len(CHECKS)} checks each, {faulty} with faults")
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
