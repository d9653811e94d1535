# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the instructions that a unit of work takes in each hot loop, and compares them with the committed counts.

The count of a row is the difference of two runs of different sizes, over the difference of the sizes. It does not
depend on the machine's speed or load; repeated, it differs by some tenths of a percent. Counts belong to an
architecture and a compiler: on others than those of `counts.json` the guard says so and passes."""

import argparse
import concurrent.futures
import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from measure import measured

COUNTS = Path(__file__).with_name("counts.json")
LIMIT = 0.10
PEAK = 72


class Row(NamedTuple):
    """A hot loop: its command does as many units of work as the size says; size 0 is the start of the program alone."""
    what: str
    program: str
    command: str
    small: int
    large: int

    def at(self, size):
        if size == 0:
            return ["--version"]
        more = [] if self.program == "property-benchmark" else ["--jobs", "1", "--quiet"]
        return self.command.format(size).split() + more


PLAY = "blackjack play --rules 6d-s17-das --chart trainer --seed 1 --rounds {} --generator "
ROWS = [
    Row("a round of blackjack, mt19937", "assay", PLAY + "mt19937", 100_000, 1_100_000),
    Row("a round of blackjack, taus2", "assay", PLAY + "taus2", 100_000, 1_100_000),
    Row("a cell of a chart by simulation", "assay",
        "blackjack chart --rules inf-s17-das --indifference 1 --confidence 0.6", 0, 330),
    Row("a cell of a chart by the exact analyser", "assay", "blackjack chart --method exact", 0, 330),
    Row("a shoe of counted rounds", "assay",
        "blackjack count --rules 6d-s17-das-cut75 --chart trainer --shoes {}", 1_000, 6_000),
    Row("a session of a client", "assay", "live simulate tunnel --end all --sessions {}", 20, 520),
    Row("a client of a storm", "assay", "live storm --outage 30s --policy full-jitter --clients {}", 1_000, 41_000),
    Row("a season of a league", "assay", "league seasons --seasons {}", 100, 600),
    Row("a season of fantasy advice", "assay", "fantasy season --seasons {}", 2, 22),
    Row("a session of a profile's editors", "assay", "profile edit --samples {} --end all", 100, 2_100),
    Row("a case of a property, and of a plain loop", "property-benchmark", "plain-loop --cases {}", 1_000, 21_000),
    Row("a sample of an experiment, of 200 customers", "coffee-example", "counter --samples {} --end all",
        1_000, 6_000),
]


class Counter:
    """Runs programs under valgrind. It cannot read Swift's debug information, hence copies without it."""

    def __init__(self, build, scratch):
        self.build, self.scratch = build, scratch
        self.programs = {}

    def program(self, name):
        if name not in self.programs:
            copy = f"{self.scratch}/count-{name}"
            subprocess.run(["strip", "-g", "-o", copy, f"{self.build}/{name}"], check=True)
            self.programs[name] = copy
        return self.programs[name]

    def instructions(self, name, arguments):
        # Otherwise the order of a dictionary, and so the count, differs from run to run.
        environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
        run = subprocess.run(
            ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
             self.programs[name], *arguments],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment, check=False)
        found = re.search(r"I +refs: +([0-9,]+)", run.stderr)
        if run.returncode not in (0, 3) or not found:
            sys.exit(f"error: exit {run.returncode}: {name} {' '.join(arguments)}\n{run.stderr}".rstrip())
        return int(found[1].replace(",", ""))

    def count(self, row):
        counts = [self.instructions(row.program, row.at(size)) for size in (row.large, row.small)]
        return (counts[0] - counts[1]) / (row.large - row.small)

    def peak(self, row):
        """MiB of the large run, without valgrind."""
        return measured([f"{self.build}/{row.program}", *row.at(row.large)], exits=(0, 3))[0].peak


def identity():
    """What counts belong to."""
    said = subprocess.run(["swift", "--version"], check=True, capture_output=True, text=True).stdout
    return f"{platform.machine()}, Swift {re.search(r'Swift version ([0-9.]+)', said)[1]}"


def verdict(found, expected):
    """(whether it passes, what is said of it)"""
    change = found / expected - 1
    if change > LIMIT:
        return False, f"{change:+.1%}, over the limit of {LIMIT:+.0%}"
    if change < -LIMIT:
        return True, f"{change:+.1%}: write the counts again, scripts/benchmark --count --write"
    return True, f"{change:+.1%}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, help="the folder of the programs")
    parser.add_argument("--scratch", required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    known = json.loads(COUNTS.read_text()) if COUNTS.exists() else {}
    key = identity()
    counter = Counter(options.build, options.scratch)
    if not options.write and key not in known:
        print(f"no counts for {key}, only for {'; '.join(sorted(known))}: nothing is compared")
        return
    for name in {row.program for row in ROWS}:
        counter.program(name)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip((row.what for row in ROWS), pool.map(counter.count, ROWS), strict=True))
    if options.write:
        known[key] = {what: round(count) for what, count in found.items()}
        COUNTS.write_text(json.dumps(known, indent=2) + "\n")
    missed = 0
    print("| instructions of | counted | committed | change |\n|---|--:|--:|---|")
    for what, count in found.items():
        expected = known[key].get(what)
        passes, said = verdict(count, expected) if expected else (False, "no committed count")
        missed += not passes
        print(f"| {what} | {count:,.0f} | {expected or 0:,} | {said} |", flush=True)
    peak = max(counter.peak(row) for row in ROWS)
    print(f"\nThe largest resident set of these runs is {peak:.0f} MiB, of at most {PEAK}.")
    if peak > PEAK:
        missed += 1
        print(f"error: a run takes {peak:.0f} MiB, over {PEAK}", file=sys.stderr)
    if missed:
        print(f"error: {missed} of {len(found)} hot loops take more instructions; after a wanted change: "
              "scripts/benchmark --count --write", file=sys.stderr)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
