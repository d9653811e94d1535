// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import MonteCarlo
import Reporting
import Scenarios
import Testing

@testable import BlackjackLab

@Suite("Charts compared, and what rules are worth")
struct CompareExperimentTests {
  private static func yaml(_ keys: String) -> String { "name: x\nkind: blackjack.compare\n\(keys)\n" }

  private static func exact(_ result: ScenarioResult, _ name: String) throws -> Double {
    guard case .exact(let value) = try result.value(name) else { return .nan }
    return value
  }

  /// The chart made for an infinite shoe, with one cell changed, as the cells of a scenario.
  private static func own(_ change: (row: ChartRow, upcard: CardValue, letters: String)?) -> String {
    let chart = ExactAnalysis(rules: .infinite).chart.chart
    let rows = ChartRow.all.map { row in
      let cells = CardValue.chartOrder.map { upcard in
        if let change, change.row == row, change.upcard == upcard { return change.letters }
        return chart[ChartCellKey(row, against: upcard)]?.symbol ?? "S"
      }
      return "        \(row.kind.rawValue) \(row.label): \(cells.joined(separator: " "))\n"
    }
    return "rules: inf\nwith:\n  - name: mine\n    cells:\n" + rows.joined()
  }

  @Test("a chart made for the rules differs in no cell and costs nothing")
  func same() throws {
    let (_, result) = try outcome(of: Self.yaml(Self.own(nil)))
    #expect(try result.value("cells.different[mine]") == .count(0, undecided: 0))
    #expect(try result.value("cost[mine]") == .exact(0))
    #expect(try result.value("ev[mine]") == result.value("ev[inf]"))
  }

  @Test("a cell that is played wrong is named with what it costs, each time and a round")
  func wrongCell() throws {
    let (scenario, result) = try outcome(of: Self.yaml(Self.own((.pair(.eight), .six, "H"))))
    #expect(result.measurements.map(\.measure) == scenario.plan.measures)
    #expect(try result.value("cells.different[mine]") == .count(1, undecided: 0))
    let cost = try Self.exact(result, "cost[mine]")
    #expect(try abs(Self.exact(result, "ev[inf]") - Self.exact(result, "ev[mine]") - cost) < 1e-15)
    let cells = try #require(result.document.csv).split(separator: "\n")
    #expect(cells.count == 2)
    let fields = cells[1].split(separator: ",", omittingEmptySubsequences: false)
    #expect(fields.prefix(6) == ["mine", "pair", "8", "6", "P", "H"])
    // A pair of eights comes once in 169 hands, against a six once in 13; no dealer with a six has a natural.
    let values = fields.dropFirst(6).compactMap { Double($0) }
    #expect(abs(values[1] - values[0] / 13 / 169) < 1e-12)
    // Nothing that is played later meets this cell but a split that comes again, which is never made.
    #expect(abs(values[1] - cost) < 1e-9, "\(values) \(cost)")
    #expect(result.document.text().contains("The charts differ in 1 of 330 cells."))
  }

  @Test("charts of two rules are each the better one in their own game, and their EVs are those of 'play'")
  func rules() throws {
    let (_, result) = try outcome(of: Self.yaml("rules: inf\nwith: inf-h17-ls\nchange: [h17, ls]"))
    guard case .count(let cells, 0) = try result.value("cells.different[inf-h17-ls]") else {
      return #expect(Bool(false))
    }
    #expect(cells > 5 && cells < 40)
    #expect(try Self.exact(result, "cost[inf-h17-ls]") > 0)
    #expect(result.data.text.contains("\"costUnderOther\": 0.0"))
    let (_, played) = try outcome(
      of: "name: x\nkind: blackjack.play\nrules: [inf, inf-h17-ls, inf-h17]\nmethod: exact\nchart: exact\n")
    for label in ["inf", "inf-h17-ls"] {
      #expect(try abs(Self.exact(result, "ev[\(label)]") - Self.exact(played, "ev[\(label)]")) < 1e-14)
    }
    let worth = try Self.exact(played, "ev[inf-h17]") - Self.exact(played, "ev[inf]")
    #expect(try abs(Self.exact(result, "rule.worth[h17]") - worth) < 1e-14)
    #expect(try Self.exact(result, "rule.worth[ls]") > 0 && worth < 0)
    let tables = result.document.sections.last?.blocks.compactMap {
      if case .table(let table) = $0 { table } else { nil }
    }
    let rules = try #require(tables?.first)
    #expect(rules.table.rows.map { $0[0] } == ["ls", "h17"], "the best for the player first")
  }

  @Test("naturals that pay less cost what they pay less, as often as they come")
  func naturals() throws {
    let (_, result) = try outcome(of: Self.yaml("rules: inf\nchange: [bj65, bj11, bj21]"))
    // An ace and a ten in either order, where the dealer has none.
    let natural = 2.0 * 4 / 169
    for (token, tenths) in [("bj65", -3.0), ("bj11", -5), ("bj21", 5)] {
      let expected = natural * (1 - natural) * tenths / 10
      #expect(try abs(Self.exact(result, "rule.worth[\(token)]") - expected) < 1e-12)
    }
  }

  @Test(
    "what cannot be compared is refused",
    arguments: [
      ("rules: 6d-cut75", "rules: found '6d-cut75', expected rules without a cut card"),
      ("with: 6d-cut75", "with: found '6d-cut75', expected rules without a cut card"),
      ("with: [6d-h17, 6d-H17]", "each value once"), ("rules: 6d\nwith: 6d", "each rules or chart once: '6d'"),
      ("with: trainr", "found 'trainr', expected"), ("with: trainr", "(did you mean 'trainer'?)"),
      ("with: composition", "no chart to compare with"),
      ("with: 6d-h71", "s.yaml:3: with: unknown rule 'h71' in '6d-h71'"),
      ("with: 6d-hh17", "'hh17' in '6d-hh17'; did you mean 'h17'?"), ("with: nowhere.csv", "nowhere.csv"),
      ("change: hh17", "(did you mean 'h17'?)"),
      ("change: s17", "what changes 6d-s17-das without contradicting it, not s17: 1d, 2d"),
      ("rules: 6d-spl1\nchange: rsa", "not rsa"),
    ])
  func refused(keys: String, problem: String) {
    let error = #expect(throws: ReportingError.self) {
      try Scenario(ScenarioDocument(yaml: Self.yaml(keys), file: "s.yaml"), kinds: Blackjack.experiments)
    }
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
  }
}

extension Rules {
  fileprivate static var infinite: Rules { (try? Rules(name: "inf")) ?? .common }
}
