# SPDX-License-Identifier: GPL-3.0-or-later
"""Times the first build of a fresh clone next to a package with one dependency and one option, builds after a change,
and what single packages and modules take; prints Markdown tables. A module's seconds are of the wall clock within a
build on all processors, so those of two modules may overlap."""

import re
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

root, scratch = (Path(argument) for argument in sys.argv[1:])
clone, small = scratch / "clone", scratch / "small"


def seconds(command, folder):
    began = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"error: exit {done.returncode}: {' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return time.perf_counter() - began


def modules(build):
    """Seconds from the first to the last step of each module that was compiled."""
    spans = {}
    with sqlite3.connect(f"file:{build}/build.db?mode=ro", uri=True) as database:
        rows = database.execute(
            "select key_names.key, rule_results.start, rule_results.end from rule_results "
            "join key_names on rule_results.key_id = key_names.id where key_names.key like '%.module'")
        for key, start, end in rows:
            name = re.fullmatch(r"CC\.(.+)-\w+-unknown-linux-gnu-release\.module", key)
            if name:
                spans[name[1]] = max(spans.get(name[1], 0), end - start)
    return spans


def small_package():
    (small / "Sources/small").mkdir(parents=True)
    (small / "Package.swift").write_text("""// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "small",
  dependencies: [.package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")],
  targets: [
    .executableTarget(
      name: "small", dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")])
  ])
""")
    (small / "Sources/small/Small.swift").write_text("""import ArgumentParser
@main struct Small: ParsableCommand {
  @Option var count = 1
  func run() { print(count) }
}
""")


def change(pattern, replacement):
    """Edits a file of a core in the clone."""
    path = clone / "Sources/Core/LeagueCore/SeasonRecord.swift"
    text = path.read_text()
    assert pattern in text, pattern
    path.write_text(text.replace(pattern, replacement, 1))


small_package()
subprocess.run(["git", "clone", "--quiet", root, clone], check=True)
rows = [("a package with swift-argument-parser and one option", seconds(["swift", "build", "-c", "release"], small))]
chart = ["scripts/assay", "blackjack", "chart", "--method", "exact"]
rows.append(("Assay, from `git clone` to a chart", seconds(chart, clone)))
first = modules(clone / ".build")
change('"\\(wins)-\\(losses)-\\(ties)"', '"\\(wins)-\\(losses)-" + "\\(ties)"')
rows.append(("then, a changed line in a function of `LeagueCore`", seconds(chart, clone)))
member = "  /// Games that were not lost.\n  public var unbeaten: Int { wins + ties }\n\n"
change("  /// Games played.\n", member + "  /// Games played.\n")
rows.append(("then, a new member of a public type of `LeagueCore`", seconds(chart, clone)))
live = ["swift", "build", "-c", "release", "--product", "assay-live"]
rows.append(("then, `assay-live` with its TLS library", seconds(live, clone)))
print("| what | wall, s |\n|---|--:|")
for what, wall in rows:
    print(f"| {what} | {wall:.0f} |")
print(f"\nThe first build takes {rows[1][1] / rows[0][1]:.1f} times as long as the small package.")
longest = sorted(first.items(), key=lambda item: -item[1])[:12]
if longest:
    print("\n| module of the first build | wall, s |\n|---|--:|")
    for name, wall in longest:
        print(f"| {name} | {wall:.0f} |")
