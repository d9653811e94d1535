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
  /// - Parameters:
  ///   - document: the file's document.
  ///   - kinds: the kinds that there are.
  /// - Throws: `ReportingError` with file, line, field, the value found and what was expected, the nearest known word
  ///   where one is near.
  package init(_ document: ScenarioDocument, kinds: [ScenarioKind]) throws(ReportingError) {
    let root = document.root
    let kind = try Self.kind(of: root, among: kinds)
    try Self.refuseExpectations(in: root, of: kind)
    let map = try root.mapping(keys: Self.commonKeys + kind.keys)
    name = try map.required("name", expected: "what to call the scenario").string()
    plan = try kind.read(map)
    self.kind = kind
    file = root.file
    slug = URL(fileURLWithPath: root.file).deletingPathExtension().lastPathComponent
    let measures = plan.measures
    var (thresholds, judged): ([Threshold], [[Measure]]) = ([], [])
    if let field = map["thresholds"] {
      guard !field.members.isEmpty else { throw field.bad(expected: "at least one threshold, or no such key") }
      for member in field.members {
        let threshold = try Threshold(member)
        judged.append(try threshold.named(among: measures, in: member))
        thresholds.append(threshold)
      }
    }
    (self.thresholds, self.judged) = (thresholds, judged)
  }

  /// What everybody who looks at a result should know of the scenario, in whole sentences: that it asks for nothing.
  package var remarks: [String] {
    thresholds.isEmpty ? ["The scenario has no thresholds: nothing was asked of the run, so it holds."] : []
  }

  /// The thresholds beside what was found, in the scenario's order, one for each label where they name none.
  ///
  /// - Parameter measurements: those of the plan's measures that there are; one that an interruption prevented leaves
  ///   its thresholds undecided.
  /// - Returns: the judged thresholds.
  package func judged(by measurements: [Measurement]) -> [JudgedThreshold] {
    zip(thresholds, judged).flatMap { threshold, measures in
      measures.map { measure in
        measurements.first { $0.measure.fullName == measure.fullName }
          .map { threshold.judged(by: $0, sharing: measures.count) }
          ?? threshold.unmeasured(measure, sharing: measures.count)
      }
    }
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
