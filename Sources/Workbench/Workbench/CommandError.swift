// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// A problem with the command line, with the information to fix it.
package enum CommandError: InputError, Hashable {
  case badValue(option: String, found: String, expected: String)
  /// Any other problem: a sentence with the problem and the solution.
  case refused(String)

  package var description: String {
    switch self {
    case .badValue(let option, let found, let expected):
      "\(option): found \(found.isEmpty ? "nothing" : Spelling.quoted(found)), expected \(expected)."
    case .refused(let problem): problem
    }
  }
}
