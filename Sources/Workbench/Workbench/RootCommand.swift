// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Reporting

/// The command of the whole program.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ProgramParts.current.name,
    abstract: ProgramParts.current.summary,
    discussion: """
      Results go to the standard output or to --output, everything else to the standard error. Exit codes:
      \(ExitStatus.table)
      When several apply: 130 and 143 before 1 before 3.
      """,
    version: ProgramParts.current.version,
    subcommands: verbs.prefix(4) + ProgramParts.current.subcommands + verbs.dropFirst(4))

  /// The commands that every program has.
  static let verbs: [any ParsableCommand.Type] = [
    RunCommand.self, ResumeCommand.self, MergeCommand.self, ScenarioCommand.self, ResultsCommand.self,
    FindCommand.self, FindBestCommand.self, NewCommand.self, DoctorCommand.self,
  ]

  /// Parses the command line, runs the command, and exits with a documented code.
  static func main() {
    ProcessLimits.prepareStreams()
    do {
      try ProcessLimits.checkStack()
      WrittenFiles.begin()
      var command = try parseAsRoot(TypedArguments.attachingNegatives(Array(CommandLine.arguments.dropFirst())))
      let options = CommandLine.arguments.filter { $0.hasPrefix("-") }.map { $0.prefix { $0 != "=" } }
      if Set(options).count < options.count, let repeated = try TypedCommand(CommandLine.arguments).repeated {
        throw repeated
      }
      try WrittenFiles.check()
      try command.run()
    } catch {
      Ending.leave(after: UsageError.refusal(in: error) ?? error)
    }
  }

  func run() throws {
    try Console.write(FirstScreen.text)
  }
}

/// The screen of the program started without arguments: the commands that people use most.
enum FirstScreen {
  /// A few lines, each with a line end; commands for a missing file or folder are left out.
  static var text: String {
    let name = ShellLine.text([Program.name])
    let steps = ProgramParts.current.firstSteps.filter { step in
      step.words.split(separator: " ").allSatisfy { word in
        !(word.contains("/") || word.hasSuffix(".json")) || FileManager.default.fileExists(atPath: String(word))
      }
    }
    let lines = steps.map { ("\(name) \($0.words)", $0.purpose) }
    let width = lines.map(\.0.count).max() ?? 0
    let table = lines.map { line, purpose in
      "  " + line + String(repeating: " ", count: width - line.count + 3) + purpose + "\n"
    }.joined()
    return """
      \(ProgramParts.current.name) \(ProgramParts.current.version): \(ProgramParts.current.summary)

      \(table)
      All commands: \(name) --help. One of them: \(name) help run.

      """
  }
}

/// Suggestions for misspelt commands; the parser itself suggests options.
enum CommandHint {
  /// The nearest command to the first word that is no command.
  ///
  /// - Parameter arguments: the command line, the program first.
  /// - Returns: a line for people; `nil` if every command is known.
  static func nearest(to arguments: [String]) -> String? {
    var command: any ParsableCommand.Type = RootCommand.self
    var path = [ProgramParts.current.name]
    for word in arguments.dropFirst() {
      let below = command.configuration.subcommands
      guard !below.isEmpty, !word.hasPrefix("-") else { return nil }
      if let next = below.first(where: { $0._commandName == word }) {
        command = next
        path.append(word)
        continue
      }
      if let hint = ProgramParts.current.hint((path.dropFirst() + [word]).joined(separator: " ")) { return hint }
      let names = below.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
      // The second word of a two-word command, typed alone.
      let inner = below.filter { $0.configuration.subcommands.contains { $0._commandName == word } }
      let known = inner.count == 1 ? inner[0]._commandName + " " + word : Spelling.nearest(to: word, among: names)
      let hint = known.map { Spelling.question((path + [$0]).joined(separator: " ")) }
      return "There is no '\(word)'; \(hint ?? "'\(path.joined(separator: " ")) --help' shows the usage.")"
    }
    return nil
  }
}
