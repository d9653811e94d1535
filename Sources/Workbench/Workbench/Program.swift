// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Reporting

/// The name of the program where it was started, so that every printed command works as it stands.
///
/// The modules call it `assay` in all their texts, and so do results, which depend on the scenario and the seed alone;
/// the name is put in where texts leave the process.
enum Program {
  /// As it was typed: what a script that becomes the program says in `ASSAY_CALLED_AS`, else the first argument.
  static let name: String = {
    let given = ProcessInfo.processInfo.environment["ASSAY_CALLED_AS", default: ""]
    return given.isEmpty ? CommandLine.arguments.first ?? usualName : given
  }()

  private static let usualName = "assay"

  /// The words that follow the name in a command, and hardly in a sentence.
  private static let firstWords: Set<String> = Set(
    RootCommand.configuration.subcommands.map { $0._commandName }
      + ["help", "--help", "--version", "<subcommand>"])

  /// A text whose commands begin with the name.
  static func named(in text: String) -> String {
    guard name != usualName, text.contains(usualName) else { return text }
    var (named, rest) = ("", text[...])
    while let found = rest.firstRange(of: usualName) {
      let before = text[..<found.lowerBound].last
      let behind = rest[found.upperBound...]
      let next = behind.drop { $0.isWhitespace }.prefix { $0.isLetter || "-<>".contains($0) }
      let isCommand =
        before.map { $0.isWhitespace || "'\"`(:".contains($0) } ?? true
        && behind.first?.isWhitespace == true && firstWords.contains(String(next))
      named += rest[..<found.lowerBound] + (isCommand ? ShellLine.text([name]) : usualName)
      rest = behind
    }
    return named + rest
  }
}

/// A command with every option it runs with, as a person would type it to get the same again.
package struct CommandLineEcho {
  private var words = [Program.name]

  /// Begins with the words behind the program's name.
  package init(_ words: String...) { self.words += words }

  package mutating func add(_ arguments: [String]) { words += arguments }

  mutating func add(_ option: String, _ value: String) { words += [option, value] }

  /// Adds files; one whose name begins like an option is named by its folder.
  mutating func add(files: [String]) { words += files.map { $0.hasPrefix("-") ? "./\($0)" : $0 } }

  package var line: String { ShellLine.text(words) }
}
