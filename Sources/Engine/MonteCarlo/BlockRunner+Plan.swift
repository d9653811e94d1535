// SPDX-License-Identifier: GPL-3.0-or-later

/// What a judge is shown at the end of a wave.
public struct Wave<Tally: MergeableTally>: Sendable {
  /// The sum over the blocks of this wave alone.
  public let tally: Tally
  /// The sum over all blocks so far, this wave's included.
  public let total: Tally
  /// Rounds so far, this wave's included.
  public let rounds: Int
}

/// What a planned run came to.
public struct RunOutcome<Tally: MergeableTally>: Sendable {
  /// The sum over the blocks played.
  public let tally: Tally
  /// How many blocks were played: always the first ones.
  public let blocks: Int
  /// How many rounds those blocks hold.
  public let rounds: Int
  /// Why the run ended.
  public let reason: StopReason
}

extension BlockRunner {
  /// Plays a plan until its rule says to stop.
  ///
  /// - Parameters:
  ///   - plan: The blocks, the rule, and when the judge may look.
  ///   - empty: The tally of no block at all.
  ///   - interrupt: Looked at between blocks; blocks in hand are finished and counted.
  ///   - progress: Told about the rounds of every finished block.
  ///   - makeScratch: Makes what a worker needs to play; called once on each worker in every wave.
  ///   - body: Plays one block from its index alone.
  ///   - judge: Called on the calling thread after every whole wave of a `halfWidth` or `certification` rule; true ends
  ///     the run. Waves do not depend on the number of workers, so neither does what the judge sees.
  /// - Returns: The sum, the number of blocks and rounds in it, and why the run ended.
  /// - Throws: What `run(blocks:into:interrupt:deadline:makeScratch:body:)` throws.
  public func run<Scratch: ~Copyable, Tally: MergeableTally, Failure: Error>(
    _ plan: BlockPlan, into empty: Tally, interrupt: Interrupt? = nil, progress: ProgressMeter? = nil,
    makeScratch: @escaping @Sendable () throws(Failure) -> Scratch,
    body: @escaping @Sendable (Block, inout Scratch) throws(Failure) -> Tally,
    judge: (Wave<Tally>) -> Bool = { _ in false }
  ) throws(Failure) -> RunOutcome<Tally> {
    var total = empty
    var done = 0
    func outcome(_ reason: StopReason) -> RunOutcome<Tally> {
      RunOutcome(tally: total, blocks: done, rounds: plan.rounds(inFirst: done), reason: reason)
    }
    while true {
      let wave = plan.wave(after: done)
      if wave.isEmpty { return outcome(.completed) }
      let run = try run(
        blocks: wave, into: empty, interrupt: interrupt, deadline: plan.deadlineFromNow, makeScratch: makeScratch,
        body: { (index, scratch: inout Scratch) throws(Failure) -> Tally in
          let block = plan.block(index)
          let tally = try body(block, &scratch)
          progress?.advance(by: block.rounds)
          return tally
        })
      total.merge(run.tally)
      done = run.blocks.upperBound
      if done < wave.upperBound { return outcome(interrupt?.isRaised == true ? .interrupted : .deadline) }
      let seen = Wave(tally: run.tally, total: total, rounds: plan.rounds(inFirst: done))
      if plan.looksAtResults, judge(seen) { return outcome(.settled) }
    }
  }
}

extension BlockPlan {
  /// A rule with a deadline has a single wave, so its clock starts with it.
  fileprivate var deadlineFromNow: ContinuousClock.Instant? {
    if case .deadline(let duration) = rule { ContinuousClock.now + duration } else { nil }
  }

  fileprivate var looksAtResults: Bool {
    switch rule {
    case .halfWidth, .certification: true
    case .rounds, .deadline: false
    }
  }
}
