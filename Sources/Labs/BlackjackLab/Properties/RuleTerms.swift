// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import PropertyTesting

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
  ///
  /// - Parameter decks: How many decks; 0 is an infinite shoe.
  /// - Returns: A generator of terms.
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
