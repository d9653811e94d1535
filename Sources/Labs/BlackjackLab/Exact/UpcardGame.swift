// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The game against one upcard: the values of every hand's actions over the exact shoe.
///
/// Where the dealer looks under the upcard, everything is measured given no natural. So it is where there is no hole
/// card but a natural takes the original bet only: whatever the player does, a natural costs exactly one bet, so EV =
/// (1 - P) EV(given none) - P, and the decisions are those of a game with a look. Only where a natural takes all bets
/// are the values unconditional, the natural being one of the dealer's endings.
struct UpcardGame {
  let rules: Rules
  let upcard: CardValue
  let tree = HandTree.shared
  let dealer: DealerTrie
  /// The shoe without the upcard.
  let shoe: ShoeContents
  /// What the player does after the first action.
  private(set) var policy: HandPolicy
  /// The value of standing, by hand; computed where the analysis asks for it.
  private(set) var standing: [Double]
  /// The value of a hand that may hit or stand from now on.
  private(set) var later: [Double]
  /// The dealer's chances against the hands themselves, and against hands with further pair cards gone.
  var odds: OddsCache
  /// What a bet on a total 0 to 21 wins against each ending.
  private(set) var results: [DealerChances]

  /// The values against an upcard.
  ///
  /// - Parameters:
  ///   - rules: the game.
  ///   - upcard: the dealer's card.
  ///   - policy: what the player does after the first action; `nil` for what is best for the hand's own cards.
  init(rules: Rules, upcard: CardValue, policy: HandPolicy?) {
    self.rules = rules
    self.upcard = upcard
    dealer = DealerTrie(
      rules: rules, upcard: upcard, givenNoNatural: rules.holeCard != .noneAllBetsLost, tree: tree)
    var shoe = ShoeContents(rules: rules)
    shoe.remove(upcard.index)
    self.shoe = shoe
    self.policy = policy ?? HandPolicy(undecidedFor: tree)
    standing = Array(repeating: 0, count: tree.count)
    standing[HandTree.bust] = -1
    later = standing
    odds = OddsCache(dealer: dealer, tree: tree, isInfinite: rules.decks == .infinite)
    results = (0...21).map(DealerFinal.results)
    solve(decides: policy == nil)
  }

  /// The same game with every hand's result squared: its values are second moments, in squared stakes. A double's
  /// value, twice that of one stake, has to be doubled once more.
  func squared() -> UpcardGame {
    var copy = self
    copy.results = results.map { $0 * $0 }
    copy.standing[HandTree.bust] = 1
    copy.later[HandTree.bust] = 1
    copy.solve(decides: false)
    return copy
  }

  /// Works through all hands, those with most points first.
  private mutating func solve(decides: Bool) {
    computeStanding(decides: decides)
    var chances = Array(repeating: 0.0, count: 10)
    var left = shoe
    for hand in (HandTree.empty..<tree.count).reversed() where tree.sizes[hand] >= 2 {
      left.remove(hand: hand, of: tree)
      defer { left.restore(hand: hand, of: tree) }
      guard left.isPossible else { continue }
      if tree.hands[hand].total == 21 || (!decides && policy.later[hand] == .stand) {
        later[hand] = standing[hand]
        continue
      }
      left.drawChances(hidden: dealer.hidden, into: &chances)
      let hitting = expectation(of: later, after: hand, chances: chances)
      if decides { decide(hand, hitting: hitting, chances: chances) }
      later[hand] = policy.later[hand] == .stand ? standing[hand] : hitting
    }
  }

  /// Computes what standing is worth, for hands that may stand and for those of two or three cards: a hand's first
  /// action may be to stand, or a double.
  private mutating func computeStanding(decides: Bool) {
    var stands: [Int] = []
    var left = shoe
    for hand in HandTree.empty..<tree.count where tree.sizes[hand] >= 2 {
      let mayStand = decides ? Self.mayStand(tree.hands[hand]) : policy.later[hand] == .stand
      guard mayStand || tree.sizes[hand] <= 3 else { continue }
      left.remove(hand: hand, of: tree)
      defer { left.restore(hand: hand, of: tree) }
      guard left.isPossible else { continue }
      stands.append(hand)
      odds.want(hand, shoe: left)
    }
    odds.compute()
    for hand in stands { standing[hand] = (odds.chances(hand) * results[tree.hands[hand].total]).sum() }
  }

  /// Whether standing can be best. A hand that no card can bust, nor lower below what it is worth, gains by any card:
  /// a total below 17 is worth the same as any other, and a hard total up to 11 only grows.
  private static func mayStand(_ hand: Hand) -> Bool {
    hand.isSoft ? hand.total >= 17 : hand.hardTotal >= 12
  }

  /// Chooses what is best for the hand's own cards; equal values stand.
  private mutating func decide(_ hand: Int, hitting: Double, chances: [Double]) {
    let stands = standing[hand] >= hitting && Self.mayStand(tree.hands[hand])
    policy.later[hand] = stands ? .stand : .hit
    policy.afterSplit[hand] = policy.later[hand]
    guard tree.sizes[hand] == 2, rules.optionsAfterSplit(tree.hands[hand]).contains(.double) else { return }
    let doubling = 2 * expectation(of: standing, after: hand, chances: chances)
    if doubling > max(hitting, standing[hand]) { policy.afterSplit[hand] = .double }
  }

  /// The mean of a value over the hands that one more card makes of a hand.
  func expectation(of values: [Double], after hand: Int, chances: [Double]) -> Double {
    var sum = 0.0
    for value in 0..<10 { sum += chances[value] * values[tree.child(hand, value)] }
    return sum
  }
}
