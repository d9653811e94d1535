// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("Surrender") struct SurrenderTests {
  @Test("Surrender gives up half the bet and ends the round without another card", arguments: ["6d-ls", "6d-es"])
  func half(name: String) throws {
    #expect(try payoff(name, "10 10 6 9", "R") == -5)
    #expect(try payoff(name, "10 A 6 9", "R") == -5)
    #expect(try played(name, "10 A 6 9", "R").isSurrendered)
  }

  @Test("Late surrender comes after the peek: a natural has taken the bet already")
  func latePeek() throws {
    #expect(try payoff("6d-ls", "10 10 6 A") == -10)
    #expect(try payoff("6d-ls", "10 A 6 10") == -10)
  }

  @Test("Early surrender comes before the peek: half the bet is safe from a natural")
  func earlyPeek() throws {
    #expect(try payoff("6d-es", "10 10 6 A", "R") == -5)
    #expect(try payoff("6d-es", "10 A 6 10", "R") == -5)
  }

  @Test(
    "With early surrender the peek follows the first other action, which then takes no card",
    arguments: ["S", "H", "D"])
  func peekAfterFirstAction(move: String) throws {
    #expect(try payoff("6d-es", "10 10 6 A", move) == -10)
    #expect(try payoff("6d-es", "10 A 6 10", move) == -10)
  }

  @Test("With early surrender a split against a hidden natural costs one bet and makes no hand")
  func splitIntoNatural() throws {
    let round = try played("6d-es", "8 A 8 10", "P")
    #expect(round.payoffTenths == -10)
    #expect(round.handCount == 1)
  }

  @Test("With early surrender and no natural, play goes on as ever")
  func earlyPlaysOn() throws {
    #expect(try payoff("6d-es", "5 10 6 9 10", "D") == 20)
    #expect(try payoff("6d-es", "8 A 8 9 10 10", "PSS") == -20)
    #expect(try payoff("6d-es", "A A 10 9") == 15)
  }

  @Test("Without a hole card, late surrender loses the whole bet to a natural", arguments: ["6d-ls-enhc", "6d-ls-obo"])
  func lateWithoutHoleCard(name: String) throws {
    #expect(try payoff(name, "10 10 6 A", "R") == -10)
    #expect(try payoff(name, "10 A 6 10", "R") == -10)
    #expect(try payoff(name, "10 10 6 9", "R") == -5)
    #expect(try payoff(name, "10 A 6 9", "R") == -5)
    #expect(try payoff(name, "10 9 6", "R") == -5)
  }

  @Test(
    "Without a hole card, early surrender saves half the bet and asks for no card",
    arguments: ["6d-es-enhc", "6d-es-obo"])
  func earlyWithoutHoleCard(name: String) throws {
    #expect(try payoff(name, "10 10 6", "R") == -5)
    #expect(try payoff(name, "10 A 6", "R") == -5)
  }

  @Test(
    "A natural takes more than half the bet only from a late surrender without a hole card",
    arguments: [("6d-ls-enhc", -10), ("6d-ls-obo", -10), ("6d-es-enhc", -5), ("6d-es-obo", -5), ("6d-es", -5)])
  func againstEndings(name: String, naturalTakes: Int) throws {
    // A surrendered 16 against a ten, the dealer's second card not yet turned where there is no hole card.
    let round = try unfinished(name, name == "6d-es" ? "10 10 6 9" : "10 10 6", "R")
    for final in DealerFinal.allCases {
      #expect(round.payoffTenths(against: final) == (final == .natural ? naturalTakes : -5), "\(final)")
    }
  }
}
