// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import MonteCarlo
internal import Statistics

/// What tilted sessions add up to, in whole numbers.
struct WeightTally: MergeableTally, Hashable {
  /// How many sessions.
  var sessions = 0
  /// Those of them in which the client was not back in time.
  var failures = 0
  /// The sum of all weights and of their squares, in units.
  private var weights = 0
  private var squaredWeights: Int128 = 0
  /// The same over the failures.
  private var failing = 0
  private var squaredFailing: Int128 = 0

  /// A weight is rounded to this and cut at 2^12, so that sums stay in range for 2^17 sessions.
  private static let unit = 0x1p-32

  /// Counts a session.
  ///
  /// - Parameters:
  ///   - weight: Its likelihood ratio.
  ///   - hasFailed: Whether the client was not back in time.
  mutating func add(weight: Double, hasFailed: Bool) {
    let units = Int(min(0x1p12, weight) / Self.unit)
    sessions += 1
    weights += units
    squaredWeights += Int128(units) * Int128(units)
    guard hasFailed else { return }
    failures += 1
    failing += units
    squaredFailing += Int128(units) * Int128(units)
  }

  mutating func merge(_ other: WeightTally) {
    sessions += other.sessions
    failures += other.failures
    weights += other.weights
    squaredWeights += other.squaredWeights
    failing += other.failing
    squaredFailing += other.squaredFailing
  }

  /// The mean weight, which is 1 in truth, and its standard error.
  var meanWeight: (mean: Double, error: Double) {
    Self.moments(MomentTally(count: sessions, sum: weights, sumOfSquares: squaredWeights))
  }

  /// The chance of a failure and its standard error.
  var chance: (mean: Double, error: Double) {
    Self.moments(MomentTally(count: sessions, sum: failing, sumOfSquares: squaredFailing))
  }

  /// The variance of one session's contribution over the square of the chance: what decides how many sessions it takes;
  /// nil where nothing failed. Direct simulation has (1 - p) / p.
  var relativeVariance: Double? {
    let (mean, error) = chance
    guard failures > 0, mean > 0 else { return nil }
    return error * error * Double(sessions) / (mean * mean)
  }

  private static func moments(_ tally: MomentTally) -> (mean: Double, error: Double) {
    (tally.mean * unit, tally.standardError * unit)
  }
}

/// How rare failures are, by importance sampling, with the estimator's own check.
package struct RareFailure: Hashable, Sendable {
  /// How the client's draws were tilted: above 0 for longer waits.
  package let bias: Double
  /// Tilted sessions, without those that chose the tilt.
  package let sessions: Int
  /// Failures among them.
  package let failures: Int
  /// The chance that a session has an outage from which the client is not back in time.
  package let chance: Double
  /// What it lies in.
  package let interval: ClosedRange<Double>
  /// The confidence of the interval.
  package let confidence: Double
  /// The variance of one session's contribution over the square of the chance; nil where nothing failed.
  package let relativeVariance: Double?
  /// How many times fewer sessions it takes than by direct simulation; nil where nothing failed.
  package let gain: Double?
  /// The mean weight: 1, if the weights are right.
  package let meanWeight: Double
  /// How many standard errors the mean weight is from 1.
  package let weightDeviations: Double
  /// The chance by direct simulation of the same client.
  package let direct: Double
  /// How many standard errors both are apart; nil where direct simulation saw fewer than ten failures.
  package let apart: Double?

  /// Whether the checks that could be made leave the estimate standing: neither is 4 standard errors off.
  package var isSound: Bool { weightDeviations.magnitude < 4 && (apart ?? 0).magnitude < 4 }

  /// What tilted sessions say, beside direct ones.
  ///
  /// - Parameters:
  ///   - tilted: The sums of the tilted sessions.
  ///   - bias: Their tilt.
  ///   - direct: Failures among direct sessions.
  ///   - confidence: Of the interval.
  /// - Throws: `StatisticsError` for a confidence out of range.
  init(
    _ tilted: WeightTally, bias: Double, direct: (failures: Int, sessions: Int), confidence: Double
  ) throws(StatisticsError) {
    let (mean, error) = tilted.chance
    (self.bias, self.confidence, sessions, failures) = (bias, confidence, tilted.sessions, tilted.failures)
    chance = mean
    if tilted.failures > 0 {
      let reach = try NormalInterval(mean: mean, standardError: error, confidence: confidence).halfWidth
      interval = max(0, mean - reach)...min(1, mean + reach)
    } else {
      // No failure has no spread; what direct sessions exclude still holds.
      let bound = try BinomialInterval(
        successes: direct.failures, trials: max(1, direct.sessions), confidence: confidence)
      interval = bound.lower...bound.upper
    }
    relativeVariance = tilted.relativeVariance
    gain = relativeVariance.map { $0 > 0 ? (1 - mean) / mean / $0 : 1 }
    let weight = tilted.meanWeight
    meanWeight = weight.mean
    weightDeviations = weight.error > 0 ? (weight.mean - 1) / weight.error : 0
    let share = Double(direct.failures) / Double(max(1, direct.sessions))
    self.direct = share
    let spread = error * error + share * (1 - share) / Double(max(1, direct.sessions))
    apart = direct.failures >= 10 && tilted.failures >= 10 && spread > 0 ? (mean - share) / spread.squareRoot() : nil
  }
}
