// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Reporting
internal import Scenarios

/// Compares charts, and computes the worth of each rule, by the exact analyser alone.
struct CompareExperiment: Experiment {
  static let kind = "blackjack.compare"
  static let summary = "Compares charts cell by cell, and computes the worth of each rule, by exact analysis."
  static let discussion = """
    Example: assay blackjack compare --rules 6d-s17-das
    Example: assay blackjack compare --rules 6d-s17-das --with 6d-h17-das-ls my-chart.csv --change ls

    The worth of a rule is the gain of a round when only this rule is changed; each game is played by the chart that \
    the exact analyser makes for it. The charts to compare with are those of other rules, or your own. For a cell in \
    which two charts differ, the cost is the loss of the action against the best one, once for each time that the \
    cell comes up and once for a round. The rest of the hand follows the chart, so a chart that splits tens splits \
    them again. The difference of whole charts also counts cells in which they differ only later in the hand.
    """

  var rules = NamedRules.default
  var others: [Other] = []
  /// The rules to change; if empty, every rule, unless charts are compared.
  var changes: [String] = []

  /// A chart to compare with that of the rules: the chart of other rules, or a user's chart.
  enum Other: Hashable, Sendable {
    case rules(NamedRules)
    case chart(ChartSource)

    var rules: NamedRules? { if case .rules(let named) = self { named } else { nil } }

    var label: String {
      switch self {
      case .rules(let named): named.label
      case .chart(let source): source.name
      }
    }
  }

  static let parameters: [Parameter<Self>] = [
    Parameter("rules", \.rules, .rules, NamedRules.meaning, example: "1d-h17-nodas-d10-ls-bj65"),
    Parameter(
      "with", \.others, ValueType<Other>.other.list(),
      "The charts to compare with the rules' chart: the charts of other rules, trainer, or .csv files.",
      example: "6d-h17-das", when: { !$0.others.isEmpty }),
    Parameter(
      "change", \.changes,
      ValueType<String>.choice(
        Rules.tokens.dropLast().joined() + ["no-rsa", "no-hsa", "no-ls", "no-es"], named: "rule"
      ).list(),
      "The rules to change, one at a time; by default every one, unless charts are compared.", example: "h17 ls",
      when: { !$0.changes.isEmpty }),
  ]

  func check() throws(ParameterError) {
    let labels = [rules.label] + others.map(\.label)
    if let twice = labels.first(where: { label in labels.count { $0 == label } > 1 }) {
      throw ParameterError("with", "rules", expected: "each rules or chart once: '\(twice)' appears twice")
    }
    for (key, named) in [("rules", rules)] + others.compactMap({ one in one.rules.map { ("with", $0) } })
    where !named.hasFreshShoe {
      throw ParameterError(key, expected: "rules without a cut card: the analyser computes a fresh shoe only")
    }
    let possible = rules.rules.variations.map(\.token)
    if let odd = changes.first(where: { !possible.contains($0) }) {
      throw ParameterError(
        "change", "rules",
        expected:
          "what changes \(rules.label) without contradicting it, not \(odd): \(possible.joined(separator: ", "))")
    }
  }

  private var variations: [(token: String, words: String, rules: Rules)] {
    rules.rules.variations.filter { changes.isEmpty ? others.isEmpty : changes.contains($0.token) }
  }

  private static let ev = MeasureRow<Double>.exact(
    "ev", "the mean win of a round, by the chart made for the rules or by the chart itself, computed", unit: "bets"
  ) { $0 }

  private static let compared: [MeasureRow<ChartDifference>] = [
    .count("cells.different", "cells in which the charts differ, fallbacks included", unit: "cells") {
      $0.cells.count
    },
    .exact(
      "cost", "the loss of a round by this chart against the rules' own chart",
      unit: "bets"
    ) { $0.here.totalCost },
  ]

  private static let worth = MeasureRow<Double>.exact(
    "rule.worth", "the gain of a round with this rule changed, by the chart made for it, computed", unit: "bets"
  ) { $0 }

  var measures: [Measure] {
    ([rules.label] + others.map(\.label)).map { Self.ev.measure(of: $0) }
      + others.flatMap { other in Self.compared.map { $0.measure(of: other.label) } }
      + variations.map { Self.worth.measure(of: $0.token) }
  }

  func run(on context: RunContext) throws -> ScenarioResult {
    let base = ExactAnalysis(rules: rules.rules).chart
    var finding = CompareFinding(named: rules, ev: try base.computedValue())
    for other in others where !context.interrupt.isRaised {
      finding.differences.append(try ChartDifference(other, from: base, of: rules))
    }
    let variations = variations
    let values = try context.results(of: variations.map(\.rules), "rules") {
      try ExactAnalysis(rules: $0).chart.computedValue()
    }
    finding.worths = zip(variations, values).map { ($0.token, $0.words, $0.rules, $1) }
    return ScenarioResult(
      measurements: [Self.ev].measurements(of: rules.label, in: finding.ev)
        + finding.differences.compactMap { Self.ev.measurement(of: $0.other.label, in: $0.ev) }
        + finding.differences.flatMap { Self.compared.measurements(of: $0.other.label, in: $0) }
        + finding.worths.compactMap { Self.worth.measurement(of: $0.token, in: $0.ev - finding.ev) },
      data: ["cells": .array(finding.cellRecords)], document: finding.document,
      isComplete: finding.differences.count == others.count && finding.worths.count == variations.count)
  }
}

extension ChartResult {
  /// The computed expected payoff of a round played by the chart, in bets.
  func computedValue() throws(BlackjackError) -> Double {
    try ExactAnalysis(rules: provenance.rules, following: chart).gameValue
  }
}

extension ValueType where Value == CompareExperiment.Other {
  fileprivate static var other: Self {
    let rules = ValueType<NamedRules>.rules
    let chart = ValueType<ChartSource>.chart(
      refusingComposition: "trainer or a file: play by composition is not a chart to compare with")
    var type = Self(
      "rules|chart", expected: "\(rules.expected), trainer, or a file ending in .csv",
      schema: ["type": .array(["string", "object"])],
      read: { field throws(ReportingError) in
        let text = field.isMapping ? ".csv" : try field.string(expected: rules.expected)
        let isRules = !text.hasSuffix(".csv") && (text.first?.isNumber == true || text.hasPrefix("inf"))
        return isRules ? .rules(try rules.read(field)) : .chart(try chart.read(field))
      },
      write: { other in
        switch other {
        case .rules(let named): rules.write(named)
        case .chart(let source): chart.write(source)
        }
      })
    type.complete = NamedRules.names
    return type
  }
}

private struct ChartDifference {
  let other: CompareExperiment.Other
  /// The other chart, checked under the rules compared with.
  let here: Verification
  /// The chart of those rules, checked under the other's; `nil` for a chart without its own rules.
  let there: Verification?
  /// The expected payoff of a round by the other chart, under its own rules if it has any.
  let ev: Double
  let cells: [Cell]

  /// A cell that differs: both decisions, the cost in bets of the other's action under the rules compared with, each
  /// time and per round, and the cost of the own action under the other's rules.
  typealias Cell = (
    key: ChartCellKey, own: StrategyChart.Cell, other: StrategyChart.Cell?, cost: Double, costPerRound: Double,
    costThere: Double?
  )

  init(_ other: CompareExperiment.Other, from base: ChartResult, of named: NamedRules) throws(BlackjackError) {
    self.other = other
    let chart: StrategyChart
    var ours: ExactAnalysis?
    switch other {
    case .rules(let its):
      let result = ExactAnalysis(rules: its.rules).chart
      (chart, there) = (result.chart, try Verification(of: base.chart, named: named.label, against: result))
      ours = try ExactAnalysis(rules: its.rules, following: base.chart)
    case .chart(let source):
      (chart, there) = (source.chart(for: named.rules), nil)
    }
    here = try Verification(of: chart, named: other.label, against: base)
    ev = there?.simulatedValue ?? here.testedValue
    let theirs = try ExactAnalysis(rules: named.rules, following: chart)
    cells = here.cells.compactMap { [there, ours] cell in
      guard chart[cell.key] != cell.simulated.decision else { return nil }
      let cost = Self.cost(of: cell, by: theirs)
      return (
        cell.key, cell.simulated.decision, chart[cell.key], cost,
        cost * theirs.chance(of: cell.key.row, against: cell.key.upcard),
        ours.flatMap { ours in there.map { Self.cost(of: $0.cells[cell.key.index], by: ours) } }
      )
    }
  }

  /// The loss of the chart under test in a cell, in bets, if later play follows that chart, too.
  private static func cost(of cell: Verification.Cell, by chart: ExactAnalysis) -> Double {
    guard let best = cell.exact.best, let tested = cell.tested, let value = chart.values(of: cell.key)[tested] else {
      return 0
    }
    return best.value - value
  }

  func record(of cell: Cell) -> JSONValue {
    func bets(_ value: Double?) -> JSONValue { value.map { .fixed($0, decimals: 12) } ?? .null }
    return [
      "chart": .string(other.label), "kind": .string(cell.key.row.kind.rawValue),
      "player": .string(cell.key.row.label), "dealer": .string(cell.key.upcard.description),
      "own": .string(cell.own.symbol), "other": .string(cell.other?.symbol ?? ""), "cost": bets(cell.cost),
      "costPerRound": bets(cell.costPerRound), "costUnderOther": bets(cell.costThere),
    ]
  }
}

private struct CompareFinding {
  let named: NamedRules
  let ev: Double
  var differences: [ChartDifference] = []
  var worths: [(token: String, words: String, rules: Rules, ev: Double)] = []

  var document: Document {
    var sections: [ReportSection] = []
    if !differences.isEmpty {
      sections.append(
        ReportSection(
          id: "charts", title: "Charts next to that of \(named.label)",
          blocks: differences.map { .part(title(of: $0), blocks(of: $0)) }))
    }
    if !worths.isEmpty {
      sections.append(
        ReportSection(id: "rules", title: "The worth of each rule next to \(named.label)", blocks: rules))
    }
    return Document(sections, data: differences.isEmpty ? nil : Table(records: cellRecords))
  }

  private func title(of difference: ChartDifference) -> String {
    if let its = difference.other.rules { return "\(its.label): \(its.rules.inShort)" }
    return "The \(difference.other.label) chart"
  }

  private func blocks(of difference: ChartDifference) -> [ReportBlock] {
    let (label, here) = (difference.other.label, difference.here)
    var lines = [
      "The charts differ in \(difference.cells.count) of \(ChartCellKey.all.count) cells.",
      "Under \(named.label) the EV of this chart is \(NumberFormat.edge(here.testedValue)), that of the rules' own "
        + "\(NumberFormat.edge(here.simulatedValue)): it costs \(NumberFormat.ofBet(here.totalCost)) of the bet.",
    ]
    if let there = difference.there {
      lines.append(
        "Under \(label) the EV is \(NumberFormat.edge(there.simulatedValue)), by the chart of \(named.label) "
          + "\(NumberFormat.edge(there.testedValue)): that costs \(NumberFormat.ofBet(there.totalCost)) of the bet.")
    }
    guard !difference.cells.isEmpty else { return [.list(lines)] }
    let isGame = difference.there != nil
    let cells = difference.cells.sorted { ($0.costPerRound, $1.key.index) > ($1.costPerRound, $0.key.index) }
    let table = Table(
      ["cell", named.label, label],
      numbers: ["cost under \(named.label)", "a round"] + (isGame ? ["cost under \(label)"] : []),
      rows: cells.map { cell in
        [cell.key.description, cell.own.meaning, cell.other?.meaning ?? "nothing", NumberFormat.bets(cell.cost)]
          + [NumberFormat.fixed(cell.costPerRound, decimals: 8)] + (isGame ? [NumberFormat.bets(cell.costThere)] : [])
      })
    let caption =
      "The cells that differ, with the cost in bets of the \(label) chart's action, each time and per round"
      + (isGame ? ", and of the \(named.label) chart's action under \(label)." : ".")
    let dearest = cells.prefix(Self.maxBars).map { cell in
      ("\(cell.key): \(cell.other?.symbol ?? "nothing") for \(cell.own.symbol)", cell.costPerRound * 1e6)
    }
    let name = String(label.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    return [
      .list(lines),
      .figure(
        Self.bars(
          id: "cost-\(name)", title: "The cost of the \(label) chart under \(named.label), cell by cell",
          axis: "cost a round, millionths of a bet", dearest)),
      .table(table, caption: caption),
    ]
  }

  private var rules: [ReportBlock] {
    let worths = worths.sorted { ($0.ev, $1.token) > ($1.ev, $0.token) }
    let table = Table(
      ["rule", "what changes"], numbers: ["worth, bets", "EV"], ["rules"],
      rows: worths.map { one in
        let worth = NumberFormat.signed(one.ev - ev, decimals: 6)
        return [one.token, one.words, worth, NumberFormat.edge(one.ev), one.rules.name]
      })
    let caption =
      "The gain in EV when one rule of \(named.rules.inWords) is changed, played by the chart made for "
      + "the changed rules. Without a change the EV is \(NumberFormat.edge(ev))."
    let bars = worths.prefix(Self.maxBars).map { ("\($0.token): \($0.words)", ($0.ev - ev) * 100) }
    return [
      .figure(Self.bars(id: "worth", title: "The worth of each rule", axis: "worth, % of a bet", bars)),
      .table(table, caption: caption),
    ]
  }

  private static let maxBars = 40

  private static func bars(id: String, title: String, axis: String, _ bars: [(name: String, value: Double)]) -> Figure {
    Figure(
      id: id, title: title, alternative: "\(bars.count) bars, as in the table below.",
      x: Figure.Axis("", scale: .names(bars.map(\.name))), y: Figure.Axis(axis),
      series: [
        Figure.Series("", style: .bars, points: bars.enumerated().map { Figure.Point(Double($0), $1.value) })
      ])
  }

  /// The differing cells of all charts, for programs.
  var cellRecords: [JSONValue] { differences.flatMap { one in one.cells.map { one.record(of: $0) } } }
}
