// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import MonteCarlo
internal import Randomness
internal import Reporting
internal import Scenarios

/// A scenario of the kind `live.simulate`, checked and ready to run.
struct SimulatePlan: ScenarioPlan {
  let trial: SimulationTrial

  /// When the sessions of a profile end.
  private enum End: String, CaseIterable {
    case decided, all
  }

  init(_ map: ScenarioMapping) throws(ReportingError) {
    let profiles = try ProfileReader.profiles(map["profiles"])
    let client = try Self.client(map)
    for (profile, field) in zip(profiles, map["profiles"]?.members ?? []) {
      do {
        try SimulationTrial.check(profile, client.settings)
      } catch {
        throw StormSettingsReader.refused(error, at: field)
      }
    }
    let sessions = try map["sessions"]?.integer(in: 2 * profiles.count...SimulationTrial.mostSessions) ?? 100_000
    let end = try map["end"]?.choice(among: End.allCases.map(\.rawValue)) ?? End.decided.rawValue
    let target = try map["target"]?.probability() ?? 0.95
    let confidence = try map["confidence"]?.probability() ?? 0.99
    let random = try map["random"]?.mapping(keys: ["generator", "seed"])
    let seed = UInt64(try random?["seed"]?.integer(in: 0...Int.max) ?? 1)
    let generator = try random?["generator"]?.choice(among: GSLGenerator.names) ?? SessionRandom.defaultName
    do {
      trial = try SimulationTrial(
        profiles: profiles, client: client, sessions: sessions, endsWhenDecided: end == End.decided.rawValue,
        target: target, confidence: confidence, seed: seed, generator: generator)
    } catch {
      throw try Self.refusal(error, in: map)
    }
  }

  private static func client(_ map: ScenarioMapping) throws(ReportingError) -> SimulatedClient {
    let subject = try map["subject"]?.choice(among: LiveSubjects.all.map(\.name))
    let policy = try map["policy"]?.choice(among: Backoff.names)
    let variant = LiveSubjects.all.first { $0.name == subject } ?? LiveSubjects.production
    do {
      return try SimulatedClient(variant, policy: policy)
    } catch {
      throw try refusal(error, in: map)
    }
  }

  /// The error of a value in its own place; in that of the profiles where the value is not written.
  private static func refusal(_ error: any Error, in map: ScenarioMapping) throws(ReportingError) -> ReportingError {
    guard case LiveLabError.badValue(let key, let found, let expected) = error else {
      return try map.required("random", expected: "\(error)").bad(expected: "\(error)")
    }
    let around = map[key] ?? map["profiles"]
    guard let field = around else {
      throw try map.required("profiles", expected: "\(key): \(expected); it is \(found)").bad(expected: expected)
    }
    return .badValue(file: field.file, line: field.line, field: field.path, found: found, expected: expected)
  }

  var settings: [JSONMember] {
    [
      JSONMember("profiles", .array(trial.profiles.map(\.settings))),
      JSONMember("subject", .string(trial.client.variant.name)),
      JSONMember("policy", .string(trial.client.policy ?? SimulatedClient.recommendedPolicy)),
      JSONMember("sessions", .integer(trial.sessions)),
      JSONMember("end", .string((trial.endsWhenDecided ? End.decided : End.all).rawValue)),
      JSONMember("target", .number(trial.target)),
      JSONMember("confidence", .number(trial.confidence)),
      JSONMember("random", ["generator": .string(trial.generator), "seed": .unsigned(trial.seed)]),
    ]
  }

  var measures: [Measure] { SimulateMeasure.all(of: trial).map(\.measure) }

  func run(on bench: ScenarioBench) throws -> ScenarioResult {
    let meter = bench.meter(trial.sessions, "sessions")
    defer { meter?.finish() }
    let result = try trial.run(
      workers: bench.workers, interrupt: bench.interrupt, progress: { meter?.advance(by: $0) })
    let report = SimulateReport(result)
    return ScenarioResult(
      measurements: SimulateMeasure.all(of: trial).compactMap { $0.found(in: result) },
      data: report.json, sections: result.findings.isEmpty ? [] : report.reportSections,
      files: [
        ScenarioResult.File(name: "success.csv", content: report.csv),
        ScenarioResult.File(name: "return-times.csv", content: report.timesCSV),
      ],
      text: report.text, isComplete: result.isComplete)
  }
}
