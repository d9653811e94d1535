// SPDX-License-Identifier: Apache-2.0

/// How prices follow scores: the next price is the old one with a part replaced by what recent games are worth.
///
/// `price' = price (1 - W) + M sum(w s)`, with w for the last five games played, the latest first, cut to those there
/// are, and W their sum. M, the magic number, is the same for all players of a round and set so that the value of those
/// who played neither grows nor shrinks. Recovered from weekly prices of 2018: 2,050 of 2,051 steps within $2,000.
///
/// A player who was withdrawn has not scored 0: games that were not played are left out by the caller.
public struct PriceRule: Hashable, Sendable {
  /// Of the latest game, the one before, and so on, in parts of `parts`.
  public var weights: [Int]
  /// How many parts a price has.
  public var parts: Int
  /// Prices are whole multiples of this, in dollars.
  public var step: Int

  /// Weights of the games, latest first, in parts of a price, whose sum is below `parts`; prices in steps of dollars.
  public init(weights: [Int], of parts: Int, step: Int) {
    (self.weights, self.parts, self.step) = (weights, max(1, parts), max(1, step))
  }

  /// AFL Fantasy: 5, 4, 3, 2 and 1 sixtieths, to $1,000.
  public static let aflFantasy = PriceRule(weights: [5, 4, 3, 2, 1], of: 60, step: 1000)

  /// The sum of the weights that so many games have, in parts.
  @inlinable public func weight(games: Int) -> Int {
    var sum = 0
    for place in 0..<min(games, weights.count) { sum += weights[place] }
    return sum
  }

  /// The weighted sum of scores, the latest first, in parts.
  @inlinable public func weighted(_ latest: some Sequence<Int>) -> Int {
    var (sum, place) = (0, 0)
    for score in latest {
      guard place < weights.count else { break }
      sum += weights[place] * score
      place += 1
    }
    return sum
  }

  /// The next price in dollars before it is rounded to steps; scores are those of games played, the latest first.
  public func exactNext(price: Int, latest scores: [Int], magic: Double) -> Double {
    exactNext(price: price, games: scores.count, weighted: weighted(scores), magic: magic)
  }

  /// The same, of so many games with a weighted sum.
  @inlinable public func exactNext(price: Int, games: Int, weighted: Int, magic: Double) -> Double {
    (Double(price) * Double(parts - weight(games: games)) + magic * Double(weighted)) / Double(parts)
  }

  /// The next price in dollars, rounded to steps, and not below one.
  public func next(price: Int, latest scores: [Int], magic: Double) -> Int {
    rounded(exactNext(price: price, latest: scores, magic: magic))
  }

  /// A price as it is published.
  @inlinable public func rounded(_ price: Double) -> Int {
    max(step, Int((min(max(price, 0), 1e12) / Double(step)).rounded()) * step)
  }

  /// The magic number that keeps the value of players who have just played: sum of W price over sum of w s. `nil` where
  /// the scores are worth nothing.
  public func magic(of market: [(price: Int, latest: [Int])]) -> Double? {
    var (value, scored) = (0, 0)
    for one in market {
      value += weight(games: one.latest.count) * one.price
      scored += weighted(one.latest)
    }
    return scored > 0 ? Double(value) / Double(scored) : nil
  }

  /// The score of the coming game after which the price is as it was, in points; `older` are scores of games before it,
  /// the latest first.
  public func breakEven(price: Int, older: [Int], magic: Double) -> Double {
    let before = weighted([0] + older)
    return (Double(weight(games: older.count + 1) * price) / magic - Double(before)) / Double(weights[0])
  }
}
