# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs assay's simulated clients and storms and the plainest C model of each in turn, all of them again for each
repeat, and prints a Markdown table of medians of the processor's seconds. The model's seconds are its own count;
assay's are whole processes."""

import argparse
import json
import os
import re
import statistics
import subprocess
import tempfile
import time
from typing import NamedTuple

from measure import measured


class Cost(NamedTuple):
    """What was simulated, events of it, and seconds of processor and of wall clock."""
    size: float
    events: float
    cpu: float
    wall: float


def assay(command, size):
    """Runs a command that writes JSON; its size and events are read from it by `size`."""
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "result.json")
        usage, _ = measured([*command, "--quiet", "--format", "json", "--output", output])
        with open(output) as file:
            return Cost(*size(json.load(file)), usage.cpu, usage.wall)


def model(command):
    began = time.perf_counter()
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = {key: float(value) for key, value in re.findall(r"([a-z-]+)=([0-9.]+)", said)}
    size = found.get("hours", found.get("clients"))
    return Cost(size, found.get("events", found.get("attempts")), found["cpu"], time.perf_counter() - began)


def hours_of(result):
    data = result["data"]
    return data["hours"], sum(profile["counts"]["events"] for profile in data["profiles"])


def clients_of(result):
    attempts = next(one for one in result["measurements"] if one["name"] == "storm.attempts")
    return options.clients, attempts["count"]


def medians(runs):
    rounds = [[run() for _, run in runs] for _ in range(options.repeats)]
    return [(name, [cost[index] for cost in rounds]) for index, (name, _) in enumerate(runs)]


def row(name, costs, yardstick):
    cpu = statistics.median(cost.cpu for cost in costs)
    wall = statistics.median(cost.wall for cost in costs)
    size, events = costs[0].size, costs[0].events
    rate = size / cpu
    print(f"| {name} | {cpu:.2f} | {wall:.2f} | {rate:,.0f} | {events / cpu / 1e6:.1f} M | {rate / yardstick:.2f} |")


def table(title, unit, runs):
    print(f"\n## {title}\n")
    print(f"| | CPU s | wall s | {unit} a CPU second | events a CPU second | of the model |")
    print("|---|---|---|---|---|---|")
    measured = medians(runs)
    base = measured[-1][1]
    yardstick = base[0].size / statistics.median(cost.cpu for cost in base)
    for name, costs in measured:
        row(name, costs, yardstick)


parser = argparse.ArgumentParser()
for name in ["--assay", "--model"]:
    parser.add_argument(name, required=True)
for name, value in [("--sessions", 200_000), ("--clients", 1_000_000), ("--repeats", 3)]:
    parser.add_argument(name, type=int, default=value)
options = parser.parse_args()

simulate = [options.assay, "live", "simulate", "tunnel", "--end", "all", "--sessions", str(options.sessions), "--jobs"]
storm = [options.assay, "live", "storm", "--outage", "30s", "--policy", "full-jitter", "--clients",
         str(options.clients)]
table("Simulated clients", "client-hours", [
    ("assay, every invariant watched, one worker", lambda: assay([*simulate, "1"], hours_of)),
    ("assay, every invariant watched, two workers", lambda: assay([*simulate, "2"], hours_of)),
    ("the model: a ping, a pong and a timer", lambda: model([options.model, "sessions", str(options.sessions), "1"])),
])
table("Storms", "clients", [
    ("assay, one thread", lambda: assay(storm, clients_of)),
    ("the model: a heap of attempts", lambda: model([options.model, "storm", str(options.clients), "1"])),
])
