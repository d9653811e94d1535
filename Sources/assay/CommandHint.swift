// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Reporting

/// The command that somebody probably meant; misspelt options the parser suggests itself.
enum CommandHint {
  /// The nearest command where a word stands that is none.
  ///
  /// - Parameter arguments: what was typed, the program first.
  /// - Returns: a line for people; `nil` where every command is known, or none is near.
  static func nearest(to arguments: [String]) -> String? {
    var command: any ParsableCommand.Type = AssayCommand.self
    var path = ["assay"]
    for word in arguments.dropFirst() {
      let below = command.configuration.subcommands
      guard !below.isEmpty, !word.hasPrefix("-") else { return nil }
      if let next = below.first(where: { $0._commandName == word }) {
        command = next
        path.append(word)
        continue
      }
      let names = below.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
      let known = Spelling.nearest(to: word, among: names)
      return known.map { "There is no '\(word)'; did you mean '\((path + [$0]).joined(separator: " "))'?" }
    }
    return nil
  }
}
