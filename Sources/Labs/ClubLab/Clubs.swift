// SPDX-License-Identifier: GPL-3.0-or-later
public import ClubCore
public import Reporting
public import Scenarios

/// Cycling clubs and their feeds.
public enum Clubs {
  public static let summary =
    "Cycling clubs: weekly reports from members' activities, and tests of the code that computes them."
  public static var experiments: [any Experiment.Type] { [ClubStress.self, ClubFeed.self] }
}

extension ClubError: @retroactive InputError {}

extension ClubWeek {
  /// The ten members with the greatest distance.
  var leaderboard: Table {
    Table(
      columns: ["rank", "member", "distance", "rides", "speed", "share", "trend"],
      numbers: ["rank", "distance", "rides", "speed", "share"],
      rows: standings(by: .distance).prefix(10).map { standing in
        let stats = standing.stats
        return [
          standing.rank.map(String.init) ?? ClubDisplay.nothing, stats.member.name.shown(),
          ClubDisplay.distance(stats.tally.distance), NumberFormat.grouped(stats.tally.activities),
          ClubDisplay.speed(stats.tally.averageSpeed()),
          standing.share?.fraction.map { NumberFormat.percent($0, decimals: 3) } ?? ClubDisplay.nothing,
          standing.trend.map(ClubSigns.letters.trend) ?? "",
        ]
      })
  }
}
