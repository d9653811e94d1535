// SPDX-License-Identifier: GPL-3.0-or-later
internal import FantasyCore
internal import MonteCarlo
internal import Reporting
internal import Sampling
public import Scenarios
internal import Statistics

/// Advice for fantasy teams, and a check of the confidences that it states.
public enum Fantasy {
  public static let summary = "Fantasy football: advice with reasons, and tests of the confidence that it states."
  public static var experiments: [any Experiment.Type] {
    [SeasonExperiment.self, ScoresRun.self, PricesRun.self, CalibrationRun.self]
  }
}

/// Simulated seasons with known truth: thirty teams follow the advice, and plain baselines play from the same draws.
struct SeasonExperiment: BatchedExperiment {
  static let kind = "fantasy.season"
  static let summary =
    "Simulates seasons: how often the advice is right at its stated confidence, and how many points it gains."
  static let discussion = """
    Example: assay fantasy season --seasons 1e5
    Example: assay fantasy season --believed 14

    Scores are normally distributed around each player's true level, which only the simulator knows; prices follow \
    the league's rule. In every round each team chooses a captain and a trade by the core's model. The baselines use \
    the same draws: the player with the highest average as captain, and no trades. --believed is the standard \
    deviation that the advice assumes: if it is too small, the stated confidence is too high, and the calibration \
    shows it.

    One decision of each kind is evaluated in a season, so that they are independent: that a captain scores no less \
    than the next best, that a trade gains points by the end, that a player reaches 100.
    """
  static let samplesName = "seasons"

  var shape = FantasyShape()

  init() {}

  static let parameters: [Parameter<Self>] = [
    Parameter("players", \.shape.players, .count(88...1100), "The number of players.", example: "264"),
    Parameter("teams", \.shape.teams, .count(1...1000), "The number of teams that follow the advice.", example: "10"),
    Parameter("rounds", \.shape.rounds, .count(2...50), "The number of rounds of a season.", example: "15"),
    Parameter("trades", \.shape.trades, .count(0...100), "The number of trades of a team in a season.", example: "30"),
    Parameter(
      "spread", \.shape.spread, .number(1...100, named: "points"),
      "The standard deviation of a player's scores, in points.", example: "25"),
    Parameter(
      "talent", \.shape.talent, .number(1...100, named: "points"),
      "The standard deviation of the levels of a position's players, in points.", example: "15"),
    Parameter(
      "believed", \.shape.believed, ValueType<Double>.number(1...100, named: "points").optional,
      "The standard deviation of scores that the advice assumes, in points (default: the true one).", example: "14"),
    Parameter(
      "opponents", \.shape.opponents, .number(0...50, named: "points"),
      "The standard deviation of points conceded by opponents, in points.", example: "5"),
    Parameter("injuries", \.shape.injuries, .share, "The chance of an injury in a game.", example: "5%"),
    Parameter(
      "doubts", \.shape.doubts, .share, "The chance that a fit player is doubtful in a round.", example: "10%"),
    Parameter(
      "least", \.shape.minGain, .number(0...1000, named: "points"),
      "The minimum gain of an advised trade over the remaining rounds, in points.", example: "40"),
  ]

  static let defaultThresholds = ["calibration.outside[captain] == 0", "calibration.outside[hundred] == 0"]

  private static let calls = ["captain", "trade", "hundred"]

  func tallied(at confidence: Double) -> [Measure] {
    CalibrationFinding.rows.measures(of: Self.calls) + Self.rows.measures()
  }

  private static let rows: [MeasureRow<SeasonTally>] = [
    .mean(
      "value.captain", "Points a season that the advised captain gains over the highest average", unit: "points",
      range: nil
    ) { .mean(of: $0.captainValue, slope: 1e-3) },
    .mean(
      "value.trades", "Points a season that advised trades gain over none, by the same draws", unit: "points",
      range: nil
    ) { .mean(of: $0.tradeValue, slope: 1e-3) },
    .mean("trades", "Trades that a team makes in a season", unit: "trades", range: nil) {
      .mean(of: $0.trades, slope: 1e-3)
    },
    .mean("crps.advice", "The ranked probability score of a game by the advice", unit: "points", range: nil) {
      .mean(of: $0.advice, slope: 1e-4)
    },
    .mean("crps.average", "The ranked probability score by the season's average", unit: "points", range: nil) {
      .mean(of: $0.average, slope: 1e-4)
    },
    .mean("crps.truth", "The ranked probability score by the true means of players", unit: "points", range: nil) {
      .mean(of: $0.truth, slope: 1e-4)
    },
    .mean("alerts", "Alerts of a person that sound in a season", unit: "alerts", range: nil) { .mean(of: $0.alerts) },
    .mean("alerts.useful", "The useful share of those alerts", range: 0...1) { .mean(of: $0.useful, slope: 1e-3) },
    .mean("alerts.missed", "Late changes of a season that no alert reported before the lockout", range: nil) {
      .mean(of: $0.missed)
    },
  ]

  func tally() -> SeasonTally { SeasonTally() }

  func scratch(generator: String) throws -> UncopiedScratch<SeasonWorld> {
    UncopiedScratch(try SeasonWorld(shape, generator: generator))
  }

  func draw(_ batch: SampleBatch, _ world: inout UncopiedScratch<SeasonWorld>, into tally: inout SeasonTally) throws {
    try world.state.play(batch.samples, seed: batch.seed(), into: &tally)
  }

  private func findings(in run: SampledRun<SeasonTally>) throws -> [CalibrationFinding] {
    try run.once {
      try zip(Self.calls, [run.tally.captain, run.tally.trade, run.tally.hundred]).compactMap { name, calls in
        try CalibrationFinding(name, calls.groups, confidence: run.confidenceOfLook)
      }
    }
  }

  func measurements(of run: SampledRun<SeasonTally>) throws -> [Measurement] {
    try findings(in: run).flatMap { CalibrationFinding.rows.measurements(of: $0.name, in: $0) }
      + Self.rows.measurements(in: run.tally)
  }

  func sections(of run: SampledRun<SeasonTally>) throws -> [ReportBlock] {
    let calibration = run.measurements.filter { $0.measure.label != nil }
    return [.table(Table(calibration, by: "call", at: run.confidence), caption: "Calibration of one call a season")]
      + (try findings(in: run)).map { one in
        .part("Calls of \(one.name)", [.paragraph(one.verdict), .table(one.table), .figure(one.figure)])
      }
  }
}
