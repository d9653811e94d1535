// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// What `assay` alone shows: the things that one does most.
enum FirstScreen {
  /// The commands with what each is for, as they are typed behind the program's name.
  static let commands: [(words: String, purpose: String)] = [
    ("run Scenarios/quick.yaml", "runs a scenario: verdict, thresholds, report.html"),
    ("blackjack chart", "the basic strategy, from the rules alone"),
    ("properties check", "what is claimed of the cores, case by case"),
    ("club report page.json", "a club's week out of its feed: ranks, trends, shares"),
    ("live simulate tunnel", "how often a connection that broke is back in time"),
    ("results list", "what earlier runs came to"),
    ("doctor", "whether this machine has what Assay needs"),
  ]

  /// The screen.
  ///
  /// - Parameter name: what the program is called, so that the lines work as typed.
  /// - Returns: a few lines, with a line end behind the last.
  static func text(calling name: String) -> String {
    let lines = commands.map { ("\(name) \($0.words)", $0.purpose) }
    let width = lines.map(\.0.count).max() ?? 0
    let table = lines.map { line, purpose in
      "  " + line + String(repeating: " ", count: width - line.count + 3) + purpose + "\n"
    }.joined()
    return """
      Assay \(Version.current): what ships inside apps, put on trial.

      \(table)
      All commands: \(name) --help. One of them: \(name) help run.

      """
  }

  /// What the program is called here: as it was typed, or as the script that built it was.
  ///
  /// - Parameters:
  ///   - arguments: what was typed, the program first.
  ///   - environment: where a script tells its name, `ASSAY_CALLED_AS`.
  /// - Returns: a name that works where it was typed.
  static func name(arguments: [String], environment: [String: String]) -> String {
    let told = environment["ASSAY_CALLED_AS", default: ""]
    return told.isEmpty ? arguments.first ?? "assay" : told
  }
}
