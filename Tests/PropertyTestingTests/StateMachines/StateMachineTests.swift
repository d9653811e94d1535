// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import PropertyTesting

@Suite("A state machine")
struct StateMachineTests {
  private func settings(cases: Int = 500) -> CheckSettings {
    var settings = CheckSettings()
    settings.cases = cases
    return settings
  }

  @Test("finds nothing wrong with a right queue")
  func right() throws {
    let report = try queues(.none).check(settings(cases: 1_000))
    #expect(report.outcome == .held)
    #expect(report.discards.isEmpty)
  }

  @Test("finds that a ring of one slot too few loses its values")
  func slots() throws {
    let counterexample = try #require(try queues(.slots).check(settings()).counterexample)
    #expect(counterexample.arguments == ["let v0 = create(capacity: 1)\nv0.put(0)\nv0.count()"])
    #expect(counterexample.failure.message == "postcondition failed at step 3: v0.count() returned 0, expected 1")
  }

  @Test("finds that a stack is no queue")
  func order() throws {
    let counterexample = try #require(try queues(.order).check(settings()).counterexample)
    #expect(
      counterexample.arguments == ["let v0 = create(capacity: 2)\nv0.put(0)\nv0.put(1)\nv0.take()"])
    #expect(counterexample.failure.message == "postcondition failed at step 4: v0.take() returned 1, expected 0")
  }

  @Test("tests a struct, and tells the step after which an invariant fails")
  func structure() throws {
    var machine = StateMachine<Int, Set<Int>>(model: 0, system: { [] }) { machine in
      machine.command("insert", .integers(in: 0...3)) { _, _ in
      } run: { set, value in
        _ = set.insert(value)
      }
    }
    #expect(machine.invariants.isEmpty)
    machine.invariant("a set of numbers below 3") { _, set in try claim(set.allSatisfy { $0 < 3 }, "\(set)") }
    let failure = try #require(try machine.check(settings()).counterexample?.failure)
    #expect(failure.message == "invariant failed after step 1: insert(3): a set of numbers below 3: [3]")
  }

  @Test("tests an actor")
  func actor() throws {
    actor Account {
      private(set) var balance = 0
      func deposit(_ amount: Int) { balance += amount == 7 ? 6 : amount }
    }
    let machine = StateMachine(model: 0, system: { Account() }) { machine in
      machine.command("balance") {
        $0
      } run: { account in
        await account.balance
      }
      machine.command("deposit", .integers(in: 1...9)) { balance, amount in
        balance += amount
      } run: { account, amount in
        await account.deposit(amount)
      }
    }
    let counterexample = try #require(try machine.check(settings()).counterexample)
    #expect(counterexample.arguments == ["deposit(7)\nbalance()"])
    #expect(counterexample.failure.message == "postcondition failed at step 2: balance() returned 6, expected 7")
  }

  @Test("fails a command that throws")
  func throwing() throws {
    struct Broken: Error {}
    let machine = StateMachine(model: 0, system: {}) { machine in
      machine.command("fail", .integers(in: 0...9)) { _, _ in
      } run: { _, value in
        if value > 4 { throw Broken() }
      }
    }
    let counterexample = try #require(try machine.check(settings()).counterexample)
    #expect(counterexample.arguments == ["fail(5)"])
    #expect(counterexample.failure.message == "step 1: fail(5) threw Broken()")
  }

  @Test("discards a program in which a command's assumption does not hold")
  func assumption() throws {
    let machine = StateMachine(model: 0, system: {}) { machine in
      machine.command("use", .integers(in: 0...99)) { _, _ in
      } run: { _, value in
        try assume(value > 0)
      }
    }
    let report = try machine.check(settings())
    #expect(report.outcome == .held)
    #expect(report.discards[.assumption, default: 0] > 0)
  }

  @Test("says that a symbol has no value outside of a run")
  func symbols() {
    let symbol = Symbol<Int>(step: 3)
    #expect(throws: SymbolError.notRunning(symbol: "v3")) { try symbol.value }
  }

  @Test(
    "spells commands as calls",
    arguments: [
      ("create(capacity:)", ["2"], "create(capacity: 2)"),
      ("enqueue", ["1", "2"], "enqueue(1, 2)"),
      (".put(_:at:)", ["v0", "1", "2"], "v0.put(1, at: 2)"),
      (".take", ["v0"], "v0.take()"),
      (".take", [], "take()"),
    ])
  func spelling(name: String, arguments: [String], expected: String) {
    let spelling = CommandSpelling(name)
    // The receiver of a method does not count among its labels.
    #expect(spelling.call(arguments) == expected)
  }
}
