// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
package import MonteCarlo
internal import Statistics

/// A share of things that come in clusters, such as reconnections of one session, which are not independent.
///
/// With hits k and trials m of each cluster the share is the sum of k over the sum of m, and what decides its spread is
/// how k - share m varies from cluster to cluster. The sums of squares and products are whole numbers, so merging in
/// any order gives the same bits.
///
/// Source: Cochran, "Sampling Techniques" (1977), sections 2.11 and 3.12, for the ratio and its variance.
package struct ClusteredShare: MergeableTally, Hashable {
  /// Clusters with at least one trial.
  package var clusters = 0
  /// Trials in all of them.
  package var trials = 0
  /// Hits among them.
  package var hits = 0
  /// The sum of the squares of each cluster's trials.
  package var squaredTrials = 0
  /// The sum of the squares of each cluster's hits.
  package var squaredHits = 0
  /// The sum of the products of both.
  package var products = 0

  /// No cluster.
  package init() {}

  /// Counts a cluster; one without trials says nothing.
  ///
  /// - Parameters:
  ///   - hits: From 0 to `trials`.
  ///   - trials: How many things the cluster has.
  package mutating func add(hits: Int, of trials: Int) {
    guard trials > 0 else { return }
    clusters += 1
    self.trials += trials
    self.hits += hits
    squaredTrials += trials * trials
    squaredHits += hits * hits
    products += hits * trials
  }

  /// Adds what another tally holds.
  package mutating func merge(_ other: ClusteredShare) {
    clusters += other.clusters
    trials += other.trials
    hits += other.hits
    squaredTrials += other.squaredTrials
    squaredHits += other.squaredHits
    products += other.products
  }

  /// The share; nil without trials.
  package var share: Double? { trials == 0 ? nil : Double(hits) / Double(trials) }

  /// The share's standard deviation by the spread between clusters; nil for fewer than two clusters.
  package var standardError: Double? {
    guard clusters >= 2, let share else { return nil }
    let spread = Double(squaredHits) - 2 * share * Double(products) + share * share * Double(squaredTrials)
    let correction = Double(clusters) / Double(clusters - 1)
    return (max(0, spread) * correction).squareRoot() / Double(trials)
  }

  /// How many independent trials would tell the share as closely.
  ///
  /// Where all trials went the same way there is no spread to see; then those of a cluster count as one repeated, which
  /// is the worst that they can be.
  package var effectiveTrials: Double {
    guard let share else { return 0 }
    let worst = Double(trials) * Double(trials) / Double(squaredTrials)
    guard let error = standardError, error > 0 else { return worst }
    return min(Double(trials), share * (1 - share) / (error * error))
  }

  /// How often an interval may be looked at.
  package enum Looks: Hashable, Sendable {
    /// Once, after a number of clusters that was fixed beforehand.
    case once
    /// At any time from so many clusters on, when to stop may depend on what is seen.
    case always(from: Int)
  }

  /// An interval for the share: Wilson's, with the effective number of trials in place of their number.
  ///
  /// Sources: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927); Korn
  /// and Graubard, "Confidence intervals for proportions with small expected number of positive counts estimated from
  /// survey data", Survey Methodology 24 (1998), for the effective number.
  ///
  /// - Parameters:
  ///   - confidence: Above 0 and below 1.
  ///   - looks: How often it may be looked at.
  /// - Returns: The interval; from 0 to 1 for fewer than two clusters.
  package func interval(confidence: Double, looks: Looks = .once) -> ClosedRange<Double> {
    guard let share, clusters >= 2,
      let deviations = Self.deviations(confidence: confidence, clusters: clusters, looks: looks)
    else { return 0...1 }
    let (n, z) = (effectiveTrials, deviations * deviations)
    guard n > 0 else { return 0...1 }
    let centre = (share + z / (2 * n)) / (1 + z / n)
    let reach = deviations / (1 + z / n) * (share * (1 - share) / n + z / (4 * n * n)).squareRoot()
    let low = hits == 0 ? 0 : max(0, centre - reach)
    return low...max(low, hits == trials ? 1 : min(1, centre + reach))
  }

  /// How many standard deviations an interval reaches to either side.
  ///
  /// Looked at once, Student's quantile. Looked at again and again, the boundary of an asymptotic confidence sequence
  /// that is narrowest at the first look (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit
  /// theory and asymptotic confidence sequences", Annals of Statistics 52 (2024), theorem 2.2).
  static func deviations(confidence: Double, clusters: Int, looks: Looks) -> Double? {
    let alpha = 1 - confidence
    switch looks {
    case .once:
      return (try? Quantile.studentT(alpha / 2, degreesOfFreedom: Double(clusters - 1))).map { -$0 }
    case .always(let first):
      guard alpha > 0, alpha < 1 else { return nil }
      let wish = -2 * log(alpha)
      let time = Double(clusters) * (wish + log(wish + 1)) / Double(max(1, first))
      return (2 * (time + 1) / time * log((time + 1).squareRoot() / alpha)).squareRoot()
    }
  }
}
