// SPDX-License-Identifier: GPL-3.0-or-later

/// How the second cards of a split can fall, as far as the hands' chances depend on it.
///
/// Second cards fall one by one. Another pair card makes another hand, until there are as many as the rules allow; any
/// other card settles its hand's second card. A way ends with `closed` hands whose second card is no pair card and
/// `open` hands whose second card, drawn when no more hands may be made, is any.
struct SplitPattern: Hashable, Sendable {
  /// How many further pair cards came and were split.
  let arrivals: Int
  /// Hands whose second card is known to be no pair card.
  let closed: Int
  /// Hands whose second card can be any.
  let open: Int
  /// In how many orders this can come about; all have the same chance, because cards are exchangeable.
  let orders: Int

  /// The ways of a split that may make that many hands.
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

  /// How many further pair cards have to be taken out of the shoe, at most, to compute a sum over these patterns.
  static func deepestLevel(of patterns: [SplitPattern]) -> Int {
    patterns.map { $0.arrivals + ($0.open > 0 ? $0.closed : $0.closed - 1) }.max() ?? 0
  }
}

/// What the hands of a split expect at each number of further pair cards gone from the shoe.
///
/// A level l is the shoe without the pair itself and l further pair cards. Values may be any additive quantity.
struct SplitLevels {
  /// The chance that the next card is a pair card, by level.
  var pairChance: [Double] = []
  /// The expectation over a hand whose second card is any, by level.
  var open: [Double] = []
  /// The expectation over a hand whose second card is no pair card, times the chance of that, by level.
  var closed: [Double] = []

  /// The sum over all hands of the split, resplits included.
  func sum(over patterns: [SplitPattern]) -> Double {
    patterns.reduce(0) { sum, pattern in
      let reached = pairChance.prefix(pattern.arrivals).reduce(Double(pattern.orders), *)
      guard reached > 0 else { return sum }
      var hands = 0.0
      if pattern.closed > 0 {
        hands += Double(pattern.closed) * given(others: pattern.closed - 1, values: closed, from: pattern.arrivals)
      }
      if pattern.open > 0 {
        hands += Double(pattern.open) * given(others: pattern.closed, values: open, from: pattern.arrivals)
      }
      return sum + reached * hands
    }
  }

  /// The expectation of a hand together with the event that other hands' second cards are no pair cards, by inclusion
  /// and exclusion: the sum over l of (-1)^l (others over l) P(l further pair cards) E[hand | they are gone].
  func given(others: Int, values: [Double], from level: Int) -> Double {
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
