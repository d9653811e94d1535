// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// What can be wrong with an option's value, with what a person needs to mend it.
package enum CommandError: InputError, Hashable {
  case badValue(option: String, found: String, expected: String)
  /// An option with one value is there several times.
  case repeatedOption(option: String, values: [String])
  case noSuchFormat(String, command: String, known: String)
  case nothingToRun(folder: String)
  case noFeed(example: String)
  case noLeague
  /// A file of a feed or a league is named a second time.
  case sameFeed(path: String)
  /// Two scenarios would leave their results in the same folder.
  case sameFolder(file: String, earlier: String, folder: String)

  /// One sentence: the option, the value found, and what was expected.
  package var description: String {
    switch self {
    case .badValue(let option, let found, let expected):
      "\(option): found \(Spelling.quoted(found)), expected \(expected)."
    case .repeatedOption(let option, let values):
      "\(option): found \(values.count) values, "
        + "\(values.map(Spelling.quoted).joined(separator: " and ")), expected one."
    case .noSuchFormat(let format, let command, let known):
      "--format: '\(command)' has no \(format), expected one of \(known)."
    case .nothingToRun(let folder):
      "no scenario: '\(folder)' holds no .yaml file; name one, or begin one by assay scenario new."
    case .noFeed(let example):
      "no feed: name a file of a club's activities, or - for the standard input, for example \(example)."
    case .noLeague:
      "no league: name the files that ESPN or Sleeper sent, for example assay league rank league.json."
    case .sameFeed(let path):
      "'\(path)' is named twice; name each file once."
    case .sameFolder(let file, let earlier, let folder):
      "'\(file)' and '\(earlier)' say the same under the same name, and would both be kept in '\(folder)';"
        + " run one of them, or rename a file."
    }
  }
}
