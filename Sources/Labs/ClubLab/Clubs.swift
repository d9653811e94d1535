// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import Reporting
package import Scenarios

/// Cycling clubs and their feeds.
package enum Clubs: Lab {
  package static let name = "club"
  package static let summary = "Cycling clubs: weeks from their feeds, and the core that computes them under test."
  package static var experiments: [any Experiment.Type] { [ClubStress.self, ClubFeed.self] }
}

extension ClubError: InputError {}

extension ClubWeek {
  /// The ten who went farthest.
  var leaderboard: Table {
    var table = Table([
      Table.Column("rank", .right), Table.Column("member"), Table.Column("distance", .right),
      Table.Column("rides", .right), Table.Column("speed", .right), Table.Column("share", .right),
      Table.Column("trend"),
    ])
    for standing in standings(by: .distance).prefix(10) {
      let stats = standing.stats
      table.add([
        standing.rank.map(String.init) ?? ClubDisplay.nothing, stats.member.name.shown(),
        ClubDisplay.distance(stats.tally.distance), NumberFormat.grouped(stats.tally.activities),
        ClubDisplay.speed(stats.tally.averageSpeed()),
        standing.share?.fraction.map { NumberFormat.share($0 * 100, decimals: 3, of: 100) + "%" }
          ?? ClubDisplay.nothing,
        standing.trend.map(ClubSigns.letters.trend) ?? "",
      ])
    }
    return table
  }
}

extension Table {
  /// The first `left` columns are aligned left, the others right.
  init(_ titles: [String], left: Int = 1, rows: [[String]]) {
    self.init(titles.enumerated().map { Column($1, $0 < left ? .left : .right) })
    for row in rows { add(row) }
  }
}
