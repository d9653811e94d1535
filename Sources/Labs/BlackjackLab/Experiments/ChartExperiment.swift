// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Reporting
internal import Scenarios

/// Makes charts from the rules, and compares them with other charts.
struct ChartExperiment: Simulated {
  static let kind = "blackjack.chart"
  static let summary = "Derives the basic strategy from the rules alone, and compares it with other charts."
  static let discussion = """
    Example: assay blackjack chart --rules 6d-s17-das --output chart.csv --output chart.svg
    """
  static let defaultThresholds = ["chart.undecided == 0"]

  var rules = [NamedRules.default]
  var method = Method.simulate
  var resplit = Resplit.best
  var simulation = Provenance.SimulationSettings()
  /// The charts to compare with; `nil` for the analyser's if charts are simulated.
  var against: [Comparison]?

  /// A chart to compare with, under some of the rules.
  struct Comparison: Hashable, Sendable {
    let source: ChartSource
    /// `nil` for all rules of the experiment.
    let rules: [NamedRules]?
  }

  static let parameters: [Parameter<Self>] =
    [
      Parameter(
        "rules", \.rules,
        .rules(refusingCutCards: "charts are for a fresh shoe; 'play' and 'count' deal to a cut card"),
        NamedRules.meaning, example: "1d-h17-nodas-d10-ls-bj65"),
      Parameter("method", \.method, .choice, "simulate, or exact for the analyser's chart.", example: "exact"),
      .resplit(\.resplit),
    ] + Parameter.random + Parameter.certification + [
      Parameter(
        "against", \.against, ValueType<[Comparison]>.comparisons.optional,
        "The charts to compare with: trainer, exact or a .csv file, each alone or with the rules that it is for.",
        example: "trainer")
    ]

  func check() throws(ParameterError) {
    if method == .simulate, resplit == .always {
      throw ParameterError("resplit", "method", expected: "method exact, since it is about computed values")
    }
    for named in comparisons(under: nil).compactMap(\.rules).joined() {
      guard rules.contains(where: { $0.rules == named.rules }) else {
        let labels = rules.map(\.label).joined(separator: ", ")
        throw ParameterError("against", "rules", expected: "rules among those of the charts: \(labels)")
      }
    }
  }

  /// The charts to compare with under some rules, or under any of them.
  private func comparisons(under named: NamedRules?) -> [Comparison] {
    (against ?? (method == .simulate ? [Comparison(source: .exact, rules: nil)] : []))
      .filter { one in named.map { named in one.rules?.contains { $0.rules == named.rules } ?? true } ?? true }
  }

  var measures: [Measure] { rules.flatMap { named in rows(under: named).map { $0.measure(of: named.label) } } }

  private func rows(under named: NamedRules) -> [MeasureRow<ChartFinding>] {
    let undecided = MeasureRow<ChartFinding>.count(
      "chart.undecided", "cells that are neither certified nor indifferent", unit: "cells",
      undecided: { $0.isInterrupted ? $0.open : 0 }, { $0.isInterrupted ? 0 : $0.open })
    var simulated: [MeasureRow<ChartFinding>] = [
      .count(
        "chart.certified", "cells whose action is certainly the best", unit: "cells", undecided: \.open
      ) { $0.result.count(of: .certified) },
      .count(
        "chart.indifferent", "cells whose two best actions certainly differ by less than the indifference",
        unit: "cells", undecided: \.open
      ) { $0.result.count(of: .indifferent) },
      undecided,
      .interval(
        "margin.min", "the margin of the best action in the closest cell", unit: "bets",
        confidence: simulation.confidence
      ) { $0.result.minMargin },
    ]
    simulated.append(
      .count(
        "rounds", "rounds played from a cell, each with every action under test", unit: "rounds"
      ) { $0.result.samples })
    return (method == .simulate ? simulated : [undecided]) + [Self.ev, Self.best] + compared(under: named)
  }

  private func compared(under named: NamedRules) -> [MeasureRow<ChartFinding>] {
    comparisons(under: named).enumerated().flatMap { index, comparison in
      let name = comparison.source.name
      let mismatches = MeasureRow<ChartFinding>.count(
        "\(name).mismatches",
        "decided cells where the \(name) chart differs, without indifferent cells", unit: "cells",
        undecided: \.open
      ) { $0.comparisons[index].mismatches.count }
      let isVerified = comparison.source == .exact && method == .simulate
      return [mismatches] + (isVerified ? [.exactOutside { $0.verification }] : [])
    }
  }

  private static let best = MeasureRow<ChartFinding>.exact(
    "ev.composition", "the mean win of a round played by composition instead of the total, computed", unit: "bets"
  ) { $0.result.gameValue ?? $0.verification?.compositionDependent.gameValue }

  private static let ev = MeasureRow<ChartFinding>.exact(
    "chart.ev", "the mean win of a round played by the chart, computed", unit: "bets"
  ) { $0.ev }

  func run(on context: RunContext) throws -> ScenarioResult {
    var findings: [ChartFinding] = []
    for named in rules where !context.interrupt.isRaised {
      let result =
        try method == .exact
        ? ExactAnalysis(rules: named.rules, resplit: resplit).chart
        : ChartMaker(rules: named.rules, simulation: simulation).make(on: context)
      findings.append(try finding(named, result, isInterrupted: context.interrupt.isRaised && !result.isDecided))
    }
    let measurements = findings.flatMap { finding in
      rows(under: finding.named).measurements(of: finding.named.label, in: finding)
    }
    let summary = Table(measurements, by: "rules", at: simulation.confidence)
    return ScenarioResult(
      measurements: measurements, data: ["charts": .array(findings.map(\.json))], document: findings.document(summary),
      files: findings.flatMap { $0.result.files(named: $0.named.label) },
      isComplete: findings.count == rules.count && !findings.contains(where: \.isInterrupted))
  }

  private func finding(
    _ named: NamedRules, _ made: ChartResult, isInterrupted: Bool
  ) throws -> ChartFinding {
    var result = made
    result.provenance.label = named.label
    let verification =
      method == .simulate
      ? try Verification(of: result.chart, named: "simulated", against: result) : nil
    let compared = comparisons(under: named).map { comparison in
      let chart =
        comparison.source == .exact
        ? verification?.compositionDependent.chart ?? result.chart : comparison.source.chart(for: named.rules)
      return ChartFinding.Comparison(
        name: comparison.source.name, chart: chart,
        mismatches: result.cells.filter { $0.verdict != .undecided && !$0.matches(chart) })
    }
    if !isInterrupted { result.chartValue = try verification?.simulatedValue ?? result.computedValue() }
    return ChartFinding(
      named: named, result: result, verification: verification, comparisons: compared,
      isInterrupted: isInterrupted)
  }
}

extension ValueType where Value == [ChartExperiment.Comparison] {
  fileprivate static var comparisons: Self {
    let chart = ValueType<ChartSource>.chart(
      refusingComposition: "trainer, exact or a file: play by composition is not a chart to compare with")
    return Self(
      "chart", expected: chart.expected, isList: true, schema: ["type": .array(["string", "object", "array"])],
      read: { field throws(ReportingError) in
        var all: [ChartExperiment.Comparison] = []
        for member in field.members {
          let next = try Self.comparison(member, chart)
          guard !all.contains(where: { $0.source.name == next.source.name }) else {
            throw member.bad(expected: "each chart once: '\(next.source.name)' was named before")
          }
          all.append(next)
        }
        return all
      },
      write: { all in
        .array(
          all.map { one in
            guard let rules = one.rules else { return chart.write(one.source) }
            return ["chart": chart.write(one.source), "rules": .array(rules.map { .string($0.label) })]
          })
      })
  }

  /// A chart's name or cells, or a mapping of a chart and the rules that it is for.
  private static func comparison(
    _ field: ScenarioField, _ chart: ValueType<ChartSource>
  ) throws(ReportingError) -> ChartExperiment.Comparison {
    guard field.isMapping, try field.member("cells") == nil else {
      return ChartExperiment.Comparison(source: try chart.read(field), rules: nil)
    }
    let map = try field.mapping(keys: ["chart", "rules"])
    let source = try map.required("chart", expected: "the chart to compare with: trainer, exact or a file")
    return ChartExperiment.Comparison(
      source: try chart.read(source),
      rules: try map["rules"].map { field throws(ReportingError) in try ValueType<[NamedRules]>.rules().read(field) })
  }
}

/// A chart made under some rules, compared with the analyser and other charts.
struct ChartFinding: RulesFinding {
  struct Comparison {
    let name: String
    let chart: StrategyChart
    /// The decided cells where the other chart differs.
    let mismatches: [ChartCell]
  }

  let named: NamedRules
  let result: ChartResult
  /// The comparison of the simulated chart with exact values; `nil` for an exact chart.
  let verification: Verification?
  let comparisons: [Comparison]
  let isInterrupted: Bool

  var open: Int { result.count(of: .undecided) }
  var ev: Double? { result.chartValue }

  var json: JSONValue {
    [
      "rules": .string(named.label),
      "chart": result.json,
      "comparisons": .array(
        comparisons.map { comparison in
          [
            "chart": .string(comparison.name),
            "mismatches": .array(comparison.mismatches.map { .string($0.key.description) }),
          ]
        }),
    ]
  }

  fileprivate var evidence: ChartEvidence? {
    verification.map { ChartEvidence(label: named.label, verification: $0) }
  }

  fileprivate var card: [ReportBlock] {
    let grid = ReportGrid(
      id: "card-\(named.label)", caption: "Basic strategy for \(named.rules.inWords).", of: result,
      exact: verification?.cells)
    let closest = result.closest.prefix(3).map(\.sentence).joined(separator: "; ")
    let end =
      isInterrupted ? "Interrupted when \(result.cells.count - open) of \(result.cells.count) cells were decided." : nil
    let sentences = [end].compactMap(\.self) + result.evidence
    return [.grid(grid), .paragraph("Closest: \(closest)."), .paragraph(sentences.joined(separator: " "))]
  }

  fileprivate func block(of comparison: Comparison) -> ReportBlock {
    let decided = result.cells.count - open
    guard !comparison.mismatches.isEmpty else {
      return .paragraph(
        "The \(comparison.name) chart agrees in all \(decided) decided cells, without indifferent ones.")
    }
    let isExact = verification == nil
    let table = Table(
      ["cell", isExact ? "exact" : "simulated", comparison.name],
      numbers: ["cost, bets"] + (isExact ? [] : ["from", "to"]), ["verdict"],
      rows: comparison.mismatches.map { cell in
        let other = cell.playable(of: comparison.chart)
        return [cell.key.description, cell.decision.action.name, other?.name ?? ""]
          + cell.costs(of: other).prefix(isExact ? 1 : 3).map { NumberFormat.bets($0) } + [cell.verdict.rawValue]
      })
    return .table(
      table,
      caption: "\(comparison.mismatches.count) of \(decided) decided cells where the \(comparison.name) chart "
        + "differs, with its loss against the best action each time the cell comes up.")
  }
}

extension [ChartFinding] {
  /// The report of charts; as CSV it has the cells if there is one chart.
  fileprivate func document(_ summary: Table) -> Document {
    guard let first else { return Document([]) }
    let head: [ReportBlock] = count > 1 ? [.table(summary)] : []
    var sections = [section("strategy", "Strategy card", after: head, \.card)]
    if contains(where: { !$0.comparisons.isEmpty }) {
      sections.append(
        section("comparisons", "Compared with other charts") { finding in finding.comparisons.map(finding.block) })
    }
    if contains(where: { $0.evidence != nil }) {
      sections += evidence { $0.evidence }
    }
    return Document(sections, data: count > 1 ? nil : first.result.table)
  }
}

extension MeasureRow {
  /// The number of exact values that contradict the simulation.
  static func exactOutside(_ verification: @escaping @Sendable (Finding) -> Verification?) -> Self {
    .count(
      "exact.outside", "exact values of actions outside their simulated intervals", unit: "values",
      undecided: { finding in
        let open = verification(finding)?.cells.filter { $0.simulated.verdict == .undecided } ?? []
        return open.reduce(0) { $0 + $1.exact.ranked.count }
      },
      { finding in (verification(finding)?.decided ?? []).reduce(0) { $0 + $1.outside.count } })
  }
}

extension ChartCell {
  /// The first of a chart's answers that the rules allow in this cell.
  fileprivate func playable(of chart: StrategyChart) -> Action? { Verification.playable(chart, at: key, among: values) }

  /// The losses of an action against the cell's own, in bets, with bounds that hold together with all the chart's.
  fileprivate func costs(of action: Action?) -> [Double?] {
    let best = decision.action
    func cost(_ first: ActionValues, _ second: ActionValues) -> Double? {
      action.flatMap { action in second[action].flatMap { other in first[best].map { $0 - other } } }
    }
    return [cost(values, values), cost(valuesLow, valuesHigh), cost(valuesHigh, valuesLow)]
  }

  /// Returns true if a chart agrees with a decided cell, or has an action that the cell found as good.
  fileprivate func matches(_ chart: StrategyChart) -> Bool {
    let other = chart[key]?.action
    return decision.action == other || (verdict == .indifferent && runnerUp == other)
  }
}

extension ChartResult {
  /// The number of rounds played from a cell, over all cells.
  var samples: Int { cells.reduce(0) { $0 + $1.samples } }

  /// The margin of the closest cell, with bounds over all cells; `nil` if a cell has no samples.
  ///
  /// The cells' bounds hold together, so the least of them are bounds of the least margin, whichever cell has it.
  fileprivate var minMargin: Measurement.Value? {
    let cells = cells.filter { $0.runnerUp != nil }
    guard cells.count == self.cells.count, let simulation = provenance.simulation,
      let closest = cells.min(by: { $0.margin < $1.margin })
    else { return nil }
    return .interval(
      closest.margin, low: cells.map(\.marginLow).reduce(closest.marginLow, min),
      high: cells.map(\.marginHigh).reduce(closest.marginHigh, min), confidence: simulation.confidence,
      samples: closest.samples)
  }

  /// The chart with its provenance; cells have the columns of the CSV and the bounds of every value.
  fileprivate var json: JSONValue {
    [
      "kind": "blackjack-chart",
      "provenance": provenance.json,
      "cells": .array(cells.map(\.json)),
    ]
  }
}

extension ChartCell {
  /// The columns of the cell's row in a table; values in bets, null for forbidden actions.
  var fields: [JSONMember] {
    func number(_ value: Double?) -> JSONValue { value.map { .fixed($0, decimals: decimals) } ?? .null }
    func margin(_ value: Double) -> JSONValue { runnerUp == nil ? .null : number(value) }
    let head: [JSONMember] = [
      JSONMember("kind", .string(key.row.kind.rawValue)), JSONMember("player", .string(key.row.label)),
      JSONMember("dealer", .string(key.upcard.description)),
      JSONMember("action", isUnplayed ? .null : .string(String(decision.action.letter))),
      JSONMember("fallback", isUnplayed ? .null : decision.fallback.map { .string(String($0.letter)) } ?? .null),
    ]
    let tail: [JSONMember] = [
      JSONMember("margin", margin(self.margin)), JSONMember("margin_low", margin(marginLow)),
      JSONMember("margin_high", margin(marginHigh)), JSONMember("samples", .integer(samples)),
      JSONMember("verdict", .string(verdict.rawValue)),
    ]
    return head + Action.allCases.map { JSONMember($0.name, number(values[$0])) } + tail
  }

  fileprivate var json: JSONValue {
    func bounds(_ values: ActionValues) -> JSONValue { values.json(decimals: decimals) }
    return .object(
      fields
        + (verdict == .exact
          ? [] : [JSONMember("low", bounds(valuesLow)), JSONMember("high", bounds(valuesHigh))]))
  }
}

extension ActionValues {
  func json(decimals: Int) -> JSONValue {
    .object(
      Action.allCases.compactMap { action in
        self[action].map { JSONMember(action.name, .fixed($0, decimals: decimals)) }
      })
  }
}

extension Provenance.SimulationSettings {
  var origin: [JSONMember] { [JSONMember("seed", .unsigned(seed)), JSONMember("generator", .string(generator))] }
}

extension Provenance {
  /// The settings that determine a result, without time, place or speed.
  var json: JSONValue {
    let head =
      NamedRules(label: label, rules: rules).origin
      + [JSONMember("method", .string(simulation == nil ? "exact" : "simulate"))]
    guard let simulation else { return .object(head) }
    return .object(
      head + simulation.origin + [
        JSONMember("confidence", .number(simulation.confidence)),
        JSONMember("indifference", .number(simulation.indifference)),
      ])
  }
}
