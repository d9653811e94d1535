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

  @Test("bb1 takes busted bets and one more from a player who has another bet, when a natural turns up")
  func bustedBetsPlusOne() throws {
    #expect(try payoff("6d-bb1", "10 10 8 A", "S") == -10)
    #expect(try payoff("6d-bb1", "6 10 5 9 A", "D") == -10)
    #expect(try payoff("6d-bb1", "8 10 8 10 10 A", "PSS") == -10)
    // One of two hands is bust: its bet, and one for the other.
    #expect(try payoff("6d-bb1", "8 10 8 7 10 10 A", "PHS") == -20)
    // All are bust: no card is dealt to the dealer.
    #expect(try payoff("6d-bb1", "8 10 8 7 10 7 10", "PHH") == -20)
    // A bet given up is lost like a busted one.
    #expect(try payoff("6d-bb1-rescue", "8 10 8 3 2 10 A", "PDRS") == -20)
    #expect(try payoff("6d-obo", "8 10 8 7 10 10 A", "PHS") == -10)
    #expect(try payoff("6d-enhc", "8 10 8 10 10 A", "PSS") == -20)
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

  @Test("a Charlie ends the hand and wins, whatever the dealer has but a natural without a hole card")
  func charlie() throws {
    #expect(try payoff("6d-charlie5", "2 10 2 10 3 2 4", "HHH") == 10)
    #expect(try payoff("6d-charlie6", "2 10 2 10 3 2 4", "HHHS") == -10)
    #expect(try payoff("6d-charlie6", "2 10 2 10 3 2 4 2", "HHHH") == 10)
    #expect(try payoff("6d-charlie7", "2 10 2 10 3 2 4 2 3", "HHHHH") == 10)
    // Five cards that are bust are no Charlie, nor are five of a split hand.
    #expect(try payoff("6d-charlie5", "2 10 2 10 7 5 10", "HHH") == -10)
    #expect(try payoff("6d-charlie5", "2 10 2 10 2 3 2 2 4 10", "PHHHSHS") == -20)
    #expect(try payoff("6d-charlie5-enhc", "2 10 2 3 2 4 A", "HHH") == -10)
    #expect(try payoff("6d-charlie5-enhc", "2 10 2 3 2 4 9", "HHH") == 10)
  }

  @Test("rescue gives up one of two bets after a double, and asks only then")
  func rescue() throws {
    #expect(try payoff("6d-rescue", "6 10 5 10 2", "DR") == -10)
    #expect(try payoff("6d-rescue", "6 10 5 10 2", "DS") == -20)
    #expect(try payoff("6d-rescue", "6 10 5 10 10", "D") == 20)
    #expect(try unfinished("6d-rescue", "6 10 5 10 2", "D").options == [.stand, .surrender])
    #expect(try !unfinished("6d-rescue", "6 10 5 10").options.contains(.surrender))
    // One of two split hands is given up; a natural without a hole card takes what is left on the table.
    #expect(try payoff("6d-rescue", "8 6 8 10 3 2 10 7", "PDRS") == 0)
    #expect(try payoff("6d-rescue-enhc", "6 10 5 2", "DR") == -10)
    #expect(try payoff("6d-rescue-enhc", "8 10 8 3 2 10 A", "PDRS") == -20)
  }
}
