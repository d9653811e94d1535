// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import PropertyTesting

/// A round to be played: the cards as they come and what the player wishes to do.
///
/// Wishes that are not allowed when their turn comes are skipped; when they are used up the player stands, and when the
/// cards are used up every further one is a ten. So any script is a legal round, and a shorter one is a simpler one.
struct RoundScript: Sendable, CustomStringConvertible {
  /// More cards than any round can need: four hands of at most twelve cards and the dealer's.
  static let mostCards = 60

  let rules: Rules
  let cards: [CardValue]
  let wishes: [Action]

  var description: String {
    let cards = cards.isEmpty ? "tens" : cards.map(\.description).joined(separator: " ")
    let wishes = wishes.isEmpty ? "stand" : wishes.map(\.name).joined(separator: ", ")
    return "\(rules): \(cards); \(wishes)"
  }

  /// Scripts for a round of any rules.
  static func any() -> Gen<RoundScript> {
    zip(
      Gen<Rules>.rules(), Gen<CardValue>.deals(0...20),
      Gen.arrays(of: Gen.elements(of: Action.allCases), count: 0...12)
    ).map { RoundScript(rules: $0, cards: $1, wishes: $2) }
  }

  /// Plays the round to its end.
  ///
  /// - Parameters:
  ///   - operations: The code on trial.
  ///   - visit: Sees the round whenever it waits for something, and at the end.
  /// - Returns: The finished round.
  /// - Throws: What the code on trial throws, `visit` throws, or a failure where the round does not end.
  func play(_ operations: BlackjackOperations, visit: (Round) throws -> Void = { _ in }) throws -> Round {
    var round = Round(rules: rules)
    var (dealt, wished) = (0, 0)
    while round.need != .nothing {
      try visit(round)
      if round.need == .decision {
        let options = operations.options(round)
        while wished < wishes.count, !options.contains(wishes[wished]) { wished += 1 }
        try operations.act(&round, wished < wishes.count ? wishes[wished] : .stand)
        wished += 1
      } else {
        try claim(dealt < Self.mostCards, "the round has not ended after \(dealt) cards")
        try operations.receive(&round, dealt < cards.count ? cards[dealt] : .ten)
        dealt += 1
      }
    }
    try visit(round)
    return round
  }
}

extension Round {
  /// Everything bet on the hands, in bets.
  var stakes: Int { (0..<handCount).reduce(0) { $0 + hand(at: $1).bets } }

  /// Whether the dealer was dealt an ace and a ten.
  var dealerHasNatural: Bool { DealerFinal(dealer) == .natural }

  /// What the rules owe the player of a finished round, told from what lies on the table, in tenths of a bet.
  var owedTenths: Int {
    if isSurrendered {
      let isTaken = dealerHasNatural && rules.surrender == .late && rules.holeCard != .peek
      return isTaken ? -10 : -5
    }
    if hasNatural { return dealerHasNatural ? 0 : rules.naturalPays.tenths }
    if dealerHasNatural { return rules.holeCard == .noneAllBetsLost ? -10 * stakes : -10 }
    return (0..<handCount).reduce(0) { owed, position in
      let played = hand(at: position)
      let (mine, theirs) = (played.hand.hardTotal, dealer.hardTotal)
      if mine > 21 { return owed - 10 * played.bets }
      if theirs > 21 || played.hand.total > dealer.total { return owed + 10 * played.bets }
      return played.hand.total == dealer.total ? owed : owed - 10 * played.bets
    }
  }

  /// What may be done with the active hand, told from what lies on the table.
  var allowedActions: ActionSet {
    let (hand, isSplit) = (activeHand.hand, activeHand.isSplit)
    let isFrozen = activeHand.isSplitAce && !rules.hitSplitAces
    var allowed = ActionSet.stand
    if !isFrozen { allowed.insert(.hit) }
    let doubles =
      switch rules.doubling {
      case .anyTwo: true
      case .nineToEleven: !hand.isSoft && [9, 10, 11].contains(hand.total)
      case .tenToEleven: !hand.isSoft && [10, 11].contains(hand.total)
      }
    if !isFrozen, hand.size == 2, doubles, !isSplit || rules.doubleAfterSplit { allowed.insert(.double) }
    if let pair = hand.pair, handCount < rules.maximumHands, !isSplit || pair != .ace || rules.resplitAces {
      allowed.insert(.split)
    }
    if rules.surrender != .none, !isSplit, hand.size == 2 { allowed.insert(.surrender) }
    return allowed
  }
}

extension ActionSet {
  /// The actions in words.
  var names: String { actions.isEmpty ? "nothing" : actions.map(\.name).joined(separator: ", ") }
}
