#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints how many cases it takes to find relations between values, beside Hypothesis with the same generators.

usage: relations.py PROPERTY-BENCHMARK GUIDED-PROPERTY-BENCHMARK SEEDS
"""
import csv
import statistics
import string
import subprocess
import sys

import hypothesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

# Without bounds, of which it draws smaller ones than of 64 bits.
INTEGERS = st.integers()
TEXTS = st.text(string.ascii_letters, max_size=20)


def is_change(year, month, day):
    """Whether clocks change in Europe: on the last Sundays of March and October."""
    if month not in (3, 10) or day < 25:
        return False
    return (year + year // 4 - year // 100 + year // 400 + (2 if month == 3 else 6) + day) % 7 == 0


RELATIONS = [
    ((INTEGERS, INTEGERS), lambda a, b: b > 1000 and a == 3 * b + 7),
    ((TEXTS, TEXTS), lambda one, other: len(one) > 2 and one != other and one == other[::-1]),
    (
        (st.lists(st.integers(0, 10_000), max_size=20),),
        lambda numbers: len(numbers) > 2 and numbers[-1] > 0 and sum(numbers) == 2 * numbers[-1],
    ),
    ((st.integers(2000, 2040), st.integers(1, 12), st.integers(1, 31)), is_change),
]
MOST = 5000
# It takes a second for some 700 cases.
THEIR_SEEDS = 5


def cases(strategies, is_found, number):
    """The cases that Hypothesis tries until the relation holds, or the most allowed."""
    tried = 0
    found = None

    @seed(number)
    @settings(
        max_examples=MOST,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.tuples(*strategies))
    def search(values):
        nonlocal tried, found
        tried += 1
        if found is None and is_found(*values):
            found = tried
            raise AssertionError

    try:
        search()
    except AssertionError:
        pass
    return found or MOST


def measured(program, seeds):
    output = subprocess.run([program, "relations", "--seeds", seeds], check=True, capture_output=True, text=True)
    return list(csv.reader(output.stdout.splitlines()))


def main():
    plain, guided, seeds = sys.argv[1:]
    theirs = f"Hypothesis {hypothesis.__version__}, {THEIR_SEEDS} seeds"
    print(f"| cases to find, median of {seeds} seeds | plain | guided | {theirs} |")
    print("| :-- | --: | --: | --: |")
    figures = zip(measured(plain, seeds), measured(guided, seeds), RELATIONS, strict=True)
    for (name, median), (_, other), (strategies, is_found) in figures:
        tried = statistics.median(cases(strategies, is_found, number) for number in range(THEIR_SEEDS))
        print(f"| {name} | {median} | {other} | {tried:g}{' or more' if tried == MOST else ''} |", flush=True)


if __name__ == "__main__":
    main()
