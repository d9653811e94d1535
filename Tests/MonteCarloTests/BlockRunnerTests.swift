// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Randomness
import Statistics
import Synchronization
import TestSupport
import Testing

@Suite("Playing blocks on workers")
struct BlockRunnerTests {
  struct Broken: Error, Equatable { let block: Int }

  @Test("One, two and seven workers give the same bits, and the right answer", arguments: [1, 2, 7])
  func sameBits(workers: Workers) throws {
    let plan = try BlockPlan(.rounds(200_123), roundsPerBlock: 1000)
    let alone = try PointsInCircle().run(plan, workers: 1)
    let together = try PointsInCircle().run(plan, workers: workers)
    #expect(together.tally == alone.tally)
    #expect(together.blocks == 201)
    #expect(together.tally.count == 200_123)
    #expect(together.reason == .completed)
    #expect(abs(4 * together.tally.mean - .pi) < 5 * 4 * together.tally.standardError)
  }

  @Test("Every block is played exactly once", arguments: [1, 2, 7])
  func everyBlockOnce(workers: Int) throws {
    let played = Mutex<[Int]>([])
    let run = try BlockRunner(workers: workers).run(
      blocks: 5..<305, into: MomentTally(), makeScratch: { 0 },
      body: { (block, _: inout Int) in
        played.withLock { $0.append(block) }
        var tally = MomentTally()
        tally.add(block)
        return tally
      })
    #expect(played.withLock { $0.sorted() } == Array(5..<305))
    #expect(run.blocks == 5..<305)
    #expect(run.tally.sum == (5..<305).reduce(0, +))
  }

  @Test("As many workers as asked for play at the same time", arguments: [1, 2, 7])
  func reallyAbreast(workers: Int) throws {
    // Each worker's first block waits until all workers have one: fewer threads than workers would wait in vain.
    let everyone = DispatchSemaphore(value: 0)
    let count = Atomic<Int>(0)
    let threads = Mutex<Set<ObjectIdentifier>>([])
    _ = try BlockRunner(workers: workers).run(
      blocks: 0..<workers, into: MomentTally(), makeScratch: { 0 },
      body: { (_, _: inout Int) in
        threads.withLock { _ = $0.insert(ObjectIdentifier(Thread.current)) }
        if count.wrappingAdd(1, ordering: .relaxed).newValue == workers {
          for _ in 0..<workers { everyone.signal() }
        }
        #expect(everyone.wait(timeout: .now() + 60) == .success)
        return MomentTally()
      })
    #expect(threads.withLock { $0.count } == workers)
  }

  @Test("No blocks give the empty tally")
  func noBlocks() throws {
    let run = try BlockRunner(workers: 2).run(
      blocks: 3..<3, into: MomentTally(), makeScratch: { 0 }, body: { (_, _: inout Int) in MomentTally() })
    #expect(run.tally == MomentTally())
    #expect(run.blocks.isEmpty)
  }

  @Test("Of several failing blocks the lowest one is reported", arguments: [1, 2, 7], [0, 1, 2, 3])
  func lowestFailure(workers: Int, repetition: Int) throws {
    let runner = try BlockRunner(workers: workers)
    #expect(throws: Broken(block: 23)) {
      try runner.run(
        blocks: 0..<100, into: MomentTally(), makeScratch: { 0 },
        body: { (block, _: inout Int) throws in
          if block >= 23, block % 2 == 1 { throw Broken(block: block) }
          return MomentTally()
        })
    }
  }

  @Test("A worker that cannot be set up fails the run")
  func scratchFailure() throws {
    let runner = try BlockRunner(workers: 2)
    #expect(throws: RandomnessError.self) {
      try runner.run(
        blocks: 0..<4, into: MomentTally(), makeScratch: { try WordStream(named: "no such generator", seed: 1) },
        body: { (_, _: inout WordStream) in MomentTally() })
    }
  }

  @Test("A number of workers that makes no sense is refused by name", arguments: [0, -3, 2000])
  func refusedWorkers(workers: Int) throws {
    #expect(
      throws: MonteCarloError.badValue(name: "workers", value: "\(workers)", expected: "a number from 1 to 1024")
    ) { try BlockRunner(workers: workers) }
  }
}

@Suite("Adding the results of blocks in their order")
struct BlockFoldTests {
  private func blocks(
    workers: Int, last: Int? = nil, failing: [Int] = [], interrupt: Interrupt? = nil
  ) throws -> [Int] {
    try BlockRunner(workers: workers).fold(
      blocks: 5..<105, into: [Int](), interrupt: interrupt, makeScratch: { 0 },
      body: { (block, _: inout Int) throws -> Int in
        if failing.contains(block) { throw BlockRunnerTests.Broken(block: block) }
        return block
      }, until: { $0 == last }
    ) { sum, block in
      sum.append(block)
      if block == 40 { interrupt?.raise() }
    }
  }

  @Test("The sum has each block once, up to the one that ends the run", arguments: [1, 2, 7], [5, 28, 104, nil])
  func inOrder(workers: Int, last: Int?) throws {
    #expect(try blocks(workers: workers, last: last) == Array(5...(last ?? 104)))
  }

  @Test("A failure before the block that ends the run is thrown, one after it is ignored", arguments: [1, 2, 7])
  func failures(workers: Int) throws {
    let late = Array(29..<60)
    #expect(try blocks(workers: workers, last: 28, failing: late) == Array(5...28))
    #expect(throws: BlockRunnerTests.Broken(block: 11)) {
      try blocks(workers: workers, last: 28, failing: late + [12, 11])
    }
  }

  @Test("After an interrupt the sum has the first blocks, without a gap", arguments: [1, 2, 7])
  func interrupted(workers: Int) throws {
    let sum = try blocks(workers: workers, interrupt: Interrupt())
    #expect(sum.count >= 36 && sum == Array(5..<5 + sum.count))
  }
}

@Suite("Cutting an experiment into blocks")
struct BlockPlanTests {
  @Test("The blocks hold the rounds asked for, the last one what is left over", arguments: 1...40, [1, 7, 10])
  func partition(rounds: Int, roundsPerBlock: Int) throws {
    let plan = try BlockPlan(.rounds(rounds), roundsPerBlock: roundsPerBlock)
    let blocks = (0..<plan.maxBlocks).map(plan.block)
    #expect(blocks.map(\.rounds).reduce(0, +) == rounds)
    #expect(blocks.dropLast().allSatisfy { $0.rounds == roundsPerBlock })
    #expect(blocks.allSatisfy { $0.rounds > 0 })
  }

  @Test("A number of rounds is one wave: nobody looks at results before the end")
  func oneWave() throws {
    let plan = try BlockPlan(.rounds(1_000_000), roundsPerBlock: 10)
    #expect(plan.wave(after: 0) == 0..<100_000)
    #expect(plan.wave(after: 100_000).isEmpty)
  }

  @Test("Interim analyses share the error, which adds up to the total", arguments: [1, 2, 3, 10, 157, 2048, 152_588])
  func spending(blocks: Int) throws {
    let plan = try BlockPlan(.interim(atMost: 10 * blocks), roundsPerBlock: 10)
    var (done, error, divisors) = (0, 0.0, [Int]())
    while done < blocks {
      #expect(plan.wave(after: done).lowerBound == done)
      done = plan.wave(after: done).upperBound
      divisors.append(plan.bonferroniDivisor(after: done))
      error += 1 / Double(plan.bonferroniDivisor(after: done))
    }
    #expect(error == 1 && done == blocks && plan.wave(after: 0) == 0..<1)
    #expect(divisors == divisors.sorted(by: >))
    #expect(try BlockPlan(.anytime(atMost: 100), roundsPerBlock: 10).bonferroniDivisor(after: 10) == 1)
  }

  @Test("Waves follow each other without a gap, and overshoot by a quarter at most", arguments: [1, 5, 16])
  func waves(firstWave: Int) throws {
    let plan = try BlockPlan(
      .anytime(atMost: 100_000), roundsPerBlock: 10, firstWave: firstWave)
    var done = 0
    while true {
      let wave = plan.wave(after: done)
      if wave.isEmpty { break }
      #expect(wave.lowerBound == done)
      #expect(wave.count <= max(firstWave, done / 4))
      done = wave.upperBound
    }
    #expect(done == plan.maxBlocks)
  }

  @Test(
    "Numbers that make no sense are refused by name",
    arguments: [
      (StoppingRule.rounds(0), "rounds"), (.rounds(-5), "rounds"),
      (.anytime(atMost: 0), "rounds"), (.interim(atMost: 0), "rounds"),
      (.deadline(.zero), "deadline"),
    ])
  func refused(rule: StoppingRule, name: String) {
    let error = #expect(throws: MonteCarloError.self) { try BlockPlan(rule, roundsPerBlock: 10) }
    #expect(error?.description.hasPrefix("\(name) is ") == true)
  }

  @Test("An empty block or an empty first wave is refused")
  func refusedShapes() {
    #expect(throws: MonteCarloError.self) { try BlockPlan(.rounds(10), roundsPerBlock: 0) }
    #expect(throws: MonteCarloError.self) { try BlockPlan(.rounds(10), roundsPerBlock: 1, firstWave: 0) }
  }
}

@Suite("Knowing when to stop")
struct StoppingTests {
  @Test("An interrupted run is a prefix: as many rounds asked for outright give the same bits", arguments: [1, 2, 7])
  func interruptedPrefix(workers: Workers) throws {
    let interrupt = Interrupt()
    let circle = try PointsInCircle()
    let stopped = try circle.run(
      BlockPlan(.rounds(10_000_000), roundsPerBlock: 500), workers: workers, interrupt: interrupt,
      afterBlock: { if $0.index == 20 { interrupt.raise() } })
    #expect(stopped.reason == .interrupted)
    #expect(stopped.blocks >= 21)
    #expect(stopped.tally.count == 500 * stopped.blocks)
    let again = try circle.run(BlockPlan(.rounds(stopped.tally.count), roundsPerBlock: 500), workers: 3)
    #expect(again.tally == stopped.tally)
    #expect(again.reason == .completed)
  }

  @Test("An interrupt raised before the start lets nothing be played")
  func interruptedBeforehand() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    let outcome = try PointsInCircle().run(
      BlockPlan(.rounds(1000), roundsPerBlock: 10), workers: 2, interrupt: interrupt)
    #expect(outcome.reason == .interrupted)
    #expect(outcome.tally == MomentTally())
    #expect(outcome.tally.count == 0)
  }

  @Test("A block that an interrupt ends is not counted, nor is any block after it", arguments: [1, 2, 7])
  func abandoned(workers: Workers) throws {
    let interrupt = Interrupt()
    let run = try BlockRunner(workers: workers).run(
      blocks: 5..<305, into: MomentTally(), interrupt: interrupt, makeScratch: { 0 },
      body: { (block, _: inout Int) throws(any Error) in
        if block == 40 { interrupt.raise() }
        if block >= 40 { try interrupt.check() }
        var tally = MomentTally()
        tally.add(block)
        return tally
      })
    #expect(run.blocks == 5..<40)
    #expect(run.tally.sum == (5..<40).reduce(0, +))
  }

  @Test("The first to raise an interrupt is its cause, and its exit code is 128 plus the signal's number")
  func cause() {
    let interrupt = Interrupt()
    #expect(interrupt.cause == nil && !interrupt.isRaised)
    interrupt.raise(.terminated)
    interrupt.raise(.interrupted)
    #expect(interrupt.isRaised && interrupt.cause == .terminated && interrupt.cause?.rawValue == 143)
  }

  @Test("A half-width is reached after the same block at any number of workers", arguments: [1, 2, 7])
  func halfWidth(workers: Workers) throws {
    let target = 0.02
    func stop(workers: Workers) throws -> (RunOutcome<MomentTally>, ClosedRange<Double>) {
      var sequence = try ConfidenceSequence(range: 0...1, unit: 1)
      var interval = 0.0...1
      let outcome = try PointsInCircle().run(
        BlockPlan(.anytime(atMost: 1_000_000), roundsPerBlock: 100, firstWave: 4), workers: workers,
        evaluate: { wave in
          sequence.absorb(wave: wave)
          interval = sequence.interval(alpha: 0.01)
          return interval.upperBound - interval.lowerBound <= 2 * target
        })
      return (outcome, interval)
    }
    let (alone, _) = try stop(workers: 1)
    let (together, interval) = try stop(workers: workers)
    #expect(together.reason == .settled)
    #expect(together.blocks == alone.blocks)
    #expect(together.tally == alone.tally)
    #expect(together.tally.count < 100_000)
    #expect(interval.contains(.pi / 4))
    #expect(interval.upperBound - interval.lowerBound <= 2 * target)
  }

  @Test("A target out of reach ends with the most rounds allowed")
  func outOfReach() throws {
    let plan = try BlockPlan(
      .anytime(atMost: 12_345), roundsPerBlock: 100, firstWave: 3)
    var seen: [Int] = []
    var sum = MomentTally()
    let outcome = try PointsInCircle().run(
      plan, workers: 2,
      evaluate: { wave in
        sum.merge(wave)
        seen.append(sum.count)
        return false
      })
    #expect(outcome.reason == .completed)
    #expect(outcome.tally.count == 12_345)
    #expect(seen.last == 12_345)
    #expect(seen == seen.sorted())
    #expect(sum == outcome.tally)
  }

  @Test("A deadline already past still gives one block, and a prefix", arguments: [1, 2])
  func deadline(workers: Workers) throws {
    let circle = try PointsInCircle()
    let outcome = try circle.run(
      BlockPlan(.deadline(.nanoseconds(1)), roundsPerBlock: 100), workers: workers)
    #expect(outcome.reason == .deadline)
    #expect(outcome.blocks >= 1)
    let again = try circle.run(BlockPlan(.rounds(outcome.tally.count), roundsPerBlock: 100), workers: 1)
    #expect(again.tally == outcome.tally)
  }
}

@Suite("Merging tallies")
struct MergeableTallyTests {
  /// A tally that obeys nothing: floating-point sums depend on the order.
  struct FloatingSum: MergeableTally, Equatable {
    var sum = 0.0
    mutating func merge(_ other: FloatingSum) { sum += other.sum }
  }

  /// A tally that keeps the order in which it was merged.
  struct Diary: MergeableTally, Equatable {
    var days: [Int] = []
    mutating func merge(_ other: Diary) { days += other.days }
  }

  /// A tally whose empty value counts.
  struct Merges: MergeableTally, Equatable {
    var count = 0
    mutating func merge(_ other: Merges) { count += other.count + 1 }
  }

  @Test("Moment tallies are a commutative monoid", arguments: 0..<10 as Range<UInt64>)
  func momentsObey(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let samples = (0..<6).map { _ in
      var tally = MomentTally()
      for _ in 0..<Int.random(in: 0...20, using: &generator) {
        tally.add(Int.random(in: -80...80, using: &generator), times: Int.random(in: 1...1000, using: &generator))
      }
      return tally
    }
    #expect(mergeLawViolation(among: samples, empty: MomentTally()) { $0.merge($1) } == nil)
  }

  @Test("The check finds tallies that break the law, and says how")
  func findsOffenders() {
    let sums = [0.1, 0.2, 0.3].map { FloatingSum(sum: $0) }
    #expect(
      mergeLawViolation(among: sums, empty: FloatingSum()) { $0.merge($1) }?.hasPrefix("the grouping matters") == true)
    let diaries = [Diary(days: [1]), Diary(days: [2])]
    #expect(mergeLawViolation(among: diaries, empty: Diary()) { $0.merge($1) }?.hasPrefix("the order matters") == true)
    #expect(
      mergeLawViolation(among: [Merges()], empty: Merges()) { $0.merge($1) }?.hasPrefix("the empty tally changes")
        == true)
  }
}

/// The experiment of these tests: pi by throwing points at a square. A block's stream comes from its index alone.
struct PointsInCircle: Sendable {
  let streams: StreamFamily

  init(rootSeed: UInt64 = 2026) throws {
    streams = try StreamFamily(rootSeed: rootSeed, experiments: ["circle"])
  }

  func makeScratch() throws -> WordStream {
    try WordStream(named: "taus2", seed: 1)
  }

  /// One point for each of the block's rounds: 1 inside the quarter circle, 0 outside.
  func play(_ block: Block, _ words: inout WordStream) throws -> MomentTally {
    try words.reseed(streams.seed(ordinal: 0, block: block.index))
    var tally = MomentTally()
    for _ in 0..<block.rounds {
      let x = words.unitInterval()
      let y = words.unitInterval()
      tally.add(x * x + y * y < 1 ? 1 : 0)
    }
    return tally
  }

  func run(
    _ plan: BlockPlan, workers: Workers, interrupt: Interrupt? = nil,
    progress: @escaping @Sendable (Int) -> Void = { _ in },
    afterBlock: @escaping @Sendable (Block) -> Void = { _ in }, evaluate: (MomentTally) -> Bool = { _ in false }
  ) throws -> RunOutcome<MomentTally> {
    try BlockRunner(workers: workers).run(
      plan, into: MomentTally(), interrupt: interrupt, progress: progress, makeScratch: { try makeScratch() },
      body: { (block, words: inout WordStream) in
        let tally = try play(block, &words)
        afterBlock(block)
        return tally
      }, evaluate: { (look) throws(any Error) in evaluate(look.wave) })
  }
}
