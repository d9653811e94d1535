// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Reporting

/// The program's name as it was started, so that every printed command can be pasted.
///
/// The modules write `assay` in all their texts, and so do results, which depend on the scenario and the seed alone;
/// the name is replaced when a text is printed.
enum Program {
  /// The name as typed: `ASSAY_CALLED_AS` if a script that starts the program sets it, else the first argument.
  static let name: String = {
    let given = ProcessInfo.processInfo.environment["ASSAY_CALLED_AS", default: ""]
    return given.isEmpty ? CommandLine.arguments.first ?? defaultName : given
  }()

  private static let defaultName = "assay"

  /// The words that follow the name in a command, but hardly ever in a sentence.
  private static let firstWords: Set<String> = Set(
    RootCommand.configuration.subcommands.map { $0._commandName }
      + ["help", "--help", "--version", "<subcommand>"])

  /// The text with the name in its commands.
  static func named(in text: String) -> String {
    guard name != defaultName, text.contains(defaultName) else { return text }
    var (named, rest) = ("", text[...])
    while let found = rest.firstRange(of: defaultName) {
      let before = text[..<found.lowerBound].last
      let behind = rest[found.upperBound...]
      let next = behind.drop { $0.isWhitespace }.prefix { $0.isLetter || "-<>".contains($0) }
      let isCommand =
        before.map { $0.isWhitespace || "'\"`(:".contains($0) } ?? true
        && behind.first?.isWhitespace == true && firstWords.contains(String(next))
      named += rest[..<found.lowerBound] + (isCommand ? ShellLine.text([name]) : defaultName)
      rest = behind
    }
    return named + rest
  }
}

/// A command with all its options, as a person would type it to repeat the run.
package struct CommandLineEcho {
  private var words = [Program.name]

  /// A command that begins with words after the program's name.
  package init(_ words: String...) { self.words += words }

  package mutating func add(_ arguments: [String]) { words += arguments }

  mutating func add(_ option: String, _ value: String) { words += [option, value] }

  /// Adds files; one whose name begins like an option is written with `./`.
  mutating func add(files: [String]) { words += files.map { $0.hasPrefix("-") ? "./\($0)" : $0 } }

  package var line: String { ShellLine.text(words) }
}
