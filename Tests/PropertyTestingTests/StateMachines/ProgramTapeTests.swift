// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import PropertyTesting

/// Tapes that a shrinker might try, and worse.
private struct TapeMangler {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % max(1, bound)
  }

  /// Deletes, repeats and moves spans and changes choices.
  mutating func mangle(_ tape: Tape) -> Tape {
    var tape = tape
    for _ in 0...below(4) where !tape.entries.isEmpty {
      let matches = tape.matches()
      let index = below(tape.entries.count)
      let end = matches[index]
      let entry = tape.entries[index]
      switch entry.tag {
      case .close: break
      case .open where below(2) == 0: tape.entries.removeSubrange(index...end)
      case .open: tape.entries.insert(contentsOf: tape.entries[index...end], at: index)
      default: tape.entries[index].value = entry.lower &+ UInt64(below(Int(entry.upper &- entry.lower) + 1))
      }
    }
    return tape
  }
}

@Suite("The tape of a program")
struct ProgramTapeTests {
  /// Whether every precondition holds where its command stands.
  private func isValid(_ program: Program<QueueModel, Void>) -> Bool {
    var model = QueueModel()
    return program.steps.enumerated().allSatisfy { index, step in
      defer { step.advance(&model) }
      return step.number == index && step.allows(model)
    }
  }

  @Test("makes a program whose preconditions hold, however it was cut and changed, and reads back to the bit")
  func mangled() throws {
    let programs = queues(.none).programs()
    var draws = try Draws(seed: 11)
    var mangler = TapeMangler(seed: 5)
    var shortened = 0
    for _ in 0..<2_000 {
      draws.begin()
      #expect(isValid(try draws.draw(programs)))
      let mangled = mangler.mangle(draws.tape)
      draws.begin(reading: mangled)
      let program = try draws.draw(programs)
      let canonical = draws.tape
      #expect(isValid(program))
      if canonical.entries.count < mangled.entries.count { shortened += 1 }
      draws.begin(reading: canonical)
      let again = try draws.draw(programs)
      let (isFaithful, rewritten) = (draws.isFaithfulReplay, draws.tape)
      #expect(again.lines == program.lines)
      #expect(isFaithful)
      #expect(rewritten == canonical)
    }
    #expect(shortened > 500)
  }

  @Test("leaves out the commands that depended on a deleted one, and keeps the others")
  func deletion() throws {
    let machine = queues(.none)
    var draws = try Draws(seed: 3)
    // create, put, take: written as a shrinker finds it, with the creation deleted.
    let choice = TapeEntry.anyLabel
    let entries: [TapeEntry] = [
      .open(choice), TapeEntry(tag: .length, value: 3, lower: 0, upper: 30, target: 0),
      .open(choice), branch(1), .open(choice), integer(0, upper: 0), integer(4, upper: 9), .close, .close,
      .open(choice), branch(0), integer(2, lower: 1, upper: 3), .close,
      .open(choice), branch(3), integer(0, upper: 0), .close,
      .close,
    ]
    draws.begin(reading: Tape(entries))
    let program = try draws.draw(machine.programs())
    #expect(program.lines == ["let v0 = create(capacity: 2)", "v0.count()"])
    let (tape, isFaithful) = (draws.tape, draws.isFaithfulReplay)
    #expect(tape.entries.first { $0.tag == .length }?.value == 2)
    #expect(!isFaithful)
  }

  private func branch(_ value: UInt64) -> TapeEntry {
    TapeEntry(tag: .branch, value: value, lower: 0, upper: 3, target: 0)
  }

  private func integer(_ value: UInt64, lower: UInt64 = 0, upper: UInt64) -> TapeEntry {
    let bias: UInt64 = lower == 0 && upper == 0 ? 0 : 1 << 63
    return TapeEntry(tag: .integer, value: value | bias, lower: lower | bias, upper: upper | bias, target: lower | bias)
  }

  @Test("keeps a reference to the same value when an earlier creation is deleted")
  func references() throws {
    let symbols = [Symbol<Int>(step: 0), Symbol<Int>(step: 4), Symbol<Int>(step: 7)]
    let choice = TapeEntry(tag: .integer, value: 1, lower: 0, upper: 2, target: 0)
    var draws = try Draws(seed: 3)
    draws.begin(reading: Tape([choice]))
    #expect(try draws.draw(.symbols(among: symbols)) == symbols[1])
    draws.begin(reading: Tape([choice]))
    #expect(try draws.draw(.symbols(among: symbols.dropFirst())) == symbols[1])
  }

  @Test("ends early when no command may run, and is discarded when it must be longer")
  func short() throws {
    var machine = StateMachine(model: 0, system: {}) { machine in
      machine.command("step", when: { $0 < 3 }) {
        $0 += 1
      } run: { _ in
      }
    }
    machine.length = 10...20
    var draws = try Draws(seed: 1)
    draws.begin()
    #expect(throws: Discard.filtered) { try draws.draw(machine.programs()) }
    machine.length = 3...20
    draws.begin()
    #expect(try draws.draw(machine.programs()).count == 3)
  }
}
