// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("Cards") struct CardTests {
  @Test("A deck has 52 different cards, four of every rank")
  func deck() {
    #expect(Card.deck.count == 52)
    #expect(Set(Card.deck).count == 52)
    for rank in Rank.allCases { #expect(Card.deck.count { $0.rank == rank } == 4) }
  }

  @Test("Sixteen cards of a deck count ten, four count every other value")
  func valuesOfADeck() {
    for value in CardValue.allCases {
      #expect(Card.deck.count { $0.value == value } == 4 * value.ranksPerSuit)
      #expect(value.ranksPerSuit == (value == .ten ? 4 : 1))
    }
  }

  @Test("A card's points are its pips; faces count ten and an ace one")
  func points() {
    #expect(Rank.allCases.map(\.value.points) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10])
    #expect(CardValue.allCases.map(\.index) == Array(0..<10))
    #expect(CardValue.allCases.sorted() == CardValue.allCases)
  }

  @Test("Charts print the ace last")
  func chartOrder() {
    #expect(CardValue.chartOrder.map(\.description) == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"])
  }

  @Test("A card is written with its rank and its suit")
  func description() {
    #expect(Card(.queen, of: .hearts).description == "Q♥")
    #expect(Card(.ten, of: .spades).description == "10♠")
    #expect(Card(.ace, of: .clubs).description == "A♣")
    #expect(Card(.king, of: .diamonds).description == "K♦")
    #expect(Card(.jack, of: .diamonds).rank.symbol == "J")
  }

  @Test("A value reads back from what it prints, and from faces in either case", arguments: CardValue.allCases)
  func reading(value: CardValue) {
    #expect(CardValue(value.description) == value)
    #expect(CardValue(value.description.lowercased()) == value)
  }

  @Test("T, J, Q and K are tens", arguments: ["T", "J", "Q", "K", "t", "j", "q", "k"])
  func faces(text: String) {
    #expect(CardValue(text) == .ten)
  }

  @Test(
    "A text that is not a card is refused",
    arguments: [
      "", " ", "1", "0", "11", "12", "-2", "+5", "05", "2.0", "AA", "B", "٥", "５", "256", "99999999999999999999", "♠",
    ])
  func unreadable(text: String) {
    #expect(CardValue(text) == nil)
  }
}

@Suite("Actions") struct ActionTests {
  @Test("An action reads back from its letter in either case", arguments: Action.allCases)
  func letters(action: Action) {
    #expect(Action(letter: String(action.letter)) == action)
    #expect(Action(letter: action.letter.lowercased()) == action)
  }

  @Test("Actions have the letters and names of the field")
  func names() {
    #expect(String(Action.allCases.map(\.letter)) == "SHDPR")
    #expect(Action.allCases.map(\.name) == ["stand", "hit", "double", "split", "surrender"])
  }

  @Test("A text that is not a letter of an action is refused", arguments: ["", "X", "SS", "hit", " H", "1"])
  func unreadable(text: String) {
    #expect(Action(letter: text) == nil)
  }

  @Test("A set holds exactly the actions put into it", arguments: UInt8(0)..<32)
  func sets(bits: UInt8) {
    let set = ActionSet(rawValue: bits)
    for action in Action.allCases {
      #expect(set.contains(action) == set.actions.contains(action))
      #expect(set.contains(action) == !set.isDisjoint(with: ActionSet(action)))
    }
    #expect(set.actions.map { ActionSet($0) }.reduce(ActionSet()) { $0.union($1) } == set)
  }
}
