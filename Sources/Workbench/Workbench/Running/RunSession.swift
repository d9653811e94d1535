// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import Foundation
internal import MonteCarlo
internal import Pages
internal import Randomness
internal import Reporting
internal import Scenarios

/// Runs scenarios one after the other, each into its folder and into the history.
struct RunSession {
  let bench: Bench
  /// The folder of all runs.
  let root: String
  /// The history of runs; `nil` where nothing is to be remembered.
  let history: History?
  /// The build server that gets each run as it ends; `nil` where a person looks on.
  let server: BuildServer?
  /// Whether nothing more is run after a scenario that fails.
  let isFailFast: Bool
  let isQuiet: Bool
  var baseline: BaselineRun?
  /// The beginning of the run, and which part of it is played; of a single scenario where that is not all.
  var part = RunPart()
  /// Whether its command takes `--set`.
  var takesSettings = false

  /// Runs scenarios until all are done, one ends with an error, or somebody wants an early end.
  ///
  /// - Parameters:
  ///   - scenarios: what to run, in order.
  ///   - command: what a person types to run one again.
  ///   - show: shows a run that has been recorded; an error of it ends the showing, and the others are run all the
  ///     same.
  /// - Returns: the runs that ended, and what ended the session before its time, if anything did.
  private func run(
    _ scenarios: [Scenario], command: (Scenario) -> String, show: (FinishedRun) throws -> Void
  ) -> (summary: RunSummary, error: (any Error)?) {
    var runs: [FinishedRun] = []
    var unshown: (any Error)?
    let count = scenarios.count
    for (index, scenario) in scenarios.enumerated() where !bench.wasInterrupted {
      do {
        let line = command(scenario)
        var scenarios = bench.scenarios
        if takesSettings { scenarios.samples.again = { "\(line) --set only=\($0)" } }
        let runner = ScenarioRunner(
          root: root, command: line, bench: scenarios, gsl: GSLLibrary.version, build: .current, baseline: baseline,
          part: part)
        // A run that is killed says no last words: its folder must be known from the first.
        if !isQuiet {
          Console.say("running \(index + 1) of \(count): \(scenario.name), in \(runner.folder(of: scenario))")
        }
        Log.info("began", ["file": scenario.file, "kind": scenario.kind, "workers": "\(bench.jobs)"])
        let finished = try runner.run(scenario)
        log(finished)
        runs.append(finished)
        if finished.record.part == nil { try history?.record(finished) }
        if history != nil { Log.info("remembered", ["folder": finished.folder]) }
        if let server { server.annotate(GitHubAnnotation.all(of: finished, in: server.workspace)) }
        if unshown == nil {
          do {
            try show(finished)
          } catch {
            server?.annotate(badInput: error, in: scenario.file)
            unshown = error
          }
        }
        if isFailFast, finished.document.verdict == .fails { break }
      } catch {
        Log.info("ended with an error", ["file": scenario.file])
        server?.annotate(badInput: error, in: scenario.file)
        return (RunSummary(runs, wanted: scenarios.count), error)
      }
    }
    return (RunSummary(runs, wanted: scenarios.count), unshown)
  }

  /// Whether what was asked of a part of a run is played, and the rest is for others.
  private var hasPlayedPart: Bool { bench.hasPlayedShare || part.shard != nil && !bench.wasInterrupted }

  private func log(_ run: FinishedRun) {
    for name in run.record.files { Log.info("wrote", ["file": "\(run.folder)/\(name)"]) }
    let seconds = [("wall", run.record.wallSeconds), ("cpu", run.record.cpuSeconds)]
    let times = seconds.compactMap { name, value in value.map { (name, "\(NumberFormat.fixed($0, decimals: 3)) s") } }
    Log.info(
      "ended",
      ["file": run.file, "verdict": run.document.verdict.rawValue].merging(times) { first, _ in first })
  }
}

extension RunSession {
  /// Runs scenarios, shows what came out, and ends as the process is to end.
  ///
  /// `shards` are what a merge puts together.
  ///
  /// - Throws: `ExitStatus.Conclusion` unless all holds, and what ended the runs before their time.
  func conclude(
    _ scenarios: [Scenario], plan: OutputPlan, format: String?, shards: [StoredCheckpoint] = [],
    _ echo: CommandLineEcho, command: (Scenario) -> String
  ) throws {
    let outcome = run(scenarios, command: command) { run in
      if plan.onOutput == .text, !hasPlayedPart {
        let text = run.text(
          width: Console.width, style: Console.outputStyle, withReport: format != nil || plan.isWhole,
          isWhole: plan.isWhole)
        try Console.write(text + "\n")
      }
    }
    if hasPlayedPart, outcome.error == nil, let run = outcome.summary.runs.last {
      return try leave(run, shards, echo)
    }
    do {
      try finish(outcome.summary, plan: plan)
    } catch {
      if outcome.error == nil { server?.annotate(badInput: error, in: nil) }
      throw outcome.error ?? error
    }
    if let error = outcome.error { throw error }
    let status = bench.status(outcome.summary.verdict, isComplete: outcome.summary.isComplete)
    if status != .holds {
      throw ExitStatus.Conclusion(
        status: status, message: outcome.summary.headline, isShown: plan.onOutput == .text, reproduction: echo.line,
        continuations: outcome.summary.runs.compactMap(\.resumption))
    }
  }

  private func finish(_ summary: RunSummary, plan: OutputPlan) throws {
    try server?.summarise(summary.markdown)
    var rest = plan
    if plan.onOutput == .text { rest.onOutput = nil }
    try rest.write { format, _ in summary.rendered(as: format) }
    if plan.onOutput == .text { try Console.write(Console.outputStyle.verdicts(summary.headline) + "\n") }
  }

  /// Says what is to be done with what was played, where the rest is for others.
  private func leave(_ run: FinishedRun, _ shards: [StoredCheckpoint], _ echo: CommandLineEcho) throws {
    if let shard = part.shard {
      let names = run.folder.split(separator: "-shard-\(shard.number)-of-", maxSplits: 1)
      // The pattern is for a shell, so it is not quoted.
      let others =
        names.count == 2
        ? ShellLine.text(["assay", "merge", "\(names[0])-shard-"]) + "*-of-\(names[1])"
        : ShellLine.text(["assay", "merge", run.folder]) + " ..."
      Console.say("shard \(shard) is done: \(run.folder)")
      Console.say(Program.named(in: "when all \(shard.count) are done: \(others)"))
      return
    }
    guard let open = run.open else { return }
    if let missing = StoredCheckpoint.missing(open, of: shards) {
      throw CommandError.badValue(
        option: "merge", found: missing,
        expected: "all of them; play what is missing, or '\(run.resumption ?? "")' to play it here")
    }
    throw ExitStatus.Conclusion(
      status: .undecided,
      message: "The run goes on, with \(open.blocks.count) blocks in its next round. To go on: "
        + "assay run --shard K/N --after " + ShellLine.text([run.folder]),
      reproduction: echo.line)
  }
}
