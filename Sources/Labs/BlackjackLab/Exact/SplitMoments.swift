// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore

/// The chances of endings of one or two hands of a split together with the dealer's, at one number of further pair
/// cards gone.
///
/// "Open" and "closed" are as in `SplitPattern`: the chances of a closed hand are those of its ending and of its
/// second card being no pair card together.
struct SplitEndings {
  /// By the hand's class.
  var open = Self.vector
  var closed = Self.vector
  /// By the first hand's class times the number of classes plus the second's; symmetric, so that for a closed and an
  /// open hand it is the mean of both ways round.
  var bothOpen = Self.matrix
  var closedAndOpen = Self.matrix
  var bothClosed = Self.matrix

  private static var vector: [DealerChances] { Array(repeating: DealerChances(), count: EndingClass.count) }
  private static var matrix: [DealerChances] {
    Array(repeating: DealerChances(), count: EndingClass.count * EndingClass.count)
  }

  /// Makes full matrices of sums over unordered pairs, and turns "any ending" into "bust": what the other endings with
  /// that stake leave.
  mutating func finish(isInfinite: Bool) {
    Self.tellBusts(&open)
    Self.tellBusts(&closed)
    if isInfinite {
      combineIndependently()
      return
    }
    for matrix in [\SplitEndings.bothOpen, \.closedAndOpen, \.bothClosed] {
      Self.symmetrise(&self[keyPath: matrix])
      Self.tellBusts(&self[keyPath: matrix], count: EndingClass.count, stride: EndingClass.count)
      for row in 0..<EndingClass.count { Self.tellBusts(&self[keyPath: matrix], from: row * EndingClass.count) }
    }
  }

  /// Spreads each sum over an unordered pair of classes evenly over its two orders.
  private static func symmetrise(_ chances: inout [DealerChances]) {
    for first in 0..<EndingClass.count {
      for second in (first + 1)..<EndingClass.count {
        let half = chances[first * EndingClass.count + second] * 0.5
        chances[first * EndingClass.count + second] = half
        chances[second * EndingClass.count + first] = half
      }
    }
  }

  /// Fills the chances of two hands from those of one: given the dealer's ending, hands from an infinite shoe are
  /// independent.
  private mutating func combineIndependently() {
    let dealer = open.reduce(DealerChances(), +)
    let inverse = DealerChances(repeating: 1) / dealer.replacing(with: 1, where: dealer .== 0)
    for first in 0..<EndingClass.count {
      for second in 0..<EndingClass.count {
        let place = first * EndingClass.count + second
        bothOpen[place] = open[first] * open[second] * inverse
        closedAndOpen[place] = closed[first] * open[second] * inverse
        bothClosed[place] = closed[first] * closed[second] * inverse
      }
    }
  }

  /// See `finish`; for each of `count` rows or columns that begin at `start`, its classes `stride` apart.
  private static func tellBusts(
    _ chances: inout [DealerChances], from start: Int = 0, count: Int = 1, stride: Int = 1
  ) {
    for offset in start..<start + count {
      for stake in [1, 2] {
        let bust = offset + EndingClass(stake: stake).index * stride
        for total in 0..<EndingClass.bust { chances[bust] -= chances[bust - (total + 1) * stride] }
      }
    }
  }

  /// The mean of the payoff of one hand.
  static func mean(_ chances: [DealerChances]) -> Double {
    (0..<EndingClass.count).reduce(0) { $0 + (chances[$1] * payoffs[$1]).sum() }
  }

  /// The mean of the squared payoff of one hand.
  static func meanSquare(_ chances: [DealerChances]) -> Double {
    (0..<EndingClass.count).reduce(0) { $0 + (chances[$1] * payoffs[$1] * payoffs[$1]).sum() }
  }

  /// The mean of the product of two hands' payoffs.
  static func meanProduct(_ chances: [DealerChances]) -> Double {
    (0..<EndingClass.count).reduce(0) { sum, first in
      (0..<EndingClass.count).reduce(sum) { sum, second in
        sum + (chances[first * EndingClass.count + second] * payoffs[first] * payoffs[second]).sum()
      }
    }
  }

  /// Each class's payoff in bets against the dealer's endings.
  static let payoffs: [DealerChances] = (0..<EndingClass.count).map { index in
    DealerFinal.allCases.reduce(into: DealerChances()) { payoffs, final in
      payoffs[Int(final.rawValue)] = Double(EndingClass(index: index).payoff(against: final))
    }
  }
}

/// The first two moments of all the hands of a split.
struct SplitMoments {
  private var levels = SplitLevels()
  private var squareOpen: [Double] = []
  private var squareClosed: [Double] = []
  private var productOpen: [Double] = []
  private var productMixed: [Double] = []
  private var productClosed: [Double] = []

  /// Adds the next level.
  mutating func append(_ endings: SplitEndings, pairChance: Double) {
    levels.pairChance.append(pairChance)
    levels.open.append(SplitEndings.mean(endings.open))
    levels.closed.append(SplitEndings.mean(endings.closed))
    squareOpen.append(SplitEndings.meanSquare(endings.open))
    squareClosed.append(SplitEndings.meanSquare(endings.closed))
    productOpen.append(SplitEndings.meanProduct(endings.bothOpen))
    productMixed.append(SplitEndings.meanProduct(endings.closedAndOpen))
    productClosed.append(SplitEndings.meanProduct(endings.bothClosed))
  }

  /// The mean of the sum of all hands.
  func mean(over patterns: [SplitPattern]) -> Double { levels.sum(over: patterns) }

  /// The mean square of the sum of all hands: that of each hand, and the products of every two.
  func meanSquare(over patterns: [SplitPattern]) -> Double {
    patterns.reduce(0) { sum, pattern in
      let reached = levels.pairChance.prefix(pattern.arrivals).reduce(Double(pattern.orders), *)
      guard reached > 0 else { return sum }
      let (closed, open) = (pattern.closed, pattern.open)
      let terms: [(count: Int, others: Int, values: [Double])] = [
        (closed, closed - 1, squareClosed), (open, closed, squareOpen),
        (closed * (closed - 1), closed - 2, productClosed), (2 * closed * open, closed - 1, productMixed),
        (open * (open - 1), closed, productOpen),
      ]
      return sum
        + reached
        * terms.reduce(0) { inner, term in
          guard term.count > 0 else { return inner }
          return inner
            + Double(term.count)
            * levels.given(others: term.others, values: term.values, from: pattern.arrivals)
        }
    }
  }
}
