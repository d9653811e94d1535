// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("Moves out of turn") struct IllegalMoveTests {
  @Test("An action that the rules forbid names the hand and what is allowed")
  func illegal() throws {
    var round = try unfinished("6d", "10 9 6 9")
    let error = blackjackError { try round.act(.split) }
    #expect(error?.description == "split is not allowed with hard 16; allowed: stand, hit, double.")
  }

  @Test(
    "What comes out of turn is refused with what the round waits for",
    arguments: [("", "a card for the player"), ("10", "a card for the dealer"), ("A 9 10 9", "nothing: it is over")])
  func outOfTurn(shoe: String, needed: String) throws {
    var round = try unfinished("6d", shoe)
    for action in Action.allCases {
      #expect(blackjackError { try round.act(action) } == .notAsked(offered: action.name, needed: needed))
    }
    var asking = try unfinished("6d", "10 9 6 9")
    #expect(blackjackError { try asking.receive(.five) } == .notAsked(offered: "a card", needed: "a decision"))
  }
}
