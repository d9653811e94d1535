// SPDX-License-Identifier: GPL-3.0-or-later
package import ClubCore
internal import Statistics

/// What a trial came to.
package struct FeedResult: Sendable {
  /// What one variant of the faults came to.
  package struct Finding: Sendable {
    /// Which faults.
    package let variant: FeedVariant
    /// How many seasons.
    package let seasons: Int
    /// What was counted over all seasons.
    package let counts: FeedCounts
    /// The estimates, in the order of `FeedQuantity.allCases`; what had nothing to be taken of is missing.
    package let estimates: [Estimate]

    /// The estimate of a quantity; nil where there was nothing to take it of.
    package func estimate(of quantity: FeedQuantity) -> Estimate? { estimates.first { $0.quantity == quantity } }
  }

  /// A mean over seasons, with its interval.
  package struct Estimate: Hashable, Sendable {
    /// What is estimated.
    package let quantity: FeedQuantity
    /// The mean over the seasons.
    package let mean: Double
    /// The standard deviation of a single season's value.
    package let standardDeviation: Double
    /// How many seasons had one.
    package let samples: Int
    /// Student's interval at the result's confidence.
    package let interval: ClosedRange<Double>
  }

  /// What was tried.
  package let trial: FeedTrial
  /// The confidence of each interval by itself.
  package let confidence: Double
  /// By variant, in the trial's order.
  package let findings: [Finding]
  /// The last judged week of the first season under the last variant, as what was judged tells it.
  package let week: ClubWeek

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
  package func finding(of variant: FeedVariant) -> Finding? { findings.first { $0.variant == variant } }
}
