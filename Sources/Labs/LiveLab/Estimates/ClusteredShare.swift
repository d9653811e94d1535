// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import MonteCarlo
internal import Statistics

/// A share of things that come in clusters, such as reconnections of one session, which are not independent.
///
/// With hits k and trials m of each cluster the share is the sum of k over the sum of m, and what decides its spread is
/// how k - share m varies from cluster to cluster. The sums of squares and products are whole numbers, so merging in
/// any order gives the same bits.
///
/// Source: Cochran, "Sampling Techniques" (1977), sections 2.11 and 3.12, for the ratio and its variance.
struct ClusteredShare: MergeableTally, Hashable {
  /// Clusters with at least one trial.
  var clusters = 0
  var trials = 0
  var hits = 0
  /// The sum of the squares of each cluster's trials.
  var squaredTrials = 0
  var squaredHits = 0
  var products = 0

  mutating func add(hits: Int, of trials: Int) {
    guard trials > 0 else { return }
    clusters += 1
    self.trials += trials
    self.hits += hits
    squaredTrials += trials * trials
    squaredHits += hits * hits
    products += hits * trials
  }

  mutating func merge(_ other: ClusteredShare) {
    clusters += other.clusters
    trials += other.trials
    hits += other.hits
    squaredTrials += other.squaredTrials
    squaredHits += other.squaredHits
    products += other.products
  }

  var share: Double? { trials == 0 ? nil : Double(hits) / Double(trials) }

  /// The share's standard deviation by the spread between clusters; nil for fewer than two clusters.
  var standardError: Double? {
    guard clusters >= 2, let share else { return nil }
    let spread = Double(squaredHits) - 2 * share * Double(products) + share * share * Double(squaredTrials)
    let correction = Double(clusters) / Double(clusters - 1)
    return (max(0, spread) * correction).squareRoot() / Double(trials)
  }

  /// How many independent trials would tell the share as closely.
  ///
  /// Where all trials went the same way there is no spread to see; then those of a cluster count as one repeated, which
  /// is the worst that they can be.
  var effectiveTrials: Double {
    guard let share else { return 0 }
    let worst = Double(trials) * Double(trials) / Double(squaredTrials)
    guard let error = standardError, error > 0 else { return worst }
    return min(Double(trials), share * (1 - share) / (error * error))
  }

  /// How often an interval may be looked at.
  enum Looks: Hashable, Sendable {
    /// Once, after a number of clusters that was fixed beforehand.
    case once
    /// At any time from so many clusters on, when to stop may depend on what is seen.
    case always(from: Int)
  }

  /// An interval for the share, Wilson's with the effective number of trials in place of their number; from 0 to 1 for
  /// fewer than two clusters.
  ///
  /// Sources: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927); Korn
  /// and Graubard, "Confidence intervals for proportions with small expected number of positive counts estimated from
  /// survey data", Survey Methodology 24 (1998), for the effective number.
  func interval(confidence: Double, looks: Looks = .once) -> ClosedRange<Double> {
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
    case .once: return (try? Quantile.studentT(alpha / 2, degreesOfFreedom: Double(clusters - 1))).map { -$0 }
    case .always(let first):
      guard alpha > 0, alpha < 1 else { return nil }
      let wish = -2 * log(alpha)
      let time = Double(clusters) * (wish + log(wish + 1)) / Double(max(1, first))
      return (2 * (time + 1) / time * log((time + 1).squareRoot() / alpha)).squareRoot()
    }
  }
}

/// Bounds for a share of clustered things that hold at all times at once: look after every wave of sessions, stop when
/// you like.
///
/// A share above a value v means that hits - v trials of a session have a mean above 0, and sessions are independent.
/// That difference lies between -v M and (1 - v) M when no session has more than M trials, which is all that
/// `ConfidenceSequence` asks. The bounds of the share are the values that the evidence does not exclude; nothing is
/// asymptotic.
package struct SuccessSequence: Sendable {
  /// No session has more trials than this.
  let mostTrials: Int
  private(set) var total = ClusteredShare()
  private var waves: [ClusteredShare] = []

  /// Values are looked at in steps of one over this.
  private static let grid = 1_000_000

  init(mostTrials: Int) { self.mostTrials = max(1, mostTrials) }

  mutating func absorb(wave: ClusteredShare) {
    guard wave.clusters > 0 else { return }
    waves.append(wave)
    total.merge(wave)
  }

  /// Which side of a value the share is on, as far as is known.
  package enum Verdict: String, Hashable, Sendable {
    case reached, missed
    case open
  }

  /// Whether the share reaches a target, in steps of a millionth; `alpha` is the chance of a wrong verdict ever, of
  /// which each side has half.
  func verdict(target: Double, alpha: Double) -> Verdict {
    let (wanted, value) = (log(2 / alpha), Self.step(target))
    if evidence(above: value) >= wanted { return .reached }
    return evidence(below: value) >= wanted ? .missed : .open
  }

  /// What the share lies in, with probability at least 1 - alpha for all waves at once; from 0 to 1 before the first
  /// session.
  func interval(alpha: Double) -> ClosedRange<Double> {
    guard let share = total.share else { return 0...1 }
    let (wanted, middle) = (log(2 / alpha), Self.step(share))
    let low = Self.last(from: middle, to: 0) { evidence(above: $0) < wanted }
    let high = Self.last(from: middle, to: Self.grid) { evidence(below: $0) < wanted }
    return Double(low) / Double(Self.grid)...Double(high) / Double(Self.grid)
  }

  /// The last place on the way from one to another at which something still holds, given that it does where one starts.
  private static func last(from start: Int, to end: Int, holds: (Int) -> Bool) -> Int {
    if holds(end) { return end }
    var (inside, outside) = (start, end)
    while abs(outside - inside) > 1 {
      let middle = inside + (outside - inside) / 2
      if holds(middle) { inside = middle } else { outside = middle }
    }
    // The first place that is excluded: the step towards it is given away.
    return outside
  }

  private static func step(_ share: Double) -> Int { min(grid, max(0, Int((share * Double(grid)).rounded()))) }

  private func evidence(above value: Int) -> Double { sequence(value)?.logEvidence(meanAbove: 0) ?? 0 }

  private func evidence(below value: Int) -> Double { sequence(value)?.logEvidence(meanBelow: 0) ?? 0 }

  /// The differences hits - value trials, in steps.
  private func sequence(_ value: Int) -> ConfidenceSequence? {
    let (grid, most) = (Double(Self.grid), Double(mostTrials))
    let share = Double(value) / grid
    // Before anything is seen the guess is one trial, and a hit.
    let guess = 1 - share
    guard
      var sequence = try? ConfidenceSequence(
        range: (-share * most)...((1 - share) * most), unit: 1 / grid, firstCentre: guess)
    else { return nil }
    for wave in waves { sequence.absorb(wave: Self.differences(wave, value)) }
    return sequence
  }

  private static func differences(_ wave: ClusteredShare, _ value: Int) -> MomentTally {
    let (grid, value) = (Int128(grid), Int128(value))
    let squares =
      grid * grid * Int128(wave.squaredHits) - 2 * grid * value * Int128(wave.products)
      + value * value * Int128(wave.squaredTrials)
    let sum = grid * Int128(wave.hits) - value * Int128(wave.trials)
    return MomentTally(count: wave.clusters, sum: Int(sum), sumOfSquares: squares)
  }
}
