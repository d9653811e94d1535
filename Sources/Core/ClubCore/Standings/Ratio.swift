// SPDX-License-Identifier: Apache-2.0

/// A ratio of integers, zero or more, in lowest terms: what ranks and trends compare, exactly.
public struct Ratio: Hashable, Sendable {
  /// What is divided; zero or more.
  public let numerator: Int
  /// What it is divided by; one or more.
  public let denominator: Int

  /// Zero.
  public static let zero = Ratio(0)

  /// A whole number.
  ///
  /// - Parameter whole: Zero or more; a negative number counts as zero.
  public init(_ whole: Int) {
    (numerator, denominator) = (max(0, whole), 1)
  }

  /// A ratio; nil for a negative numerator and for a denominator below one.
  ///
  /// - Parameters:
  ///   - numerator: Zero or more.
  ///   - denominator: One or more.
  public init?(_ numerator: Int, over denominator: Int) {
    guard numerator >= 0, denominator > 0 else { return nil }
    var (divisor, rest) = (denominator, numerator)
    while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
    (self.numerator, self.denominator) = (numerator / divisor, denominator / divisor)
  }

  /// How far apart two ratios are: exactly where that fits 63 bits above and below, else nearly so.
  ///
  /// - Parameter other: The other, larger or smaller.
  /// - Returns: The difference without its sign.
  public func gap(to other: Ratio) -> Ratio {
    let mine = UInt128(numerator.magnitude) * UInt128(other.denominator.magnitude)
    let others = UInt128(other.numerator.magnitude) * UInt128(denominator.magnitude)
    var above = mine > others ? mine - others : others - mine
    var below = UInt128(denominator.magnitude) * UInt128(other.denominator.magnitude)
    var (divisor, rest) = (below, above)
    while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
    (above, below) = (above / divisor, below / divisor)
    while max(above, below) > UInt128(Int.max) { (above, below) = (above >> 1, max(1, below >> 1)) }
    return Ratio(Int(clamping: above), over: Int(clamping: below)) ?? .zero
  }

  /// The nearest double.
  public var value: Double { Double(numerator) / Double(denominator) }

  /// The whole number nearest to the ratio times a factor, halves up; no more than `Int.max`.
  ///
  /// - Parameters:
  ///   - factor: What the ratio is multiplied by, zero or more.
  ///   - divisor: What the product is divided by, one or more.
  /// - Returns: The nearest whole number.
  public func rounded(times factor: Int = 1, over divisor: Int = 1) -> Int {
    let product = UInt128(numerator.magnitude) * UInt128(factor.magnitude)
    let whole = UInt128(denominator.magnitude) * UInt128(divisor.magnitude)
    // The remainder is compared with what is left of the whole, so that nothing is doubled past 128 bits.
    let (quotient, rest) = product.quotientAndRemainder(dividingBy: whole)
    return Int(clamping: rest >= whole - rest ? quotient + 1 : quotient)
  }
}

extension Ratio: Comparable {
  /// Whether the left is smaller: by cross-multiplication in 128 bits, without rounding.
  public static func < (left: Ratio, right: Ratio) -> Bool {
    if left.denominator == right.denominator { return left.numerator < right.numerator }
    let mine = left.numerator.multipliedFullWidth(by: right.denominator)
    let others = right.numerator.multipliedFullWidth(by: left.denominator)
    return (mine.high, mine.low) < (others.high, others.low)
  }
}
