// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("Rules of some tables") struct TableRuleTests {
  @Test("es10 surrenders before the peek against a ten, and against nothing else")
  func earlyAgainstTen() throws {
    #expect(try payoff("6d-es10", "10 10 6 A", "R") == -5)
    #expect(try payoff("6d-es10", "10 10 6 A", "S") == -10)
    #expect(try payoff("6d-es10", "10 A 6 10") == -10)
    for upcard in ["9", "A"] {
      #expect(try !unfinished("6d-es10", "10 \(upcard) 6 8").options.contains(.surrender))
    }
  }

  @Test("bj75 pays 1.4 bets for a natural")
  func sevenToFive() throws { #expect(try payoff("6d-bj75", "A 9 10 8") == 14) }

  @Test("d11 doubles a hard eleven and nothing else")
  func elevenOnly() throws {
    for (cards, may) in [
      ("6 9 5 8", true), ("6 9 4 8", false), ("5 9 4 8", false), ("A 9 5 8", false),
    ] {
      #expect(try unfinished("6d-d11", cards).options.contains(.double) == may, "\(cards)")
    }
  }
}
