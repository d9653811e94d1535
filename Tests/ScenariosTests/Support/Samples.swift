// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Scenarios
import TestSupport

/// Measurements of one name each, to evaluate.
enum Samples {
  static func share(_ successes: Int, of trials: Int) -> Measurement {
    Measurement(
      Measure("success", meaning: "How many come back", kind: .proportion),
      .proportion(successes: successes, trials: trials))
  }

  static func mean(
    _ mean: Double, deviation: Double, samples: Int, range: ClosedRange<Double>? = nil
  ) -> Measurement {
    Measurement(
      Measure("ev", of: "6d", meaning: "What a round brings", unit: "bets", kind: .mean, range: range),
      .mean(mean, standardDeviation: deviation, samples: samples))
  }

  static func interval(_ value: Double, _ range: ClosedRange<Double>, at confidence: Double, samples: Int = 1000)
    -> Measurement
  {
    Measurement(
      Measure("regret", meaning: "What the chart costs", unit: "bets", kind: .interval(confidence: confidence)),
      .interval(value, low: range.lowerBound, high: range.upperBound, confidence: confidence, samples: samples))
  }

  static func count(_ count: Int, undecided: Int = 0) -> Measurement {
    Measurement(
      Measure("mismatches", meaning: "Cells that differ", unit: "cells", kind: .count),
      .count(count, undecided: undecided))
  }

  static func exact(_ value: Double) -> Measurement {
    Measurement(Measure("edge", meaning: "The house's edge", unit: "bets", kind: .exact), .exact(value))
  }

  /// Any of them, of any size.
  static func any(_ dice: inout SplitMix64) -> Measurement {
    let samples = Int.random(in: 0...5000, using: &dice)
    switch Int.random(in: 0..<5, using: &dice) {
    case 0: return exact(dice.number())
    case 1: return count(Int.random(in: 0...99, using: &dice), undecided: Int.random(in: 0...3, using: &dice))
    case 2: return share(Int.random(in: 0...samples, using: &dice), of: samples)
    case 3: return mean(dice.number(), deviation: abs(dice.number()), samples: samples)
    default:
      let value = dice.number()
      let (below, above) = (abs(dice.number()), abs(dice.number()))
      return interval(value, (value - below)...(value + above), at: 0.999, samples: samples)
    }
  }
}

/// An experiment as small as can be, that measures what a test gives.
struct CoinToss: Experiment {
  @TaskLocal static var given: [Measure] = []
  static let kind = "coin-toss"
  static let summary = "Tosses coins"
  static let parameters = [
    Parameter<CoinToss>("rounds", \.rounds, .count(1 ... .max), "How many tosses.", example: "5")
  ]

  var rounds = 100
  var measures = CoinToss.given

  func run(on context: RunContext) throws -> ScenarioResult {
    ScenarioResult(measurements: [], data: [:], document: Document([]))
  }
}

struct Nothing: Experiment {
  static let kind = "blackjack.chart"
  static let summary = "Does nothing"
  static let parameters: [Parameter<Nothing>] = []
  var measures: [Measure] { [] }

  func run(on context: RunContext) throws -> ScenarioResult {
    ScenarioResult(measurements: [], data: [:], document: Document([]))
  }
}

extension SplitMix64 {
  /// A number of one of many sizes, whole ones among them.
  mutating func number() -> Double {
    let digits = Double(Int.random(in: -9999...9999, using: &self))
    let scales = [1e-9, 1e-4, 0.01, 0.1, 1, 1, 1, 1e3, 1e15, 1e25]
    let scale = scales[Int.random(in: scales.indices, using: &self)]
    return Bool.random(using: &self) ? digits * scale : Double.random(in: -1...1, using: &self) * scale
  }
}
