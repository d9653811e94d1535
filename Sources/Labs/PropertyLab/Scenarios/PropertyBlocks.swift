// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting
internal import Reporting
internal import Scenarios

/// Everything about one property, as blocks of a report.
struct PropertyBlocks {
  private let result: PropertyResult

  init(_ result: PropertyResult) {
    self.result = result
  }

  /// The conclusion, the counterexample, coverage, labels and tables, health.
  var all: [ReportBlock] {
    var blocks: [ReportBlock] = [.paragraph(result.summary.prefix(1).uppercased() + result.summary.dropFirst())]
    if !reference.isEmpty { blocks.append(.paragraph("Source: \(reference)")) }
    guard let report = result.report else { return blocks }
    if let found = report.counterexample { blocks += counterexample(found) }
    if let flake = report.flaky { blocks += self.flake(flake) }
    if let replay = result.replay { blocks.append(.code(replay, label: "The command that runs this case again")) }
    blocks += coverage(report) + distributions(report) + health(report)
    return blocks
  }

  private var reference: String { result.chosen.property.reference }

  // MARK: Counterexamples

  private func counterexample(_ found: Counterexample) -> [ReportBlock] {
    var blocks: [ReportBlock] = [
      arguments(found.arguments, caption: "The simplest case for which it fails"),
      .paragraph("It fails with: \(Self.told(found.failure))"),
    ]
    if !found.notes.isEmpty { blocks += [.paragraph("Noted about it:"), .list(found.notes)] }
    if !found.irrelevant.isEmpty { blocks += [.paragraph("What does not matter in it:"), .list(found.irrelevant)] }
    let runs = "\(found.evaluations) \(found.evaluations == 1 ? "run" : "runs")"
    blocks.append(
      .paragraph(
        "Found in case \(NumberFormat.grouped(found.casesUntilFound)); \(runs) to make it simple, "
          + "\(found.explainEvaluations) to find out what matters."))
    return blocks
  }

  private func flake(_ flake: FlakyCase) -> [ReportBlock] {
    [
      arguments(flake.arguments, caption: "A case that failed once and not when it was run again"),
      .paragraph("It failed with: \(Self.told(flake.first))"),
      .paragraph(
        "The code depends on more than its arguments: time, chance, order of hashing, or what ran before."),
    ]
  }

  /// What went wrong and where; a trap has no other place than what it says.
  private static func told(_ failure: Failure) -> String {
    failure.message.hasPrefix(failure.origin) ? failure.message : "\(failure.message) (at \(failure.origin))"
  }

  private func arguments(_ values: [String], caption: String) -> ReportBlock {
    var table = Table([Table.Column("argument"), Table.Column("value")])
    for (position, value) in values.enumerated() {
      let names = result.chosen.property.argumentNames
      table.add([names.indices.contains(position) ? names[position] : "\(position + 1)", value])
    }
    return .table(ReportTable(caption: caption, table))
  }

  // MARK: What the cases were like

  private func coverage(_ report: CheckReport) -> [ReportBlock] {
    if report.coverage.isEmpty { return [] }
    var table = Table([
      Table.Column("cases"), Table.Column("claimed", .right), Table.Column("found", .right), Table.Column("result"),
    ])
    for claim in report.coverage {
      let verdict = claim.verdict == .below ? "does not hold" : claim.verdict.rawValue
      let after = claim.decidedAfter.map { " after \(NumberFormat.grouped($0)) cases" } ?? ""
      table.add([
        claim.name, "at least \(PropertySections.percent(claim.atLeast))", PropertySections.percent(claim.share),
        verdict + after,
      ])
    }
    let confidence = report.coverage.first.map { NumberFormat.shortest($0.confidence * 100) } ?? ""
    return [.table(ReportTable(caption: "Coverage: claims about the cases, judged at \(confidence)%", table))]
  }

  /// The rows of a table that are shown.
  private static let mostRows = 20

  private func distributions(_ report: CheckReport) -> [ReportBlock] {
    var blocks: [ReportBlock] = []
    if !report.labels.isEmpty {
      blocks.append(Self.shares(report.labels, of: report.passed, heading: "label", caption: "Labels of the cases"))
    }
    for table in report.tables {
      blocks.append(Self.shares(table.rows, of: table.total, heading: table.name, caption: "Cases by \(table.name)"))
    }
    if !report.best.isEmpty {
      blocks.append(.list(report.best.map { "Highest \($0.label): \(NumberFormat.shortest($0.score))" }))
    }
    return blocks
  }

  private static func shares(
    _ rows: [CheckReport.Count], of total: Int, heading: String, caption: String
  ) -> ReportBlock {
    var table = Table([Table.Column(heading), Table.Column("cases", .right), Table.Column("share", .right)])
    func add(_ name: String, _ count: Int) {
      table.add([
        name, NumberFormat.grouped(count), PropertySections.percent(total == 0 ? 0 : Double(count) / Double(total)),
      ])
    }
    for row in rows.prefix(mostRows) { add(row.name, row.count) }
    let rest = rows.dropFirst(mostRows)
    if !rest.isEmpty { add("\(rest.count) more", rest.reduce(0) { $0 + $1.count }) }
    return .table(ReportTable(caption: caption, table))
  }

  private func health(_ report: CheckReport) -> [ReportBlock] {
    var lines = report.discards.map { "\(NumberFormat.grouped($0.value)) cases discarded \($0.key.reason)" }.sorted()
    lines += result.lastingWarnings.map { "Warning: \($0)" }
    return lines.isEmpty
      ? [.paragraph("Health: no case was discarded, and nothing is doubtful about the test.")]
      : [.paragraph("Health:"), .list(lines)]
  }
}
