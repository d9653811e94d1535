// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// One hand of a split: its possible endings under the policy, and its value with further pair cards removed.
///
/// Hands of a split are exchangeable, because each is played by its own cards alone; one value gives that of all.
struct SplitHand {
  /// The value of the split card, 0 for the ace.
  let value: Int
  let reached: [Int]
  /// The task for each hand of the tree: whether it is played on, and whether it only stands (after a double).
  private let tasks: [Task]

  private struct Task: OptionSet {
    let rawValue: UInt8
    static let plays = Task(rawValue: 1)
    static let stands = Task(rawValue: 2)
  }

  init(value: Int, in game: UpcardGame) {
    self.value = value
    let tree = game.tree
    let half = tree.child(HandTree.empty, value)
    var tasks = Array(repeating: Task(), count: tree.count)
    for second in 0..<10 { tasks[tree.child(half, second)] = .plays }
    var reached: [Int] = []
    for hand in half..<tree.count where !tasks[hand].isEmpty {
      reached.append(hand)
      guard tasks[hand].contains(.plays) else { continue }
      let action = game.action(afterSplitting: value, with: hand)
      if action == .stand { continue }
      for card in 0..<10 { tasks[tree.child(hand, card)].insert(action == .double ? .stands : .plays) }
    }
    self.tasks = tasks
    self.reached = reached
  }

  /// The expectations of one hand at the levels 0 to `deepest`, as far as the shoe has enough cards.
  func levels(to deepest: Int, in game: inout UpcardGame, scratch: inout Scratch) -> SplitLevels {
    var levels = SplitLevels()
    let half = game.tree.child(HandTree.empty, value)
    for level in 0...deepest {
      var shoe = game.shoe
      shoe.remove(value, 2 + level)
      guard shoe.counts[value] >= 0 else { break }
      play(in: &game, further: 1 + level, scratch: &scratch)
      shoe.drawChances(hidden: game.dealer.hidden, into: &scratch.chances)
      let chance = scratch.chances[value]
      let all = game.expectation(of: scratch.playing, after: half, chances: scratch.chances)
      levels.pairChance.append(chance)
      levels.open.append(all)
      levels.closed.append(all - chance * scratch.playing[game.tree.child(half, value)])
    }
    return levels
  }

  struct Scratch {
    var chances = Array(repeating: 0.0, count: 10)
    var standing = Self.values
    var doubled = Self.values.map { 2 * $0 }
    var playing = Self.values

    private static var values: [Double] {
      var values = Array(repeating: 0.0, count: HandTree.shared.count)
      values[HandTree.bust] = -1
      return values
    }
  }

  private func play(in game: inout UpcardGame, further: Int, scratch: inout Scratch) {
    stand(in: &game, further: further, scratch: &scratch)
    let tree = game.tree
    var shoe = game.shoe
    shoe.remove(value, further)
    for hand in reached.reversed() where tasks[hand].contains(.plays) {
      let action = game.action(afterSplitting: value, with: hand)
      guard action != .stand else {
        scratch.playing[hand] = scratch.standing[hand]
        continue
      }
      shoe.remove(hand: hand, of: tree)
      defer { shoe.restore(hand: hand, of: tree) }
      guard shoe.isPossible else { continue }
      shoe.drawChances(hidden: game.dealer.hidden, into: &scratch.chances)
      scratch.playing[hand] =
        action == .hit
        ? game.expectation(of: scratch.playing, after: hand, chances: scratch.chances)
        : game.expectation(of: scratch.doubled, after: hand, chances: scratch.chances)
    }
  }

  private func stand(in game: inout UpcardGame, further: Int, scratch: inout Scratch) {
    var stands: [Int] = []
    var shoe = game.shoe
    shoe.remove(value, further)
    for hand in reached where tasks[hand].contains(.stands) || game.action(afterSplitting: value, with: hand) == .stand
    {
      shoe.remove(hand: hand, of: game.tree)
      defer { shoe.restore(hand: hand, of: game.tree) }
      guard shoe.isPossible else { continue }
      stands.append(hand)
      game.odds.want(hand, further: further, of: value, shoe: shoe)
    }
    game.odds.compute()
    for hand in stands {
      let chances = game.odds.chances(hand, further: further, of: value)
      // What a natural takes beyond busted bets is taken from all hands together; see `AllLost`.
      let natural = game.rules.takesBustedBetsPlusOne ? chances[UpcardGame.natural] : 0
      scratch.standing[hand] = (chances * game.results[game.tree.hands[hand].total]).sum() + natural
      scratch.doubled[hand] = game.policy.rescues[hand] ? -1 : 2 * scratch.standing[hand]
    }
  }
}

/// A way in which the second cards of a split can fall, as far as the hands' chances depend on it.
///
/// Second cards fall one by one. Another pair card makes another hand, until there are as many as the rules allow; any
/// other card is its hand's second card. A way ends with `closed` hands, whose second card is not a pair card, and
/// `open` hands, whose second card is any, since no more hands may be made.
struct SplitPattern: Hashable, Sendable {
  let arrivals: Int
  /// Hands whose second card is known not to be a pair card.
  let closed: Int
  /// Hands whose second card can be any.
  let open: Int
  /// The number of orders of this way; all have the same chance, because cards are exchangeable.
  let orders: Int

  static func all(maximumHands: Int) -> [SplitPattern] {
    var orders: [SplitPattern: Int] = [:]
    func draw(arrivals: Int, closed: Int) {
      let waiting = 2 + arrivals - closed
      if waiting == 0 || 2 + arrivals == maximumHands {
        let pattern = SplitPattern(arrivals: arrivals, closed: closed, open: waiting, orders: 1)
        orders[pattern, default: 0] += 1
        return
      }
      draw(arrivals: arrivals + 1, closed: closed)
      draw(arrivals: arrivals, closed: closed + 1)
    }
    draw(arrivals: 0, closed: 0)
    return orders.map { pattern, orders in
      SplitPattern(arrivals: pattern.arrivals, closed: pattern.closed, open: pattern.open, orders: orders)
    }.sorted { ($0.arrivals, $0.closed) < ($1.arrivals, $1.closed) }
  }

  /// The most further pair cards to remove from the shoe for a sum over these patterns.
  static func deepestLevel(of patterns: [SplitPattern]) -> Int {
    patterns.map { $0.arrivals + ($0.open > 0 ? $0.closed : $0.closed - 1) }.max() ?? 0
  }
}

/// The expectations of a split's hands, by the number of further pair cards removed from the shoe.
///
/// A level l is the shoe without the pair itself and l further pair cards. Values may be any additive quantity.
struct SplitLevels {
  /// The chance that the next card is a pair card, by level.
  var pairChance: [Double] = []
  /// The expectation over a hand with any second card, by level.
  var open: [Double] = []
  /// The expectation over a hand whose second card is not a pair card, times the chance of that, by level.
  var closed: [Double] = []

  func sum(over patterns: [SplitPattern]) -> Double {
    sum(over: patterns) { [($0.closed, $0.closed - 1, closed), ($0.open, $0.closed, open)] }
  }

  /// The number of hands, or pairs of hands, with the same values by level, and the number of other hands whose second
  /// cards are not pair cards.
  typealias Term = (count: Int, others: Int, values: [Double])

  func sum(over patterns: [SplitPattern], of terms: (SplitPattern) -> [Term]) -> Double {
    patterns.reduce(0) { sum, pattern in
      let reached = pairChance.prefix(pattern.arrivals).reduce(Double(pattern.orders), *)
      guard reached > 0 else { return sum }
      let hands = terms(pattern).reduce(0) { hands, term in
        guard term.count > 0 else { return hands }
        return hands + Double(term.count) * given(others: term.others, values: term.values, from: pattern.arrivals)
      }
      return sum + reached * hands
    }
  }

  /// The expectation of a hand together with the event that the other hands' second cards are not pair cards, by
  /// inclusion and exclusion: the sum over l of (-1)^l (others over l) P(l further pair cards) E[hand | they are gone].
  private func given(others: Int, values: [Double], from level: Int) -> Double {
    var sum = 0.0
    var term = 1.0
    for removed in 0...others {
      sum += term * values[level + removed]
      if removed == others { break }
      term *= -pairChance[level + removed] * Double(others - removed) / Double(removed + 1)
      if term == 0 { break }
    }
    return sum
  }
}
