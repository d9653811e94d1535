// SPDX-License-Identifier: Apache-2.0

/// What can be wrong with what is asked of a connection, with what a person needs to mend it.
public enum LiveError: Error, Hashable, Sendable {
  /// A setting that no connection could follow: `field` names it, such as `backoff.factor`.
  case badSetting(field: String, found: String, expected: String)
  /// Two settings that cannot both hold; `expected` says which relation they need.
  case contradiction(field: String, found: String, other: String, otherFound: String, expected: String)
  /// More rules of its own for close codes than an app may have.
  case tooManyCloseRules(limit: Int)
}

extension LiveError: CustomStringConvertible {
  /// One sentence: where, what was found, and what was expected.
  public var description: String {
    switch self {
    case .badSetting(let field, let found, let expected):
      "\(field): found \(found), expected \(expected)."
    case .contradiction(let field, let found, let other, let otherFound, let expected):
      "\(field): found \(found) while \(other) is \(otherFound), expected \(expected)."
    case .tooManyCloseRules(let limit):
      "closeRules: expected at most \(limit) rules of the app's own; give neighbouring codes one rule for their range."
    }
  }
}
