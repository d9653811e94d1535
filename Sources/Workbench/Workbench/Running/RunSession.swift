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
  /// The history of runs; `nil` if nothing is to be recorded.
  let history: History?
  /// The build server that gets each run when it ends; `nil` for a person at a terminal.
  let server: BuildServer?
  /// True if the session ends after a scenario that fails.
  let isFailFast: Bool
  let isQuiet: Bool
  var baseline: BaselineRun?
  /// The part of the run to play, and its beginning; anything but the whole is for a single scenario.
  var part = ShardPlan()
  /// True if its command takes `--set`.
  var takesSettings = false
  /// The journal of the processes that play the session together; `nil` if it is one.
  var journal: SessionJournal?

  /// Runs scenarios until all are done, one throws an error, or the session is interrupted.
  ///
  /// - Parameters:
  ///   - scenarios: the scenarios, in order.
  ///   - command: the command line that runs one again.
  ///   - show: shows a run that has been recorded; after an error of it the others are run but not shown.
  /// - Returns: the runs that ended, and the error that ended the session early, if any.
  private func run(
    _ scenarios: [Scenario], command: (Scenario) -> String, show: (FinishedRun) throws -> Void
  ) -> (summary: RunSummary, error: (any Error)?) {
    var (runs, broken) = ([FinishedRun](), [BrokenRun]())
    var unshown: (any Error)?
    let count = scenarios.count
    let (earlier, latest) = (journal?.ends ?? [:], journal?.latest)
    session: for (index, scenario) in scenarios.enumerated() where !bench.wasInterrupted {
      let line = command(scenario)
      do throws(any Error) {
        var context = bench.context
        if takesSettings { context.samples.again = { "\(line) --set only=\($0)" } }
        let runner = ScenarioRunner(
          root: root, command: line, context: context, gsl: GSLLibrary.version, build: .current, baseline: baseline,
          part: part)
        switch earlier[index] {
        case .ended(_, let played?)?:
          runs.append(try played.finished(scenario))
          continue
        case .broken(_, let cause, let report)?:
          let run = runner.ended(scenario, by: cause, report: Program.named(in: report))
          if index == latest { announce(run) }
          broken.append(run)
          if isFailFast { break session }
          continue
        default: journal?.append(.started(index))
        }
        // A killed run prints nothing at its end, so its folder is printed at the beginning.
        if !isQuiet {
          Console.say("running \(index + 1) of \(count): \(scenario.name), in \(runner.folder(of: scenario))")
        }
        Log.info("began", ["file": scenario.file, "kind": scenario.kind, "workers": "\(bench.jobs)"])
        let finished = try runner.run(scenario)
        log(finished)
        runs.append(finished)
        defer { journal?.append(.ended(index, PlayedRun(finished))) }
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
        guard ExitStatus(after: error) == .failed, count > 1 || server != nil else {
          journal?.append(.ended(index, nil))
          server?.annotate(badInput: error, in: scenario.file)
          broken.append(BrokenRun(badInput: error, in: scenario.file))
          return (RunSummary(runs, broken: broken, wanted: scenarios.count), error)
        }
        journal?.append(.broken(index, cause: "\(error)", report: ""))
        let run = BrokenRun(scenario, by: "\(error)", report: "", command: line)
        announce(run)
        broken.append(run)
        if isFailFast { break }
      }
    }
    return (RunSummary(runs, broken: broken, wanted: scenarios.count), unshown)
  }

  /// Prints an error that ends a scenario and not the session.
  private func announce(_ run: BrokenRun) {
    server?.annotate([run.annotation])
    Console.say(lines: Program.named(in: run.text))
  }

  /// True if the requested part of a run is played, and the rest is for others.
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
  /// Runs scenarios, shows the results, and throws the end of the process.
  ///
  /// `shards` are the checkpoints of a merge.
  ///
  /// - Throws: `ExitStatus.Conclusion` unless all thresholds hold, and the error that ended the runs early.
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

  /// Prints the next command for a part of a run, if others play the rest.
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
        expected: "all of them; play the missing ones, or '\(run.resumption ?? "")' to play it here")
    }
    throw ExitStatus.Conclusion(
      status: .undecided,
      message: "The run needs another round of \(open.blocks.count) blocks. To continue: "
        + "assay run --shard K/N --after " + ShellLine.text([run.folder]),
      reproduction: echo.line)
  }
}
