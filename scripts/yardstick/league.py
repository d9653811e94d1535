# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays league seasons by assay and by the plainest C model in turn, and prints a Markdown table of medians."""

import argparse
import statistics

from measure import measured

parser = argparse.ArgumentParser()
for name in ["--assay", "--model"]:
    parser.add_argument(name, required=True)
for name, value in [("--seasons", 200_000), ("--repeats", 3)]:
    parser.add_argument(name, type=int, default=value)
options = parser.parse_args()

seasons = [options.assay, "league", "seasons", "--seasons", str(options.seasons), "--quiet", "--jobs"]
runs = {
    "assay, both rankings exact, one worker": [*seasons, "1"],
    "assay, both rankings exact, two workers": [*seasons, "2"],
    "the model: gaussian scores, rankings in floating point": [options.model, str(options.seasons), "1"],
}
found = {name: [] for name in runs}
for _ in range(options.repeats):
    for name, command in runs.items():
        found[name].append(measured(command)[0])
median = {name: [statistics.median(part) for part in zip(*usages)] for name, usages in found.items()}
*_, (_, yardstick, _) = median.values()
print("| | CPU s | wall s | seasons a CPU second | of the model |\n|---|--:|--:|--:|--:|")
for name, (wall, cpu, _) in median.items():
    print(f"| {name} | {cpu:.2f} | {wall:.2f} | {options.seasons / cpu:,.0f} | {yardstick / cpu:.2f} |")
