// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// Forecasts that stated the same probability, and how many of them came true.
public struct ForecastGroup: Hashable, Sendable {
  /// The probability that was stated, from 0 to 1.
  public let forecast: Double
  /// How many forecasts stated it.
  public let trials: Int
  /// How many of them came true.
  public let successes: Int

  /// A group of at least one forecast.
  public init(forecast: Double, trials: Int, successes: Int) {
    (self.forecast, self.trials, self.successes) = (forecast, trials, successes)
  }
}

/// Whether probabilities come true as often as they say: the CORP reliability diagram, and the Brier score's parts.
///
/// The outcomes are regressed isotonically on the forecasts, which the pool-adjacent-violators algorithm does without
/// bins or any other choice. What the score improves by that is the miscalibration; what the recalibrated forecasts are
/// better than the base rate is the discrimination: `brier = miscalibration - discrimination + uncertainty`, exactly.
///
/// Source: Dimitriadis, Gneiting and Jordan, "Stable reliability diagrams for probabilistic classifiers", PNAS 118
/// (2021); Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78 (1950).
public struct Reliability: Hashable, Sendable {
  /// Neighbouring forecasts with one recalibrated probability.
  public struct Block: Hashable, Sendable {
    /// The least forecast of the block.
    public let from: Double
    /// The greatest forecast of the block.
    public let to: Double
    /// How often its forecasts came true.
    public let value: Double
    /// How many forecasts it has.
    public let trials: Int
  }

  /// The groups, by rising forecast, each forecast once.
  public let groups: [ForecastGroup]
  /// The steps of the recalibration, by rising forecast.
  public let blocks: [Block]
  /// The mean squared difference of forecast and outcome: 0 is best.
  public let brier: Double
  /// What recalibration would take from the score.
  public let miscalibration: Double
  /// What the recalibrated forecasts are better than the base rate.
  public let discrimination: Double
  /// The score of the base rate.
  public let uncertainty: Double
  /// How many forecasts there are.
  public let count: Int

  /// Evaluates forecasts; groups of one forecast are joined. `nil` without forecasts.
  ///
  /// - Complexity: O(n log n) of the groups.
  public init?(_ all: [ForecastGroup]) {
    var groups: [ForecastGroup] = []
    for one in all.filter({ $0.trials > 0 }).sorted(by: { $0.forecast < $1.forecast }) {
      if let last = groups.last, last.forecast == one.forecast {
        groups[groups.count - 1] = ForecastGroup(
          forecast: one.forecast, trials: last.trials + one.trials, successes: last.successes + one.successes)
      } else {
        groups.append(one)
      }
    }
    guard !groups.isEmpty else { return nil }
    let count = groups.reduce(0) { $0 + $1.trials }
    let ends = Self.pooled(groups.map { ($0.trials, $0.successes) })
    var (blocks, first): ([Block], Int) = ([], 0)
    for one in ends {
      blocks.append(
        Block(
          from: groups[first].forecast, to: groups[one.end - 1].forecast,
          value: Double(one.successes) / Double(one.trials), trials: one.trials))
      first = one.end
    }
    let rate = Double(groups.reduce(0) { $0 + $1.successes }) / Double(count)
    let brier = groups.reduce(0.0) { $0 + Self.score($1.forecast, $1.trials, $1.successes) } / Double(count)
    let recalibrated = ends.reduce(0.0) { sum, one in
      sum + Self.score(Double(one.successes) / Double(one.trials), one.trials, one.successes)
    }
    (self.groups, self.blocks, self.brier, self.count) = (groups, blocks, brier, count)
    uncertainty = rate * (1 - rate)
    miscalibration = brier - recalibrated / Double(count)
    discrimination = uncertainty - recalibrated / Double(count)
  }

  /// The sum of squared differences of a forecast.
  private static func score(_ forecast: Double, _ trials: Int, _ successes: Int) -> Double {
    Double(successes) * (1 - forecast) * (1 - forecast) + Double(trials - successes) * forecast * forecast
  }

  /// Pools neighbours whose shares fall; each pool ends before a group.
  private static func pooled(_ groups: [(trials: Int, successes: Int)]) -> [(end: Int, trials: Int, successes: Int)] {
    var pools: [(end: Int, trials: Int, successes: Int)] = []
    for (place, group) in groups.enumerated() {
      var last = (end: place + 1, trials: group.trials, successes: group.successes)
      while let before = pools.last, before.successes * last.trials >= last.successes * before.trials {
        last = (last.end, last.trials + before.trials, last.successes + before.successes)
        pools.removeLast()
      }
      pools.append(last)
    }
    return pools
  }

  /// The recalibrated probability of each group.
  public var recalibrated: [Double] {
    var (values, place): ([Double], Int) = ([], 0)
    for group in groups {
      while blocks[place].to < group.forecast { place += 1 }
      values.append(blocks[place].value)
    }
    return values
  }

  /// What calibrated forecasts would give.
  public struct Band: Hashable, Sendable {
    /// For each group, where its recalibrated probability would lie with the confidence, taken by itself.
    public let ranges: [ClosedRange<Double>]
    /// The miscalibration that calibrated forecasts stay below with the confidence.
    public let miscalibration: Double
  }

  /// The consistency band: outcomes are drawn as the forecasts state them, so many times, and recalibrated.
  ///
  /// `draw` draws how many of so many independent trials succeed at a chance. It supposes that forecasts are
  /// independent of each other.
  public func band(confidence: Double, resamples: Int, draw: (_ trials: Int, _ chance: Double) -> Int) -> Band {
    let resamples = max(1, resamples)
    var values = groups.map { _ in [Double]() }
    var scores: [Double] = []
    for _ in 0..<resamples {
      let drawn = groups.map {
        ForecastGroup(forecast: $0.forecast, trials: $0.trials, successes: draw($0.trials, $0.forecast))
      }
      guard let one = Reliability(drawn) else { continue }
      for (place, value) in one.recalibrated.enumerated() { values[place].append(value) }
      scores.append(one.miscalibration)
    }
    func quantile(_ values: [Double], _ share: Double) -> Double {
      let sorted = values.sorted()
      return sorted[min(sorted.count - 1, max(0, Int((share * Double(sorted.count)).rounded(.down))))]
    }
    let tail = (1 - confidence) / 2
    return Band(
      ranges: values.map { quantile($0, tail)...max(quantile($0, tail), quantile($0, 1 - tail)) },
      miscalibration: quantile(scores, confidence))
  }
}

/// The continuous ranked probability score: how far a forecast distribution is from what came, in the quantity's own
/// unit; of a certain forecast it is the absolute error.
///
/// Source: Gneiting and Raftery, "Strictly proper scoring rules, prediction, and estimation", JASA 102 (2007).
public enum RankedProbabilityScore {
  /// Of a normal distribution.
  public static func normal(mean: Double, deviation: Double, observed: Double) -> Double {
    guard deviation > 0 else { return abs(observed - mean) }
    let z = (observed - mean) / deviation
    let density = exp(-z * z / 2) / (2 * Double.pi).squareRoot()
    let below = 0.5 * erfc(-z / 2.squareRoot())
    return deviation * (z * (2 * below - 1) + 2 * density - 1 / Double.pi.squareRoot())
  }
}
