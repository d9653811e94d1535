# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what the cores are meant to do in a given time on two processors, and prints a Markdown table."""

import argparse
import json
import statistics

from measure import measured


def fantasy(seasons):
    return ["fantasy", "season", "--seasons", str(seasons), "--quiet"]


def profile(sessions):
    return ["profile", "edit", "--samples", str(sessions), "--end", "all", "--quiet"]


def contrast(folder, colours):
    """All of `count` colours on paper, fixed where they fail, and told from each other: exit 1, since some fail."""
    ink = {f"c{i}": {"$type": "color", "$value": f"#{i * 2654435761 % 2**32 >> 8:06x}"} for i in range(colours)}
    with open(f"{folder}/colours.tokens.json", "w") as file:
        json.dump({"paper": {"$type": "color", "$value": "#ffffff"}, "ink": ink}, file)
    with open(f"{folder}/colours.pairs", "w") as file:
        file.write("ink.* on paper\nink.* distinct\n")
    return ["contrast", "check", f"{folder}/colours.tokens.json", "--pairs", f"{folder}/colours.pairs", "--quiet"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--assay", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--repeats", type=int, default=1)
    options = parser.parse_args()
    indices = ["blackjack", "indices", "--rules", "6d-s17-das-ls-cut75", "--quiet"]
    runs = {
        "26 indices for six decks to ±0.1": (indices, 120),
        "100,000 seasons of fantasy advice": (fantasy(100_000), 60),
        "1,000,000 sessions of two editors of a profile": (profile(1_000_000), 60),
        "300 colours on paper, fixed and distinguished": (contrast(options.folder, 300), 2),
    }
    print(f"Medians of {options.repeats}, all processors.\n")
    print("| what | CPU s | wall s | peak MiB | target, wall |\n|---|--:|--:|--:|---|")
    for what, (command, target) in runs.items():
        usages = [measured([options.assay, *command], exits=(0, 1))[0] for _ in range(options.repeats)]
        wall, cpu, peak = (statistics.median(part) for part in zip(*usages))
        print(f"| {what} | {cpu:.1f} | {wall:.1f} | {peak:.0f} | under {target} s |", flush=True)


if __name__ == "__main__":
    main()
