// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import ArgumentParser
internal import Reporting

/// Two runs beside each other.
struct ResultsCompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares two runs: thresholds, measurements, and what else differs.",
    discussion: """
      Each measurement is compared by an interval of the difference, and all
      these intervals hold together with the confidence asked for. Two runs of
      one scenario by one version must agree to the last bit, and are told so.

      Exits with 0 whatever is found; with --fail-on-difference, with 1 where a
      measurement differs, a judgement changed, or something was measured in
      one run only.

      Example: assay results compare quick~1 quick --confidence 0.999
      """)

  @Argument(
    help: "The earlier run: a number, 'latest', or a scenario; ~1 behind it is the run before. Example: quick~1")
  var before: String

  @Argument(help: "The later run. Example: quick")
  var after: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What all intervals have together; each gets its share of the error. Example: --confidence 0.999",
      valueName: "probability"))
  var confidence = "0.99"

  @Flag(help: "Exit with 1 where the runs differ. Example: --fail-on-difference")
  var failOnDifference = false

  @OptionGroup var history: HistoryOptions
  @OptionGroup var destination: OutputOptions

  func run() throws {
    let probability = try RandomOptions.probability(confidence)
    let plan = try destination.plan(for: "results compare", formats: ResultsReport.formats)
    let opened = try history.opened()
    let (first, second) = (try opened.run(named: before), try opened.run(named: after))
    let comparison = try opened.comparison(of: first, with: second, confidence: probability)
    let report = ResultsReport.comparison(comparison)
    try plan.write { format, _ in report.rendered(as: format) }
    guard failOnDifference, comparison.differs else { return }
    var echo = CommandLineEcho("assay", "results", "compare")
    echo.add(["\(first.id)", "\(second.id)"])
    echo.add("--confidence", confidence)
    echo.add(["--fail-on-difference"])
    history.add(to: &echo)
    destination.add(to: &echo)
    throw ExitStatus.Verdict(status: .failed, message: "The runs differ.", reproduction: echo.line)
  }
}
