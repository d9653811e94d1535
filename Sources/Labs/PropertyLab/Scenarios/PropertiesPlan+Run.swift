// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import PropertyTesting
internal import Reporting
internal import Scenarios

extension PropertiesPlan {
  func run(on bench: ScenarioBench) throws -> ScenarioResult {
    let results = try tested(on: bench)
    let trial = bench.interrupt.isRaised ? nil : try tried(on: bench)
    let isComplete = !bench.interrupt.isRaised
    let faults = isComplete ? trial : nil
    let report = PropertiesReport(results: results, settings: check, subject: subject, wanted: chosen.count)
    return ScenarioResult(
      measurements: measuring.found(in: results, faults), data: data(results, faults),
      sections: PropertySections(report: report, faults: faults, origin: origin).all,
      text: text(report, faults), cases: results.map { $0.testCase(origin: [origin]) }, isComplete: isComplete)
  }

  /// Tests one property after the other.
  private func tested(on bench: ScenarioBench) throws -> [PropertyResult] {
    var settings = check
    settings.jobs = bench.workers
    let meter = bench.meter(check.cases * chosen.count, "cases")
    defer { meter?.finish() }
    let session = PropertySession(
      bench: try PropertyBench(isolation: isolation, jobs: bench.workers, interrupt: bench.interrupt, meter: meter),
      settings: settings, store: store, retriesExamples: false, replayOptions: replayOptions)
    var results: [PropertyResult] = []
    for one in chosen where !bench.interrupt.isRaised { results.append(session.result(of: one)) }
    return results
  }

  /// Lets the properties meet the broken subjects.
  private func tried(on bench: ScenarioBench) throws -> FaultReport? {
    guard let faults else { return nil }
    let meter = bench.meter(faults.catalogues.reduce(0) { $0 + $1.mutants.count }, "broken subjects")
    defer { meter?.finish() }
    var settings = CheckSettings()
    (settings.cases, settings.seed, settings.generator) = (faults.cases, check.seed, check.generator)
    settings.search = check.search
    return try FaultReport(
      faults.catalogues, settings: settings, seeds: faults.seeds, jobs: bench.workers, interrupt: bench.interrupt,
      meter: meter)
  }

  private var replayOptions: [String] {
    guard isolation != nil else { return ["--no-isolate"] }
    return caseLimit == Self.usualCaseLimit ? [] : ["--case-limit", caseLimit]
  }

  /// What the cases follow from.
  private var origin: String {
    "drawn with \(check.generator), seed \(check.seed), search \(check.search.rawValue), "
      + "\(NumberFormat.grouped(check.cases)) cases wanted"
  }

  private func data(_ results: [PropertyResult], _ faults: FaultReport?) -> JSONValue {
    var members = [JSONMember("properties", .array(results.map(\.repeatableJSON)))]
    if let faults {
      members.append(JSONMember("faults", .array(faults.findings.map { Self.json($0.core, $0.finding) })))
      members.append(
        JSONMember("notPromised", .array(faults.examples.map { Self.json($0.property, $0.counterexample) })))
    }
    return .object(members)
  }

  private static func json(_ core: String, _ finding: FaultFinding) -> JSONValue {
    let example = finding.property.flatMap { property in
      finding.counterexample.map { json(property, $0) }
    }
    return [
      "subject": .string(finding.subject.name), "core": .string(core), "fault": .string(finding.subject.fault),
      "cases": finding.medianCases.map(JSONValue.integer) ?? .null, "seeds": .integer(finding.seeds),
      "caughtBy": example ?? .null,
    ]
  }

  /// A property with its counterexample; nothing where none was found.
  private static func json(_ property: Property, _ example: Counterexample?) -> JSONValue {
    [
      "property": .string(property.id),
      "arguments": example.map { .array(property.named($0.arguments).map(JSONValue.string)) } ?? .null,
      "message": example.map { .string($0.failure.message) } ?? .null,
    ]
  }

  /// What does not hold in full, and a line about everything.
  private func text(_ report: PropertiesReport, _ faults: FaultReport?) -> String {
    var lines = report.results.filter { $0.status != .holds }.map { $0.text + "\n" }
    lines.append(report.verdict + "\n")
    if let faults {
      let caught = faults.findings.count - faults.missed.count
      let missed = faults.missed.isEmpty ? "" : "; noticed by nothing: \(faults.missed.joined(separator: ", "))"
      lines.append("\(caught) of \(faults.findings.count) broken subjects caught\(missed).\n")
    }
    return lines.joined()
  }
}
