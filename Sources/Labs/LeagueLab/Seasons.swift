// SPDX-License-Identifier: GPL-3.0-or-later
public import LeagueCore
public import Reporting
internal import Sampling
public import Scenarios
internal import Statistics

/// Simulates seasons and estimates how well both rankings find the teams' strengths.
struct Seasons: BatchedExperiment {
  static let kind = "league.seasons"
  static let summary =
    "Plays seasons whose strongest team is known, and compares the power ranking with plain record, week by week."
  static let discussion = "Example: assay league seasons --teams 12 --weeks 14 --seasons 1e6"
  static let samplesName = "seasons"
  static let defaultSamples = 100_000
  static let defaultConfidence = 0.999
  static let streams = ["league scores", "league fixtures"]

  var shape = LeagueShape()

  init() {}

  static let parameters: [Parameter<Self>] = [
    Parameter("teams", \.shape.teams, .count(2...64), "The number of teams.", example: "10"),
    Parameter("weeks", \.shape.weeks, .count(1...100), "The number of weeks.", example: "13"),
    Parameter(
      "mean", \.shape.meanScore, .number(-1000...1000, named: "points"),
      "The mean score of an average team in a week, in points.", example: "95"),
    Parameter(
      "deviation", \.shape.scoreDeviation, .number(0...1000, named: "points"),
      "The standard deviation of a team's weekly scores around its strength, in points.", example: "30"),
    Parameter(
      "strength", \.shape.strengthDeviation, .number(0...1000, isOpen: true, named: "points"),
      "The standard deviation of the teams' strengths, in points.", example: "5"),
    Parameter(
      "ties", \.shape.tieRate, .share,
      "The probability that a game is made a tie, in addition to games with equal scores.",
      example: "2%"),
  ]

  func tally() -> SeasonTally { SeasonTally(weeks: shape.weeks) }

  func scratch(generator: String) throws -> UncopiedScratch<SeasonEvaluator> {
    UncopiedScratch(try SeasonEvaluator(shape: shape, generator: generator))
  }

  func draw(
    _ batch: SampleBatch, _ evaluator: inout UncopiedScratch<SeasonEvaluator>, into tally: inout SeasonTally
  ) throws {
    try evaluator.state.play(
      seasons: batch.count, scoreSeed: batch.seed(), fixtureSeed: batch.seed(1), into: &tally)
  }

  func tallied(at confidence: Double) -> [Measure] {
    LeagueEstimate.rows(shape).map { $0.row.measure(of: $0.label) }
  }

  func measurements(of run: SampledRun<SeasonTally>) -> [Measurement] {
    LeagueEstimate.rows(shape).compactMap { $0.row.measurement(of: $0.label, in: run) }
  }

  func sections(of run: SampledRun<SeasonTally>) -> [ReportBlock] { SeasonsDocument(run, shape: shape).blocks }
}

public enum Leagues {
  public static let summary = "Fantasy leagues: a power ranking, and how often it finds the strongest team."
  public static var experiments: [any Experiment.Type] { [Seasons.self] }
}

extension LeagueError: @retroactive InputError {}

extension LeagueDocumentError: @retroactive InputError {}

extension RoastError: @retroactive InputError {}

/// The parameters of a simulated league: size, length, and the spreads of strengths and weekly scores.
struct LeagueShape: Hashable, Sendable {
  var teams = 12
  var weeks = 14
  var meanScore = 110.0
  /// The standard deviation of one team's weekly scores around its own mean, in points.
  var scoreDeviation = 25.0
  /// The standard deviation of the teams' own means, in points. With 0 no team would be the strongest.
  var strengthDeviation = 10.0
  /// The chance that a game is made a tie, in addition to scores that are equal to the hundredth by chance.
  var tieRate = 0.005
}
