// SPDX-License-Identifier: GPL-3.0-or-later

/// A confidence interval for a mean, for samples whose size was fixed beforehand.
///
/// Looking at it while sampling goes on, and stopping when it looks good, voids its confidence: that is what
/// `ConfidenceSequence` is for.
public struct NormalInterval: Sendable, Equatable {
  /// The estimate, in the centre of the interval.
  public let mean: Double
  /// The estimate's standard deviation, in the units of the mean.
  public let standardError: Double
  /// The chance, before sampling, that the interval would cover the true mean; above 0 and below 1.
  public let confidence: Double
  /// Half the interval's width, in the units of the mean.
  public let halfWidth: Double

  /// The lower end.
  public var lower: Double { mean - halfWidth }
  /// The upper end.
  public var upper: Double { mean + halfWidth }

  /// The interval of an estimate that is normally distributed with a known standard error.
  ///
  /// - Parameters:
  ///   - mean: The estimate.
  ///   - standardError: Its standard deviation, at least 0, in the same units.
  ///   - confidence: Above 0 and below 1.
  /// - Throws: `invalidParameter`.
  public init(mean: Double, standardError: Double, confidence: Double) throws(StatisticsError) {
    let name = "Normal interval"
    try require(mean.isFinite, name, "mean", mean, "a finite number")
    try require(
      standardError >= 0 && standardError.isFinite, name, "standardError", standardError, "a finite number, at least 0")
    try requireProbability(confidence, name, "confidence")
    (self.mean, self.standardError, self.confidence) = (mean, standardError, confidence)
    halfWidth = -(try Quantile.normal((1 - confidence) / 2)) * standardError
  }

  /// Student's interval for the mean of what was tallied.
  ///
  /// - Parameters:
  ///   - tally: At least two observations.
  ///   - unit: What one unit of the tally is worth, in the units of the mean.
  ///   - confidence: Above 0 and below 1.
  /// - Throws: `tooFewObservations`, `invalidParameter`.
  public init(of tally: MomentTally, unit: Double = 1, confidence: Double) throws(StatisticsError) {
    let name = "Student's interval"
    guard tally.count >= 2 else { throw .tooFewObservations(of: name, count: tally.count, required: 2) }
    try require(unit > 0 && unit.isFinite, name, "unit", unit, "a positive number")
    try requireProbability(confidence, name, "confidence")
    mean = tally.mean * unit
    standardError = tally.standardError * unit
    self.confidence = confidence
    let quantile = try Quantile.studentT((1 - confidence) / 2, degreesOfFreedom: Double(tally.count - 1))
    halfWidth = -quantile * standardError
  }
}
