// SPDX-License-Identifier: GPL-3.0-or-later

/// What became of a `cover` claim.
public struct CoverageFinding: Sendable, Hashable, Codable {
  /// What the sequential test says.
  public enum Verdict: String, Sendable, Hashable, Codable {
    /// The share is at least the one claimed.
    case holds
    /// The share is below the one claimed.
    case below
    /// The cases do not suffice to say.
    case undecided
  }

  /// What the cases are called that meet the condition.
  public let name: String
  /// The share claimed, from 0 to 1.
  public let atLeast: Double
  /// How many cases met the condition.
  public let hits: Int
  /// How many cases passed.
  public let cases: Int
  /// What the sequential test says; once it has said anything but undecided, it stays.
  public let verdict: Verdict
  /// How many cases had passed when the verdict came; nil while undecided.
  public let decidedAfter: Int?
  /// The probability with which no verdict of this property is wrong.
  public let confidence: Double

  /// The share of cases that met the condition; 0 when there are none.
  public var share: Double { cases == 0 ? 0 : Double(hits) / Double(cases) }
}
