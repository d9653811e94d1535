// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import PropertyTesting
import Testing

@Suite("A journal of cases")
struct ChoiceJournalTests {
  /// Two views of one file, as two processes have them.
  private static func journals() throws -> (writer: ChoiceJournal, reader: ChoiceJournal) {
    let file = try ChildProcess.temporaryFile()
    defer { close(file) }
    let writer = try ChoiceJournal(descriptor: file, slots: 3)
    return (writer, try ChoiceJournal(descriptor: file))
  }

  @Test("shows the current case to other processes that map the file, before it is evaluated")
  func caseInHand() throws {
    let (writer, reader) = try Self.journals()
    let generator = Gen.arrays(of: Gen<Int>.integers(), count: 3)
    let trial = Trial(generator) { _ in
      #expect(reader.entry(in: 0).phase == .evaluating)
      #expect(reader.choices(in: 0)?.choiceCount == 4)
    }
    var draws = ChoiceSource(seed: 2)
    for count in 1...5 {
      draws.begin()
      let verdict = trial.journalled(in: writer).attempt(&draws) { _ in true }
      let choices = draws.choices
      #expect(verdict == .passed)
      #expect(reader.choices(in: 0) == choices)
      let entry = reader.entry(in: 0)
      #expect(entry.phase == .idle && entry.begun == UInt64(count) && entry.passed == UInt64(count))
    }
    #expect(reader.slots == 3)
  }

  @Test("without a free slot evaluates a case unrecorded")
  func full() throws {
    let journal = try ChoiceJournal(threads: 1)
    let trial = Trial(Gen<Int>.integers(in: 0...9)) { _ in }.journalled(in: journal)
    var first = ChoiceSource(seed: 1)
    var second = ChoiceSource(seed: 2)
    first.begin()
    second.begin()
    let verdicts = [trial.attempt(&first) { _ in true }, trial.attempt(&second) { _ in true }]
    let choices = first.choices
    #expect(verdicts == [.passed, .passed] && journal.entry(in: 0).begun == 1 && journal.choices(in: 0) == choices)
  }

  @Test("gives every thread its own slot")
  func threads() throws {
    let (writer, reader) = try Self.journals()
    let trial = Trial(Gen<Int>.integers(in: 0...9)) { _ in }.journalled(in: writer)
    let seeds: [UInt32] = [1, 2, 3]
    let threads = seeds.map { seed in
      let done = DispatchSemaphore(value: 0)
      let thread = Thread {
        var draws = ChoiceSource(seed: seed)
        for _ in 0..<100 {
          draws.begin()
          _ = trial.attempt(&draws) { _ in true }
        }
        done.signal()
      }
      thread.start()
      return done
    }
    for done in threads { done.wait() }
    #expect((0..<3).reduce(0) { $0 + reader.entry(in: $1).passed } == 300)
  }
}
