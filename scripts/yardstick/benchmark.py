# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs every measurement once, then all of them again, so that a busy minute falls on both sides of a ratio; takes the
median of each ratio over the repeats, and prints a Markdown table. Speeds belong to the machine, ratios to the code."""

import argparse
import os
import statistics
import sys

from measure import measured

RULES = "6d-s17-das"


def commands(options):
    """Every measurement by name, in the order in which they are interleaved."""
    def play(generator, jobs):
        return [options.assay, "blackjack", "play", "--rules", RULES, "--chart", "trainer",
                "--rounds", options.rounds, "--jobs", str(jobs),
                "--generator", generator, "--seed", "1", "--quiet"]

    def yardstick(generator):
        return [options.yardstick, options.chart, generator, str(int(float(options.rounds))), "1"]

    chart = [options.assay, "blackjack", "chart", "--rules", RULES, "--quiet"]
    return {
        "assay mt19937": play("mt19937", 1),
        "yardstick mt19937": yardstick("mt19937"),
        "assay taus2": play("taus2", 1),
        "yardstick taus2": yardstick("taus2"),
        "assay taus2, two workers": play("taus2", 2),
        # A shoe has 43.5 rounds.
        "counted": [options.assay, "blackjack", "count", "--rules", f"{RULES}-cut75", "--chart", "trainer", "--shoes",
                    str(round(float(options.rounds) / 43.5)), "--jobs", "1", "--seed", "1", "--quiet"],
        "certified": [*chart, "--method", "simulate", "--confidence", "0.999"],
        "exact": [*chart, "--method", "exact"],
    }


def rows(runs, rounds):
    """(what, measured, target) from the repeats of every measurement."""
    def median(value):
        return statistics.median(value(run) for run in runs)

    def speed(name):
        return f"{rounds / median(lambda run: run[name].cpu) / 1e6:.1f} M"

    for generator in ("mt19937", "taus2"):
        ours, theirs = f"assay {generator}", f"yardstick {generator}"
        ratio = median(lambda run: run[theirs].cpu / run[ours].cpu)
        yield (f"rounds per CPU second over the C yardstick, {generator}",
               f"{ratio:.2f} ({speed(ours)} / {speed(theirs)})", "at least 1.3")
    counted = median(lambda run: run["assay mt19937"].cpu / run["counted"].cpu)
    yield ("rounds of counted shoes per CPU second over rounds of blackjack, mt19937",
           f"{counted:.2f} ({speed('counted')} / {speed('assay mt19937')})", "at least 0.6")
    workers = median(lambda run: run["assay taus2"].wall / run["assay taus2, two workers"].wall)
    yield f"two workers over one, wall clock ({os.cpu_count()} processors)", f"{workers:.2f}", "at least 1.9"
    peak = max(usage.peak for run in runs for name, usage in run.items() if not name.startswith("yardstick"))
    yield "peak memory of any assay run", f"{peak:.0f} MiB", "under 64 MiB"
    yield ("six-deck chart certified at 0.999, wall clock, all processors",
           f"{median(lambda run: run['certified'].wall):.2f} s", "under 3 s")
    yield ("six-deck exact analyser, CPU seconds", f"{median(lambda run: run['exact'].cpu):.2f} s", "under 1 s")


def main():
    parser = argparse.ArgumentParser(prog="scripts/benchmark")
    parser.add_argument("--rounds", default="2e8")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("assay")
    parser.add_argument("yardstick")
    parser.add_argument("chart")
    options = parser.parse_args()
    runs = []
    for repeat in range(options.repeats):
        run = {}
        for name, command in commands(options).items():
            print(f"[{repeat + 1}/{options.repeats}] {name}", file=sys.stderr)
            run[name], _ = measured(command, stderr=None)
        runs.append(run)
    print(f"Medians of {options.repeats}, interleaved; {options.rounds} rounds of {RULES} each.\n")
    print("| what | measured | target |\n|---|---|---|")
    for row in rows(runs, float(options.rounds)):
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
