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

  /// The conclusion, then what the report has.
  fileprivate var blocks: [ReportBlock] {
    let reference = chosen.property.reference
    let parts = report?.parts(repeatable: true, replay: replay) ?? []
    return ([summary] + (reference.isEmpty ? [] : ["source: \(reference)"]) + remarks).map(ReportBlock.sentence)
      + parts.flatMap(\.blocks)
  }
}

extension ReportBlock {
  /// A paragraph that begins with a capital letter.
  fileprivate static func sentence(_ text: String) -> ReportBlock {
    .paragraph(text.prefix(1).uppercased() + text.dropFirst())
  }
}

extension ReportPart {
  fileprivate var blocks: [ReportBlock] {
    switch self {
    case .line(let text): [.sentence(text)]
    case .list(let items, let title, _): [.paragraph("\(title):"), .list(items)]
    case .arguments(let arguments, let title):
      [.table(Table(["argument", "value"], rows: arguments.map { [$0.name, $0.value] }), caption: title)]
    case .failure(let failure):
      [.paragraph("It fails with: \(Self.located(failure))")]
        + (failure.command.map { [.code($0, label: "The command that reproduces it")] } ?? [])
    case .replay(let command): [.code(command, label: "The command that runs this case again")]
    case .coverage(let claims): [Self.coverage(claims)]
    case .shares(let title, let caption, let rows, let total):
      [
        .table(
          Table([title], numbers: ["cases", "share"], rows: rows.map { Self.share($0, of: total) }), caption: caption)
      ]
    }
  }

  /// The place of a trap is in its message only.
  private static func located(_ failure: Failure) -> String {
    failure.message.hasPrefix(failure.origin) ? failure.message : "\(failure.message) (at \(failure.origin))"
  }

  private static func share(_ row: CheckReport.Count, of total: Int) -> [String] {
    let share = total == 0 ? 0 : Double(row.count) / Double(total)
    return [row.name, NumberFormat.grouped(row.count), NumberFormat.percent(share, decimals: 1)]
  }

  private static func coverage(_ claims: [CoverageFinding]) -> ReportBlock {
    let table = Table(
      ["cases"], numbers: ["claimed", "found"], ["result"],
      rows: claims.map { claim in
        let after = claim.decidedAfter.map { " after \(NumberFormat.grouped($0)) cases" } ?? ""
        return [
          claim.name, "at least \(NumberFormat.percent(claim.atLeast, decimals: 1))",
          NumberFormat.percent(claim.share, decimals: 1), claim.verdict.rawValue + after,
        ]
      })
    let level = NumberFormat.percent(claims.first?.confidence ?? 0)
    return .table(table, caption: "Coverage: claims about the cases, evaluated at \(level)")
  }
}
