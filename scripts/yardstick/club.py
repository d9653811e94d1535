# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads one feed by every reader in turn, all of them again for each repeat, checks each against the integer truth, and
prints a Markdown table of medians. DuckDB's figures leave out Python's start; everybody else's are whole processes."""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from typing import NamedTuple

from measure import Usage, measured


class Reader(NamedTuple):
    """What reads the feed: its name, its command, and whether it tells its own figures on standard error."""
    name: str
    command: list
    tells: bool = False


def run(reader, output):
    with open(output, "wb") as stdout:
        usage, said = measured(reader.command, stdout)
    return Usage(*(float(word) for word in said.split()[:3])) if reader.tells else usage


def rows_of(path):
    with open(path) as file:
        return [line.rstrip("\n").split(",") for line in file]


def check(name, path, truth):
    """Refuses a reader whose rows are not the truth, or not in order: by distance, then by name."""
    rows, truth = rows_of(path), rows_of(truth)
    if sorted(rows) != sorted(truth):
        sys.exit(f"error: {name} gives {len(rows)} members, and not what they rode; the truth has {len(truth)}")
    distances = [int(row[3]) for row in rows]
    if distances != sorted(distances, reverse=True):
        sys.exit(f"error: {name} gives members out of order")


def checked_apart(name, path, truth):
    """Checks in a process of its own: what this one ever held counts for the resident set of all that it starts."""
    status = subprocess.run([sys.executable, __file__, "check", name, path, truth], check=False).returncode
    if status != 0:
        sys.exit(status)


def main():
    if sys.argv[1:2] == ["check"]:
        return check(*sys.argv[2:])
    parser = argparse.ArgumentParser()
    for name in ["--assay", "--aggregate", "--simdjson", "--python", "--duckdb", "--feed", "--truth"]:
        parser.add_argument(name, required=True)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        duck = os.path.join(folder, "duck.csv")
        report = [options.assay, "club", "report", options.feed, "--format", "csv", "--quiet", "--jobs"]
        readers = [
            Reader("assay, one worker", [options.aggregate, options.feed, "--jobs", "1"]),
            Reader("DuckDB, one thread", [options.python, options.duckdb, options.feed, duck, "1"], tells=True),
            Reader("simdjson and a hash table", [options.simdjson, options.feed]),
            Reader("assay, two workers", [options.aggregate, options.feed, "--jobs", "2"]),
            Reader("DuckDB, two threads", [options.python, options.duckdb, options.feed, duck, "2"], tells=True),
        ]
        reports = [Reader(f"`assay club report --jobs {jobs}`", [*report, str(jobs)]) for jobs in (1, 2)]
        usages = {reader.name: [] for reader in readers + reports}
        for _ in range(options.repeats):
            for reader in readers + reports:
                output = os.path.join(folder, "rows.csv")
                usages[reader.name].append(run(reader, output))
                if reader not in reports:
                    checked_apart(reader.name, duck if reader.tells else output, options.truth)
        show({name: Usage(*map(statistics.median, zip(*runs))) for name, runs in usages.items()}, options)


def show(medians, options):
    size = os.path.getsize(options.feed)
    with open(options.feed, "rb") as feed:
        lines = sum(chunk.count(b"\n") for chunk in iter(lambda: feed.read(1 << 24), b""))
    print(f"{lines} activities, {size / lines:.0f} bytes each, {size / 1e9:.2f} GB; "
          f"medians of {options.repeats}; each one's rows checked against the truth\n")
    print("| reader | processor, s | wall, s | resident, MiB | ns an activity |")
    print("|---|---:|---:|---:|---:|")
    for name, usage in medians.items():
        print(f"| {name} | {usage.cpu:.2f} | {usage.wall:.2f} | {usage.peak:.0f} | {usage.cpu / lines * 1e9:.0f} |")
    one, two = medians["assay, one worker"], medians["assay, two workers"]
    duck, ducks = medians["DuckDB, one thread"], medians["DuckDB, two threads"]
    print(f"\nDuckDB to assay: {duck.cpu / one.cpu:.2f} times the processor time on one thread, "
          f"{ducks.wall / two.wall:.2f} times the wall time on two; "
          f"simdjson to assay: {medians['simdjson and a hash table'].cpu / one.cpu:.2f} times the processor time.")


main()
