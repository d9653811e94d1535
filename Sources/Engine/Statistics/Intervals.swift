// SPDX-License-Identifier: GPL-3.0-or-later

/// A confidence interval for a mean, for samples whose size was fixed beforehand.
///
/// Looking at it while sampling goes on, and stopping when it looks good, voids its confidence: that is what
/// `ConfidenceSequence` is for.
package struct NormalInterval: Sendable, Equatable {
  package let mean: Double
  /// The estimate's standard deviation, in the units of the mean.
  package let standardError: Double
  /// The chance, before sampling, that the interval would cover the true mean; above 0 and below 1.
  package let confidence: Double
  /// Half the interval's width, in the units of the mean.
  package let halfWidth: Double

  package var lower: Double { mean - halfWidth }
  package var upper: Double { mean + halfWidth }

  /// The interval of an estimate that is normally distributed with a known standard error.
  package init(mean: Double, standardError: Double, confidence: Double) throws(StatisticsError) {
    let name = "Normal interval"
    try require(mean.isFinite, name, "mean", mean, "a finite number")
    try require(
      standardError >= 0 && standardError.isFinite, name, "standardError", standardError, "a finite number, at least 0")
    try requireProbability(confidence, name, "confidence")
    (self.mean, self.standardError, self.confidence) = (mean, standardError, confidence)
    halfWidth = -(try Quantile.normal((1 - confidence) / 2)) * standardError
  }

  /// Student's interval for the mean of what was tallied, at least two observations.
  package init(of tally: MomentTally, unit: Double = 1, confidence: Double) throws(StatisticsError) {
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

/// Clopper and Pearson's interval for a probability: it covers at least as often as stated, for every probability.
///
/// Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
/// Biometrika 26 (1934).
package struct BinomialInterval: Sendable, Equatable {
  package let proportion: Double
  package let lower: Double
  package let upper: Double
  /// The least chance, before sampling, that the interval would cover the true probability.
  package let confidence: Double

  /// The interval after a number of trials that was fixed beforehand.
  package init(successes: Int, trials: Int, confidence: Double) throws(StatisticsError) {
    let name = "Binomial interval"
    try require(trials >= 1, name, "trials", trials, "at least 1")
    try require(successes >= 0 && successes <= trials, name, "successes", successes, "0 to \(trials)")
    try requireProbability(confidence, name, "confidence")
    let tail = (1 - confidence) / 2
    let failures = trials - successes
    lower = successes == 0 ? 0 : try Quantile.beta(tail, a: Double(successes), b: Double(failures) + 1)
    // 1 - tail would round to 1 for high confidences; the beta distribution's mirror image keeps the tail.
    upper = failures == 0 ? 1 : 1 - (try Quantile.beta(tail, a: Double(failures), b: Double(successes) + 1))
    proportion = Double(successes) / Double(trials)
    self.confidence = confidence
  }
}
