// SPDX-License-Identifier: GPL-3.0-or-later

/// What a simulated league is like: its size, its length, and how much of a week's score is the team and how much luck.
package struct LeagueShape: Hashable, Sendable {
  /// How many teams play, 2 to 64.
  package let teams: Int
  /// How many weeks they play, 1 to 100.
  package let weeks: Int
  /// What an average team scores in a week, in points.
  package let meanScore: Double
  /// How far one team's weekly scores spread around its own mean: standard deviation, in points.
  package let scoreDeviation: Double
  /// How far the teams' own means spread around the mean score: standard deviation, in points.
  package let strengthDeviation: Double
  /// The chance that a game is made level, apart from scores that happen to be equal to the hundredth.
  package let tieRate: Double

  /// A league of twelve teams over fourteen weeks unless something else is wanted.
  ///
  /// - Parameters:
  ///   - teams: How many play, 2 to 64.
  ///   - weeks: How many weeks, 1 to 100.
  ///   - meanScore: What an average team scores in a week, -1000 to 1000 points.
  ///   - scoreDeviation: Spread of a team's weekly scores, 0 to 1000 points.
  ///   - strengthDeviation: Spread of the teams' means, above 0 and at most 1000 points: with 0 no team is the best.
  ///   - tieRate: The chance that a game is made level, 0 to 1.
  /// - Throws: `badShape` naming the first value that is out of its range.
  package init(
    teams: Int = 12, weeks: Int = 14, meanScore: Double = 110, scoreDeviation: Double = 25,
    strengthDeviation: Double = 10, tieRate: Double = 0.005
  ) throws(LeagueLabError) {
    try Self.require((2...64).contains(teams), "teams", teams, "2 to 64")
    try Self.require((1...100).contains(weeks), "weeks", weeks, "1 to 100")
    try Self.require(abs(meanScore) <= 1000, "mean score", meanScore, "-1000 to 1000 points")
    try Self.require((0...1000).contains(scoreDeviation), "score deviation", scoreDeviation, "0 to 1000 points")
    try Self.require(
      strengthDeviation > 0 && strengthDeviation <= 1000, "strength deviation", strengthDeviation,
      "above 0 and at most 1000 points")
    try Self.require((0...1).contains(tieRate), "tie rate", tieRate, "a probability, 0 to 1")
    (self.teams, self.weeks, self.meanScore, self.scoreDeviation) = (teams, weeks, meanScore, scoreDeviation)
    (self.strengthDeviation, self.tieRate) = (strengthDeviation, tieRate)
  }

  private static func require(
    _ condition: Bool, _ field: String, _ found: some CustomStringConvertible, _ expected: String
  ) throws(LeagueLabError) {
    guard condition else { throw .badShape(field: field, found: "\(found)", expected: expected) }
  }
}

/// What a league cannot be simulated from.
package enum LeagueLabError: Error, Hashable, Sendable {
  /// A number of the league's shape is out of its range.
  case badShape(field: String, found: String, expected: String)
}

extension LeagueLabError: CustomStringConvertible {
  /// One sentence: the number, the value found, and what was expected.
  package var description: String {
    switch self {
    case .badShape(let field, let found, let expected): "\(field): found \(found), expected \(expected)."
    }
  }
}
