// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import ArgumentParser
internal import Foundation
internal import Pages
internal import Randomness
internal import Reporting
internal import Scenarios

/// The command of an experiment: its parameters as options, and the options that all experiments share.
struct ExperimentCommand<E: Experiment>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: E.command.last, abstract: E.summary,
      discussion: """
        \(E.discussion.isEmpty ? "" : E.discussion + "\n\n")\
        As a scenario: kind \(E.kind). 'assay scenario keys \(E.kind)' lists its parameters, measures and thresholds.
        """)
  }

  @OptionGroup(title: "Parameters") var parameters: ParameterOptions<E>
  @OptionGroup(title: "Thresholds and records") var keeping: KeepingOptions
  @OptionGroup(title: "Single samples", visibility: E().listsSamples ? .default : .hidden)
  var single: SampleOptions
  @OptionGroup(title: "Output") var destination: OutputOptions<ExperimentFormats<E>>

  func run() throws {
    let words = ProgramParts.words(of: E.self)
    try ExperimentRun(keeping: keeping, single: single, destination: destination).run(
      E(parameters.fields, at: ScenarioField(option: E.kind, [])), command: words.joined(separator: " "),
      words: words + parameters.words)
  }
}

/// A run of an experiment by a command: its thresholds, and the outputs of the result.
struct ExperimentRun<Formats: OutputFormats> {
  let keeping: KeepingOptions
  let single: SampleOptions
  let destination: OutputOptions<Formats>

  /// Runs an experiment and throws the end of the process.
  ///
  /// - Parameters:
  ///   - experiment: the experiment to run.
  ///   - command: the name of the command.
  ///   - words: the command with its parameters, to repeat it.
  /// - Throws: `ExitStatus.Conclusion` unless all thresholds hold.
  func run(_ experiment: some Experiment, command: String, words: [String]) throws {
    let server = BuildServer(isAsked: false)
    do {
      try conclude(experiment, command: command, words: words, reportingTo: server)
    } catch {
      server?.annotate(badInput: error, in: nil)
      throw error
    }
  }

  private func conclude(
    _ experiment: some Experiment, command: String, words: [String], reportingTo server: BuildServer?
  ) throws {
    let scenario = try Scenario(experiment, thresholds: keeping.asked.fields)
    let baseline = try keeping.earlier.run(for: [scenario], in: keeping.past.location)
    // An experiment that runs at several points always has a figure.
    let isVaried = (experiment as? any VariedExperiment)?.variation != nil
    var plan = try destination.plan(for: command, more: isVaried ? [.svg, .png] : [])
    plan.measure = try keeping.drawn(of: experiment)
    let workers = try keeping.jobs.workers()
    var samples = try single.handling(of: [scenario])
    if let file = keeping.save { try save(scenario, to: file) }
    var echo = CommandLineEcho()
    echo.add(words)
    samples.again = { [echo] in "\(echo.line) --only \($0)" }
    single.add(to: &echo)
    keeping.add(to: &echo)
    destination.add(to: &echo)
    var bench = Bench(announcing: echo, jobs: workers, quiet: destination.quiet)
    bench.samples = samples
    let finished =
      try keeping.report ? recorded(scenario, on: bench, echo, baseline) : unrecorded(scenario, on: bench, baseline)
    try show(finished, of: scenario, by: plan, echo)
    if let server {
      server.annotate(GitHubAnnotation.all(of: finished.outcome, finished.document.verdict, in: server.workspace))
    }
    let status = bench.status(finished.document.verdict, isComplete: finished.document.isComplete)
    if status != .holds {
      throw ExitStatus.Conclusion(
        status: status, message: bench.early == nil ? finished.sentence : finished.interruption,
        reproduction: echo.line, continuations: finished.continuations)
    }
  }

  /// The outcome, and where it is stored.
  private struct Finished {
    let outcome: ScenarioResult
    let document: ResultDocument
    let suiteInfo: JUnitReport.SuiteInfo
    var folder: (path: String, report: String)?
    var continuations: [String] = []

    var interruption: String {
      outcome.document.sections.isEmpty
        ? "Interrupted: nothing was measured yet." : "Interrupted: the results are partial."
    }

    /// The reason why the command does not end with 0.
    var sentence: String {
      let wrong = document.thresholds.filter { $0.verdict == document.verdict }
      return "\(document.verdict.rawValue.uppercased()): \(wrong.count) of \(document.thresholds.count) thresholds: "
        + wrong.map(\.text).joined(separator: "; ")
    }
  }

  private func unrecorded(
    _ scenario: Scenario, on bench: Bench, _ baseline: BaselineRun?
  ) throws -> Finished {
    let (began, start) = (Date(), ContinuousClock.now)
    let outcome = try scenario.run(on: bench.context)
    return Finished(
      outcome: outcome,
      document: ResultDocument(
        outcome, of: scenario, against: baseline, gsl: GSLLibrary.version,
        build: baseline == nil ? RunRecord.Build() : .current),
      suiteInfo: JUnitReport.SuiteInfo(
        began: began, host: ProcessInfo.processInfo.hostName, seconds: (ContinuousClock.now - start) / .seconds(1)))
  }

  private func recorded(
    _ scenario: Scenario, on bench: Bench, _ echo: CommandLineEcho, _ baseline: BaselineRun?
  ) throws -> Finished {
    let history = try keeping.past.opened()
    let runner = ScenarioRunner(
      command: echo.line, context: bench.context, gsl: GSLLibrary.version, build: .current, baseline: baseline)
    if !destination.quiet { Console.say("running in \(runner.folder(of: scenario))") }
    let run = try runner.run(scenario)
    try history?.record(run)
    return Finished(
      outcome: run.outcome, document: run.document, suiteInfo: run.record.suiteInfo, folder: (run.folder, run.report),
      continuations: [run.resumption].compactMap(\.self))
  }

  private func show(
    _ finished: Finished, of scenario: Scenario, by plan: OutputPlan, _ echo: CommandLineEcho
  ) throws {
    let outcome = finished.outcome
    let thresholds = finished.document.thresholds
    var shown = outcome.document
    if !thresholds.isEmpty {
      shown.sections.append(
        ReportSection(id: "thresholds", title: "Thresholds", blocks: [.table(Table(thresholds))]))
    }
    try plan.write(
      shown, json: finished.document.json,
      junit: scenario.cases(thresholds, and: outcome.cases, command: echo.line, finished.suiteInfo),
      drawn: outcome.onlyFile)
    if let folder = finished.folder, !destination.quiet {
      Console.say("folder: \(folder.path)")
      Console.say("report: \(folder.report)")
    }
  }

  private func save(_ scenario: Scenario, to file: String) throws {
    let location = try OutputFile(file)
    guard !location.isThere else {
      throw CommandError.badValue(option: "--save", found: file, expected: "a file that does not exist yet")
    }
    var echo = CommandLineEcho("run")
    echo.add(files: [file])
    try location.put(Data(scenario.resolved.utf8), saying: "saved \(file); run it by: \(echo.line)")
  }
}

/// The formats of an experiment, with pictures if it draws any.
enum ExperimentFormats<E: Experiment>: OutputFormats {
  static var formats: [ReportFormat] { ReportFormat.tables + [.junit] + (E.isDrawn ? [.svg, .png] : []) }
}

/// The thresholds on the command line.
struct ThresholdOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A condition on the result; may be given several times. "
        + "Example: --threshold \(ProgramParts.example.until)",
      valueName: "threshold"))
  var threshold: [String] = []

  /// The thresholds as fields that read like those of a file.
  var fields: [ScenarioField] { threshold.map { ScenarioField(option: "--threshold", [$0]) } }

  func add(to echo: inout CommandLineEcho) {
    for one in threshold { echo.add("--threshold", one) }
  }
}

/// The options that every experiment has.
struct KeepingOptions: ParsableArguments {
  @OptionGroup var asked: ThresholdOptions

  @Flag(help: "Keep the run in a folder with its report.html, as 'assay run' does.")
  var report = false

  @Option(
    help: ArgumentHelp(
      "Write the scenario of this command to a new file. Example: --save mine.yaml", valueName: "file"),
    completion: .file())
  var save: String?

  @Option(
    help: ArgumentHelp(
      "The measure that a picture shows, in place of the first. Example: --measure \(ProgramParts.example.measure)",
      valueName: "name"))
  var measure: String?

  @OptionGroup var jobs: JobsOption

  @OptionGroup var earlier: BaselineOption
  @OptionGroup var past: RecordingOptions

  /// The measure that a picture shows, checked before the run unless that is a search, which draws what it searches.
  func drawn(of experiment: some Experiment) throws -> String? {
    guard let measure, (experiment as? any VariedExperiment)?.variation != "find" else { return measure }
    let known = experiment.measures.map(\.name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    _ = try ScenarioField(option: "--measure", [String(measure.prefix { $0 != "[" })]).choice(among: known)
    return measure
  }

  mutating func validate() { WrittenFiles.note([save].compactMap(\.self), of: "--save") }

  func add(to echo: inout CommandLineEcho) {
    asked.add(to: &echo)
    if report { echo.add(["--report"]) }
    if let measure { echo.add("--measure", measure) }
    earlier.add(to: &echo)
    past.add(to: &echo)
  }
}
