// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import PropertyTesting

@Suite("Interleaved runs")
struct InterleavingTests {
  @Test("find an actor that awaits between reading and writing, at the same turns every time")
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

  @Test("find nothing wrong with an actor that leaves the step to one place")
  func right() throws {
    var settings = CheckSettings()
    settings.cases = 500
    let property = counter(isRacy: false).interleavedProperty("counter.2", "Every increment counts")
    #expect(try property.check(settings).outcome == .held)
  }

  @Test("give the same history for the same turns")
  func deterministic() throws {
    let machine = counter(isRacy: true)
    var draws = try Draws(seed: 21)
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

  @Test("find a fault that needs two changes of turn, and name the turns")
  func twoTurns() throws {
    let machine = StateMachine(model: 0, system: { Race() }) { machine in
      machine.command("run") { _ in
        false
      } run: { race in
        await race.run()
      }
    }
    var settings = CheckSettings()
    settings.cases = 1_000
    let counterexample = try #require(
      try machine.interleavedProperty("race.1", "Who starts last does not come in first").check(settings).counterexample
    )
    let program = try #require(counterexample.arguments.first)
    #expect(program.contains("branch 1:\n  run()"))
    #expect(program.contains("// turns: "))
    #expect(counterexample.failure.message.contains("gets true from run()"))
  }

  @Test("end in a failure when the branches never end")
  func endless() throws {
    let machine = StateMachine(model: 0, system: { Pair() }) { machine in
      machine.command("spin") { _ in
      } run: { _ in
        while !Task.isCancelled { await Task.yield() }
      }
    }
    var draws = try Draws(seed: 1)
    var program = try draws.draw(machine.interleavings())
    while program.program.branches[0].isEmpty {
      draws.begin()
      program = try draws.draw(machine.interleavings(ParallelShape(prefix: 0...0)))
    }
    #expect(throws: Failure("the branches do not end within 100000 turns", origin: "endless branches")) {
      try machine.execute(program)
    }
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

  @Test("find nothing wrong with an atomic counter, an actor, or locked queues")
  func right() throws {
    var settings = CheckSettings()
    settings.cases = 30
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
    let programs = queues(.none).parallelPrograms(ParallelShape(branches: 3, branch: 0...3))
    var draws = try Draws(seed: 2)
    var commands = 0
    for _ in 0..<300 {
      draws.begin()
      let program = try draws.draw(programs)
      var model = QueueModel()
      for step in program.prefix { step.advance(&model) }
      let proposals = program.branches.map { $0.map(Proposal.init) }
      #expect(Interleavings(proposals).allAllow(from: model))
      commands += program.branches.joined().count
    }
    #expect(commands > 600)
  }
}
