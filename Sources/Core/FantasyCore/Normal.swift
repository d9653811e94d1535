// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Probabilities of the normal distribution, by the complementary error function.
public enum Normal {
  /// The chance of a standard normal variable below a value.
  @inlinable public static func below(_ value: Double) -> Double { 0.5 * erfc(-value * 0.707_106_781_186_547_6) }

  /// The probability that a normal gain with a mean and a standard deviation is positive.
  @inlinable public static func chance(gain: Double, risk: Double) -> Double {
    risk > 0 ? below(gain / risk) : gain > 0 ? 1 : 0
  }

  /// A probability in integer percent, from 1 to 99.
  @inlinable public static func percent(_ chance: Double) -> Int { min(99, max(1, Int((chance * 100).rounded()))) }
}
