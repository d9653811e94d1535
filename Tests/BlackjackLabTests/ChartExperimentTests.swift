// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
@testable import BlackjackLab
import MonteCarlo
import Reporting
import Scenarios
import Testing

/// Runs a scenario written in a test.
func outcome(of yaml: String, on context: RunContext = RunContext(workers: 2)) throws -> (Scenario, ScenarioResult) {
  let scenario = try Scenario(ScenarioDocument(yaml: yaml, file: "s.yaml"), kinds: Blackjack.experiments)
  return (scenario, try scenario.plan.run(on: context))
}

extension ScenarioResult {
  /// What was found of a measure.
  func value(_ name: String) throws -> Measurement.Value {
    try #require(measurements.first { $0.measure.fullName == name }, "\(name)").value
  }

  /// The figures of a section, also those within parts.
  func figures(of section: String) -> [Figure] {
    func figures(_ blocks: [ReportBlock]) -> [Figure] {
      blocks.flatMap { block -> [Figure] in
        switch block {
        case .figure(let figure): [figure]
        case .part(_, _, let blocks), .details(_, let blocks): figures(blocks)
        default: []
        }
      }
    }
    return figures(document.sections.filter { $0.id == section }.flatMap(\.blocks))
  }
}

@Suite("Charts made and checked")
struct ChartExperimentTests {
  private static let chart = """
    name: Two rough charts
    kind: blackjack.chart
    rules: [inf, inf-h17]
    random: {seed: 5}
    confidence: 0.9
    indifference: 0.02
    against: [exact, trainer]
    thresholds: [chart.undecided == 0, exact.outside == 0]

    """

  private static let trial = """
    name: A test
    kind: blackjack.verify
    rules: inf
    chart: trainer
    random: {seed: 5}
    confidence: 0.9
    indifference: 0.02
    thresholds: [cells.wrong == 0, witnesses.disagree == 0, cost <= 0.001]

    """

  @Test("every measure that the plan promises is found, and the thresholds hold", arguments: [chart, trial])
  func measured(yaml: String) throws {
    let (scenario, result) = try outcome(of: yaml)
    #expect(result.isComplete)
    #expect(result.measurements.map(\.measure) == scenario.plan.measures)
    for evaluated in scenario.evaluated(by: result.measurements) {
      #expect(evaluated.verdict == .holds, "\(evaluated.text): \(evaluated.found)")
    }
  }

  @Test("a chart's counts add up, and its least margin lies within its bounds")
  func counts() throws {
    let (_, result) = try outcome(of: Self.chart)
    guard case .count(let certified, 0) = try result.value("chart.certified[inf]"),
      case .count(let indifferent, 0) = try result.value("chart.indifferent[inf]"),
      case .interval(let margin, let low, let high, 0.9, let samples) = try result.value("margin.least[inf]")
    else { return #expect(Bool(false), "\(result.measurements)") }
    #expect(certified + indifferent == 330 && certified > 200 && indifferent > 0)
    #expect(low <= margin && margin <= high && high <= 0.02 && samples > 0)
  }

  @Test(
    "a chart's EV is what play by it is computed to earn, and lies close to a simulated chart's",
    arguments: ["exact", "simulate"])
  func value(method: String) throws {
    let keys = method == "exact" ? "" : "confidence: 0.9\nindifference: 0.02\n"
    let (_, made) = try outcome(of: "name: x\nkind: blackjack.chart\nrules: inf\nmethod: \(method)\n\(keys)")
    let (_, played) = try outcome(of: "name: x\nkind: blackjack.play\nrules: inf\nmethod: exact\nchart: exact\n")
    guard case .exact(let ev) = try made.value("chart.ev[inf]"), case .exact(let best) = try played.value("ev[inf]")
    else { return #expect(Bool(false)) }
    // A rough chart plays indifferent cells a little worse.
    #expect(method == "exact" ? abs(ev - best) < 1e-14 : ev <= best + 1e-12 && ev > best - 0.005)
    let edge = "House edge \(NumberFormat.ofBet(-ev))"
    #expect(made.document.text(width: 1_000).contains(edge))
    let pictures = made.files.filter { $0.name.hasSuffix(".svg") || $0.name.hasSuffix(".md") }
    #expect(pictures.count == 2 && pictures.allSatisfy { $0.content.contains(edge) }, "one figure, everywhere")
  }

  @Test("what another chart's action costs is shown, not how far apart the two best are")
  func costOfMismatch() throws {
    let rules = "8d-h17-das-ls"
    let (_, result) = try outcome(
      of: "name: x\nkind: blackjack.chart\nrules: \(rules)\nmethod: exact\nagainst: trainer\n")
    let key = ChartCellKey(try #require(ChartRow.hard(16)), against: .ten)
    let values = try ExactAnalyses.of(rules).values(of: key)
    let cost = try #require(values[.surrender]) - (try #require(values[.hit]))
    let text = result.document.text(width: 1_000)
    #expect(text.contains("cost, bets") && !text.contains("margin  "))
    #expect(text.contains(try Regex("hard 16 v 10 +surrender +hit +\(NumberFormat.bets(cost))")), "\(text)")
    #expect(result.files.allSatisfy { $0.name.hasPrefix(rules) })
    #expect(result.data.text.contains("\"rules\": \"\(rules)\"") && !result.data.text.contains("8d-h17-ls"))
  }

  @Test("the trainer's chart under other rules has mismatches, named in the data and in the report")
  func mismatches() throws {
    let (_, result) = try outcome(
      of: "name: x\nkind: blackjack.chart\nrules: inf-ls\nconfidence: 0.9\nindifference: 0.02\nagainst: trainer\n")
    guard case .count(let count, 0) = try result.value("trainer.mismatches[inf-ls]") else {
      return #expect(Bool(false), "\(result.measurements)")
    }
    #expect(count > 0 && result.data.text.contains("\"hard 16 v 10\""))
    let section = try #require(result.document.sections.first { $0.id == "comparisons" })
    guard case .table(let table) = try #require(section.blocks.first) else { return #expect(Bool(false)) }
    #expect(table.table.rows.count == count)
    #expect(table.table.rows.contains { $0.starts(with: ["hard 16 v 10", "surrender", "hit"]) })
  }

  @Test("a chart that plays a cell wrong costs what is computed, and the card marks the cell")
  func wrongCell() throws {
    let (_, right) = try outcome(of: Self.trial)
    let rows = ChartRow.all.map { row in
      let cells = CardValue.chartOrder.map { upcard in
        let cell = StrategyChart.trainer[ChartCellKey(row, against: upcard)] ?? StrategyChart.Cell(.stand)
        if row == .pair(.eight), upcard == .six { return "H" }
        return String(cell.action.letter) + (cell.fallback.map { String($0.letter).lowercased() } ?? "")
      }
      return "    \(row.kind.rawValue) \(row.label): \(cells.joined(separator: " "))\n"
    }
    let own = "chart:\n  name: mine\n  cells:\n" + rows.joined()
    let (_, wrong) = try outcome(of: Self.trial.replacing("chart: trainer\n", with: own))
    #expect(try right.value("cells.wrong[inf]") == .count(0, undecided: 0))
    #expect(try wrong.value("cells.wrong[inf]") == .count(1, undecided: 0))
    guard case .exact(let before) = try right.value("cost[inf]"), case .exact(let after) = try wrong.value("cost[inf]")
    else { return #expect(Bool(false)) }
    #expect(after > before)
    let section = try #require(wrong.document.sections.first { $0.id == "trial" })
    let grids = section.blocks.compactMap { block in if case .grid(let grid) = block { grid } else { nil } }
    let marked = try #require(grids.first).groups.flatMap(\.rows).flatMap(\.cells).filter { $0.mark == "!" }
    #expect(marked.map(\.name) == ["pair 8,8 against 6: hit, certainly wrong"])
  }

  @Test("an interruption while a chart is made leaves its open cells open, and says how many were decided")
  func interruptedWithin() throws {
    let interrupt = Interrupt()
    let context = RunContext(workers: 1, interrupt: interrupt) { _, _ in
      interrupt.raise()
      return nil
    }
    let (_, result) = try outcome(of: Self.chart, on: context)
    let document = result.document
    let grids = document.sections.flatMap(\.blocks).compactMap { if case .grid(let grid) = $0 { grid } else { nil } }
    let grid = try #require(grids.first)
    let cells = grid.groups.flatMap(\.rows).flatMap(\.cells)
    #expect(cells.count == 330 && cells.allSatisfy { $0.text == "?" && $0.mark.isEmpty })
    #expect(cells.last?.name == "pair A,A against A: undecided")
    #expect(grid.legend.map(\.meaning) == ["undecided"])
    #expect(document.text().contains("Interrupted when 0 of 330 cells were decided."))
    #expect(document.csv?.contains("pair,A,A,,,") == true, "what was not played has no action")
    #expect(!result.isComplete)
  }

  @Test("the report has the card with every cell's actions, the margins, the convergence, and the exact values")
  func sections() throws {
    let (_, result) = try outcome(of: Self.chart.replacing("[inf, inf-h17]", with: "inf"))
    #expect(result.document.sections.map(\.id) == ["strategy", "comparisons", "margins", "convergence", "agreement"])
    guard case .grid(let grid) = try #require(result.document.sections.first?.blocks.first) else {
      return #expect(Bool(false), "no card")
    }
    #expect(grid.groups.map(\.title) == ["Hard totals", "Soft totals", "Pairs"])
    #expect(grid.groups.flatMap(\.rows).map(\.cells.count) == Array(repeating: 10, count: 33))
    let cell = try #require(grid.groups[2].rows.first { $0.title == "8,8" }?.cells.first)
    #expect(cell.detail.table.columns.map(\.title) == ["action", "simulated", "from", "to", "rounds", "exact"])
    #expect(cell.detail.table.rows.map { $0[0] }.prefix(4).contains("split"))
    #expect(cell.detail.table.rows.allSatisfy { row in row.allSatisfy { !$0.isEmpty } })
    #expect(result.files.map(\.name) == ["inf.csv", "inf.md", "inf.svg"])
  }

  @Test("figures draw as many points as there are cells, and none where it could not be seen")
  func figures() throws {
    let (_, result) = try outcome(of: Self.chart.replacing("[inf, inf-h17]", with: "inf"))
    let margins = try #require(result.figures(of: "margins").first)
    let drawn = margins.series.filter { $0.style == .points }.flatMap(\.points)
    #expect(drawn.count == 330)
    #expect(drawn.allSatisfy { $0.y > 0 && ($0.interval.map { $0.lowerBound > 0 } ?? false) })
    let course = try #require(result.figures(of: "convergence").first)
    for series in course.series where series.style == .line {
      #expect(zip(series.points, series.points.dropFirst()).allSatisfy { $0.x < $1.x })
      let last = try #require(series.points.last?.interval)
      #expect(last.lowerBound > 0 || (last.lowerBound >= -0.02 && last.upperBound <= 0.02))
    }
    let agreement = try #require(result.figures(of: "agreement").first)
    let deviations = agreement.series.filter { $0.style == .points }.flatMap(\.points).map(\.y)
    #expect(deviations.count > 330 && deviations.allSatisfy { abs($0) <= 1 })
    #expect(agreement.series.filter { $0.style == .reference }.flatMap(\.points).map(\.y) == [1, -1])
  }
}

@Suite("A chart under test is evaluated by what it costs")
struct VerificationTests {
  private let key = ChartCellKey(.pair(.eight), against: .six)
  private let analysis: ExactAnalysis
  private let rules: Rules

  init() throws {
    rules = try Rules(name: "inf-s17-das")
    analysis = ExactAnalysis(rules: rules)
  }

  /// A chart checked against a simulation that knows the exact values, off by `error` each, with bounds `width` around.
  private func trial(
    of chart: StrategyChart, error: Double = 0, width: Double = 0.01, confidence: Double = 0.999
  ) throws -> Verification {
    let exact = analysis.chart
    let simulation = Provenance.Simulation(
      seed: 1, generator: "mt19937", estimator: .plain, confidence: confidence, indifference: 0.001)
    let cells = exact.cells.map { cell in
      var (values, low, high) = (ActionValues(), ActionValues(), ActionValues())
      for (action, value) in cell.values.ranked {
        (values[action], low[action], high[action]) = (value + error, value + error - width, value + error + width)
      }
      return ChartCell(
        key: cell.key, decision: cell.decision, runnerUp: cell.runnerUp, values: values, valuesLow: low,
        valuesHigh: high, margin: cell.margin, marginLow: cell.margin - width, marginHigh: cell.margin + width,
        samples: 10, verdict: .certified)
    }
    let simulated = ChartResult(provenance: Provenance(rules: rules, simulation: simulation), cells: cells)
    return try Verification(of: chart, named: "mine", against: simulated)
  }

  @Test("an action that the rules forbid is evaluated by its fallback")
  func fallback() throws {
    var chart = analysis.chart.chart
    chart[key] = StrategyChart.Cell(.surrender, else: .split)
    #expect(try trial(of: chart).wrong.isEmpty)
  }

  @Test("a cell within the indifference is not called wrong")
  func indifferent() throws {
    let close = try #require(analysis.chart.cells.filter { $0.margin > 0 }.min { $0.margin < $1.margin })
    try #require(close.margin < 0.001)
    var chart = analysis.chart.chart
    chart[close.key] = StrategyChart.Cell(try #require(close.runnerUp), else: .hit)
    let verification = try trial(of: chart)
    #expect(verification.wrong.isEmpty)
    #expect(abs(verification.cells[close.key.index].cost - close.margin) < 1e-12)
  }

  @Test("a simulation whose intervals miss the exact values does not agree: they hold together")
  func surprises() throws {
    let verification = try trial(of: analysis.chart.chart, error: 0.02, width: 0.01)
    #expect(verification.surprises.count == 330 && !verification.methodsAgree)
  }
}

@Suite("A chart reads the same in every format")
struct ChartFilesTests {
  /// The trainer's chart as a simulation might have made it: one cell indifferent, one undecided, the rest certified.
  private static func result() throws -> ChartResult {
    let simulation = Provenance.Simulation(
      seed: 7, generator: "taus2", estimator: .paired, confidence: 0.999, indifference: 0.0005)
    let cells = ChartCellKey.all.enumerated().map { index, key in
      var values = ActionValues()
      for (place, action) in Action.allCases.enumerated() where action != .split || key.row.kind == .pair {
        values[action] = action == .surrender ? nil : 0.1 / 3 - Double(place) / 8
      }
      let verdict: CellVerdict = index == 7 ? .indifferent : index == 9 ? .undecided : .certified
      let decision = StrategyChart.trainer[key] ?? StrategyChart.Cell(.stand)
      return ChartCell(
        key: key, decision: decision, runnerUp: decision.action == .hit ? .stand : .hit, values: values,
        valuesLow: values, valuesHigh: values, margin: 0.125, marginLow: 0.1, marginHigh: 0.15,
        samples: 1000 + index, verdict: verdict)
    }
    return ChartResult(
      provenance: Provenance(rules: try Rules(name: "6d-s17-das"), simulation: simulation), cells: cells)
  }

  private let chart: ChartResult
  private let texts: [String: String]

  init() throws {
    chart = try Self.result()
    texts = Dictionary(
      uniqueKeysWithValues: chart.files(named: "c").map { (String($0.name.split(separator: ".")[1]), $0.content) })
  }

  @Test("CSV has the promised columns, a line a cell, and reads back as the chart")
  func csv() throws {
    let csv = try #require(texts["csv"])
    let lines = csv.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines[0]
        == "kind,player,dealer,action,fallback,stand,hit,double,split,surrender,"
        + "margin,margin_low,margin_high,samples,verdict"
    )
    #expect(
      lines[1] == "hard,5,2,H,,0.03333333,-0.09166667,-0.21666667,,,0.12500000,0.10000000,0.15000000,1000,certified")
    #expect(lines[330].hasPrefix("pair,A,A,P,,0.03333333,"))
    #expect(lines.count == 332 && lines[331].isEmpty)
    #expect(try StrategyChart(csv: csv) == chart.chart)
  }

  @Test("computed values have twelve decimals and no samples")
  func exactDecimals() throws {
    let lines = ExactAnalysis(rules: try Rules(name: "inf")).chart.table.csv.split(separator: "\n")
    #expect(
      try #require(lines.dropFirst().first).wholeMatch(of: /hard,5,2,H,,(-?\d\.\d{12},){3},,(\d\.\d{12},){3}0,exact/)
        != nil)
  }

  @Test("everything that determined a chart stands in its provenance, and nothing of when or how fast")
  func provenance() throws {
    let text = chart.provenance.json.text
    for part in ["\"rules\": \"6d\"", "\"seed\": 7", "\"generator\": \"taus2\"", "\"estimator\": \"paired\""] {
      #expect(text.contains(part))
    }
    #expect(text.contains("\"confidence\": 0.999") && text.contains(Version.current))
  }

  @Test("Markdown has the three tables, the fallbacks, the signs and their meaning")
  func markdown() throws {
    let markdown = try #require(texts["md"])
    #expect(markdown.contains("| **16** | S | S | S | S | S | H | H | H | H | H |"))
    #expect(markdown.contains("| **8,8** | P | P | P | P | P | P | P | P | P | P |"))
    #expect(markdown.contains("| **5** | H | H | H | H | H | H | H | H~ | H | ? |"))
    #expect(markdown.contains("`?` undecided, `~` as good as the second best."))
    #expect(markdown.contains("328 of 330 cells certified, 1 indifferent (within 0.0005 bets), 1 undecided."))
    #expect(markdown.split(separator: "\n").count { $0.hasPrefix("| **") } == 33)
  }

  @Test("a chart that was interrupted shows what is decided, and what is not as open, in every format")
  func interrupted() throws {
    let interrupt = Interrupt()
    let maker = try ChartMakerTests.maker("inf-h17", seed: 3, confidence: 0.9, indifference: 0.02)
    let chart = try maker.make(interrupt: interrupt) { if $0.decided >= 100 { interrupt.raise() } }
    let open = chart.count(of: .undecided)
    try #require((1..<330).contains(open))
    let grid = ReportGrid(id: "card", caption: "", of: chart)
    let cells = grid.groups.flatMap(\.rows).flatMap(\.cells)
    for (cell, shown) in zip(chart.cells, cells) {
      #expect((shown.text == "?") == (cell.verdict == .undecided), "\(cell.key)")
      #expect(!shown.mark.contains("?") && shown.name.hasSuffix(": undecided") == (shown.text == "?"), "\(cell.key)")
    }
    #expect(grid.legend.count { $0.text == "?" && $0.meaning == "undecided" } == 1)
    let written = Dictionary(
      uniqueKeysWithValues: chart.files(named: "c").map { ($0.name, $0.content) })
    let (markdown, svg) = (try #require(written["c.md"]), try #require(written["c.svg"]))
    #expect(markdown.split(separator: " | ", omittingEmptySubsequences: false).count { $0.hasPrefix("?") } == open)
    #expect(svg.matches(of: />\?<\/text>/).count == open + 1, "the cells and the legend")
    for wrong in ["S?", "H?", "P?"] { #expect(!markdown.contains(wrong) && !svg.contains(wrong)) }
  }

  @Test("every letter of the card stands out from its colour, and every cell has one")
  func card() throws {
    let lines = try #require(texts["svg"]).split(separator: "\n")
    let cells = lines.indices.dropFirst().filter {
      lines[$0].contains("font-size=\"16\"") && lines[$0 - 1].hasPrefix("<rect")
    }.compactMap { index in
      Self.fill(of: lines[index - 1]).flatMap { back in Self.fill(of: lines[index]).map { [back, $0] } }
    }
    #expect(cells.count >= 330)
    for pair in Set(cells) { #expect(pair[0].contrast(with: pair[1]) >= 4.5, "\(pair[1]) on \(pair[0])") }
  }

  @Test("the colours of two actions, and of an open cell, differ to a person with any common colour blindness")
  func colourBlind() throws {
    let cells = try #require(texts["svg"]).split(separator: "\n").filter { $0.contains("height=\"28\"") }
    let colours = Set(cells.compactMap(Self.fill))
    #expect(colours.count == 5)
    for first in colours {
      // Luminance survives every kind of colour blindness.
      for second in colours where second != first { #expect(first.contrast(with: second) > 1.1) }
    }
  }

  /// The colour that an element is filled with.
  private static func fill(of element: Substring) -> Colour? {
    guard let place = element.firstRange(of: "fill=\"#") else { return nil }
    return UInt32(element[place.upperBound...].prefix(6), radix: 16).map { Colour($0) }
  }
}
