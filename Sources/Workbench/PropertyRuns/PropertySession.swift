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

  /// Runs cases in a process that is started by the words of `worker`, as `WorkerHost` serves it; for nil in this
  /// process. That process is ended where a case takes longer than `caseLimit`; `meter` counts the cases that pass.
  ///
  /// - Throws: `WorkerError.refused` when the worker cannot be started.
  package init(
    worker: [String]?, caseLimit: Duration, jobs: Int, interrupt: Interrupt, meter: ProgressMeter? = nil
  ) throws {
    (self.interrupt, self.caseLimit, self.jobs, self.meter) = (interrupt, caseLimit, jobs, meter)
    runner = try worker.map { try IsolatedRunner(command: $0, jobs: jobs, caseLimit: caseLimit) }
  }

  /// - Throws: What is wrong with the settings, the generators or a case that does not end: the first such case, at any
  ///   number of jobs.
  func check(_ chosen: Catalogues.Chosen, _ settings: CheckSettings) throws -> CheckReport {
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

  /// - Throws: `ReplayError` for a case of another property, `WorkerError` for one that does not end.
  package func replay(_ token: ReplayToken, of chosen: Catalogues.Chosen) throws -> ReplayOutcome {
    guard let runner else { return try watched(chosen) { try $0.replay(token) } }
    return try runner.replay(token, of: chosen.property, mutant: chosen.mutant)
  }

  /// Work in this process, which prints the command that runs a case again that ends the process or does not end: in a
  /// worker, which is what may end.
  private func watched<Value>(_ chosen: Catalogues.Chosen, _ work: (Property) throws -> Value) throws -> Value {
    try chosen.property.reportingTraps(caseLimit: caseLimit, threads: jobs) { token in
      token.map { ["replay: \(chosen.replayCommand($0, []))"] } ?? []
    } _: {
      try work($0)
    }
  }
}

/// Tests properties one after the other: stored examples first where that is wanted, then new cases, and stores what
/// fails.
struct PropertySession {
  let bench: PropertyBench
  let settings: CheckSettings
  let store: ExampleStore?
  /// Where a guided search has its cases from, and stores them; nil for none.
  var corpus: CorpusStore?
  /// Whether it goes on where the last one was, with another seed.
  var isCampaign = false
  /// Where stored examples are retried, the result depends on what earlier runs found, and not on the property and the
  /// settings alone.
  let retriesExamples: Bool
  /// The words that commands to run a case again end with, such as `--case-limit 2s`.
  let replayOptions: [String]

  /// Tests a property; what is wrong with it or its examples is part of the result.
  func result(of chosen: Catalogues.Chosen, within time: Duration? = nil) -> PropertyResult {
    var remarks: [String] = []
    func result(_ outcome: PropertyResult.Outcome) -> PropertyResult {
      PropertyResult(chosen: chosen, outcome: outcome, replayOptions: replayOptions, remarks: remarks)
    }
    do {
      let retrial = try retriesExamples ? store?.retry(chosen.property) { try bench.replay($0, of: chosen) } : nil
      remarks += retrial?.remarks ?? []
      var settings = settings
      settings.timeLimit = time
      if let retrial, let report = retrial.report(about: chosen.property, settings: settings) {
        remarks += retrial.failing.map { "fails still: \($0.example.path)" }
        return result(.tested(report))
      }
      let kept = corpus?.contents(of: chosen.property.id)
      if let kept {
        remarks += kept.warnings
        settings.corpus = kept.tapes
        if isCampaign { settings.seed &+= UInt64(kept.campaigns) }
      }
      var found: [Tape]?
      // A campaign that ends over a case is one as well: the next one has another seed.
      defer {
        if let corpus, let kept, kept.isWritable, isCampaign || found != nil {
          remarks += corpus.save(
            found ?? kept.tapes, campaigns: kept.campaigns + (isCampaign ? 1 : 0), of: chosen.property)
        }
      }
      let report = try bench.check(chosen, settings)
      found = report.guidance?.kept
      for found in report.counterexamples {
        remarks += stored { try store?.save(found, of: chosen.property) }
      }
      return result(.tested(report))
    } catch {
      if case WorkerError.hung(_, let limit, let token?) = error {
        let failure = Failure("it did not end within \(limit)", origin: "hang")
        remarks += stored {
          try store?.save(token, sentence: chosen.property.sentence, arguments: [], failure: failure)
        }
      }
      return result(.undecided("\(error)"))
    }
  }

  /// A failure that cannot be stored is a failure all the same: its token is in the report.
  private func stored(_ save: () throws -> StoredExample?) -> [String] {
    do {
      return try save().map { ["stored: \($0.path)"] } ?? []
    } catch {
      return ["warning: \(error)"]
    }
  }
}

extension Catalogues.Chosen {
  /// The command that runs a case again.
  func replayCommand(_ token: ReplayToken, _ options: [String]) -> String {
    ShellLine.text(["assay", "properties", "replay", "\(token)"] + (mutant.map { ["--mutant", $0] } ?? []) + options)
  }
}
