// SPDX-License-Identifier: GPL-3.0-or-later
public import MonteCarlo

/// Ends a run when the mean of a bounded quantity is known precisely enough.
///
/// It uses a confidence sequence, which allows a look after every wave: the final interval covers the mean with the
/// stated confidence although the looks decided the end.
public struct HalfWidthStop: Sendable {
  /// The half-width to reach, in the units of the sequence's range.
  package let target: Double
  /// The probability that the interval covers the mean at all times simultaneously.
  package let confidence: Double
  package private(set) var sequence: ConfidenceSequence

  /// A stop for a confidence sequence without observations, which defines the range and the unit of the quantity.
  public init(target: Double, confidence: Double, sequence: ConfidenceSequence) throws(MonteCarloError) {
    guard target > 0, target.isFinite else {
      throw .badValue(name: "half-width", value: "\(target)", expected: "a number above 0")
    }
    guard confidence > 0, confidence < 1 else {
      throw .badValue(name: "confidence", value: "\(confidence)", expected: "a number between 0 and 1")
    }
    (self.target, self.confidence, self.sequence) = (target, confidence, sequence)
  }

  /// The interval so far, in the units of the range.
  public var interval: ClosedRange<Double> { sequence.interval(alpha: 1 - confidence) }

  /// Adds one wave; returns whether the target is reached.
  public mutating func isMet(after wave: MomentTally) -> Bool {
    sequence.absorb(wave: wave)
    let interval = interval
    return interval.upperBound - interval.lowerBound <= 2 * target
  }
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
