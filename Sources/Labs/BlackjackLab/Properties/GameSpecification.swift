// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import PropertyTesting

/// What a hand is, by definition and without regard to speed: the second account that the core's hands are held to.
struct HandSpecification {
  let cards: [CardValue]

  /// Every sum that the cards can count for, ascending. Which of the aces count eleven makes no difference to a sum,
  /// only how many do.
  var counts: [Int] {
    let aces = cards.count { $0 == .ace }
    let others = cards.reduce(0) { $0 + ($1 == .ace ? 0 : $1.points) }
    return (0...aces).map { elevens in others + (aces - elevens) + 11 * elevens }
  }

  /// The largest sum that is not over 21, or the smallest if all are.
  var total: Int { counts.last { $0 <= 21 } ?? counts[0] }

  var isSoft: Bool { total > counts[0] }

  var isBust: Bool { counts.allSatisfy { $0 > 21 } }

  /// The chart row: by pair where allowed, else by soft or hard total, among those that charts have.
  func row(asPair: Bool) -> ChartRow? {
    guard cards.count >= 2 else { return nil }
    if asPair, cards.count == 2, cards[0] == cards[1] { return .pair(cards[0]) }
    return isSoft ? .soft(total) : .hard(total)
  }

  /// Where a chart prints a cell: hard 5 to 19, soft 13 to 20, pairs 2 to 10 and aces; in each row 2 to 10 and the ace.
  static func place(of row: ChartRow, against upcard: CardValue) -> Int {
    func aceLast(_ points: Int) -> Int { points == 1 ? 9 : points - 2 }
    let above =
      switch row.kind {
      case .hard: row.player - 5
      case .soft: 15 + row.player - 13
      case .pair: 23 + aceLast(row.player)
      }
    return 10 * above + aceLast(upcard.points)
  }

  /// The two-card hands, each once, the larger card first.
  static let pairsOfCards: [(CardValue, CardValue)] = CardValue.allCases.flatMap { first in
    CardValue.allCases.filter { $0 <= first }.map { (first, $0) }
  }
}

/// A round to be played: the cards as they come and what the player wishes to do.
///
/// Wishes that are not allowed when their turn comes are skipped; when they are exhausted the player stands, and when the
/// cards are exhausted every further one is a ten. So any script is a legal round, and a shorter one is a simpler one.
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

  static func any() -> Gen<RoundScript> {
    zip(
      Gen<Rules>.rules(), Gen<CardValue>.deals(0...20),
      Gen.arrays(of: Gen.elements(of: Action.allCases), count: 0...12)
    ).map { RoundScript(rules: $0, cards: $1, wishes: $2) }
  }

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
  var stakes: Int { (0..<handCount).reduce(0) { $0 + hand(at: $1).bets } }

  /// Whether the dealer was dealt an ace and a ten.
  var dealerHasNatural: Bool { DealerFinal(dealer) == .natural }

  /// What the rules owe the player of a finished round, by what lies on the table, in tenths of a bet.
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

  /// What may be done with the active hand, by what lies on the table.
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
  var names: String { actions.isEmpty ? "nothing" : actions.map(\.name).joined(separator: ", ") }
}

/// The terms of a game before they are checked, so that one can be changed.
struct RuleTerms: Sendable {
  /// 1 to 8; 0 for an infinite shoe.
  var decks = 6
  var dealerHitsSoft17 = false
  var doubleAfterSplit = true
  var maximumHands = 4
  var resplitAces = false
  var hitSplitAces = false
  var doubling = Rules.Doubling.anyTwo
  var surrender = Rules.Surrender.none
  var holeCard = Rules.HoleCard.peek
  var naturalPays = Rules.NaturalPays.threeToTwo
  /// Of the shoe, in percent; nil for a fresh one every round.
  var cut: Int?

  /// The rules. What contradicts another term is left out, so that any terms are a game.
  func rules() throws -> Rules {
    try Rules(
      decks: decks == 0 ? .infinite : .finite(decks), dealerHitsSoft17: dealerHitsSoft17,
      doubleAfterSplit: doubleAfterSplit, maximumHands: maximumHands, resplitAces: resplitAces && maximumHands > 2,
      hitSplitAces: hitSplitAces, doubling: doubling, surrender: surrender, holeCard: holeCard,
      naturalPays: naturalPays, dealing: decks == 0 ? .freshShoe : cut.map { .cutCard(percent: $0) } ?? .freshShoe)
  }

  /// Terms of any game; counterexamples come down to six decks and what every rule leaves unsaid.
  static func any(decks: Gen<Int> = .integers(in: 0...8, towards: 6)) -> Gen<RuleTerms> {
    let maximum = Gen.integers(in: 2...4, towards: 4)
    let flag = Gen<Bool>.booleans()
    let doubling = Gen.elements(of: Rules.Doubling.allCases)
    let surrender = Gen.elements(of: Rules.Surrender.allCases)
    let holeCard = Gen.elements(of: Rules.HoleCard.allCases)
    let naturalPays = Gen.elements(of: Rules.NaturalPays.allCases)
    let cut = Gen.integers(in: 9...95)
    return Gen { draws in
      var terms = RuleTerms()
      terms.decks = try draws.draw(decks)
      terms.dealerHitsSoft17 = try draws.draw(flag)
      terms.doubleAfterSplit = try !draws.draw(flag)
      terms.maximumHands = try draws.draw(maximum)
      terms.resplitAces = try draws.draw(flag)
      terms.hitSplitAces = try draws.draw(flag)
      terms.doubling = try draws.draw(doubling)
      terms.surrender = try draws.draw(surrender)
      terms.holeCard = try draws.draw(holeCard)
      terms.naturalPays = try draws.draw(naturalPays)
      let percent = try draws.draw(cut)
      terms.cut = percent < 10 ? nil : percent
      return terms
    }
  }
}

/// Two games that differ by one thing that the player may do in the second and not in the first.
struct AddedOption: Sendable, CustomStringConvertible {
  /// What a player may be given.
  enum Option: CaseIterable, Sendable {
    case doubleAfterSplit, thirdHand, fourthHand, resplitAces, hitSplitAces, doubleNine, doubleAny, surrender, early
  }

  let without: Rules
  let with: Rules

  var description: String { "\(without) and \(with)" }

  /// The terms, and those with the option added; the terms are changed where they already have it.
  init(_ option: Option, to base: RuleTerms) throws {
    var (less, more) = (base, base)
    switch option {
    case .doubleAfterSplit: (less.doubleAfterSplit, more.doubleAfterSplit) = (false, true)
    case .thirdHand: (less.maximumHands, more.maximumHands) = (2, 3)
    case .fourthHand: (less.maximumHands, more.maximumHands) = (3, 4)
    case .resplitAces:
      (less.maximumHands, more.maximumHands) = (max(3, base.maximumHands), max(3, base.maximumHands))
      (less.resplitAces, more.resplitAces) = (false, true)
    case .hitSplitAces: (less.hitSplitAces, more.hitSplitAces) = (false, true)
    case .doubleNine: (less.doubling, more.doubling) = (.tenToEleven, .nineToEleven)
    case .doubleAny: (less.doubling, more.doubling) = (.nineToEleven, .anyTwo)
    case .surrender: (less.surrender, more.surrender) = (.none, .late)
    case .early: (less.surrender, more.surrender) = (.late, .early)
    }
    without = try less.rules()
    with = try more.rules()
  }

  /// Infinite shoes, where the hand's own cards say everything about those to come, so that the values are exact.
  static func any() -> Gen<AddedOption> {
    zip(Gen.elements(of: Option.allCases), RuleTerms.any(decks: .just(0))).map { try AddedOption($0, to: $1) }
  }
}
