// SPDX-License-Identifier: GPL-3.0-or-later
public import ClubCore
internal import Statistics

/// What a trial came to.
public struct FeedResult: Sendable {
  /// What one variant of the faults came to.
  public struct Finding: Sendable {
    /// Which faults.
    public let variant: FeedVariant
    /// How many seasons.
    public let seasons: Int
    /// What was counted over all seasons.
    public let counts: FeedCounts
    /// The estimates, in the order of `FeedQuantity.allCases`; what had nothing to be taken of is missing.
    public let estimates: [Estimate]

    /// The estimate of a quantity; nil where there was nothing to take it of.
    public func estimate(of quantity: FeedQuantity) -> Estimate? { estimates.first { $0.quantity == quantity } }
  }

  /// A mean over seasons, with its interval.
  public struct Estimate: Hashable, Sendable {
    /// What is estimated.
    public let quantity: FeedQuantity
    /// The mean over the seasons.
    public let mean: Double
    /// The standard deviation of a single season's value.
    public let standardDeviation: Double
    /// How many seasons had one.
    public let samples: Int
    /// Student's interval at the result's confidence.
    public let interval: ClosedRange<Double>
  }

  /// What was tried.
  public let trial: FeedTrial
  /// The confidence of each interval by itself.
  public let confidence: Double
  /// By variant, in the trial's order.
  public let findings: [Finding]
  /// The last judged week of the first season under the last variant, as what was judged tells it.
  public let week: ClubWeek

  init(_ trial: FeedTrial, _ tallies: [TrialTally], confidence: Double) throws {
    week = try trial.lastWeek()
    (self.trial, self.confidence) = (trial, confidence)
    findings = try zip(trial.variants, tallies).map { variant, tally in
      let estimates = try zip(FeedQuantity.allCases, tally.quantities).compactMap { quantity, moments -> Estimate? in
        guard moments.count >= 2 else { return nil }
        let unit = 1 / Double(TrialTally.unit)
        let normal = try NormalInterval(of: moments, unit: unit, confidence: confidence)
        return Estimate(
          quantity: quantity, mean: normal.mean, standardDeviation: moments.standardDeviation * unit,
          samples: moments.count, interval: normal.lower...normal.upper)
      }
      return Finding(variant: variant, seasons: tally.seasons, counts: tally.counts, estimates: estimates)
    }
  }

  /// What a variant came to; nil for one that was not tried.
  public func finding(of variant: FeedVariant) -> Finding? { findings.first { $0.variant == variant } }
}
