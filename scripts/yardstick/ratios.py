# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures each hot loop in short against a yardstick in the same run.

A ratio is how many times as fast as its yardstick assay is. It depends on the processor, its caches among the rest, so
no test compares it with a floor: `scripts/benchmark --count` guards the hot loops by their instructions."""

import argparse
import re
import subprocess
from pathlib import Path
from typing import Callable, NamedTuple

from cores import contrast, fantasy, profile
from measure import Usage, measured

ROUNDS, SEASONS, CASES = 40_000_000, 20_000, 1_000_000
SESSIONS, CLIENTS = 30_000, 1_000_000
# As many rounds of counted shoes as of blackjack.
SHOES = ROUNDS * 10 // 435


class Row(NamedTuple):
    what: str
    ratio: Callable[[], float]


def printed(command):
    """The numbers that a yardstick prints as `name=value`."""
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {key: float(value) for key, value in re.findall(r"([a-z]+)=([0-9.]+)", said)}


class Bench:
    """Runs commands, each once."""

    def __init__(self, options):
        self.tools = options.tools
        self.assay = options.assay
        self.build = Path(options.assay).parent
        self.chart = options.chart
        self.known: dict[tuple, Usage] = {}

    def usage(self, *command):
        if command not in self.known:
            self.known[command], _ = measured([str(part) for part in command])
        return self.known[command]

    def run(self, *arguments):
        return self.usage(self.assay, *arguments, "--quiet")

    def yardstick(self, generator):
        return self.usage(f"{self.tools}/yardstick", self.chart, generator, ROUNDS, 1)

    def play(self, generator, jobs=1):
        return self.run("blackjack", "play", "--rules", "6d-s17-das", "--chart", "trainer",
                        "--rounds", ROUNDS, "--generator", generator,
                        "--seed", 1, "--jobs", jobs)

    def kernel(self, generator):
        return self.yardstick(generator).cpu / self.play(generator).cpu

    def counting(self):
        """Next to rounds that are not counted."""
        ours = self.run("blackjack", "count", "--rules", "6d-s17-das-cut75", "--chart", "trainer", "--shoes", SHOES,
                        "--jobs", 1)
        return self.play("mt19937").cpu / ours.cpu

    def core(self, command, exits=(0,)):
        """Next to the yardstick's rounds, for want of a model."""
        return self.yardstick("taus2").cpu / measured([self.assay, *command, "--jobs", "1"], exits=exits)[0].cpu

    def made(self, method):
        """Next to the yardstick's rounds: both make a chart of six decks."""
        chart = self.run("blackjack", "chart", "--rules", "6d-s17-das", "--method", method)
        return self.yardstick("taus2").cpu / chart.cpu

    def live(self):
        ours = self.run("live", "simulate", "tunnel", "--end", "all", "--sessions", SESSIONS, "--jobs", 1)
        return printed([f"{self.tools}/live", "sessions", str(SESSIONS), "1"])["cpu"] / ours.cpu

    def storm(self):
        ours = self.run("live", "storm", "--outage", "30s", "--policy", "full-jitter", "--clients", CLIENTS)
        return printed([f"{self.tools}/live", "storm", str(CLIENTS), "1"])["cpu"] / ours.cpu

    def league(self):
        ours = self.run("league", "seasons", "--seasons", SEASONS, "--jobs", 1)
        return printed([f"{self.tools}/league", str(SEASONS), "1"])["cpu"] / ours.cpu

    def cases(self):
        found = printed([f"{self.build}/property-benchmark", "plain-loop", "--cases", str(CASES)])
        return found["engine"] / found["plain"]

    def rows(self):
        return [
            Row("rounds of blackjack a second, mt19937", lambda: self.kernel("mt19937")),
            Row("rounds of blackjack a second, taus2", lambda: self.kernel("taus2")),
            Row("rounds, two workers over one (wall clock)",
                lambda: self.play("taus2").wall / self.play("taus2", 2).wall),
            Row("a chart by simulation, of 40 million rounds of the yardstick", lambda: self.made("simulate")),
            Row("a chart by the exact analyser, of the same", lambda: self.made("exact")),
            Row("hours of a client, of the plain model", self.live),
            Row("clients of a storm, of the plain model", self.storm),
            Row("league seasons, of the plain model", self.league),
            Row("cases of a property, of a plain loop", self.cases),
            Row("rounds of counted shoes, of rounds of blackjack", self.counting),
            Row("2,000 seasons of fantasy advice, of 40 million rounds of the yardstick",
                lambda: self.core(fantasy(2000))),
            Row("100,000 sessions of a profile's editors, of the same", lambda: self.core(profile(100_000))),
            Row("250 colours fixed and distinguished, of the same",
                lambda: self.core(contrast(self.tools, 250), exits=(1,))),
        ]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--assay", required=True)
    parser.add_argument("--tools", required=True, help="the folder of the compiled yardsticks")
    parser.add_argument("--chart", required=True)
    bench = Bench(parser.parse_args())
    print("| times as fast as its yardstick | measured |\n|---|--:|")
    for row in bench.rows():
        print(f"| {row.what} | {row.ratio():.2f} |", flush=True)


main()
