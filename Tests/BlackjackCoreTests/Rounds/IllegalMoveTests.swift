// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("Moves out of turn") struct IllegalMoveTests {
  @Test("An action that the rules forbid names the hand and what is allowed, and changes nothing")
  func illegal() throws {
    var round = try unfinished("6d", "10 9 6 9")
    let before = round
    #expect(
      throws: BlackjackError.illegalAction(.split, hand: Hand(.ten, .six), options: [.stand, .hit, .double])
    ) { try round.act(.split) }
    #expect(throws: BlackjackError.self) { try round.act(.surrender) }
    #expect(round == before)
  }

  @Test("The error says it in words")
  func words() throws {
    var round = try unfinished("6d", "10 9 6 9")
    let error = blackjackError { try round.act(.split) }
    #expect(error?.description == "split is not allowed with hard 16; allowed: stand, hit, double.")
  }

  @Test("A card when a decision is due is an error and changes nothing")
  func cardOutOfTurn() throws {
    var round = try unfinished("6d", "10 9 6 9")
    let before = round
    let error = blackjackError { try round.receive(.five) }
    #expect(error == .notAsked(offered: "a card", needed: "a decision"))
    #expect(round == before)
  }

  @Test("A decision when a card is due is an error and changes nothing", arguments: Action.allCases)
  func decisionOutOfTurn(action: Action) throws {
    for shoe in ["", "10", "10 9", "10 9 6"] {
      var round = try unfinished("6d-ls", shoe)
      let before = round
      let seat = round.need == .playerCard ? "player" : "dealer"
      let error = blackjackError { try round.act(action) }
      #expect(error == .notAsked(offered: action.name, needed: "a card for the \(seat)"))
      #expect(round == before)
    }
  }

  @Test("After the end neither cards nor decisions are taken", arguments: ["A 9 10 9", "10 A 9 10"])
  func afterTheEnd(shoe: String) throws {
    var round = try played("6d", shoe)
    let before = round
    let error = blackjackError { try round.receive(.five) }
    #expect(error == .notAsked(offered: "a card", needed: "nothing: it is over"))
    for action in Action.allCases { #expect(throws: BlackjackError.self) { try round.act(action) } }
    #expect(round == before)
    #expect(round.options == [])
  }
}
