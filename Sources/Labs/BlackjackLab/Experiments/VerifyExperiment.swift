// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Reporting
internal import Scenarios

struct VerifyExperiment: Simulated {
  static let kind = "blackjack.verify"
  static let summary = "Checks a chart cell by cell, by simulation and by exact analysis."
  static let discussion = """
    Example: assay blackjack verify --rules 6d-s17-das --chart my-chart.csv

    Fails when the chart certainly plays a cell wrong, or when the simulation and the exact analyser disagree.
    """
  static let defaultThresholds = ["cells.wrong == 0", "witnesses.disagree == 0", "exact.outside == 0"]

  var rules = [NamedRules.default]
  var chart = ChartSource.trainer
  var simulation = Provenance.SimulationSettings()

  static let parameters: [Parameter<Self>] =
    [
      Parameter(
        "rules", \.rules,
        .rules(
          refusingCutCards:
            "a chart is checked for a fresh shoe; 'blackjack chart --against' compares it with a cut card's"),
        NamedRules.meaning, example: "1d-h17-nodas-d10-ls-bj65"),
      Parameter(
        "chart", \.chart,
        .chart(
          refusingComposition: "trainer, exact or a file: play by composition is not a chart to check"),
        "The chart under test: trainer (\(ChartSource.trainerRules)), exact, or a CSV file with columns "
          + "kind,player,dealer,action and maybe fallback.",
        example: "my-chart.csv"),
    ] + Parameter.random + Parameter.certification

  private static let rows: [MeasureRow<VerifyFinding>] = [
    .count(
      "cells.wrong", "cells where the chart costs more than the indifference, by the exact values", unit: "cells",
      undecided: \.open
    ) { finding in finding.verification.decided.count { $0.cost > finding.verification.indifference } },
    // The cost of open cells is unknown.
    .exact("cost", "the loss of the chart against the simulated one, computed", unit: "bets a round") {
      $0.open == 0 ? $0.verification.totalCost : nil
    },
    .exact("ev.exact", "the EV of the chart, computed", unit: "bets a round") { $0.verification.testedValue },
    .exact("ev.composition", "the EV of play by composition, computed", unit: "bets a round") {
      $0.verification.compositionDependent.gameValue
    },
    .count(
      "witnesses.disagree", "cells where simulation and analyser name different actions", unit: "cells",
      undecided: \.open
    ) { finding in
      let decided = Set(finding.verification.decided.map(\.key))
      return finding.verification.disagreements.count { decided.contains($0.key) }
    },
    .exactOutside { $0.verification },
    .count(
      "chart.undecided", "cells that the simulation did not decide", unit: "cells",
      undecided: { $0.isInterrupted ? $0.open : 0 }, { $0.isInterrupted ? 0 : $0.open }),
    .count("rounds", "rounds played from a cell, each with every action under test", unit: "rounds") {
      $0.verification.simulated.samples
    },
  ]

  var measures: [Measure] { Self.rows.measures(of: rules.map(\.label)) }

  func run(on context: RunContext) throws -> ScenarioResult {
    var findings: [VerifyFinding] = []
    for named in rules where !context.interrupt.isRaised {
      let chart = chart.chart(for: named.rules)
      let simulated = try ChartMaker(rules: named.rules, simulation: simulation).make(on: context)
      findings.append(
        VerifyFinding(
          named: named, chart: chart,
          verification: try Verification(of: chart, named: self.chart.name, against: simulated),
          isInterrupted: context.interrupt.isRaised && !simulated.isDecided))
    }
    return ScenarioResult(
      measurements: findings.flatMap { Self.rows.measurements(of: $0.named.label, in: $0) },
      data: ["trials": .array(findings.map(\.json))], document: findings.document,
      isComplete: findings.count == rules.count && !findings.contains(where: \.isInterrupted))
  }
}

private struct VerifyFinding: RulesFinding {
  let named: NamedRules
  let chart: StrategyChart
  let verification: Verification
  let isInterrupted: Bool

  var open: Int { verification.simulated.count(of: .undecided) }

  private func mark(_ cell: Verification.Cell) -> CellMark? {
    cell.cost > verification.indifference ? .wrong : cell.cost > 0 ? .close : nil
  }

  // MARK: The report

  var card: [ReportBlock] {
    let grid = ReportGrid(
      id: "card-\(named.label)", caption: "The \(verification.chartName) chart for \(named.rules.inWords).",
      cells: verification.cells.map(\.simulated), exact: verification.cells,
      decisions: verification.cells.map { chart[$0.key] ?? $0.simulated.decision },
      marks: verification.cells.map(mark))
    return [.paragraph(verdict), .grid(grid)]
  }

  private var verdict: String {
    let wrong = verification.wrong
    if let worst = wrong.max(by: { $0.cost < $1.cost }) {
      let cost = NumberFormat.fixed(worst.cost, decimals: 5)
      return "FAILS: \(NumberFormat.counted(wrong.count, "cell")) certainly wrong, the worst \(worst.key): "
        + "\(worst.tested?.name ?? "nothing") costs \(cost) bets against \(worst.exact.best?.action.name ?? "nothing")."
    }
    return verification.methodsAgree
      ? "HOLDS: no cell is wrong, and simulation and analyser agree."
      : "FAILS: simulation and analyser disagree, so neither is reliable."
  }

  var costs: [ReportBlock] {
    let costly = verification.cells.filter { $0.cost > 0 }
      .sorted { ($0.cost, $1.key.index) > ($1.cost, $0.key.index) }
    guard !costly.isEmpty else {
      return [.paragraph("Every cell plays the best action by the exact values."), .list(statements)]
    }
    let table = Table(
      ["cell", "chart", "best"], numbers: ["cost"], ["verdict"],
      rows: costly.map { cell in
        [
          cell.key.description, cell.tested?.name ?? "", cell.exact.best?.action.name ?? "",
          NumberFormat.bets(cell.cost), mark(cell) == .wrong ? CellMark.wrong.rawValue : "within the indifference",
        ]
      })
    let caption =
      "The cells where the \(verification.chartName) chart does not play the best action, with the cost in bets "
      + "each time the cell comes up, by the exact values."
    return [.table(table, caption: caption), .list(statements)]
  }

  private var statements: [String] {
    let (cells, best) = (verification.cells, verification.compositionDependent.gameValue ?? 0)
    let same = cells.count { $0.simulatedCost == 0 }
    let equal = cells.count { $0.simulatedCost > 0 && $0.simulatedCost <= verification.indifference }
    let confidence = NumberFormat.percent(verification.confidence)
    var lines = verification.simulated.evidence
    lines.append(
      "Simulation and analyser name the same action in \(same) cells, actions of equal value in \(equal), "
        + "different ones in \(verification.disagreements.count).")
    lines.append(
      "Every exact value lies inside its simulated interval in \(cells.count - verification.surprises.count) of "
        + "\(cells.count) cells (expected: all of them, with \(confidence) confidence).")
    lines += verification.disagreements.map { cell in
      "\(cell.key): the simulation chooses \(cell.simulated.decision.action.name), the analyser "
        + "\(cell.exact.best?.action.name ?? "nothing"), by \(NumberFormat.bets(cell.simulatedCost)) bets."
    }
    lines.append(
      "The EV of the \(verification.chartName) chart is \(NumberFormat.edge(verification.testedValue)), "
        + "that of the simulated chart \(NumberFormat.edge(verification.simulatedValue)): the chart costs "
        + "\(NumberFormat.edge(verification.totalCost)).")
    lines.append(
      "The EV of play by composition is \(NumberFormat.edge(best)), which is "
        + "\(NumberFormat.edge(best - verification.simulatedValue)) more.")
    if let largest = verification.largestLaterPlayDifference {
      let mean = NumberFormat.fixed(verification.meanLaterPlayDifference, decimals: 7)
      lines.append(
        "Later play by composition changes the value of a cell's best action by \(mean) bets on "
          + "average, and most for \(largest.cell.key) \(largest.action.name), by "
          + "\(NumberFormat.signed(largest.difference, decimals: 7)).")
    }
    return lines
  }

  /// A row for each cell, with the rules if there are several.
  func cells(isNamed: Bool) -> [JSONValue] {
    verification.cells.map { cell in
      .object((isNamed ? [JSONMember("rules", .string(named.label))] : []) + cell.members)
    }
  }

  var json: JSONValue {
    [
      "rules": .string(named.label), "chart": .string(verification.chartName), "cells": .array(cells(isNamed: false)),
    ]
  }
}

extension [VerifyFinding] {
  fileprivate var document: Document {
    guard !isEmpty else { return Document([]) }
    return Document(
      [section("trial", "The chart under test", \.card), section("costs", "The cost of its cells", \.costs)]
        + evidence { ChartEvidence(label: $0.named.label, verification: $0.verification) },
      data: Table(records: flatMap { $0.cells(isNamed: count > 1) }))
  }
}

extension Verification.Cell {
  fileprivate var members: [JSONMember] {
    [
      JSONMember("kind", .string(key.row.kind.rawValue)),
      JSONMember("player", .string(key.row.label)),
      JSONMember("dealer", .string(key.upcard.description)),
      JSONMember("chart", tested.map { .string(String($0.letter)) } ?? .null),
      JSONMember("simulatedAction", .string(String(simulated.decision.action.letter))),
      JSONMember("exactAction", exact.best.map { .string(String($0.action.letter)) } ?? .null),
      JSONMember("margin", .fixed(simulated.margin, decimals: 8)),
      JSONMember("marginLow", .fixed(simulated.marginLow, decimals: 8)),
      JSONMember("marginHigh", .fixed(simulated.marginHigh, decimals: 8)),
      JSONMember("exactMargin", exactMargin.map { .fixed($0, decimals: 12) } ?? .null),
      JSONMember("cost", .fixed(cost, decimals: 12)),
      JSONMember("outside", .array(outside.map { .string($0.name) })),
      JSONMember("simulated", simulated.values.json(decimals: 8)),
      JSONMember("low", simulated.valuesLow.json(decimals: 8)),
      JSONMember("high", simulated.valuesHigh.json(decimals: 8)),
      JSONMember("exact", exact.json(decimals: 12)),
      JSONMember("exactByComposition", compositionDependent.json(decimals: 12)),
      JSONMember("verdict", .string(simulated.verdict.rawValue)),
    ]
  }
}
