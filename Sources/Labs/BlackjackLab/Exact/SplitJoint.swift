// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The ending of a split's hand, as far as its payoff depends on it: its stake and its total.
///
/// Until `SplitEndings.finish` separates busts, the bust class stands for any ending with its stake: that needs only
/// the second card, and the busts are what the other endings leave of it.
struct EndingClass: Hashable {
  static let count = 16
  /// The classes of totals: up to 16, 17 to 21, one of two bets given up, and bust (or any).
  static let totals = 8
  static let bust = 7

  /// A doubled hand of which one bet is given up.
  static let rescued = EndingClass(index: 2 * totals - 2)

  let stake: Int
  let total: Int

  var index: Int { (stake - 1) * Self.totals + total }

  init(index: Int) {
    stake = index / Self.totals + 1
    total = index % Self.totals
  }

  init(stake: Int, standingOn total: Int) {
    self.stake = stake
    self.total = max(total - 16, 0)
  }

  /// The class of a bust hand, or of any ending.
  init(stake: Int) {
    self.stake = stake
    total = Self.bust
  }

  /// True if the hand is bust or given up.
  var isLost: Bool { total == Self.bust || self == Self.rescued }

  /// The payoff of the hand. A natural that takes busted bets plus one takes that one from all hands together.
  func payoff(against final: DealerFinal, under rules: Rules) -> Int {
    if self == Self.rescued { return -1 }
    if total == Self.bust { return -stake }
    if final == .natural { return rules.takesBustedBetsPlusOne ? 0 : -stake }
    return stake * (total + 16 - final.total).signum()
  }
}

extension SplitHand {
  /// The ways to deal the hand after its split card until it ends.
  func endings(in game: UpcardGame) -> [SplitJoint.Entry] {
    let tree = game.tree
    let half = tree.child(HandTree.empty, value)
    var ways = Ways()
    var endings: [SplitJoint.Entry] = []
    for second in 0..<10 {
      let hand = tree.child(half, second)
      ways.open[hand] = 1
      ways.closed[hand] = second == value ? 0 : 1
      let stake = game.action(afterSplitting: value, with: hand) == .double ? 2 : 1
      endings.append(ending(hand, EndingClass(stake: stake), ways, tree))
    }
    var doubled = Ways()
    for hand in reached {
      let total = tree.hands[hand].total
      if doubled.open[hand] > 0 {
        let doubling = game.policy.rescues[hand] ? EndingClass.rescued : EndingClass(stake: 2, standingOn: total)
        endings.append(ending(hand, doubling, doubled, tree))
      }
      guard ways.open[hand] > 0 else { continue }
      switch game.action(afterSplitting: value, with: hand) {
      case .stand: endings.append(ending(hand, EndingClass(stake: 1, standingOn: total), ways, tree))
      case .double: doubled.add(ways.open[hand], ways.closed[hand], from: hand, in: tree)
      default: ways.add(ways.open[hand], ways.closed[hand], from: hand, in: tree)
      }
    }
    return endings
  }

  private struct Ways {
    var open = Array(repeating: 0.0, count: HandTree.shared.count)
    var closed = Array(repeating: 0.0, count: HandTree.shared.count)

    /// Adds these ways to all hands that a hand becomes by one more card.
    mutating func add(_ openWays: Double, _ closedWays: Double, from hand: Int, in tree: HandTree) {
      for card in 0..<10 {
        open[tree.child(hand, card)] += openWays
        closed[tree.child(hand, card)] += closedWays
      }
    }
  }

  private func ending(_ hand: Int, _ ending: EndingClass, _ ways: Ways, _ tree: HandTree) -> SplitJoint.Entry {
    var cards: UInt64 = 0
    for card in 0..<10 { cards += UInt64(tree.count(card, in: hand)) << UInt64(6 * card) }
    cards -= 1 << UInt64(6 * value)
    return SplitJoint.Entry(cards: cards, position: ending.index, open: ways.open[hand], closed: ways.closed[hand])
  }
}

/// The joint endings of one or two hands of a split and the dealer's, from the exact shoe.
///
/// Two hands with the cards A and B take the union of both from the shoe, and by exchangeability the chance of these
/// cards depends on the union alone: pairs of endings are grouped by their union, and inside by their classes.
struct SplitJoint {
  private let value: Int
  private let unions: [Union]
  private let entries: [Entry]
  private var batch = DealerTrie.Batch()

  /// The cards of one or two hands together; their entries end at a position.
  private struct Union {
    let cards: UInt64
    var end: Int
  }

  /// The number of orders in which some cards make one hand, or an unordered pair of hands, of given classes.
  struct Entry {
    /// The number of cards of each value, six bits a value, so that the word of a union is the sum.
    let cards: UInt64
    /// The class of one hand; or `EndingClass.count` plus a pair's place in a matrix, the smaller class first.
    let position: Int
    var open: Double
    /// The orders in which no second card is another pair card.
    var closed: Double
    /// For pairs, the orders with one hand closed and the other open, in both assignments.
    var mixed = 0.0
  }

  init(value: Int, in game: UpcardGame) {
    self.value = value
    let endings = SplitHand(value: value, in: game).endings(in: game)
    var all = endings
    if !game.shoe.isInfinite {
      all.reserveCapacity(endings.count * (endings.count + 3) / 2)
      for (index, first) in endings.enumerated() {
        for other in index..<endings.count { all.append(Self.pair(first, endings[other], isSame: other == index)) }
      }
    }
    all.sort { $0.cards == $1.cards ? $0.position < $1.position : $0.cards < $1.cards }
    var entries: [Entry] = []
    var unions: [Union] = []
    for entry in all {
      if let last = entries.last, last.cards == entry.cards, last.position == entry.position {
        entries[entries.count - 1].open += entry.open
        entries[entries.count - 1].closed += entry.closed
        entries[entries.count - 1].mixed += entry.mixed
        continue
      }
      entries.append(entry)
      if unions.last?.cards != entry.cards { unions.append(Union(cards: entry.cards, end: 0)) }
      unions[unions.count - 1].end = entries.count
    }
    self.entries = entries
    self.unions = unions
  }

  /// The orders of two hands; both assignments count if the hands differ.
  private static func pair(_ first: Entry, _ second: Entry, isSame: Bool) -> Entry {
    let ways = isSame ? 1.0 : 2.0
    return Entry(
      cards: first.cards + second.cards,
      position: EndingClass.count + min(first.position, second.position) * EndingClass.count
        + max(first.position, second.position),
      open: ways * first.open * second.open, closed: ways * first.closed * second.closed,
      mixed: (first.closed * second.open + first.open * second.closed) * ways / 2)
  }

  mutating func endings(level: Int, in game: UpcardGame) -> SplitEndings {
    var shoe = game.shoe
    shoe.remove(value, 2 + level)
    var weights = Array(repeating: 0.0, count: unions.count)
    var chances: [DealerChances] = []
    chances.reserveCapacity(unions.count)
    for (index, union) in unions.enumerated() {
      weights[index] = shoe.draw(union.cards, hidden: game.dealer.hidden)
      if weights[index] > 0 {
        batch.add(shoe, of: game.dealer)
        if batch.isFull { game.dealer.appendChances(of: &batch, to: &chances) }
      }
      shoe.putBack(union.cards)
    }
    game.dealer.appendChances(of: &batch, to: &chances)
    var sums = SplitEndings()
    var start = 0
    var position = 0
    for (index, union) in unions.enumerated() {
      defer { start = union.end }
      guard weights[index] > 0 else { continue }
      let weighted = chances[position] * weights[index]
      position += 1
      for entry in entries[start..<union.end] { Self.add(entry, weighted, to: &sums) }
    }
    sums.finish(isInfinite: shoe.isInfinite)
    return sums
  }

  private static func add(_ entry: Entry, _ chances: DealerChances, to sums: inout SplitEndings) {
    guard entry.position >= EndingClass.count else {
      sums.open[entry.position] += chances * entry.open
      sums.closed[entry.position] += chances * entry.closed
      return
    }
    let position = entry.position - EndingClass.count
    sums.bothOpen[position] += chances * entry.open
    if entry.mixed > 0 { sums.closedAndOpen[position] += chances * entry.mixed }
    if entry.closed > 0 { sums.bothClosed[position] += chances * entry.closed }
  }
}

extension ShoeContents {
  /// Removes cards, packed as in `SplitJoint.Entry`, and returns the chance that they come in one given order.
  mutating func draw(_ cards: UInt64, hidden: Int?) -> Double {
    let before = hidden.map { 1 - chance(of: $0) } ?? 1
    var product = 1 / before
    for value in 0..<10 {
      for _ in 0..<(Int(truncatingIfNeeded: cards >> UInt64(6 * value)) & 63) {
        product *= counts[value] > 0 ? chance(of: value) : 0
        remove(value)
      }
    }
    return product * (hidden.map { 1 - chance(of: $0) } ?? 1)
  }

  mutating func putBack(_ cards: UInt64) {
    for value in 0..<10 { remove(value, -(Int(truncatingIfNeeded: cards >> UInt64(6 * value)) & 63)) }
  }
}

/// The chances of endings of one or two hands of a split together with the dealer's, at one number of further pair
/// cards removed.
///
/// "Open" and "closed" are as in `SplitPattern`; the chances of a closed hand are those of its ending together with a
/// second card that is not a pair card.
struct SplitEndings {
  /// The chances for an open hand, by its class.
  var open = Self.vector
  var closed = Self.vector
  /// By the first hand's class times the number of classes plus the second's; symmetric, so that for a closed and an
  /// open hand it is the mean of both assignments.
  var bothOpen = Self.matrix
  var closedAndOpen = Self.matrix
  var bothClosed = Self.matrix

  private static var vector: [DealerChances] { Array(repeating: DealerChances(), count: EndingClass.count) }
  private static var matrix: [DealerChances] {
    Array(repeating: DealerChances(), count: EndingClass.count * EndingClass.count)
  }

  /// Makes full matrices of sums over unordered pairs, and replaces "any ending" by "bust": the rest without the other
  /// endings with that stake.
  mutating func finish(isInfinite: Bool) {
    Self.separateBusts(&open)
    Self.separateBusts(&closed)
    if isInfinite {
      combineIndependently()
      return
    }
    for matrix in [\SplitEndings.bothOpen, \.closedAndOpen, \.bothClosed] {
      Self.symmetrise(&self[keyPath: matrix])
      Self.separateBusts(&self[keyPath: matrix], count: EndingClass.count, stride: EndingClass.count)
      for row in 0..<EndingClass.count { Self.separateBusts(&self[keyPath: matrix], from: row * EndingClass.count) }
    }
  }

  /// Divides each sum over an unordered pair of classes evenly between its two orders.
  private static func symmetrise(_ chances: inout [DealerChances]) {
    for first in 0..<EndingClass.count {
      for second in (first + 1)..<EndingClass.count {
        let half = chances[first * EndingClass.count + second] * 0.5
        chances[first * EndingClass.count + second] = half
        chances[second * EndingClass.count + first] = half
      }
    }
  }

  /// Computes the chances of two hands from those of one: given the dealer's ending, hands from an infinite shoe are
  /// independent.
  private mutating func combineIndependently() {
    let dealer = open.reduce(DealerChances(), +)
    let inverse = DealerChances(repeating: 1) / dealer.replacing(with: 1, where: dealer .== 0)
    for first in 0..<EndingClass.count {
      for second in 0..<EndingClass.count {
        let position = first * EndingClass.count + second
        bothOpen[position] = open[first] * open[second] * inverse
        closedAndOpen[position] = closed[first] * open[second] * inverse
        bothClosed[position] = closed[first] * closed[second] * inverse
      }
    }
  }

  /// See `finish`; handles `count` rows or columns from `start` on, with their classes `stride` apart.
  private static func separateBusts(
    _ chances: inout [DealerChances], from start: Int = 0, count: Int = 1, stride: Int = 1
  ) {
    for offset in start..<start + count {
      for stake in [1, 2] {
        let bust = offset + EndingClass(stake: stake).index * stride
        for total in 0..<EndingClass.bust { chances[bust] -= chances[bust - (total + 1) * stride] }
      }
    }
  }

  /// The expectation of values over classes and the dealer's endings.
  static func mean(_ chances: [DealerChances], of values: [DealerChances]) -> Double {
    zip(chances, values).reduce(0) { $0 + ($1.0 * $1.1).sum() }
  }

  /// By class, the payoffs of a hand against each ending.
  static func payoffs(under rules: Rules) -> [DealerChances] {
    (0..<EndingClass.count).map { index in
      DealerFinal.allCases.reduce(into: DealerChances()) { payoffs, final in
        payoffs[Int(final.rawValue)] = Double(EndingClass(index: index).payoff(against: final, under: rules))
      }
    }
  }
}

extension SplitLevels {
  /// The mean square of the sum of all hands: the squares of each hand and the products of every two.
  func meanSquare(over patterns: [SplitPattern], endings: [SplitEndings], of payoffs: [DealerChances]) -> Double {
    let squares = payoffs.map { $0 * $0 }
    let products = payoffs.flatMap { first in payoffs.map { first * $0 } }
    func means(_ chances: (SplitEndings) -> [DealerChances], of values: [DealerChances]) -> [Double] {
      endings.map { SplitEndings.mean(chances($0), of: values) }
    }
    let squareOpen = means(\.open, of: squares)
    let squareClosed = means(\.closed, of: squares)
    let productOpen = means(\.bothOpen, of: products)
    let productMixed = means(\.closedAndOpen, of: products)
    let productClosed = means(\.bothClosed, of: products)
    return sum(over: patterns) { pattern in
      let (closed, open) = (pattern.closed, pattern.open)
      return [
        (closed, closed - 1, squareClosed), (open, closed, squareOpen),
        (closed * (closed - 1), closed - 2, productClosed), (2 * closed * open, closed - 1, productMixed),
        (open * (open - 1), closed, productOpen),
      ]
    }
  }
}
