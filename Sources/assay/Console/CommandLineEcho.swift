// SPDX-License-Identifier: GPL-3.0-or-later

/// A command with every option it runs with, as a person would type it to get the same again.
struct CommandLineEcho {
  private var words: [String]

  init(_ words: String...) {
    self.words = words
  }

  /// Adds plain words.
  mutating func add(_ arguments: [String]) { words += arguments }

  /// Adds an option with its value.
  mutating func add(_ option: String, _ value: String) { words += [option, value] }

  /// The line, words quoted for a shell where they need it.
  var line: String { words.map(Self.quoted).joined(separator: " ") }

  private static func quoted(_ word: String) -> String {
    let isPlain = !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "-_./,=+:@%".contains($0) }
    return isPlain
      ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
