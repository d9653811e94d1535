// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL
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

  @Test("knows nothing but the range before the first observation")
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

  @Test("the unit is only a unit: finer tallies of the same values give the same bounds")
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

  @Test("an alpha of 0 asks for certainty and gets the range", arguments: [0, -1, Double.nan])
  func certainty(alpha: Double) throws {
    #expect(try fairCoin(count: 1000).interval(alpha: alpha) == 0...1)
  }

  @Test("observations that never vary are given from other means faster than those that do")
  func constant() throws {
    var sequence = try ConfidenceSequence(range: 0...1, unit: 0.5, firstCentre: 0.5)
    sequence.absorb(wave: MomentTally(count: 1000, sum: 1000, sumOfSquares: 1000))
    let coin = try fairCoin(count: 1000)
    #expect(sequence.lowerBound(alpha: 1e-6) > coin.lowerBound(alpha: 1e-6) + 0.05)
    #expect(sequence.varianceEstimate == 0)
  }

  @Test("a good first guess of the mean is worth something, and a bad one only costs width")
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

/// A bounded quantity with few values, in units, whose waves are drawn as histograms.
struct SmallGame: Sendable, CustomTestStringConvertible {
  let name: String
  let values: [Int]
  let probabilities: [Double]

  var testDescription: String { name }
  var mean: Double { zip(values, probabilities).reduce(0) { $0 + Double($1.0) * $1.1 } }
  var range: ClosedRange<Double> { Double(values.min() ?? 0)...Double(values.max() ?? 1) }

  func wave(of rounds: UInt32, using generator: UnsafeMutablePointer<gsl_rng>) -> MomentTally {
    var counts = [UInt32](repeating: 0, count: values.count)
    unsafe gsl_ran_multinomial(generator, values.count, rounds, probabilities, &counts)
    return zip(values, counts).reduce(into: MomentTally()) { $0.add($1.0, times: Int($1.1)) }
  }

  static let all = [
    SmallGame(name: "fair coin", values: [0, 1], probabilities: [0.5, 0.5]),
    SmallGame(name: "rare win", values: [0, 1], probabilities: [0.97, 0.03]),
    SmallGame(name: "rare loss", values: [-10, 1], probabilities: [0.05, 0.95]),
    SmallGame(
      name: "blackjack round", values: [-20, -10, 0, 10, 15, 20], probabilities: [0.05, 0.43, 0.09, 0.32, 0.05, 0.06]),
  ]
}

@Suite("Coverage of confidence sequences, looked at after every wave")
struct ConfidenceSequenceCoverageTests {
  static let runs = 2000
  static let alpha = 0.1
  /// A correct bound that only just keeps its promise is wrong in more runs than this once in 10 000 seeds.
  static let mostMisses: Int = {
    var misses = 0
    while gsl_cdf_binomial_Q(UInt32(misses), alpha, UInt32(runs)) > 1e-4 { misses += 1 }
    return misses
  }()

  /// In how many runs of 24 growing waves the true mean is outside `isOutside`'s idea of an interval at least once.
  private func misses(
    _ game: SmallGame, seed: UInt, isOutside: (inout ConfidenceSequence, MomentTally) throws -> Bool
  ) throws -> Int {
    let generator = unsafe try #require(gsl_rng_alloc(assay_rng_type_named(assay_rng_types(), "mt19937")))
    defer { unsafe gsl_rng_free(generator) }
    unsafe gsl_rng_set(generator, seed)
    var misses = 0
    for _ in 0..<Self.runs {
      var sequence = try ConfidenceSequence(range: game.range, unit: 1)
      for wave in 0..<24 {
        let rounds = UInt32(10 * pow(1.4, Double(wave)))
        guard try !isOutside(&sequence, unsafe game.wave(of: rounds, using: generator)) else {
          misses += 1
          break
        }
      }
    }
    return misses
  }

  @Test("the sequence ever excludes the true mean in no more runs than promised", arguments: SmallGame.all)
  func coverage(game: SmallGame) throws {
    let misses = try misses(game, seed: 42) { sequence, wave in
      sequence.absorb(wave: wave)
      return !sequence.interval(alpha: Self.alpha).contains(game.mean)
    }
    #expect(misses <= Self.mostMisses)
    #expect(misses > 0)
  }

  @Test("each bound alone keeps the whole error to itself", arguments: SmallGame.all)
  func oneSided(game: SmallGame) throws {
    let below = try misses(game, seed: 43) { sequence, wave in
      sequence.absorb(wave: wave)
      return sequence.lowerBound(alpha: Self.alpha) > game.mean
    }
    let above = try misses(game, seed: 44) { sequence, wave in
      sequence.absorb(wave: wave)
      return sequence.upperBound(alpha: Self.alpha) < game.mean
    }
    #expect(below <= Self.mostMisses && above <= Self.mostMisses)
  }

  @Test("waves stratified in proportion, each stratum with a mean of its own, keep the promise")
  func stratified() throws {
    let strata = (
      SmallGame(name: "good", values: [-10, 10], probabilities: [0.4, 0.6]),
      SmallGame(name: "bad", values: [-10, 10], probabilities: [0.9, 0.1])
    )
    let generator = unsafe try #require(gsl_rng_alloc(assay_rng_type_named(assay_rng_types(), "mt19937")))
    defer { unsafe gsl_rng_free(generator) }
    unsafe gsl_rng_set(generator, 46)
    let mean = (strata.0.mean + strata.1.mean) / 2
    let misses = try (0..<Self.runs).count { _ in
      var sequence = try ConfidenceSequence(range: -10...10, unit: 1)
      return (0..<24).contains { wave in
        let rounds = UInt32(5 * pow(1.4, Double(wave)))
        var tally = unsafe strata.0.wave(of: rounds, using: generator)
        unsafe tally.merge(strata.1.wave(of: rounds, using: generator))
        sequence.absorb(wave: tally)
        return !sequence.interval(alpha: Self.alpha).contains(mean)
      }
    }
    #expect(misses <= Self.mostMisses)
  }
}
