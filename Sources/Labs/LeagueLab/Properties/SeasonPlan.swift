// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore
internal import PropertyTesting

/// A season as leagues play it: a round robin, in which each team scores around its strength.
///
/// Records come from the games, so that wins balance losses and points for balance points against by construction.
struct SeasonPlan: Sendable, CustomStringConvertible {
  /// How far both teams of a game score from their strengths, in points, and whether the game is made level.
  struct Game: Sendable {
    let first: Int
    let second: Int
    let isLevel: Bool
  }

  /// What each team scores on average, in points.
  let strengths: [Int]
  /// The games of each week, in the order of the schedule.
  let weeks: [[Game]]

  /// The points of each game with the numbers of the teams that met.
  var results: [(first: Int, second: Int, points: (Int, Int))] {
    let schedule = Self.schedules[strengths.count]
    return weeks.enumerated().flatMap { week, games in
      zip(schedule.games(in: week), games).map { pairing, game in
        let points = strengths[pairing.first] + game.first
        let other = game.isLevel ? points : strengths[pairing.second] + game.second
        return (pairing.first, pairing.second, (points, other))
      }
    }
  }

  var description: String {
    let games = results.map { "\($0.first) v \($0.second) \($0.points.0):\($0.points.1)" }
    return "\(strengths.count) teams" + (games.isEmpty ? ", no games" : ": " + games.joined(separator: ", "))
  }

  /// The teams' records after the season.
  ///
  /// - Parameter add: Adds a game to a record.
  /// - Returns: One record a team, in the order of their numbers.
  /// - Throws: What `add` throws.
  func records(
    add: (inout SeasonRecord, Points, Points) throws -> Void = LeagueOperations.shipping.add
  ) throws -> [SeasonRecord] {
    var records = strengths.map { _ in SeasonRecord() }
    for result in results {
      let points = try Points(thousandths: result.points.0 * 1000)
      let other = try Points(thousandths: result.points.1 * 1000)
      try add(&records[result.first], points, other)
      try add(&records[result.second], other, points)
    }
    return records
  }

  /// The league after the season.
  func roster() throws -> Roster {
    Roster(try records().map { (name: nil, season: $0) })
  }

  // MARK: Generator

  private static let schedules = (0...12).map { RoundRobin(teams: $0) }

  /// Seasons of two to twelve teams, with a bye a week where they are odd; the simplest has not begun.
  static func any() -> Gen<SeasonPlan> {
    let spread = Gen<Int>.integers(in: -60...60)
    let game = zip(spread, spread, Gen<Int>.integers(in: 0...19)).map { Game(first: $0, second: $1, isLevel: $2 == 19) }
    let strength = Gen<Int>.integers(in: 50...130, towards: 100)
    let plans = (0...12).map { teams in
      zip(
        Gen.arrays(of: strength, count: teams),
        Gen.arrays(of: Gen.arrays(of: game, count: teams / 2), count: 0...14)
      ).map { SeasonPlan(strengths: $0, weeks: $1) }
    }
    return Gen<Int>.integers(in: 2...12).flatMap { plans[$0] }
  }
}
