// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore
internal import PropertyTesting

/// What a team's record has to say after a season, counted from the whole list of its games.
struct SeasonSpecification {
  private let team: Int
  /// The team's points and its opponents', game by game.
  private let games: [(own: Int, other: Int)]

  init(_ season: SeasonPlan, team: Int) {
    self.team = team
    games = season.results.compactMap { result in
      if result.first == team { return result.points }
      return result.second == team ? (result.points.1, result.points.0) : nil
    }
  }

  /// Holds a record against the games.
  func check(_ record: SeasonRecord) throws {
    let counted = [record.wins, record.losses, record.ties]
    let outcomes = games.map { ($0.own - $0.other).signum() }
    let expected = [1, -1, 0].map { sign in outcomes.count { $0 == sign } }
    try claim(counted == expected, "team \(team) is \(counted), not \(expected)")
    let points = [record.pointsFor.thousandths, record.pointsAgainst.thousandths]
    let sums = [games.reduce(0) { $0 + $1.own * 1000 }, games.reduce(0) { $0 + $1.other * 1000 }]
    try claim(points == sums, "team \(team) has \(record.pointsFor) : \(record.pointsAgainst)")
    let length = outcomes.reversed().prefix { $0 == outcomes.last }.count
    let streak = outcomes.last.map { ["L", "T", "W"][$0 + 1] + "\(length)" }
    try claim(
      record.streak?.description == streak,
      "team \(team) is on \(record.streak?.description ?? "no streak"), not \(streak ?? "any")")
  }
}
