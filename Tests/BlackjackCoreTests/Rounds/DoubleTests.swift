// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("Doubles") struct DoubleTests {
  private let double = ActionSet(.double)

  @Test("A double takes one card, two bets and no further question")
  func oneCard() throws {
    let round = try played("6d", "5 6 3 10 2 10", "D")
    #expect(round.activeHand.isDoubled && round.activeHand.bets == 2)
    #expect(round.activeHand.hand.total == 10)
    #expect(round.payoffTenths == 20)
    #expect(try payoff("6d", "5 6 3 10 2 5", "D") == -20)
    #expect(try payoff("6d", "5 10 6 10 9", "D") == 0)
  }

  @Test("Only two cards may double")
  func twoCards() throws {
    #expect(try unfinished("6d", "2 9 3 9").options == [.stand, .hit, .double])
    #expect(try unfinished("6d", "2 9 3 9 4", "H").options == [.stand, .hit])
  }

  @Test("Any two cards, hard 9 to 11, or hard 10 and 11: every two-card hand", arguments: CardValue.allCases)
  func totals(first: CardValue) throws {
    for second in CardValue.allCases where Hand(first, second).total < 21 {
      let shoe = "\(first) 9 \(second) 9"
      let isHard = first != .ace && second != .ace
      let sum = first.points + second.points
      #expect(try unfinished("6d", shoe).options.isSuperset(of: double))
      #expect(try unfinished("6d-d9", shoe).options.isSuperset(of: double) == (isHard && (9...11).contains(sum)))
      #expect(try unfinished("6d-d10", shoe).options.isSuperset(of: double) == (isHard && (10...11).contains(sum)))
    }
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
