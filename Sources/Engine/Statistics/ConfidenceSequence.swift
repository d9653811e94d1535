// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// Bounds for the mean of a bounded quantity that hold at all times at once: look after every wave, stop when you like.
///
/// An empirical-Bernstein confidence sequence as a mixture of bets. Let observations x lie in [a, b], let c be a centre
/// chosen before x is seen, s = c - a, and 0 <= t < 1/s. Fan, Grama and Liu's inequality
///
///     exp(u y - psi(u) y^2) <= 1 + u y    for y >= -1, 0 <= u < 1, psi(u) = -log(1 - u) - u
///
/// with y = (x - c)/s, which is at least -1 because x >= a, and u = t s gives, given the past and with mean m,
///
///     E exp(t (x - c) - psi(ts)/s^2 (x - c)^2) <= 1 + t (m - c) <= exp(t (m - c)).
///
/// So the capital K(m) = exp(t sum(x - m) - sum psi(ts)/s^2 (x - c)^2) is a nonnegative supermartingale that starts at
/// 1, and so is any fixed mixture of such capitals over t. By Ville's inequality it ever reaches 1/alpha with
/// probability at most alpha. K falls as m rises: the m at which it is 1/alpha bounds the mean from BELOW, because
/// below it the capital would be larger still. The same argument for -x, where s = b - c, bounds the mean from above.
///
/// The centre is constant within a wave and comes from earlier waves only, so a wave's tally is all that is needed.
/// Nothing is asymptotic, and no variance is assumed. The means m of the observations may differ, as in a wave
/// stratified in proportion, if their sum over every wave is what it should be: the last step is taken one observation
/// at a time.
///
/// Sources: Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences",
/// Annals of Statistics 49 (2021), Theorem 4; Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
/// betting", JRSS B 86 (2024); Fan, Grama and Liu, "Exponential inequalities for martingales with applications", EJP 20
/// (2015).
public struct ConfidenceSequence: Sendable {
  /// Where every observation lies.
  public let range: ClosedRange<Double>
  /// What one unit of the tallies is worth, in the units of the range.
  public let unit: Double
  /// Everything absorbed so far, in units.
  public private(set) var total = MomentTally()

  /// The next wave's centre, in units; never outside the range.
  private var centre: Double
  var lowerPenalties = BettingGrid.Values(repeating: 0)
  var upperPenalties = BettingGrid.Values(repeating: 0)

  var width: Double { range.upperBound - range.lowerBound }

  /// Creates a sequence that has seen nothing.
  ///
  /// - Parameters:
  ///   - range: Where every observation is certain to lie, such as -8 to 8 bets. The bounds hold only if it is true.
  ///   - unit: What one unit of the tallies is worth, in the units of the range: 0.1 for tenths of a bet.
  ///   - firstCentre: A guess of the mean, made before any observation; the middle of the range when nil. A bad one
  ///     costs width, never validity.
  /// - Throws: `invalidParameter` unless the range is finite and not a point, the unit is positive, at most the range's
  ///   width and at least 2^-40 of it, and the guess lies in the range.
  public init(range: ClosedRange<Double>, unit: Double, firstCentre: Double? = nil) throws(StatisticsError) {
    let name = "Confidence sequence"
    let width = range.upperBound - range.lowerBound
    let largest = max(abs(range.lowerBound), abs(range.upperBound))
    try require(width > 0 && width.isFinite, name, "range", range, "a finite range that is not a point")
    try require(
      unit > 0 && unit <= width && unit >= largest * 0x1p-40, name, "unit", unit,
      "above 0, at most the range's width and at least 2^-40 of its larger end")
    let guess = firstCentre ?? (range.lowerBound + width / 2)
    try require(range.contains(guess), name, "firstCentre", guess, "a number in \(range)")
    (self.range, self.unit) = (range, unit)
    centre = guess / unit
  }

  /// Takes in the observations of one wave, all judged from the centre of the waves before it.
  ///
  /// - Parameter wave: Observations in units; an empty wave changes nothing.
  /// - Complexity: O(1), without allocation.
  public mutating func absorb(wave: MomentTally) {
    guard wave.count > 0 else { return }
    let relativeUnit = unit / width
    let squares = wave.sumOfSquaredDistances(from: centre) * relativeUnit * relativeUnit
    // Rounding may carry the centre a hair outside the range, never the reach.
    let reachBelow = max(0, min(1, (centre * unit - range.lowerBound) / width))
    let reachAbove = max(0, min(1, (range.upperBound - centre * unit) / width))
    let bets = BettingGrid.bets
    for j in 0..<BettingGrid.count {
      let scale = bets[j] * bets[j] * squares
      lowerPenalties[j] += scale * BettingGrid.penaltyRatio(bets[j] * reachBelow)
      upperPenalties[j] += scale * BettingGrid.penaltyRatio(bets[j] * reachAbove)
    }
    total.merge(wave)
    centre = total.mean
  }

  /// How many observations were absorbed.
  public var count: Int { total.count }

  /// Their mean, in the units of the range; the middle of the range when there are none.
  public var mean: Double { count == 0 ? range.lowerBound + width / 2 : total.mean * unit }

  /// The sample variance, in squared units of the range; for fewer than two observations the largest there can be.
  public var varianceEstimate: Double { count < 2 ? width * width / 4 : total.variance * unit * unit }
}
