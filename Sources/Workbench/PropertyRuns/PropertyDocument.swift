// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting
internal import Reporting
internal import Scenarios

/// The report of properties and mutants: failures in full, then a table of all, then details of the rest.
struct PropertyDocument {
  let found: PropertyFindings
  /// The origin of the cases, as one phrase.
  let origin: String

  var document: Document {
    Document([properties] + (found.mutants.map { [$0.section] } ?? []))
  }

  private var properties: ReportSection {
    let blocks: [ReportBlock] =
      [.paragraph(verdict), .paragraph("All cases were \(origin).")] + obstacle
      + unsettled.map { .part(title: $0.title, verdict: $0.verdict, $0.blocks) }
      + [overview] + (remarks.isEmpty ? [] : [.list(remarks)])
      + with(.holds).map { .details(summary: $0.title, $0.blocks) }
    return ReportSection(id: "properties", title: "Properties", blocks: blocks)
  }

  /// One line: the numbers of properties that hold, fail and are undecided.
  private var verdict: String {
    let (wanted, unbegun) = (found.wanted, found.wanted - found.results.count)
    let kind = wanted == 1 ? "1 property" : "\(wanted) properties"
    func clause(_ some: [PropertyResult], _ one: String, _ several: String) -> [String] {
      if wanted == 1 { return some.map { "\($0.id) \(one)" } }
      let ids = some.map(\.id).joined(separator: ", ")
      return some.isEmpty ? [] : ["\(some.count) of \(kind) \(some.count == 1 ? one : several): \(ids)"]
    }
    let fails = clause(with(.fails), "does not hold", "do not hold")
    let undecided = clause(with(.undecided), "is undecided", "are undecided")
    let stopped =
      clause(found.results.filter(\.wasCutShort), "was cut short", "were cut short")
      + (unbegun == 0 ? [] : ["\(unbegun) of \(kind) \(unbegun == 1 ? "was" : "were") not begun"])
    let cases = found.results.reduce(0) { $0 + $1.passed }
    let parts = fails + undecided + stopped
    // Random cases can refute a property but not prove it.
    if parts.isEmpty {
      return "HOLDS: \(kind); \(NumberFormat.counted(cases, "random case")) passed, which is no proof."
    }
    let head = !fails.isEmpty ? "FAILS" : !undecided.isEmpty ? "UNDECIDED" : "STOPPED"
    return "\(head): \((parts + ["\(NumberFormat.counted(cases, "case")) passed"]).joined(separator: "; "))."
  }

  /// The reason why the search was not guided.
  private var obstacle: [ReportBlock] {
    let unguided = found.results.compactMap { $0.report?.guidance }.filter { $0.obstacle != nil }
    guard let obstacle = unguided.first?.obstacle else { return [] }
    let tried = GuidanceFinding.trial(of: unguided.reduce(0) { $0 + $1.tried })
    return [.paragraph("The search was not guided: \(obstacle)\(tried).")]
  }

  private func with(_ verdict: Verdict) -> [PropertyResult] {
    found.results.filter { $0.verdict == verdict }
  }

  private var unsettled: [PropertyResult] { with(.fails) + with(.undecided) }

  /// Remarks on stored cases of the properties that hold, which text does not show in full.
  private var remarks: [String] { with(.holds).flatMap(\.remarks) }

  private var overview: ReportBlock {
    let shown = unsettled + with(.holds)
    let isClaimed = shown.contains { $0.report?.coverage.isEmpty == false }
    let isGuided = shown.contains { $0.report?.guidance?.obstacle == nil && $0.report?.guidance != nil }
    let table = Table(
      ["property", "what is claimed"],
      numbers: ["cases passed", "discarded"] + (isGuided ? ["edges", "new"] : []),
      (isClaimed ? ["coverage"] : []) + ["result"],
      rows: shown.map { one in
        [
          one.id, one.chosen.property.sentence, NumberFormat.grouped(one.passed),
          one.report.map { NumberFormat.percent(PropertyResult.discardedShare(of: [$0]), decimals: 1) } ?? "",
        ] + (isGuided ? Self.guidance(one.report?.guidance) : [])
          + (isClaimed ? [one.report.map(Self.coverage) ?? ""] : []) + [Self.word(one)]
      })
    return .table(table, caption: "Every property with its cases and the result")
  }

  private static func coverage(_ report: CheckReport) -> String {
    let claims = report.coverage
    return claims.isEmpty ? "" : "\(claims.count { $0.verdict == .holds }) of \(claims.count) hold"
  }

  private static func guidance(_ found: GuidanceFinding?) -> [String] {
    guard let found, found.obstacle == nil else { return ["", ""] }
    return [NumberFormat.grouped(found.edges), NumberFormat.grouped(found.new)]
  }

  private static func word(_ one: PropertyResult) -> String {
    one.wasCutShort ? "cut short" : one.verdict == .fails ? "FAILS" : one.verdict.rawValue
  }
}

extension PropertyResult {
  fileprivate var title: String { "\(id): \(chosen.property.sentence)" }

  /// The conclusion, the counterexample, coverage, labels and tables, health.
  fileprivate var blocks: [ReportBlock] {
    var blocks: [ReportBlock] = [.paragraph(summary.prefix(1).uppercased() + summary.dropFirst())]
    if !chosen.property.reference.isEmpty { blocks.append(.paragraph("Source: \(chosen.property.reference)")) }
    blocks += remarks.map { .paragraph($0.prefix(1).uppercased() + $0.dropFirst()) }
    guard let report else { return blocks }
    if let found = report.counterexample { blocks += self.blocks(of: found) }
    if let flake = report.flaky {
      blocks += [
        arguments(
          flake.arguments,
          caption: flake.redrawn == nil
            ? "A case that failed once but not when it was run again" : "The arguments as first drawn")
      ]
      if let redrawn = flake.redrawn {
        blocks.append(arguments(redrawn, caption: "The arguments drawn again from the same choices"))
      }
      blocks += [.paragraph("It failed with: \(Self.located(flake.first))"), .paragraph(flake.cause)]
    }
    if let replay { blocks.append(.code(replay, label: "The command that runs this case again")) }
    for other in report.others {
      blocks.append(.paragraph("It is also false in another way."))
      blocks += self.blocks(of: other) + [.code(self.replay(other), label: "The command that runs this case again")]
    }
    return blocks + coverage(report) + distributions(report) + health(report)
  }

  private func blocks(of found: Counterexample) -> [ReportBlock] {
    var blocks: [ReportBlock] = [
      arguments(
        found.arguments,
        caption: found.isShrunk
          ? "The simplest case for which it fails" : "A case for which it fails; not yet the simplest")
    ]
    // A command at the end of the message is shown separately: prose is wrapped and could not be pasted.
    let command = found.failure.message.firstRange(of: "; assay ").map { found.failure.message[$0.lowerBound...] } ?? ""
    let message = String(found.failure.message.dropLast(command.count))
    blocks.append(.paragraph("It fails with: \(Self.located(Failure(message, origin: found.failure.origin)))"))
    if !command.isEmpty { blocks.append(.code(String(command.dropFirst(2)), label: "The command that reproduces it")) }
    if !found.notes.isEmpty { blocks += [.paragraph("Notes:"), .list(found.notes)] }
    if !found.irrelevant.isEmpty { blocks += [.paragraph("Irrelevant parts:"), .list(found.irrelevant)] }
    // A stored case is neither searched for nor shrunk.
    if found.casesUntilFound == 0 { return blocks }
    let runs = NumberFormat.counted(found.evaluations, "run")
    blocks.append(
      .paragraph(
        "Found in case \(NumberFormat.grouped(found.casesUntilFound)). Shrinking it took \(runs); finding its "
          + "relevant parts took \(found.explainEvaluations)\(found.explainingEnd)."))
    return blocks
  }

  /// The place of a trap is in its message only.
  private static func located(_ failure: Failure) -> String {
    failure.message.hasPrefix(failure.origin) ? failure.message : "\(failure.message) (at \(failure.origin))"
  }

  private func arguments(_ values: [String], caption: String) -> ReportBlock {
    let names = chosen.property.argumentNames
    let rows = values.enumerated().map { [names.indices.contains($0) ? names[$0] : "\($0 + 1)", $1] }
    return .table(Table(["argument", "value"], rows: rows), caption: caption)
  }

  private func coverage(_ report: CheckReport) -> [ReportBlock] {
    guard let first = report.coverage.first else { return [] }
    let table = Table(
      ["cases"], numbers: ["claimed", "found"], ["result"],
      rows: report.coverage.map { claim in
        let after = claim.decidedAfter.map { " after \(NumberFormat.grouped($0)) cases" } ?? ""
        return [
          claim.name, "at least \(NumberFormat.percent(claim.atLeast, decimals: 1))",
          NumberFormat.percent(claim.share, decimals: 1), claim.verdict.rawValue + after,
        ]
      })
    let caption = "Coverage: claims about the cases, evaluated at \(NumberFormat.percent(first.confidence))"
    return [.table(table, caption: caption)]
  }

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

  /// The most frequent rows, and the sum of the others.
  private static func shares(
    _ rows: [CheckReport.Count], of total: Int, heading: String, caption: String
  ) -> ReportBlock {
    let rest = rows.dropFirst(20)
    let others = rest.isEmpty ? [] : [("\(rest.count) more", rest.reduce(0) { $0 + $1.count })]
    let table = Table(
      [heading], numbers: ["cases", "share"],
      rows: (rows.prefix(20).map { ($0.name, $0.count) } + others).map { name, count in
        [
          name, NumberFormat.grouped(count),
          NumberFormat.percent(total == 0 ? 0 : Double(count) / Double(total), decimals: 1),
        ]
      })
    return .table(table, caption: caption)
  }

  private func health(_ report: CheckReport) -> [ReportBlock] {
    var lines = report.discards.map { "\(NumberFormat.grouped($0.value)) cases discarded \($0.key.reason)" }.sorted()
    lines += lastingWarnings.map { "Warning: \($0)" }
    if let guidance = report.guidance { lines.append("\(guidance), seed \(report.settings.seed)") }
    return lines.isEmpty
      ? [.paragraph("Health: no case was discarded, and there are no warnings.")]
      : [.paragraph("Health:"), .list(lines)]
  }
}
