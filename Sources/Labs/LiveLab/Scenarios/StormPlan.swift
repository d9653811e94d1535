// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import MonteCarlo
internal import Randomness
internal import Reporting
internal import Scenarios

/// A scenario of the kind `live.storm`, checked and ready to run.
struct StormPlan: ScenarioPlan, Hashable {
  let comparison: StormComparison

  /// The kind: what `LiveScenarios.kinds` lists.
  static let kind = ScenarioKind(
    "live.storm",
    summary:
      "Restarts a server under up to a million clients, and counts who tries when, under each policy of backoff.",
    keys: [
      "clients", "outage", "capacity", "burst", "shed", "noticed", "failing", "cadence", "cadence-spread",
      "watched", "policies", "attempts", "random",
    ], read: StormPlan.init)

  init(_ map: ScenarioMapping) throws(ReportingError) {
    let reader = StormSettingsReader(map)
    let settings = try reader.settings()
    let fields = map["policies"]?.members ?? []
    if let field = map["policies"], fields.isEmpty { throw field.bad(expected: "at least one policy") }
    var names: [String] = []
    for field in fields {
      let name = try field.string(expected: "the name of a policy")
      do {
        _ = try StormComparison(settings, policies: names + [name])
      } catch {
        throw StormSettingsReader.refused(error, at: field)
      }
      names.append(name)
    }
    let attempts = try map["attempts"]?.integer(in: 1...1_000_000)
    do {
      comparison = try StormComparison(
        settings, policies: fields.isEmpty ? StormComparison.usualPolicies : names, attempts: attempts)
    } catch {
      throw StormSettingsReader.refused(error, at: try map.required("policies", expected: error.description))
    }
  }

  var settings: [JSONMember] {
    let storm = comparison.settings
    let text = { (interval: Interval) in JSONValue.string(StormSettings.text(interval)) }
    return [
      JSONMember("clients", .integer(storm.clients)), JSONMember("outage", text(storm.outage)),
      JSONMember("capacity", .string(storm.capacityText)), JSONMember("burst", text(storm.burst)),
      JSONMember("shed", shed), JSONMember("noticed", text(storm.detectionWindow)),
      JSONMember("failing", text(storm.attemptTimeout)),
      JSONMember("cadence", storm.suspendedCadence.map { text($0.interval) } ?? "none"),
    ] + (storm.suspendedCadence.map { [JSONMember("cadence-spread", .number($0.spread))] } ?? []) + [
      JSONMember("watched", text(storm.horizon)),
      JSONMember("policies", .array(comparison.policies.map { .string($0.name) })),
    ] + (comparison.attempts.map { [JSONMember("attempts", .integer($0))] } ?? []) + [
      JSONMember("random", ["generator": .string(storm.generator), "seed": .unsigned(storm.seed)])
    ]
  }

  private var shed: JSONValue {
    switch comparison.settings.shedding {
    case .refused: "refused"
    case .unavailable(let wish?): ["retry-after": .string(StormSettings.text(wish))]
    case .unavailable(nil): "unavailable"
    }
  }

  var measures: [Measure] {
    comparison.policies.flatMap { policy in StormMeasure.all.map { $0.measure(of: policy.name) } }
  }

  func run(on bench: ScenarioBench) throws -> ScenarioResult {
    let meter = bench.meter(comparison.settings.clients * comparison.policies.count, "clients")
    defer { meter?.finish() }
    let findings = try comparison.run(
      workers: bench.workers, interrupt: bench.interrupt, progress: { meter?.advance(by: $0) })
    let report = StormReport(findings)
    return ScenarioResult(
      measurements: findings.findings.flatMap { finding in
        StormMeasure.all.map { $0.found(in: finding) }
      },
      data: report.data, sections: findings.findings.isEmpty ? [] : report.reportSections,
      files: [ScenarioResult.File(name: "storm.csv", content: report.bins.csv)],
      text: report.text, isComplete: findings.isComplete)
  }
}
