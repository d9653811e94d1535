// SPDX-License-Identifier: GPL-3.0-or-later
public import MonteCarlo

/// Count, sum and sum of squares of integers, held exactly: merging tallies in any order gives the same bits.
///
/// Fractional quantities are tallied in a unit of the caller's choice (tenths of a bet, 2^-20 of a bet). The sum stays
/// in range for 2^32 values of magnitudes up to 2^31; an overflow traps.
///
/// Public only for the hot loops of other modules.
@_documentation(visibility: internal)
@frozen
public struct MomentTally: Sendable, Equatable {
  /// The number of values.
  public var count: Int
  /// The sum of the values, in units.
  public var sum: Int
  /// The sum of the squared values, in squared units.
  public var sumOfSquares: Int128

  /// Creates an empty tally, or one from known totals, such as those of a histogram.
  @inlinable
  public init(count: Int = 0, sum: Int = 0, sumOfSquares: Int128 = 0) {
    (self.count, self.sum, self.sumOfSquares) = (count, sum, sumOfSquares)
  }

  /// Adds one value, in units.
  @inlinable @inline(__always)
  public mutating func add(_ value: Int) {
    count += 1
    sum += value
    sumOfSquares &+= Int128(value) &* Int128(value)
  }

  /// Adds one value several times, for example from a histogram.
  @inlinable
  public mutating func add(_ value: Int, times: Int) {
    count += times
    sum += value * times
    sumOfSquares &+= Int128(value) &* Int128(value) &* Int128(times)
  }

  /// Adds the values of another tally; the order of merges makes no difference.
  @inlinable
  public mutating func merge(_ other: MomentTally) {
    count += other.count
    sum += other.sum
    sumOfSquares &+= other.sumOfSquares
  }

  /// The mean, in units; 0 without values.
  public var mean: Double { count == 0 ? 0 : Double(sum) / Double(count) }

  /// The exact sum of squared distances from an integer, in squared units.
  package func sumOfSquaredDistances(from centre: Int) -> Int128 {
    let centre = Int128(centre)
    return sumOfSquares - 2 * centre * Int128(sum) + Int128(count) * centre * centre
  }

  /// The sum of squared distances from any number, in squared units.
  package func sumOfSquaredDistances(from centre: Double) -> Double {
    // The distances from an integer are exact, so floating-point arithmetic does not cancel large numbers.
    let whole = Int(max(-0x1p53, min(0x1p53, centre.rounded(.down))))
    let fraction = centre - Double(whole)
    let shiftedSum = Self.rounded(Int128(sum) - Int128(count) * Int128(whole))
    let exact = Self.rounded(sumOfSquaredDistances(from: whole))
    return max(0, exact - 2 * fraction * shiftedSum + Double(count) * fraction * fraction)
  }

  /// The nearest double, or its neighbour; the standard library's conversion uses unspecialised generic code.
  private static func rounded(_ value: Int128) -> Double {
    let magnitude = value.magnitude
    let high = Double(UInt64(truncatingIfNeeded: magnitude >> 64))
    let rounded = high * 0x1p64 + Double(UInt64(truncatingIfNeeded: magnitude))
    return value < 0 ? -rounded : rounded
  }

  /// The unbiased sample variance, in squared units; 0 for fewer than two values.
  package var variance: Double {
    count < 2 ? 0 : sumOfSquaredDistances(from: mean) / Double(count - 1)
  }

  /// The sample standard deviation, in units.
  package var standardDeviation: Double { variance.squareRoot() }

  /// The standard deviation of the mean, in units; 0 for fewer than two values.
  public var standardError: Double { count == 0 ? 0 : (variance / Double(count)).squareRoot() }
}

extension MomentTally: MergeableTally {
  /// Decodes the three totals.
  public init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    let (count, sum) = (try values.decode(Int.self), try values.decode(Int.self))
    guard let squares = Int128(try values.decode(String.self)), squares.magnitude < 1 << 112 else {
      throw DecodingError.dataCorruptedError(in: values, debugDescription: "no sum of squares")
    }
    self.init(count: count, sum: sum, sumOfSquares: squares)
  }

  /// Encodes the three totals.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(count)
    try values.encode(sum)
    // A text, because JSON readers keep fewer digits of a number.
    try values.encode(String(sumOfSquares))
  }
}
