// SPDX-License-Identifier: Apache-2.0

import BlackjackCore

/// The rules told a second time, the long way: whole lists of cards, everything worked out anew from them at every
/// step.
///
/// It shares no code with the core beyond the names of rules, actions and needs, so that the two can be played side
/// by side.
struct ReferenceTable {
  /// One hand as a list of points, aces as one.
  struct Hand {
    var cards: [Int]
    var bets = 1
    var isFromSplit = false
    var isFromAces = false
    var isStanding = false

    /// The best of all ways to count the aces.
    var total: Int {
      let hard = cards.reduce(0, +)
      let aces = cards.count { $0 == 1 }
      return (0...aces).map { hard + 10 * $0 }.filter { $0 <= 21 }.max() ?? hard
    }

    var isSoft: Bool { total != cards.reduce(0, +) }
    var isNatural: Bool { cards.sorted() == [1, 10] && !isFromSplit }
    var isPair: Bool { cards.count == 2 && cards[0] == cards[1] }
  }

  let rules: Rules
  var hands = [Hand(cards: [])]
  var dealer = Hand(cards: [])
  var hasSurrendered = false
  /// What was said and not yet answered by a card: a hit or a double.
  var isOwedCard = false
  /// Whether anything was done, so that an early surrender is past.
  var hasActed = false

  init(rules: Rules) { self.rules = rules }

  var canSplitAgain: Bool { hands.count < rules.maximumHands }

  func maySplit(_ hand: Hand) -> Bool {
    hand.isPair && canSplitAgain && !(hand.isFromAces && hand.cards[0] == 1 && !rules.resplitAces)
  }

  /// Whether nothing more can be done with a hand.
  func isFinished(_ hand: Hand) -> Bool {
    if hand.isStanding || hand.total >= 21 { return hand.cards.count >= 2 }
    if hand.bets == 2 { return hand.cards.count == 3 }
    return hand.isFromAces && hand.cards.count == 2 && !rules.hitSplitAces && !maySplit(hand)
  }

  var active: Int? { hands.firstIndex { !isFinished($0) } }

  var dealerHasNatural: Bool { dealer.isNatural }

  /// Whether the dealer has looked under the upcard.
  var hasPeeked: Bool { rules.holeCard == .peek && (rules.surrender != .early || hasActed) }

  var isPlayerDone: Bool {
    hasSurrendered || (hasPeeked && dealerHasNatural) || active == nil
  }

  var need: Round.Need {
    let onTable = hands.map(\.cards.count).reduce(0, +)
    if onTable == 0 { return .playerCard }
    if dealer.cards.isEmpty { return .dealerCard }
    if onTable == 1 { return .playerCard }
    if rules.holeCard == .peek && dealer.cards.count == 1 { return .dealerCard }
    if !isPlayerDone, let active {
      return isOwedCard || hands[active].cards.count == 1 ? .playerCard : .decision
    }
    return dealerDraws ? .dealerCard : .nothing
  }

  /// Whether another dealer card can still decide something, found by asking every way to go on what it would pay.
  var dealerDraws: Bool {
    let isStillDrawing =
      dealer.total < 17 || dealer.cards.count == 1 || (rules.dealerHitsSoft17 && dealer.total == 17 && dealer.isSoft)
    guard isStillDrawing, !hasSurrendered || dealer.cards.count == 1 else { return false }
    let endings = [[7, 10], [8, 10], [10, 9], [10, 10], [10, 5, 6], [10, 6, 10]].map {
      payoff(against: Hand(cards: $0))
    }
    let natural = dealer.cards == [1] || dealer.cards == [10] ? [payoff(against: Hand(cards: [1, 10]))] : []
    return Set(endings + natural).count > 1
  }

  var options: [Action] {
    guard need == .decision, let active else { return [] }
    let hand = hands[active]
    let isStuck = hand.isFromAces && !rules.hitSplitAces
    let total = hand.cards.reduce(0, +)
    let lowest = [Rules.Doubling.anyTwo: 0, .nineToEleven: 9, .tenToEleven: 10][rules.doubling, default: 0]
    let doublesTotal = lowest == 0 || (!hand.isSoft && total >= lowest && total <= 11)
    let isAllowed: [Action: Bool] = [
      .stand: true,
      .hit: !isStuck,
      .double: !isStuck && hand.cards.count == 2 && doublesTotal && (!hand.isFromSplit || rules.doubleAfterSplit),
      .split: maySplit(hand),
      .surrender: rules.surrender != .none && hands.count == 1 && hand.cards.count == 2,
    ]
    return Action.allCases.filter { isAllowed[$0, default: false] }
  }

  mutating func receive(_ points: Int) {
    if need == .dealerCard {
      dealer.cards.append(points)
    } else if let active {
      hands[active].cards.append(points)
      isOwedCard = false
    }
  }

  mutating func act(_ action: Action) {
    guard let active else { return }
    if action == .surrender { hasSurrendered = true }
    hasActed = true
    guard !isPlayerDone else { return }
    switch action {
    case .stand: hands[active].isStanding = true
    case .hit: isOwedCard = true
    case .double:
      isOwedCard = true
      hands[active].bets = 2
    case .split:
      let card = hands[active].cards[0]
      let half = Hand(cards: [card], isFromSplit: true, isFromAces: card == 1)
      hands.replaceSubrange(active...active, with: [half, half])
    case .surrender: break
    }
  }

  var payoff: Int { payoff(against: dealer) }

  /// What the round pays against a finished dealer hand, in tenths of a bet.
  func payoff(against dealer: Hand) -> Int {
    if hasSurrendered {
      return dealer.isNatural && rules.surrender == .late ? -10 : -5
    }
    if hands[0].isNatural {
      let pays = [Rules.NaturalPays.threeToTwo: 15, .sixToFive: 12, .evenMoney: 10, .twoToOne: 20]
      return dealer.isNatural ? 0 : pays[rules.naturalPays, default: 0]
    }
    if dealer.isNatural && rules.holeCard != .noneAllBetsLost { return -10 }
    return hands.map { hand in
      if hand.total > 21 || dealer.isNatural { return -10 * hand.bets }
      if dealer.total > 21 || hand.total > dealer.total { return 10 * hand.bets }
      return hand.total == dealer.total ? 0 : -10 * hand.bets
    }.reduce(0, +)
  }
}
