# SPDX-License-Identifier: GPL-3.0-or-later
"""What is checked of a page. Every check takes a `Visit` and gives what it looked at, in a few words; faults go to the
visit. A check that ends with no fault has held."""

import os
from urllib.parse import urlsplit

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1360, "height": 900}
SHEET = {"width": 718, "height": 1000}  # A4 less its margins, in CSS pixels
LEAST_CONTRAST = 4.5
MOST_TAB_STOPS = 400
INSPECTOR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inspect.js")


class Visit:
    """A page opened in a context of its own, with everything it complains of or asks for."""

    def __init__(self, browser, url, script=True, **options):
        self.faults = []
        self.context = browser.new_context(java_script_enabled=script, **options)
        self.context.route("**/*", self._route)
        self.url = url
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.faults.append(f"an error of the script: {error}"))
        self.page.on("dialog", self._dialog)
        self.page.goto(url)
        if script:
            with open(INSPECTOR, encoding="utf-8") as file:
                self.page.evaluate(file.read())

    def _route(self, route):
        if route.request.url.split("#")[0] == self.url:
            route.continue_()
        else:
            self.faults.append(f"asks the network for {route.request.url}")
            route.abort()

    def _console(self, message):
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self.faults.append(f"the console says: {message.text}")

    def _dialog(self, dialog):
        self.faults.append(f"a dialogue opens: {dialog.message}")
        dialog.dismiss()

    def inspect(self, what):
        return self.page.evaluate(f"inspector.{what}")

    def open_details(self):
        self.page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true })")

    def close(self):
        self.context.close()


def opening(visit):
    visit.page.wait_for_load_state("networkidle")
    return "opens without an error, asks the network for nothing"


def structure(visit):
    visit.faults += visit.inspect("structure()")
    count = visit.page.evaluate("document.querySelectorAll('body *').length")
    return f"language, title, landmarks, headings, names, captions and ids of {count} elements"


def contrast(visit):
    counts = []
    for mode in ("light", "dark", "print"):
        visit.page.emulate_media(media="print" if mode == "print" else "screen",
                                 color_scheme="dark" if mode == "dark" else "light")
        visit.open_details()
        visit.page.evaluate("document.querySelector('button.cell')?.click()")
        found = visit.inspect(f"contrast({LEAST_CONTRAST})")
        visit.faults += [f"{mode}: {fault}" for fault in found["faults"]]
        counts.append(f"{mode} {found['count']}")
        visit.page.keyboard.press("Escape")
    visit.page.emulate_media(media="screen", color_scheme="light")
    return f"texts of at least {LEAST_CONTRAST}:1: " + ", ".join(counts)


def phone(visit):
    visit.page.set_viewport_size(PHONE)
    visit.faults += visit.inspect("overflow()")
    visit.open_details()
    visit.faults += [f"details opened: {fault}" for fault in visit.inspect("overflow()")]
    cells = visit.page.locator("button.cell")
    if cells.count():
        cells.last.click()
        visit.faults += [f"a cell's panel open: {fault}" for fault in visit.inspect("overflow()")]
        if not visit.page.locator(".panel").first.is_visible():
            visit.faults.append("tapping a cell shows nothing")
    return f"no wider than {PHONE['width']} pixels, details closed and open"


def clicks(visit):
    """Presses what can be pressed: with the pointer what is seen, every cell by its own method."""
    count = 0
    for selector in ("summary", "button:not(.cell)", "nav a"):
        for element in visit.page.locator(selector).all():
            if element.is_visible():
                element.click()
                count += 1
    cells = visit.page.locator("button.cell").count()
    visit.faults += visit.page.evaluate("""async () => {
      const faults = [];
      for (const grid of document.querySelectorAll(".grid")) {
        const tables = [...grid.querySelectorAll(".all .tables > table")];
        const cells = [...grid.querySelectorAll("button.cell")];
        if (tables.length !== cells.length) faults.push(`${cells.length} cells, but numbers of ${tables.length}`);
        cells.forEach((cell, index) => {
          cell.click();
          const panel = document.getElementById(cell.getAttribute("aria-controls"));
          if (!panel?.checkVisibility()) faults.push(`${cell.ariaLabel}: shows nothing`);
          else if (panel.querySelector("table").textContent !== tables[index]?.textContent)
            faults.push(`${cell.ariaLabel}: shows the numbers of another cell`);
        });
      }
      return faults.slice(0, 10);
    }""")
    visit.page.keyboard.press("Escape")
    visit.faults += visit.inspect("structure()")
    return f"{count} summaries, buttons and links, {cells} cells"


def pointer(visit):
    """Rests on a cell, goes into what opens, leaves; it must stay open until left, and Escape must close it."""
    cells = visit.page.locator("button.cell")
    if not cells.count():
        return "no grid of cells"
    panel = visit.page.locator(".panel").first
    middle = cells.nth(min(cells.count() - 1, 14))
    middle.hover()
    try:
        panel.wait_for(state="visible", timeout=2000)
    except Exception:  # Playwright's own error: said as a fault
        visit.faults.append("a cell that is pointed at shows nothing")
        return "pointing at cells"
    box, spot = panel.bounding_box(), middle.bounding_box()
    visit.page.mouse.move(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
    visit.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
    visit.page.wait_for_timeout(500)
    if not panel.is_visible() or panel.get_attribute("aria-label") != middle.get_attribute("aria-label"):
        visit.faults.append("what a cell shows is lost on the pointer's way into it")
    visit.page.keyboard.press("Escape")
    if panel.is_visible():
        visit.faults.append("Escape does not close what a pointed cell shows")
    visit.page.mouse.move(1, 1)
    middle.hover()
    panel.wait_for(state="visible", timeout=2000)
    visit.page.mouse.move(1, 1)
    try:
        panel.wait_for(state="hidden", timeout=2000)
    except Exception:
        visit.faults.append("what a cell shows stays when the pointer has left")
    return "a cell pointed at, its numbers entered, closed and left"


def keyboard(visit):
    """Walks with Tab from the top until the page is left or begins again."""
    stops = []
    while len(stops) < MOST_TAB_STOPS:
        visit.page.keyboard.press("Tab")
        at = visit.inspect("focus()")
        if at is None or stops and at["order"] == stops[0]["order"]:
            break
        if stops and at["order"] <= stops[-1]["order"]:
            visit.faults.append(f"{at['name']} comes after what stands behind it")
            break
        stops.append(at)
    visit.faults += [f"{at['name']} has the keyboard and does not show it" for at in stops if not at["ring"]]
    visit.faults += [f"{at['name']} has the keyboard and is not seen" for at in stops if not at["seen"]]
    cells, grids = sum(at["isCell"] for at in stops), visit.page.locator(".grid").count()
    if cells != grids:
        visit.faults.append(f"{cells} stops inside {grids} grids of cells; each is one stop")
    if len(stops) in (0, MOST_TAB_STOPS):
        visit.faults.append(f"{len(stops)} stops of the keyboard")
    return f"{len(stops)} stops of Tab in reading order, each seen"


def arrows(visit):
    """Walks about a grid with the arrow keys, and closes a detail with Escape."""
    page = visit.page
    details = page.locator("details:visible > summary")
    if details.count():
        details.first.focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        if page.evaluate("document.querySelector('details').open"):
            visit.faults.append("Escape does not close a detail")
    if not page.locator("button.cell").count():
        return "Escape on details; no grid of cells"
    page.locator("button.cell").first.focus()
    name = lambda: page.evaluate("document.activeElement.ariaLabel")
    panel = page.locator(".panel").first
    start = name()
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "End", "Home", "Control+End", "Control+Home"):
        before = name()
        page.keyboard.press(key)
        if name() == before and page.locator("button.cell").count() > 1:
            visit.faults.append(f"{key} moves nowhere from {before}")
        if not panel.is_visible() or panel.get_attribute("aria-label") != name():
            visit.faults.append(f"{key} does not show the numbers of {name()}")
    if name() != start:
        visit.faults.append("right, down, left, up and back end elsewhere than they began")
    page.keyboard.press("Enter")
    if not page.evaluate("document.activeElement.matches('.panel')"):
        visit.faults.append("Enter on a cell does not lead to its numbers")
    page.keyboard.press("Escape")
    if panel.is_visible() or name() != start:
        visit.faults.append("Escape does not lead back from the numbers to their cell")
    return "arrow keys, Home, End, Enter and Escape in the grid; Escape on details"


def modes(visit):
    """The button changes the colours, and they stay readable."""
    page = visit.page
    button = page.locator("#theme")
    ground = lambda: page.evaluate("getComputedStyle(document.body).backgroundColor")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        before = ground()
        if not button.count():
            return "no button for the colours"
        button.focus()
        page.keyboard.press("Enter")
        if ground() == before:
            visit.faults.append(f"the button does not change the colours of a {scheme} page")
        found = visit.inspect(f"contrast({LEAST_CONTRAST})")
        visit.faults += [f"changed from {scheme}: {fault}" for fault in found["faults"]]
        page.keyboard.press("Enter")
        page.evaluate("delete document.documentElement.dataset.mode")
    page.emulate_media(color_scheme="light")
    return "the button for the colours, by keyboard, from light and from dark"


def rest(visit):
    visit.page.emulate_media(reduced_motion="reduce")
    visit.page.evaluate("document.querySelector('button.cell')?.click()")
    visit.faults += visit.inspect("motion()")
    return "nothing moves for those who asked for rest"


def paper(visit):
    visit.page.set_viewport_size(SHEET)
    visit.page.emulate_media(media="print")
    visit.faults += visit.inspect("paper()") + visit.inspect("overflow()")
    return "details opened, nothing to press, nothing cut off"


def scriptless(visit):
    """Without scripts: everything is there, and nothing that would do nothing."""
    shown = visit.page.locator("[data-script]:visible").count()
    if shown:
        visit.faults.append(f"{shown} buttons or hints that only a script could serve are shown")
    for summary in visit.page.locator("summary:visible").all():
        summary.click()
    closed = visit.page.locator("details:not([open])").count()
    if closed:
        visit.faults.append(f"{closed} details cannot be opened")
    if not visit.page.locator("main").inner_text().strip():
        visit.faults.append("the page is empty")
    return "whole without scripts"


CHECKS = [
    ("opening", opening, {}), ("structure", structure, {}), ("contrast", contrast, {}), ("phone", phone, {}),
    ("clicks", clicks, {}), ("pointer", pointer, {}), ("keyboard", keyboard, {"reduced_motion": "reduce"}),
    ("arrows", arrows, {}), ("modes", modes, {}), ("rest", rest, {}), ("paper", paper, {}),
    ("scriptless", scriptless, {"script": False}),
]


def look(browser, url, name, check, options):
    """One check in a context of its own: what it looked at, and the faults."""
    visit = Visit(browser, url, viewport=DESK, **options)
    try:
        words = check(visit)
        visit.page.wait_for_timeout(50)
        return words, list(dict.fromkeys(visit.faults))
    except Exception as error:
        return name, [*visit.faults, f"the check stopped: {str(error).splitlines()[0]}"]
    finally:
        visit.close()


def page_name(url):
    return os.path.basename(urlsplit(url).path)
