// SPDX-License-Identifier: GPL-3.0-or-later
public import Statistics

/// Ends a run when the mean of a bounded quantity is known closely enough.
///
/// It judges by a confidence sequence, which may be looked at after every wave: the interval at the end covers the mean
/// with the stated confidence although the end was chosen by looking.
public struct HalfWidthJudge: Sendable {
  /// The half-width to reach, in the units of the sequence's range.
  public let target: Double
  /// The probability with which the interval covers the mean, at all times at once.
  public let confidence: Double
  /// Everything judged so far.
  public private(set) var sequence: ConfidenceSequence

  /// Creates a judge that has seen nothing.
  ///
  /// - Parameters:
  ///   - target: The half-width to reach, in the units of the sequence's range, above 0.
  ///   - confidence: Between 0 and 1.
  ///   - sequence: A confidence sequence that has seen nothing; it knows the range and the unit of the quantity.
  /// - Throws: `badValue` for a target or a confidence outside that.
  public init(target: Double, confidence: Double, sequence: ConfidenceSequence) throws(MonteCarloError) {
    try require(target > 0 && target.isFinite, "half-width", target, "a number above 0")
    try require(confidence > 0 && confidence < 1, "confidence", confidence, "a number between 0 and 1")
    (self.target, self.confidence, self.sequence) = (target, confidence, sequence)
  }

  /// The interval so far, in the units of the range.
  public var interval: ClosedRange<Double> { sequence.interval(alpha: 1 - confidence) }

  /// Takes in one wave and says whether the target is reached.
  ///
  /// - Parameter wave: The moments of this wave alone, in the sequence's unit.
  /// - Returns: Whether the interval's half-width is at most the target.
  public mutating func isMet(after wave: MomentTally) -> Bool {
    sequence.absorb(wave: wave)
    let interval = interval
    return interval.upperBound - interval.lowerBound <= 2 * target
  }
}
