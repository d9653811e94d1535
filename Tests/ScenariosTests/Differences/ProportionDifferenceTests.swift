// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Scenarios
import Testing

@Suite("The difference of two shares")
struct ProportionDifferenceTests {
  /// The probability of each number of successes.
  private static func binomial(_ trials: Int, _ probability: Double) -> [Double] {
    (0...trials).map { successes in
      let choices = lgamma(Double(trials + 1)) - lgamma(Double(successes + 1)) - lgamma(Double(trials - successes + 1))
      return exp(
        choices + Double(successes) * log(probability) + Double(trials - successes) * log1p(-probability))
    }
  }

  @Test(
    "is covered at least as often as stated by every pair of probabilities: all outcomes of small samples",
    arguments: [(4, 4, 0.9), (10, 10, 0.99), (3, 20, 0.95), (12, 9, 0.8), (15, 15, 0.9999)])
  func coverage(trials: Int, others: Int, confidence: Double) throws {
    var intervals: [[ClosedRange<Double>]] = []
    for first in 0...trials {
      intervals.append(
        try (0...others).map { second in
          try #require(
            ProportionDifference(from: (first, trials), to: (second, others), confidence: confidence)
          ).interval
        })
    }
    let probabilities = [0.0005, 0.005, 0.03, 0.1, 0.27, 0.5, 0.73, 0.9, 0.97, 0.995, 0.9995]
    for one in probabilities {
      let chances = Self.binomial(trials, one)
      for other in probabilities {
        let otherChances = Self.binomial(others, other)
        var covered = 0.0
        for (first, row) in intervals.enumerated() {
          for (second, interval) in row.enumerated() where interval.contains(other - one) {
            covered += chances[first] * otherChances[second]
          }
        }
        #expect(covered >= confidence - 1e-9, "\(one) and \(other)")
      }
    }
  }

  @Test("is hardly wider than twice the standard error allows, for large samples")
  func width() throws {
    let interval = try #require(
      ProportionDifference(from: (400_000, 1_000_000), to: (402_000, 1_000_000), confidence: 0.95)
    ).interval
    let standardError = (0.4 * 0.6 / 1e6 + 0.402 * 0.598 / 1e6).squareRoot()
    let ratio = (interval.upperBound - interval.lowerBound) / (2 * 1.959964 * standardError)
    #expect(ratio > 1 && ratio < 1.13)
    #expect(abs((interval.lowerBound + interval.upperBound) / 2 - 0.002) < standardError / 10)
  }

  @Test("changes its sign with the order of the samples, and with successes for failures")
  func symmetry() throws {
    for (first, second) in [((0, 7), (7, 7)), ((1, 30), (29, 30)), ((12, 40), (13, 90)), ((0, 5), (0, 9))] {
      let plain = try #require(ProportionDifference(from: first, to: second, confidence: 0.97)).interval
      let turned = try #require(ProportionDifference(from: second, to: first, confidence: 0.97)).interval
      let mirrored = try #require(
        ProportionDifference(
          from: (first.1 - first.0, first.1), to: (second.1 - second.0, second.1), confidence: 0.97)
      ).interval
      for other in [turned, mirrored] {
        #expect(abs(plain.lowerBound + other.upperBound) < 1e-6)
        #expect(abs(plain.upperBound + other.lowerBound) < 1e-6)
      }
      let difference = Double(second.0) / Double(second.1) - Double(first.0) / Double(first.1)
      #expect(plain.contains(difference))
    }
  }

  @Test("grows with the confidence, and stays from -1 to 1")
  func nesting() throws {
    var last = 0.0...0.0
    for confidence in [0.5, 0.9, 0.99, 0.999_999, 1 - 1e-12] {
      let interval = try #require(ProportionDifference(from: (3, 20), to: (3, 20), confidence: confidence)).interval
      #expect(interval.lowerBound <= last.lowerBound && interval.upperBound >= last.upperBound)
      #expect(interval.lowerBound >= -1 && interval.upperBound <= 1)
      last = interval
    }
  }

  @Test("does not exist without trials or for more successes than trials")
  func nonsense() {
    #expect(ProportionDifference(from: (0, 0), to: (1, 2), confidence: 0.9) == nil)
    #expect(ProportionDifference(from: (1, 2), to: (3, 2), confidence: 0.9) == nil)
    #expect(ProportionDifference(from: (1, 2), to: (1, 2), confidence: 1) == nil)
  }
}
