// SPDX-License-Identifier: GPL-3.0-or-later
import CGSL
import Foundation
import Statistics
import Testing

@Suite("Quantiles against published values and closed forms")
struct PublishedQuantileTests {
  /// What Wichura gives to check an implementation by: Applied Statistics 37 (1988).
  @Test(
    "normal: the values of algorithm AS 241, in 14 digits",
    arguments: [(0.25, -0.6744897501960817), (0.001, -3.090232306167814), (1e-20, -9.262340089798408)])
  func normal(probability: Double, expected: Double) throws {
    #expect(abs(try Quantile.normal(probability) / expected - 1) < 1e-14)
    // What normal samples of a property are made with, from the other tail.
    #expect(abs(gsl_cdf_ugaussian_Qinv(probability) / -expected - 1) < 1e-14)
  }

  static let studentRows: [(degreesOfFreedom: Double, quantiles: [Double])] = [
    (1, [3.078, 6.314, 12.706, 31.821, 63.657]), (2, [1.886, 2.920, 4.303, 6.965, 9.925]),
    (3, [1.638, 2.353, 3.182, 4.541, 5.841]), (5, [1.476, 2.015, 2.571, 3.365, 4.032]),
    (10, [1.372, 1.812, 2.228, 2.764, 3.169]), (30, [1.310, 1.697, 2.042, 2.457, 2.750]),
    (60, [1.296, 1.671, 2.000, 2.390, 2.660]),
  ]

  @Test(
    "Student: the table of the NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, in all its digits",
    arguments: studentRows)
  func studentTable(degreesOfFreedom: Double, expected: [Double]) throws {
    for (probability, value) in zip([0.9, 0.95, 0.975, 0.99, 0.995], expected) {
      let quantile = try Quantile.studentT(probability, degreesOfFreedom: degreesOfFreedom)
      #expect(abs(quantile - value) <= 0.0005)
    }
  }

  @Test(
    "Student: 1, 2 and 4 degrees of freedom have closed forms (Shaw, Journal of Computational Finance 9, 2006)",
    arguments: [1e-6, 5e-4, 0.01, 0.25, 0.4, 0.7, 0.975])
  func studentForms(probability: Double) throws {
    let cauchy = -1 / tan(Double.pi * probability)
    let product = 4 * probability * (1 - probability)
    let two = 2 * (probability - 0.5) * (2 / product).squareRoot()
    let cosine = cos(acos(product.squareRoot()) / 3) / product.squareRoot()
    let four = (probability < 0.5 ? -2 : 2) * (cosine - 1).squareRoot()
    for (degreesOfFreedom, expected) in [(1.0, cauchy), (2, two), (4, four)] {
      let quantile = try Quantile.studentT(probability, degreesOfFreedom: degreesOfFreedom)
      #expect(abs(quantile / expected - 1) < 1e-9, "\(degreesOfFreedom) degrees of freedom")
    }
  }

  /// Newcombe, "Two-sided confidence intervals for the single proportion: comparison of seven methods", Statistics in
  /// Medicine 17 (1998), table I, method 5.
  static let newcombe = [
    (81, 263, 0.2527, 0.3676), (15, 148, 0.0578, 0.1617), (0, 20, 0, 0.1684), (1, 29, 0.0009, 0.1776),
  ]

  @Test("beta: Newcombe's Clopper-Pearson intervals at 95%, in all their digits", arguments: newcombe)
  func clopperPearson(successes: Int, trials: Int, lower: Double, upper: Double) throws {
    let interval = try BinomialInterval(successes: successes, trials: trials, confidence: 0.95)
    #expect(abs(interval.lower - lower) <= 0.00005 && abs(interval.upper - upper) <= 0.00005)
  }

  @Test("beta: the value of GSL's own test that other libraries agree on, in 12 digits")
  func betaReference() throws {
    #expect(abs(try Quantile.beta(0.025, a: 2133, b: 7868) / 0.20530562929915865 - 1) < 1e-12)
  }

  @Test(
    "beta: a shape of 1, the arcsine law and shapes of 2 have closed forms",
    arguments: [1e-12, 1e-6, 5e-4, 0.01, 0.25, 0.5, 0.7, 0.975])
  func betaForms(probability: Double) throws {
    for shape in [0.5, 1, 3, 40, 5_000] {
      #expect(abs(try Quantile.beta(probability, a: shape, b: 1) / pow(probability, 1 / shape) - 1) < 1e-9)
      let mirrored = -expm1(log1p(-probability) / shape)
      #expect(abs(try Quantile.beta(probability, a: 1, b: shape) / mirrored - 1) < 1e-9)
    }
    let sine = sin(Double.pi / 2 * probability)
    #expect(abs(try Quantile.beta(probability, a: 0.5, b: 0.5) / (sine * sine) - 1) < 1e-9)
    let cubic = try Quantile.beta(probability, a: 2, b: 2)
    #expect(abs(cubic * cubic * (3 - 2 * cubic) / probability - 1) < 1e-8)
  }

  /// GSL's inverse halves an interval until its distribution function, which is NaN there, comes near: it never ends.
  static let endless = [(12_055_562.0, 15_218_470.0), (1_604_306, 2_593_225), (79_941_856, 36_011_040)]

  /// A limit on the process's processor time terminates a computation that never ends by SIGXCPU, however busy the
  /// machine is. All of them together need a hundredth of a second.
  @Test("beta: every quantile ends, from shapes of a half to a thousand million, and leads back to its probability")
  func bounded() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 60, rlim_max: 60)
      #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit) == 0)
      let sums = [1, 10, 1_000, 99_999, 100_001, 1_000_000, 1_000_000_000.0]
      let shapes =
        PublishedQuantileTests.endless
        + sums.flatMap { sum in [0.5, 0.3 * sum, sum / 2, sum - 0.5].map { ($0, max(0.5, sum - $0)) } }
      for (a, b) in shapes {
        for probability in [1e-12, 5e-8, 0.0005, 0.01, 0.5, 0.975] {
          let quantile = try Quantile.beta(probability, a: a, b: b)
          #expect(quantile > 0 && quantile < 1)
          if a + b <= 1_000_000 {
            let reached = gsl_cdf_beta_P(quantile, a, b)
            #expect(abs(reached / probability - 1) < 1e-5, "\(probability), \(a), \(b): \(reached)")
          }
        }
      }
    }
  }
}
