// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import ArgumentParser
internal import Reporting

/// One measurement, run by run.
struct ResultsTrendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trend",
    abstract: "Follows one measurement of a scenario from run to run.",
    discussion: """
      Where the scenario changed between two runs, they are not the same
      experiment: the table says so.

      Examples:
        assay results trend quick 'ev[6d]' --last 20
        assay results trend quick wins --output wins.svg
      """)

  @Argument(help: "The scenario. Example: quick")
  var scenario: String

  @Argument(help: "The measurement, as thresholds name it. Example: ev[6d]")
  var measurement: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("At most so many runs, the latest. Example: --last 20", valueName: "count"))
  var last: String?

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
    let count = try HistoryOptions.count("--last", last)
    let plan = try destination.plan(for: "results trend", formats: ResultsReport.formats, picture: .figure)
    let trend = try history.opened().trend(of: measurement, in: scenario, last: count)
    let report = ResultsReport.trend(trend, of: scenario, confidence: probability)
    let figure = trend.figure(of: scenario, confidence: probability)
    try plan.write(.figure(figure)) { format, _ in report.rendered(as: format) }
  }
}
