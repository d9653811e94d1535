// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Testing

@testable import LiveLab

@Suite struct LatencyHistogramTests {
  @Test("buckets follow each other without a gap and hold what is counted into them, up to the greatest integer")
  func buckets() {
    for index in 0..<7_000 {
      let values = LatencyHistogram.values(ofBucket: index)
      #expect(LatencyHistogram.index(of: values.lowerBound) == index)
      #expect(LatencyHistogram.index(of: values.upperBound) == index)
      #expect(LatencyHistogram.values(ofBucket: index + 1).lowerBound == values.upperBound + 1)
    }
    let last = LatencyHistogram.values(ofBucket: LatencyHistogram.index(of: .max))
    #expect(last.upperBound == .max)
  }

  @Test("no bucket is wider than the relative error of what it holds")
  func relativeError() {
    for value in [1, 200, 255, 256, 1_000, 123_456, 7_654_321, 1 << 40, Int.max / 3] {
      let values = LatencyHistogram.values(ofBucket: LatencyHistogram.index(of: value))
      let width = Double(values.upperBound - values.lowerBound)
      #expect(values.contains(value))
      #expect(width <= LatencyHistogram.relativeError * Double(values.lowerBound))
    }
  }

  @Test("a percentile's bucket holds the value of its rank among the sorted values")
  func percentiles() {
    var histogram = LatencyHistogram()
    var values: [Int] = []
    var state: UInt64 = 7
    for _ in 0..<10_007 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = Int(state >> 40) % 5_000_000
      values.append(value)
      histogram.add(value)
    }
    values.sort()
    for share in [0, 0.25, 0.5, 0.9, 0.99, 0.999, 1] {
      let rank = max(1, Int((share * 10_007).rounded(.up)))
      #expect(histogram.percentile(share)?.contains(values[rank - 1]) == true)
    }
  }

  @Test("an empty histogram has no percentile, and nothing survives in it")
  func empty() {
    #expect(LatencyHistogram().percentile(0.5) == nil)
    #expect(LatencyHistogram().survival.isEmpty)
  }

  @Test("the survival curve falls to nothing, by each bucket's count")
  func survival() {
    var histogram = LatencyHistogram()
    histogram.add(3, times: 2)
    histogram.add(9)
    histogram.add(-4)
    let curve = histogram.survival
    #expect(curve.map(\.value) == [0, 3, 9])
    #expect(curve.map(\.beyond) == [3, 1, 0])
  }

  @Test("merging obeys the law of tallies, whatever the lengths")
  func merging() {
    let samples = [[5], [5, 900], [1 << 30], []].map { values in
      values.reduce(into: LatencyHistogram()) { $0.add($1) }
    }
    #expect(mergeLawViolation(among: samples, empty: LatencyHistogram()) == nil)
  }
}
