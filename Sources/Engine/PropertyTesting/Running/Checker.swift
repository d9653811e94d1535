// SPDX-License-Identifier: Apache-2.0
internal import MonteCarlo
internal import SeededWords

/// Draws and evaluates cases in blocks on several threads, until enough have passed or one has failed.
struct Checker: Sendable {
  let trial: Trial
  let settings: CheckSettings
  let environment: CheckEnvironment
  let argumentNames: [String]

  init(
    trial: Trial, settings: CheckSettings, environment: CheckEnvironment = CheckEnvironment(),
    argumentNames: [String] = []
  ) {
    self.trial = trial.passing(settings.known)
    (self.settings, self.environment, self.argumentNames) = (settings, environment, argumentNames)
  }

  func run() throws -> CheckReport {
    try settings.validate()
    if let refusal = trial.refusal { throw refusal }
    let plan = CheckPlan(cases: settings.cases, search: settings.search)
    let corpus = settings.search == .uniform ? GuidedCorpus(edges: Guidance.edges) : nil
    let cutoff = Cutoff(interrupt: environment.interrupt, deadline: settings.timeLimit.map { .now + $0 })
    let empty = CheckAccount(coverage: CoverageCheck(confidence: settings.coverageConfidence), corpus: corpus)
    let account = try play(plan, into: empty, cutoff)
    let outcome = try outcome(of: account, cutoff)
    var report = CheckReport(
      outcome, account.tally, ending: ending(of: account, plan), coverage: account.coverage.findings,
      warnings: HealthWarning.warnings(about: account.tally, timing: account.timing), settings: settings,
      argumentNames: argumentNames)
    report.guidance = GuidanceFinding(account.corpus, known: account.known, settings: settings)
    return report
  }

  /// Plays the blocks; those of a guided search in waves, each with the cases that the earlier waves have kept.
  private func play(_ plan: CheckPlan, into empty: CheckAccount, _ cutoff: Cutoff) throws -> CheckAccount {
    let streams = try CheckStreams(settings)
    var account = empty
    while account.blocks < plan.blocks, !account.isClosed, !account.isLate {
      let (first, corpus) = (account.blocks, account.corpus)
      let wave = corpus == nil ? first..<plan.blocks : plan.wave(from: first, triesFirst: !settings.corpus.isEmpty)
      account = try BlockRunner(workers: settings.jobs).fold(
        blocks: wave, into: account, interrupt: cutoff.interrupt, deadline: cutoff.deadline,
        makeScratch: { () throws(any Error) -> ChoiceSource in try streams.draws(.cases) },
        body: { (block, draws: inout ChoiceSource) throws(any Error) -> BlockResult in
          draws.reseed(try streams.seed(.cases, block: block))
          let result = try evaluate(block, plan, corpus, cutoff, &draws)
          environment.progress?.advance(by: result.tally.passed)
          return result
        }, until: { $0.ending.isLast }
      ) { account, result in
        account.add(result)
        guard let progress = account.progress else { return }
        environment.guided?(progress)
        environment.progress?.say(progress.text)
      }
      if account.blocks < wave.upperBound { break }
    }
    return account
  }

  private func evaluate(
    _ block: Int, _ plan: CheckPlan, _ corpus: GuidedCorpus?, _ cutoff: Cutoff, _ draws: inout ChoiceSource
  ) throws -> BlockResult {
    let context = CaseContext(countsCommands: environment.countsCommands)
    draws.profile.isSwarming = settings.search == .swarm
    let stored = block == 0 && settings.search == .uniform ? settings.corpus.reversed() : []
    var loop = CaseLoop(
      trial: trial.recording(into: context), context: context, settings: settings, clock: environment.clock,
      cutoff: cutoff,
      block: block, quota: plan.quota(of: block), start: plan.start(of: block), relates: settings.search == .uniform,
      guidance: Guidance(from: corpus, block: block, triesStored: !stored.isEmpty), kept: environment.kept,
      stored: stored)
    var result = try CaseContext.$current.withValue(context) { try loop.run(&draws) }
    if let guidance = loop.guidance {
      result.kept = guidance.corpus.cases
      result.known = loop.stored.isEmpty ? guidance.known ?? guidance.corpus.reached : nil
    }
    return result
  }

  private func outcome(of account: CheckAccount, _ cutoff: Cutoff) throws -> CheckReport.Outcome {
    switch account.ending {
    case .exhausted: return .exhausted
    case .generatorFailed(let failure): return .generatorFailed(failure)
    case .failed(let failure, let choices):
      return try FailureAnalysis(trial: trial, settings: settings, argumentNames: argumentNames, cutoff: cutoff)
        .examine(choices, failure, casesUntilFound: account.tally.passed + 1)
    case .finished:
      let isBelow = account.coverage.findings.contains { $0.verdict == .fails }
      return isBelow ? .insufficientCoverage : .held
    }
  }

  private func ending(of account: CheckAccount, _ plan: CheckPlan) -> StopReason {
    if account.isClosed { return .completed }
    if account.isLate { return .deadline }
    if account.blocks == plan.blocks { return .completed }
    return environment.interrupt?.isRaised == true ? .interrupted : .deadline
  }
}

struct CheckStreams: Sendable {
  enum Purpose: Int, CaseIterable { case cases, shrinking, explaining }

  private let family: StreamFamily

  init(_ settings: CheckSettings) throws(RandomnessError) {
    family = try StreamFamily(rootSeed: settings.seed, experiments: Purpose.allCases.map { "\($0)" })
  }

  func seed(_ purpose: Purpose, block: Int) throws(RandomnessError) -> UInt32 {
    try family.seed(ordinal: purpose.rawValue, block: block)
  }

  func draws(_ purpose: Purpose) throws(RandomnessError) -> ChoiceSource {
    ChoiceSource(seed: try seed(purpose, block: 0))
  }
}

/// The division of the cases of a check into blocks, each with its own random stream.
///
/// It depends only on the search mode, so a check of more cases begins with the cases of a check of fewer.
struct CheckPlan: Sendable, Hashable {
  let cases: Int
  /// The first blocks are small, so that a check of a few hundred slow cases keeps every thread busy.
  private let smallBlocks: Int
  private let casesPerSmallBlock = 100
  private let casesPerBlock: Int
  static let blocksOfWave = 16

  init(cases: Int, search: SearchMode) {
    self.cases = cases
    // A climb lasts one block, so short blocks would make no progress.
    (smallBlocks, casesPerBlock) = search == .target ? (0, 10_000) : (10, 1000)
  }

  var blocks: Int {
    let small = smallBlocks * casesPerSmallBlock
    if cases <= small { return (cases + casesPerSmallBlock - 1) / casesPerSmallBlock }
    return smallBlocks + (cases - small + casesPerBlock - 1) / casesPerBlock
  }

  func quota(of block: Int) -> Int {
    min(block < smallBlocks ? casesPerSmallBlock : casesPerBlock, cases - start(of: block))
  }

  /// The blocks that a guided search plays at the same time: only the first one if it tries stored cases.
  func wave(from block: Int, triesFirst: Bool) -> Range<Int> {
    let end = block == 0 && triesFirst ? 1 : block < smallBlocks ? smallBlocks : block + Self.blocksOfWave
    return block..<min(end, blocks)
  }

  /// The number of cases in the blocks before a block.
  func start(of block: Int) -> Int {
    min(block, smallBlocks) * casesPerSmallBlock + max(0, block - smallBlocks) * casesPerBlock
  }
}

/// The loop over the cases of a block. It is not copyable, because a copy costs more than many a case.
private struct CaseLoop: ~Copyable {
  let trial: Trial
  let context: CaseContext
  let settings: CheckSettings
  let clock: (@Sendable () -> Duration)?
  let cutoff: Cutoff
  let block: Int
  let quota: Int
  /// The number of cases in the blocks before this one.
  let start: Int
  /// True if some cases get a relation between their parts.
  let relates: Bool
  var hillClimbing: HillClimbing?
  /// The guidance by instrumented code; `nil` if no code is instrumented.
  var guidance: Guidance?
  let kept: (@Sendable (GuidedCase) -> Void)?
  /// Stored cases that are tried first, in reverse order.
  var stored: [ChoiceSequence]
  var attempts = 0
  var result = BlockResult()

  mutating func run(_ draws: inout ChoiceSource) throws(Abandoned) -> BlockResult {
    // A small block may discard many cases by chance, so at least a hundred cases decide.
    let maxDiscards = settings.discardRatio.multipliedReportingOverflow(by: max(100, quota)).partialValue
    hillClimbing = settings.search == .target ? HillClimbing() : nil
    var discarded = 0
    while wantsMore(draws) {
      try cutoff.interrupt?.check()
      // The very first case is always evaluated, so that there is a result.
      if cutoff.isLate, block > 0 || attempts > 0 {
        result.isLate = true
        return result
      }
      let isChanged = begin(&draws)
      switch evaluate(&draws) {
      case .passed:
        result.tally.passed += 1
        result.tally.maxChoices = max(result.tally.maxChoices, draws.recorded.count)
        context.count(in: &result.tally)
        if var isNew = guidance?.seesNew {
          if isNew { isNew = seesNewAgain(&draws) }
          guidance?.learn(draws.choices, isNew: isNew)
          if isNew, let kept, let one = guidance?.corpus.cases.last { kept(one) }
        }
        if hillClimbing != nil && !context.isSilent {
          let scores = context.withAnnotations { $0.scores }
          hillClimbing?.learn(draws.choices, scores)
        }
      case .discarded(let reason):
        // A changed copy that no longer fits says nothing about the generators.
        if isChanged { continue }
        result.tally.discards[reason, default: 0] += 1
        discarded += 1
        if discarded > maxDiscards || hopeless {
          result.ending = .exhausted
          return result
        }
      case .failed(let failure):
        result.ending = .failed(failure, draws.choices)
        return result
      case .generatorFailed(let failure):
        result.ending = .generatorFailed(failure)
        return result
      case .declined:
        // The task is cancelled.
        throw Abandoned()
      }
    }
    return result
  }

  /// True if no case can be expected: none passed, and many were too large or impossible, which may take long to find.
  private var hopeless: Bool {
    result.tally.passed == 0 && result.tally.discarded == 30
      && result.tally.discards.keys.allSatisfy {
        if case .impossible = $0 { true } else { $0 == .tooLarge }
      }
  }

  private func wantsMore(_ draws: borrowing ChoiceSource) -> Bool {
    if result.tally.passed < quota { return true }
    return isGiving(draws) || !stored.isEmpty
  }

  /// Returns true if given values are used next: in the first of all cases, even beyond the number requested.
  private func isGiving(_ draws: borrowing ChoiceSource) -> Bool { start == 0 && attempts < max(1, draws.maxGiven) }

  /// Begins an independent case, or a changed copy of an earlier one.
  private mutating func begin(_ draws: inout ChoiceSource) -> Bool {
    draws.givenTurn = isGiving(draws) ? attempts : .max
    draws.caseNumber = start + attempts
    if draws.givenTurn < draws.maxGiven {
      draws.begin()
      return false
    }
    if let next = stored.popLast() {
      draws.begin(reading: next, gap: .random)
      return true
    }
    guidance?.hasTriedStored()
    if let changed = hillClimbing?.propose(&draws.words) {
      draws.begin(reading: changed, gap: .random)
      return true
    }
    // Relations have fixed turns: they come in an order, and a skipped one would be late.
    let isRelated = relates && RelatedCases.isTurn(start + attempts)
    if !isRelated, let changed = guidance?.propose(&draws.words) {
      draws.begin(reading: changed, gap: .random)
      return true
    }
    draws.begin()
    guard isRelated else { return false }
    // Drawn without evaluation, and read again with a relation if one fits, otherwise unchanged.
    guard trial.attempt(&draws, { _ in false }) == .declined else {
      draws.begin()
      return false
    }
    let drawn = draws.choices
    let related = RelatedCases.relating(drawn, number: start + attempts)
    draws.begin(reading: related ?? drawn, gap: .random)
    return related != nil
  }

  /// Returns true if a case covers something new when it is evaluated again. One-time work of the process, such as the
  /// creation of a global value, is done by the first case that needs it, which depends on the number of jobs.
  private func seesNewAgain(_ draws: inout ChoiceSource) -> Bool {
    guard let guidance else { return false }
    draws.begin(reading: draws.choices)
    _ = trial.attempt(&draws) { _ in
      guidance.start()
      return true
    }
    guidance.stop()
    return guidance.seesNew
  }

  private mutating func evaluate(_ draws: inout ChoiceSource) -> CaseOutcome {
    let isTimed = block == 0 && attempts & 7 == 0
    attempts += 1
    let clock = isTimed ? clock : nil
    guard guidance != nil || clock != nil else { return trial.attempt(&draws) { _ in true } }
    let guidance = guidance
    defer { guidance?.stop() }
    let begun = clock?()
    var drawn: Duration?
    let verdict = trial.attempt(&draws) { _ in
      drawn = clock?()
      guidance?.start()
      return true
    }
    if let clock, let begun {
      let ended = clock()
      result.timing.add(drawing: (drawn ?? ended) - begun, evaluating: ended - (drawn ?? ended))
    }
    return verdict
  }
}

struct BlockResult: Sendable {
  enum Ending: Sendable {
    case finished
    case exhausted
    /// A generator failed; no case was drawn after it.
    case generatorFailed(Failure)
    /// A case failed; no case was drawn after it.
    case failed(Failure, ChoiceSequence)

    /// True if no block after this one counts.
    var isLast: Bool { if case .finished = self { false } else { true } }
  }

  var tally = CaseTally()
  var timing = CaseTiming()
  var ending = Ending.finished
  /// True if the time ended before the block had all its cases.
  var isLate = false
  /// The additions to the corpus of a guided search.
  var kept: [GuidedCase] = []
  /// The number of edges of the stored cases; `nil` if not all of them were tried.
  var known: Int?
}

/// The sum of the first blocks, up to the first one that ends the check.
///
/// A failure, and all counts before it, are therefore the same at any number of jobs.
private struct CheckAccount: Sendable {
  var tally = CaseTally()
  var timing = CaseTiming()
  var coverage: CoverageCheck
  /// The cases kept by a guided search.
  var corpus: GuidedCorpus?
  /// The number of edges of the stored cases; `nil` if not all of them were tried.
  var known: Int?
  /// The number of cases that had passed when a case was last kept.
  private var lastNew = 0
  var blocks = 0
  var ending = BlockResult.Ending.finished
  /// True if a block was cut short. A later block may still have failed before that.
  var isLate = false

  init(coverage: CoverageCheck, corpus: GuidedCorpus?) { (self.coverage, self.corpus) = (coverage, corpus) }

  var isClosed: Bool { ending.isLast }

  /// The progress of a guided search; `nil` for others.
  var progress: GuidanceProgress? {
    corpus.map { GuidanceProgress(edges: $0.reached, kept: $0.cases.count, lastNew: lastNew) }
  }

  mutating func add(_ result: BlockResult) {
    tally.merge(result.tally)
    if blocks == 0 { (timing, known) = (result.timing, result.known) }
    let before = corpus?.cases.count
    for one in result.kept { corpus?.add(one) }
    if corpus?.cases.count != before { lastNew = tally.passed }
    coverage.absorb(result.tally)
    ending = result.ending
    isLate = isLate || result.isLate
    blocks += 1
  }
}
