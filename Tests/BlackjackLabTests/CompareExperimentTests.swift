// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import Reporting
import Scenarios
import Testing

@Suite("Charts compared, and what rules are worth")
struct CompareExperimentTests {
  /// Compares the analyser's chart of an infinite shoe with itself, a cell of it played otherwise.
  private static func own(_ change: (inout StrategyChart) -> Void = { _ in }) throws -> String {
    var chart = try exactChart("inf").chart
    change(&chart)
    return "rules: inf\nwith:\n  -\n" + written(chart, indent: 4)
  }

  @Test("a chart made for the rules differs in no cell and costs nothing")
  func same() throws {
    let found = try outcome("compare", Self.own()).found
    #expect(found["cells.different[mine]"] == 0 && found["cost[mine]"] == 0)
    #expect(found["ev[mine]"] == found["ev[inf]"])
  }

  @Test("a cell that is played wrong is named with its cost each time and its cost a round")
  func wrongCell() throws {
    let (result, found) = try outcome(
      "compare", Self.own { $0[ChartCellKey(.pair(.eight), against: .six)] = StrategyChart.Cell(.hit) })
    let (cost, own) = (try #require(found["cost[mine]"]), found["ev[inf]"] ?? .nan)
    #expect(found["cells.different[mine]"] == 1 && abs(own - (found["ev[mine]"] ?? .nan) - cost) < 1e-15)
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
    let (result, found) = try outcome("compare", "rules: inf\nwith: inf-h17-ls\nchange: [h17, ls]")
    #expect((6..<40).contains(found["cells.different[inf-h17-ls]"] ?? 0) && found["cost[inf-h17-ls]"] ?? 0 > 0)
    #expect(result.data.text.contains("\"costUnderOther\": 0.0"))
    let played = try outcome("play", "rules: [inf, inf-h17-ls, inf-h17]\nmethod: exact").found
    func difference(_ one: Double?, _ other: Double?) -> Double { abs((one ?? .nan) - (other ?? .nan)) }
    for label in ["inf", "inf-h17-ls"] { #expect(difference(found["ev[\(label)]"], played["ev[\(label)]"]) < 1e-14) }
    let worth = try #require(played["ev[inf-h17]"]) - (played["ev[inf]"] ?? .nan)
    #expect(difference(found["rule.worth[h17]"], worth) < 1e-14)
    #expect(found["rule.worth[ls]"] ?? 0 > 0 && worth < 0)
    let tables = result.document.sections.last?.blocks.compactMap {
      if case .table(let table) = $0 { table } else { nil }
    }
    let rules = try #require(tables?.first)
    #expect(rules.table.rows.map { $0[0] } == ["ls", "h17"], "the best for the player first")
  }

  @Test("a natural's lower payoff costs the difference times the chance of a natural")
  func naturals() throws {
    let found = try outcome("compare", "rules: inf\nchange: [bj65, bj11, bj21]").found
    // An ace and a ten in either order, where the dealer has none.
    let natural = 2.0 * 4 / 169
    for (token, tenths) in [("bj65", -3.0), ("bj11", -5), ("bj21", 5)] {
      let expected = natural * (1 - natural) * tenths / 10
      #expect(found["rule.worth[\(token)]"].map { abs($0 - expected) < 1e-12 } == true, "\(token)")
    }
  }

  @Test(
    "a chart or rules that cannot be compared are refused",
    arguments: [
      ("rules: 6d-cut75", "rules: found '6d-cut75', expected rules without a cut card"),
      ("with: 6d-cut75", "with: found '6d-cut75', expected rules without a cut card"),
      ("with: [6d-h17, 6d-H17]", "each value once"), ("rules: 6d\nwith: 6d", "each rules or chart once: '6d'"),
      ("with: trainr", "found 'trainr', expected"), ("with: trainr", "(did you mean 'trainer'?)"),
      ("with: composition", "not a chart to compare with"),
      ("with: 6d-h71", "test.yaml:3: with: unknown rule 'h71' in '6d-h71'"),
      ("with: 6d-hh17", "'hh17' in '6d-hh17'; did you mean 'h17'?"), ("with: nowhere.csv", "nowhere.csv"),
      ("change: hh17", "(did you mean 'h17'?)"),
      ("change: s17", "what changes 6d-s17-das without contradicting it, not s17: 1d, 2d"),
      ("rules: 6d-spl1\nchange: rsa", "not rsa"),
    ])
  func refused(keys: String, problem: String) {
    let text = refusal("compare", keys)
    #expect(text.contains(problem), "\(text)")
  }
}
