// SPDX-License-Identifier: GPL-3.0-or-later

/// What can be wrong with a network, a profile or a storm that is asked for.
package enum LiveLabError: Error, Hashable, Sendable {
  /// A value that does not exist, or contradicts another.
  case badValue(field: String, found: String, expected: String)
}

extension LiveLabError: CustomStringConvertible {
  /// One sentence: which value, what was found, and what was expected.
  package var description: String {
    switch self {
    case .badValue(let field, let found, let expected): "\(field): found \(found), expected \(expected)."
    }
  }
}
