// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("The dealer") struct DealerTests {
  @Test("Stands on a soft 17 or draws to it, as the rules say")
  func soft17() throws {
    #expect(try payoff("6d", "10 6 10 A", "S") == 10)
    #expect(try payoff("6d-h17", "10 6 10 A 4", "S") == -10)
    #expect(try payoff("6d-h17", "10 6 10 A 10", "S") == 10)
    #expect(try payoff("6d", "10 3 7 A 3", "S") == 0)
    #expect(try payoff("6d-h17", "10 3 7 A 3 A", "S") == -10)
    #expect(try payoff("6d-h17", "10 3 7 A 3 10", "S") == 0)
  }

  @Test("Does not draw when every hand is bust", arguments: ["6d", "6d-enhc"])
  func bustPlayer(name: String) throws {
    let hole = name == "6d" ? " 6" : ""
    #expect(try payoff(name, "10 10 6\(hole) 10", "H") == -10)
    #expect(try payoff(name, "10 10 2\(hole) 10", "D") == -20)
    #expect(try payoff(name, "8 10 8\(hole) 8 10 10 10 10 10 10", "PPHHH") == -30)
  }

  @Test("Draws when one hand of several is left")
  func oneLeft() throws {
    #expect(try payoff("6d", "8 10 8 6 10 10 10 9", "PHS") == 0)
  }

  @Test("The better total wins, the same pushes, a bust dealer pays everyone who is not bust")
  func comparison() throws {
    #expect(try payoff("6d", "10 10 9 8", "S") == 10)
    #expect(try payoff("6d", "10 10 8 8", "S") == 0)
    #expect(try payoff("6d", "10 10 8 9", "S") == -10)
    #expect(try payoff("6d", "10 10 2 6 10", "S") == 10)
    #expect(try payoff("6d", "8 10 8 6 10 10 4 10", "PHS") == 0)
    #expect(try payoff("6d", "5 6 6 10 2 10", "D") == 20)
  }

  @Test("How a finished hand ends: 17 to 21, bust, natural")
  func finals() throws {
    #expect(try DealerFinal(hand("10 7")) == .seventeen)
    #expect(try DealerFinal(hand("A 6")) == .seventeen)
    #expect(try DealerFinal(hand("A 7")) == .eighteen)
    #expect(try DealerFinal(hand("10 5 4")) == .nineteen)
    #expect(try DealerFinal(hand("10 10")) == .twenty)
    #expect(try DealerFinal(hand("7 7 7")) == .twentyOne)
    #expect(try DealerFinal(hand("A 10")) == .natural)
    #expect(try DealerFinal(hand("10 6 6")) == .bust)
    #expect(DealerFinal.allCases.map(\.total) == [17, 18, 19, 20, 21, 0, 21])
  }

  @Test("What a round pays against each ending is what it pays when the dealer ends so")
  func againstEnding() throws {
    let round = try unfinished("6d", "8 10 8 5 10 3 9", "PSD")
    let ends: [(String, DealerFinal)] = [
      ("2", .seventeen), ("3", .eighteen), ("4", .nineteen), ("5", .twenty), ("6", .twentyOne), ("7", .bust),
    ]
    for (card, final) in ends {
      var finished = round
      for value in try cards(card) { try finished.receive(value) }
      #expect(finished.need == .nothing)
      #expect(finished.payoffTenths == round.payoffTenths(against: final), "\(final)")
    }
  }
}
