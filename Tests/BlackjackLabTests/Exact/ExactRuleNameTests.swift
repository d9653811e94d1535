// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import BlackjackLab
import Testing

@Suite("Every set of rules can be analysed")
struct ExactRuleNameTests {
  /// A repeatable choice among rule tokens.
  private struct Names: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var word = state
      word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
      word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
      return word ^ (word >> 31)
    }

    mutating func rules() throws -> Rules {
      let tokens = [
        ["1d", "2d", "3d", "4d", "5d", "6d", "7d", "8d", "inf"], ["s17", "h17"], ["das", "nodas"],
        ["spl1", "spl2", "spl3", "spl2-rsa", "spl3-rsa"], ["", "hsa"], ["doa", "d9", "d10"], ["", "ls", "es"],
        ["peek", "enhc", "obo"], ["bj32", "bj65", "bj11", "bj21"],
      ]
      let chosen = tokens.compactMap { $0.randomElement(using: &self) }.filter { !$0.isEmpty }
      return try Rules(name: chosen.joined(separator: "-"))
    }
  }

  @Test("a dozen names at random: a full chart, legal and finite, worth no more than the best play", arguments: 0..<12)
  func anyRules(seed: Int) throws {
    var names = Names(state: UInt64(seed) << 32)
    let rules = try names.rules()
    let analysis = ExactAnalysis(rules: rules)
    let result = analysis.chart
    #expect(result.cells.map(\.key) == ChartCellKey.all)
    for cell in result.cells {
      let values = cell.values
      #expect(values[.stand] != nil && values[.hit] != nil)
      #expect((values[.split] != nil) == (cell.key.row.kind == .pair))
      #expect((values[.surrender] != nil) == (rules.surrender != .none))
      #expect(values.ranked.allSatisfy { $0.value.isFinite && abs($0.value) < 8 })
      #expect(values.best?.action == cell.decision.action && cell.margin >= 0)
    }
    #expect((-0.05...0.05).contains(analysis.gameValue), "\(rules)")
    let chart = try ExactChartValue(chart: result.chart, rules: rules)
    #expect(chart.gameValue <= analysis.gameValue + 1e-14, "\(rules)")
  }
}
