// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import ArgumentParser
internal import Foundation
internal import Pages
internal import Reporting

/// One measurement, run by run.
struct ResultsTrendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trend",
    abstract: "Follows one measurement of a scenario from run to run.",
    discussion: """
      Where the scenario changed between two runs, they are not the same
      experiment: the table says so.

      Example: assay results trend quick 'ev[6d]' --last 20
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
    let probability = try CertificationOptions.probability(confidence)
    let count = try HistoryOptions.count("--last", last)
    let plan = try destination.plan(for: "results trend", formats: ResultsReport.formats + [.svg])
    let trend = try history.opened().trend(of: measurement, in: scenario, last: count)
    let report = ResultsReport.trend(trend, of: scenario, confidence: probability)
    let picture = plan.asks(for: .svg) ? try Self.picture(of: trend, scenario, probability) : nil
    try plan.write { format, _ in format == .svg ? picture : report.rendered(as: format) }
  }

  private static func picture(
    of trend: MeasurementTrend, _ scenario: String, _ confidence: Double
  ) throws -> String {
    guard let gnuplot = Gnuplot.find(environment: ProcessInfo.processInfo.environment) else {
      throw FigureError.missing(program: "gnuplot", package: Gnuplot.package)
    }
    return try gnuplot.svg(trend.figure(of: scenario, confidence: confidence))
  }
}
