// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Randomness
import Scenarios
import Testing

@Suite("Samples drawn in batches")
struct SampleBatchesTests {
  /// The words drawn, summed by batch, and how many.
  struct Words: MergeableTally, Equatable {
    var sums: [Int: UInt64] = [:]
    var count = 0

    mutating func merge(_ other: Words) {
      sums.merge(other.sums) { $0 &+ $1 }
      count += other.count
    }
  }

  private func draw(
    _ context: RunContext, _ rule: StoppingRule = .rounds(100), stopAfter last: Int = .max
  ) throws -> RunOutcome<Words> {
    try context.draw(
      rule, "words", perBatch: 8, seed: 7, streams: ["words", "other words"], into: Words(),
      scratch: { try WordStream(named: "mt19937", seed: 1) },
      body: { batch, words in
        #expect(batch.samples.lowerBound == 8 * batch.index)
        var sum: UInt64 = 0
        for stream in 0..<2 {
          try words.reseed(batch.seed(stream))
          for _ in batch.samples { sum &+= UInt64(words.next()) }
        }
        if batch.index == last { context.interrupt.raise() }
        return Words(sums: [batch.index: sum], count: batch.count)
      }, evaluate: { $0.count > 0 })
  }

  @Test("are the same at any number of workers, every stream of a batch with other words")
  func workers() throws {
    let alone = try draw(RunContext(workers: 1))
    #expect(alone.reason == .completed && alone.tally.count == 100)
    #expect(Set(alone.tally.sums.values).count == 13)
    #expect(try draw(RunContext(workers: 3)).tally == alone.tally)
  }

  @Test("are the first ones after an interruption")
  func interrupted() throws {
    let (all, first) = (try draw(RunContext(workers: 1)), try draw(RunContext(workers: 1), stopAfter: 4))
    #expect(first.reason == .interrupted && first.tally.count == 40)
    #expect(first.tally.sums == all.tally.sums.filter { $0.key <= 4 })
  }

  @Test("end after the wave that settles them")
  func settled() throws {
    let found = try draw(RunContext(workers: 2), .halfWidth(1, confidence: 0.9, atMost: 1_000))
    #expect(found.reason == .settled && found.tally.count == 128)
  }

  @Test("without a sample are refused")
  func none() {
    #expect(throws: MonteCarloError.self) { try draw(RunContext(workers: 1), .rounds(0)) }
  }

  @Test("are jobs with results in the order of the jobs, at any number of workers")
  func jobs() throws {
    let jobs = Array(0..<50)
    #expect(try RunContext(workers: 3).results(of: jobs, "squares") { $0 * $0 } == jobs.map { $0 * $0 })
    let context = RunContext(workers: 1)
    let some = try context.results(of: jobs, "squares") { job in
      if job == 9 { context.interrupt.raise() }
      return job * job
    }
    #expect(some == jobs.prefix(10).map { $0 * $0 })
  }
}
