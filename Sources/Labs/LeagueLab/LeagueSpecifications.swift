// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore
internal import PropertyTesting

/// The scores of a league by exact rational arithmetic: the reference for the core's scores.
///
/// Ten times the score, 6 wins / games + 3 PF / max PF + 1 - PA / max PA, is written over the common denominator
/// (2 games) (max PF) (max PA). Games are at most 10^6 and points at most 10^11 thousandths, so a numerator is below
/// 2 * 10^29, and below 4 * 10^35 < 2^127 when two teams' scores are brought to one denominator.
struct ScoreSpecification {
  private let numerators: [Int128]
  /// Twice the games played; 1 where there are none.
  private let games: [Int128]
  /// Ten times the largest points scored and conceded, each 1 where nobody has any.
  private let scale: Int128

  init(_ records: [SeasonRecord]) {
    let mostScored = Self.most(records.map(\.pointsFor))
    let mostConceded = Self.most(records.map(\.pointsAgainst))
    scale = 10 * mostScored * mostConceded
    let games = records.map { max(1, Int128(2 * $0.games)) }
    numerators = zip(records, games).map { record, games in
      let wins = Int128(2 * record.wins + record.ties)
      let scored = max(0, Int128(record.pointsFor.thousandths))
      let conceded = max(0, Int128(record.pointsAgainst.thousandths))
      return 6 * wins * mostScored * mostConceded + 3 * scored * games * mostConceded
        + (mostConceded - conceded) * mostScored * games
    }
    self.games = games
  }

  private static func most(_ points: [Points]) -> Int128 {
    max(1, Int128(points.map(\.thousandths).max() ?? 0))
  }

  private func isLower(_ team: Int, than other: Int) -> Bool {
    numerators[team] * games[other] < numerators[other] * games[team]
  }

  /// The score as a number; off by at most a few units of its last place.
  func value(_ team: Int) -> Double { Double(numerators[team]) / Double(games[team] * scale) }

  /// One more than there are teams with a higher score.
  func rank(_ team: Int) -> Int { 1 + numerators.indices.count { isLower(team, than: $0) } }
}

/// What a team's record must be after a season, counted from the whole list of its games.
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
