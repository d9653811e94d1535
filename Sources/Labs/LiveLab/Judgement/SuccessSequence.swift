// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Statistics

/// Bounds for a share of clustered things that hold at all times at once: look after every wave of sessions, stop when
/// you like.
///
/// A share above a value v means that hits - v trials of a session have a mean above 0, and sessions are independent.
/// That difference lies between -v M and (1 - v) M when no session has more than M trials, which is all that
/// `ConfidenceSequence` asks. The bounds of the share are the values that the evidence does not exclude; nothing is
/// asymptotic.
package struct SuccessSequence: Sendable {
  /// No session has more trials than this.
  package let mostTrials: Int
  /// Everything absorbed so far.
  package private(set) var total = ClusteredShare()
  private var waves: [ClusteredShare] = []

  /// Values are looked at in steps of one over this.
  private static let grid = 1_000_000

  /// A sequence that has seen nothing.
  ///
  /// - Parameter mostTrials: No session has more trials than this; at least 1.
  package init(mostTrials: Int) { self.mostTrials = max(1, mostTrials) }

  /// Takes in the sessions of one wave.
  package mutating func absorb(wave: ClusteredShare) {
    guard wave.clusters > 0 else { return }
    waves.append(wave)
    total.merge(wave)
  }

  /// Which side of a value the share is on, as far as is known.
  package enum Verdict: String, Hashable, Sendable {
    /// At or above it.
    case reached
    /// Below it.
    case missed
    /// Not known yet.
    case open
  }

  /// Whether the share reaches a target.
  ///
  /// - Parameters:
  ///   - target: Above 0 and below 1, in steps of a millionth.
  ///   - alpha: The chance of a wrong verdict ever, on either side: each has half.
  /// - Returns: The verdict so far.
  package func verdict(target: Double, alpha: Double) -> Verdict {
    let (wanted, value) = (log(2 / alpha), Self.step(target))
    if evidence(above: value) >= wanted { return .reached }
    return evidence(below: value) >= wanted ? .missed : .open
  }

  /// What the share lies in, with probability at least 1 - alpha for all waves at once.
  ///
  /// - Parameter alpha: The chance of the interval ever being wrong; each side gets half.
  /// - Returns: The interval, from 0 to 1 before the first session.
  package func interval(alpha: Double) -> ClosedRange<Double> {
    guard let share = total.share else { return 0...1 }
    let (wanted, middle) = (log(2 / alpha), Self.step(share))
    let low = Self.last(from: middle, to: 0) { evidence(above: $0) < wanted }
    let high = Self.last(from: middle, to: Self.grid) { evidence(below: $0) < wanted }
    return Double(low) / Double(Self.grid)...Double(high) / Double(Self.grid)
  }

  /// The last place on the way from one to another at which something still holds, given that it does where one starts.
  private static func last(from start: Int, to end: Int, holds: (Int) -> Bool) -> Int {
    if holds(end) { return end }
    var (inside, outside) = (start, end)
    while abs(outside - inside) > 1 {
      let middle = inside + (outside - inside) / 2
      if holds(middle) { inside = middle } else { outside = middle }
    }
    // The first place that is excluded: the step towards it is given away.
    return outside
  }

  private static func step(_ share: Double) -> Int {
    min(grid, max(0, Int((share * Double(grid)).rounded())))
  }

  private func evidence(above value: Int) -> Double { sequence(value)?.logEvidence(meanAbove: 0) ?? 0 }

  private func evidence(below value: Int) -> Double { sequence(value)?.logEvidence(meanBelow: 0) ?? 0 }

  /// The differences hits - value trials, in steps.
  private func sequence(_ value: Int) -> ConfidenceSequence? {
    let (grid, most) = (Double(Self.grid), Double(mostTrials))
    let share = Double(value) / grid
    // Before anything is seen the guess is one trial, and a hit.
    let guess = 1 - share
    guard
      var sequence = try? ConfidenceSequence(
        range: (-share * most)...((1 - share) * most), unit: 1 / grid, firstCentre: guess)
    else { return nil }
    for wave in waves { sequence.absorb(wave: Self.differences(wave, value)) }
    return sequence
  }

  private static func differences(_ wave: ClusteredShare, _ value: Int) -> MomentTally {
    let (grid, value) = (Int128(grid), Int128(value))
    let squares =
      grid * grid * Int128(wave.squaredHits) - 2 * grid * value * Int128(wave.products)
      + value * value * Int128(wave.squaredTrials)
    let sum = grid * Int128(wave.hits) - value * Int128(wave.trials)
    return MomentTally(count: wave.clusters, sum: Int(sum), sumOfSquares: squares)
  }
}
