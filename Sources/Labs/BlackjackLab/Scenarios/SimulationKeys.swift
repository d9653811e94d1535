// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Randomness
internal import Reporting

extension Provenance.Simulation {
  /// What determines a chart made by simulation, from a scenario's keys.
  ///
  /// - Throws: `ReportingError` for values that no chart can be made with.
  init(certifyingFrom map: ScenarioMapping) throws(ReportingError) {
    let random = try RandomKeys(map)
    let estimator = try map["estimator"]?.choice(among: Estimator.allCases.map(\.rawValue))
    let confidence = try Self.confidence(map)
    if let field = map["confidence"], confidence <= 0.5 { throw field.bad(expected: "a probability above 0.5") }
    let indifference = try map["indifference"]?.number() ?? 0.0005
    if let field = map["indifference"], indifference <= 1e-5 || indifference > 1 {
      throw field.bad(expected: "a number of bets above 0.00001 and at most 1, for example 0.0005")
    }
    self.init(
      seed: random.seed, generator: random.generator, estimator: estimator ?? Estimator.conditional.rawValue,
      confidence: confidence, indifference: indifference)
  }

  /// What determines whole rounds, in which no two actions are compared, from a scenario's keys.
  ///
  /// - Throws: `ReportingError` for values that nothing can be played with.
  init(playingFrom map: ScenarioMapping) throws(ReportingError) {
    let random = try RandomKeys(map)
    self.init(
      seed: random.seed, generator: random.generator, estimator: Estimator.plain.rawValue,
      confidence: try Self.confidence(map), indifference: 0)
  }

  private static func confidence(_ map: ScenarioMapping) throws(ReportingError) -> Double {
    try map["confidence"]?.probability() ?? 0.999
  }

  /// The seed and the generator, as settings of a scenario.
  private var random: JSONMember {
    JSONMember("random", ["generator": .string(generator), "seed": .unsigned(seed)])
  }

  /// The settings of whole rounds.
  var playingSettings: [JSONMember] { [random, JSONMember("confidence", .number(confidence))] }

  /// The settings of a chart made by simulation.
  var certifyingSettings: [JSONMember] {
    playingSettings + [
      JSONMember("indifference", .number(indifference)), JSONMember("estimator", .string(estimator)),
    ]
  }
}

/// A generator and its seed.
private struct RandomKeys {
  let seed: UInt64
  let generator: String

  init(_ map: ScenarioMapping) throws(ReportingError) {
    let random = try map["random"]?.mapping(keys: ["generator", "seed"])
    seed = UInt64(try random?["seed"]?.integer(in: 0...Int.max) ?? 1)
    generator = try random?["generator"]?.choice(among: GSLGenerator.names) ?? "mt19937"
  }
}
