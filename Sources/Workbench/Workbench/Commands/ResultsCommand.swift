// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import ArgumentParser
internal import Foundation
internal import Pages
internal import Reporting
internal import Scenarios

struct ResultsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "results",
    abstract: "Lists, shows, compares and removes earlier runs.",
    discussion: """
      Name a run by its number, by 'latest', or by its scenario, which means the scenario's latest run. ~1 after a \
      name is the run before, ~2 the one before that. A commit, as git names it, is the newest run of a binary built \
      from it; + after a commit is one built from it with uncommitted changes.

      Examples:
        assay results list
        assay results compare quick~1 quick
        assay results compare HEAD~1 HEAD
      """,
    subcommands: [
      ResultsListCommand.self, ResultsShowCommand.self, ResultsCompareCommand.self, ResultsTrendCommand.self,
      ResultsPageCommand.self, ResultsPruneCommand.self, ResultsRebuildCommand.self,
    ])
}

struct ResultsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the runs, the newest first.",
    discussion: """
      Incomplete runs (running, killed, interrupted or failed) come first. 'assay resume' with the scenario's name \
      continues one.

      Example: assay results list --scenario quick --last 10
      """)

  @Option(help: ArgumentHelp("Only runs of this scenario. Example: --scenario quick", valueName: "name"))
  var scenario: String?

  @OptionGroup var last: LastOption

  @OptionGroup var history: HistoryOptions
  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    let plan = try destination.plan(for: "results list")
    var unfinished = UnfinishedRun.all(below: History.defaultRuns(beside: history.history))
      .filter { run in scenario.map(run.isNamed) ?? true }
    var runs: [RecordedRun] = []
    do {
      let opened = try history.opened(for: .reading)
      unfinished = try unfinished.filter { try !opened.isKnown($0) }
      runs = try opened.runs(of: scenario, last: last.count)
    } catch let error as ArchiveError where error.isAboutNoRun && !unfinished.isEmpty {
      // Then there are no other runs.
    }
    let report = ResultsReport.list(of: runs, unfinished, in: history.history)
    try plan.write(report.document, json: report.json)
  }
}

struct ResultsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows a run: its thresholds, its measurements, its scenario.",
    discussion: """
      Example: assay results show quick~1
      """)

  @Argument(
    help: ArgumentHelp(
      "The run: a number, 'latest', a scenario (~1 behind it: the run before) or a commit. Example: quick~1",
      valueName: "run"))
  var wanted = "latest"

  @OptionGroup var confidence: ConfidenceOption

  @OptionGroup var history: HistoryOptions
  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    let plan = try destination.plan(for: "results show")
    let history = try history.opened(for: .reading)
    let found = try NamedRun(wanted, in: history).runs(in: history)[0]
    let report = ResultsReport.show(found, try history.findings(of: found), confidence: confidence.probability)
    try plan.write(report.document, json: report.json)
  }
}

struct ResultsCompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares two runs: thresholds, measurements, and what else differs.",
    discussion: """
      Each measurement is compared by an interval of the difference, and all
      these intervals hold together with the confidence asked for. Two runs of
      one scenario by one build must agree to the last bit.

      Two commits are compared by their newest runs of a scenario that both have; a commit and a run by the run's \
      scenario.

      Exits with 0 even if the runs differ. With --fail-on-difference, exits with 1 if a measurement differs, a \
      verdict changed, or something was measured in only one of the runs.

      Examples:
        assay results compare quick~1 quick --confidence 0.999
        assay results compare HEAD~1 HEAD
      """)

  @Argument(
    help: "The earlier run: a number, 'latest', a scenario (~1 behind it: the run before) or a commit. Example: HEAD~1")
  var before: String

  @Argument(help: "The later run. Example: quick")
  var after: String

  @OptionGroup var confidence: ConfidenceOption

  @Flag(help: "Exit with 1 if the runs differ.")
  var failOnDifference = false

  @OptionGroup var history: HistoryOptions
  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    let plan = try destination.plan(for: "results compare")
    let opened = try history.opened(for: .reading)
    let (first, second) = try NamedRun.pair(before, after, in: opened)
    let comparison = try opened.comparison(of: first, with: second, confidence: confidence.probability)
    let report = ResultsReport.comparison(comparison)
    try plan.write(report.document, json: report.json)
    guard failOnDifference, comparison.differs else { return }
    var echo = CommandLineEcho("results", "compare")
    echo.add(["\(first.id)", "\(second.id)"])
    echo.add("--confidence", NumberFormat.shortest(confidence.probability))
    echo.add(["--fail-on-difference"])
    history.add(to: &echo)
    destination.add(to: &echo)
    throw ExitStatus.Conclusion(status: .failed, message: "The runs differ.", reproduction: echo.line)
  }
}

struct ResultsTrendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trend",
    abstract: "Follows the measurements of a scenario from run to run.",
    discussion: """
      Without a measurement it lists all of them, one on each line. A name without a label selects all its \
      labels.

      If the scenario changed between two runs, they are different experiments, and the table says so.

      Examples:
        assay results trend quick
        assay results trend quick \(ProgramParts.example.measure) --last 20
        assay results trend quick \(ProgramParts.example.measure) --output trend.svg
      """)

  @Argument(help: "The scenario. Example: quick")
  var scenario: String

  @Argument(
    help: "The measurement, as thresholds name it; the label may be left out. Example: \(ProgramParts.example.measure)")
  var measurement: String?

  @OptionGroup var last: LastOption

  @OptionGroup var confidence: ConfidenceOption

  @OptionGroup var history: HistoryOptions
  @OptionGroup var destination: OutputOptions<Formats>

  func run() throws {
    let plan = try destination.plan(for: "results trend")
    let trends = try history.opened(for: .reading).trends(of: measurement, in: scenario, last: last.count)
    let report =
      measurement != nil && trends.count == 1
      ? ResultsReport.trend(trends[0], of: scenario, confidence: confidence.probability)
      : ResultsReport.trends(trends, of: scenario, confidence: confidence.probability)
    do {
      try plan.write(report.document, json: report.json)
    } catch FigureError.tooManyPoints(_, _, let found, let maximum) {
      throw CommandError.badValue(
        option: "--last", found: last.count.map(String.init) ?? "none",
        expected: "at most \(maximum) for a picture: there are \(found) runs"
      )
    }
  }

  enum Formats: OutputFormats {
    static let formats = ReportFormat.tables + [.svg, .png]
  }
}

struct ResultsPageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page",
    abstract: "Writes one HTML page of all runs: verdicts, and every measure from run to run.",
    discussion: """
      The page draws the measures that changed from run to run, those of thresholds first, and lists the others in \
      tables. It is written to Results/runs.html, or to --output.

      Example: assay results page --output Results/runs.html --last 50
      """)

  @OptionGroup var last: LastOption
  @OptionGroup var history: HistoryOptions
  @OptionGroup var destination: FileOptions

  func run() throws {
    try destination.write(to: "Results/runs.html") {
      try RunsPage(of: history.opened(for: .reading), last: last.count).html
    }
  }
}

struct ResultsPruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Removes runs that are no longer wanted, with their folders.",
    discussion: """
      A run is removed when neither option keeps it. Its folder is removed as well if it lies directly in --runs, is \
      not a link, and holds no run that stays. Nothing else is ever removed, except what a killed prune has left \
      behind.

      On a terminal it lists what it would remove and asks; elsewhere it needs --yes.

      Example: assay results prune --keep 20 --older-than 30d --dry-run
      """)

  @Option("keep", .count(0...(.max)), "Keep this many of the latest runs of each scenario.", example: "20")
  var keep: Int?

  /// A unit is needed, since a number of seconds would remove nearly all runs.
  @Option(
    "older-than",
    ValueType<String>.text("time", expected: "a length of time with its unit, 1m to 366d, for example 30d")
      .map { text in
        TimeSpan.parse(text).flatMap { text.last?.isLetter == true && $0 >= .seconds(60) ? $0 : nil }
      } back: {
        TimeSpan.text($0)
      },
    "Keep runs that began less than this long ago, in days (d), hours (h) or minutes (m).", example: "30d")
  var olderThan: Duration?

  @Flag(help: "List what would be removed, and remove nothing.")
  var dryRun = false

  @Flag(help: "Remove without asking.")
  var yes = false

  @OptionGroup var runs: RunFoldersOption
  @OptionGroup var history: HistoryOptions
  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    guard keep != nil || olderThan != nil else {
      throw CommandError.badValue(
        option: "prune", found: "neither", expected: "--keep, --older-than or both, for example --keep 20")
    }
    guard dryRun || yes || Console.canAsk else {
      throw CommandError.badValue(
        option: "prune", found: "no terminal to ask on",
        expected: "--yes to remove without asking, or --dry-run to see what would go")
    }
    let plan = try destination.plan(for: "results prune")
    let history = try history.opened(for: dryRun ? .reading : .pruning)
    var pruning = try history.pruning(keeping: keep, olderThan: olderThan, root: runs.runs)
    if !dryRun {
      guard yes || pruning.runs.isEmpty || Self.isConfirmed(pruning) else {
        Console.say("nothing was removed")
        return
      }
      pruning = try history.prune(pruning, root: runs.runs)
    }
    let report = ResultsReport.pruning(pruning, isRehearsal: dryRun)
    try plan.write(report.document, json: report.json)
  }

  private static func isConfirmed(_ pruning: Pruning) -> Bool {
    let document = ResultsReport.pruning(pruning, isRehearsal: true).document
    Console.say(lines: document.text(width: Console.width, style: TerminalStyle(isColoured: false), isWhole: true))
    return Console.ask("remove \(ResultsReport.extent(of: pruning))?")
  }
}

struct ResultsRebuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Reads the folders of runs into the history, after it was damaged or lost.",
    discussion: """
      Runs in the history stay as they are, and missing runs are added. A damaged history is kept under another name, \
      and a new one is made. A folder holds only the latest run of a scenario, so earlier runs cannot be restored.

      Example: assay results rebuild --runs Results/runs
      """)

  @OptionGroup var runs: RunFoldersOption
  @OptionGroup var history: HistoryOptions
  @OptionGroup var destination: OutputOptions<TableFormats>

  func run() throws {
    let plan = try destination.plan(for: "results rebuild")
    try History.checkRuns(in: runs.runs)
    let rebuilding = try history.opened(for: .rebuilding).rebuild(from: runs.runs)
    let report = ResultsReport.rebuilding(rebuilding, from: runs.runs)
    try plan.write(report.document, json: report.json)
    let damaged = rebuilding.passedOver.filter(\.isDamaged).map(\.folder)
    guard !damaged.isEmpty else { return }
    var echo = CommandLineEcho("results", "rebuild")
    runs.add(to: &echo)
    history.add(to: &echo)
    destination.add(to: &echo)
    throw ExitStatus.Conclusion(
      status: .badInput,
      message: "\(NumberFormat.counted(damaged.count, "folder")) cannot be read: \(damaged.joined(separator: ", ")).",
      reproduction: echo.line)
  }
}
