// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import VirtualTime

/// What happened, in order.
final class Journal: Sendable {
  private let lines = Mutex<[String]>([])
  var text: [String] { lines.withLock { $0 } }
  func write(_ line: String) { lines.withLock { $0.append(line) } }
}

@Suite("A virtual clock")
struct VirtualClockTests {
  @Test("lets a hundred hours pass at once")
  func hours() throws {
    let slept = try VirtualClock.run { clock in
      for _ in 0..<360_000 { try await clock.sleep(for: .seconds(1)) }
      return clock.now
    }
    #expect(slept.description == "100:00:00")
  }

  @Test("wakes sleepers by deadline, and at one deadline in the order of their calls")
  func sleepers() throws {
    let journal = Journal()
    try VirtualClock.run { clock in
      await withTaskGroup(of: Void.self) { group in
        for (name, seconds) in [("c", 2), ("a", 1), ("d", 2), ("b", 1)] {
          group.addTask {
            try? await clock.sleep(for: .seconds(seconds))
            journal.write("\(name) at \(clock.now)")
          }
        }
      }
    }
    #expect(journal.text == ["a at 00:00:01", "b at 00:00:01", "c at 00:00:02", "d at 00:00:02"])
  }

  @Test("wakes a hundred thousand sleepers of one deadline in the order of their calls")
  func crowd() throws {
    let journal = Journal()
    try VirtualClock.run { clock in
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<100_000 {
          group.addTask {
            try? await clock.sleep(for: .seconds(1))
            journal.write("\(number)")
          }
        }
      }
    }
    #expect(journal.text == (0..<100_000).map(String.init))
  }

  @Test("ends a sleep at once when its task is cancelled, and forgets its alarm")
  func cancellation() throws {
    let (outcome, end) = try VirtualClock.run { clock in
      let sleeper = Task { try await clock.sleep(for: .seconds(1000)) }
      try await clock.sleep(for: .seconds(1))
      sleeper.cancel()
      let outcome = await sleeper.result
      #expect(clock.nextAlarm == nil)
      let late = Task { try await clock.sleep(for: .seconds(1)) }
      late.cancel()
      await #expect(throws: CancellationError.self) { try await late.value }
      return (outcome, clock.now)
    }
    #expect(throws: CancellationError.self) { try outcome.get() }
    #expect(end.description == "00:00:01")
  }
}

@Suite("A run in virtual time")
struct VirtualRunTests {
  /// Saves a while after the last edit, and at once when it is closed. Writing takes a moment, and the two may overlap.
  actor Autosave {
    let clock: VirtualClock
    private(set) var saved = ""
    private var text = ""
    private var pending: Task<Void, any Error>?

    init(_ clock: VirtualClock) { self.clock = clock }

    func edit(_ text: String) {
      self.text = text
      pending?.cancel()
      pending = Task {
        try await clock.sleep(for: .seconds(1))
        await save()
      }
    }

    func save() async {
      let written = text
      await Self.transmit(clock)
      saved = written
    }

    /// Away from the actor, which would keep the order; what is under way is not called back by a cancellation.
    @concurrent private static func transmit(_ clock: VirtualClock) async {
      await Task { try? await clock.sleep(for: .milliseconds(10)) }.value
    }
  }

  /// Edits as the first save begins; true when the last edit is what was saved in the end.
  static func keepsTheLastEdit(_ clock: VirtualClock) async throws -> Bool {
    let autosave = Autosave(clock)
    await autosave.edit("draft")
    try await clock.sleep(for: .seconds(1))
    await autosave.edit("final")
    await autosave.save()
    // Closed before the next save is due.
    try await clock.sleep(for: .milliseconds(500))
    return await autosave.saved == "final"
  }

  @Test("finds an order of jobs that loses an edit, and repeats it when given that order")
  func interleavings() throws {
    #expect(try VirtualClock.run { try await Self.keepsTheLastEdit($0) }, "in the order of becoming ready it holds")
    var losing: [[Int]] = []
    for seed in 0..<1000 {
      var scatter = SplitMix64(seed: UInt64(seed))
      var taken: [Int] = []
      let choosing = { (count: Int) in
        taken.append(Int.random(in: 0..<count, using: &scatter))
        return taken[taken.count - 1]
      }
      if try !VirtualClock.run(choosing: choosing, { try await Self.keepsTheLastEdit($0) }) { losing.append(taken) }
    }
    #expect(!losing.isEmpty)
    #expect(losing.count < 1000)
    for order in losing {
      var rest = order[...]
      #expect(try !VirtualClock.run(choosing: { _ in rest.popFirst() ?? 0 }) { try await Self.keepsTheLastEdit($0) })
      #expect(rest.isEmpty)
    }
  }

  @Test("runs the same way every time")
  func determinism() throws {
    func course() throws -> [String] {
      let journal = Journal()
      try VirtualClock.run { clock in
        await withTaskGroup(of: Void.self) { group in
          for worker in 0..<20 {
            group.addTask {
              for step in 0..<20 {
                journal.write("\(worker).\(step) at \(clock.now)")
                if (worker + step) % 3 == 0 { await Task.yield() }
                try? await clock.sleep(for: .milliseconds(worker * step % 7))
                await Task { journal.write("task of \(worker).\(step)") }.value
              }
            }
          }
        }
      }
      return journal.text
    }
    let first = try course()
    #expect(first.count == 800)
    for _ in 0..<20 { #expect(try course() == first) }
  }

  @Test("reports a deadlock with its time, and cancels the waiting task")
  func deadlock() throws {
    let journal = Journal()
    #expect(throws: VirtualTimeError.deadlock(at: VirtualInstant.zero.advanced(by: .seconds(2)))) {
      try VirtualClock.run { clock in
        try await clock.sleep(for: .seconds(2))
        let never = AsyncStream<Int> { _ in }
        for await _ in never {}
        journal.write("cancelled: \(Task.isCancelled)")
      }
    }
    #expect(journal.text == ["cancelled: true"])
    #expect("\(VirtualTimeError.deadlock(at: .zero))".hasPrefix("deadlock at 00:00:00 of virtual time"))
  }

  @Test("gives up a body in an endless loop, even if no time passes")
  func circle() {
    #expect(throws: VirtualTimeError.unfinished(jobs: 1000, at: .zero)) {
      try VirtualClock.run(maxJobs: 1000) { clock in
        while !Task.isCancelled { try await clock.sleep(for: .zero) }
      }
    }
  }

  @Test("refuses a choice out of range")
  func badChoice() {
    #expect(throws: VirtualTimeError.badChoice(7, of: 2)) {
      try VirtualClock.run(choosing: { _ in 7 }) { _ in
        async let one: Void = Task.yield()
        async let two: Void = Task.yield()
        _ = await (one, two)
      }
    }
  }

  @Test("cancels tasks that still sleep when the body is done")
  func leftovers() throws {
    let journal = Journal()
    try VirtualClock.run { clock in
      Task {
        do {
          try await clock.sleep(for: .seconds(60))
        } catch {
          journal.write("\(type(of: error)) at \(clock.now)")
        }
      }
      await Task.yield()
    }
    #expect(journal.text == ["CancellationError at 00:00:00"])
  }

  @Test("hands a task that outlives the run to the shared executor")
  func endless() async throws {
    let endless = try VirtualClock.run { _ in
      Task {
        for _ in 0..<200_000 { await Task {}.value }
        return "done"
      }
    }
    #expect(await endless.value == "done")
  }

  enum Colour { @TaskLocal static var current = "none" }

  @Test("sees the caller's task-local values, rethrows errors, and may be nested")
  func surroundings() throws {
    struct Mine: Error {}
    try Colour.$current.withValue("red") {
      #expect(try VirtualClock.run { _ in Colour.current } == "red")
      let inner = try VirtualClock.run { clock in
        try await clock.sleep(for: .seconds(1))
        let inner = try VirtualClock.run { clock in
          try await clock.sleep(for: .seconds(5))
          return await Task { clock.now }.value
        }
        let outer = await Task { clock.now }.value
        return "\(inner), \(outer), \(Colour.current)"
      }
      #expect(inner == "00:00:05, 00:00:01, red")
    }
    #expect(throws: Mine.self) { try VirtualClock.run { _ in throw Mine() } }
  }

  @Test("ends when the calling task is cancelled")
  func outerCancellation() async throws {
    let outcome = await Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try VirtualClock.run { clock in
        while true { try await clock.sleep(for: .seconds(1)) }
      }
    }.result
    #expect(throws: CancellationError.self) { try outcome.get() }
  }
}
