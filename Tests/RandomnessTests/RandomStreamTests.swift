// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL
import Foundation
import Randomness
import TestSupport
import Testing

@Suite("A stream draws from GSL's distributions, and never fails")
struct RandomStreamTests {
  @Test("whole numbers of a range are equally likely, and each occurs")
  func integers() throws {
    var stream = try RandomStream(seed: 7)
    var counts = [Int](repeating: 0, count: 10)
    for _ in 0..<100_000 { counts[stream.integer(in: -4...5) + 4] += 1 }
    // Chi squared with nine degrees of freedom: above 27.9 once in a thousand.
    let squares = counts.map { Double(($0 - 10_000) * ($0 - 10_000)) / 10_000 }
    #expect(squares.reduce(0, +) < 27.9, "\(counts)")
  }

  @Test("ranges of up to 2^32 numbers are drawn from, and wider or empty ones give their lower bound")
  func widest() throws {
    var stream = try RandomStream(seed: 7)
    for _ in 0..<100 {
      #expect((0..<1 << 32).contains(stream.integer(in: 0..<1 << 32)))
      #expect(stream.integer(in: 5..<5) == 5)
      #expect(stream.integer(in: .min...Int.max) == .min)
    }
  }

  @Test("equal seeds give equal draws, other seeds others")
  func seeds() throws {
    var one = try RandomStream(seed: 7)
    var same = try RandomStream(seed: 7)
    var other = try RandomStream(seed: 8)
    let draws = (0..<20).map { _ in one.gaussian() }
    #expect(draws == (0..<20).map { _ in same.gaussian() })
    #expect(draws != (0..<20).map { _ in other.gaussian() })
  }

  @Test("each distribution has the mean that it should")
  func means() throws {
    func mean(_ draw: (inout RandomStream) -> Double) throws -> Double {
      var stream = try RandomStream(seed: 7)
      return (0..<200_000).reduce(0) { sum, _ in sum + draw(&stream) } / 200_000
    }
    #expect(abs(try mean { $0.uniform() } - 0.5) < 0.003)
    #expect(abs(try mean { $0.uniform(from: -2, to: 6) } - 2) < 0.03)
    #expect(abs(try mean { $0.exponential(mean: 3) } - 3) < 0.03)
    #expect(abs(try mean { $0.gaussian(mean: 5, standardDeviation: 2) } - 5) < 0.02)
    #expect(abs(try mean { $0.gamma(shape: 2, scale: 3) } - 6) < 0.05)
    #expect(abs(try mean { $0.beta(2, 3) } - 0.4) < 0.003)
    #expect(abs(try mean { $0.logNormal(mean: 0, standardDeviation: 0.5) } - 1.1331) < 0.008)
    #expect(abs(try mean { Double($0.poisson(mean: 4)) } - 4) < 0.03)
    #expect(abs(try mean { Double($0.binomial(trials: 10, chance: 0.3)) } - 3) < 0.02)
    #expect(abs(try mean { Double($0.geometric(chance: 0.25)) } - 4) < 0.05)
    #expect(abs(try mean { $0.happens(0.3) ? 1 : 0 } - 0.3) < 0.006)
  }

  @Test("an impossible parameter gives NaN, 0 or no element")
  func parameters() throws {
    var stream = try RandomStream(seed: 7)
    #expect(stream.exponential(mean: -1).isNaN)
    #expect(stream.exponential(mean: .nan).isNaN)
    #expect(stream.gaussian(standardDeviation: -1).isNaN)
    #expect(stream.gamma(shape: 0, scale: 1).isNaN)
    #expect(stream.beta(1, -1).isNaN)
    #expect(stream.uniform(from: 1, to: 1).isNaN)
    #expect(stream.poisson(mean: -1) == 0)
    #expect(stream.binomial(trials: -1, chance: 0.5) == 0)
    #expect(stream.element(of: [Int]()) == nil)
  }

  @Test(
    "the first impossible parameter is kept, with the draw, its value and what was expected",
    arguments: Impossible.all)
  private func problems(_ one: Impossible) throws {
    var stream = try RandomStream(seed: 7)
    _ = stream.uniform()
    #expect(stream.problem == nil)
    one.draw(&stream)
    #expect(stream.problem?.description == one.error)
    _ = stream.exponential(mean: -7)
    #expect(stream.problem?.description == one.error, "the first one is kept")
  }

  @Test("shuffling keeps every element, and every order is equally likely")
  func shuffles() throws {
    var stream = try RandomStream(seed: 7)
    var counts: [[Int]: Int] = [:]
    for _ in 0..<60_000 {
      var cards = [1, 2, 3]
      stream.shuffle(&cards)
      counts[cards, default: 0] += 1
    }
    #expect(counts.count == 6)
    // Chi squared with five degrees of freedom: above 20.5 once in a thousand.
    #expect(counts.values.map { Double(($0 - 10_000) * ($0 - 10_000)) / 10_000 }.reduce(0, +) < 20.5)
  }
}

/// A draw with an impossible parameter.
private struct Impossible: Sendable, CustomTestStringConvertible {
  let error: String
  let draw: @Sendable (inout RandomStream) -> Void

  var testDescription: String { error }

  init(_ error: String, _ draw: @escaping @Sendable (inout RandomStream) -> Void) {
    (self.error, self.draw) = (error, draw)
  }

  static let all = [
    Impossible("integer: range is 5..<5, expected a range of 1 to 2^32 numbers.") { _ = $0.integer(in: 5..<5) },
    Impossible("binomial: chance is 1.5, expected 0 to 1.") { _ = $0.binomial(trials: 3, chance: 1.5) },
    Impossible("poisson: mean is nan, expected 0 to 2^30.") { _ = $0.poisson(mean: .nan) },
    Impossible("geometric: chance is 0.0, expected above 0, at most 1.") { _ = $0.geometric(chance: 0) },
    Impossible("uniform: upper is 1.0, expected a finite number above the lower end, which is finite too.") {
      _ = $0.uniform(from: 1, to: 1)
    },
    Impossible("exponential: mean is -1.0, expected a number above 0.") { _ = $0.exponential(mean: -1) },
    Impossible("gaussian: standardDeviation is -2.0, expected a number, at least 0.") {
      _ = $0.gaussian(standardDeviation: -2)
    },
    Impossible("gamma: scale is 0.0, expected a number above 0.") { _ = $0.gamma(shape: 1, scale: 0) },
    Impossible("weibull: shape is 0.0, expected a number above 0.") { _ = $0.weibull(shape: 0, scale: 1) },
    Impossible("weibull: scale is nan, expected a number above 0.") { _ = $0.weibull(shape: 1, scale: .nan) },
    Impossible("erlang: stages is 0, expected 1 or more.") { _ = $0.erlang(stages: 0, mean: 1) },
    Impossible("erlang: mean is -1.0, expected a number above 0.") { _ = $0.erlang(stages: 2, mean: -1) },
    Impossible("triangular: upper is 2.0, expected a finite number above the lower end, which is finite too.") {
      _ = $0.triangular(from: 2, to: 2, mode: 2)
    },
    Impossible("triangular: mode is 7.0, expected a number from the lower to the upper end.") {
      _ = $0.triangular(from: 2, to: 5, mode: 7)
    },
    Impossible("truncated gaussian: range is 40.0...41.0, expected one within 37 deviations of the mean.") {
      _ = $0.gaussian(in: 40...41)
    },
    Impossible("truncated gaussian: range is 1.0...2.0, expected one within 37 deviations of the mean.") {
      _ = $0.gaussian(standardDeviation: 0, in: 1...2)
    },
    Impossible("empirical: numbers is [], expected at least one.") { _ = $0.empirical([]) },
    Impossible("elements: count is 4, expected 0 to the number of elements.") {
      _ = $0.elements(of: [1, 2, 3], count: 4)
    },
    Impossible(
      "element: weights is [1.0, -1.0], expected one for each element, at least 0, with a finite sum above 0."
    ) {
      _ = $0.element(of: ["a", "b"], weights: [1, -1])
    },
    Impossible("element: weights is [1.0], expected one for each element, at least 0, with a finite sum above 0.") {
      _ = $0.element(of: ["a", "b"], weights: [1])
    },
  ]
}

@Suite("The draws of a stream fit their laws, by Kolmogorov and Smirnov, or chi-square")
struct StreamLawTests {
  /// A continuous law with its draw, its cumulative distribution function, its mean and its deviation.
  struct Law: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let mean: Double
    let deviation: Double
    let draw: @Sendable (inout RandomStream) -> Double
    let distribution: @Sendable (Double) -> Double
  }

  private static let laws = [
    Law(
      testDescription: "weibull, which wears out", mean: 200 * tgamma(1 + 1 / 1.5),
      deviation: 200 * (tgamma(1 + 2 / 1.5) - pow(tgamma(1 + 1 / 1.5), 2)).squareRoot(),
      draw: { $0.weibull(shape: 1.5, scale: 200) }, distribution: { 1 - exp(-pow($0 / 200, 1.5)) }),
    Law(
      testDescription: "weibull, which fails early", mean: 6, deviation: 180.0.squareRoot(),
      draw: { $0.weibull(shape: 0.5, scale: 3) }, distribution: { 1 - exp(-($0 / 3).squareRoot()) }),
    Law(
      testDescription: "erlang of three stages", mean: 12, deviation: 12 / 3.0.squareRoot(),
      draw: { $0.erlang(stages: 3, mean: 12) },
      distribution: { 1 - exp(-$0 / 4) * (1 + $0 / 4 + $0 * $0 / 32) }),
    Law(
      testDescription: "erlang of one stage", mean: 5, deviation: 5, draw: { $0.erlang(stages: 1, mean: 5) },
      distribution: { 1 - exp(-$0 / 5) }),
    Law(
      testDescription: "triangular", mean: 7, deviation: ((4 + 196 + 25 - 28 - 10 - 70) / 18.0).squareRoot(),
      draw: { $0.triangular(from: 2, to: 14, mode: 5) },
      distribution: { $0 < 5 ? ($0 - 2) * ($0 - 2) / 36 : 1 - (14 - $0) * (14 - $0) / 108 }),
    Law(
      testDescription: "triangular with its mode at the end", mean: 2.0 / 3, deviation: 1 / 18.0.squareRoot(),
      draw: { $0.triangular(from: 0, to: 1, mode: 1) }, distribution: { $0 * $0 }),
    truncated("in the middle", mean: 2, deviation: 1.5, in: 0...3),
    truncated("without an upper end", mean: 0, deviation: 1, in: 0 ... .infinity),
    truncated("far above the mean", mean: 0, deviation: 1, in: 9...12),
    truncated("far below the mean", mean: 100, deviation: 2, in: -.infinity...80),
  ]

  /// By the density: what is measured of it comes from GSL's tails and from closed forms, not from quantiles.
  private static func truncated(
    _ name: String, mean: Double, deviation: Double, in range: ClosedRange<Double>
  ) -> Law {
    let (low, high) = ((range.lowerBound - mean) / deviation, (range.upperBound - mean) / deviation)
    let sign = low > 0 ? -1.0 : 1
    // The probability below, or for a range above the mean its negative above.
    @Sendable func tail(_ index: Double) -> Double { sign * gsl_cdf_ugaussian_P(sign * index) }
    func density(_ index: Double) -> Double { index.isFinite ? gsl_ran_ugaussian_pdf(index) : 0 }
    func moment(_ index: Double) -> Double { index.isFinite ? index * gsl_ran_ugaussian_pdf(index) : 0 }
    let whole = tail(high) - tail(low)
    let shift = (density(low) - density(high)) / whole
    let variance = 1 + (moment(low) - moment(high)) / whole - shift * shift
    return Law(
      testDescription: "gaussian, truncated \(name)", mean: mean + deviation * shift,
      deviation: deviation * variance.squareRoot(),
      draw: { $0.gaussian(mean: mean, standardDeviation: deviation, in: range) },
      distribution: { (tail(($0 - mean) / deviation) - tail(low)) / whole })
  }

  private static func sample(_ law: Law, seed: UInt32 = 11) throws -> [Double] {
    var stream = try RandomStream(seed: seed)
    return (0..<20_000).map { _ in law.draw(&stream) }
  }

  @Test("each fits its distribution function", arguments: laws)
  func fits(_ law: Law) throws {
    #expect(KolmogorovSmirnovTest(sample: try Self.sample(law), distribution: law.distribution).pValue > level)
  }

  @Test(
    "the mean of 20,000 is within five standard errors of the law's, and the deviation within a tenth", arguments: laws)
  func moments(_ law: Law) throws {
    let sample = try Self.sample(law)
    let mean = sample.reduce(0, +) / 20_000
    let deviation = (sample.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 19_999).squareRoot()
    #expect(abs(mean - law.mean) < 5 * law.deviation / 20_000.0.squareRoot(), "\(mean), expected \(law.mean)")
    #expect(abs(deviation / law.deviation - 1) < 0.1, "\(deviation), expected \(law.deviation)")
  }

  @Test("the tests can fail: shape and scale the wrong way round, and the mean of a stage for that of the whole")
  func mistakes() throws {
    let wrong: [@Sendable (inout RandomStream) -> Double] = [
      { $0.weibull(shape: 200, scale: 1.5) }, { $0.weibull(shape: 0.55, scale: 3) }, { $0.erlang(stages: 3, mean: 36) },
    ]
    for (draw, law) in zip(wrong, Self.laws) {
      var stream = try RandomStream(seed: 11)
      let sample = (0..<20_000).map { _ in draw(&stream) }
      #expect(KolmogorovSmirnovTest(sample: sample, distribution: law.distribution).pValue < level)
    }
  }

  @Test("a truncated normal number lies in its range, takes one word, and grows with the mean as the words do")
  func truncation() throws {
    var one = try RandomStream(seed: 5)
    var other = try RandomStream(seed: 5)
    for _ in 0..<2_000 {
      let (low, high) = (one.gaussian(mean: 0, in: -1...2), other.gaussian(mean: 0.1, in: -1...2))
      #expect((-1...2).contains(low) && low <= high)
    }
    #expect(one.word() == other.word())
    #expect(one.gaussian(mean: 3, standardDeviation: 0, in: 1...5) == 3)
    #expect(one.gaussian(mean: 3, standardDeviation: 1, in: 4...4) == 4 && one.problem == nil)
  }

  @Test("weights decide how often each element is drawn, and one of weight 0 is never drawn")
  func weights() throws {
    var stream = try RandomStream(seed: 12)
    var counts = [Int](repeating: 0, count: 5)
    let weights = [0, 5, 0, 3, 2.0]
    for _ in 0..<20_000 { counts[stream.element(of: [0, 1, 2, 3, 4], weights: weights) ?? 0] += 1 }
    #expect(counts[0] == 0 && counts[2] == 0)
    #expect(ChiSquareTest(observed: [counts[1], counts[3], counts[4]], probabilities: [0.5, 0.3, 0.2]).pValue > level)
    #expect(stream.element(of: ["only"], weights: [1e-300]) == "only")
    #expect(stream.element(of: [String](), weights: []) == nil)
  }

  @Test("measured numbers are drawn alike, one that was measured twice twice as often")
  func empirical() throws {
    var stream = try RandomStream(seed: 13)
    var counts: [Double: Int] = [:]
    for _ in 0..<20_000 { counts[stream.empirical([3, 1, 3, 7]), default: 0] += 1 }
    let observed = [1, 3, 7].map { counts[$0] ?? 0 }
    #expect(observed.reduce(0, +) == 20_000)
    #expect(ChiSquareTest(observed: observed, probabilities: [0.25, 0.5, 0.25]).pValue > level)
  }

  @Test("without replacement, every ordered pair of five is equally likely, and none has an element twice")
  func withoutReplacement() throws {
    var stream = try RandomStream(seed: 14)
    var counts: [[Int]: Int] = [:]
    for _ in 0..<20_000 { counts[stream.elements(of: [1, 2, 3, 4, 5], count: 2), default: 0] += 1 }
    #expect(counts.count == 20 && counts.keys.allSatisfy { $0[0] != $0[1] })
    #expect(
      ChiSquareTest(observed: Array(counts.values), probabilities: Array(repeating: 0.05, count: 20)).pValue > level)
    #expect(stream.elements(of: [1, 2, 3], count: 3).sorted() == [1, 2, 3])
    #expect(stream.elements(of: [1, 2, 3], count: 0) == [] && stream.problem == nil)
    #expect(stream.shuffled([1, 2, 3]).sorted() == [1, 2, 3])
  }
}
