// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import ArgumentParser
internal import Foundation
internal import Pages
internal import Randomness
internal import Reporting
internal import Scenarios

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs scenarios, evaluates their thresholds, and keeps each result in a folder.",
    discussion: """
      Example: assay run mine.yaml

      All scenarios are read before the first one runs. Each writes result.json, report.html, junit.xml and figures to \
      its own folder. The standard output shows the verdict and every threshold; --format text or --verbose shows \
      the whole report.

      Exits with 0 when every threshold holds, 1 when one fails or a scenario ends with an error, 3 when none fails \
      and one is undecided, and 130 or 143, with partial results, when interrupted. Several scenarios, and with --ci \
      one, are played in child processes: a trap in a sample ends its scenario, and the others run. The finished part \
      of an interrupted or killed run is kept in its folder, and 'assay resume' continues it. --shard and \
      'assay merge' split a run over several machines.

      On a build server (CI or GITHUB_ACTIONS is set) or with --ci, the output has no colour and no animation. \
      Annotations go to the standard error, and a summary goes to the file that GITHUB_STEP_SUMMARY names.
      """)

  @Argument(
    help: "Scenario files, or folders of them; Scenarios/ when none is named. Example: mine.yaml",
    completion: .file(extensions: ["yaml", "yml"]))
  var scenarios: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A value that replaces that of a key in the file; may be given several times. Example: --set random.seed=7",
      valueName: "key=value"))
  var set: [String] = []

  @OptionGroup var asked: ThresholdOptions
  @OptionGroup var jobs: JobsOption

  @OptionGroup var folders: RunFoldersOption

  @Flag(help: "Stop after the first scenario that fails.")
  var failFast = false

  @Flag(help: "Report to a build server: annotations, and a summary if it can show one.")
  var ci = false

  @OptionGroup var limits: LimitOptions
  @OptionGroup var share: ShardOptions
  @OptionGroup var single: SampleOptions
  @OptionGroup var earlier: BaselineOption
  @OptionGroup var past: RecordingOptions
  @OptionGroup var destination: OutputOptions<Formats>

  func run() throws {
    let server = BuildServer(isAsked: ci)
    let files = try? files()
    if WatchedSession.journal == nil, server != nil || files?.count ?? 0 > 1 { try WatchedSession.run() }
    let conclude: () throws -> Void
    do {
      conclude = try prepared(reportingTo: server)
    } catch {
      server?.annotate(badInput: error, in: nil)
      try report(badInput: error, wanted: files?.count ?? 0, to: server)
      throw error
    }
    try conclude()
  }

  /// The files of the scenarios to run.
  private func files() throws -> [String] {
    try scenarios.isEmpty
      ? share.after == nil ? ScenarioFiles.all(in: ScenarioFiles.defaultFolder) : []
      : ScenarioFiles.named(by: scenarios)
  }

  /// Writes an error of the input where a build server looks for results: to the summary, and as JUnit where that is
  /// asked for.
  private func report(badInput error: any Error, wanted: Int, to server: BuildServer?) throws {
    guard ExitStatus(after: error) == .badInput else { return }
    let problems = (error as? InputProblems)?.problems ?? [InputProblems.Problem(error: error, file: nil)]
    let summary = RunSummary([], broken: problems.map { BrokenRun(badInput: $0.error, in: $0.file) }, wanted: wanted)
    try server?.summarise(summary.markdown)
    guard let plan = try? destination.plan(for: "run") else { return }
    try plan.only(.junit).write { format, _ in summary.rendered(as: format) }
  }

  /// Reads the whole input, and returns a closure that runs it.
  private func prepared(reportingTo server: BuildServer?) throws -> () throws -> Void {
    let plan = try destination.plan(for: "run")
    let workers = try jobs.workers()
    let merged = try share.after.map { try StoredCheckpoint(in: $0) }
    let files = try files()
    let read =
      try files.isEmpty
      ? [merged].compactMap { try $0?.scenario(kinds: ProgramParts.current.experiments) }
      : ScenarioFiles(
        files, kinds: ProgramParts.current.experiments, overrides: Self.overrides(set), thresholds: asked.fields
      ).scenarios
    try WrittenFiles.check(read)
    let (part, source) = try part(of: read, after: merged)
    let baseline = try earlier.run(for: read, in: past.location)
    let history = try past.opened()
    let echo = try echo(of: files, workers: workers, part.shard)
    var bench = Bench(
      announcing: echo, jobs: workers, quiet: destination.quiet, isAnimated: server == nil,
      limits: limits.values.after(WatchedSession.journal?.elapsed ?? .zero))
    bench.samples = try single.handling(of: read, isShard: part.shard != nil)
    if let source, !destination.quiet { Console.say("shard \(part.shard?.description ?? ""), from \(source)") }
    merged?.remark(unless: destination.quiet)
    let session = RunSession(
      bench: bench, root: folders.runs, history: history, server: server, isFailFast: failFast,
      isQuiet: destination.quiet, baseline: baseline, part: part, takesSettings: true, journal: WatchedSession.journal)
    return { try session.conclude(read, plan: plan, format: destination.format, echo) { command(for: $0, part.shard) } }
  }

  /// The shard to play, with the results of the merged run that it continues.
  private func part(of scenarios: [Scenario], after merged: StoredCheckpoint?) throws -> (ShardPlan, source: String?) {
    guard let (shard, source) = try share.read() else { return (ShardPlan(), nil) }
    guard let scenario = scenarios.first, scenarios.count == 1 else {
      throw CommandError.badValue(
        option: "--shard", found: "\(scenarios.count) scenarios", expected: "one, whose run is split")
    }
    guard !scenario.isTimed else {
      throw CommandError.badValue(
        option: "--shard", found: "a scenario that ends when its time is over",
        expected: "one whose end does not depend on the machine's speed: without deadline or time")
    }
    var part = ShardPlan(shard: shard)
    if let merged {
      try merged.check(for: scenario, gsl: GSLLibrary.version, build: .current)
      part.records = merged.records
    }
    return (part, source)
  }

  /// The fields that `--set` gives, by key.
  static func overrides(_ set: [String]) throws(CommandError) -> [String: ScenarioField] {
    var fields: [String: ScenarioField] = [:]
    for text in set {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty, fields[parts[0]] == nil else {
        throw .badValue(option: "--set", found: text, expected: "a key and its value, each key once: random.seed=7")
      }
      fields[parts[0]] = ScenarioField(option: "--set \(parts[0])", [parts[1]])
    }
    return fields
  }

  private func echo(of files: [String], workers: Int, _ shard: Shard?) throws -> CommandLineEcho {
    var echo = CommandLineEcho("run")
    echo.add(files: files)
    for one in set { echo.add("--set", one) }
    asked.add(to: &echo)
    echo.add("--jobs", String(workers))
    folders.add(to: &echo)
    if failFast { echo.add(["--fail-fast"]) }
    if ci { echo.add(["--ci"]) }
    limits.add(to: &echo)
    share.add(to: &echo, shard)
    single.add(to: &echo)
    earlier.add(to: &echo)
    past.add(to: &echo)
    destination.add(to: &echo)
    return echo
  }

  /// The command that runs one scenario again: its file, and its folder if that is not the default.
  private func command(for scenario: Scenario, _ shard: Shard?) -> String {
    var echo = CommandLineEcho("run")
    echo.add(files: [scenario.file])
    for one in set { echo.add("--set", one) }
    asked.add(to: &echo)
    folders.add(to: &echo)
    share.add(to: &echo, shard)
    if !scenario.relativeThresholds.isEmpty { earlier.add(to: &echo) }
    return echo.line
  }

  enum Formats: OutputFormats {
    static let formats = ReportFormat.tables + [.junit]
  }
}
