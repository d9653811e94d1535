// SPDX-License-Identifier: GPL-3.0-or-later

/// Why a case failed.
public struct Failure: Error, Sendable, Hashable, Codable {
  /// What went wrong, for a person.
  public let message: String
  /// What makes two failures the same fault: shrinking never swaps one fault for another.
  public let origin: String

  /// Creates a failure.
  public init(_ message: String, origin: String) {
    self.message = message
    self.origin = origin
  }
}

/// What became of a case.
public enum Verdict: Sendable, Hashable, Codable {
  /// The property held.
  case passed
  /// It did not.
  case failed(Failure)
  /// The case was given up.
  case discarded(Discard)
  /// The case was not wanted after it had been drawn, because it has been judged before.
  case declined
}
