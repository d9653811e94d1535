# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads files of samples and compares them with the result of their run: by DuckDB where `scripts/setup --yardsticks`
has installed it, else by Python's own readers. usage: samples.py RESULT.json FILE..."""

import csv
import gzip
import json
import sys


def by_duckdb(file):
    import duckdb

    table = f"read_csv('{file}')" if ".csv" in file else f"read_json('{file}', format='newline_delimited')"
    figures = "count(*), min(sample), max(sample), avg(wait), avg(CASE WHEN rush THEN 1 ELSE 0 END)"
    return duckdb.sql(f"SELECT {figures} FROM {table}").fetchall()[0]


def by_python(file):
    with (gzip.open if file.endswith(".gz") else open)(file, "rt", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines)) if ".csv" in file else [json.loads(line) for line in lines]
    numbers = [int(row["sample"]) for row in rows]
    return (
        len(rows),
        min(numbers),
        max(numbers),
        sum(float(row["wait"]) for row in rows) / len(rows),
        sum(str(row["rush"]).lower() == "true" for row in rows) / len(rows),
    )


try:
    import duckdb  # noqa: F401

    reader, read = "DuckDB", by_duckdb
except ImportError:
    reader, read = "Python", by_python
with open(sys.argv[1], encoding="utf-8") as text:
    found = {one["name"]: one for one in json.load(text)["measurements"]}
samples, rush = found["wait"]["samples"], found["rush"]["successes"]
for file in sys.argv[2:]:
    count, first, last, wait, share = read(file)
    wanted = (samples, 0, samples - 1)
    differs = abs(wait - found["wait"]["mean"]) > 1e-9 or abs(share - rush / samples) > 1e-12
    if (count, first, last) != wanted or differs:
        read_as = (count, first, last, wait, share)
        sys.exit(f"{file}: {read_as} by {reader}, expected {wanted} and what {sys.argv[1]} has")
print(f"{len(sys.argv) - 2} files of {samples} samples are read by {reader}, and have what the result states")
