// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization
import Testing

@testable import PropertyTesting

@Suite("The journal of cases")
struct CaseJournalTests {
  private final class Journal: CaseJournal {
    let lines = Mutex<[String]>([])
    let tapes = Mutex<[CasePlace: Tape]>([:])

    func willDraw(at place: CasePlace) { add("draw", place) }
    func didEnd(at place: CasePlace) { add("end", place) }
    func willJudge(_ tape: Tape, at place: CasePlace) {
      add("judge", place)
      tapes.withLock { $0[place] = tape }
    }

    private func add(_ what: String, _ place: CasePlace) {
      lines.withLock { $0.append("\(what) \(place.block).\(place.attempt)") }
    }
  }

  private func check(cases: Int, jobs: Int = 1, _ body: @escaping @Sendable (Int) throws -> Void) throws -> Journal {
    let journal = Journal()
    var environment = CheckEnvironment()
    environment.journal = journal
    var settings = CheckSettings()
    (settings.cases, settings.jobs) = (cases, jobs)
    _ = try Property("test.journal", "Anything", Gen.integers(in: 0...99), body: body).check(settings, in: environment)
    return journal
  }

  @Test("is told of a case before it is drawn, before it is judged, and after")
  func order() throws {
    let journal = try check(cases: 2) { _ in }
    #expect(
      journal.lines.withLock { $0 } == ["draw 0.0", "judge 0.0", "end 0.0", "draw 0.1", "judge 0.1", "end 0.1"])
  }

  @Test("names every case once, also on several threads")
  func threads() throws {
    let journal = try check(cases: 1000, jobs: 4) { _ in }
    let judged = journal.lines.withLock { $0.filter { $0.hasPrefix("judge") } }
    #expect(Set(judged).count == 1000)
    #expect(judged.count == 1000)
  }

  @Test("holds the tape that makes the case in hand")
  func tape() throws {
    let last = Mutex(-1)
    let journal = try check(cases: 50) { number in last.withLock { $0 = number } }
    let tape = try #require(journal.tapes.withLock { $0[CasePlace(block: 0, attempt: 49)] })
    let trial = Trial(Gen.integers(in: 0...99)) { _ in }
    var draws = try Draws(seed: 1)
    draws.begin(reading: tape)
    #expect(trial.describe(&draws) == ["\(last.withLock { $0 })"])
  }

  @Test("counts discarded cases as attempts")
  func discarded() throws {
    let journal = try check(cases: 100) { try assume($0 % 2 == 0) }
    #expect(journal.tapes.withLock { $0.count } > 150)
  }
}
