// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("Naturals") struct NaturalTests {
  @Test(
    "A natural pays 3:2 unless the rules say 6:5, even money or 2:1",
    arguments: [("6d", 15), ("6d-bj32", 15), ("6d-bj65", 12), ("6d-bj11", 10), ("6d-bj21", 20)])
  func pays(name: String, tenths: Int) throws {
    for holeCard in ["", "-enhc", "-obo"] {
      let hole = holeCard.isEmpty ? " 10" : ""
      #expect(try payoff(name + holeCard, "A 5 10\(hole)") == tenths)
      #expect(try payoff(name + holeCard, "10 5 A\(hole)") == tenths)
    }
  }

  @Test("A natural is settled at once where the dealer can have none, and with one card where the dealer might")
  func dealerDrawsAtMostOne() throws {
    #expect(try payoff("6d-enhc", "A 9 10") == 15)
    #expect(try payoff("6d-enhc", "A 10 10 9") == 15)
    #expect(try payoff("6d-enhc", "A A 10 6") == 15)
    #expect(try payoff("6d", "A A 10 6") == 15)
  }

  @Test("Two naturals push", arguments: ["6d", "6d-enhc", "6d-obo", "6d-ls", "6d-es", "6d-es-enhc", "6d-bj21"])
  func push(name: String) throws {
    #expect(try payoff(name, "A A 10 10") == 0)
    #expect(try payoff(name, "10 10 A A") == 0)
  }

  @Test("With a peek, a dealer's natural ends the round before anybody is asked", arguments: ["6d", "6d-ls", "6d-h17"])
  func peek(name: String) throws {
    #expect(try payoff(name, "10 A 10 10") == -10)
    #expect(try payoff(name, "8 10 8 A") == -10)
    #expect(try played(name, "8 10 8 A").isPlayerDone)
  }

  @Test(
    "Without a hole card a natural turns up when the player is done and beats 21", arguments: ["6d-enhc", "6d-obo"])
  func noHoleCard(name: String) throws {
    #expect(try payoff(name, "10 A 9 10", "S") == -10)
    #expect(try payoff(name, "10 10 5 6 A", "H") == -10)
    #expect(try payoff(name, "5 A 6 10 10", "D") == (name == "6d-enhc" ? -20 : -10))
  }

  @Test("A three-card 21 of the dealer is no natural")
  func threeCards() throws {
    #expect(try payoff("6d", "10 6 10 5 10", "S") == -10)
    #expect(try payoff("6d", "5 6 6 5 10 10", "H") == 0)
    #expect(try payoff("6d", "A 6 10 5") == 15)
  }

  @Test("An ace and a ten after a split count 21: they win even money, and push against a drawn 21")
  func afterSplit() throws {
    #expect(try payoff("6d", "A 9 A 9 10 10", "P") == 20)
    #expect(try payoff("6d", "10 9 10 9 A A", "P") == 20)
    #expect(try payoff("6d", "A 6 A 5 10 10 10", "P") == 0)
    #expect(try payoff("6d-bj21", "A 9 A 9 10 10", "P") == 20)
    #expect(!(try played("6d", "A 9 A 9 10 10", "P").hasNatural))
  }

  @Test("Without a hole card a natural beats the 21 of a split")
  func naturalBeatsSplit21() throws {
    #expect(try payoff("6d-enhc", "A 10 A 10 10 A", "P") == -20)
    #expect(try payoff("6d-obo", "A 10 A 10 10 A", "P") == -10)
  }

  @Test("All bets are lost to a natural without a hole card, doubled, split and bust ones alike")
  func allBetsLost() throws {
    // 8,8 against a ten: 8,3 doubled to 21, 8,2 hit to a bust; then the ace.
    #expect(try payoff("6d-enhc", "8 10 8 3 10 2 10 10 A", "PDHH") == -30)
    #expect(try payoff("6d-enhc", "8 10 8 3 2 3 10 A", "PDD") == -40)
    #expect(try payoff("6d-enhc", "8 A 8 8 8 2 2 2 2 10", "PPPSSSS") == -40)
  }

  @Test("Original bets only: a natural takes one bet, even where every doubled and split hand is bust")
  func originalBetOnly() throws {
    #expect(try payoff("6d-obo", "8 10 8 3 10 2 10 10 A", "PDHH") == -10)
    #expect(try payoff("6d-obo", "8 A 8 8 8 2 2 2 2 10", "PPPSSSS") == -10)
    // A doubled 12 that busts: the dealer still turns a card, for a natural gives the second bet back.
    #expect(try payoff("6d-obo", "10 10 2 10 A", "D") == -10)
    #expect(try payoff("6d-obo", "10 10 2 10 9", "D") == -20)
    #expect(try payoff("6d-obo", "10 9 2 10", "D") == -20)
    #expect(try payoff("6d-obo", "8 A 8 10 10 10 10 10", "PHH") == -10)
  }
}
