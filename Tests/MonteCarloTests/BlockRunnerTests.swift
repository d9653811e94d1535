// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import Randomness
import Statistics
import Synchronization
import Testing

@Suite("Playing blocks on workers")
struct BlockRunnerTests {
  struct Broken: Error, Equatable { let block: Int }

  @Test("One, two and seven workers give the same bits, and the right answer", arguments: [1, 2, 7])
  func sameBits(workers: Int) throws {
    let plan = try BlockPlan(.rounds(200_123), roundsPerBlock: 1000)
    let alone = try PointsInCircle().run(plan, workers: 1)
    let together = try PointsInCircle().run(plan, workers: workers)
    #expect(together.tally == alone.tally)
    #expect(together.blocks == 201)
    #expect(together.rounds == 200_123)
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
