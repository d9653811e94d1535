// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL
import Foundation
import Randomness
import Statistics
import Testing

@Suite("Quantiles")
struct QuantileTests {
  @Test(
    "far tails of large beta distributions, where GSL gives up, agree with SciPy's beta.ppf",
    arguments: [(1e4, 0.3746800661332396), (1e6, 0.39745420875786563), (1e8, 0.3997452988919093)])
  func largeBeta(count: Double, expected: Double) throws {
    #expect(abs(try Quantile.beta(1e-7, a: 0.4 * count, b: 0.6 * count + 1) - expected) < 1e-10)
  }

  @Test(
    "parameters by the million, where GSL's own inverse has no end, have the normal distribution's quantiles",
    arguments: PublishedQuantileTests.endless)
  func millions(a: Double, b: Double) throws {
    let mean = a / (a + b)
    let deviation = (mean * (1 - mean) / (a + b + 1)).squareRoot()
    for probability in [0.005, 0.01, 0.5, 0.9] {
      let distance = (try Quantile.beta(probability, a: a, b: b) - mean) / deviation
      #expect(abs(distance - (try Quantile.normal(probability))) < 0.001)
    }
  }

  @Test("the smallest of five million uniform numbers has the quantiles of its formula")
  func smallest() throws {
    for probability in [0.005, 0.5] {
      let expected = -expm1(log1p(-probability) / 5e6)
      #expect(abs(try Quantile.beta(probability, a: 1, b: 5e6) / expected - 1) < 1e-7)
    }
  }

  @Test("probabilities outside (0, 1) are refused", arguments: [0, 1, -0.1, Double.nan])
  func refusals(probability: Double) {
    #expect(throws: StatisticsError.self) { try Quantile.normal(probability) }
    #expect(throws: StatisticsError.self) { try Quantile.studentT(probability, degreesOfFreedom: 1) }
    #expect(throws: StatisticsError.self) { try Quantile.beta(probability, a: 1, b: 1) }
  }

  @Test("so are degrees of freedom and shapes that are not positive")
  func parameters() {
    #expect(throws: StatisticsError.self) { try Quantile.studentT(0.5, degreesOfFreedom: 0) }
    #expect(throws: StatisticsError.self) { try Quantile.beta(0.5, a: 0, b: 1) }
    #expect(throws: StatisticsError.self) { try Quantile.beta(0.5, a: 1, b: .nan) }
  }
}

@Suite("The mean of what lies in a known range")
struct BoundedSampleTests {
  private func sample(_ mean: Double, _ deviation: Double, _ count: Int, _ range: ClosedRange<Double> = 0...1) throws
    -> BoundedSample
  {
    try #require(BoundedSample(mean: mean, standardDeviation: deviation, count: count, range: range))
  }

  @Test(
    "observations that are all alike leave doubt: two ones of two exclude next to nothing", arguments: [1, 2, 3, 32])
  func alike(count: Int) throws {
    let interval = try sample(1, 0, count).interval(tail: 0.0005)
    let best = pow(0.0005, 1 / Double(count))
    #expect(interval.upperBound == 1 && interval.lowerBound < best && interval.lowerBound > best * 0.9)
  }

  @Test("two lost bets of -8 to 8 say nothing of the sign of the mean")
  func bets() throws {
    let interval = try sample(-1, 0, 2, -8...8).interval(tail: 0.001)
    #expect(interval.lowerBound < -7.9 && interval.upperBound > 7)
  }

  @Test("many observations give at most 1.21 times the normal distribution's interval at 0.999")
  func width() throws {
    for count in [100_000_000, 1_000_000_000] {
      let interval = try sample(-0.004, 1.15, count, -8...8).interval(tail: 0.0005)
      let normal = -(try Quantile.normal(0.0005)) * 1.15 / Double(count).squareRoot()
      let ratio = (interval.upperBound - interval.lowerBound) / (2 * normal)
      #expect(ratio > 1.15 && ratio < 1.21, "\(count)")
    }
  }

  /// Each law with its mean: skewed, rarely anything, a coin, and three payoffs.
  private static let laws: [(name: String, mean: Double, draw: @Sendable (inout WordStream) -> Double)] = [
    ("rare failures", 0.99, { $0.below(100) == 0 ? 0 : 1 }),
    ("rare large values", 0.05, { $0.below(20) == 0 ? 1 : 0 }),
    ("coin", 0.5, { Double($0.below(2)) }),
    ("payoffs", 0.5, { [0.4, 0.5, 0.6][Int($0.below(3))] }),
  ]

  @Test("is covered at least as often as stated, by few and by many, of any law", arguments: [2, 5, 30, 400])
  func coverage(count: Int) throws {
    var stream = try WordStream(seed: 17)
    for law in Self.laws {
      var missed = (one: 0, difference: 0)
      for _ in 0..<1_000 {
        let samples = try (0..<2).map { _ in
          var tally = MomentTally()
          for _ in 0..<count { tally.add(Int(10 * law.draw(&stream))) }
          return try #require(BoundedSample(tally, unit: 0.1, range: 0...1))
        }
        missed.one += samples[0].interval(tail: 0.05).contains(law.mean) ? 0 : 1
        missed.difference += samples[0].difference(to: samples[1], tail: 0.05).contains(0) ? 0 : 1
      }
      // At most 100 of 1,000 are expected, with a deviation of 9.5.
      #expect(missed.one <= 140 && missed.difference <= 140, "\(law.name)")
    }
  }

  @Test("the difference of two samples is known better than by the ends of their intervals")
  func difference() throws {
    let (one, other) = (try sample(0.4, 0.2, 10_000), try sample(0.5, 0.2, 10_000))
    let (low, high) = (one.interval(tail: 0.0025), other.interval(tail: 0.0025))
    let together = one.difference(to: other, tail: 0.005)
    #expect(together.contains(0.1))
    #expect(
      together.upperBound - together.lowerBound < high.upperBound - low.lowerBound - high.lowerBound + low.upperBound)
  }

  @Test("what cannot be is refused")
  func refusals() {
    for (mean, deviation, count) in [(1.5, 0.0, 3), (0.5, -1, 3), (0.5, 0, 0), (.nan, 0, 3)] {
      #expect(BoundedSample(mean: mean, standardDeviation: deviation, count: count, range: 0...1) == nil)
    }
    #expect(BoundedSample(mean: 1, standardDeviation: 0, count: 1, range: 1...1) == nil)
  }
}

@Suite("Clopper and Pearson's interval")
struct BinomialIntervalTests {
  @Test("no success in 10 trials leaves up to 31% open at 95%")
  func zero() throws {
    let interval = try BinomialInterval(successes: 0, trials: 10, confidence: 0.95)
    #expect(interval.lower == 0)
    #expect(abs(interval.upper - (1 - pow(0.025, 0.1))) < 1e-9)
  }

  @Test("successes and failures are symmetric")
  func symmetric() throws {
    let interval = try BinomialInterval(successes: 3, trials: 20, confidence: 0.99)
    let mirrored = try BinomialInterval(successes: 17, trials: 20, confidence: 0.99)
    #expect(abs(interval.lower + mirrored.upper - 1) < 1e-12)
    #expect(abs(interval.upper + mirrored.lower - 1) < 1e-12)
  }

  @Test("covers at least as often as it says, whatever the probability", arguments: [0.01, 0.1, 0.37, 0.5])
  func coverage(probability: Double) throws {
    let covered = try (0...30).reduce(0.0) { sum, successes in
      let interval = try BinomialInterval(successes: successes, trials: 30, confidence: 0.9)
      let covers = interval.lower <= probability && probability <= interval.upper
      return sum + (covers ? gsl_ran_binomial_pdf(UInt32(successes), probability, 30) : 0)
    }
    #expect(covered >= 0.9 && covered <= 1 + 1e-12)
  }

  @Test("a billiunder tests are no trouble")
  func large() throws {
    let interval = try BinomialInterval(successes: 400_000_000, trials: 1_000_000_000, confidence: 0.95)
    let reach = try Quantile.normal(0.975) * (0.24e-9).squareRoot()
    #expect(abs(interval.lower - (0.4 - reach)) < 1e-8 && abs(interval.upper - (0.4 + reach)) < 1e-8)
  }

  @Test("more successes than trials are refused", arguments: [(-1, 5), (6, 5), (0, 0)])
  func refusals(successes: Int, trials: Int) {
    #expect(throws: StatisticsError.self) {
      try BinomialInterval(successes: successes, trials: trials, confidence: 0.9)
    }
  }
}

@Suite("The ranks between which a quantile lies")
struct QuantileRanksTests {
  @Test("a hundred samples have their median between the 40th and the 61st, at 95%: the binomial's own quantiles")
  func median() {
    let ranks = QuantileRanks(share: 0.5, samples: 100, confidence: 0.95)
    #expect((ranks.lower, ranks.upper) == (40, 61))
  }

  @Test("too few samples leave an end open")
  func few() {
    let ranks = QuantileRanks(share: 0.99, samples: 100, confidence: 0.99)
    #expect(ranks.upper == nil)
    #expect(ranks.lower != nil)
    #expect(
      QuantileRanks(share: 0.5, samples: 3, confidence: 0.99) == QuantileRanks(share: 0.5, samples: 0, confidence: 0.99)
    )
  }

  @Test("they hold as often as they state, for any quantile")
  func coverage() throws {
    var random = try RandomStream(seed: 5)
    for share in [0.1, 0.5, 0.9] {
      let ranks = QuantileRanks(share: share, samples: 200, confidence: 0.9)
      var wrong = 0
      for _ in 0..<2000 {
        let values = (0..<200).map { _ in random.uniform() }.sorted()
        let low = ranks.lower.map { values[$0 - 1] } ?? 0
        let high = ranks.upper.map { values[$0 - 1] } ?? 1
        if !(low...high).contains(share) { wrong += 1 }
      }
      // At most a tenth; 257 of 2,000 is above that once in ten thousand times.
      #expect(wrong < 257, "\(share): \(wrong)")
    }
  }
}
