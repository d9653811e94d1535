// SPDX-License-Identifier: GPL-3.0-or-later

/// A case for which a property fails, as simple as it could be made.
public struct Counterexample: Sendable, Hashable, Codable {
  /// The arguments, one description each.
  public let arguments: [String]
  /// What went wrong.
  public let failure: Failure
  /// The choices that make the case.
  public let tape: Tape
  /// The choices of the case as it was found, before shrinking.
  public let original: Tape
  /// How many cases had been judged when it was found, this one included.
  public let casesUntilFound: Int
  /// How many times the property was run from the first failure on, that one and two confirmations included, until
  /// nothing simpler failed.
  public let evaluations: Int
  /// What the body noted about the case.
  public let notes: [String]
  /// The parts of the case that can be anything without changing the failure, as far as random tries show.
  public let irrelevant: [String]
  /// How many times the property was run to find those parts.
  public let explainEvaluations: Int
}
