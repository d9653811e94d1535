// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

/// What can be wrong with a network, a profile or a storm that is asked for.
package enum LiveLabError: InputError, Hashable, Sendable {
  /// A value that does not exist, or contradicts another.
  case badValue(field: String, found: String, expected: String)

  /// The closest match of a name, for the end of an error's text; nothing where none is close.
  static func hint(_ name: String, among names: [String]) -> String {
    Spelling.nearest(to: name, among: names).map { " (did you mean '\($0)'?)" } ?? ""
  }
}

extension LiveLabError {
  /// One sentence: which value, what was found, and what was expected.
  package var description: String {
    switch self {
    case .badValue(let field, let found, let expected): "\(field): found \(found), expected \(expected)."
    }
  }
}

extension LiveError: InputError {}
