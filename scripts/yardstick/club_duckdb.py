# SPDX-License-Identifier: GPL-3.0-or-later
"""The same filter, grouping and order as assay's, by DuckDB's `read_json`; its own processor time, without Python's
start, goes to standard error, so that the comparison favours DuckDB."""

import resource
import sys
import time

import duckdb

QUERY = """
COPY (
  SELECT athlete.firstname AS first, athlete.lastname AS last, count(*) AS rides,
    sum(round(distance * 10)::BIGINT) AS decimetres, sum(moving_time) AS moving,
    sum(round(total_elevation_gain * 10)::BIGINT) AS elevation, max(round(distance * 10)::BIGINT) AS longest
  FROM read_json('{feed}', format = 'newline_delimited', columns = {{
    athlete: 'STRUCT(firstname VARCHAR, lastname VARCHAR)', distance: 'DOUBLE', moving_time: 'BIGINT',
    total_elevation_gain: 'DOUBLE', sport_type: 'VARCHAR'}})
  WHERE sport_type IN ('Ride', 'MountainBikeRide', 'GravelRide', 'EBikeRide', 'EMountainBikeRide', 'VirtualRide',
    'Handcycle', 'Velomobile')
  GROUP BY ALL ORDER BY decimetres DESC, first, last
) TO '{output}' (FORMAT csv, HEADER false)
"""


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main():
    feed, output, threads = sys.argv[1:]
    connection = duckdb.connect()
    connection.execute(f"SET threads = {int(threads)}")
    began, worked = time.perf_counter(), cpu()
    connection.execute(QUERY.format(feed=feed, output=output))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(time.perf_counter() - began, cpu() - worked, peak, duckdb.__version__, file=sys.stderr)


main()
