// SPDX-License-Identifier: GPL-3.0-or-later

/// What can be wrong with the text of a threshold.
package enum ThresholdError: Error, Hashable, Sendable {
  /// Something else stands where a part of the grammar is expected; columns count characters from 1.
  case unexpected(found: String, column: Int, expected: String)
}

extension ThresholdError: CustomStringConvertible {
  /// One sentence: what was found where, and what was expected.
  package var description: String {
    switch self {
    case .unexpected(let found, let column, let expected):
      "found \(found) at column \(column), expected \(expected)."
    }
  }
}
