// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Randomness
import Scenarios
import Synchronization
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
    _ context: RunContext, _ rule: StoppingRule = .rounds(100), from first: Int = 0, stopAfter last: Int = .max
  ) throws -> RunOutcome<Words> {
    try context.draw(
      rule, from: first, "words", perBatch: 8, seed: 7, streams: ["words", "other words"], into: Words(),
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

  @Test("continue those of an earlier call")
  func continued() throws {
    let some = try draw(RunContext(workers: 1), .rounds(40))
    let rest = try draw(RunContext(workers: 2), .rounds(60), from: 40)
    #expect(try some.tally.merged(with: rest.tally) == draw(RunContext(workers: 1)).tally)
  }

  @Test("end after the wave that settles them")
  func settled() throws {
    let found = try draw(RunContext(workers: 2), .anytime(atMost: 1_000))
    #expect(found.reason == .settled && found.tally.count == 128)
  }

  @Test("without a sample are refused")
  func none() {
    #expect(throws: MonteCarloError.self) { try draw(RunContext(workers: 1), .rounds(0)) }
    #expect(throws: MonteCarloError.self) { try drawEach(RunContext(workers: 1), perBatch: 0) }
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

  private func drawEach(_ context: RunContext, perBatch: Int = 10, stopAfter last: Int = .max) throws -> [Words] {
    try context.draw(
      each: [10, 0, 25], "words", perBatch: perBatch, seed: 7, streams: ["words", "other words"], into: Words(),
      scratch: {},
      body: { setting, batch, _ in
        if setting == 2, batch.index == last { context.interrupt.raise() }
        return Words(sums: [batch.index: UInt64(try batch.seed())], count: batch.count)
      })
  }

  @Test("of several settings have their own numbers and common seeds")
  func settings() throws {
    let found = try drawEach(RunContext(workers: 1))
    #expect(found.map(\.count) == [10, 0, 25])
    #expect(found[2].sums.keys.sorted() == [0, 1, 2] && found[2].sums[0] == found[0].sums[0])
    #expect(try drawEach(RunContext(workers: 3)) == found)
    #expect(try drawEach(RunContext(workers: 1), stopAfter: 1).map(\.count) == [10, 0, 20])
    let alone = try SampleBatch(of: 2, seed: 7, streams: ["words", "other words"])
    #expect(alone.samples == 2..<3)
    #expect(try found[2].sums[2] == UInt64(alone.seed()))
    #expect(try alone.seed(of: 2, in: 1) == alone.seed(1))
  }

  @Test("have a progress display for each call, or one for all calls within 'showing'")
  func display() throws {
    let names = Mutex<[String]>([])
    let context = RunContext(
      workers: 1,
      meter: { maximum, unit in
        names.withLock { $0.append("\(maximum ?? 0) \(unit)") }
        return ProgressMeter(maxRounds: maximum, unit: unit) { _ in }
      })
    _ = try context.showing(7, "all") { context in
      _ = try drawEach(context)
      _ = try draw(context)
    }
    _ = try drawEach(context)
    _ = try context.results(of: [1, 2], "jobs") { $0 }
    #expect(names.withLock(\.self) == ["7 all", "35 words", "2 jobs"])
  }
}
