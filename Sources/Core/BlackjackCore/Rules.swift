// SPDX-License-Identifier: Apache-2.0

/// The rules of a game of blackjack, checked to be a game that can be dealt.
public struct Rules: Hashable, Sendable {
  /// How many decks of 52 cards are shuffled together.
  public enum Decks: Hashable, Sendable {
    /// A shoe of one to eight decks, dealt without replacement.
    case finite(Int)
    /// A shoe so large that every card has the same chances: drawn with replacement.
    case infinite
  }

  /// Which two-card hands may double; totals are hard.
  public enum Doubling: UInt8, CaseIterable, Hashable, Sendable {
    case anyTwo, nineToEleven, tenToEleven
  }

  /// Whether half the bet may be given up, and when.
  public enum Surrender: UInt8, CaseIterable, Hashable, Sendable {
    /// Never.
    case none
    /// Once it is known that the dealer has no natural; where there is no hole card to know it by, a natural that
    /// turns up later takes the whole bet.
    case late
    /// Before that is known: half the bet is safe from a natural.
    case early
  }

  /// When a dealer's natural is found out, and what it takes.
  public enum HoleCard: UInt8, CaseIterable, Hashable, Sendable {
    /// The dealer looks under an ace or a ten before anyone plays.
    case peek
    /// No hole card: a natural found at the end takes every bet, doubled and split ones too.
    case noneAllBetsLost
    /// No hole card: a natural found at the end takes the original bet only, and gives back whatever was added to it.
    case noneOriginalBetOnly
  }

  /// What a natural pays.
  public enum NaturalPays: UInt8, CaseIterable, Hashable, Sendable {
    case threeToTwo, sixToFive, evenMoney, twoToOne

    /// The payoff of a natural in tenths of a bet.
    @inlinable public var tenths: Int {
      switch self {
      case .threeToTwo: 15
      case .sixToFive: 12
      case .evenMoney: 10
      case .twoToOne: 20
      }
    }
  }

  /// When the shoe is shuffled.
  public enum Dealing: Hashable, Sendable {
    /// Before every round.
    case freshShoe
    /// After the round in which this percentage of the shoe has been dealt: the cut card came out.
    case cutCard(percent: Int)
  }

  /// How many decks.
  public let decks: Decks
  /// Whether the dealer draws to a soft 17 (H17) instead of standing on it (S17).
  public let dealerHitsSoft17: Bool
  /// Whether a hand made by a split may double (DAS).
  public let doubleAfterSplit: Bool
  /// The most hands that splits may make of one: 2 to 4.
  public let maximumHands: Int
  /// Whether a pair of aces made by a split may be split again.
  public let resplitAces: Bool
  /// Whether a split ace plays on like any hand, instead of taking one card.
  public let hitSplitAces: Bool
  /// Which two-card hands may double.
  public let doubling: Doubling
  /// Whether and when the player may surrender.
  public let surrender: Surrender
  /// Whether there is a hole card, and what a dealer's natural takes where there is none.
  public let holeCard: HoleCard
  /// What a natural pays.
  public let naturalPays: NaturalPays
  /// When the shoe is shuffled.
  public let dealing: Dealing

  /// Checked rules; what is left out is the common game: S17, DAS, three splits, peek, 3:2, a fresh shoe.
  ///
  /// - Throws: `BlackjackError.outOfRange` for a number the tables do not know, `.contradictoryRules` for two rules
  ///   that exclude each other, named.
  public init(
    decks: Decks, dealerHitsSoft17: Bool = false, doubleAfterSplit: Bool = true, maximumHands: Int = 4,
    resplitAces: Bool = false, hitSplitAces: Bool = false, doubling: Doubling = .anyTwo,
    surrender: Surrender = .none, holeCard: HoleCard = .peek, naturalPays: NaturalPays = .threeToTwo,
    dealing: Dealing = .freshShoe
  ) throws(BlackjackError) {
    if case .finite(let count) = decks, !(1...8).contains(count) {
      throw .outOfRange(what: "decks", found: "\(count)", expected: "1 to 8, or inf")
    }
    guard (2...4).contains(maximumHands) else {
      throw .outOfRange(what: "maximum hands", found: "\(maximumHands)", expected: "2 to 4 (spl1 to spl3)")
    }
    if resplitAces && maximumHands == 2 {
      throw .contradictoryRules("rsa", "spl1", why: "aces cannot be split again where nothing is split twice")
    }
    if case .cutCard(let percent) = dealing {
      if decks == .infinite {
        throw .contradictoryRules("cut\(percent)", "inf", why: "an infinite shoe has no cut card")
      }
      guard (10...95).contains(percent) else {
        throw .outOfRange(what: "cut card", found: "\(percent)%", expected: "10 to 95 percent of the shoe dealt")
      }
    }
    self.decks = decks
    self.dealerHitsSoft17 = dealerHitsSoft17
    self.doubleAfterSplit = doubleAfterSplit
    self.maximumHands = maximumHands
    self.resplitAces = resplitAces
    self.hitSplitAces = hitSplitAces
    self.doubling = doubling
    self.surrender = surrender
    self.holeCard = holeCard
    self.naturalPays = naturalPays
    self.dealing = dealing
  }
}

extension Rules {
  /// Whether the dealer takes another card: below 17, and on a soft 17 where the rules say so.
  @inlinable
  public func dealerDraws(to hand: Hand) -> Bool {
    hand.total < 17 || (dealerHitsSoft17 && hand.total == 17 && hand.isSoft)
  }

  /// Whether the doubling rule allows this hand, splits apart.
  @inlinable
  public func mayDouble(_ hand: Hand) -> Bool {
    guard hand.size == 2 else { return false }
    return switch doubling {
    case .anyTwo: true
    case .nineToEleven: !hand.isSoft && (9...11).contains(hand.hardTotal)
    case .tenToEleven: !hand.isSoft && (10...11).contains(hand.hardTotal)
    }
  }

  /// How many cards of that value a full shoe holds; `nil` where the shoe is infinite.
  @inlinable
  public func cards(of value: CardValue) -> Int? {
    guard case .finite(let count) = decks else { return nil }
    return 4 * count * value.ranksPerSuit
  }
}
