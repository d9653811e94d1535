// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting
internal import Scenarios

/// What a report shows of charts made by simulation.
struct ChartSections {
  private let findings: [ChartFindings]

  /// The sections of these charts.
  init(_ findings: [ChartFindings]) {
    self.findings = findings
  }

  /// All sections, in order; none where no chart was made.
  var all: [ReportSection] {
    guard !findings.isEmpty else { return [] }
    return [
      section("strategy", "Strategy card", Self.card),
      section("comparisons", "Beside other charts", Self.comparisons),
      section("margins", "Margins, from closest to clearest") {
        MarginBlocks(label: $0.named.label, trial: $0.trial).blocks
      },
      section("convergence", "How the estimate converged") {
        ConvergenceBlocks(label: $0.named.label, result: $0.result).blocks
      },
      section("agreement", "Simulated against exact") {
        AgreementBlocks(label: $0.named.label, trial: $0.trial).blocks
      },
    ].filter { !$0.blocks.isEmpty }
  }

  private func section(_ id: String, _ title: String, _ blocks: (ChartFindings) -> [ReportBlock]) -> ReportSection {
    ReportSection(id: id, title: title, blocks: SectionText.parts(findings, named: \.named, blocks: blocks))
  }

  private static func card(_ finding: ChartFindings) -> [ReportBlock] {
    let rules = finding.named.rules
    let grid = StrategyGrid(
      id: "card-\(finding.named.label)", caption: "Basic strategy for \(rules.inWords).", trial: finding.trial,
      chart: finding.result.chart, mark: { $0.simulated.verdict.sign },
      signs: [
        (Verdict.indifferent.sign, "as good as the second best"), (Verdict.undecided.sign, "not decided yet"),
      ])
    return [.grid(grid.grid)] + Evidence(result: finding.result).lines.map { .paragraph($0) }
  }

  private static func comparisons(_ finding: ChartFindings) -> [ReportBlock] {
    finding.comparisons.map { comparison in
      let decided = finding.trial.decided.count
      let name = comparison.source.name
      guard !comparison.mismatches.isEmpty else {
        return .paragraph("The \(name) chart does the same in all \(decided) decided cells, indifferent ones apart.")
      }
      return .table(
        ReportTable(
          caption: "\(comparison.mismatches.count) of \(decided) decided cells where the \(name) chart does something "
            + "else, margins in bets.", table(of: comparison)))
    }
  }

  private static func table(of comparison: ChartFindings.Comparison) -> Table {
    var table = Table(
      ["cell", "simulated", comparison.source.name].map { Table.Column($0) }
        + ["margin", "from", "to"].map { Table.Column($0, .right) } + [Table.Column("verdict")])
    for cell in comparison.mismatches {
      table.add(
        [
          cell.key.description, cell.decision.action.name, comparison.chart[cell.key]?.action.name ?? "",
        ] + [cell.margin, cell.marginLow, cell.marginHigh].map { SectionText.bets($0) } + [cell.verdict.rawValue])
    }
    return table
  }
}
