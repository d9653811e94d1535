// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import BlackjackLab
import ExperimentTestSupport
import MonteCarlo
import Reporting
import Scenarios
import Testing

private let rough = "random: {seed: 5}\nconfidence: 0.9\nindifference: 0.02\n"

@Suite("Charts made and compared")
struct ChartExperimentTests {
  private static let made = Result { try outcome("chart", "rules: inf\nagainst: [exact, trainer]\n" + rough) }

  @Test("a chart's counts add up, its least margin lies within its bounds, and the exact values within theirs")
  func counts() throws {
    let (result, found) = try Self.made.get()
    let (certified, indifferent) = (found["chart.certified[inf]"] ?? 0, found["chart.indifferent[inf]"] ?? 0)
    #expect(certified + indifferent == 330 && certified > 200 && indifferent > 0)
    guard
      case .interval(let margin, let low, let high, 0.9, let samples) =
        try result.measurement("margin.min[inf]").value
    else { return #expect(Bool(false), "\(result.measurements)") }
    #expect(low <= margin && margin <= high && high <= 0.02 && samples > 0)
    #expect(found["exact.outside[inf]"] == 0)
  }

  @Test(
    "a chart's EV is what play by it is computed to earn, and a simulated chart's is close to the best",
    arguments: ["method: exact", "confidence: 0.9\nindifference: 0.02"])
  func value(yaml: String) throws {
    let (made, found) = try outcome("chart", "rules: inf\n" + yaml)
    let ev = try #require(found["chart.ev[inf]"])
    let best = try #require(try outcome("play", "rules: inf\nmethod: exact").found["ev[inf]"])
    // A rough chart plays indifferent cells a little worse.
    #expect(yaml == "method: exact" ? abs(ev - best) < 1e-14 : ev <= best + 1e-12 && ev > best - 0.005)
    let edge = "House edge \(NumberFormat.fixed(-100 * ev, decimals: 6))%"
    #expect(made.document.text(width: 1_000).contains(edge))
    #expect(try [".svg", ".md"].allSatisfy { try made.file($0).contains(edge) })
  }

  @Test("a mismatch costs what the other chart's action loses, not what the second best would")
  func costOfMismatch() throws {
    let rules = "8d-h17-das-ls"
    let (result, _) = try outcome("chart", "rules: \(rules)\nmethod: exact\nagainst: trainer")
    let cell = try #require(
      ExactFixture(csv: result.file(".csv")).rows.first {
        ($0["kind"], $0["player"], $0["dealer"]) == ("hard", "16", "10")
      })
    let cost = try #require(cell.number("surrender")) - (cell.number("hit") ?? .nan)
    let text = result.document.text(width: 1_000)
    #expect(text.contains("cost, bets") && !text.contains("margin  "))
    let shown = NumberFormat.fixed(cost, decimals: 6)
    #expect(text.contains(try Regex("hard 16 v 10 +surrender +hit +\(shown)")), "\(text)")
    #expect(result.files.allSatisfy { $0.name.hasPrefix(rules) })
    #expect(result.data.text.contains("\"rules\": \"\(rules)\"") && !result.data.text.contains("8d-h17-ls"))
  }

  @Test("the cells where the trainer's chart differs under other rules are named in the data and in the report")
  func mismatches() throws {
    let (result, found) = try outcome("chart", "rules: inf-ls\nagainst: trainer\n" + rough)
    let count = Int(found["trainer.mismatches[inf-ls]"] ?? 0)
    #expect(count > 0 && result.data.text.contains("\"hard 16 v 10\""))
    let section = try #require(result.document.sections.first { $0.id == "comparisons" })
    guard case .table(let table) = try #require(section.blocks.first) else { return #expect(Bool(false)) }
    #expect(table.table.rows.count == count)
    #expect(table.table.rows.contains { $0.starts(with: ["hard 16 v 10", "surrender", "hit"]) })
  }

  @Test("the report has the card with every cell's actions, the margins, the convergence, and the exact values")
  func sections() throws {
    let (result, _) = try Self.made.get()
    #expect(result.document.sections.map(\.id) == ["strategy", "comparisons", "margins", "convergence", "agreement"])
    let grid = try result.card(of: "strategy")
    #expect(grid.groups.map(\.title) == ["Hard totals", "Soft totals", "Pairs"])
    #expect(grid.groups.flatMap(\.rows).map(\.cells.count) == Array(repeating: 10, count: 33))
    let cell = try #require(grid.groups[2].rows.first { $0.title == "8,8" }?.cells.first)
    #expect(cell.detail.table.columns.map(\.title) == ["action", "simulated", "from", "to", "rounds", "exact"])
    #expect(cell.detail.table.rows.map { $0[0] }.prefix(4).contains("split"))
    #expect(cell.detail.table.rows.allSatisfy { row in row.allSatisfy { !$0.isEmpty } })
    #expect(result.files.map(\.name) == ["inf.csv", "inf.md", "inf.svg"])
  }

  @Test("figures draw a point for each cell, and the course of each until it was decided")
  func figures() throws {
    let (result, _) = try Self.made.get()
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
struct VerifyExperimentTests {
  /// Verifies the analyser's chart with a cell played otherwise.
  private func verify(
    _ key: ChartCellKey? = nil, _ cell: StrategyChart.Cell = StrategyChart.Cell(.hit)
  ) throws -> (result: ScenarioResult, found: [String: Double]) {
    var chart = try exactChart("inf").chart
    if let key { chart[key] = cell }
    return try outcome("verify", "rules: inf\nchart:\n" + written(chart) + rough.replacing("0.02", with: "0.1"))
  }

  @Test("a cell that is played wrong costs what is computed, and the card marks it")
  func wrongCell() throws {
    let (right, (result, wrong)) = (try verify().found, try verify(ChartCellKey(.pair(.eight), against: .six)))
    #expect(right["cells.wrong[inf]"] == 0 && wrong["cells.wrong[inf]"] == 1)
    #expect(right["witnesses.disagree[inf]"] == 0 && right["exact.outside[inf]"] == 0)
    #expect(try #require(right["cost[inf]"]) <= 0.001 && wrong["cost[inf]"] ?? 0 > right["cost[inf]"] ?? 1)
    let marked = try result.card(of: "trial").cells.filter { $0.mark == "!" }
    #expect(marked.map(\.name) == ["pair 8,8 against 6: hit, certainly wrong"])
  }

  @Test("an action that the rules forbid is evaluated by its fallback")
  func fallback() throws {
    let found = try verify(
      ChartCellKey(.pair(.eight), against: .six), StrategyChart.Cell(.surrender, else: .split)
    ).found
    #expect(found["cells.wrong[inf]"] == 0)
  }

  @Test("a cell that loses less than the indifference is not called wrong")
  func indifferent() throws {
    // Hitting and standing on 16 against a ten differ by 0.0006 bets.
    let sixteen = ChartCellKey(try #require(ChartRow.hard(16)), against: .ten)
    let (result, found) = try verify(sixteen, StrategyChart.Cell(.stand))
    #expect(found["cells.wrong[inf]"] == 0)
    #expect(result.document.text(width: 1_000).contains(/hard 16 v 10 +stand +hit +0\.000604 +within the indifference/))
  }
}

@Suite("A chart reads the same in every format")
struct ChartFilesTests {
  private static let yaml = """
    rules: inf-h17
    random: {generator: taus2, seed: 3}
    confidence: 0.9
    indifference: 0.05
    against: []
    """

  /// A chart that ended before all its cells were decided.
  private static let part = Result {
    try scenario("blackjack.chart", yaml, among: Blackjack.experiments).plan
      .run(on: RunContext(workers: 2, maxSamples: 2_000_000))
  }

  @Test("CSV has the promised columns, and a line for each cell: twelve decimals where the values are computed")
  func csv() throws {
    let simulated = try Self.part.get().file(".csv").split(separator: "\n", omittingEmptySubsequences: false)
    let exact = try outcome("chart", "rules: inf\nmethod: exact").result.file(".csv").split(separator: "\n")
    let columns = "kind,player,dealer,action,fallback,stand,hit,double,split,surrender,"
    #expect(simulated[0] == columns + "margin,margin_low,margin_high,samples,verdict" && simulated[0] == exact[0])
    #expect(simulated.count == 332 && simulated[331].isEmpty)
    let shape = /hard,\d+,\w+,[SHD],[HS]?,(-?\d\.\d{8},){3},,(-?\d\.\d{8},){3}\d+,(certified|indifferent)/
    #expect(simulated.contains { $0.wholeMatch(of: shape) != nil })
    #expect(exact[1].wholeMatch(of: /hard,5,2,H,,(-?\d\.\d{12},){3},,(\d\.\d{12},){3}0,exact/) != nil)
    #expect(exact[330].hasPrefix("pair,A,A,P,,"))
  }

  @Test("the data have everything that determined a chart, and nothing of when or how fast")
  func provenance() throws {
    let text = try Self.part.get().data.text
    for part in ["\"rules\": \"inf-h17\"", "\"seed\": 3", "\"generator\": \"taus2\""] {
      #expect(text.contains(part))
    }
    #expect(text.contains("\"confidence\": 0.9") && text.contains(Version.current))
  }

  @Test("Markdown has the three tables, the fallbacks, the signs and their meaning")
  func markdown() throws {
    let exact = try outcome("chart", "rules: 6d-s17-das\nmethod: exact").result.file(".md")
    #expect(exact.contains("| **16** | S | S | S | S | S | H | H | H | H | H |"))
    #expect(exact.contains("| **8,8** | P | P | P | P | P | P | P | P | P | P |"))
    #expect(exact.contains("| **A,7** | S | Ds | Ds | Ds | Ds | S | S | H | H | H |"))
    let part = try Self.part.get().file(".md")
    #expect(part.contains("`?` undecided") && part.contains(/[0-9]+ of 330 cells certified, [0-9]+ indifferent/))
    #expect(part.split(separator: "\n").count { $0.hasPrefix("| **") } == 33)
  }

  @Test("a card names every rule that departs from the common game, and what of it no cell can say")
  func departures() throws {
    let result = try outcome("chart", "rules: inf-d11-es10-rescue-charlie5-bb1-bj75\nmethod: exact").result
    let words = [
      "double hard 11 only", "early surrender against a ten only", "surrender after a double", "a hand of 5 cards wins",
      "no hole card, busted bets plus one", "naturals pay 7:5", "give up one of the two bets with 16 or less",
      "The cells are for two cards and do not count them",
    ]
    for file in [".md", ".svg"] {
      let card = try result.file(file)
      for said in words { #expect(card.contains(said), "\(said) in \(file)") }
    }
  }

  @Test("a chart that was interrupted shows what is decided, and what is not as open, in every format")
  func interrupted() throws {
    let result = try Self.part.get()
    let verdicts = try ExactFixture(csv: result.file(".csv")).rows.map { $0["verdict"] }
    let open = verdicts.count { $0 == "undecided" }
    try #require(!result.isComplete && (1..<330).contains(open))
    let grid = try result.card(of: "strategy")
    for (verdict, shown) in zip(verdicts, grid.cells) {
      #expect((shown.text == "?") == (verdict == "undecided"), "\(shown.name)")
      #expect(!shown.mark.contains("?") && shown.name.hasSuffix(": undecided") == (shown.text == "?"), "\(shown.name)")
    }
    #expect(grid.legend.count { $0.text == "?" && $0.meaning == "undecided" } == 1)
    #expect(result.document.text().contains("Interrupted when \(330 - open) of 330 cells were decided."))
    let (markdown, svg) = (try result.file(".md"), try result.file(".svg"))
    #expect(markdown.split(separator: " | ", omittingEmptySubsequences: false).count { $0.hasPrefix("?") } == open)
    #expect(svg.matches(of: />\?<\/text>/).count == open + 1, "the cells and the legend")
    for wrong in ["S?", "H?", "P?"] { #expect(!markdown.contains(wrong) && !svg.contains(wrong)) }
  }

  @Test("an interruption keeps the decided cells, and the samples of the wave that it ends")
  func kept() throws {
    let part = try Self.part.get()
    let (whole, found) = try outcome("chart", Self.yaml)
    #expect(found["chart.undecided[inf-h17]"] == 0)
    let rows = try [part, whole].map { try ExactFixture(csv: $0.file(".csv")).rows }
    for (early, late) in zip(rows[0], rows[1]) where early["verdict"] != "undecided" { #expect(early == late) }
    let played = try part.measurement("rounds[inf-h17]").estimate
    #expect((1_000_000..<found["rounds[inf-h17]", default: 0]).contains(played), "\(played)")
  }

  @Test("a chart that was interrupted before anything was played has no action in any cell")
  func interruptedAtOnce() throws {
    let interrupt = Interrupt()
    let context = RunContext(workers: 1, interrupt: interrupt) { _, _ in
      interrupt.raise()
      return nil
    }
    let plan = try scenario("blackjack.chart", "rules: inf\n" + rough, among: Blackjack.experiments).plan
    let result = try plan.run(on: context)
    let grid = try result.card(of: "strategy")
    #expect(grid.cells.count == 330 && grid.cells.allSatisfy { $0.text == "?" && $0.mark.isEmpty })
    #expect(grid.legend.map(\.meaning) == ["undecided"] && !result.isComplete)
    #expect(try result.file(".csv").contains("pair,A,A,,,"))
  }

  @Test("every letter of the card stands out from its colour, and every cell has one")
  func card() throws {
    let lines = try Self.part.get().file(".svg").split(separator: "\n")
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
    let cells = try Self.part.get().file(".svg").split(separator: "\n").filter { $0.contains("height=\"28\"") }
    let colours = Set(cells.compactMap(Self.fill))
    #expect(colours.count == 5)
    for first in colours {
      // Luminance survives every kind of colour blindness.
      for second in colours where second != first { #expect(first.contrast(with: second) > 1.1) }
    }
  }

  /// The colour that an element is filled with.
  private static func fill(of element: Substring) -> Colour? {
    guard let position = element.firstRange(of: "fill=\"#") else { return nil }
    return UInt32(element[position.upperBound...].prefix(6), radix: 16).map { Colour($0) }
  }
}
