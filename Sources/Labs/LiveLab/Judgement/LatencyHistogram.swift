// SPDX-License-Identifier: GPL-3.0-or-later
package import MonteCarlo

/// Counts of times, each known to within a hundred and twenty-eighth of itself.
///
/// Values below 256 have a bucket each; above, every power of two is cut into 128 equal buckets. So a value of any size
/// costs one increment, and a percentile comes with the bucket it lies in. Counts are whole numbers: merging histograms
/// in any order gives the same bits.
///
/// Source: Tene, "HdrHistogram: A High Dynamic Range Histogram", hdrhistogram.org (2012).
package struct LatencyHistogram: MergeableTally, Hashable {
  /// Every power of two has two to this many buckets.
  static let bits = 7
  /// By how much of itself a value may differ from the ends of its bucket.
  package static let relativeError = 1.0 / Double(1 << bits)

  /// The counts, up to the last that is not 0.
  private(set) var counts: [Int] = []
  /// How much was counted.
  package private(set) var count = 0

  /// Nothing counted.
  package init() {}

  /// Counts a value.
  ///
  /// - Parameters:
  ///   - value: In a unit of the caller's choice; what is below 0 counts as 0.
  ///   - times: How often, or with what weight.
  package mutating func add(_ value: Int, times: Int = 1) {
    guard times > 0 else { return }
    let index = Self.index(of: value)
    if index >= counts.count { counts.append(contentsOf: repeatElement(0, count: index + 1 - counts.count)) }
    counts[index] += times
    count += times
  }

  /// Adds what another tally holds.
  package mutating func merge(_ other: LatencyHistogram) {
    if other.counts.count > counts.count {
      counts.append(contentsOf: repeatElement(0, count: other.counts.count - counts.count))
    }
    for index in other.counts.indices { counts[index] += other.counts[index] }
    count += other.count
  }

  /// The bucket of a value.
  static func index(of value: Int) -> Int {
    let value = UInt(max(0, value))
    let shift = max(0, UInt.bitWidth - 1 - bits - (value | 1).leadingZeroBitCount)
    return shift << bits + Int(value >> UInt(shift))
  }

  /// The values of a bucket.
  static func values(ofBucket index: Int) -> ClosedRange<Int> {
    let shift = max(0, index >> bits - 1)
    let lowest = (index - shift << bits) << shift
    return lowest...(lowest + ((1 << shift) - 1))
  }

  /// Where the value lies below or at which that share of what was counted lies.
  ///
  /// - Parameter share: From 0, for the least value, to 1, for the greatest.
  /// - Returns: The values of its bucket; nil where nothing was counted.
  package func percentile(_ share: Double) -> ClosedRange<Int>? {
    guard count > 0 else { return nil }
    let rank = min(count, max(1, Int((share * Double(count)).rounded(.up))))
    return values(atRank: rank)
  }

  /// Where the value of a rank lies: 1 for the least.
  func values(atRank rank: Int) -> ClosedRange<Int>? {
    guard rank >= 1, rank <= count else { return nil }
    var below = 0
    for index in counts.indices {
      below += counts[index]
      if below >= rank { return Self.values(ofBucket: index) }
    }
    return nil
  }

  /// How much of what was counted lies beyond each bucket that holds something, from the least on.
  package var survival: [(value: Int, beyond: Int)] {
    var left = count
    return counts.indices.compactMap { index in
      guard counts[index] > 0 else { return nil }
      left -= counts[index]
      return (Self.values(ofBucket: index).upperBound, left)
    }
  }
}
