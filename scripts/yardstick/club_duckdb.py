# SPDX-License-Identifier: GPL-3.0-or-later
"""The same week by DuckDB: each id once, with the sums of the week before as `assay club report` has them."""

import sys

import duckdb

QUERY = """
COPY (
  WITH activities AS (
    SELECT DISTINCT ON (id) id, athlete.id AS athlete, distance, moving_time, total_elevation_gain,
      date_trunc('week', start_date_local) AS week
    FROM read_json('{folder}/*.json', format = 'array', columns = {{
      id: 'BIGINT', athlete: 'STRUCT(id BIGINT)', distance: 'DOUBLE', moving_time: 'BIGINT',
      total_elevation_gain: 'DOUBLE', sport_type: 'VARCHAR', start_date_local: 'TIMESTAMP'}})
    WHERE sport_type IN ('Ride', 'MountainBikeRide', 'GravelRide', 'EBikeRide', 'EMountainBikeRide', 'VirtualRide',
      'Handcycle', 'Velomobile')
  ), sums AS (
    SELECT athlete, week, count(*) AS rides, sum(round(distance * 10)::BIGINT) AS decimetres,
      sum(moving_time) AS moving, sum(round(total_elevation_gain * 10)::BIGINT) AS elevation,
      max(round(distance * 10)::BIGINT) AS longest
    FROM activities WHERE week IN (DATE '{monday}', DATE '{monday}' - 7) GROUP BY ALL
  )
  SELECT this.athlete, this.rides, this.decimetres, this.moving, this.elevation, this.longest,
    last.decimetres AS before
  FROM sums AS this LEFT JOIN sums AS last ON last.athlete = this.athlete AND last.week < this.week
  WHERE this.week = DATE '{monday}' ORDER BY this.decimetres DESC, this.athlete
) TO '/dev/stdout' (FORMAT csv, HEADER false)
"""


def main():
    folder, monday, threads = sys.argv[1:]
    connection = duckdb.connect()
    connection.execute(f"SET threads = {int(threads)}")
    connection.execute(QUERY.format(folder=folder, monday=monday))


if __name__ == "__main__":
    main()
