// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL
import Foundation
import Statistics
import Testing

@Suite("Quantiles")
struct QuantileTests {
  @Test("are what the tables say")
  func tables() throws {
    #expect(abs(try Quantile.normal(0.975) - 1.959963984540054) < 1e-12)
    #expect(abs(try Quantile.studentT(0.975, degreesOfFreedom: 10) - 2.228138851964939) < 1e-9)
    #expect(abs(try Quantile.beta(0.5, a: 2, b: 2) - 0.5) < 1e-12)
  }

  @Test(
    "far tails of large beta distributions, where GSL gives up, agree with SciPy's beta.ppf",
    arguments: [(1e4, 0.3746800661332396), (1e6, 0.39745420875786563), (1e8, 0.3997452988919093)])
  func largeBeta(count: Double, expected: Double) throws {
    #expect(abs(try Quantile.beta(1e-7, a: 0.4 * count, b: 0.6 * count + 1) - expected) < 1e-10)
  }

  @Test(
    "parameters by the million, where GSL's own inverse has no end, have the normal distribution's quantiles",
    arguments: [(12_055_562.0, 15_218_470.0), (1_604_306, 2_593_225), (79_941_856, 36_011_040)])
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

@Suite("Normal and Student intervals")
struct NormalIntervalTests {
  @Test("95% is 1.96 standard errors either way")
  func normal() throws {
    let interval = try NormalInterval(mean: 10, standardError: 2, confidence: 0.95)
    #expect(abs(interval.lower - 6.080072030919891) < 1e-12)
    #expect(abs(interval.upper - 13.919927969080109) < 1e-12)
  }

  @Test("a tally gives Student's interval in the caller's units")
  func student() throws {
    var tally = MomentTally()
    for value in [12, 15, 11, 14, 13] { tally.add(value) }
    let interval = try NormalInterval(of: tally, unit: 0.1, confidence: 0.9)
    // s = sqrt(2.5)/10, n = 5, t(0.95; 4) = 2.131846786
    #expect(abs(interval.halfWidth - 2.131846786326649 * (0.025 / 5).squareRoot()) < 1e-9)
    #expect(abs(interval.mean - 1.3) < 1e-15)
  }

  @Test("confidences near 1 keep their digits")
  func extreme() throws {
    let interval = try NormalInterval(mean: 0, standardError: 1, confidence: 1 - 1e-12)
    #expect(abs(interval.halfWidth - 7.13) < 0.01)
  }

  @Test("one observation and impossible parameters are refused")
  func refusals() {
    #expect(throws: StatisticsError.tooFewObservations(of: "Student's interval", count: 1, required: 2)) {
      try NormalInterval(of: MomentTally(count: 1, sum: 1, sumOfSquares: 1), confidence: 0.9)
    }
    #expect(throws: StatisticsError.self) { try NormalInterval(mean: 0, standardError: -1, confidence: 0.9) }
    #expect(throws: StatisticsError.self) { try NormalInterval(mean: .nan, standardError: 1, confidence: 0.9) }
    #expect(throws: StatisticsError.self) { try NormalInterval(mean: 0, standardError: 1, confidence: 1) }
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
    let normal = try NormalInterval(mean: 0.4, standardError: (0.24e-9).squareRoot(), confidence: 0.95)
    #expect(abs(interval.lower - normal.lower) < 1e-8 && abs(interval.upper - normal.upper) < 1e-8)
  }

  @Test("more successes than trials are refused", arguments: [(-1, 5), (6, 5), (0, 0)])
  func refusals(successes: Int, trials: Int) {
    #expect(throws: StatisticsError.self) {
      try BinomialInterval(successes: successes, trials: trials, confidence: 0.9)
    }
  }
}
