# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants a fault of each kind in a page that is well, and sees that the check which is there for it finds it.

usage: self_test.py      exits 1 when a fault goes unseen or a page that is well is faulted
"""

import pathlib
import sys
import tempfile

from playwright.sync_api import sync_playwright

from browse import launch
from checks import CHECKS, look

CELL = '<td><button type="button" class="cell" aria-label="a{0}">a</button></td>'
WELL = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Well</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>
:root {{ color-scheme: light; --ground: #ffffff; --ink: #111111 }}
@media screen and (prefers-color-scheme: dark) {{
  :root:not([data-mode]) {{ color-scheme: dark; --ground: #111111; --ink: #eeeeee }} }}
@media screen {{ :root[data-mode=dark] {{ color-scheme: dark; --ground: #111111; --ink: #eeeeee }} }}
body {{ background: var(--ground); color: var(--ink) }}
a {{ color: inherit }}
:focus-visible {{ outline: 3px solid #0a5fc2 }}
.frame {{ overflow-x: auto }}
@media print {{ nav, button:not(.cell) {{ display: none }}
  details:not(.long)::details-content {{ content-visibility: visible; height: auto }} }}
</style></head>
<body><header><h1>Well</h1><button id="theme" data-script hidden>Dark</button></header>
<nav aria-label="Contents"><a href="#one">One</a></nav>
<main><h2 id="one">One</h2>
<table><caption>A table</caption>
<thead><tr><th scope="col">A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>
<details><summary>More</summary><p>Behind it.</p></details>
{fault}
</main>
<script>
"use strict";
const button = document.getElementById("theme");
button.hidden = false;
button.addEventListener("click", () => {{
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const isDark = (document.documentElement.dataset.mode ?? system) === "dark";
  document.documentElement.dataset.mode = isDark ? "light" : "dark";
}});
document.addEventListener("keydown", event => {{
  if (event.key === "Escape") document.querySelector("details").open = false;
}});
</script></body></html>
"""

# (the check that must find it, what is wrong, the HTML of it)
FAULTS = [
    ("opening", "an error on the console", "<script>console.error('no')</script>"),
    ("opening", "a script that throws", "<script>throw Error('no')</script>"),
    ("opening", "a request to the network", '<img alt="x" src="https://example.org/x.png">'),
    ("opening", "a style sheet of another file", '<style>@import "other.css";</style>'),
    ("structure", "a heading that skips a level", "<h4>Too deep</h4>"),
    ("structure", "a second first heading", "<h1>Again</h1>"),
    ("structure", "a table without a caption",
     '<table><thead><tr><th scope="col">A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>'),
    ("structure", "a heading cell without a scope",
     "<table><caption>x</caption><thead><tr><th>A</th></tr></thead></table>"),
    ("structure", "an id used twice", '<p id="one">x</p>'),
    ("structure", "a picture without a name", '<svg role="img" width="9" height="9"></svg>'),
    ("structure", "a link that leads nowhere", '<a href="#nowhere">x</a>'),
    ("structure", "a button without a name", "<button></button>"),
    ("contrast", "pale text", '<p style="color: #999999; background: #ffffff">pale</p>'),
    ("contrast", "text that is pale in the dark only", '<p style="color: #444444">grey</p>'),
    ("contrast", "pale text of a drawing",
     '<svg role="img" aria-label="x" width="90" height="30"><text y="20" fill="#cccccc">x</text></svg>'),
    ("contrast", "text that shines through", '<p style="color: rgba(0, 0, 0, 0.4); background: #ffffff">x</p>'),
    ("phone", "something wide", '<div style="width: 500px">wide</div>'),
    ("phone", "something wide behind a summary",
     '<details><summary>x</summary><div style="width: 500px">wide</div></details>'),
    ("clicks", "a button that throws", '<button onclick="throw Error(1)">x</button>'),
    ("clicks", "a cell that shows nothing", f'<div class="grid"><table><tr>{CELL.format(1)}</tr></table></div>'),
    ("pointer", "a cell that shows nothing when pointed at",
     f'<div class="grid"><table><tr>{CELL.format(1)}</tr></table></div>'),
    ("keyboard", "a focus that is not seen", '<button style="outline: none">x</button>'),
    ("keyboard", "an order of its own", '<button tabindex="1">x</button>'),
    ("keyboard", "a stop for each cell",
     f'<div class="grid"><table><tr>{CELL.format(1)}{CELL.format(2)}</tr></table></div>'),
    ("arrows", "cells that no arrow reaches",
     f'<div class="grid"><table><tr>{CELL.format(1)}{CELL.format(2)}</tr></table><div class="panel"></div></div>'),
    ("arrows", "a detail that Escape leaves open",
     "<script>document.addEventListener('keydown', e => e.stopImmediatePropagation(), true)</script>"),
    ("modes", "colours that do not change", "<style>body { background: #ffffff !important }</style>"),
    ("rest", "something that moves", "<style>@keyframes x {} p { animation: x 1s infinite }</style>"),
    ("paper", "a detail that stays closed",
     "<style>details:not(.long)::details-content { content-visibility: hidden !important }</style>"),
    ("paper", "a text that is cut off", '<pre style="overflow-x: auto">' + "long " * 90 + "</pre>"),
    ("scriptless", "a button that does nothing", "<button data-script>x</button>"),
]


def main():
    bad = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright)
        page = pathlib.Path(folder, "page.html")
        by_name = {name: (check, options) for name, check, options in CHECKS}
        page.write_text(WELL.format(fault=""), encoding="utf-8")
        for name, check, options in CHECKS:
            _, faults = look(browser, page.as_uri(), name, check, options)
            if faults:
                bad += 1
                print(f"a page that is well: {name} finds: {'; '.join(faults)}")
        for name, what, fault in FAULTS:
            page.write_text(WELL.format(fault=fault), encoding="utf-8")
            check, options = by_name[name]
            _, faults = look(browser, page.as_uri(), name, check, options)
            if not faults:
                bad += 1
                print(f"{what}: {name} does not find it")
        browser.close()
    untried = set(by_name) - {name for name, _, _ in FAULTS}
    if untried:
        bad += 1
        print(f"no fault is planted for: {', '.join(sorted(untried))}")
    print(f"browse --self-test: {len(FAULTS)} faults planted, {bad} go wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
