// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Scenarios
import Testing
import TestSupport

/// Means of what is drawn, by seeds that stay the same: how often their intervals cover what is true.
@Suite("The difference of two means is covered as often as stated")
struct DifferenceCoverageTests {
  private static let experiments = 4000

  /// The mean of `count` numbers, which are an end of a range as often as not: a spread as wide as can be.
  private static func mean(_ samples: Int, centre: Double, spread: Double, _ dice: inout SplitMix64)
    -> Scenarios.Measurement
  {
    let high = (0..<samples).count { _ in Bool.random(using: &dice) }
    let share = Double(high) / Double(samples)
    let deviation =
      samples < 2 ? 0 : 2 * spread * (share * (1 - share) * Double(samples) / Double(samples - 1)).squareRoot()
    return Samples.mean(
      centre + spread * (2 * share - 1), deviation: deviation, samples: samples,
      range: centre - spread...centre + spread)
  }

  /// The least number of covers that a fair interval falls short of once in a million times, by Hoeffding's bound.
  private static func minimum(at confidence: Double) -> Int {
    let count = Double(experiments)
    return Int((count * confidence - (count * log(1e6) / 2).squareRoot()).rounded(.up))
  }

  @Test(
    "with equal and unequal spreads and sizes",
    arguments: [(5, 5, 1.0), (8, 40, 5.0), (40, 8, 5.0), (100, 30, 0.2)], [0.9, 0.99])
  func bounded(sizes: (first: Int, second: Int, spread: Double), confidence: Double) {
    var dice = SplitMix64(seed: 20_261_121)
    var (covered, counterpart) = (0, 0)
    for _ in 0..<Self.experiments {
      let before = Self.mean(sizes.first, centre: 3, spread: sizes.spread, &dice)
      let after = Self.mean(sizes.second, centre: 4, spread: 1, &dice)
      let free = MeasurementDifference(from: before, to: after, relation: .independent, confidence: confidence)
      let bound = MeasurementDifference(from: before, to: after, relation: .unknown, confidence: confidence)
      covered += free.interval.contains(1) ? 1 : 0
      counterpart += bound.interval.contains(1) ? 1 : 0
    }
    #expect(covered >= Self.minimum(at: confidence))
    #expect(counterpart >= Self.minimum(at: confidence))
  }

  @Test("even if one sample mirrors the other, unless they are independent")
  func dependent() {
    var dice = SplitMix64(seed: 7)
    var covered = 0
    for _ in 0..<Self.experiments {
      let before = Self.mean(30, centre: 0, spread: 1, &dice)
      // As dependent as two can be, to the interval's harm.
      guard case .mean(let mean, let deviation, let samples) = before.value else { continue }
      let after = Samples.mean(-mean, deviation: deviation, samples: samples, range: -1...1)
      let bound = MeasurementDifference(from: before, to: after, relation: .unknown, confidence: 0.95)
      covered += bound.interval.contains(0) ? 1 : 0
    }
    #expect(covered >= Self.minimum(at: 0.95))
  }
}
