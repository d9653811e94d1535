// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import ArgumentParser
internal import Reporting

/// One run with what it found.
struct ResultsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows a run: its thresholds, its measurements, its scenario.",
    discussion: """
      Example: assay results show quick~1
      """)

  @Argument(
    help: ArgumentHelp(
      "The run: a number, 'latest', or a scenario; ~1 behind it is the run before. Example: quick~1",
      valueName: "run"))
  var wanted = "latest"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The confidence of each interval by itself, where the run does not fix it. Example: --confidence 0.999",
      valueName: "probability"))
  var confidence = "0.99"

  @OptionGroup var history: HistoryOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    let probability = try RandomOptions.probability(confidence)
    let plan = try destination.plan(for: "results show", formats: ResultsReport.formats)
    let history = try history.opened()
    let found = try history.run(named: wanted)
    let report = ResultsReport.show(found, try history.findings(of: found), confidence: probability)
    try plan.write { format, _ in report.rendered(as: format) }
  }
}
