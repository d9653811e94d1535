// SPDX-License-Identifier: GPL-3.0-or-later
package import MonteCarlo
internal import Randomness

/// What a simulated league is like: its size, its length, and how much of a week's score is the team and how much luck.
package struct LeagueShape: Hashable, Sendable {
  package let teams: Int
  package let weeks: Int
  /// What an average team scores in a week, in points.
  package let meanScore: Double
  /// How far one team's weekly scores spread around its own mean: standard deviation, in points.
  package let scoreDeviation: Double
  /// How far the teams' own means spread around the mean score: standard deviation, in points.
  package let strengthDeviation: Double
  /// The chance that a game is made level, apart from scores that happen to be equal to the hundredth.
  package let tieRate: Double

  /// - Throws: `badShape` naming the first value that is out of its range.
  package init(
    teams: Int = 12, weeks: Int = 14, meanScore: Double = 110, scoreDeviation: Double = 25,
    strengthDeviation: Double = 10, tieRate: Double = 0.005
  ) throws(LeagueLabError) {
    try Self.require((2...64).contains(teams), "teams", teams, "2 to 64")
    try Self.require((1...100).contains(weeks), "weeks", weeks, "1 to 100")
    try Self.require(abs(meanScore) <= 1000, "mean score", meanScore, "-1000 to 1000 points")
    try Self.require((0...1000).contains(scoreDeviation), "score deviation", scoreDeviation, "0 to 1000 points")
    // With 0 no team would be the best.
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
package enum LeagueLabError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A number of the league's shape is out of its range.
  case badShape(field: String, found: String, expected: String)

  package var description: String {
    switch self {
    case .badShape(let field, let found, let expected): "\(field): found \(found), expected \(expected)."
    }
  }
}

/// Simulates a league's seasons by the million, and asks after every week how well the power ranking knows the teams.
///
/// Every block of seasons has random streams of its own and all tallies are whole numbers, so the result is the same
/// at any number of workers.
package struct LeagueSimulator: Sendable {
  static let seasonsPerBlock = 1 << 10

  private let shape: LeagueShape
  private let seed: UInt64
  private let generator: String
  private let runner: BlockRunner
  private let streams: StreamFamily

  /// - Throws: `RandomnessError` for an unknown generator, `MonteCarloError` for a number of workers outside 1 to 1024.
  package init(shape: LeagueShape, seed: UInt64, generator: String, workers: Int) throws {
    (self.shape, self.seed, self.generator) = (shape, seed, generator)
    runner = try BlockRunner(workers: workers)
    streams = try StreamFamily(rootSeed: seed, experiments: ["league scores", "league fixtures"])
    _ = try GSLGenerator(named: generator, seed: 1)
  }

  /// The result is `nil` where fewer than two seasons were played before an interruption. `confidence` is that of each
  /// interval by itself; `progress` gets the seasons of every block, on the thread that played it.
  package func play(
    seasons: Int, confidence: Double, interrupt: Interrupt? = nil,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> LeagueResult? {
    let tally = try tally(seasons: seasons, interrupt: interrupt, progress: progress)
    guard tally.seasons >= 2 else { return nil }
    return LeagueResult(tally, shape: shape, seed: seed, generator: generator, confidence: confidence)
  }

  func tally(
    seasons: Int, interrupt: Interrupt? = nil, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> SeasonTally {
    let plan = try BlockPlan(.rounds(seasons), roundsPerBlock: Self.seasonsPerBlock)
    let (shape, generator, streams) = (shape, generator, streams)
    return try runner.run(
      plan, into: SeasonTally(weeks: shape.weeks), interrupt: interrupt,
      makeScratch: { () throws(any Error) -> SeasonEvaluator in
        try SeasonEvaluator(shape: shape, generator: generator)
      },
      body: { (block, evaluator: inout SeasonEvaluator) throws(any Error) -> SeasonTally in
        let tally = try evaluator.play(
          seasons: block.rounds, scoreSeed: streams.seed(ordinal: 0, block: block.index),
          fixtureSeed: streams.seed(ordinal: 1, block: block.index))
        progress(block.rounds)
        return tally
      }
    ).tally
  }
}
