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
  /// What remembers the runs; `nil` where nothing is to be remembered.
  let history: History?
  /// What is reported of each run as it ends; `nil` where a person looks on.
  let server: BuildServer?
  /// Whether nothing more is run after a scenario that fails.
  let isFailFast: Bool
  let isQuiet: Bool
  var baseline: BaselineRun?
  /// What the run begins with, and which part of it is played; of a single scenario where that is not all.
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
    var unshown: Stopped?
    for (index, scenario) in scenarios.enumerated() where !bench.wasInterrupted {
      if !isQuiet { Console.say("running \(index + 1) of \(scenarios.count): \(scenario.name)") }
      do {
        let line = command(scenario)
        var scenarios = bench.scenarios
        if takesSettings { scenarios.samples.again = { "\(line) --set only=\($0)" } }
        let runner = ScenarioRunner(
          root: root, command: line, bench: scenarios, gsl: GSLLibrary.version, build: .current, baseline: baseline,
          part: part)
        Log.info("began", ["file": scenario.file, "kind": scenario.kind, "workers": "\(bench.jobs)"])
        let finished = try runner.run(scenario)
        log(finished)
        runs.append(finished)
        if !bench.hasPlayedShare { try history?.record(finished) }
        if history != nil { Log.info("remembered", ["folder": finished.folder]) }
        if let server { server.annotate(GitHubAnnotation.all(of: finished, in: server.workspace)) }
        if finished.isResumable, !bench.hasPlayedShare, !isQuiet { Console.say(Program.named(in: finished.resumption)) }
        if unshown == nil {
          do { try show(finished) } catch { unshown = Stopped(scenario.file, error) }
        }
        if isFailFast, finished.document.verdict == .fails { break }
      } catch {
        Log.info("ended with an error", ["file": scenario.file])
        return (RunSummary(runs, wanted: scenarios.count), Stopped(scenario.file, error))
      }
    }
    return (RunSummary(runs, wanted: scenarios.count), unshown)
  }

  /// An error with the scenario that it ended.
  struct Stopped: Error {
    let file: String
    let error: any Error

    init(_ file: String, _ error: any Error) { (self.file, self.error) = (file, error) }
  }

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
      if plan.onOutput == .text, !bench.hasPlayedShare {
        let text = run.text(
          width: Console.width, style: Console.outputStyle, withReport: format != nil || plan.isWhole,
          isWhole: plan.isWhole)
        try Console.write(text + "\n")
      }
    }
    if bench.hasPlayedShare, outcome.error == nil, let run = outcome.summary.runs.last {
      return try leave(run, shards, echo)
    }
    do {
      try finish(outcome.summary, plan: plan)
    } catch {
      throw outcome.error ?? error
    }
    if let stopped = outcome.error { throw stopped }
    let status = bench.status(outcome.summary.verdict)
    if status != .holds {
      throw ExitStatus.Conclusion(
        status: status, message: outcome.summary.headline, isShown: plan.onOutput == .text, reproduction: echo.line)
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
      let others = run.folder.replacing("-shard-\(shard.number)-of-", with: "-shard-*-of-")
      Console.say(Program.named(in: "shard \(shard) is done: \(run.folder)"))
      // The pattern is for a shell, so it is not quoted.
      Console.say(Program.named(in: "when all \(shard.count) are done: assay merge \(others)"))
      return
    }
    guard let open = run.open else { return }
    if let missing = StoredCheckpoint.missing(open, of: shards) {
      throw CommandError.badValue(
        option: "merge", found: missing,
        expected: "all of them; play what is missing, or 'assay resume \(run.folder)' to play it here")
    }
    throw ExitStatus.Conclusion(
      status: .undecided,
      message: "The run goes on, with \(open.blocks.count) blocks in its next round. To go on: "
        + Program.named(in: "assay run --shard K/N --after \(run.folder)"),
      reproduction: echo.line)
  }
}
