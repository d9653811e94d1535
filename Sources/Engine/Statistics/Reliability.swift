// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// Forecasts with the same stated probability, and the number of them that came true.
public struct ForecastGroup: Hashable, Sendable {
  /// The stated probability, from 0 to 1.
  public let forecast: Double
  /// The number of forecasts.
  public let trials: Int
  /// The number of forecasts that came true.
  public let successes: Int

  /// A group of at least one forecast.
  public init(forecast: Double, trials: Int, successes: Int) {
    (self.forecast, self.trials, self.successes) = (forecast, trials, successes)
  }
}

/// The calibration of forecast probabilities: the CORP reliability diagram, and the parts of the Brier score.
///
/// The outcomes are regressed isotonically on the forecasts by the pool-adjacent-violators algorithm, without bins or
/// other choices. The improvement of the score by that is the miscalibration; the advantage of the recalibrated
/// forecasts over the base rate is the discrimination: `brier = miscalibration - discrimination + uncertainty`,
/// exactly.
///
/// Source: Dimitriadis, Gneiting and Jordan, "Stable reliability diagrams for probabilistic classifiers", PNAS 118
/// (2021); Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78 (1950).
public struct Reliability: Hashable, Sendable {
  /// Adjacent forecasts with the same recalibrated probability.
  public struct Block: Hashable, Sendable {
    /// The smallest forecast of the block.
    public let from: Double
    /// The largest forecast of the block.
    public let to: Double
    /// The share of its forecasts that came true.
    public let value: Double
    /// The number of its forecasts.
    public let trials: Int
  }

  /// The groups by ascending forecast, each forecast once.
  public let groups: [ForecastGroup]
  /// The steps of the recalibration, by ascending forecast.
  public let blocks: [Block]
  /// The mean squared difference of forecast and outcome: 0 is best.
  public let brier: Double
  /// The improvement of the score by recalibration.
  public let miscalibration: Double
  /// The advantage of the recalibrated forecasts over the base rate.
  public let discrimination: Double
  /// The score of the base rate.
  public let uncertainty: Double
  /// The number of forecasts.
  public let count: Int

  /// Evaluates forecasts; groups with the same forecast are merged. `nil` without forecasts.
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

  /// Pools adjacent groups whose shares decrease; each pool ends before an index.
  private static func pooled(_ groups: [(trials: Int, successes: Int)]) -> [(end: Int, trials: Int, successes: Int)] {
    var pools: [(end: Int, trials: Int, successes: Int)] = []
    for (position, group) in groups.enumerated() {
      var last = (end: position + 1, trials: group.trials, successes: group.successes)
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
    var (values, position): ([Double], Int) = ([], 0)
    for group in groups {
      while blocks[position].to < group.forecast { position += 1 }
      values.append(blocks[position].value)
    }
    return values
  }

  /// The results that calibrated forecasts would give.
  public struct Band: Hashable, Sendable {
    /// For each group, the range of its recalibrated probability with the confidence, pointwise.
    public let ranges: [ClosedRange<Double>]
    /// The upper bound of the miscalibration of calibrated forecasts with the confidence.
    public let miscalibration: Double
  }

  /// The consistency band: outcomes are drawn `resamples` times with the forecast probabilities, and recalibrated.
  ///
  /// `draw` returns the number of successes of independent trials with a probability. Forecasts are assumed to be
  /// independent of each other.
  public func band(confidence: Double, resamples: Int, draw: (_ trials: Int, _ chance: Double) -> Int) -> Band {
    let resamples = max(1, resamples)
    func index(_ share: Double) -> Int {
      min(resamples - 1, max(0, Int((share * Double(resamples)).rounded(.down))))
    }
    let tail = (1 - confidence) / 2
    // Only the tails of each group are kept: there may be a group for each of many forecasts.
    var lowest = [Smallest](repeating: Smallest(index(tail) + 1), count: groups.count)
    var highest = [Smallest](repeating: Smallest(resamples - index(1 - tail)), count: groups.count)
    var scores: [Double] = []
    for _ in 0..<resamples {
      let drawn = groups.map { (trials: $0.trials, successes: draw($0.trials, $0.forecast)) }
      var (stated, recalibrated, first) = (0.0, 0.0, 0)
      for pool in Self.pooled(drawn) {
        let value = Double(pool.successes) / Double(pool.trials)
        recalibrated += Self.score(value, pool.trials, pool.successes)
        for position in first..<pool.end {
          stated += Self.score(groups[position].forecast, drawn[position].trials, drawn[position].successes)
          lowest[position].add(value)
          highest[position].add(-value)
        }
        first = pool.end
      }
      scores.append(stated / Double(count) - recalibrated / Double(count))
    }
    return Band(
      ranges: zip(lowest, highest).map { low, high in low.last...max(low.last, -high.last) },
      miscalibration: scores.sorted()[index(confidence)])
  }

  /// The smallest of many values, as many as wanted, in the memory of twice as many.
  private struct Smallest {
    private let count: Int
    private var values: [Double] = []

    init(_ count: Int) { self.count = count }

    mutating func add(_ value: Double) {
      values.append(value)
      if values.count >= 2 * count { cut() }
    }

    private mutating func cut() {
      values.sort()
      values.removeLast(max(0, values.count - count))
    }

    /// The largest of the smallest values.
    var last: Double {
      var rest = self
      rest.cut()
      return rest.values.last ?? 0
    }
  }
}

/// The continuous ranked probability score: the distance of a forecast distribution from the outcome, in the unit of
/// the quantity; for a deterministic forecast the absolute error.
///
/// Source: Gneiting and Raftery, "Strictly proper scoring rules, prediction, and estimation", JASA 102 (2007).
public enum RankedProbabilityScore {
  /// The score of a normal distribution.
  public static func normal(mean: Double, deviation: Double, observed: Double) -> Double {
    guard deviation > 0 else { return abs(observed - mean) }
    let z = (observed - mean) / deviation
    let density = exp(-z * z / 2) / (2 * Double.pi).squareRoot()
    let below = 0.5 * erfc(-z / 2.squareRoot())
    return deviation * (z * (2 * below - 1) + 2 * density - 1 / Double.pi.squareRoot())
  }
}
