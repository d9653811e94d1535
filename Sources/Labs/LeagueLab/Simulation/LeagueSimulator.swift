// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore
package import MonteCarlo
internal import Randomness

/// Plays seasons of a league by the million, and asks after every week how well the power ranking knows the teams.
///
/// Every block of seasons has random streams of its own and all tallies are whole numbers, so the result is the same
/// at any number of workers.
package struct LeagueSimulator: Sendable {
  /// Seasons that share random streams.
  package static let seasonsPerBlock = 1 << 10

  private let shape: LeagueShape
  private let seed: UInt64
  private let generator: String
  private let runner: BlockRunner
  private let streams: StreamFamily

  /// A simulator of leagues.
  ///
  /// - Parameters:
  ///   - shape: What the leagues are like.
  ///   - seed: The root of all random streams.
  ///   - generator: The name of a GSL generator.
  ///   - workers: How many threads play.
  /// - Throws: `RandomnessError` for an unknown generator, `MonteCarloError` for a number of workers outside 1 to 1024.
  package init(shape: LeagueShape, seed: UInt64, generator: String, workers: Int) throws {
    (self.shape, self.seed, self.generator) = (shape, seed, generator)
    runner = try BlockRunner(workers: workers)
    streams = try StreamFamily(rootSeed: seed, experiments: ["league scores", "league fixtures"])
    _ = try GSLGenerator(named: generator, seed: 1)
  }

  /// Plays seasons.
  ///
  /// - Parameters:
  ///   - seasons: How many, above 0.
  ///   - confidence: Of each interval by itself, between 0 and 1.
  ///   - interrupt: Looked at after every block.
  ///   - progress: Told the seasons of every block, on the thread that played it.
  /// - Returns: What came out of the seasons played; nil where fewer than two were played before the interruption.
  /// - Throws: `MonteCarloError` for a number of seasons that makes no sense; errors of the generator and of the
  ///   statistics.
  package func play(
    seasons: Int, confidence: Double, interrupt: Interrupt? = nil,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> LeagueResult? {
    let tally = try tally(seasons: seasons, interrupt: interrupt, progress: progress)
    guard tally.seasons >= 2 else { return nil }
    return try LeagueResult(tally, shape: shape, seed: seed, generator: generator, confidence: confidence)
  }

  /// What so many seasons add up to.
  func tally(
    seasons: Int, interrupt: Interrupt? = nil, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> SeasonTally {
    let plan = try BlockPlan(.rounds(seasons), roundsPerBlock: Self.seasonsPerBlock)
    let (shape, generator, streams) = (shape, generator, streams)
    return try runner.run(
      plan, into: SeasonTally(weeks: shape.weeks), interrupt: interrupt,
      makeScratch: { () throws(any Error) -> SeasonJudge in try SeasonJudge(shape: shape, generator: generator) },
      body: { (block, judge: inout SeasonJudge) throws(any Error) -> SeasonTally in
        let tally = try judge.play(
          seasons: block.rounds, scoreSeed: streams.seed(ordinal: 0, block: block.index),
          fixtureSeed: streams.seed(ordinal: 1, block: block.index))
        progress(block.rounds)
        return tally
      }
    ).tally
  }
}
