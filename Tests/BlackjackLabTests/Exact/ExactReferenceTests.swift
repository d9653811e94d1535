// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import BlackjackLab
import Testing

/// The exact analyser against tables that other programs computed.
@Suite("The exact analyser agrees with independent ones")
struct ExactReferenceTests {
  private static let actions: [(column: String, action: Action)] = [
    ("stand", .stand), ("hit", .hit), ("double", .double), ("split", .split), ("surrender", .surrender),
  ]

  /// Compares the five columns of a row; an empty column is an action that is not allowed.
  private func compare(_ values: ActionValues, with row: [String: String], within tolerance: Double) {
    for (column, action) in Self.actions {
      guard let expected = row.number(column) else {
        #expect(values[action] == nil, "\(column) of \(row)")
        continue
      }
      let difference = abs((values[action] ?? .nan) - expected)
      #expect(difference <= tolerance, "\(column): \(String(describing: values[action])) for \(row)")
    }
  }

  @Test("every two-card hand of six decks, to the reference's last digit")
  func twoCardHands() throws {
    let analysis = try ExactAnalyses.of("6d")
    let rows = try ExactFixture("ev_6D_S17_DAS_noLS").rows
    #expect(rows.count == 550)
    for row in rows {
      let (first, second, upcard) = try (row.card("card1"), row.card("card2"), row.card("dealer_up"))
      var values = analysis.values(first, second, against: upcard)
      if Hand(first, second).isTwoCard21 {
        #expect(values[.stand] == 1.5)
        continue
      }
      if row.number("split") == nil { values[.split] = nil }
      compare(values, with: row, within: 1e-11)
    }
  }

  @Test(
    "every chart cell, its hands in their weights",
    arguments: [("td_6D_S17_DAS_noLS", "6d"), ("td_6D_S17_DAS_SPL1", "6d-spl1"), ("td_4D_S17_DAS_noLS", "4d")])
  func chartCells(table: String, rules: String) throws {
    let analysis = try ExactAnalyses.of(rules)
    let chart = analysis.chart
    let rows = try ExactFixture(table).rows
    #expect(rows.count == 330)
    for row in rows {
      let key = try row.cellKey()
      let cell = chart.cells[key.index]
      #expect(cell.key == key && cell.verdict == .exact)
      compare(cell.values, with: row, within: 1e-11)
      #expect(String(cell.decision.action.letter) == row["best"], "\(key)")
      #expect(abs(cell.margin - (row.number("margin") ?? .nan)) <= 1e-11, "\(key)")
    }
  }

  @Test("the smallest margins of six decks")
  func closeCells() throws {
    let cells = try ExactAnalyses.of("6d").chart.cells
    for row in try ExactFixture("close_6D_S17_DAS_noLS").rows {
      let cell = cells[try row.cellKey().index]
      #expect(abs(cell.margin - (row.number("margin") ?? .nan)) < 1.5e-9, "\(cell.key)")
      #expect((cell.runnerUp?.letter).map(String.init) == row["second"])
    }
  }
}
