// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The game against one upcard: the values of every hand's actions over the exact shoe.
///
/// If the dealer looks under the upcard, all values are given no natural. So they are if there is no hole card but a
/// natural takes the original bet only: a natural then costs exactly one bet, whatever the player does, so EV = (1 - P)
/// EV(given none) - P, and the decisions are those of a game with a look. Only if a natural takes all bets are the
/// values unconditional, with the natural as one of the dealer's endings.
struct UpcardGame {
  let rules: Rules
  let upcard: CardValue
  let tree = HandTree.shared
  /// The hands that are analysed, ascending.
  private let hands: [Int]
  let dealer: DealerTrie
  let shoe: ShoeContents
  fileprivate(set) var policy: HandPolicy
  /// The value of standing, by hand; computed on demand.
  private(set) var standing: [Double]
  /// The total of each hand of the tree; `charlie` for a hand that wins by the number of its cards.
  let totals: [Int]
  /// The value of a doubled hand after its last card.
  private(set) var doubled: [Double]
  /// The value of a hand that may hit or stand from now on.
  private(set) var later: [Double]
  /// The dealer's chances against the hands themselves, and against hands with further pair cards gone.
  var odds: OddsCache
  /// The winnings of a bet on a total 0 to 21, or `charlie`, against each ending.
  private(set) var results: [DealerChances]
  /// The value of a doubled hand of which one bet is given up, and of returning a bet to one that a natural beats.
  private var (rescued, returned) = (-1.0, 1.0)
  /// How to choose whether a pair is split again; `nil` if the policy decides.
  private let resplit: Resplit?

  /// The game from a full shoe, or from the rest of one with the upcard still in it; of all hands, or of those
  /// reachable from some. A `dealer` of another game with the same rules and upcard saves time. Hands of a split cannot
  /// win by the number of their cards.
  init(
    rules: Rules, upcard: CardValue, policy: HandPolicy?, resplit: Resplit = .best, shoe: ShoeContents? = nil,
    among hands: [Int]? = nil, dealer: DealerTrie? = nil, isSplit: Bool = false
  ) {
    self.rules = rules
    self.resplit = policy == nil ? resplit : nil
    self.upcard = upcard
    self.dealer =
      dealer
      ?? DealerTrie(rules: rules, upcard: upcard, givenNoNatural: !rules.naturalTakesMoreBets, tree: tree)
    self.hands = hands ?? Array(HandTree.empty..<tree.count)
    var shoe = shoe ?? ShoeContents(rules: rules)
    shoe.remove(upcard.index)
    self.shoe = shoe
    self.policy = policy ?? HandPolicy(undecidedFor: tree)
    standing = Array(repeating: 0, count: tree.count)
    standing[HandTree.bust] = -1
    later = standing
    doubled = standing.map { 2 * $0 }
    odds = OddsCache(dealer: self.dealer, tree: tree, isInfinite: rules.decks == .infinite)
    results = (0...Self.charlie).map(DealerFinal.results)
    let most = rules.charlieCards > 0 && !isSplit ? rules.charlieCards : .max
    totals = zip(tree.hands, tree.sizes).map { $1 >= most ? Self.charlie : $0.total }
    solve(decides: policy == nil)
  }

  /// The total of a Charlie, which beats all others.
  static let charlie = 22
  /// The lane of a dealer's natural.
  static let natural = Int(DealerFinal.natural.rawValue)

  /// The game of a split's hands.
  var afterSplit: UpcardGame {
    guard rules.charlieCards > 0 else { return self }
    var shoe = shoe
    shoe.remove(upcard.index, -1)
    return UpcardGame(
      rules: rules, upcard: upcard, policy: resplit == nil ? policy : nil, resplit: resplit ?? .best, shoe: shoe,
      among: hands, dealer: dealer, isSplit: true)
  }

  /// The same game with every hand's result squared: its values are second moments, in squared stakes. A double's
  /// value, twice that of one stake, has to be doubled once more, and lacks the hands that lose one of two bets.
  func squared() -> UpcardGame {
    var copy = self
    copy.results = results.map { $0 * $0 }
    (copy.rescued, copy.returned) = (0, -2)
    copy.standing[HandTree.bust] = 1
    copy.later[HandTree.bust] = 1
    copy.doubled[HandTree.bust] = 2
    copy.solve(decides: false)
    return copy
  }

  private mutating func solve(decides: Bool) {
    computeStanding(decides: decides)
    var chances = Array(repeating: 0.0, count: 10)
    var left = shoe
    for hand in hands.reversed() where tree.sizes[hand] >= 2 {
      left.remove(hand: hand, of: tree)
      defer { left.restore(hand: hand, of: tree) }
      guard left.isPossible else { continue }
      if totals[hand] >= 21 || (!decides && policy.later[hand] == .stand) {
        later[hand] = standing[hand]
        continue
      }
      left.drawChances(hidden: dealer.hidden, into: &chances)
      let hitting = expectation(of: later, after: hand, chances: chances)
      if decides { decide(hand, hitting: hitting, chances: chances) }
      later[hand] = policy.later[hand] == .stand ? standing[hand] : hitting
    }
  }

  /// Computes the value of standing for hands that may stand, and for hands of two or three cards, whose first action
  /// may be to stand or a double.
  private mutating func computeStanding(decides: Bool) {
    var stands: [Int] = []
    var left = shoe
    for hand in hands where tree.sizes[hand] >= 2 {
      let mayStand =
        totals[hand] >= 21 || (decides ? Self.mayStand(tree.hands[hand]) : policy.later[hand] == .stand)
      guard mayStand || tree.sizes[hand] <= 3 else { continue }
      left.remove(hand: hand, of: tree)
      defer { left.restore(hand: hand, of: tree) }
      guard left.isPossible else { continue }
      stands.append(hand)
      odds.want(hand, shoe: left)
    }
    odds.compute()
    for hand in stands {
      let chances = odds.chances(hand)
      standing[hand] = (chances * results[totals[hand]]).sum()
      doubled[hand] = 2 * standing[hand]
      if rules.takesBustedBetsPlusOne { doubled[hand] += returned * chances[UpcardGame.natural] }
      if decides && rules.surrenderAfterDouble { policy.rescues[hand] = doubled[hand] < rescued }
      if policy.rescues[hand] { doubled[hand] = rescued }
    }
  }

  /// Returns true if standing can be best. A hand gains by any card if no card can bust it or lower its value: all
  /// totals below 17 have the same value, and a hard total up to 11 only grows.
  private static func mayStand(_ hand: Hand) -> Bool { hand.isSoft ? hand.total >= 17 : hand.hardTotal >= 12 }

  /// Chooses the better action for the hand's own cards; ties stand.
  private mutating func decide(_ hand: Int, hitting: Double, chances: [Double]) {
    let stands = standing[hand] >= hitting && Self.mayStand(tree.hands[hand])
    policy.later[hand] = stands ? .stand : .hit
    policy.afterSplit[hand] = policy.later[hand]
    guard tree.sizes[hand] == 2, rules.optionsAfterSplit(tree.hands[hand]).contains(.double) else { return }
    let doubling = expectation(of: doubled, after: hand, chances: chances)
    if doubling > max(hitting, standing[hand]) { policy.afterSplit[hand] = .double }
  }

  func expectation(of values: [Double], after hand: Int, chances: [Double]) -> Double {
    var sum = 0.0
    for value in 0..<10 { sum += chances[value] * values[tree.child(hand, value)] }
    return sum
  }

  /// The chance that a hand doubled now loses one of its two bets: it is given up, or a natural leaves the other.
  func chanceOfLosingOne(_ hand: Int) -> Double {
    var left = shoe
    left.remove(hand: hand, of: tree)
    var chances = Array(repeating: 0.0, count: 10)
    left.drawChances(hidden: dealer.hidden, into: &chances)
    return (0..<10).reduce(0) { sum, value in
      let child = tree.child(hand, value)
      if policy.rescues[child] { return sum + chances[value] }
      guard rules.takesBustedBetsPlusOne, child != HandTree.bust, chances[value] > 0 else { return sum }
      return sum + chances[value] * odds.chances(child)[UpcardGame.natural]
    }
  }

  func naturalChance(_ hand: Int) -> Double {
    guard let completing = dealer.completing else { return 0 }
    var left = shoe
    left.remove(hand: hand, of: tree)
    return left.chance(of: completing)
  }

  /// The values of a two-card hand's actions except a split.
  func withoutSplit(_ hand: Int, naturalChance: Double) -> ActionValues {
    var values = ActionValues()
    let cards = tree.hands[hand]
    if cards.isTwoCard21 {
      let pays = Double(rules.naturalPays.tenths) / 10
      values[.stand] = dealer.givenNoNatural ? pays : (1 - naturalChance) * pays
      return values
    }
    var left = shoe
    left.remove(hand: hand, of: tree)
    var chances = Array(repeating: 0.0, count: 10)
    left.drawChances(hidden: dealer.hidden, into: &chances)
    values[.stand] = standing[hand]
    values[.hit] = expectation(of: later, after: hand, chances: chances)
    if rules.mayDouble(cards) { values[.double] = expectation(of: doubled, after: hand, chances: chances) }
    values[.surrender] = surrendering(naturalChance)
    return values
  }

  /// The outlook of a hand of any number of cards.
  struct Outlook {
    /// The values of standing and of hitting.
    let values: ActionValues
    /// The chance that one more card busts it.
    let bust: Double
    /// The chances of the dealer's endings, which sum to 1.
    let dealer: [(ending: DealerFinal, chance: Double)]
  }

  mutating func outlook(of hand: Int) -> Outlook {
    var left = shoe
    left.remove(hand: hand, of: tree)
    odds.want(hand, shoe: left)
    odds.compute()
    let dealer = odds.chances(hand)
    var draws = Array(repeating: 0.0, count: 10)
    left.drawChances(hidden: self.dealer.hidden, into: &draws)
    var values = ActionValues()
    values[.stand] = (dealer * results[totals[hand]]).sum()
    values[.hit] = expectation(of: later, after: hand, chances: draws)
    return Outlook(
      values: values, bust: (0..<10).reduce(0) { $0 + (tree.child(hand, $1) == HandTree.bust ? draws[$1] : 0) },
      dealer: DealerFinal.allCases.map { ($0, dealer[Int($0.rawValue)]) })
  }

  /// The value of a surrender, in the game's measure; `nil` if the rules have none.
  private func surrendering(_ naturalChance: Double) -> Double? {
    switch rules.surrender(against: upcard) {
    case .none: nil
    case .late: dealer.givenNoNatural ? -0.5 : -0.5 * (1 - naturalChance) - naturalChance
    // Half a bet is lost in any case: x with -P + (1 - P) x = -1/2.
    case .early, .earlyAgainstTen: dealer.givenNoNatural ? (naturalChance - 0.5) / (1 - naturalChance) : -0.5
    }
  }

  /// The action of a hand made by a split of that value, if it is not split again.
  func action(afterSplitting value: Int, with hand: Int) -> Action {
    if tree.hands[hand].total >= 21 || hand == HandTree.bust { return .stand }
    if tree.sizes[hand] > 2 { return policy.later[hand] }
    return value == 0 && !rules.hitSplitAces ? .stand : policy.afterSplit[hand]
  }

  /// The most hands that a pair of that value (0 for the ace) can make under the rules and the policy.
  func maximumHands(splitting value: Int) -> Int {
    policy.splitsAgain[value] && (value > 0 || rules.resplitAces) ? rules.maximumHands : 2
  }

  mutating func splitting(_ value: Int, scratch: inout SplitHand.Scratch) -> Double {
    let patterns = SplitPattern.all(maximumHands: maximumHands(splitting: value))
    let hand = SplitHand(value: value, in: self)
    let deepest = SplitPattern.deepestLevel(of: patterns)
    let levels = hand.levels(to: deepest, in: &self, scratch: &scratch)
    var all = AllLost(value, rules: rules)
    let worth = levels.sum(over: patterns) - all.plusOne(over: patterns, levels.pairChance, in: self)
    guard resplit == .best else { return worth }
    let once = SplitPattern.all(maximumHands: 2)
    return max(worth, levels.sum(over: once) - all.plusOne(over: once, levels.pairChance, in: self))
  }
}

/// The one bet that a natural takes from all hands of a split together, if it takes busted bets plus one: it takes none
/// if all hands are lost already, bust or given up.
///
/// Exact for two hands, and for any number from an infinite shoe. Three and four hands of a finite shoe are taken to
/// depend on each other in pairs only (Kirkwood's superposition), so that their value is approximate.
struct AllLost {
  private let value: Int
  private let isNeeded: Bool
  private var joint: SplitJoint?
  private var endings: [SplitEndings] = []

  init(_ value: Int, rules: Rules) { (self.value, isNeeded) = (value, rules.takesBustedBetsPlusOne) }

  /// The mean of that bet over the ways of a split; 0 under other rules.
  mutating func plusOne(over patterns: [SplitPattern], _ pairChance: [Double], in game: UpcardGame) -> Double {
    guard isNeeded, let completing = game.dealer.completing else { return 0 }
    var left = game.shoe
    left.remove(value, 2)
    return left.chance(of: completing) - patterns.reduce(0) { $0 + chance(of: $1, pairChance, in: game) }
  }

  /// The chance that a split falls in this way, all its hands are lost, and the dealer has a natural.
  mutating func chance(of pattern: SplitPattern, _ pairChance: [Double], in game: UpcardGame) -> Double {
    let reached = pairChance.prefix(pattern.arrivals).reduce(Double(pattern.orders), *)
    guard isNeeded, reached > 0, pairChance.count >= pattern.arrivals else { return 0 }
    var joint = self.joint ?? SplitJoint(value: value, in: game)
    while endings.count <= pattern.arrivals { endings.append(joint.endings(level: endings.count, in: game)) }
    self.joint = joint
    let level = endings[pattern.arrivals]
    let lost = (0..<EndingClass.count).filter { EndingClass(index: $0).isLost }
    let natural = level.open.reduce(0) { $0 + $1[UpcardGame.natural] }
    guard natural > 0 else { return 0 }
    func one(_ chances: [DealerChances]) -> Double {
      lost.reduce(0) { $0 + chances[$1][UpcardGame.natural] } / natural
    }
    func two(_ chances: [DealerChances]) -> Double {
      lost.reduce(0) { sum, first in
        lost.reduce(sum) { $0 + chances[first * EndingClass.count + $1][UpcardGame.natural] }
      } / natural
    }
    let (closed, open) = (one(level.closed), one(level.open))
    guard pattern.closed == 0 || closed > 0, pattern.open == 0 || open > 0 else { return 0 }
    var product = reached * natural
    for hand in 0..<pattern.closed + pattern.open {
      let isOpen = hand >= pattern.closed
      product *= isOpen ? open : closed
      for other in 0..<hand {
        switch (isOpen, other >= pattern.closed) {
        case (true, true): product *= two(level.bothOpen) / (open * open)
        case (false, false): product *= two(level.bothClosed) / (closed * closed)
        default: product *= two(level.closedAndOpen) / (closed * open)
        }
      }
    }
    return product
  }
}

/// When a pair made by a split is split again, as far as the rules allow it.
enum Resplit: String, CaseIterable, Hashable, Sendable {
  /// Where splitting is better.
  case best
  /// Always, even where it is worse: the convention of many published tables.
  case always
}

/// A player's actions with every hand against one upcard, by the hand's own cards alone ("zero memory"): after the
/// first action, and after a split.
struct HandPolicy {
  /// Stand or hit, for a hand with no other action; by the hand's number in the tree.
  var later: [Action]
  /// Stand, hit or double, for a two-card hand made by a split that is not split again; by the hand's number.
  var afterSplit: [Action]
  /// True if a pair of each value (0 for the ace) made by a split is split again where the rules allow it.
  var splitsAgain: [Bool]
  /// True if one bet of a doubled hand is given up after its last card; by the hand's number.
  var rescues: [Bool]

  /// The policy before any decision: stand, and split every pair again.
  init(undecidedFor tree: HandTree) {
    later = Array(repeating: .stand, count: tree.count)
    afterSplit = later
    splitsAgain = Array(repeating: true, count: 10)
    rescues = Array(repeating: false, count: tree.count)
  }

  init(following chart: StrategyChart, against upcard: CardValue, rules: Rules, tree: HandTree) throws(BlackjackError) {
    self.init(undecidedFor: tree)
    for number in HandTree.empty..<tree.count where tree.sizes[number] >= 2 {
      let hand = tree.hands[number]
      if hand.total >= 21 { continue }
      if rules.surrenderAfterDouble && tree.sizes[number] == 3 {
        rescues[number] = try chart.action(for: hand, against: upcard, options: [.stand, .surrender]) == .surrender
      }
      guard tree.sizes[number] == 2 else {
        later[number] = try chart.action(for: hand, against: upcard, options: [.stand, .hit])
        continue
      }
      let options = rules.optionsAfterSplit(hand)
      afterSplit[number] = try chart.action(for: hand, against: upcard, options: options)
      if let pair = hand.pair {
        let again = pair == .ace && !rules.hitSplitAces ? [.stand, .split] : options.union(.split)
        splitsAgain[pair.index] = try chart.action(for: hand, against: upcard, options: again) == .split
      }
    }
  }
}

extension Rules {
  var takesBustedBetsPlusOne: Bool { holeCard == .noneBustedBetsPlusOne }

  /// True if a dealer's natural can take more than the original bet.
  var naturalTakesMoreBets: Bool { holeCard == .noneAllBetsLost || takesBustedBetsPlusOne }

  /// The actions of a two-card hand made by a split that is not split again and may draw.
  func optionsAfterSplit(_ hand: Hand) -> ActionSet {
    doubleAfterSplit && mayDouble(hand) ? [.stand, .hit, .double] : [.stand, .hit]
  }
}

/// Every two-card hand's actions against one upcard, in the measure of `UpcardGame`.
struct FirstActions {
  private(set) var values: [ActionValues]
  /// The chance that the dealer holds a natural, given the hand and the upcard.
  private(set) var naturalChance: [Double]

  init(of game: UpcardGame) {
    var split = game.afterSplit
    values = Array(repeating: ActionValues(), count: 100)
    naturalChance = Array(repeating: 0, count: 100)
    var scratch = SplitHand.Scratch()
    for first in 0..<10 {
      for second in first..<10 {
        let hand = game.tree.pair(first, second)
        let natural = game.naturalChance(hand)
        var actions = game.withoutSplit(hand, naturalChance: natural)
        if first == second, game.shoe.counts[first] > game.shoe.step {
          actions[.split] = split.splitting(first, scratch: &scratch)
        }
        for position in [first * 10 + second, second * 10 + first] {
          values[position] = actions
          naturalChance[position] = natural
        }
      }
    }
  }
}
