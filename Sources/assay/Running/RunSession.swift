// SPDX-License-Identifier: GPL-3.0-or-later
internal import Archive
internal import Foundation
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
  /// What is told of each run as it ends; `nil` where a person looks on.
  let server: BuildServer?
  /// Whether nothing more is run after a scenario that fails.
  let isFailFast: Bool
  let isQuiet: Bool
  var baseline: BaselineRun?
  /// What draws figures.
  let gnuplot = Gnuplot.find(environment: ProcessInfo.processInfo.environment)

  /// What came of the session.
  struct Outcome {
    /// The scenarios that were run.
    let summary: RunSummary
    /// What ended it before its time; `nil` where nothing did.
    let error: (any Error)?
  }

  /// Runs scenarios until all are done, one ends with an error, or somebody wants an early end.
  ///
  /// - Parameters:
  ///   - scenarios: what to run, in order.
  ///   - command: what a person types to run one again.
  ///   - show: shows a run that has been recorded; an error of it ends the showing, and the others are run all the
  ///     same.
  /// - Returns: the runs that ended, and what went wrong, if anything did.
  func run(
    _ scenarios: [Scenario], command: (Scenario) -> String, show: (FinishedRun) throws -> Void
  ) -> Outcome {
    var runs: [FinishedRun] = []
    var unshown: Stopped?
    for (index, scenario) in scenarios.enumerated() where !bench.wasInterrupted {
      if !isQuiet { Console.say("running \(index + 1) of \(scenarios.count): \(scenario.name)") }
      do {
        let runner = ScenarioRunner(
          root: root, command: command(scenario), bench: bench.scenarios, gnuplot: gnuplot,
          gsl: GSLLibrary.version, build: .current, baseline: baseline)
        Log.info("began", ["file": scenario.file, "kind": scenario.kind.name, "workers": "\(bench.jobs)"])
        let finished = try runner.run(scenario)
        log(finished)
        runs.append(finished)
        try history?.record(finished)
        if history != nil { Log.info("remembered", ["folder": finished.folder]) }
        if let server { server.annotate(GitHubAnnotation.all(of: finished, in: server.workspace)) }
        if unshown == nil {
          do { try show(finished) } catch { unshown = Stopped(scenario.file, error) }
        }
        if isFailFast, finished.document.verdict == .fails { break }
      } catch {
        Log.info("ended with an error", ["file": scenario.file])
        return Outcome(summary: RunSummary(runs, wanted: scenarios.count), error: Stopped(scenario.file, error))
      }
    }
    return Outcome(summary: RunSummary(runs, wanted: scenarios.count), error: unshown)
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
      ["file": run.file, "judgement": run.document.verdict.rawValue].merging(times) { first, _ in first })
  }
}
