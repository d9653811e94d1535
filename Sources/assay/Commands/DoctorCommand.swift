// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Reporting

/// Whether this machine has what Assay needs.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Checks libraries, versions, generators and folders, and says how to mend what is missing.",
    discussion: """
      Example: assay doctor

      Exits with 1 when something is missing that is needed. Nothing is written or installed.
      """)

  @Option(
    help: ArgumentHelp("The folder that runs are to be kept in. Example: --out /tmp/runs", valueName: "folder"),
    completion: .directory)
  var out = "Results/runs"

  @OptionGroup var past: HistoryOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    let plan = try destination.plan(for: "doctor", formats: [.text, .json])
    var echo = CommandLineEcho("assay", "doctor", "--out", out)
    past.add(to: &echo)
    destination.add(to: &echo)
    let doctor = Doctor(
      environment: ProcessInfo.processInfo.environment, results: out, history: past.history)
    let report = DoctorReport(findings: doctor.findings)
    try plan.write { format, _ in report.rendered(as: format) }
    if !report.missing.isEmpty {
      throw ExitStatus.Verdict(status: .failed, message: report.verdict, reproduction: echo.line)
    }
  }
}
