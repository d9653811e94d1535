// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting
internal import Reporting
internal import Scenarios

/// Properties and broken subjects as sections of a report: everything in a table, what does not hold first; then that
/// in full, and the rest behind lines that open it.
struct PropertySections {
  let report: PropertiesReport
  let faults: FaultReport?
  /// What the cases follow from, as one phrase.
  let origin: String

  /// The sections, in order.
  var all: [ReportSection] { [properties] + (faults.map { [broken($0)] } ?? []) }

  private var properties: ReportSection {
    ReportSection(
      id: "properties", title: "Properties",
      blocks: [.paragraph(report.verdict), .paragraph("All cases were \(origin)."), .table(overview)]
        + unsettled.map { one in
          .part(
            title: Self.title(one), judgement: one.status == .fails ? .fails : .undecided, PropertyBlocks(one).all)
        }
        + settled.map { one in
          .details(summary: Self.title(one), PropertyBlocks(one).all)
        })
  }

  private var settled: [PropertyResult] { report.results.filter { $0.status == .holds } }

  /// What does not hold, and behind it what could not be judged.
  private var unsettled: [PropertyResult] {
    report.results.filter { $0.status == .fails } + report.results.filter { $0.status == .broken }
  }

  private static func title(_ one: PropertyResult) -> String {
    "\(one.chosen.property.id): \(one.chosen.property.sentence)"
  }

  private var overview: ReportTable {
    var table = Table([
      Table.Column("property"), Table.Column("what is claimed"), Table.Column("cases passed", .right),
      Table.Column("discarded", .right), Table.Column("coverage"), Table.Column("result"),
    ])
    for one in unsettled + settled {
      table.add([
        one.chosen.property.id, one.chosen.property.sentence, NumberFormat.grouped(one.passed),
        one.report.map { Self.percent(PropertyMeasures.discardedShare(of: [$0])) } ?? "",
        one.report.map(Self.coverage) ?? "", Self.word(one),
      ])
    }
    return ReportTable(caption: "Every property with its cases and what came of them", table)
  }

  private static func coverage(_ report: CheckReport) -> String {
    let claims = report.coverage
    return claims.isEmpty ? "none claimed" : "\(claims.count { $0.verdict == .holds }) of \(claims.count) hold"
  }

  private static func word(_ one: PropertyResult) -> String {
    if one.wasCutShort { return "cut short" }
    return switch one.status {
    case .holds: "holds"
    case .fails: "FAILS"
    case .broken: "not judged"
    }
  }

  /// A share in percent, one digit behind the point; more where it would read as nothing or as all and is neither.
  static func percent(_ share: Double) -> String { NumberFormat.share(share * 100, decimals: 1, of: 100) + "%" }

  private func broken(_ faults: FaultReport) -> ReportSection {
    let caught = faults.findings.count - faults.missed.count
    let what =
      "A broken subject is the code on trial with one fault put in on purpose. The properties caught "
      + "\(caught) of \(faults.findings.count)"
      + (faults.missed.isEmpty ? "." : "; nothing notices \(faults.missed.joined(separator: ", ")).")
    var blocks: [ReportBlock] = [.paragraph(what)]
    blocks += faults.tables.map { .table(ReportTable(caption: $0.heading, $0.table)) }
    if !faults.examples.isEmpty {
      let caption = "What is not promised, with the smallest counterexample"
      blocks.append(
        .part(
          title: "Not promised", judgement: nil,
          [
            .paragraph("One might expect these statements to hold; they do not, and nothing says that they should."),
            .table(ReportTable(caption: caption, faults.exampleTable)),
          ]))
    }
    return ReportSection(id: "broken-subjects", title: "Broken subjects and what caught them", blocks: blocks)
  }
}
