// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("Splits") struct SplitTests {
  @Test(
    "Splits stop at two, three or four hands", arguments: [("6d-spl1", 2), ("6d-spl2", 3), ("6d-spl3", 4), ("6d", 4)])
  func handLimit(name: String, maximum: Int) throws {
    let shoe = "8 9 8 9" + String(repeating: " 8", count: maximum - 1)
    let round = try unfinished(name, shoe, String(repeating: "P", count: maximum - 1))
    #expect(round.handCount == maximum)
    #expect(round.activeHand.hand.pair == .eight)
    #expect(round.options.isDisjoint(with: ActionSet(.split)))
  }

  @Test("The limit counts all hands, wherever the next pair comes")
  func limitAcrossHands() throws {
    let round = try unfinished("6d-spl2", "8 9 8 9 8 2 3 8", "PPSS")
    #expect(round.handCount == 3)
    #expect(round.activeHand.hand.pair == .eight)
    #expect(round.options == [.stand, .hit, .double])
  }

  @Test("The last hand may be split again while there is room")
  func splitTheLast() throws {
    let round = try played("6d", "8 9 8 10 2 8 3 4", "PSPSS")
    #expect(round.handCount == 3)
    #expect(round.payoffTenths == -30)
  }

  @Test("A split ace takes one card and is asked nothing")
  func splitAces() throws {
    #expect(try payoff("6d", "A 9 A 9 2 9", "P") == 0)
    let round = try played("6d", "A 9 A 9 2 9", "P")
    #expect(round.hand(at: 0).isSplitAce && round.hand(at: 1).isSplitAce)
    #expect(round.hand(at: 0).hand == Hand(.ace, .two))
  }

  @Test("A second ace on a split ace stays there without RSA")
  func noResplitAces() throws {
    #expect(try payoff("6d", "A 9 A 9 A A", "P") == -20)
  }

  @Test("With RSA a second ace on a split ace may be split or left, and nothing else")
  func resplitAces() throws {
    #expect(try unfinished("6d-rsa", "A 9 A 9 A", "P").options == [.stand, .split])
    #expect(try payoff("6d-rsa", "A 9 A 9 A 10 10 10", "PP") == 30)
    #expect(try payoff("6d-rsa", "A 9 A 9 A 10", "PS") == 0)
  }

  @Test("With RSA aces stop at the hand limit as well")
  func resplitAcesLimit() throws {
    #expect(try payoff("6d-rsa-spl2", "A 9 A 9 A A A A", "PP") == -30)
    #expect(try payoff("6d-rsa", "A 9 A 9 A A A A A A", "PPP") == -40)
  }

  @Test("With HSA a split ace plays like any hand")
  func hitSplitAces() throws {
    #expect(try unfinished("6d-hsa", "A 9 A 9 2", "P").options == [.stand, .hit, .double])
    #expect(try payoff("6d-hsa", "A 9 A 9 2 5 7 2", "PHSD") == 20)
  }

  @Test("Each hand of a split is settled alone, with its own bet")
  func settledAlone() throws {
    // 8,3 doubled to 21 wins two; 8,10 pushes eighteen; 8,2 hit to 15 loses.
    #expect(try payoff("6d", "8 10 8 8 8 3 10 10 2 5", "PPDSHS") == 10)
  }
}
