// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// A problem with what was typed, with what a person needs to mend it.
package enum CommandError: InputError, Hashable {
  case badValue(option: String, found: String, expected: String)
  /// Anything else: a sentence that says what is wrong and what to do.
  case refused(String)

  package var description: String {
    switch self {
    case .badValue(let option, let found, let expected):
      "\(option): found \(Spelling.quoted(found)), expected \(expected)."
    case .refused(let problem): problem
    }
  }
}

/// Several things that are wrong with the input, found before anything ran.
package struct InputProblems: InputError {
  package struct Problem: Sendable {
    let error: any Error
    let file: String?

    package init(error: any Error, file: String?) { (self.error, self.file) = (error, file) }
  }

  let problems: [Problem]

  package init(problems: [Problem]) { self.problems = problems }

  package var description: String { problems.map { "\($0.error)" }.joined(separator: "\n") }
}
