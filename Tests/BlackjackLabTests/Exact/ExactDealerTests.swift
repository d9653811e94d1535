// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import BlackjackLab
import Testing

@Suite("How the dealer ends, exactly")
struct ExactDealerTests {
  @Test("the infinite deck, with and without a look for a natural, to twelve digits")
  func infiniteDeck() throws {
    let columns: [(String, DealerFinal)] = [
      ("p17", .seventeen), ("p18", .eighteen), ("p19", .nineteen), ("p20", .twenty), ("p21", .twentyOne),
      ("pbust", .bust), ("pbj", .natural),
    ]
    let rows = try ExactFixture("infinite_dealer").rows
    #expect(rows.count == 40)
    for row in rows {
      let rules = try Rules(name: row["soft17"] == "H17" ? "inf-h17" : "inf")
      let dealer = try ExactDealer(
        rules: rules, upcard: row.card("dealer_up"), givenNoNatural: row["peek"] == "after peek")
      for (column, final) in columns {
        #expect(abs(dealer[final] - (row.number(column) ?? .nan)) < 1e-14, "\(column) of \(row)")
      }
    }
  }

  @Test("from one deck: an ace finds a natural in 16 of the 49 cards that 16 against it leaves")
  func natural() throws {
    let rules = try Rules(name: "1d")
    let blind = try ExactDealer(rules: rules, upcard: .ace, seen: [.nine, .seven], givenNoNatural: false)
    #expect(abs(blind[.natural] - 16.0 / 49) < 1e-16)
    let looked = try ExactDealer(rules: rules, upcard: .ace, seen: [.nine, .seven], givenNoNatural: true)
    #expect(looked[.natural] == 0)
    for final in DealerFinal.allCases where final != .natural {
      #expect(abs(blind[final] - looked[final] * 33 / 49) < 1e-15)
    }
  }

  @Test("five aces from one deck are refused")
  func impossible() throws {
    let rules = try Rules(name: "1d")
    #expect(throws: BlackjackError.self) {
      try ExactDealer(rules: rules, upcard: .ace, seen: Array(repeating: .ace, count: 4), givenNoNatural: true)
    }
  }
}
