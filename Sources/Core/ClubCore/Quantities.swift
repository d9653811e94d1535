// SPDX-License-Identifier: Apache-2.0
internal import CoreDates

/// A distance or a climb in integer decimetres: sums do not depend on their order.
///
/// The feed sends metres with at most one decimal (`10399.9`, `0`, `0.0`), so decimetres lose nothing.
public struct Length: Hashable, Sendable {
  /// The length in decimetres; never negative.
  public let decimetres: Int

  /// The longest length of one activity, in decimetres: a hundred thousand kilometres. The sum of 9 * 10^9 such
  /// activities still fits 64 bits.
  public static let maxDecimetres = 1_000_000_000

  /// No length.
  public static let zero = Length(checked: 0)

  init(checked decimetres: Int) { self.decimetres = decimetres }

  /// A length of 0 to 10^9 decimetres; `nil` out of range.
  public init?(decimetres: Int) {
    guard (0...Self.maxDecimetres).contains(decimetres) else { return nil }
    self.init(checked: decimetres)
  }

  /// The decimetre nearest to a number of metres from 0 to 10^8, ties up; `nil` out of range, and for NaN.
  public init?(metres: Double) {
    // Checked before the multiplication: NaN fails every comparison, and the result of any other value fits an Int.
    guard metres >= 0, metres <= Double(Self.maxDecimetres / 10) else { return nil }
    // Rounded without `rounded()`, which needs the C library's mathematics: an app on this core alone does not link it.
    self.init(checked: Int(metres * 10 + 0.5))
  }

  /// The length in metres: the nearest double.
  public var metres: Double { Double(decimetres) / 10 }
}

extension Length: Comparable {
  /// Returns true if the left length is shorter.
  public static func < (left: Length, right: Length) -> Bool { left.decimetres < right.decimetres }
}

extension Length: RawRepresentable, Codable {
  /// The length in decimetres.
  public var rawValue: Int { decimetres }

  /// A length of 0 to 10^9 decimetres; `nil` out of range.
  public init?(rawValue: Int) { self.init(decimetres: rawValue) }
}

/// A time in milliseconds since 1970-01-01T00:00:00Z, without leap seconds, by the caller's clock.
public struct Moment: Hashable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
  public var milliseconds: Int

  /// The time a number of milliseconds after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int) { self.milliseconds = milliseconds }

  /// The time a number of seconds after 1970-01-01T00:00:00Z, at most 9 * 10^15 in either direction.
  public init(seconds: Int) { self.init(milliseconds: seconds * 1000) }

  /// Integer seconds since 1970-01-01T00:00:00Z, rounded down.
  public var seconds: Int { milliseconds.floorDivided(by: 1000) }

  /// The time a number of seconds later, or earlier for a negative number.
  public func adding(seconds: Int) -> Moment { Moment(milliseconds: milliseconds + seconds * 1000) }

  /// The time a number of milliseconds later, or earlier for a negative number.
  public func adding(milliseconds: Int) -> Moment { Moment(milliseconds: self.milliseconds + milliseconds) }
}

extension Moment: Comparable {
  /// Returns true if the left time is earlier.
  public static func < (left: Moment, right: Moment) -> Bool { left.milliseconds < right.milliseconds }
}

extension Moment: RawRepresentable, Codable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var rawValue: Int { milliseconds }

  /// A time within about 285,000 years of 1970; `nil` out of range.
  public init?(rawValue: Int) {
    self.init(milliseconds: rawValue)
    guard self == bounded else { return nil }
  }

  /// The time clamped to about 285,000 years around 1970, so that sums with spans of years cannot overflow.
  var bounded: Moment {
    let maximum = 1 << 53
    return Moment(milliseconds: min(max(milliseconds, -maximum), maximum))
  }
}

/// A non-negative ratio of integers in lowest terms, for exact comparisons of ranks and trends.
public struct Ratio: Hashable, Sendable {
  /// The dividend, 0 or more.
  public let numerator: Int
  /// The divisor, 1 or more.
  public let denominator: Int

  /// Zero.
  public static let zero = Ratio(0)

  /// An integer; negative numbers become 0.
  public init(_ whole: Int) {
    (numerator, denominator) = (max(0, whole), 1)
  }

  /// A ratio; `nil` for a negative numerator and for a denominator below 1.
  public init?(_ numerator: Int, over denominator: Int) {
    guard numerator >= 0, denominator > 0 else { return nil }
    (self.numerator, self.denominator) = Self.reduced(numerator, over: denominator)
  }

  private static func reduced<Number: BinaryInteger>(_ above: Number, over below: Number) -> (Number, Number) {
    var (divisor, rest) = (below, above)
    while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
    return (above / divisor, below / divisor)
  }

  /// The absolute difference of two ratios: exact if it fits 63 bits above and below, else nearly exact.
  public func gap(to other: Ratio) -> Ratio {
    let mine = UInt128(numerator.magnitude) * UInt128(other.denominator.magnitude)
    let others = UInt128(other.numerator.magnitude) * UInt128(denominator.magnitude)
    let whole = UInt128(denominator.magnitude) * UInt128(other.denominator.magnitude)
    var (above, below) = Self.reduced(mine > others ? mine - others : others - mine, over: whole)
    while max(above, below) > UInt128(Int.max) { (above, below) = (above >> 1, max(1, below >> 1)) }
    return Ratio(Int(clamping: above), over: Int(clamping: below)) ?? .zero
  }

  /// The nearest double.
  public var value: Double { Double(numerator) / Double(denominator) }

  /// The integer nearest to the ratio times a factor of 0 or more, over a divisor of 1 or more, halves up; at most
  /// `Int.max`.
  public func rounded(times factor: Int = 1, over divisor: Int = 1) -> Int {
    let product = UInt128(numerator.magnitude) * UInt128(factor.magnitude)
    let whole = UInt128(denominator.magnitude) * UInt128(divisor.magnitude)
    // The remainder is compared with the rest of the whole, so that no number is doubled beyond 128 bits.
    let (quotient, rest) = product.quotientAndRemainder(dividingBy: whole)
    return Int(clamping: rest >= whole - rest ? quotient + 1 : quotient)
  }
}

extension Ratio: Comparable {
  /// Returns true if the left ratio is smaller, by exact cross-multiplication in 128 bits.
  public static func < (left: Ratio, right: Ratio) -> Bool {
    if left.denominator == right.denominator { return left.numerator < right.numerator }
    let mine = left.numerator.multipliedFullWidth(by: right.denominator)
    let others = right.numerator.multipliedFullWidth(by: left.denominator)
    return (mine.high, mine.low) < (others.high, others.low)
  }
}
