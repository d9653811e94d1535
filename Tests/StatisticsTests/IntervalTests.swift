// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
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

  @Test("degrees of freedom and shapes that are not positive are refused")
  func parameters() {
    #expect(throws: StatisticsError.self) { try Quantile.studentT(0.5, degreesOfFreedom: 0) }
    #expect(throws: StatisticsError.self) { try Quantile.beta(0.5, a: 0, b: 1) }
    #expect(throws: StatisticsError.self) { try Quantile.beta(0.5, a: 1, b: .nan) }
  }
}

@Suite("The mean of observations in a known range")
struct BoundedSampleTests {
  private func sample(_ mean: Double, _ deviation: Double, _ count: Int, _ range: ClosedRange<Double> = 0...1) throws
    -> BoundedSample
  {
    try #require(BoundedSample(mean: mean, standardDeviation: deviation, count: count, range: range))
  }

  @Test(
    "equal observations leave doubt: two ones exclude almost nothing", arguments: [1, 2, 3, 32])
  func alike(count: Int) throws {
    let interval = try sample(1, 0, count).interval(tail: 0.0005)
    let best = pow(0.0005, 1 / Double(count))
    #expect(interval.upperBound == 1 && interval.lowerBound < best && interval.lowerBound > best * 0.9)
  }

  @Test("two lost bets of -8 to 8 do not decide the sign of the mean")
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

  @Test("the difference of two samples is known better than by the ends of their intervals")
  func difference() throws {
    let (one, other) = (try sample(0.4, 0.2, 10_000), try sample(0.5, 0.2, 10_000))
    let (low, high) = (one.interval(tail: 0.0025), other.interval(tail: 0.0025))
    let together = one.difference(to: other, tail: 0.005)
    #expect(together.contains(0.1))
    #expect(
      together.upperBound - together.lowerBound < high.upperBound - low.lowerBound - high.lowerBound + low.upperBound)
  }

  @Test("a mean outside the range, a negative deviation and an empty sample are refused")
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

  @Test("a billion trials are no trouble")
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
}
