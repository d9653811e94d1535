// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import Foundation
internal import Reporting
internal import Scenarios

extension ResultsReport {
  /// Two runs next to each other.
  static func comparison(_ comparison: RunComparison) -> ResultsReport {
    let circumstances = comparison.circumstances.filter(\.differs)
    var blocks: [ReportBlock] = [lead(comparison), summary(comparison), basis(comparison)].filter { !$0.isEmpty }
      .map { .paragraph($0) }
    if !comparison.thresholds.isEmpty { blocks.append(.part("Thresholds", [.table(thresholds(comparison))])) }
    blocks += differences(comparison)
    for (which, only) in [("earlier", comparison.onlyBefore), ("later", comparison.onlyAfter)] where !only.isEmpty {
      let names = only.map(\.measure.fullName).joined(separator: ", ")
      blocks.append(.paragraph("Measured by the \(which) run only: \(names)."))
    }
    blocks.append(.part("Other differences", [.table(others(comparison, circumstances))]))
    return ResultsReport(
      "\(comparison.before.heading), and \(comparison.after.heading)", blocks + settings(comparison),
      rows: comparison.differences.map(json), json: json(comparison, circumstances))
  }

  /// The answer in one sentence; empty if there is none.
  private static func lead(_ comparison: RunComparison) -> String {
    let (before, after) = ("run \(comparison.before.id)", "run \(comparison.after.id)")
    var answers: [String] = []
    if let speed = comparison.speed {
      answers.append(
        "is \(times(speed)) times as fast as \(before) (\(comparison.after.secondsText) s, "
          + "\(comparison.before.secondsText) s; one timing of each)")
    }
    if let largest = comparison.largest {
      let (old, new) = (largest.before.estimate, largest.after.estimate)
      let isRatio = old > 0 && (new / old).isNormal
      answers.append(
        "differs \(answers.isEmpty ? "from \(before) " : "")most in \(largest.after.measure.fullName), which is "
          + (isRatio && new > 0 ? "\(times(new / old)) times as large: " : "")
          + "\(FigureText.estimate(of: largest.after, beside: largest)) instead of "
          + FigureText.estimate(of: largest.before, beside: largest)
          + (largest.after.measure.unit.isEmpty ? "" : " \(largest.after.measure.unit)"))
    }
    return answers.isEmpty
      ? "" : after.prefix(1).uppercased() + after.dropFirst() + " " + answers.joined(separator: ", and ") + "."
  }

  /// A ratio with three digits.
  private static func times(_ ratio: Double) -> String {
    NumberFormat.fixed(ratio, decimals: max(0, min(6, 2 - Int(log10(ratio).rounded(.down)))))
  }

  /// The numbers of measurements by result.
  private static func summary(_ comparison: RunComparison) -> String {
    func count(_ finding: MeasurementDifference.Finding) -> Int {
      comparison.differences.count { $0.finding == finding }
    }
    let changed = comparison.thresholds.count(where: \.differs)
    let evaluated =
      changed == 0 ? "No verdict changed" : "\(changed) of \(comparison.thresholds.count) verdicts changed"
    let total = comparison.differences.count
    let figures: String =
      switch comparison.relation {
      case .repeated where count(.notReproduced) == 0:
        "all \(total) measurements are the same, as they must be."
      case .repeated:
        "\(count(.notReproduced)) of \(total) measurements are NOT THE SAME, although they must be."
      case .independent, .unknown:
        "\(count(.differs)) of \(total) measurements differ; for the others no difference was found, which is no "
          + "proof that there is none."
      }
    return "\(evaluated); \(figures)"
  }

  /// The basis of the intervals.
  private static func basis(_ comparison: RunComparison) -> String {
    let joint = comparison.jointConfidence
    let asked = NumberFormat.shortest(comparison.confidence)
    let together =
      joint >= comparison.confidence
      ? "All intervals hold together with a probability of at least \(asked): each has its share of the error "
        + "(Bonferroni)."
      : "Some measurements have intervals of lower confidence, so that all hold together with a probability of "
        + "at least \(NumberFormat.shortest((joint * 1e6).rounded(.down) / 1e6)) only, not \(asked); each line has "
        + "its own."
    return switch comparison.relation {
    case .repeated:
      "Both ran one scenario with one seed, by one build, on one kind of machine: the same random numbers, so every "
        + "figure must be the same to the last bit."
    case .independent:
      "The runs drew random numbers from different seeds. " + together
    case .unknown:
      "The runs may have drawn the same random numbers, so the intervals allow for any dependence. " + together
    }
  }

  private static func thresholds(_ comparison: RunComparison) -> Table {
    Table(
      columns: ["threshold", "earlier", "later", "changed", "found earlier", "found later"],
      rows: comparison.thresholds.map { pair in
        [
          pair.text, pair.before?.verdict.rawValue ?? "not asked", pair.after?.verdict.rawValue ?? "not asked",
          pair.differs ? "CHANGED" : "", pair.before?.found ?? "", pair.after?.found ?? "",
        ]
      })
  }

  /// The most measurements without a difference in a short report.
  private static let maxAlike = 12

  /// The measurements by result, the most important first.
  private static func differences(_ comparison: RunComparison) -> [ReportBlock] {
    func part(_ title: String, _ isMeant: (MeasurementDifference.Finding) -> Bool) -> ReportBlock? {
      let meant = comparison.differences.filter { isMeant($0.finding) }
      return meant.isEmpty ? nil : .part(title, [.table(meant[0].isComparable ? table(meant) : incomparable(meant))])
    }
    let alike =
      part("No difference found") { $0 == .noDifferenceFound }
      ?? part("The same by construction") { $0 == .sameByConstruction }
    let count = comparison.differences.count { $0.finding == .noDifferenceFound || $0.finding == .sameByConstruction }
    return [
      part("NOT REPRODUCED") { $0 == .notReproduced },
      part("DIFFERS (later minus earlier)") { $0 == .differs },
      part("Not comparable") { if case .notComparable = $0 { true } else { false } },
      count > maxAlike
        ? alike.map { .details(summary: "\(NumberFormat.grouped(count)) measurements without a difference", [$0]) }
        : alike,
    ].compactMap(\.self)
  }

  private static func table(_ differences: [MeasurementDifference]) -> Table {
    Table(
      columns: ["measurement", "earlier", "later", "difference", "unit"], numbers: ["earlier", "later"],
      rows: differences.map { one in
        let text = FigureText(one.estimate, in: one.interval, isSigned: true)
        let confidence =
          one.confidence < 1 ? " at \(NumberFormat.shortest((one.confidence * 1e6).rounded(.down) / 1e6))" : ""
        return [
          one.before.measure.fullName, FigureText.estimate(of: one.before, beside: one),
          FigureText.estimate(of: one.after, beside: one),
          text.value + (text.range.isEmpty ? "" : " (\(text.range)\(confidence))"), one.after.measure.unit,
        ]
      })
  }

  private static func incomparable(_ differences: [MeasurementDifference]) -> Table {
    Table(
      columns: ["measurement", "earlier", "later", "unit", "why"], numbers: ["earlier", "later"],
      rows: differences.map { one in
        [
          one.before.measure.fullName, FigureText.estimate(of: one.before, beside: one),
          FigureText.estimate(of: one.after, beside: one), one.after.measure.unit, one.obstacle,
        ]
      })
  }

  private static func others(_ comparison: RunComparison, _ circumstances: [RunComparison.Circumstance]) -> Table {
    let seconds = ["seconds", comparison.before.secondsText, comparison.after.secondsText]
    return Table(
      columns: ["what", "earlier", "later"], rows: circumstances.map { [$0.name, $0.before, $0.after] } + [seconds])
  }

  /// The lines of the two scenarios that differ, each with the lines next to it.
  private static func settings(_ comparison: RunComparison) -> [ReportBlock] {
    guard let lines = comparison.settings else {
      return [.paragraph("The text of one of the scenarios was not kept, so the two cannot be compared.")]
    }
    let changed = lines.indices.filter { lines[$0].side != .both }
    guard !changed.isEmpty else { return [.paragraph("Both ran the same scenario.")] }
    var shown: [String] = []
    var last = -1
    for index in lines.indices where changed.contains(where: { abs($0 - index) <= 2 }) {
      if index != last + 1 { shown.append("…") }
      shown.append("\(lines[index].side.rawValue) \(lines[index].text)")
      last = index
    }
    if last != lines.count - 1 { shown.append("…") }
    return [.code(shown.joined(separator: "\n"), label: "Scenario (- earlier, + later)")]
  }

  private static func json(_ comparison: RunComparison, _ circumstances: [RunComparison.Circumstance]) -> JSONValue {
    [
      "earlier": comparison.before.json, "later": comparison.after.json, "confidence": .number(comparison.confidence),
      "jointConfidence": .number(comparison.jointConfidence), "relation": .string(comparison.relation.name),
      "differs": .bool(comparison.differs),
      "thresholds": .array(
        comparison.thresholds.map { pair in
          [
            "threshold": .string(pair.text), "measurement": .string(pair.measurement),
            "earlier": pair.before.map { .string($0.verdict.rawValue) } ?? .null,
            "later": pair.after.map { .string($0.verdict.rawValue) } ?? .null, "changed": .bool(pair.differs),
          ]
        }),
      "differences": .array(comparison.differences.map(json)),
      "onlyEarlier": .array(comparison.onlyBefore.map { .string($0.measure.fullName) }),
      "onlyLater": .array(comparison.onlyAfter.map { .string($0.measure.fullName) }),
      "circumstances": .array(
        circumstances.map { ["what": .string($0.name), "earlier": .string($0.before), "later": .string($0.after)] }),
      "settings": comparison.settings.map { lines in
        .array(lines.filter { $0.side != .both }.map { .string("\($0.side.rawValue) \($0.text)") })
      } ?? .null,
    ]
  }

  private static func json(_ difference: MeasurementDifference) -> JSONValue {
    [
      "measurement": .string(difference.before.measure.fullName), "earlier": .number(difference.before.estimate),
      "later": .number(difference.after.estimate), "difference": .number(difference.estimate),
      "low": .number(difference.interval.lowerBound), "high": .number(difference.interval.upperBound),
      "confidence": .number(difference.confidence), "unit": .string(difference.after.measure.unit),
      "finding": .string(difference.finding.name),
    ]
  }
}

extension MeasurementDifference {
  fileprivate var isComparable: Bool { if case .notComparable = finding { false } else { true } }
  /// The reason why the two cannot be compared; empty if they can.
  fileprivate var obstacle: String { if case .notComparable(let reason) = finding { reason } else { "" } }
}

extension MeasurementDifference.Finding {
  /// A stable name for programs.
  fileprivate var name: String {
    switch self {
    case .sameByConstruction: "same-by-construction"
    case .notReproduced: "not-reproduced"
    case .differs: "differs"
    case .noDifferenceFound: "no-difference-found"
    case .notComparable: "not-comparable"
    }
  }
}

extension MeasurementDifference.Relation {
  /// A stable name for programs.
  fileprivate var name: String {
    switch self {
    case .repeated: "repeated"
    case .independent: "independent"
    case .unknown: "unknown"
    }
  }
}
