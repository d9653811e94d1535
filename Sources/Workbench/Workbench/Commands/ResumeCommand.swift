// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import ArgumentParser
internal import Foundation
internal import Randomness
internal import Reporting
internal import Scenarios

struct ResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Continues a run that was interrupted or killed, with the same result.",
    discussion: """
      Example: assay resume Results/runs/quick-1a2b3c4d

      A run keeps its finished part in its folder. Resuming it gives the same result.json, byte for byte, as an \
      undisturbed run. It needs the same build of the program.
      """)

  @Argument(
    help: ArgumentHelp(
      "The run: its folder, or a name as 'assay results' takes it. Example: quick", valueName: "run"),
    completion: .directory)
  var wanted: String

  @OptionGroup var limits: LimitOptions
  @OptionGroup var continuing: ContinuingOptions
  @OptionGroup var destination: OutputOptions<RunCommand.Formats>

  func run() throws {
    let stored = try StoredCheckpoint(in: Self.folder(of: wanted, in: continuing.past.location))
    var part = ShardPlan(shard: stored.shard)
    (part.records, part.folder) = (stored.records, stored.folder)
    var echo = CommandLineEcho("resume")
    echo.add(files: [stored.folder])
    try continuing.run(stored, part, limits: limits, echo, to: destination)
  }

  /// An existing folder; or by its name the latest incomplete run, or a run of the history.
  static func folder(of run: String, in history: HistoryOptions) throws -> String {
    if FileKind(behind: run) == .folder { return run.count > 1 && run.hasSuffix("/") ? String(run.dropLast()) : run }
    let unfinished = UnfinishedRun.all(below: History.defaultRuns(beside: history.history))
    return try unfinished.first { $0.isNamed(run) }?.folder ?? history.opened(for: .reading).run(named: run).folder
  }
}

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges the shards of a run, with the same result as on one machine.",
    discussion: """
      Example: assay merge Results/runs/big-1a2b3c4d-shard-*

      The folders are those of 'assay run --shard'. A run that stops depending on its results may need another round \
      of shards; then the command prints how to start it, and exits with 3.
      """)

  @Argument(
    help: ArgumentHelp("The folders of the shards. Example: Results/runs/big-1a2b3c4d-shard-*", valueName: "folder"),
    completion: .directory)
  var folders: [String]

  @OptionGroup var runs: RunFoldersOption
  @OptionGroup var continuing: ContinuingOptions
  @OptionGroup var destination: OutputOptions<RunCommand.Formats>

  func run() throws {
    let shards = try folders.map { try StoredCheckpoint(in: $0) }
    guard let first = shards.first else { return }
    var part = ShardPlan()
    let scenario = try first.scenario(kinds: ProgramParts.current.experiments)
    let earlier = StoredCheckpoint(of: scenario, below: runs.runs)
    (part.records, part.isMerge) = (try StoredCheckpoint.united(shards, over: earlier), true)
    var echo = CommandLineEcho("merge")
    echo.add(files: folders)
    runs.add(to: &echo)
    try continuing.run(first, part, of: shards, root: runs.runs, echo, to: destination)
  }
}

struct ContinuingOptions: ParsableArguments {
  @OptionGroup var jobs: JobsOption
  @OptionGroup var earlier: BaselineOption
  @OptionGroup var past: RecordingOptions

  func run(
    _ stored: StoredCheckpoint, _ part: ShardPlan, of shards: [StoredCheckpoint] = [], root: String = "",
    limits: LimitOptions? = nil, _ given: CommandLineEcho, to destination: OutputOptions<RunCommand.Formats>
  ) throws {
    let plan = try destination.plan(for: "run")
    let workers = try jobs.workers()
    let scenario = try stored.scenario(kinds: ProgramParts.current.experiments)
    try stored.check(for: scenario, gsl: GSLLibrary.version, build: .current)
    let baseline = try earlier.run(for: [scenario], in: past.location)
    let history = try past.opened()
    var echo = given
    if let jobs = jobs.jobs { echo.add("--jobs", "\(jobs)") }
    limits?.add(to: &echo)
    earlier.add(to: &echo)
    past.add(to: &echo)
    destination.add(to: &echo)
    let bench = Bench(
      announcing: echo, jobs: workers, quiet: destination.quiet, limits: limits?.values ?? RunLimits())
    stored.remark(unless: destination.quiet)
    let session = RunSession(
      bench: bench, root: root, history: history, server: nil, isFailFast: false, isQuiet: destination.quiet,
      baseline: baseline, part: part)
    try session.conclude([scenario], plan: plan, format: destination.format, shards: shards, echo) { _ in
      part.isMerge ? given.line : stored.command ?? given.line
    }
  }
}

extension StoredCheckpoint {
  /// Prints remarks about damaged parts of the checkpoint.
  func remark(unless isQuiet: Bool) {
    guard damagedLines > 0, !isQuiet else { return }
    Console.say(
      "note: \(NumberFormat.counted(damagedLines, "damaged line")) in the checkpoint of '\(folder)' left out; its "
        + "blocks are played again")
  }
}

/// The limits that end a run early.
struct LimitOptions: ParsableArguments {
  @Option(
    "deadline", .duration(.milliseconds(1)...(.seconds(366 * 86_400))),
    "End after this time with partial results; 'assay resume' continues.", example: "10m")
  var deadline: Duration?

  @Option(
    "max-samples", .count(1...(.max / 2)),
    "End each scenario after about this many samples, in whole blocks; 'assay resume' continues.", example: "1M")
  var maxSamples: Int?

  var values: RunLimits { RunLimits(deadline: deadline, samples: maxSamples) }

  func add(to echo: inout CommandLineEcho) {
    if let deadline { echo.add("--deadline", TimeSpan.text(deadline)) }
    if let maxSamples { echo.add("--max-samples", "\(maxSamples)") }
  }
}

struct RunLimits {
  var deadline: Duration?
  var samples: Int?

  /// The remaining time.
  func after(_ elapsed: Duration) -> RunLimits {
    RunLimits(deadline: deadline.map { max(.milliseconds(1), $0 - elapsed) }, samples: samples)
  }
}

/// The part of a run to play.
struct ShardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Play only this share of one scenario, for 'assay merge'; auto takes it from Slurm, a Kubernetes Indexed Job or "
        + "GNU parallel. Example: --shard 3/64",
      valueName: "number/count"))
  var shard: String?

  @Option(
    "shards", .count(1...Shard.maximum), "The number of shards, if --shard auto cannot know it.", example: "64")
  var shards: Int?

  @Option(
    help: ArgumentHelp(
      "The folder of a merged run that needs another round of shards. "
        + "Example: --after Results/runs/big-1a2b3c4d",
      valueName: "folder"),
    completion: .directory)
  var after: String?

  /// The shard, and where its number was found.
  func read(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> (shard: Shard, source: String?)? {
    guard let shard else {
      for (option, value) in [("--shards", shards.map(String.init)), ("--after", after)] {
        if let value { throw CommandError.badValue(option: option, found: value, expected: "--shard beside it") }
      }
      return nil
    }
    guard shard == "auto" else {
      if let shards {
        throw CommandError.badValue(option: "--shards", found: "\(shards)", expected: "--shard auto beside it")
      }
      guard let known = Shard(shard) else {
        throw CommandError.badValue(
          option: "--shard", found: shard, expected: "a number and how many there are, for example 3/64, or auto")
      }
      return (known, nil)
    }
    for scheduler in Scheduler.all {
      guard let text = environment[scheduler.index], !text.isEmpty else { continue }
      let first = scheduler.first.map { environment[$0, default: "0"] } ?? String(scheduler.from)
      let total = shards.map(String.init) ?? environment[scheduler.count] ?? ""
      guard let index = Int(text), let first = Int(first), let total = Int(total),
        let known = Shard(number: index.subtractingReportingOverflow(first).partialValue &+ 1, count: total)
      else {
        throw CommandError.badValue(
          option: "--shard auto",
          found: "\(scheduler.index)=\(text) of \(total.isEmpty ? "an unknown number" : total)",
          expected: "an index below \(scheduler.count), or --shards with it")
      }
      return (known, "\(scheduler.name): \(scheduler.index)=\(text)")
    }
    throw CommandError.badValue(
      option: "--shard", found: "auto, and none of \(Scheduler.all.map(\.index).joined(separator: ", "))",
      expected: "one of them in the environment, or a share such as 3/64")
  }

  func add(to echo: inout CommandLineEcho, _ found: Shard?) {
    if let found { echo.add("--shard", found.description) }
    if let after { echo.add("--after", after) }
  }
}

/// The variables by which a scheduler numbers its processes.
private struct Scheduler {
  let name: String
  let index: String
  let count: String
  /// The variable with the first index, if the scheduler's user chooses it.
  var first: String?
  var from = 0

  static let all = [
    Scheduler(
      name: "a Slurm array", index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT",
      first: "SLURM_ARRAY_TASK_MIN"),
    Scheduler(name: "a Kubernetes Indexed Job", index: "JOB_COMPLETION_INDEX", count: "JOB_COMPLETIONS"),
    Scheduler(name: "GNU parallel", index: "PARALLEL_SEQ", count: "PARALLEL_TOTAL", from: 1),
  ]
}
