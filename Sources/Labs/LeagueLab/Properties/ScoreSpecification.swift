// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore

/// The scores of a league by exact rational arithmetic: the second account that the core's scores are held to.
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

  /// Whether one team's score is exactly the lower one.
  func isLower(_ team: Int, than other: Int) -> Bool {
    numerators[team] * games[other] < numerators[other] * games[team]
  }

  /// The score as a number; off by at most a few units of its last place.
  func value(_ team: Int) -> Double { Double(numerators[team]) / Double(games[team] * scale) }

  /// One more than there are teams with a higher score.
  func rank(_ team: Int) -> Int { 1 + numerators.indices.count { isLower(team, than: $0) } }
}
