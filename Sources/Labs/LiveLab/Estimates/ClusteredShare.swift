// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
public import MonteCarlo
public import Scenarios
internal import Statistics

/// A share of trials in clusters, such as a session's reconnections, which are not independent.
///
/// With hits k and trials m of each cluster the share is the sum of k over the sum of m. It is above a value v if k - v
/// m has a mean above 0, and clusters are independent. If no cluster has more than M trials, this difference lies
/// between -v M and (1 - v) M, which is all that `ConfidenceSequence` requires; its centre is 0, the tested mean, so
/// that sums over all clusters are enough. The bounds therefore hold for any number of clusters and at all times at
/// once: a user may look and stop at any time. They are not asymptotic.
///
/// The sums of squares and products are integers, so merging in any order gives the same bits.
public struct ClusteredShare: MergeableTally, Hashable {
  public init() {}

  /// Clusters with at least one trial.
  public var clusters = 0
  public var trials = 0
  public var hits = 0
  /// The sum of the squares of each cluster's trials.
  public var squaredTrials = 0
  public var squaredHits = 0
  public var products = 0

  public mutating func add(hits: Int, of trials: Int) {
    guard trials > 0 else { return }
    clusters += 1
    self.trials += trials
    self.hits += hits
    squaredTrials += trials * trials
    squaredHits += hits * hits
    products += hits * trials
  }

  public mutating func merge(_ other: ClusteredShare) {
    clusters += other.clusters
    trials += other.trials
    hits += other.hits
    squaredTrials += other.squaredTrials
    squaredHits += other.squaredHits
    products += other.products
  }

  /// The share and its interval as a measurement; nil before the first cluster.
  public func value(alpha: Double, maximum: Int) -> Scenarios.Measurement.Value? {
    guard let share else { return nil }
    let interval = interval(alpha: alpha, maximum: maximum)
    return .interval(
      share, low: interval.lowerBound, high: interval.upperBound, confidence: 1 - alpha, samples: clusters)
  }

  public var share: Double? { trials == 0 ? nil : Double(hits) / Double(trials) }

  /// Returns true if the share reaches a target, in steps of a millionth; `alpha` is the chance of ever giving a wrong
  /// verdict, half for each side. No cluster has more than `maximum` trials.
  public func verdict(target: Double, alpha: Double, maximum: Int) -> Verdict {
    let (wanted, steps) = (log(2 / alpha), target * Double(Self.grid))
    // The product with a decimal target may differ slightly from the integer that it stands for.
    if evidence(above: Int((steps - 1e-6).rounded(.up)), maximum) >= wanted { return .holds }
    return evidence(below: Int((steps + 1e-6).rounded(.down)), maximum) >= wanted ? .fails : .undecided
  }

  /// The interval of the share, with probability at least 1 - alpha at all times at once; from 0 to 1 before the first
  /// cluster, and for an edited tally with more hits than trials.
  public func interval(alpha: Double, maximum: Int) -> ClosedRange<Double> {
    guard let share, (0...1).contains(share) else { return 0...1 }
    let (wanted, middle) = (log(2 / alpha), Int((share * Double(Self.grid)).rounded()))
    let low = Self.last(from: middle, to: 0) { evidence(above: $0, maximum) < wanted }
    let high = Self.last(from: middle, to: Self.grid) { evidence(below: $0, maximum) < wanted }
    return Double(low) / Double(Self.grid)...Double(high) / Double(Self.grid)
  }

  /// The inverse of the step between tested values.
  private static let grid = 1_000_000

  /// The last place between two at which a condition holds, given that it holds at the start.
  private static func last(from start: Int, to end: Int, holds: (Int) -> Bool) -> Int {
    if holds(end) { return end }
    var (inside, outside) = (start, end)
    while abs(outside - inside) > 1 {
      let middle = inside + (outside - inside) / 2
      if holds(middle) { inside = middle } else { outside = middle }
    }
    // Returns the first excluded place, so that the interval is at most a step too wide.
    return outside
  }

  private func evidence(above value: Int, _ maximum: Int) -> Double {
    sequence(value, maximum)?.logEvidence(meanAbove: 0) ?? 0
  }

  private func evidence(below value: Int, _ maximum: Int) -> Double {
    sequence(value, maximum)?.logEvidence(meanBelow: 0) ?? 0
  }

  /// The differences hits - value trials, in units of a step.
  private func sequence(_ value: Int, _ maximum: Int) -> ConfidenceSequence? {
    let share = Double(value) / Double(Self.grid)
    let (low, high) = (-share * Double(maximum), (1 - share) * Double(maximum))
    guard clusters > 0, value >= 0, value <= Self.grid, low < high,
      var sequence = try? ConfidenceSequence(range: low...high, unit: 1 / Double(Self.grid), firstCentre: 0)
    else { return nil }
    let (grid, value) = (Int128(Self.grid), Int128(value))
    let squares =
      grid * grid * Int128(squaredHits) - 2 * grid * value * Int128(products) + value * value * Int128(squaredTrials)
    // Only an edited tally overflows here.
    guard let sum = Int(exactly: grid * Int128(hits) - value * Int128(trials)) else { return nil }
    sequence.absorb(wave: MomentTally(count: clusters, sum: sum, sumOfSquares: squares))
    return sequence
  }
}
