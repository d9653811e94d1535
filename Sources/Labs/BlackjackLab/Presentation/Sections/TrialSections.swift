// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting
internal import Scenarios

/// What a report shows of a chart on trial.
struct TrialSections {
  private let findings: [TrialFindings]

  /// The sections of these trials.
  init(_ findings: [TrialFindings]) {
    self.findings = findings
  }

  /// All sections, in order; none where nothing was tried.
  var all: [ReportSection] {
    guard !findings.isEmpty else { return [] }
    return [
      section("trial", "The chart on trial", Self.card),
      section("costs", "What its cells cost", Self.costs),
      section("margins", "Margins, from closest to clearest") {
        MarginBlocks(label: $0.named.label, trial: $0.trial).blocks
      },
      section("convergence", "How the estimate converged") {
        ConvergenceBlocks(label: $0.named.label, result: $0.trial.simulated).blocks
      },
      section("agreement", "Simulated against exact") {
        AgreementBlocks(label: $0.named.label, trial: $0.trial).blocks
      },
    ]
  }

  private func section(_ id: String, _ title: String, _ blocks: (TrialFindings) -> [ReportBlock]) -> ReportSection {
    ReportSection(id: id, title: title, blocks: SectionText.parts(findings, named: \.named, blocks: blocks))
  }

  private static let wrong = (sign: "!", meaning: "certainly wrong")
  private static let close = (sign: "~", meaning: "worse than the best by less than the indifference")

  private static func card(_ finding: TrialFindings) -> [ReportBlock] {
    let trial = finding.trial
    let grid = StrategyGrid(
      id: "card-\(finding.named.label)", caption: "The \(trial.chartName) chart for \(finding.named.rules.inWords).",
      trial: trial, chart: finding.chart,
      mark: { $0.cost > trial.indifference ? wrong.sign : $0.cost > 0 ? close.sign : "" }, signs: [wrong, close])
    return [.paragraph(VerificationReport(trial).verdict), .grid(grid.grid)]
  }

  private static func costs(_ finding: TrialFindings) -> [ReportBlock] {
    let trial = finding.trial
    let costly = trial.cells.filter { $0.cost > 0 }.sorted { ($0.cost, $1.key.index) > ($1.cost, $0.key.index) }
    let statements = ReportBlock.list(VerificationReport(trial).statements)
    guard !costly.isEmpty else {
      return [.paragraph("Every cell plays the best action by the exact values."), statements]
    }
    var table = Table(
      ["cell", "chart", "best"].map { Table.Column($0) } + [Table.Column("cost", .right), Table.Column("judged")])
    for cell in costly {
      table.add([
        cell.key.description, cell.tested?.name ?? "", cell.exact.best?.action.name ?? "", SectionText.bets(cell.cost),
        cell.cost > trial.indifference ? wrong.meaning : "within the indifference",
      ])
    }
    let caption =
      "The cells where the \(trial.chartName) chart does not play the best action, with what that costs in bets each "
      + "time the cell comes up, by the exact values."
    return [.table(ReportTable(caption: caption, table)), statements]
  }
}
