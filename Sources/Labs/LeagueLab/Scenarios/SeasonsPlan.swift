// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Reporting
package import Scenarios

/// Seasons of leagues whose strongest team is known.
package struct Seasons: Experiment {
  var teams = 12
  var weeks = 14
  var mean = 110.0
  var deviation = 25.0
  var strength = 10.0
  var ties = 0.005
  var seasons = 100_000
  var confidence = 0.999
  var generator = "mt19937"
  var seed: UInt64 = 1

  package init() {}

  package static let kind = "league.seasons"
  package static let summary = "Plays seasons whose strongest team is known, and compares the power ranking with plain record."
  package static let discussion = "Example: assay league seasons --teams 12 --weeks 14 --seasons 1e6"

  package static let parameters: [Parameter<Seasons>] =
    [
      Parameter("teams", \.teams, .count(2...64), "How many teams play.", example: "10"),
      Parameter("weeks", \.weeks, .count(1...100), "How many weeks they play.", example: "13"),
      Parameter("mean", \.mean, .number(-1e6...1e6), "What an average team scores in a week, in points.", example: "95"),
      Parameter(
        "deviation", \.deviation, .number(0...1e6),
        "The standard deviation of a team's weekly scores around its strength, in points.", example: "30"),
      Parameter(
        "strength", \.strength, .number(0...1e6), "The standard deviation of the teams' strengths, in points.",
        example: "5"),
      Parameter(
        "ties", \.ties, .share, "The chance that a game is made level, apart from scores equal by chance.",
        example: "2%"),
      Parameter("seasons", \.seasons, .count(2...1_000_000_000_000), "How many seasons to play.", example: "1e6"),
    ] + Parameter.random(generator: \.generator, seed: \.seed) + [
      Parameter("confidence", \.confidence, .probability, "The confidence of each interval shown.", example: "0.99")
    ]

  package var measures: [Measure] { LeagueEstimate.Key.all(weeks: weeks).map(\.measure) }

  package func run(on bench: ScenarioBench) throws -> ScenarioResult {
    let shape = try LeagueShape(
      teams: teams, weeks: weeks, meanScore: mean, scoreDeviation: deviation, strengthDeviation: strength,
      tieRate: ties)
    let simulator = try LeagueSimulator(shape: shape, seed: seed, generator: generator, workers: bench.workers)
    let meter = bench.meter(seasons, "seasons")
    defer { meter?.finish() }
    let played = try simulator.play(
      seasons: seasons, confidence: confidence, interrupt: bench.interrupt, progress: { meter?.advance(by: $0) })
    guard let played else {
      return ScenarioResult(measurements: [], data: ["seasons": 0], document: Document([]), isComplete: false)
    }
    let report = LeagueReport(played)
    return ScenarioResult(
      measurements: played.estimates.map(\.measurement),
      data: ["seasons": .integer(played.seasons), "confidence": .number(confidence)],
      document: Document(report.reportSections), files: [.init(name: "estimates.csv", content: report.csv)],
      isComplete: played.seasons == seasons)
  }
}
