// SPDX-License-Identifier: Apache-2.0
@testable import PropertyTesting
import Synchronization
import Testing

@Suite("A state machine")
struct StateMachineTests {
  private let settings = CheckSettings(cases: 500)

  @Test("finds nothing wrong with a right queue")
  func right() throws {
    let report = try queues(.none).check(CheckSettings(cases: 1_000))
    #expect(report.outcome == .held)
    #expect(report.discards.isEmpty)
  }

  @Test("counts its commands and the lengths of its programs for a report on request")
  func counts() throws {
    let property = queues(.none).property("queue.1", "It is a queue")
    let report = try property.check(CheckSettings(cases: 300), in: CheckEnvironment(countsCommands: true))
    #expect(report.tables.map(\.name) == ["commands", "commands of a program"])
    #expect(report.tables[0].rows.map(\.name).sorted() == ["count", "create", "put", "take"])
    #expect(report.tables[1].rows.map(\.name).contains("30 to 34") && report.tables[1].total == 300)
    #expect(try property.check(CheckSettings(cases: 30)).tables.isEmpty)
  }

  @Test("finds that a ring of one slot too few loses its values")
  func slots() throws {
    let counterexample = try #require(try queues(.slots).check(settings).counterexample)
    #expect(counterexample.arguments == ["let v0 = create(capacity: 1)\nv0.put(0)\nv0.count()"])
    #expect(counterexample.failure.message == "postcondition failed at step 3: v0.count() returned 0, expected 1")
  }

  @Test("finds that a stack is not a queue")
  func order() throws {
    let counterexample = try #require(try queues(.order).check(settings).counterexample)
    #expect(
      counterexample.arguments == ["let v0 = create(capacity: 2)\nv0.put(0)\nv0.put(1)\nv0.take()"])
    #expect(counterexample.failure.message == "postcondition failed at step 4: v0.take() returned 1, expected 0")
  }

  @Test("tests a struct, and reports the step after which an invariant fails")
  func structure() throws {
    var machine = StateMachine<Int, Set<Int>>(model: 0, system: { [] }) { machine in
      machine.command("insert", .integers(in: 0...3)) { _, _ in
      } run: { set, value in
        _ = set.insert(value)
      }
    }
    #expect(machine.invariants.isEmpty)
    machine.invariant("a set of numbers below 3") { _, set in try require(set.allSatisfy { $0 < 3 }, "\(set)") }
    let failure = try #require(try machine.check(settings).counterexample?.failure)
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
    let counterexample = try #require(try machine.check(settings).counterexample)
    #expect(counterexample.arguments == ["deposit(7)\nbalance()"])
    #expect(counterexample.failure.message == "postcondition failed at step 2: balance() returned 6, expected 7")
  }

  @Test("takes commands of several arguments as one tuple, and prints them one by one")
  func arguments() throws {
    let digit = Gen<Int>.integers(in: 0..<10)
    let machine = StateMachine(model: [Int](), system: { Numbers() }) { machine in
      machine.command("add", zip(digit, digit), when: { $0.count < 3 && $1.0 <= $1.1 }) { model, digits in
        model.append(digits.0 * 10 + digits.1)
        return model.count
      } run: { numbers, digits in
        numbers.add(digits.0 * 10 + digits.1)
      }
      machine.command("fill(_:to:by:)", zip(digit, digit, digit)) { model, range in
        if range.0 < range.1 { model += [range.0, range.1, range.2] }
      } run: { numbers, range in
        for number in [range.0, range.1, range.2] where range.0 < range.1 { _ = numbers.add(number) }
      }
      machine.command("make", digit) { model, _, last in
        model.append(last)
      } run: { numbers, last in
        numbers.add(last)
      } check: { model, count, _ in
        try require(count == model.count + 1)
      }
      machine.invariant("the sums agree") { model, numbers in
        try require(numbers.all.reduce(0, +) == model.reduce(0, +) && numbers.all.count < 9)
      }
    }
    let counterexample = try #require(try machine.check(settings).counterexample)
    #expect(counterexample.arguments == ["fill(0, to: 1, by: 0)\nfill(0, to: 1, by: 0)\nfill(0, to: 1, by: 0)"])
  }

  struct Numbers {
    private(set) var all: [Int] = []
    mutating func add(_ number: Int) -> Int {
      all.append(number)
      return all.count
    }
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
    let counterexample = try #require(try machine.check(settings).counterexample)
    #expect(counterexample.arguments == ["fail(5)"])
    #expect(counterexample.failure.message == "step 1: fail(5) threw Broken()")
  }

  @Test("names the line of the command or of the invariant that failed")
  func places() throws {
    struct Broken: Error {}
    func place(_ configure: (inout StateMachine<Int, Int>) -> Void) throws -> String? {
      let report = try StateMachine(model: 0, system: { 0 }, configure).check(settings)
      return report.text().split(separator: "\n").first { $0.hasPrefix("  at ") }.map { String($0.dropFirst(5)) }
    }
    let file = "PropertyTestingTests/StateMachineTests.swift"
    let returned = try place { $0.command("get", model: { (_: inout Int) in 1 }, run: { $0 }, line: 7) }
    #expect(returned == "\(file):7")
    let thrown = try place { $0.command("get", model: { _ in }, run: { _ in throw Broken() }, line: 8) }
    #expect(thrown == "\(file):8 threw Broken")
    let invariant = try place { $0.invariant("equal", { $0 > $1 }, line: 9) }
    #expect(invariant == "\(file):9 equal")
    let throwing = try place { $0.invariant("equal", { _, _ in throw Broken() }, line: 10) }
    #expect(throwing == "\(file):10 equal threw Broken")
    let required = try place { $0.command("get", model: { _ in }, run: { try require($0 > 0) }, line: 11) }
    #expect(required == "\(file):\(#line - 1)", "the line of the requirement in the command's code")
  }

  @Test("discards a program in which a command's assumption does not hold")
  func assumption() throws {
    let machine = StateMachine(model: 0, system: {}) { machine in
      machine.command("use", .integers(in: 0...99)) { _, _ in
      } run: { _, value in
        try assume(value > 0)
      }
    }
    let report = try machine.check(settings)
    #expect(report.outcome == .held)
    #expect(report.discards[.assumption, default: 0] > 0)
  }

  @Test("reports that a symbol has no value outside of a run")
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

@Suite("The tape of a program")
struct ProgramChoiceTests {
  /// Returns true if every precondition holds where its command stands.
  private func isValid(_ program: Program<QueueModel, Void>) -> Bool {
    var model = QueueModel()
    return program.steps.enumerated().allSatisfy { index, step in
      defer { step.advance(&model) }
      return step.number == index && step.allows(model)
    }
  }

  @Test("makes a program whose preconditions hold after any cut or change, and reads back to the bit")
  func mangled() throws {
    let programs = queues(.none).programs()
    var draws = ChoiceSource(seed: 11)
    var shortened = 0
    for _ in 0..<10 {
      draws.begin()
      #expect(isValid(try draws.draw(programs)))
      let choices = draws.choices
      let once = choices.mutants(&draws)
      let twice = stride(from: 0, to: once.count, by: 97).flatMap { once[$0].mutants(&draws) }
      for mutant in once + twice {
        draws.begin(reading: mutant)
        let program = try draws.draw(programs)
        let canonical = draws.choices
        #expect(isValid(program))
        if canonical.entries.count < mutant.entries.count { shortened += 1 }
        draws.begin(reading: canonical)
        let again = try draws.draw(programs)
        let (isFaithful, rewritten) = (draws.isFaithfulReplay, draws.choices)
        #expect(again.lines == program.lines)
        #expect(isFaithful)
        #expect(rewritten == canonical)
      }
    }
    #expect(shortened > 500)
  }

  @Test("leaves out the commands that depended on a deleted one, and keeps the others")
  func deletion() throws {
    let machine = queues(.none)
    var draws = ChoiceSource(seed: 3)
    // create, put, take: written as a shrinker finds it, with the creation deleted.
    let choice = ChoiceEntry.anyLabel
    let entries: [ChoiceEntry] = [
      .open(choice), ChoiceEntry(tag: .length, value: 3, lower: 0, upper: 30, target: 0),
      .open(choice), branch(1), .open(choice), integer(0, upper: 0), integer(4, upper: 9), .close, .close,
      .open(choice), branch(0), integer(2, lower: 1, upper: 3), .close,
      .open(choice), branch(3), integer(0, upper: 0), .close,
      .close,
    ]
    draws.begin(reading: ChoiceSequence(entries))
    let program = try draws.draw(machine.programs())
    #expect(program.lines == ["let v0 = create(capacity: 2)", "v0.count()"])
    let (choices, isFaithful) = (draws.choices, draws.isFaithfulReplay)
    #expect(choices.entries.first { $0.tag == .length }?.value == 2)
    #expect(!isFaithful)
  }

  private func branch(_ value: UInt64) -> ChoiceEntry {
    ChoiceEntry(tag: .branch, value: value, lower: 0, upper: 3, target: 0)
  }

  private func integer(_ value: UInt64, lower: UInt64 = 0, upper: UInt64) -> ChoiceEntry {
    let bias: UInt64 = lower == 0 && upper == 0 ? 0 : 1 << 63
    return ChoiceEntry(
      tag: .integer, value: value | bias, lower: lower | bias, upper: upper | bias, target: lower | bias)
  }

  @Test("keeps a reference to the same value when an earlier creation is deleted")
  func references() throws {
    let symbols = [Symbol<Int>(step: 0), Symbol<Int>(step: 4), Symbol<Int>(step: 7)]
    let choice = ChoiceEntry(tag: .integer, value: 1, lower: 0, upper: 2, target: 0)
    var draws = ChoiceSource(seed: 3)
    draws.begin(reading: ChoiceSequence([choice]))
    #expect(try draws.draw(.symbols(among: symbols)) == symbols[1])
    draws.begin(reading: ChoiceSequence([choice]))
    #expect(try draws.draw(.symbols(among: symbols.dropFirst())) == symbols[1])
  }

  @Test("disables some commands in half of the programs, so that many of one without another occur")
  func swarm() throws {
    let machine = StateMachine(model: 0, system: {}) { machine in
      machine.command("push") {
        $0 += 1
      } run: { _ in
      }
      machine.command("clear") {
        $0 = 0
      } run: { _ in
      }
      for number in 1...6 {
        machine.command("peek\(number)") { _ in
        } run: { _ in
        }
      }
      machine.invariant("is never high") { depth, _ in depth < 10 }
    }
    let found = try (0..<10 as Range<UInt64>).filter {
      try machine.check(CheckSettings(cases: 1000, seed: $0, shrinkLimit: 0, explains: false)).counterexample != nil
    }
    // With all eight commands in every program, ten of the first between two of the second are one in thousands.
    #expect(found.count >= 8)
    let report = try search(machine.programs(), settings: CheckSettings(cases: 1000)) { program in
      label("all", when: Set(program.lines).count == 8)
      return true
    }
    #expect(report.labels.first?.count ?? 0 > 100)
  }

  @Test("ends early if no command may run, and is discarded if it must be longer")
  func short() throws {
    var machine = StateMachine(model: 0, system: {}) { machine in
      machine.command("step", when: { $0 < 3 }) {
        $0 += 1
      } run: { _ in
      }
    }
    machine.length = 10...20
    var draws = ChoiceSource(seed: 1)
    draws.begin()
    #expect(throws: Discard.filtered) { try draws.draw(machine.programs()) }
    machine.length = 3...20
    draws.begin()
    #expect(try draws.draw(machine.programs()).count == 3)
  }
}

/// A ring of slots behind a lock, with a fault to choose.
final class RingQueue: Sendable {
  enum Fault: Sendable {
    case none
    /// The ring has one slot too few, so a full queue looks empty.
    case slots
    /// The newest value is taken out instead of the oldest.
    case order
  }

  private struct Ring {
    var slots: [Int]
    var head = 0
    var tail = 0
  }

  private let ring: Mutex<Ring>
  private let fault: Fault

  init(capacity: Int, fault: Fault = .none) {
    self.fault = fault
    ring = Mutex(Ring(slots: Array(repeating: 0, count: fault == .slots ? capacity : capacity + 1)))
  }

  var count: Int { ring.withLock { ($0.tail - $0.head + $0.slots.count) % $0.slots.count } }

  func put(_ value: Int) {
    ring.withLock { ring in
      ring.slots[ring.tail] = value
      ring.tail = (ring.tail + 1) % ring.slots.count
    }
  }

  func take() -> Int {
    ring.withLock { ring in
      if fault == .order {
        ring.tail = (ring.tail + ring.slots.count - 1) % ring.slots.count
        return ring.slots[ring.tail]
      }
      defer { ring.head = (ring.head + 1) % ring.slots.count }
      return ring.slots[ring.head]
    }
  }
}

/// Queues that are made by commands: the model knows them by their symbols.
struct QueueModel: Hashable {
  struct Queue: Hashable {
    var capacity: Int
    var values: [Int] = []
  }

  var queues: [Symbol<RingQueue>: Queue] = [:]

  func isFull(_ queue: Symbol<RingQueue>) -> Bool {
    queues[queue].map { $0.values.count == $0.capacity } ?? true
  }

  func isEmpty(_ queue: Symbol<RingQueue>) -> Bool { queues[queue]?.values.isEmpty ?? true }
}

/// The queue of Hughes, "Experiences with QuickCheck: testing the hard stuff and staying sane", 2016.
func queues(_ fault: RingQueue.Fault) -> StateMachine<QueueModel, Void> {
  StateMachine(model: QueueModel(), system: {}) { machine in
    machine.command("create(capacity:)", .integers(in: 1...3)) { model, queue, capacity in
      model.queues[queue] = QueueModel.Queue(capacity: capacity)
    } run: { _, capacity in
      RingQueue(capacity: capacity, fault: fault)
    }
    machine.command(
      ".put", given: { model in zip(.symbols(among: model.queues.keys), .integers(in: 0...9)) },
      when: { model, put in !model.isFull(put.0) }
    ) { model, put in
      model.queues[put.0]?.values.append(put.1)
    } run: { _, put in
      try put.0.value.put(put.1)
    }
    machine.command(
      ".take", given: { model in .symbols(among: model.queues.keys) },
      when: { model, queue in !model.isEmpty(queue) }
    ) { model, queue in
      model.queues[queue]?.values.removeFirst()
    } run: { _, queue in
      try queue.value.take()
    }
    machine.command(".count", given: { model in .symbols(among: model.queues.keys) }) { model, queue in
      model.queues[queue]?.values.count
    } run: { _, queue in
      try queue.value.count
    }
  }
}
