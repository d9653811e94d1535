// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("Doubles") struct DoubleTests {
  @Test("A double takes one card, two bets and no further question")
  func oneCard() throws {
    let round = try played("6d", "5 6 3 10 2 10", "D")
    #expect(round.activeHand.isDoubled && round.activeHand.bets == 2)
    #expect(round.activeHand.hand.total == 10)
    #expect(round.payoffTenths == 20)
    #expect(try payoff("6d", "5 6 3 10 2 5", "D") == -20)
    #expect(try payoff("6d", "5 10 6 10 9", "D") == 0)
  }

  @Test("After a split a double needs DAS, and the totals that the rules double")
  func afterSplit() throws {
    #expect(try unfinished("6d", "8 9 8 9 3", "P").options == [.stand, .hit, .double])
    #expect(try unfinished("6d-nodas", "8 9 8 9 3", "P").options == [.stand, .hit])
    #expect(try unfinished("6d-d10", "8 9 8 9 3", "P").options == [.stand, .hit, .double])
    #expect(try unfinished("6d-d10", "8 9 8 9 A", "P").options == [.stand, .hit])
    #expect(try unfinished("6d-d9", "4 9 4 9 5", "P").options == [.stand, .hit, .double])
    #expect(try unfinished("6d-d10", "4 9 4 9 5", "P").options == [.stand, .hit])
  }

  @Test("A doubled hand that busts loses both bets")
  func bust() throws {
    #expect(try payoff("6d", "10 6 2 10 10", "D") == -20)
  }

  @Test("With a peek a natural takes one bet, because nobody could double into it")
  func peek() throws {
    #expect(try payoff("6d", "5 10 6 A") == -10)
  }
}
