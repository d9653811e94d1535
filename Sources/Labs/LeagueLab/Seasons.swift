// SPDX-License-Identifier: GPL-3.0-or-later
public import LeagueCore
internal import MonteCarlo
internal import Randomness
public import Reporting
public import Scenarios

/// Simulates seasons and estimates how well both rankings find the teams' strengths.
struct Seasons: Experiment {
  static let kind = "league.seasons"
  static let summary =
    "Plays seasons whose strongest team is known, and compares the power ranking with plain record, week by week."
  static let discussion = "Example: assay league seasons --teams 12 --weeks 14 --seasons 1e6"

  var shape = LeagueShape()
  var seasons = 100_000
  var generator = GSLGenerator.defaultName
  var seed: UInt64 = 1
  /// The confidence of intervals in tables and figures; thresholds state their own.
  var confidence = 0.999

  init() {}

  static let parameters: [Parameter<Self>] =
    [
      Parameter("teams", \.shape.teams, .count(2...64), "How many teams play.", example: "10"),
      Parameter("weeks", \.shape.weeks, .count(1...100), "How many weeks they play.", example: "13"),
      Parameter(
        "mean", \.shape.meanScore, .number(-1000...1000, named: "points"),
        "The mean score of an average team in a week, in points.", example: "95"),
      Parameter(
        "deviation", \.shape.scoreDeviation, .number(0...1000, named: "points"),
        "How far a team's weekly scores spread around its strength: standard deviation, in points.", example: "30"),
      Parameter(
        "strength", \.shape.strengthDeviation, .number(0...1000, isOpen: true, named: "points"),
        "How far the teams' strengths spread around the mean: standard deviation, in points.", example: "5"),
      Parameter(
        "ties", \.shape.tieRate, .share, "The chance that a game is made a tie, in addition to equal scores.",
        example: "2%"),
      Parameter("seasons", \.seasons, .count(2...1_000_000_000_000), "How many seasons to play.", example: "1e6"),
    ] + Parameter.random(generator: \.generator, seed: \.seed) + [.confidence(\.confidence)]

  func sampleSize(of measure: Measure) -> SampleSize? { SampleSize("seasons", seasons) }

  var measures: [Measure] { LeagueEstimate.Key.all(weeks: shape.weeks).map { $0.measure(teams: shape.teams) } }

  /// The sums over the seasons played before an interruption.
  func tally(on context: RunContext) throws -> SeasonTally {
    let (shape, generator) = (shape, generator)
    return try context.draw(
      .rounds(seasons), "seasons", perBatch: 1024, seed: seed, streams: ["league scores", "league fixtures"],
      into: SeasonTally(weeks: shape.weeks), scratch: { try SeasonEvaluator(shape: shape, generator: generator) },
      body: { try $1.play(seasons: $0.count, scoreSeed: $0.seed(), fixtureSeed: $0.seed(1)) }
    ).tally
  }

  func run(on context: RunContext) throws -> ScenarioResult {
    let tally = try tally(on: context)
    guard tally.seasons >= 2 else { return .interrupted }
    let result = LeagueResult(tally, shape: shape)
    return ScenarioResult(
      measurements: result.measurements,
      document: SeasonsDocument(experiment: self, result: result).document, confidence: confidence,
      isComplete: result.seasons == seasons)
  }
}

public enum Leagues {
  public static let summary = "Ranks fantasy leagues, and tests the ranking against plain record and luck."
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
