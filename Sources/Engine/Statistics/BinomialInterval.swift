// SPDX-License-Identifier: GPL-3.0-or-later

/// Clopper and Pearson's interval for a probability: it covers at least as often as it says, for every probability.
///
/// Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
/// Biometrika 26 (1934).
public struct BinomialInterval: Sendable, Equatable {
  /// The share of successes observed.
  public let proportion: Double
  /// The lower end, at least 0.
  public let lower: Double
  /// The upper end, at most 1.
  public let upper: Double
  /// The least chance, before sampling, that the interval would cover the true probability.
  public let confidence: Double

  /// The interval after a number of trials that was fixed beforehand.
  ///
  /// - Parameters:
  ///   - successes: From 0 to `trials`.
  ///   - trials: At least 1.
  ///   - confidence: Above 0 and below 1.
  /// - Throws: `invalidParameter`, `notComputable`.
  public init(successes: Int, trials: Int, confidence: Double) throws(StatisticsError) {
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
