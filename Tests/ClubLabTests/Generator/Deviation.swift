// SPDX-License-Identifier: GPL-3.0-or-later

/// How far a sum is from what it should be, in standard deviations. With fixed seeds a test that asks for less than 4.5
/// holds for good; of tests of something true, one in 150,000 seeds would not hold.
struct Deviation {
  private var (difference, variance) = (0.0, 0.0)

  /// Adds one observation to the sum.
  mutating func add(_ value: Double, expected: Double, variance: Double) {
    difference += value - expected
    self.variance += variance
  }

  /// Adds one trial.
  mutating func add(_ success: Bool, chance: Double) {
    add(success ? 1 : 0, expected: chance, variance: chance * (1 - chance))
  }

  var sigmas: Double { abs(difference) / variance.squareRoot() }

  /// Whether the sum is what it should be, as far as that many observations tell.
  var isPlausible: Bool { variance > 0 && sigmas < 4.5 }
}
