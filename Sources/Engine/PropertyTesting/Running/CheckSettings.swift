// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// How much a property is tested, and how.
public struct CheckSettings: Sendable, Hashable, Codable {
  /// How many cases are to pass; discarded ones do not count.
  public var cases = 100
  /// The seed from which all cases follow.
  public var seed: UInt64 = 0
  /// The random number generator, one of `GSLGenerator.names`.
  public var generator = GSLGenerator.defaultName
  /// How many times the property may be run to shrink one failure.
  public var shrinkLimit = 5_000
  /// Whether to find out which parts of the counterexample do not matter.
  public var explains = true

  /// Creates settings: 100 cases from seed 0.
  public init() {}
}
