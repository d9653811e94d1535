// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import BlackjackLab
internal import Foundation
internal import Reporting

/// Scenarios, run one after the other.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs scenarios and compares what comes out with what they expect.",
    discussion: """
      Example: assay run Scenarios/quick.yaml
      """)

  @Argument(help: "Scenario files; every .yaml in Scenarios/ when none is named. Example: Scenarios/quick.yaml")
  var scenarios: [String] = []

  func run() throws {
    throw CommandError.nothingToRun(folder: "PENDING")
  }
}
