// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
package import Reporting

/// A scenario file, read and checked: the experiment and its thresholds.
///
/// Thresholds may be missing; then the run has no verdict. An empty list `thresholds` is refused, since a list that
/// lost its last line must not count as one that holds.
package struct Scenario: Sendable {
  /// The file, as it was given.
  package let file: String
  /// The name of the file, without folder and ending: `quick`.
  package let slug: String
  package let name: String
  /// The most characters of a name: it is a heading.
  private static let longestName = 200
  package let plan: any Experiment
  package let thresholds: [Threshold]
  /// The measures that each threshold evaluates: several if it names no label.
  private let evaluated: [[Measure]]

  /// Reads a scenario strictly.
  ///
  /// `more` are thresholds in addition to those of the file; `slug` is the name of the scenario if its file has
  /// another.
  ///
  /// - Throws: `ReportingError`, each problem with file, line, field, the value found and what was expected, the
  ///   nearest known word if one is near.
  package init(
    _ document: ScenarioDocument, kinds: [any Experiment.Type], overrides: [String: ScenarioField] = [:],
    thresholds more: [ScenarioField] = [], slug: String? = nil
  ) throws(ReportingError) {
    let root = document.root
    let kind = try Self.kind(of: root, among: kinds)
    var problems = ReportingErrors()
    let fields = try kind.fields(of: root, overrides: overrides, unknown: &problems)
    let read = problems.collect { () throws(ReportingError) -> any Experiment in try kind.init(fields, at: root) }
    let title = problems.collect { () throws(ReportingError) -> String in
      guard let title = fields["name"] else { throw root.missing("name", expected: "what to call the scenario") }
      let text = try title.string()
      guard text.count <= Self.longestName else {
        throw title.bad(expected: "a name of at most \(Self.longestName) characters")
      }
      return text
    }
    let written = fields["thresholds"]?.members
    if let field = fields["thresholds"], field.members.isEmpty {
      problems.add(field.bad(expected: "at least one threshold, or no such key"))
    }
    guard var plan = read, let title else {
      // Without an experiment the names of thresholds cannot be checked, but their grammar can.
      for field in written ?? [] { _ = problems.collect { () throws(ReportingError) in try Threshold(field) } }
      try problems.check()
      throw root.bad(expected: "a scenario")
    }
    let asked = problems.collect { () throws(ReportingError) -> ([Threshold], [[Measure]]) in
      try Self.read(more.isEmpty ? written : (written ?? []) + more, of: &plan)
    }
    try problems.check()
    (name, file, self.plan) = (title, root.file, plan)
    self.slug = slug ?? URL(fileURLWithPath: root.file).deletingPathExtension().lastPathComponent
    (thresholds, evaluated) = asked ?? ([], [])
  }

  /// A scenario that was typed as a command: it has no file, and is named after its kind.
  ///
  /// - Throws: `ReportingError` with the option, the value found and what was expected.
  package init<E: Experiment>(_ experiment: E, thresholds: [ScenarioField] = []) throws(ReportingError) {
    var plan: any Experiment = experiment
    (file, name, slug) = ("", E.kind, E.kind.replacing(".", with: "-"))
    (self.thresholds, evaluated) = try Self.read(thresholds.isEmpty ? nil : thresholds, of: &plan)
    self.plan = plan
  }

  /// The thresholds with their measures; the plan adds measures that they name, if it can.
  private static func read(
    _ written: [ScenarioField]?, of plan: inout any Experiment
  ) throws(ReportingError) -> ([Threshold], [[Measure]]) {
    let fields = written ?? plan.thresholds.map { ScenarioField(option: "--threshold", [$0]) }
    var problems = ReportingErrors()
    let read = fields.map { field in problems.collect { () throws(ReportingError) in try Threshold(field) } }
    var thresholds = read.compactMap(\.self)
    let known = Set(plan.measures.map(\.name))
    for threshold in thresholds where !known.contains(threshold.name) { plan.addMeasure(named: threshold.name) }
    let measures = plan.measures
    var evaluated: [[Measure]] = []
    for (index, field) in zip(fields, read).filter({ $1 != nil }).map(\.0).enumerated() {
      let named = problems.collect { () throws(ReportingError) in
        try thresholds[index].named(among: measures, in: field)
      }
      evaluated.append(named ?? [])
      thresholds[index] = thresholds[index].inUnit(named?.first?.unit ?? "")
    }
    try problems.check()
    plan.setStoppingThresholds(
      zip(thresholds, evaluated).filter { $0.0.confidence != nil }.flatMap { threshold, measures in
        measures.map { SampledThreshold(measure: $0, threshold: threshold, bonferroniDivisor: measures.count) }
      })
    return (thresholds, evaluated)
  }

  package var kind: String { type(of: plan).kind }

  /// Runs the scenario; its thresholds are drawn into the figures of their measures.
  package func run(on context: RunContext) throws -> ScenarioResult {
    var result = try context.run(plan)
    result.document = result.document.marked(by: thresholds)
    return result
  }

  /// True if the result depends on the machine's speed.
  package var isTimed: Bool { plan.isTimed }

  /// True if it draws one sample alone, which decides nothing.
  private var isSingleSample: Bool { plan.settings.contains { $0.key == "only" } }

  /// The evaluated thresholds in the scenario's order, one for each label where they name none; then the preconditions
  /// that do not hold.
  package func evaluated(by measurements: [Measurement], against baseline: Baseline? = nil) -> [EvaluatedThreshold] {
    let found = Dictionary(measurements.map { ($0.measure.fullName, $0) }) { first, _ in first }
    func evaluate(_ threshold: Threshold, _ measures: [Measure]) -> [EvaluatedThreshold] {
      measures.map { measure in
        found[measure.fullName]
          .map {
            threshold.evaluated(
              by: $0, bonferroniDivisor: measures.count, against: baseline, sampleSize: plan.sampleSize(of: measure))
          }
          ?? threshold.unmeasured(measure, bonferroniDivisor: measures.count, isSingleSample: isSingleSample)
      }
    }
    let conditions = type(of: plan).conditions.flatMap { condition in
      let measures = measurements.map(\.measure).filter { $0.name == condition.name }
      return evaluate(condition.inUnit(measures.first?.unit ?? ""), measures)
    }
    return zip(thresholds, evaluated).flatMap(evaluate) + conditions.filter { $0.verdict != .holds }
  }

  package var relativeThresholds: [Threshold] { thresholds.filter(\.isRelative) }

  package var relativeMeasures: [Measure] {
    zip(thresholds, evaluated).filter { $0.0.isRelative }.flatMap { $0.1 }
  }

  private static func kind(
    of root: ScenarioField, among kinds: [any Experiment.Type]
  ) throws(ReportingError) -> any Experiment.Type {
    let names = kinds.map { $0.kind }
    guard let field = try root.member("kind") else {
      throw root.missing("kind", expected: "one of \(names.joined(separator: ", "))")
    }
    let name = try field.choice(among: names)
    guard let kind = kinds.first(where: { $0.kind == name }) else {
      throw field.bad(expected: "one of \(names.joined(separator: ", "))")
    }
    return kind
  }
}

extension Scenario {
  /// The scenario as a YAML document with every default written out; reading it gives the same scenario, wherever the
  /// file lies.
  package var resolved: String {
    var members = [JSONMember("name", .string(name)), JSONMember("kind", .string(kind))]
    members += plan.settings
    if !thresholds.isEmpty { members.append(JSONMember("thresholds", .array(thresholds.map(Self.listed)))) }
    return JSONValue.object(members).yaml
  }

  /// Eight hexadecimal digits that distinguish scenarios: the fingerprint of `resolved`. Comments, the order of keys
  /// and defaults that are written out do not change it.
  package var digest: String { Fingerprint.short(resolved) }

  private static func listed(_ threshold: Threshold) -> JSONValue {
    threshold.source.isEmpty
      ? .string(threshold.text) : ["threshold": .string(threshold.text), "source": .string(threshold.source)]
  }
}
