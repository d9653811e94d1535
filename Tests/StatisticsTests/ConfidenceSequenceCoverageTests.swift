// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL
import Foundation
import Statistics
import Testing

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

  @Test("a z-interval looked at as often breaks its promise, so these tests can fail", arguments: SmallGame.all)
  func negativeControl(game: SmallGame) throws {
    let misses = try misses(game, seed: 42) { sequence, wave in
      sequence.absorb(wave: wave)
      let interval = try NormalInterval(
        mean: sequence.total.mean, standardError: sequence.total.standardError, confidence: 1 - Self.alpha)
      return game.mean < interval.lower || game.mean > interval.upper
    }
    #expect(misses > Self.mostMisses * 2)
  }

  @Test("a bound asked for an error of 0.9 is wrong more often than one asked for 0.1: the count measures something")
  func sensitivity() throws {
    let wide = try misses(SmallGame.all[0], seed: 45) { sequence, wave in
      sequence.absorb(wave: wave)
      return sequence.lowerBound(alpha: 0.9) > SmallGame.all[0].mean
    }
    #expect(wide > Self.mostMisses)
  }
}
