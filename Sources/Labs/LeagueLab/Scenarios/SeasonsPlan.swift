// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Randomness
internal import Reporting
internal import Scenarios

/// A scenario of the kind `league-seasons`, checked and ready to run.
struct SeasonsPlan: ScenarioPlan, Hashable {
  let shape: LeagueShape
  let seasons: Int
  let seed: UInt64
  let generator: String
  /// Of the intervals that tables and figures show; thresholds state their own.
  let confidence: Double

  init(_ map: ScenarioMapping) throws(ReportingError) {
    shape = try Self.shape(map)
    seasons = try map["seasons"]?.integer(in: 2...1_000_000_000_000) ?? 100_000
    confidence = try map["confidence"]?.probability() ?? 0.999
    let random = try map["random"]?.mapping(keys: ["generator", "seed"])
    seed = UInt64(try random?["seed"]?.integer(in: 0...Int.max) ?? 1)
    generator = try random?["generator"]?.choice(among: GSLGenerator.names) ?? GSLGenerator.defaultName
  }

  var settings: [JSONMember] {
    [
      JSONMember("teams", .integer(shape.teams)), JSONMember("weeks", .integer(shape.weeks)),
      JSONMember("mean", .number(shape.meanScore)), JSONMember("deviation", .number(shape.scoreDeviation)),
      JSONMember("strength", .number(shape.strengthDeviation)), JSONMember("ties", .number(shape.tieRate)),
      JSONMember("seasons", .integer(seasons)),
      JSONMember("random", ["generator": .string(generator), "seed": .unsigned(seed)]),
      JSONMember("confidence", .number(confidence)),
    ]
  }

  var measures: [Measure] { LeagueEstimate.Key.all(weeks: shape.weeks).map(\.measure) }

  func run(on bench: ScenarioBench) throws -> ScenarioResult {
    let simulator = try LeagueSimulator(shape: shape, seed: seed, generator: generator, workers: bench.workers)
    let meter = bench.meter(seasons, "seasons")
    defer { meter?.finish() }
    let played = try simulator.play(
      seasons: seasons, confidence: confidence, interrupt: bench.interrupt, progress: { meter?.advance(by: $0) })
    guard let played else {
      return ScenarioResult(measurements: [], data: ["seasons": .integer(0)], sections: [], isComplete: false)
    }
    let report = LeagueReport(played)
    return ScenarioResult(
      measurements: played.estimates.map(\.measurement),
      data: ["seasons": .integer(played.seasons), "confidence": .number(confidence)],
      sections: report.reportSections,
      files: [ScenarioResult.File(name: "estimates.csv", content: report.csv)],
      text: "\(report.heading)\n\n\(report.finding.table.text)",
      isComplete: played.seasons == seasons)
  }

  /// The keys of the league by what `LeagueShape` calls their values.
  private static let keys = [
    "teams": "teams", "weeks": "weeks", "mean score": "mean", "score deviation": "deviation",
    "strength deviation": "strength", "tie rate": "ties",
  ]

  /// The league; a value that no league has is refused in its own place.
  private static func shape(_ map: ScenarioMapping) throws(ReportingError) -> LeagueShape {
    let counts = (try map["teams"]?.integer(in: 0...Int.max), try map["weeks"]?.integer(in: 0...Int.max))
    let scores = (try map["mean"]?.number(), try map["deviation"]?.number(), try map["strength"]?.number())
    let ties = try map["ties"]?.number()
    do {
      let usual = try LeagueShape()
      return try LeagueShape(
        teams: counts.0 ?? usual.teams, weeks: counts.1 ?? usual.weeks, meanScore: scores.0 ?? usual.meanScore,
        scoreDeviation: scores.1 ?? usual.scoreDeviation, strengthDeviation: scores.2 ?? usual.strengthDeviation,
        tieRate: ties ?? usual.tieRate)
    } catch {
      switch error {
      case .badShape(let field, _, let expected):
        throw try map.required(keys[field] ?? field, expected: expected).bad(expected: expected)
      }
    }
  }
}
