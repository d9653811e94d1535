// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Randomness

/// Draws and judges cases, block by block on several threads, until enough have passed or one has failed.
struct Checker: Sendable {
  private let trial: Trial
  private let settings: CheckSettings
  private let environment: CheckEnvironment
  private let argumentNames: [String]

  init(
    _ trial: Trial, _ settings: CheckSettings, _ environment: CheckEnvironment = CheckEnvironment(),
    argumentNames: [String] = []
  ) {
    self.argumentNames = argumentNames
    self.trial = trial
    self.settings = settings
    self.environment = environment
  }

  /// Nothing: the ledger keeps the results, because they must be added up in order.
  private struct NoTally: MergeableTally {
    func merge(_ other: NoTally) {}
  }

  /// Ends the run, because a block has ended the check.
  private struct Closed: Error {}

  func run() throws -> CheckReport {
    try settings.validate()
    let plan = CheckPlan(cases: settings.cases, search: settings.search)
    let ledger = CheckLedger(coverageConfidence: settings.coverageConfidence)
    try play(plan, ledger)
    let account = ledger.account
    let outcome = try outcome(of: account)
    return CheckReport(
      outcome, account.tally, ending: ending(of: account, plan), coverage: account.coverage.findings,
      warnings: HealthWarning.warnings(about: account.tally, timing: account.timing), settings: settings,
      argumentNames: argumentNames)
  }

  private func play(_ plan: CheckPlan, _ ledger: CheckLedger) throws {
    let streams = try CheckStreams(settings)
    let deadline = settings.timeLimit.map { ContinuousClock.now + $0 }
    do {
      _ = try BlockRunner(workers: settings.jobs).run(
        blocks: 0..<plan.blocks, into: NoTally(), interrupt: environment.interrupt, deadline: deadline,
        makeScratch: { () throws(any Error) -> Draws in try streams.draws(.cases) },
        body: { (block, draws: inout Draws) throws(any Error) -> NoTally in
          try draws.reseed(streams.seed(.cases, block: block))
          let result = judge(block, plan.quota(of: block), &draws)
          ledger.record(result, of: block)
          environment.progress?.advance(by: result.tally.passed)
          if case .finished = result.ending { return NoTally() }
          throw Closed()
        })
    } catch is Closed {
      // The ledger knows which block it was.
    }
  }

  private func judge(_ block: Int, _ quota: Int, _ draws: inout Draws) -> BlockResult {
    let context = CaseContext()
    draws.mood.isSwarming = settings.search == .swarm
    var loop = CaseLoop(
      trial.heard(by: context), heardBy: context, settings, environment, block: block, quota: quota)
    return CaseContext.$current.withValue(context) { loop.run(&draws) }
  }

  private func outcome(of account: CheckLedger.Account) throws -> CheckReport.Outcome {
    switch account.ending {
    case .exhausted: return .exhausted
    case .failed(let failure, let tape):
      let examination = Examination(trial, settings, argumentNames: argumentNames)
      return try examination.examine(tape, failure, casesUntilFound: account.tally.passed + 1)
    case .finished:
      let isBelow = account.coverage.findings.contains { $0.verdict == .below }
      return isBelow && settings.coverageDecides ? .insufficientCoverage : .held
    }
  }

  private func ending(of account: CheckLedger.Account, _ plan: CheckPlan) -> StopReason {
    if account.isClosed || account.blocks == plan.blocks { return .completed }
    return environment.interrupt?.isRaised == true ? .interrupted : .deadline
  }
}

/// The random streams of one check.
struct CheckStreams: Sendable {
  enum Purpose: Int, CaseIterable { case cases, shrinking, explaining }

  private let family: StreamFamily
  private let generator: String

  init(_ settings: CheckSettings) throws(RandomnessError) {
    family = try StreamFamily(rootSeed: settings.seed, experiments: Purpose.allCases.map { "\($0)" })
    generator = settings.generator
  }

  func seed(_ purpose: Purpose, block: Int) throws(RandomnessError) -> UInt32 {
    try family.seed(ordinal: purpose.rawValue, block: block)
  }

  func draws(_ purpose: Purpose) throws(RandomnessError) -> Draws {
    try Draws(generator: generator, seed: seed(purpose, block: 0))
  }
}
