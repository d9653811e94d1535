// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import LiveCore

/// How the draws of a client are tilted: uniform numbers u get the density 1 + bias (2u - 1).
protocol Tilt: Sendable {
  /// Above -1 and below 1: above 0 for larger draws than usual, and so longer waits.
  static var bias: Double { get }
}

/// Waits that are much shorter than usual.
enum MuchShorter: Tilt { static let bias = -0.9 }
/// Waits that are shorter than usual.
enum Shorter: Tilt { static let bias = -0.5 }
/// Waits that are longer than usual.
enum Longer: Tilt { static let bias = 0.5 }
/// Waits that are much longer than usual.
enum MuchLonger: Tilt { static let bias = 0.9 }

/// A client whose waits are drawn so that it fails more often, with the weight that makes up for it.
///
/// Each word that the client uses once it has tried in vain is replaced by one of the tilted density g, and the likelihood ratio 1/g(u) is
/// multiplied into the weight. The density is bounded below by 1 - |bias|, so a weight has a finite variance whatever
/// the client makes of the word.
///
/// Source: Asmussen and Glynn, "Stochastic Simulation" (2007), chapter V.1, for importance sampling.
struct TiltedSubject<Base: LiveSubject, Tilting: Tilt>: LiveSubject {
  private var base: Base
  /// The likelihood ratio of all words used so far.
  private(set) var weight = 1.0

  init(_ settings: ConnectionSettings) { base = Base(settings) }

  var status: LiveStatus { base.status }

  mutating func handle(
    _ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects
  ) -> Bool {
    // Tilting is for outages that have gone on for a while: draws of the others would only spread the weights.
    guard base.status.attempt >= 1 else { return base.handle(event, at: now, word: word, into: &effects) }
    let drawn = tilted(Double(word >> 11) * 0x1p-53, by: Tilting.bias)
    let isUsed = base.handle(event, at: now, word: UInt64(drawn * 0x1p53) << 11, into: &effects)
    if isUsed { weight /= 1 + Tilting.bias * (2 * drawn - 1) }
    return isUsed
  }
}

/// The draw of the density 1 + bias (2u - 1) whose distribution function has that value.
///
/// - Parameters:
///   - value: From 0 up to, and without, 1.
///   - bias: Above -1 and below 1, not 0.
/// - Returns: The root u of bias u^2 + (1 - bias) u = value, from 0 up to, and without, 1.
func tilted(_ value: Double, by bias: Double) -> Double {
  // This form of the root loses no digits for a small bias or value.
  let root = 2 * value / ((1 - bias) + ((1 - bias) * (1 - bias) + 4 * bias * value).squareRoot())
  return min(root, 1 - 0x1p-53)
}
