// SPDX-License-Identifier: GPL-3.0-or-later
import ClubCore
import Database
import Testing

@testable import ClubLab

@Suite("The same weeks through SQLite")
struct SQLiteOracleTests {
  /// A row of `GROUP BY`: what a member's week comes to, with its rank.
  private struct Sums: Hashable {
    let name: String
    let activities, distance, moving, elapsed, elevation, longest, speeds, rank: Int

    init(_ row: SQLiteRow) throws {
      try (name, activities, distance) = (row.value("name"), row.value("activities"), row.value("distance"))
      try (moving, elapsed, elevation) = (row.value("moving"), row.value("elapsed"), row.value("elevation"))
      try (longest, speeds, rank) = (row.value("longest"), row.value("speeds"), row.value("rank"))
    }

    init(_ standing: Standing) {
      let tally = standing.stats.tally
      (name, activities, distance) = (standing.stats.member.name.description, tally.activities, tally.distance)
      (moving, elapsed, elevation) = (tally.movingTime, tally.elapsedTime, tally.elevation)
      (longest, speeds, rank) = (tally.longest, tally.speeds, standing.rank ?? 0)
    }
  }

  private static func database(_ weeks: [[TrueActivity]], of members: [ClubMember]) throws -> SQLiteConnection {
    let database = try SQLiteConnection()
    try database.run(
      """
      CREATE TABLE activity (name TEXT NOT NULL, week INTEGER NOT NULL, sport TEXT NOT NULL,
        distance INTEGER NOT NULL, moving INTEGER NOT NULL, elapsed INTEGER NOT NULL, elevation INTEGER NOT NULL)
      """)
    let insert = try database.prepare("INSERT INTO activity VALUES (?, ?, ?, ?, ?, ?, ?)")
    try database.transaction(.write) {
      for one in weeks.joined() {
        try insert.run([
          members[Int(one.person)].name.description, Int(one.week), one.sport.sport.name, Int(one.distance),
          Int(one.movingTime), Int(one.elapsedTime), Int(one.elevation),
        ])
      }
    }
    return database
  }

  private static func sums(_ database: SQLiteConnection, week: Int, rankedBy rank: String) throws -> [Sums] {
    try database.run(
      """
      SELECT name, COUNT(*) AS activities, SUM(distance) AS distance, SUM(moving) AS moving, SUM(elapsed) AS elapsed,
        SUM(elevation) AS elevation, MAX(distance) AS longest,
        SUM(CASE WHEN moving > 0 THEN distance * 100 / moving ELSE 0 END) AS speeds,
        RANK() OVER (ORDER BY \(rank) DESC) AS rank
      FROM activity
      WHERE week = ? AND sport IN ('Ride', 'MountainBikeRide', 'GravelRide', 'EBikeRide', 'EMountainBikeRide',
        'VirtualRide', 'Handcycle', 'Velomobile')
      GROUP BY name
      """, week
    ).map { row in try Sums(row) }
  }

  /// What the core makes of the same activities: written as pages of the feed with their dates, decoded, put into weeks
  /// and counted.
  private static func weeks(
    _ weeks: [[TrueActivity]], of members: [ClubMember], in shape: ClubShape
  ) throws -> [Week: WeekTally] {
    let sent = weeks.joined().map { $0.activity(of: members[Int($0.person)], in: shape, isDated: true) }
    var tallies: [Week: WeekTally] = [:]
    for start in stride(from: 0, to: sent.count, by: 200) {
      let page = Activity.page(sent[start..<min(start + 200, sent.count)])
      for activity in try FeedDecoder(source: "page").activities(in: page) where activity.sport.isCycling {
        let moment = try #require(activity.start)
        tallies[WeekCalendar.utc.week(of: moment), default: WeekTally()].add(activity)
      }
    }
    return tallies
  }

  @Test("totals, longest, counts and ranks are the integers of GROUP BY and RANK() OVER, week by week")
  func groups() throws {
    let shape = ClubShape(members: 1500, weeks: 3, activitiesPerWeek: 3, names: .list(firstNames: 120))
    let club = try ClubGenerator(shape, seed: 21)
    let members = try club.members()
    let truth = try (0..<3).map { try club.activities(inWeek: $0, of: members) }
    let tallies = try Self.weeks(truth, of: members, in: shape)
    // Several persons bear one name, so that groups are not persons.
    #expect(Set(members.map(\.nameNumber)).count < 1200)
    let ranks: [(Metric, String)] = [
      (.distance, "SUM(distance)"), (.rides, "COUNT(*)"), (.elevation, "SUM(elevation)"),
    ]
    let database = try Self.database(truth, of: members)
    for index in 0..<3 {
      let week = ClubWeek(try #require(tallies[shape.week(index)]))
      for (metric, rank) in ranks {
        let standings = week.standings(by: metric).map(Sums.init)
        let rows = try Self.sums(database, week: index, rankedBy: rank)
        #expect(standings.count > 500)
        #expect(Set(standings) == Set(rows) && standings.count == rows.count, "\(metric)")
        // Best first, names in order within a rank.
        #expect(standings == rows.sorted { ($0.rank, $0.name.lowercased()) < ($1.rank, $1.name.lowercased()) })
      }
    }
  }

  @Test("ranks by speed are those of SQLite, where it compares quotients of integers that doubles distinguish")
  func speeds() throws {
    let shape = ClubShape(members: 400, weeks: 1)
    let club = try ClubGenerator(shape, seed: 22)
    let members = try club.members()
    let truth = [try club.activities(inWeek: 0, of: members)]
    let week = ClubWeek(try #require(try Self.weeks(truth, of: members, in: shape)[shape.week(0)]))
    let standings = week.standings(by: .speed).map(Sums.init)
    let rows = try Self.sums(
      Self.database(truth, of: members), week: 0, rankedBy: "SUM(distance) * 1.0 / SUM(moving)")
    #expect(standings.count > 100)
    #expect(Set(standings) == Set(rows))
  }
}
