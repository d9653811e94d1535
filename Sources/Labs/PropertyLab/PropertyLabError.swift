// SPDX-License-Identifier: GPL-3.0-or-later

/// What cannot be put on trial, with what a person needs to mend it.
package enum PropertyLabError: Error, Hashable, Sendable {
  /// No property has that id, and no group of them that name.
  case noSuchProperty(String, nearest: String?)
  /// No broken subject has that name.
  case noSuchSubject(String, nearest: String?, known: [String])
}

extension PropertyLabError: CustomStringConvertible {
  /// One sentence: the name found, the nearest known one, and what was expected.
  package var description: String {
    switch self {
    case .noSuchProperty(let found, let nearest):
      "unknown property '\(found)'\(nearest.map { "; did you mean '\($0)'?" } ?? ";")"
        + " 'assay properties list' names them all."
    case .noSuchSubject(let found, let nearest, let known):
      "unknown broken subject '\(found)'\(nearest.map { " (did you mean '\($0)'?)" } ?? ""), expected "
        + (known.isEmpty ? "none: there is no broken subject." : "one of \(known.joined(separator: ", ")).")
    }
  }
}
