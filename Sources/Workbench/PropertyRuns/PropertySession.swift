// SPDX-License-Identifier: GPL-3.0-or-later
package import MonteCarlo
package import PropertyTesting
internal import Reporting

/// Runs properties in this process, or in workers, so that a case that ends its process, or never ends, is a result.
package final class PropertyBench {
  private let interrupt: Interrupt
  private let runner: IsolatedRunner?
  private let caseLimit: Duration
  private let jobs: Int
  private let meter: ProgressMeter?

  /// Runs cases in a process that the words of `worker` start and `WorkerHost` serves; for nil in this process. The
  /// process is ended if a case takes longer than `caseLimit`; `meter` counts the cases that pass.
  ///
  /// - Throws: `WorkerError.refused` when the worker cannot be started.
  package init(
    worker: [String]?, caseLimit: Duration, jobs: Int, interrupt: Interrupt, meter: ProgressMeter? = nil
  ) throws {
    (self.interrupt, self.caseLimit, self.jobs, self.meter) = (interrupt, caseLimit, jobs, meter)
    runner = try worker.map { try IsolatedRunner(command: $0, jobs: jobs, caseLimit: caseLimit) }
  }

  /// The cases that the last guided check in a worker has kept, even if it ended early.
  var kept: [ChoiceSequence] { runner?.kept ?? [] }

  /// - Throws: Errors of the settings, of the generators or for a case that does not end: the first such case, at any
  ///   number of jobs.
  package func check(_ chosen: Catalogues.Chosen, _ settings: CheckSettings) throws -> CheckReport {
    guard let runner else {
      let environment = CheckEnvironment(interrupt: interrupt, progress: meter)
      return try watched(chosen) { try $0.check(settings, in: environment) }
    }
    var counted = 0
    return try runner.check(chosen.property, mutant: chosen.mutant, settings: settings, interrupt: interrupt) {
      [meter] passed in
      meter?.say(runner.guidance?.text ?? "")
      meter?.advance(by: max(0, passed - counted))
      counted = max(counted, passed)
    }
  }

  /// - Throws: `ReplayError` for a case of another property, `WorkerError` for one whose generator does not end.
  package func replay(_ token: ReplayToken, of chosen: Catalogues.Chosen) throws -> ReplayOutcome {
    guard let runner else { return try watched(chosen) { try $0.replay(token) } }
    return try runner.replay(token, of: chosen.property, mutant: chosen.mutant)
  }

  /// Does work in this process, which prints the command that replays a case if that ends the process or does not end.
  private func watched<Value>(_ chosen: Catalogues.Chosen, _ work: (Property) throws -> Value) throws -> Value {
    try chosen.property.reportingTraps(caseLimit: caseLimit, threads: jobs) { token in
      token.map { ["replay: \(chosen.replayCommand($0, []))"] } ?? []
    } _: {
      try work($0)
    }
  }
}

/// Tests properties one after the other, each with its stored examples and its corpus.
struct PropertySession {
  let bench: PropertyBench
  let settings: CheckSettings
  let store: ExampleStore?
  /// The corpus from which a guided search takes its cases and to which it adds; nil for none.
  var corpus: CorpusStore?
  /// True if it continues after the last campaign, with another seed.
  var isCampaign = false
  /// True if stored examples are retried, so that the result depends on earlier runs, too.
  let retriesExamples: Bool
  /// The last words of commands to run a case again, such as `--case-limit 2s`.
  let replayOptions: [String]

  /// Tests a property; errors of it or its examples are part of the result.
  func result(of chosen: Catalogues.Chosen, within time: Duration? = nil) -> PropertyResult {
    var remarks: [String] = []
    var settings = settings
    settings.timeLimit = time
    var outcome: PropertyResult.Outcome
    do {
      outcome = .tested(
        try chosen.property.check(
          with: store, retries: retriesExamples, settings: settings, remarks: &remarks,
          replay: { try bench.replay($0, of: chosen) }
        ) { try check(chosen, settings, &$0) })
    } catch {
      outcome = .undecided("\(error)")
    }
    return PropertyResult(chosen: chosen, outcome: outcome, replayOptions: replayOptions, remarks: remarks)
  }

  /// Tests new cases of a property. Its corpus is stored even if that fails: the fewest cases, or after an early end
  /// the stored and the new ones.
  private func check(
    _ chosen: Catalogues.Chosen, _ settings: CheckSettings, _ remarks: inout [String]
  ) throws -> CheckReport {
    guard let corpus else { return try bench.check(chosen, settings) }
    var settings = settings
    let stored = corpus.contents(of: chosen.property.id)
    remarks += stored.warnings
    settings.corpus = stored.sequences
    if isCampaign { settings.seed &+= UInt64(stored.campaigns) }
    let report = Result { try bench.check(chosen, settings) }
    let fewest = try? report.get().guidance?.kept
    let new = bench.kept.filter { !stored.sequences.contains($0) }
    if stored.isWritable, fewest != nil || isCampaign || !new.isEmpty {
      remarks += corpus.save(
        fewest ?? stored.sequences + new, campaigns: stored.campaigns + (isCampaign ? 1 : 0), of: chosen.property)
    }
    return try report.get()
  }
}

extension Catalogues.Chosen {
  /// The command that runs a case again.
  func replayCommand(_ token: ReplayToken, _ options: [String]) -> String {
    ShellLine.text(["assay", "properties", "replay", "\(token)"] + (mutant.map { ["--mutant", $0] } ?? []) + options)
  }
}
