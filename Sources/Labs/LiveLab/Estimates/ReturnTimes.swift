// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore
public import MonteCarlo
internal import Scenarios

/// Times that clients were away, by session: a survival curve with percentiles, and their intervals.
///
/// Times of one session are not independent. For every time t, histograms keep the sums for the share of times beyond t
/// and its spread between sessions: with k times of a session beyond t, the sums over sessions of k, k^2 and k m. The
/// sum of k^2 is a histogram, too, because k^2 = 1 + 3 + 5 + ... + (2k - 1): the j-th longest time of a session weighs
/// 2j - 1. So all sums are integers, merged in any order.
public struct ReturnTimes: MergeableTally, Hashable {
  static let unit = Interval(nanoseconds: 1_000)

  public private(set) var times = LatencyHistogram()
  /// Clients that never came back, whose times are longer than all others.
  public private(set) var lost = ClusteredShare()
  private var squares = LatencyHistogram()
  private var products = LatencyHistogram()

  /// Counts a session: the times away, in any order, and how often the client did not come back.
  public mutating func add(_ returns: [Interval], lost: Int) {
    let all = returns.count + lost
    guard all > 0 else { return }
    self.lost.add(hits: lost, of: all)
    for (index, time) in returns.sorted(by: >).enumerated() {
      let units = Int(time.nanoseconds / Self.unit.nanoseconds)
      times.add(units)
      squares.add(units, times: 2 * (lost + index) + 1)
      products.add(units, times: all)
    }
  }

  public mutating func merge(_ other: ReturnTimes) {
    times.merge(other.times)
    lost.merge(other.lost)
    squares.merge(other.squares)
    products.merge(other.products)
  }

  /// The number of times counted, including those without an end.
  public var count: Int { lost.trials }

  /// The clients away at time 0, which are all.
  private var everybody: ClusteredShare {
    var away = lost
    away.hits += times.count
    away.squaredHits += squares.count
    away.products += products.count
    return away
  }

  /// The share still away at each time at which it falls, shortest first.
  public var survival: [(time: Interval, away: ClusteredShare)] {
    var away = everybody
    return times.counts.indices.compactMap { index in
      // A tally from a damaged checkpoint may lack the entries of a time.
      guard times.counts[index] > 0, squares.counts.indices.contains(index), products.counts.indices.contains(index)
      else { return nil }
      away.hits -= times.counts[index]
      away.squaredHits -= squares.counts[index]
      away.products -= products.counts[index]
      return (Self.interval(LatencyHistogram.values(ofBucket: index).upperBound), away)
    }
  }

  /// A percentile with its interval; times without an end are longer than all others and shown as `forever`.
  public struct Percentile: Hashable, Sendable {
    /// The time, at the upper end of its bucket: at most 1/128 too long.
    public let time: Interval
    public let interval: ClosedRange<Interval>
  }

  /// The time within which a share of the clients came back; nil without times.
  ///
  /// The interval contains all times t at which the share beyond t may be that of the percentile (Woodruff, "Confidence
  /// intervals for medians and other position measures", JASA 47 (1952)).
  ///
  /// It holds at all times at once, with probability at least 1 - alpha; no session has more than `maximum` times.
  public func percentile(_ share: Double, alpha: Double, maximum: Int) -> Percentile? {
    guard count > 0 else { return nil }
    let beyond = 1 - share
    var (time, low, high): (Interval?, Interval?, Interval?)
    // With too few sessions even a time below the shortest is not excluded.
    if everybody.verdict(target: beyond, alpha: alpha, maximum: maximum) != .holds { low = .zero }
    for (end, away) in survival {
      // Comparing counts avoids rounding of a share that is met exactly.
      if time == nil, Double(away.hits) <= beyond * Double(away.trials) * (1 + 1e-12) { time = end }
      let side = away.verdict(target: beyond, alpha: alpha, maximum: maximum)
      if low == nil, side != .holds { low = end }
      if high == nil, side == .fails { high = end }
      if high != nil, time != nil { break }
    }
    let found = time ?? .forever
    return Percentile(time: found, interval: min(low ?? .forever, found)...max(high ?? .forever, found))
  }

  private static func interval(_ units: Int) -> Interval { unit * Int64(units) }
}

/// A histogram of times, each known to within 1/128 of itself.
///
/// Values below 256 have a bucket each; above, every power of two is divided into 128 equal buckets. So any value costs
/// one increment, and a percentile comes with its bucket. Counts are integers: merging histograms in any order gives
/// the same bits.
///
/// Source: Tene, "HdrHistogram: A High Dynamic Range Histogram", hdrhistogram.org (2012).
public struct LatencyHistogram: MergeableTally, Hashable {
  /// The binary logarithm of the buckets per power of two.
  static let bits = 7
  public private(set) var counts: [Int] = []
  public private(set) var count = 0

  /// Counts a value a number of times; values below 0 count as 0.
  public mutating func add(_ value: Int, times: Int = 1) {
    guard times > 0 else { return }
    let index = Self.index(of: value)
    if index >= counts.count { counts.append(contentsOf: repeatElement(0, count: index + 1 - counts.count)) }
    counts[index] += times
    count += times
  }

  public mutating func merge(_ other: LatencyHistogram) {
    if other.counts.count > counts.count {
      counts.append(contentsOf: repeatElement(0, count: other.counts.count - counts.count))
    }
    for index in other.counts.indices { counts[index] += other.counts[index] }
    count += other.count
  }

  static func index(of value: Int) -> Int {
    let value = UInt(max(0, value))
    let shift = max(0, UInt.bitWidth - 1 - bits - (value | 1).leadingZeroBitCount)
    return shift << bits + Int(value >> UInt(shift))
  }

  static func values(ofBucket index: Int) -> ClosedRange<Int> {
    let shift = max(0, index >> bits - 1)
    let lowest = (index - shift << bits) << shift
    return lowest...(lowest + ((1 << shift) - 1))
  }

  /// The bucket of the value at a share's rank: 0 is the least value, 1 the greatest.
  public func percentile(_ share: Double) -> ClosedRange<Int>? {
    guard count > 0 else { return nil }
    let rank = min(count, max(1, Int((share * Double(count)).rounded(.up))))
    var below = 0
    for index in counts.indices {
      below += counts[index]
      if below >= rank { return Self.values(ofBucket: index) }
    }
    return nil
  }
}
