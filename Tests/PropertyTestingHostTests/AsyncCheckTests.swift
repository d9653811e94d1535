// SPDX-License-Identifier: Apache-2.0
import PropertyTestingHost
import Synchronization
import Testing
import VirtualTime

@Suite("check with an asynchronous body")
struct AsyncCheckTests {
  actor Register {
    private(set) var total = 0
    func add(_ number: Int) { total += number }
  }

  @Test("evaluates every case, one at a time, and sees expectations after a suspension")
  func actors() async throws {
    let evaluated = Mutex(0)
    try await check(.arrays(of: Gen.integers(in: 0...9))) { numbers in
      let register = Register()
      for number in numbers { await register.add(number) }
      #expect(await register.total == numbers.reduce(0, +))
      evaluated.withLock { $0 += 1 }
    }
    #expect(evaluated.withLock { $0 } == 100)
    let issues = try await issues {
      try await check(Gen.integers(in: 0...1000)) { number in
        let register = Register()
        await register.add(number)
        await Task.yield()
        #expect(await register.total < 100)
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.sourceLocation?.line == #line - 8)
    #expect(issues.first?.lines.contains("  at PropertyTestingHostTests/AsyncCheckTests.swift:\(#line - 5)") == true)
  }

  @Test("sees conditions, child tasks, other actors and the main actor")
  func elsewhere() async throws {
    try await check(Gen.integers(in: 0...9), cases: 20) { number in
      async let doubled = Task.detached { number * 2 }.value
      let main = await MainActor.run { number }
      return await doubled == main + number
    }
    let issues = try await issues {
      try await check(Gen.integers(in: 0...9)) { number in
        await withTaskGroup(of: Void.self) { group in
          group.addTask { #expect(number < 0) }
        }
      }
    }
    #expect(issues.count == 1)
  }

  enum Colour { @TaskLocal static var current = "none" }

  @Test("sees the task-local values of the test")
  func taskLocals() async throws {
    try await Colour.$current.withValue("red") {
      try await check(Gen<Int>.integers()) { _ in
        await Task.yield()
        return Colour.current == "red"
      }
    }
  }

  /// Waits for what does not come.
  @Sendable static func never() async -> Int? {
    for await _ in AsyncStream<Int>(Int.self, { _ in }) {}
    return nil
  }

  @Test("ends when its task is cancelled, in the middle of an endless case")
  func cancellation() async throws {
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await check(Gen<Int>.integers()) { _ async throws in
        beginning.yield()
        for await _ in AsyncStream<Int>(unfolding: Self.never) {}
        try Task.checkCancellation()
      }
    }
    for await _ in begun { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

@Suite("check in virtual time")
struct VirtualCheckTests {
  /// Counts what a caller has been promised; reads, waits and writes, so that two at once lose one.
  actor Counter {
    private(set) var count = 0
    let clock: VirtualClock
    init(_ clock: VirtualClock) { self.clock = clock }

    func add() async throws {
      let seen = count
      try await clock.sleep(for: .seconds(1))
      count = seen + 1
    }

    func addInOneStep() { count += 1 }
  }

  static func final(of starts: [Int], on clock: VirtualClock) async throws -> Int {
    let counter = Counter(clock)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for start in starts {
        group.addTask {
          try await clock.sleep(for: .seconds(start))
          try await counter.add()
        }
      }
      try await group.waitForAll()
    }
    return await counter.count
  }

  @Test("finds the same moments at which two updates overlap each time")
  func overlap() async throws {
    let starts = Gen.arrays(of: Gen.integers(in: 0...3600), count: 0...5)
    let reports = try (0..<2).map { _ in
      try search(starts, Gen<TurnOrder>.turnOrders()) { starts, turns in
        let count = try VirtualClock.run(choosing: turns.chooser()) { clock in
          try await Self.final(of: starts, on: clock)
        }
        try require(count == starts.count, "\(count) of \(starts.count) were counted")
      }
    }
    #expect(reports[0] == reports[1])
    #expect(reports[0].counterexample != nil)
  }

  @Test("a day of waiting takes no time, and expectations in it are counted")
  func day() async throws {
    try await check(Gen.integers(in: 0...86_400)) { seconds in
      try VirtualClock.run { clock in
        try await clock.sleep(for: .seconds(seconds))
        #expect(clock.now == .zero.advanced(by: .seconds(seconds)))
      }
    }
  }
}
