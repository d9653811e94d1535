// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore
package import MonteCarlo

/// How long clients were away, session by session: a survival curve with percentiles, and how well both are known.
///
/// Times of one session are not independent. For every time t at once the histograms keep what the share of times
/// beyond t and its spread between sessions need: with k times of a session beyond t, the sums over sessions of k, k^2
/// and k m. The sum of k^2 is a histogram too, because k^2 = 1 + 3 + 5 + ... + (2k - 1): the j-th longest time of a
/// session weighs 2j - 1. So everything is whole numbers, merged in any order.
package struct ReturnTimes: MergeableTally, Hashable {
  /// What one unit of the histograms is.
  package static let unit = Interval(nanoseconds: 1_000)

  /// The times, in units.
  package private(set) var times = LatencyHistogram()
  /// Beyond all times: those who never came back.
  package private(set) var lost = ClusteredShare()
  private var squares = LatencyHistogram()
  private var products = LatencyHistogram()

  /// No session.
  package init() {}

  /// Counts a session.
  ///
  /// - Parameters:
  ///   - returns: How long each time took, in any order; sorted afterwards.
  ///   - lost: How often the client did not come back while it was looked at.
  package mutating func add(_ returns: inout [Interval], lost: Int) {
    let all = returns.count + lost
    guard all > 0 else { return }
    self.lost.add(hits: lost, of: all)
    if returns.count > 1 { returns.sort(by: >) }
    for index in returns.indices {
      let units = Int(returns[index].nanoseconds / Self.unit.nanoseconds)
      times.add(units)
      squares.add(units, times: 2 * (lost + index) + 1)
      products.add(units, times: all)
    }
  }

  /// Adds what another tally holds.
  package mutating func merge(_ other: ReturnTimes) {
    times.merge(other.times)
    lost.merge(other.lost)
    squares.merge(other.squares)
    products.merge(other.products)
  }

  /// How many times were counted, those without an end included.
  package var count: Int { lost.trials }

  /// The share still away at each time at which it falls, from the shortest on.
  package var survival: [(time: Interval, away: ClusteredShare)] {
    var away = lost
    away.hits += times.count
    away.squaredHits += squares.count
    away.products += products.count
    return times.counts.indices.compactMap { index in
      guard times.counts[index] > 0 else { return nil }
      away.hits -= times.counts[index]
      away.squaredHits -= squares.counts[index]
      away.products -= products.counts[index]
      return (Self.interval(LatencyHistogram.values(ofBucket: index).upperBound), away)
    }
  }

  /// A percentile with its interval; times that have no end are longer than all others, and stand as `forever`.
  package struct Percentile: Hashable, Sendable {
    /// The time, at the upper end of its bucket: too long by at most a hundred and twenty-eighth.
    package let time: Interval
    /// What it is known to lie in.
    package let interval: ClosedRange<Interval>
  }

  /// The time within which that share came back.
  ///
  /// The interval is that of all times t for which the interval of the share beyond t does not exclude the percentile
  /// (Woodruff, "Confidence intervals for medians and other position measures", JASA 47 (1952)).
  ///
  /// - Parameters:
  ///   - share: Above 0 and below 1: 0.99 for the 99th percentile.
  ///   - confidence: Of the interval.
  ///   - looks: How often it may be looked at.
  /// - Returns: The percentile; nil where nothing was counted.
  package func percentile(_ share: Double, confidence: Double, looks: ClusteredShare.Looks = .once) -> Percentile? {
    guard count > 0 else { return nil }
    let beyond = 1 - share
    var (time, low, high): (Interval?, Interval?, Interval?)
    for (end, away) in survival {
      // Comparing counts avoids the rounding of a share that is met exactly.
      if time == nil, Double(away.hits) <= beyond * Double(away.trials) * (1 + 1e-12) { time = end }
      let interval = away.interval(confidence: confidence, looks: looks)
      if low == nil, interval.lowerBound <= beyond { low = end }
      if high == nil, interval.upperBound <= beyond { high = end }
      if high != nil, time != nil { break }
    }
    let found = time ?? .forever
    return Percentile(time: found, interval: min(low ?? .forever, found)...max(high ?? .forever, found))
  }

  private static func interval(_ units: Int) -> Interval { unit * Int64(units) }
}
