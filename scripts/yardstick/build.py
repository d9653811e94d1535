# SPDX-License-Identifier: GPL-3.0-or-later
"""Times the first build of a fresh clone next to a package with one dependency and one option, and builds after a
change; prints Markdown tables. A module's seconds are the processor's, of the compilers that named it."""

import collections
import os
import re
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path

root, scratch = (Path(argument) for argument in sys.argv[1:])
clone, small = scratch / "clone", scratch / "small"


def processor():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def seconds(command, folder):
    """(wall, processor)"""
    began, used = time.perf_counter(), processor()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"error: exit {done.returncode}: {' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return time.perf_counter() - began, processor() - used


class Modules(threading.Thread):
    """Looks at the running compilers of a folder five times a second: the processor's seconds of each by module."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.folder = str(folder).encode()
        self.seen = {}
        self.ended = threading.Event()

    def run(self):
        ticks = os.sysconf("SC_CLK_TCK")
        while not self.ended.wait(0.2):
            for process in Path("/proc").glob("[0-9]*"):
                try:
                    words = (process / "cmdline").read_bytes().split(b"\0")
                    if not words[0].endswith(b"swift-frontend") or not any(self.folder in word for word in words):
                        continue
                    name = words[words.index(b"-module-name") + 1].decode()
                    fields = (process / "stat").read_text().rpartition(")")[2].split()
                    self.seen[process.name, name] = (int(fields[11]) + int(fields[12])) / ticks
                except (OSError, ValueError, IndexError):
                    continue

    def end(self):
        self.ended.set()
        self.join()
        sums = collections.Counter()
        for (_, name), used in self.seen.items():
            sums[name] += used
        return sums.most_common(12)


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
watch = Modules(clone)
watch.start()
rows.append(("Assay, from `git clone` to a chart", seconds(chart, clone)))
longest = watch.end()
change('"\\(wins)-\\(losses)-\\(ties)"', '"\\(wins)-\\(losses)-" + "\\(ties)"')
rows.append(("then, a changed line in a function of `LeagueCore`", seconds(chart, clone)))
member = "  /// Games that were not lost.\n  public var unbeaten: Int { wins + ties }\n\n"
change("  /// Games played.\n", member + "  /// Games played.\n")
rows.append(("then, a new member of a public type of `LeagueCore`", seconds(chart, clone)))
live = ["swift", "build", "-c", "release", "--product", "assay-live"]
rows.append(("then, `assay-live` with its TLS library", seconds(live, clone)))
print("| what | wall, s | CPU, s |\n|---|--:|--:|")
for what, (wall, used) in rows:
    print(f"| {what} | {wall:.0f} | {used:.0f} |")
print(f"\nThe first build takes {rows[1][1][0] / rows[0][1][0]:.1f} times as long as the small package.")
print("\n| module of the first build | CPU, s |\n|---|--:|")
for name, used in longest:
    print(f"| {name} | {used:.0f} |")
