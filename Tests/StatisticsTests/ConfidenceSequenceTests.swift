// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Statistics
import Testing

@Suite("Confidence sequences")
struct ConfidenceSequenceTests {
  /// `count` tosses of a coin worth 0 or 1, half of each, in ten equal waves.
  private func fairCoin(count: Int, range: ClosedRange<Double> = 0...1) throws -> ConfidenceSequence {
    var sequence = try ConfidenceSequence(range: range, unit: 1)
    for _ in 0..<10 {
      sequence.absorb(wave: MomentTally(count: count / 10, sum: count / 20, sumOfSquares: Int128(count / 20)))
    }
    return sequence
  }

  @Test("before the first observation the interval is the range")
  func empty() throws {
    var sequence = try ConfidenceSequence(range: -2...6, unit: 0.5)
    sequence.absorb(wave: MomentTally())
    #expect(sequence.interval(alpha: 0.01) == -2...6)
    #expect(sequence.mean == 2 && sequence.count == 0 && sequence.varianceEstimate == 16)
    #expect(abs(sequence.logEvidence(meanAbove: -2)) < 1e-12)
  }

  @Test("a million observations of variance 1/4 give at most 1.35 times the fixed-sample interval at 1e-6")
  func widthAgainstNormal() throws {
    let sequence = try fairCoin(count: 1_000_000)
    let normal = 0.0005 * (try Quantile.normal(1 - 0.5e-6))
    let interval = sequence.interval(alpha: 1e-6)
    let factor = (interval.upperBound - interval.lowerBound) / (2 * normal)
    #expect(factor > 1 && factor < 1.35)
  }

  @Test("a range sixteen times as wide as the spread costs little once there are many observations")
  func wideRange() throws {
    let narrow = try fairCoin(count: 1_000_000).interval(alpha: 1e-6)
    let wide = try fairCoin(count: 1_000_000, range: -8...8).interval(alpha: 1e-6)
    let factor = (wide.upperBound - wide.lowerBound) / (narrow.upperBound - narrow.lowerBound)
    #expect(factor > 0.9 && factor < 1.1)
  }

  @Test("the width falls at least 8 times for 100 times as many observations")
  func rate() throws {
    let few = try fairCoin(count: 10_000).interval(alpha: 1e-4)
    let many = try fairCoin(count: 1_000_000).interval(alpha: 1e-4)
    let factor = (few.upperBound - few.lowerBound) / (many.upperBound - many.lowerBound)
    #expect(factor > 8 && factor < 12)
  }

  @Test("at the bound the evidence is exactly 1/alpha, and further out it is more", arguments: [0.1, 1e-3, 1e-9])
  func boundsMatchEvidence(alpha: Double) throws {
    let sequence = try fairCoin(count: 10_000, range: -3...4)
    let lower = sequence.lowerBound(alpha: alpha)
    let upper = sequence.upperBound(alpha: alpha)
    #expect(abs(sequence.logEvidence(meanAbove: lower) + log(alpha)) < 1e-6)
    #expect(abs(sequence.logEvidence(meanBelow: upper) + log(alpha)) < 1e-6)
    #expect(sequence.logEvidence(meanAbove: lower - 0.01) > -log(alpha))
    #expect(sequence.logEvidence(meanBelow: upper + 0.01) > -log(alpha))
  }

  @Test("mirrored observations give mirrored bounds")
  func mirror() throws {
    var sequence = try ConfidenceSequence(range: -1...10, unit: 0.1)
    var mirrored = try ConfidenceSequence(range: -10...1, unit: 0.1)
    for wave in 1...5 {
      var tally = MomentTally()
      var opposite = MomentTally()
      for value in [-10, 3, 40, 100] {
        tally.add(value, times: wave * 50)
        opposite.add(-value, times: wave * 50)
      }
      sequence.absorb(wave: tally)
      mirrored.absorb(wave: opposite)
    }
    #expect(abs(sequence.lowerBound(alpha: 0.01) + mirrored.upperBound(alpha: 0.01)) < 1e-9)
    #expect(abs(sequence.upperBound(alpha: 0.01) + mirrored.lowerBound(alpha: 0.01)) < 1e-9)
  }

  @Test("tallies of the same values in finer units give the same bounds")
  func units() throws {
    var tenths = try ConfidenceSequence(range: -8...8, unit: 0.125)
    var fine = try ConfidenceSequence(range: -8...8, unit: 0x1p-20)
    for _ in 0..<3 {
      var coarse = MomentTally()
      var detailed = MomentTally()
      for value in [-8, -8, 0, 3, 12] {
        coarse.add(value, times: 1000)
        detailed.add(value << 17, times: 1000)
      }
      tenths.absorb(wave: coarse)
      fine.absorb(wave: detailed)
    }
    #expect(abs(tenths.lowerBound(alpha: 1e-5) - fine.lowerBound(alpha: 1e-5)) < 1e-9)
    #expect(abs(tenths.upperBound(alpha: 1e-5) - fine.upperBound(alpha: 1e-5)) < 1e-9)
    #expect(abs(tenths.varianceEstimate - fine.varianceEstimate) < 1e-9)
  }

  @Test("bounds stay in the range, enclose the mean, and widen as alpha falls")
  func order() throws {
    for count in [10, 100, 10_000, 1_000_000] {
      let sequence = try fairCoin(count: count)
      var previous = sequence.interval(alpha: 0.5)
      for alpha in [0.1, 1e-3, 1e-6, 1e-12, 1e-300] {
        let interval = sequence.interval(alpha: alpha)
        #expect(interval.lowerBound <= previous.lowerBound && interval.upperBound >= previous.upperBound)
        #expect(interval.contains(sequence.mean) && sequence.range.contains(interval.lowerBound))
        previous = interval
      }
    }
  }

  @Test("an alpha of 0 gives the whole range", arguments: [0, -1, Double.nan])
  func certainty(alpha: Double) throws {
    #expect(try fairCoin(count: 1000).interval(alpha: alpha) == 0...1)
  }

  @Test("constant observations exclude other means sooner than varying ones")
  func constant() throws {
    var sequence = try ConfidenceSequence(range: 0...1, unit: 0.5, firstCentre: 0.5)
    sequence.absorb(wave: MomentTally(count: 1000, sum: 1000, sumOfSquares: 1000))
    let coin = try fairCoin(count: 1000)
    #expect(sequence.lowerBound(alpha: 1e-6) > coin.lowerBound(alpha: 1e-6) + 0.05)
    #expect(sequence.varianceEstimate == 0)
  }

  @Test("a good first guess of the mean narrows the bounds, and a bad one only widens them")
  func firstCentre() throws {
    let wave = MomentTally(count: 10_000, sum: 300, sumOfSquares: 300)
    var middle = try ConfidenceSequence(range: 0...1, unit: 1)
    var informed = try ConfidenceSequence(range: 0...1, unit: 1, firstCentre: 0.03)
    middle.absorb(wave: wave)
    informed.absorb(wave: wave)
    #expect(informed.lowerBound(alpha: 0.01) > middle.lowerBound(alpha: 0.01))
    #expect(middle.lowerBound(alpha: 0.01) < 0.03)
  }

  @Test(
    "the plan for a distance is enough to resolve it, and 0.8 of the plan is not",
    arguments: [(0.003, 1e-7), (0.03, 1e-7), (0.1, 1e-3)])
  func plan(distance: Double, alpha: Double) throws {
    let planned = try fairCoin(count: 1_000_000).samplesToResolve(distance: distance, alpha: alpha)
    let enough = try fairCoin(count: planned + 40)
    let short = try fairCoin(count: planned * 8 / 10)
    #expect(enough.lowerBound(alpha: alpha) > enough.mean - distance)
    #expect(short.lowerBound(alpha: alpha) < short.mean - distance)
  }

  @Test("no number of observations resolves a distance of nothing", arguments: [0, -1, Double.nan])
  func noDistance(distance: Double) throws {
    #expect(try fairCoin(count: 1000).samplesToResolve(distance: distance, alpha: 0.1) == .max)
  }

  @Test("ranges, units and guesses that make no sense are refused")
  func refusals() {
    #expect(throws: StatisticsError.self) { try ConfidenceSequence(range: 1...1, unit: 1) }
    #expect(throws: StatisticsError.self) { try ConfidenceSequence(range: 0 ... .infinity, unit: 1) }
    #expect(throws: StatisticsError.self) { try ConfidenceSequence(range: 0...1, unit: 0) }
    #expect(throws: StatisticsError.self) { try ConfidenceSequence(range: 0...1, unit: .nan) }
    #expect(throws: StatisticsError.self) { try ConfidenceSequence(range: 0...1, unit: 1e-30) }
    #expect(throws: StatisticsError.self) { try ConfidenceSequence(range: 0...1, unit: 0.1, firstCentre: 2) }
  }
}
