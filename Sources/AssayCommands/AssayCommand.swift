// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Reporting

/// A program of Assay: the command line, with or without what not every build has.
package enum AssayProgram {
  /// Parses the process's arguments, runs, and leaves with a documented exit code.
  package static func main(with additions: [LabAddition] = []) {
    Labs.add(additions)
    AssayCommand.main()
  }
}

struct AssayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "assay",
    abstract: "Puts the cores that ship inside apps under test, and states with a confidence whether they hold.",
    discussion: """
      Results go to the standard output or to --output, all else to the standard
      error. Exit codes:
      \(ExitStatus.table)
      When several apply: 130 and 143 before 1 before 3.
      """,
    version: Version.current,
    subcommands: [RunCommand.self, ResumeCommand.self, MergeCommand.self, ScenarioCommand.self] + Labs.groups
      + [ResultsCommand.self, DoctorCommand.self, CrashTestCommand.self])

  /// Parses, runs, and leaves with a documented exit code.
  static func main() {
    ProcessLimits.prepareStreams()
    do {
      var command = try parseAsRoot()
      try ProcessLimits.check()
      try command.run()
    } catch {
      Ending.leave(after: error)
    }
  }

  func run() throws {
    try Console.write(FirstScreen.text)
  }
}

/// What `assay` alone shows: the things that one does most.
enum FirstScreen {
  /// The commands with what each is for, as they are typed behind the program's name.
  static let commands: [(words: String, purpose: String)] = [
    ("run Scenarios/quick.yaml", "runs a scenario: verdict, thresholds, report.html"),
    ("blackjack chart", "the basic strategy, from the rules alone"),
    ("properties check", "properties of the cores, on random cases"),
    ("club report page.json", "a club's week out of its feed: ranks, trends, shares"),
    ("live simulate tunnel", "how often a connection that broke is back in time"),
    ("results list", "the results of earlier runs"),
    ("doctor", "whether this machine has what Assay needs"),
  ]

  /// A few lines, with a line end behind the last.
  static var text: String {
    let name = ShellLine.text([Program.name])
    let lines = commands.map { ("\(name) \($0.words)", $0.purpose) }
    let width = lines.map(\.0.count).max() ?? 0
    let table = lines.map { line, purpose in
      "  " + line + String(repeating: " ", count: width - line.count + 3) + purpose + "\n"
    }.joined()
    return """
      Assay \(Version.current): what ships inside apps, put under test.

      \(table)
      All commands: \(name) --help. One of them: \(name) help run.

      """
  }
}

/// The command that somebody probably meant; misspelt options the parser suggests itself.
enum CommandHint {
  /// The nearest command where a word stands that is none.
  ///
  /// - Parameter arguments: what was typed, the program first.
  /// - Returns: a line for people; `nil` where every command is known.
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
      if path.count == 2, let lab = path.last, Labs.withSockets[lab]?.contains(word) == true {
        return "This program is without the network; '\(lab) \(word)' is in assay-live, which "
          + "'swift build -c release --product assay-live' builds."
      }
      let names = below.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
      let known = Spelling.nearest(to: word, among: names)
      let hint = known.map { Spelling.question((path + [$0]).joined(separator: " ")) }
      return "There is no '\(word)'; \(hint ?? "'\(path.joined(separator: " ")) --help' lists what there is.")"
    }
    return nil
  }
}
