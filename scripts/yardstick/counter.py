# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the days of Examples/coffee by the workbench and by hand in turn, and prints a Markdown table of medians."""

import statistics
import sys

from measure import measured

coffee, model = sys.argv[1:]
DAYS, CUSTOMERS = 200_000, 200
runs = {
    "the workbench, one worker": [coffee, "counter", "--samples", str(DAYS), "--jobs", "1", "--quiet"],
    "the same loop by hand on GSL": [model, str(DAYS), "1"],
}
found = {name: [] for name in runs}
for _ in range(5):
    for name, command in runs.items():
        found[name].append(measured(command)[0].cpu)
ours, theirs = (statistics.median(seconds) for seconds in found.values())
print("| | CPU s | customers a CPU second | of the loop |\n|---|--:|--:|--:|")
for name, seconds in zip(runs, (ours, theirs)):
    print(f"| {name} | {seconds:.2f} | {DAYS * CUSTOMERS / seconds / 1e6:.1f} M | {theirs / seconds:.2f} |")
