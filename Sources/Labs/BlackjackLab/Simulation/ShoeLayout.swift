// SPDX-License-Identifier: GPL-3.0-or-later
package import BlackjackCore

/// Numbers for the cards of a shoe: the aces first, then the twos, and so on, the tens last.
package enum ShoeLayout {
  /// How many numbers: the cards of a finite shoe; the thirteen ranks of an infinite one.
  package static func size(of rules: Rules) -> Int {
    guard case .finite(let decks) = rules.decks else { return 13 }
    return 52 * decks
  }

  /// What each number counts for, in tables of ten: ace 0 to ten 9.
  package static func values(of rules: Rules) -> [UInt8] {
    CardValue.allCases.flatMap { value in
      Array(repeating: UInt8(value.index), count: count(of: value, in: rules))
    }
  }

  /// The first number of each value.
  package static func firstCards(of rules: Rules) -> [Int] {
    var next = 0
    return CardValue.allCases.map { value in
      defer { next += count(of: value, in: rules) }
      return next
    }
  }

  /// How many numbers count for a value.
  package static func count(of value: CardValue, in rules: Rules) -> Int {
    rules.cards(of: value) ?? value.ranksPerSuit
  }
}
