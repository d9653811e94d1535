// SPDX-License-Identifier: Apache-2.0

/// The rule by which prices follow scores: a part of the old price is replaced by the value of recent games.
///
/// `price' = price (1 - W) + M sum(w s)`: w are the weights of up to five games played, the latest first, s their
/// scores, and W the sum of the weights. The magic number M is the same for all players of a round; it keeps the total
/// value of those who played constant. Recovered from weekly prices of 2018: 2,050 of 2,051 steps within $2,000.
///
/// A withdrawn player has not scored 0: callers leave out games that were not played.
public struct PriceRule: Hashable, Sendable {
  /// The weights of the games, the latest first, in parts of `parts`.
  public var weights: [Int]
  /// The denominator of the weights.
  public var parts: Int
  /// The unit of prices, in dollars.
  public var step: Int

  /// Weights of the games, latest first, in parts of a price, with a sum below `parts`; prices in steps of dollars.
  public init(weights: [Int], of parts: Int, step: Int) {
    (self.weights, self.parts, self.step) = (weights, max(1, parts), max(1, step))
  }

  /// AFL Fantasy: 5, 4, 3, 2 and 1 sixtieths, to $1,000.
  public static let aflFantasy = PriceRule(weights: [5, 4, 3, 2, 1], of: 60, step: 1000)

  /// The sum of the weights of a number of games, in parts.
  @inlinable public func weight(games: Int) -> Int {
    var sum = 0
    for index in 0..<min(games, weights.count) { sum += weights[index] }
    return sum
  }

  /// The weighted sum of scores, the latest first, in parts.
  @inlinable public func weighted(_ latest: some Sequence<Int>) -> Int {
    var (sum, index) = (0, 0)
    for score in latest {
      guard index < weights.count else { break }
      sum += weights[index] * score
      index += 1
    }
    return sum
  }

  /// The next price in dollars before rounding; `latest` are the scores of games played, the latest first.
  public func exactNext(price: Int, latest scores: [Int], magic: Double) -> Double {
    exactNext(price: price, games: scores.count, weighted: weighted(scores), magic: magic)
  }

  /// The same for a number of games with a weighted sum.
  @inlinable public func exactNext(price: Int, games: Int, weighted: Int, magic: Double) -> Double {
    (Double(price) * Double(parts - weight(games: games)) + magic * Double(weighted)) / Double(parts)
  }

  /// The next price in dollars, rounded to a multiple of `step`, at least `step`.
  public func next(price: Int, latest scores: [Int], magic: Double) -> Int {
    rounded(exactNext(price: price, latest: scores, magic: magic))
  }

  /// A price rounded as published.
  @inlinable public func rounded(_ price: Double) -> Int {
    max(step, Int((min(max(price, 0), 1e12) / Double(step)).rounded()) * step)
  }

  /// The magic number that keeps the total value of players who have just played: sum of W price over sum of w s. `nil`
  /// where the weighted scores are not positive.
  public func magic(of market: [(price: Int, latest: [Int])]) -> Double? {
    var (value, scored) = (0, 0)
    for one in market {
      value += weight(games: one.latest.count) * one.price
      scored += weighted(one.latest)
    }
    return scored > 0 ? Double(value) / Double(scored) : nil
  }

  /// The score of the coming game that leaves the price unchanged, in points; `older` are the scores of earlier games,
  /// the latest first.
  public func breakEven(price: Int, older: [Int], magic: Double) -> Double {
    let before = weighted([0] + older)
    return (Double(weight(games: older.count + 1) * price) / magic - Double(before)) / Double(weights[0])
  }
}
