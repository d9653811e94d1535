# SPDX-License-Identifier: GPL-3.0-or-later
"""The week of a club whose members share their activities of a year: writes the year, as pages of GET
/athlete/activities, one file a member; lets `assay club report` and DuckDB report one week in turn; checks the rows of
both against the truth; and prints a Markdown table of medians of whole processes."""

import argparse
import csv
import datetime
import io
import json
import os
import random
import statistics

from measure import Usage, measured

YEAR = datetime.datetime(2025, 11, 3, 6, 0, 0)
WEEK, MONDAY = "2026-W30", datetime.date(2026, 7, 20)
SPORTS = ["Ride", "Ride", "Ride", "GravelRide", "VirtualRide", "Run"]


def activity(member, number, rng):
    """An activity as the service sends it, without what nobody reads: 300 bytes."""
    sport = rng.choice(SPORTS)
    start = YEAR + datetime.timedelta(minutes=rng.randrange(364 * 24 * 60))
    metres = rng.randrange(50_000, 1_200_000) / 10
    moving = int(metres / rng.uniform(2.5, 9.5)) + 1
    return {
        "resource_state": 2, "athlete": {"id": 1_000_000 + member, "resource_state": 1},
        "name": rng.choice(["Morning Ride", "Lunch Ride", "Commute", "Round the lake", "Zum Bäcker"]),
        "distance": metres, "moving_time": moving, "elapsed_time": moving + rng.randrange(3000),
        "total_elevation_gain": rng.randrange(15_000) / 10, "type": sport, "sport_type": sport,
        "id": 10_000_000_000 + member * 100_000 + number,
        "start_date": (start - datetime.timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "start_date_local": start.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


def write_year(folder, members, each):
    """Writes the files; the last activity of each member is on two pages. The truth: rides, decimetres and seconds in
    motion of each athlete in the week."""
    rng, truth, size = random.Random(1), {}, 0
    for member in range(members):
        all_of_member = [activity(member, number, rng) for number in range(each)]
        for one in all_of_member:
            day = datetime.date.fromisoformat(one["start_date_local"][:10])
            if one["sport_type"] == "Run" or not 0 <= (day - MONDAY).days < 7:
                continue
            sums = truth.setdefault(f"Athlete {one['athlete']['id']}", [0, 0, 0])
            sums[0] += 1
            sums[1] += round(one["distance"] * 10)
            sums[2] += one["moving_time"]
        text = json.dumps(all_of_member + all_of_member[-1:], separators=(",", ":"), ensure_ascii=False)
        path = os.path.join(folder, f"{1_000_000 + member}.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        size += os.path.getsize(path)
    return truth, size


def rows_of_assay(text):
    """Names are those of the files here: the ids of the athletes."""
    return {
        f"Athlete {row['name']}": [int(row["rides"]), round(float(row["distanceKilometres"]) * 10_000),
                                   int(row["movingSeconds"])]
        for row in csv.DictReader(io.StringIO(text))
    }


def rows_of_duckdb(text):
    return {f"Athlete {row[0]}": [int(row[1]), int(row[2]), int(row[3])] for row in csv.reader(io.StringIO(text))}


def main():
    parser = argparse.ArgumentParser()
    for name in ["--assay", "--python", "--folder"]:
        parser.add_argument(name, required=True)
    for name, default in [("--members", 200), ("--each", 100), ("--repeats", 9)]:
        parser.add_argument(name, type=int, default=default)
    options = parser.parse_args()
    year = os.path.join(options.folder, "year")
    os.mkdir(year)
    truth, size = write_year(year, options.members, options.each)
    query = os.path.join(os.path.dirname(__file__), "club_duckdb.py")
    readers = {
        "`assay club report`": ([options.assay, "club", "report", year, "--week", WEEK, "--format", "csv", "--quiet"],
                                rows_of_assay),
        "DuckDB, one thread": ([options.python, query, year, str(MONDAY), "1"], rows_of_duckdb),
        "DuckDB, two threads": ([options.python, query, year, str(MONDAY), "2"], rows_of_duckdb),
    }
    usages = {name: [] for name in readers}
    output = os.path.join(options.folder, "rows.csv")
    for _ in range(options.repeats):
        for name, (command, rows) in readers.items():
            with open(output, "wb") as file:
                usage, _ = measured(command, file)
            usages[name].append(usage)
            with open(output, encoding="utf-8") as file:
                found = rows(file.read())
            if found != truth:
                raise SystemExit(f"error: {name} gives other rows than the truth: {len(found)} for {len(truth)}")
    start = statistics.median(
        measured([options.python, "-c", "import duckdb"])[0].wall for _ in range(options.repeats))
    print(f"{options.members * options.each} activities of {options.members} members, {size / 1e6:.1f} MB; medians of "
          f"{options.repeats} whole processes; each one's rows checked against the truth\n")
    print("| reader | processor, s | wall, s | resident, MiB |\n|---|---:|---:|---:|")
    for name, runs in usages.items():
        usage = Usage(*map(statistics.median, zip(*runs)))
        print(f"| {name} | {usage.cpu:.2f} | {usage.wall:.2f} | {usage.peak:.0f} |")
    print(f"\nPython's start and the import of DuckDB take {start:.2f} s of the wall time of the latter two.")


if __name__ == "__main__":
    main()
