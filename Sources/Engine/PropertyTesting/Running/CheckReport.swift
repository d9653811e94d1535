// SPDX-License-Identifier: GPL-3.0-or-later

/// What testing a property came to.
public struct CheckReport: Sendable, Hashable, Codable {
  /// The conclusion.
  public enum Outcome: Sendable, Hashable, Codable {
    /// No case failed.
    case held
    /// A case failed.
    case falsified(Counterexample)
    /// Too few cases could be drawn.
    case exhausted
  }

  /// The conclusion.
  public let outcome: Outcome
  /// How many cases passed.
  public let passed: Int
  /// How many cases were given up, by reason.
  public let discards: [Discard: Int]

  /// The counterexample, if the property is false.
  public var counterexample: Counterexample? {
    if case .falsified(let counterexample) = outcome { counterexample } else { nil }
  }
}
