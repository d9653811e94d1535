// SPDX-License-Identifier: GPL-3.0-or-later

/// What can be wrong with a club, or a service, that is asked for.
package enum ClubLabError: Error, Hashable, Sendable {
  /// A value that no club or service has.
  case badShape(field: String, found: String, expected: String)
}

extension ClubLabError: CustomStringConvertible {
  /// One sentence: which value, what was found, and what was expected.
  package var description: String {
    switch self {
    case .badShape(let field, let found, let expected): "\(field): found \(found), expected \(expected)."
    }
  }
}
