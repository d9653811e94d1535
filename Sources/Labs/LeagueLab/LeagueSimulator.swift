// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Randomness

/// What a simulated league is like: its size, its length, and how much of a week's score is the team and how much luck.
struct LeagueShape: Hashable, Sendable {
  var teams = 12
  var weeks = 14
  /// What an average team scores in a week, in points.
  var meanScore = 110.0
  /// How far one team's weekly scores spread around its own mean: standard deviation, in points.
  var scoreDeviation = 25.0
  /// How far the teams' own means spread around the mean score: standard deviation, in points. With 0 no team would be
  /// the best.
  var strengthDeviation = 10.0
  /// The chance that a game is made level, apart from scores that happen to be equal to the hundredth.
  var tieRate = 0.005
}

/// Simulates a league's seasons by the million, and asks after every week how well the power ranking knows the teams.
///
/// Every block of seasons has random streams of its own and all tallies are whole numbers, so the result is the same
/// at any number of workers.
struct LeagueSimulator: Sendable {
  static let seasonsPerBlock = 1 << 10

  private let shape: LeagueShape
  private let generator: String
  private let runner: BlockRunner
  private let streams: StreamFamily

  /// - Throws: `RandomnessError` for an unknown generator, `MonteCarloError` for a number of workers outside 1 to 1024.
  init(shape: LeagueShape, seed: UInt64, generator: String, workers: Int) throws {
    (self.shape, self.generator) = (shape, generator)
    runner = try BlockRunner(workers: workers)
    streams = try StreamFamily(rootSeed: seed, experiments: ["league scores", "league fixtures"])
    _ = try GSLGenerator(named: generator, seed: 1)
  }

  /// What the seasons played until an interruption add up to; `progress` gets the seasons of every block, on the thread
  /// that played it.
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
