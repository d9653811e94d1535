// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc
internal import Scenarios
internal import Statistics

/// The central moments up to the fourth of up to four columns together, from which those of any weighted sum of the
/// columns follow.
///
/// Source: the binomial theorem for distances from another mean; for one column these are the formulas of Pébay,
/// "Formulas for robust, one-pass parallel computation of covariances and arbitrary-order statistical moments",
/// SAND2008-6212 (2008).
struct JointMoments: BlockSum {
  private(set) var count: Int
  private(set) var means: [Double]
  /// The sums of products of powers of the distances from the means. Its index has the powers as digits to the base 5;
  /// sums of powers that add up to 1, or to more than 4, are 0.
  private var sums: [Double]

  private static let base = 5

  /// A product of powers, with its index among the sums.
  private struct Term {
    let index: Int
    let powers: [Int]
    let degree: Int
  }

  /// The products of degrees 1 to 4, by the number of columns.
  private static let terms: [[Term]] = (0...4).map { columns in
    (0..<(0..<columns).reduce(1) { size, _ in size * base }).compactMap { index in
      var (rest, powers) = (index, [Int]())
      for _ in 0..<columns {
        powers.append(rest % base)
        rest /= base
      }
      let degree = powers.reduce(0, +)
      return (1...4).contains(degree) ? Term(index: index, powers: powers, degree: degree) : nil
    }
  }

  /// Those of neighbouring columns of a block's rows.
  init(_ rows: [Double], columns: Range<Int>, of width: Int) {
    let starts = stride(from: columns.lowerBound, to: rows.count, by: width)
    let terms = Self.terms[columns.count]
    (count, means) = (rows.count / width, Array(repeating: 0, count: columns.count))
    sums = Array(repeating: 0, count: columns.reduce(1) { size, _ in size * Self.base })
    for start in starts { for column in means.indices { means[column] += rows[start + column] / Double(count) } }
    var powers = Array(repeating: 1.0, count: columns.count * Self.base)
    for start in starts {
      for column in means.indices {
        let distance = rows[start + column] - means[column]
        for power in 1..<Self.base {
          powers[column * Self.base + power] = powers[column * Self.base + power - 1] * distance
        }
      }
      for term in terms where term.degree > 1 {
        var product = 1.0
        for column in means.indices { product *= powers[column * Self.base + term.powers[column]] }
        sums[term.index] += product
      }
    }
  }

  func joined(with later: JointMoments) -> JointMoments {
    var joined = self
    joined.count += later.count
    let share = Double(later.count) / Double(joined.count)
    for column in means.indices { joined.means[column] += (later.means[column] - means[column]) * share }
    let parts = [self, later].map { $0.sums(around: joined.means) }
    for term in Self.terms[means.count] where term.degree > 1 {
      joined.sums[term.index] = parts[0][term.index] + parts[1][term.index]
    }
    return joined
  }

  /// The sums of products of powers of the distances from other means, column after column.
  private func sums(around others: [Double]) -> [Double] {
    var (moved, place) = (sums, 1)
    moved[0] = Double(count)
    for column in means.indices {
      let distance = means[column] - others[column]
      // From the greatest powers on, since each needs the lower ones unmoved.
      for term in Self.terms[means.count].reversed() where term.powers[column] > 0 {
        var factor = 1.0
        for lower in 1...term.powers[column] {
          // The binomial coefficient, and the power of the distance.
          factor *= distance * Double(term.powers[column] - lower + 1) / Double(lower)
          moved[term.index] += factor * moved[term.index - lower * place]
        }
      }
      place *= Self.base
    }
    return moved
  }

  /// The sum of a power, 2 to 4, of the weighted sums of the distances from the means.
  func sum(of weights: [Double], power: Int) -> Double {
    Self.terms[means.count].reduce(0) { sum, term in
      guard term.degree == power else { return sum }
      var (product, left) = (sums[term.index], power)
      for (weight, power) in zip(weights, term.powers) {
        for chosen in 0..<power { product *= weight * Double(left - chosen) / Double(chosen + 1) }
        left -= power
      }
      return sum + product
    }
  }

  /// The sum of products of the distances of two columns.
  func product(_ one: Int, _ other: Int) -> Double {
    func place(_ column: Int) -> Int { (0..<column).reduce(1) { place, _ in place * Self.base } }
    return sums[place(one) + place(other)]
  }
}

extension JointMoments {
  /// A column over another one, to be added or subtracted.
  struct Part {
    let above: Int
    let below: Int
    var isNegative = false
  }

  /// The sum of ratios of the columns' sums, linearised: its value, the standard deviation of what a sample moves, and
  /// the shape of this, which shows whether the estimate is nearly normal.
  ///
  /// The skewness accounts for the curvature of the ratios: with the influence D of a sample, its deviation s and the
  /// second derivatives H, Student's statistic has the skewness of D plus 3 Cov(v, D)' H Cov(v, D) / (2 s^3). It is
  /// infinite where a mean denominator is less than ten of its standard errors from 0. The ten farthest samples
  /// have at most sqrt(10 sum D^4) of the sum of D^2, and none is farther than the fourth root of sum D^4.
  ///
  /// Sources: Hall, "The Bootstrap and Edgeworth Expansion" (1992), section 2.4; Cochran, "Sampling Techniques", 3rd
  /// edition (1977), section 6.8.
  ///
  /// - Parameters:
  ///   - parts: the ratios.
  ///   - ranges: the range of each column's values.
  /// - Returns: the estimate; `nil` if a ratio is not defined.
  func ratios(
    _ parts: [Part], in ranges: [ClosedRange<Double>]
  ) -> (value: Double, deviation: Double, shape: SampleShape?)? {
    var (value, weights) = (0.0, means.map { _ in 0.0 })
    for part in parts {
      let sums = (above: means[part.above] * Double(count), below: means[part.below] * Double(count))
      let squares = (
        above: product(part.above, part.above), product: product(part.above, part.below),
        below: product(part.below, part.below)
      )
      guard let ratio = SampleRatio(sums: sums, squares: squares, count: count) else { return nil }
      let sign = part.isNegative ? -1.0 : 1
      value += sign * ratio.value
      weights[part.above] += sign / means[part.below]
      weights[part.below] -= sign * ratio.value / means[part.below]
    }
    let squares = sum(of: weights, power: 2)
    guard !isRounding(squares, weights) else { return (value, 0, nil) }
    let all = Double(count)
    let variance = squares / all
    func covariance(_ column: Int) -> Double {
      means.indices.reduce(0) { $0 + weights[$1] * product(column, $1) } / all
    }
    var (curvature, isFar) = (0.0, true)
    for part in parts {
      let (mean, ratio) = (means[part.below], means[part.above] / means[part.below])
      let rest = covariance(part.above) - ratio * covariance(part.below)
      curvature -= (part.isNegative ? -1 : 1) * 2 * covariance(part.below) * rest / (mean * mean)
      isFar = isFar && all * mean * mean >= 100 * product(part.below, part.below) / all
    }
    return (
      value, (squares / (all - 1)).squareRoot(),
      shape(
        of: weights, around: value, in: ranges,
        bent: isFar ? 3 * curvature / (2 * pow(variance, 1.5)) : .infinity)
    )
  }

  /// True if the squares of a weighted sum of the columns are what rounding leaves of a constant.
  func isRounding(_ squares: Double, _ weights: [Double]) -> Bool {
    let size = means.indices.reduce(0) { $0 + abs(weights[$1]) * product($1, $1).squareRoot() }
    return squares <= size * size * 1e-24
  }

  /// The shape of a weighted sum of the columns, with what an estimate's curvature adds to its skewness.
  func shape(
    of weights: [Double], around value: Double, in ranges: [ClosedRange<Double>], bent curvature: Double = 0,
    coefficients: Int = 0
  ) -> SampleShape {
    let (squares, fourth) = (sum(of: weights, power: 2), sum(of: weights, power: 4))
    let all = Double(count)
    func reach(_ sign: Double) -> Double {
      let ends = means.indices.reduce(0) { reach, column in
        let weight = sign * weights[column]
        let end = weight > 0 ? ranges[column].upperBound : ranges[column].lowerBound
        return reach + weight * (end - means[column])
      }
      return max(0, min(ends, fourth.squareRoot().squareRoot()))
    }
    return SampleShape(
      skewness: sum(of: weights, power: 3) / all / pow(squares / all, 1.5) + curvature,
      farthestShare: min(1, (Double(SampleShape.farthest) * fourth).squareRoot() / squares),
      seen: (value - reach(-1))...(value + reach(1)), coefficients: coefficients)
  }
}
