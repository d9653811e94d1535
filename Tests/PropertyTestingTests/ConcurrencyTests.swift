// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import PropertyTesting
import Synchronization
import Testing

@Suite("Interleaved runs")
struct InterleavingTests {
  @Test("find an actor that awaits between reading and writing, at the same switches every time")
  func racy() throws {
    let property = counter(isRacy: true).interleavedProperty("counter.1", "Every increment counts")
    let report = try property.check()
    let counterexample = try #require(report.counterexample)
    #expect(counterexample.arguments == ["branch 1:\n  increment()\nbranch 2:\n  increment()"])
    #expect(
      counterexample.failure.message == """
        no order of the commands explains what they returned:
          branch 1 calls increment()
          branch 2 calls increment()
          branch 2 gets 1 from increment()
          branch 1 gets 1 from increment()
        """)
    #expect(try property.check() == report)
  }

  @Test("pass an actor that makes the step without suspension")
  func right() throws {
    let settings = CheckSettings(cases: 500)
    let property = counter(isRacy: false).interleavedProperty("counter.2", "Every increment counts")
    #expect(try property.check(settings).outcome == .held)
  }

  @Test("give the same history for the same switches")
  func deterministic() throws {
    let machine = counter(isRacy: true)
    var draws = ChoiceSource(seed: 21)
    var failures = 0
    for _ in 0..<200 {
      draws.begin()
      let interleaving = try draws.draw(machine.interleavings())
      let outcomes = (0..<3).map { _ in
        do {
          try machine.execute(interleaving)
          return nil as Failure?
        } catch {
          return error as? Failure
        }
      }
      #expect(Set(outcomes).count == 1)
      if outcomes[0] != nil { failures += 1 }
    }
    #expect(failures > 0)
  }

  @Test("find a fault that needs two switches, and name them")
  func twoTurns() throws {
    let machine = StateMachine(model: 0, system: { Race() }) { machine in
      machine.command("run") { _ in
        false
      } run: { race in
        await race.run()
      }
    }
    let settings = CheckSettings(cases: 1_000)
    let counterexample = try #require(
      try machine.interleavedProperty("race.1", "Who starts last does not come in first").check(settings).counterexample
    )
    let program = try #require(counterexample.arguments.first)
    #expect(program.contains("branch 1:\n  run()"))
    #expect(program.contains("// turns: "))
    #expect(counterexample.failure.message.contains("gets true from run()"))
  }

  @Test("fail if the branches never end, and cancel them")
  func endless() async throws {
    let (ended, ending) = AsyncStream.makeStream(of: Void.self)
    let machine = StateMachine(model: 0, system: { Pair() }) { machine in
      machine.command("spin") { _ in
      } run: { _ in
        while !Task.isCancelled { await Task.yield() }
        ending.yield()
      }
    }
    // Without a prefix, which would never end by itself.
    let programs = machine.interleavings(ParallelShape(prefix: 0...0))
    var draws = ChoiceSource(seed: 1)
    var program = try draws.draw(programs)
    while program.program.branches[0].isEmpty {
      draws.begin()
      program = try draws.draw(programs)
    }
    #expect(throws: Failure("the branches do not end within 100000 turns", origin: "endless branches")) {
      try machine.execute(program)
    }
    for await _ in ended { break }
  }

  @Test("find two tasks that wait for each other")
  func deadlock() throws {
    var machine = StateMachine(model: 0, system: { Pair() }) { machine in
      machine.command("left") { _ in
      } run: { pair in
        await pair.take(0, then: 1)
      }
      machine.command("right") { _ in
      } run: { pair in
        await pair.take(1, then: 0)
      }
    }
    machine.patience = .zero
    let counterexample = try #require(
      try machine.interleavedProperty("pair.1", "Both come through").check().counterexample)
    #expect(counterexample.arguments == ["branch 1:\n  left()\nbranch 2:\n  right()"])
    #expect(counterexample.failure.origin == "deadlock")
  }
}

/// Tells the one that started first whether it came in first while another was on its way.
private actor Race {
  private var started = 0
  private var arrived = 0

  func run() async -> Bool {
    started += 1
    let number = started
    await Task.yield()
    arrived += 1
    return number == 1 && arrived == 1 && started == 2
  }
}

/// Two locks to be taken one after the other.
private actor Pair {
  private var isTaken = [false, false]
  private var waiting: [[CheckedContinuation<Void, Never>]] = [[], []]

  func take(_ first: Int, then second: Int) async {
    await lock(first)
    await Task.yield()
    await lock(second)
    unlock(second)
    unlock(first)
  }

  private func lock(_ index: Int) async {
    while isTaken[index] {
      await withCheckedContinuation { waiting[index].append($0) }
    }
    isTaken[index] = true
  }

  private func unlock(_ index: Int) {
    isTaken[index] = false
    if !waiting[index].isEmpty { waiting[index].removeFirst().resume() }
  }
}

@Suite("Parallel runs")
struct ParallelTests {
  @Test("find a counter that loses an increment when two threads meet")
  func racy() throws {
    let shape = ParallelShape(prefix: 0...0, branches: 2, branch: 1...4)
    let report = try tally(isRacy: true).parallelProperty("tally.1", "Every increment counts", shape).check()
    let failure = try #require(report.counterexample?.failure)
    #expect(failure.origin == "not linearizable")
  }

  @Test("pass an atomic counter, an actor, and locked queues")
  func right() throws {
    let settings = CheckSettings(cases: 30)
    let shape = ParallelShape(branches: 3, branch: 0...3)
    let properties = [
      tally(isRacy: false).parallelProperty("tally.2", "Every increment counts", shape, repetitions: 20),
      counter(isRacy: false).parallelProperty("counter.3", "Every increment counts", shape, repetitions: 20),
    ]
    for property in properties {
      #expect(try property.check(settings).outcome == .held)
    }
  }

  @Test("draw programs whose preconditions hold in every order")
  func safety() throws {
    let machine = queues(.none)
    let programs = machine.parallelPrograms(ParallelShape(branches: 3, branch: 0...3))
    var commands = 0
    for program in try programs.samples(300, seed: 2) {
      var model = QueueModel()
      for step in program.prefix { step.advance(&model) }
      #expect(machine.allAllow(program.branches, from: model))
      commands += program.branches.joined().count
    }
    #expect(commands > 600)
  }
}

/// A read of a register, a write or an exchange, with what it returned.
private struct RegisterEvent: Sendable, CustomDebugStringConvertible {
  let written: Int?
  let read: Int?
  var invoked = 0
  var returned = 0

  func apply(to model: inout Int) -> Bool {
    if let read, read != model { return false }
    if let written { model = written }
    return true
  }

  var debugDescription: String {
    "\(invoked)-\(returned) reads \(read.map(String.init) ?? "-") writes \(written.map(String.init) ?? "-")"
  }
}

@Suite("The linearizability of a history")
struct LinearizabilityTests {
  /// Two or three branches with up to three events each, laid out in time at random.
  private static let histories = Gen<[[RegisterEvent]]>(span: .custom) { draws in
    let value = Gen<Int?>.optionals(of: .integers(in: 0...2))
    let event = zip(value, value).map { RegisterEvent(written: $0, read: $1) }
    var branches = try draws.draw(.arrays(of: .arrays(of: event, count: 1...3), count: 2...3))
    var remaining = branches.map { 2 * $0.count }
    var time = 0
    while remaining.contains(where: { $0 > 0 }) {
      let live = remaining.indices.filter { remaining[$0] > 0 }
      let branch = try draws.draw(.elements(of: live))
      let index = branches[branch].count - (remaining[branch] + 1) / 2
      time += 1
      if remaining[branch].isMultiple(of: 2) {
        branches[branch][index].invoked = time
      } else {
        branches[branch][index].returned = time
      }
      remaining[branch] -= 1
    }
    return branches
  }

  /// Tries every order of all events.
  private static func isLinearizable(_ branches: [[RegisterEvent]]) -> Bool {
    func extend(_ left: [RegisterEvent], _ model: Int) -> Bool {
      left.isEmpty
        || left.indices.contains { index in
          var model = model
          let event = left[index]
          guard left.allSatisfy({ $0.returned >= event.invoked }), event.apply(to: &model) else { return false }
          var rest = left
          rest.remove(at: index)
          return extend(rest, model)
        }
    }
    return extend(branches.flatMap { $0 }, 0)
  }

  @Test("agrees with trying every order of the events")
  func bruteForce() throws {
    let settings = CheckSettings(cases: 20_000)
    let report = try search(Self.histories, settings: settings) { branches in
      var history = ConcurrentHistory<RegisterEvent>()
      for event in branches.joined() { history.append(event, invoked: event.invoked, returned: event.returned) }
      try require(history.isLinearizable(from: 0) { $1.apply(to: &$0) } == Self.isLinearizable(branches), "they differ")
    }
    #expect(report.outcome == .held)
  }

  @Test("holds and fails often enough for a meaningful comparison")
  func balance() throws {
    let found = try Self.histories.samples(2_000, seed: 8).count { Self.isLinearizable($0) }
    #expect((301..<1_700).contains(found))
  }

  @Test("allows a call that never returned to have had an effect or none")
  func unknown() {
    var history = ConcurrentHistory<RegisterEvent>()
    func isLinearizable() -> Bool { history.isLinearizable(from: 0) { $1.apply(to: &$0) } }
    history.append(RegisterEvent(written: 1, read: nil), invoked: 1, returned: nil)
    #expect(isLinearizable())
    history.append(RegisterEvent(written: nil, read: 0), invoked: 2, returned: 3)
    #expect(isLinearizable())
    history.append(RegisterEvent(written: nil, read: 1), invoked: 4, returned: 5)
    #expect(isLinearizable())
    history.append(RegisterEvent(written: nil, read: 0), invoked: 6, returned: 7)
    #expect(!isLinearizable())
  }

  @Test("is decided for each object separately")
  func partition() {
    var history = ConcurrentHistory<(key: Int, event: RegisterEvent)>()
    history.append((2, RegisterEvent(written: 5, read: nil)), invoked: 1, returned: 2)
    history.append((1, RegisterEvent(written: nil, read: 0)), invoked: 3, returned: 4)
    history.append((2, RegisterEvent(written: nil, read: 5)), invoked: 5, returned: 6)
    let parts = history.partitioned { $0.key }
    #expect(parts.count == 2)
    #expect(parts.allSatisfy { $0.isLinearizable(from: 0) { $1.event.apply(to: &$0) } })
  }
}

/// Where the counters keep their number: every call of it lets other tasks of the caller's actor go on.
actor Store {
  private(set) var number = 0
  func set(_ number: Int) { self.number = number }
  func add(_ amount: Int) -> Int {
    number += amount
    return number
  }
}

/// Counts, in one step of the store or with an await between reading and writing.
actor Counter {
  private let store = Store()
  private let isRacy: Bool

  init(isRacy: Bool) { self.isRacy = isRacy }

  func increment() async -> Int {
    guard isRacy else { return await store.add(1) }
    let number = await store.number
    await store.set(number + 1)
    return number + 1
  }

  var count: Int { get async { await store.number } }
}

func counter(isRacy: Bool) -> StateMachine<Int, Counter> {
  StateMachine(model: 0, system: { Counter(isRacy: isRacy) }) { machine in
    machine.command("count") {
      $0
    } run: { counter in
      await counter.count
    }
    machine.command("increment") { count in
      count += 1
      return count
    } run: { counter in
      await counter.increment()
    }
  }
}

/// Counts behind no lock, or one that is given up between reading and writing.
final class Tally: Sendable {
  private let number = Atomic<Int>(0)
  private let isRacy: Bool

  init(isRacy: Bool) { self.isRacy = isRacy }

  func increment() -> Int {
    guard isRacy else { return number.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
    let read = number.load(ordering: .sequentiallyConsistent)
    sched_yield()
    number.store(read + 1, ordering: .sequentiallyConsistent)
    return read + 1
  }
}

func tally(isRacy: Bool) -> StateMachine<Int, Tally> {
  StateMachine(model: 0, system: { Tally(isRacy: isRacy) }) { machine in
    machine.command("increment") { count in
      count += 1
      return count
    } run: { tally in
      tally.increment()
    }
  }
}
