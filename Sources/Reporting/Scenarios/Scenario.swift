// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
package import Reporting

/// A scenario file, read and checked: what runs, and what must come out.
///
/// Thresholds may be missing. Then the run explores: nothing is asked of it, so it holds, and `remarks` says so for
/// everybody who looks at the result. A key `thresholds` without any is refused instead, since a list that lost its
/// last line should not pass for one that holds.
package struct Scenario: Sendable {
  /// The keys that scenarios of every kind know.
  package static let commonKeys = ["name", "kind", "thresholds"]

  /// The file, as it was given.
  package let file: String
  /// What the file is called, without folder and ending: `quick`.
  package let slug: String
  /// What people call the scenario.
  package let name: String
  /// Its kind.
  package let kind: ScenarioKind
  /// What it runs.
  package let plan: any ScenarioPlan
  /// What must come out, as written.
  package let thresholds: [Threshold]
  /// For each threshold, the measures that it judges: several where it names no label.
  private let judged: [[Measure]]

  /// Reads a scenario strictly.
  ///
  /// - Throws: `ReportingError` with file, line, field, the value found and what was expected, the nearest known word
  ///   where one is near.
  package init(
    _ document: ScenarioDocument, kinds: [ScenarioKind], overrides: [String: ScenarioField] = [:]
  ) throws(ReportingError) {
    let root = document.root
    let kind = try Self.kind(of: root, among: kinds)
    try Self.refuseExpectations(in: root, of: kind)
    let map: ScenarioMapping
    if let experiment = kind.experiment {
      plan = try experiment.read(root, common: Self.commonKeys, overrides: overrides)
      map = try root.mapping(keys: Self.commonKeys + kind.keys.map { String($0.prefix { $0 != "." }) })
    } else {
      map = try root.mapping(keys: Self.commonKeys + kind.keys)
      plan = try kind.read(map)
    }
    name = try map.required("name", expected: "what to call the scenario").string()
    self.kind = kind
    file = root.file
    slug = URL(fileURLWithPath: root.file).deletingPathExtension().lastPathComponent
    if let field = map["thresholds"], field.members.isEmpty {
      throw field.bad(expected: "at least one threshold, or no such key")
    }
    (thresholds, judged) = try Self.read(map["thresholds"]?.members, of: plan, kind: kind)
  }

  /// A scenario that was typed as a command: it has no file, and is named after its kind.
  ///
  /// - Throws: `ReportingError` with the option, the value found and what was expected.
  package init<E: Experiment>(_ experiment: E, thresholds: [ScenarioField] = []) throws(ReportingError) {
    (kind, plan) = (ScenarioKind(E.self), experiment)
    (file, name, slug) = ("", E.kind, E.kind.replacing(".", with: "-"))
    (self.thresholds, judged) = try Self.read(thresholds.isEmpty ? nil : thresholds, of: plan, kind: kind)
  }

  /// The thresholds with the measures that each is about.
  private static func read(
    _ written: [ScenarioField]?, of plan: any ScenarioPlan, kind: ScenarioKind
  ) throws(ReportingError) -> ([Threshold], [[Measure]]) {
    let usual = (plan as? any Experiment)?.thresholds.map { ScenarioField(option: "--threshold", [$0]) } ?? []
    let measures = plan.measures
    var (thresholds, judged): ([Threshold], [[Measure]]) = ([], [])
    for field in written ?? usual {
      let threshold = try Threshold(field)
      judged.append(try threshold.named(among: measures, in: field))
      thresholds.append(threshold)
    }
    return (thresholds, judged)
  }

  /// What everybody who looks at a result should know of the scenario, in whole sentences: that it asks for nothing.
  package var remarks: [String] {
    thresholds.isEmpty ? ["The scenario has no thresholds: nothing was asked of the run, so it holds."] : []
  }

  /// The thresholds beside what was found, in the scenario's order, one for each label where they name none.
  package func judged(by measurements: [Measurement], against baseline: Baseline? = nil) -> [JudgedThreshold] {
    zip(thresholds, judged).flatMap { threshold, measures in
      measures.map { measure in
        measurements.first { $0.measure.fullName == measure.fullName }
          .map { threshold.judged(by: $0, sharing: measures.count, against: baseline) }
          ?? threshold.unmeasured(measure, sharing: measures.count)
      }
    }
  }

  /// The thresholds that need a baseline.
  package var relativeThresholds: [Threshold] { thresholds.filter(\.isRelative) }

  /// The measures that those evaluate.
  package var relativeMeasures: [Measure] {
    zip(thresholds, judged).filter { $0.0.isRelative }.flatMap { $0.1 }
  }

  private static func kind(of root: ScenarioField, among kinds: [ScenarioKind]) throws(ReportingError) -> ScenarioKind {
    let names = kinds.map(\.name)
    guard let field = try root.member("kind") else {
      throw .missingKey(
        file: root.file, line: root.line, field: "kind", expected: "one of \(names.joined(separator: ", "))")
    }
    let name = try field.choice(among: names)
    guard let kind = kinds.first(where: { $0.name == name }) else {
      throw field.bad(expected: "one of \(names.joined(separator: ", "))")
    }
    return kind
  }

  /// Scenarios of earlier versions say by `expectations` what thresholds say now.
  private static func refuseExpectations(in root: ScenarioField, of kind: ScenarioKind) throws(ReportingError) {
    guard !kind.keys.contains("expectations"), let field = try root.member("expectations") else { return }
    throw .badValue(
      file: field.file, line: field.line, field: field.path, found: "a key of earlier versions",
      expected: "'thresholds' in its place, for example 'thresholds: [chart.mismatches == 0]'")
  }
}

extension Scenario {
  /// The scenario as a YAML document with every default written out; reading it gives the same scenario, wherever the
  /// file lies.
  package var resolved: String {
    var members = [JSONMember("name", .string(name)), JSONMember("kind", .string(kind.name))]
    members += plan.settings
    if !thresholds.isEmpty { members.append(JSONMember("thresholds", .array(thresholds.map(Self.listed)))) }
    return JSONValue.object(members).yaml
  }

  /// Eight hexadecimal digits that tell scenarios apart: the fingerprint of `resolved`. It stays the same when a
  /// comment, the order of keys or a default that was written out changes, and when nothing else does.
  package var digest: String { Fingerprint.short(resolved) }

  private static func listed(_ threshold: Threshold) -> JSONValue {
    threshold.source.isEmpty
      ? .string(threshold.text) : ["threshold": .string(threshold.text), "source": .string(threshold.source)]
  }
}

/// A kind of scenario, as a lab brings it: a name, the keys it knows, and how a file becomes a plan.
package struct ScenarioKind: Sendable {
  /// What scenario files call it, for example `blackjack-chart`.
  package let name: String
  /// What it does, in a line.
  package let summary: String
  /// The keys it knows beside `name`, `kind` and `thresholds`.
  package let keys: [String]
  /// Reads the keys strictly.
  /// The experiment, where the kind is one.
  package let experiment: (any Experiment.Type)?
  package let read: @Sendable (ScenarioMapping) throws(ReportingError) -> any ScenarioPlan

  /// A kind of scenario.
  package init(
    _ name: String, summary: String, keys: [String],
    read: @escaping @Sendable (ScenarioMapping) throws(ReportingError) -> any ScenarioPlan
  ) {
    (self.name, self.summary, self.keys, self.read) = (name, summary, keys, read)
    experiment = nil
  }

  /// The kind that an experiment is.
  package init(_ type: (some Experiment).Type) {
    (name, summary, keys) = (type.kind, type.summary, type.parameters.map(\.key))
    experiment = type
    read = { map throws(ReportingError) in throw map.place.bad(expected: "an experiment") }
  }
}

/// What a scenario's file asks for, checked and ready to run.
package protocol ScenarioPlan: Sendable {
  /// Every key of the kind with the value it has, defaults included, in the order that people read them. Reading them
  /// again gives the same plan, so nothing in them depends on where a file lies.
  var settings: [JSONMember] { get }

  /// What the run will measure, known before it starts: what thresholds may name.
  var measures: [Measure] { get }

  /// Runs the plan.
  ///
  /// - Throws: what is wrong with the input that only running can find: errors are values with a description for
  ///   people.
  func run(on bench: ScenarioBench) throws -> ScenarioResult
}
