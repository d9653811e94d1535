// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("The deal") struct DealingTests {
  /// Notes who each card was for and who was asked, in order: `P`, `D` and `?`.
  private func transcript(_ name: String, _ shoe: String, _ moves: String) throws -> String {
    var round = Round(rules: try Rules(name: name))
    var shoe = try cards(shoe)[...]
    var moves = Substring(moves)
    var transcript = ""
    while round.need != .nothing {
      switch round.need {
      case .playerCard, .dealerCard:
        transcript += round.need == .playerCard ? "P" : "D"
        let card = shoe.popFirst()
        try round.receive(#require(card))
      case .decision:
        transcript += "?"
        let letter = moves.popFirst().map(String.init) ?? ""
        try round.act(#require(Action(letter: letter)))
      case .nothing: break
      }
    }
    #expect(shoe.isEmpty && moves.isEmpty)
    return transcript
  }

  @Test("Cards fall player, upcard, player, hole card; then the player plays, then the dealer draws")
  func orderWithHoleCard() throws {
    #expect(try transcript("6d", "5 6 4 10 10 5", "HS") == "PDPD?P?D")
  }

  @Test("Without a hole card the dealer's second card comes when the player is done", arguments: ["6d-enhc", "6d-obo"])
  func orderWithoutHoleCard(name: String) throws {
    #expect(try transcript(name, "5 6 4 10 10 5", "HS") == "PDP?P?DD")
  }

  @Test("The first card of the dealer is the upcard, the second is not")
  func upcard() throws {
    let round = try unfinished("6d", "10 6 9 A")
    #expect(round.upcard == .six)
    #expect(round.dealer == Hand(.six, .ace))
    #expect(round.activeHand.hand == Hand(.ten, .nine))
    #expect(round.handCount == 1)
  }

  @Test("A split deals a second card to the first hand and plays it out before the second hand gets its own")
  func splitOrder() throws {
    #expect(try transcript("6d", "8 6 8 10 3 10 2 10 5", "PDHS") == "PDPD?P?PP?P?D")
    let round = try unfinished("6d", "8 6 8 10 3", "P")
    #expect(round.handCount == 2)
    #expect(round.hand(at: 0).hand == Hand(.eight, .three))
    #expect(round.hand(at: 1).hand == Hand(.eight))
    #expect(round.activeHand == round.hand(at: 0))
  }

  @Test("A resplit puts the new hand next, before those that waited already")
  func resplitOrder() throws {
    // 8,8 splits; the first half gets an 8 and splits again: hands 8,2 8,3 and 8,4 stand in the order of the table.
    let round = try played("6d", "8 6 8 10 8 2 3 4 5", "PPSSS")
    #expect(round.handCount == 3)
    let second: [CardValue] = [.two, .three, .four]
    for position in 0..<3 { #expect(round.hand(at: position).hand == Hand(.eight, second[position])) }
  }

  @Test("A hand of 21 is not asked, whether dealt, drawn or made by a split")
  func twentyOne() throws {
    #expect(try transcript("6d", "A 9 10 9", "") == "PDPD")
    #expect(try transcript("6d", "5 9 6 9 10", "H") == "PDPD?P")
    #expect(try transcript("6d", "10 9 10 9 A A", "P") == "PDPD?PP")
    #expect(try transcript("6d", "A 9 7 9 3", "H") == "PDPD?P")
  }

  @Test("A hand that busts is over at once")
  func bust() throws {
    #expect(try transcript("6d", "10 9 6 9 10", "H") == "PDPD?P")
  }

  @Test("A round that has not begun holds no cards and waits for the player's first")
  func fresh() throws {
    let round = Round(rules: try Rules(name: "6d"))
    #expect(round.need == .playerCard && round.handCount == 1 && !round.isPlayerDone && !round.isSurrendered)
    #expect(round.activeHand == PlayerHand() && round.dealer == Hand())
    #expect(round.options == [])
  }

  @Test("Rounds are values: a copy plays on alone")
  func copies() throws {
    let first = try unfinished("6d", "10 9 6 9")
    var second = first
    try second.act(.hit)
    #expect(first.need == .decision && second.need == .playerCard)
    #expect(try first == unfinished("6d", "9 9 7 9"))
  }
}
