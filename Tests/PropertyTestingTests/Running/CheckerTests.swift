// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Synchronization
import Testing

@testable import PropertyTesting

@Suite("A check")
struct CheckerTests {
  private let numbers = Gen.integers(in: 0...1_000_000)

  private func settings(cases: Int, jobs: Int = 1, seed: UInt64 = 1) -> CheckSettings {
    var settings = CheckSettings()
    (settings.cases, settings.jobs, settings.seed) = (cases, jobs, seed)
    return settings
  }

  private func timeless() -> CheckEnvironment {
    var environment = CheckEnvironment()
    environment.clock = nil
    return environment
  }

  @Test("says the same at any number of jobs, labels and discards included", arguments: [0, 1, 2, 3] as [UInt64])
  func jobs(seed: UInt64) throws {
    let property = Property("test.jobs", "Products stay small", numbers, numbers) { left, right in
      try assume(left % 3 != 0)
      label("even", when: left % 2 == 0)
      classify("last digit", by: right % 10)
      cover("large", left > 500_000, atLeast: 0.3)
      target(Double(right))
      try claim(left * right < 900_000_000_000, "it is large")
    }
    var reports: Set<CheckReport> = []
    for jobs in [1, 2, 3, 8] {
      var report = try property.check(settings(cases: 20_000, jobs: jobs, seed: seed), in: timeless())
      #expect(report.settings.jobs == jobs)
      report.settings.jobs = 1
      reports.insert(report)
    }
    #expect(reports.count == 1)
    #expect(reports.first?.counterexample != nil)
  }

  @Test("begins with the cases of a shorter check", arguments: [1, 99, 100, 101, 950, 1000, 1001, 2500])
  func prefix(cases: Int) throws {
    func drawn(_ cases: Int) throws -> [Int] {
      let seen = Mutex<[Int]>([])
      let report = try search(numbers, settings: settings(cases: cases)) { number in
        seen.withLock { $0.append(number) }
      }
      #expect(report.passed == cases)
      return seen.withLock { $0 }
    }
    let longer = try drawn(3000)
    #expect(try drawn(cases) == Array(longer.prefix(cases)))
    #expect(longer.count == 3000)
  }

  @Test("counts the cases up to the failure, across blocks")
  func place() throws {
    let seen = Mutex(0)
    let report = try search(numbers, settings: settings(cases: 50_000, seed: 5)) { number in
      seen.withLock { $0 += 1 }
      if seen.withLock({ $0 == 2345 }) { throw Failure("the 2345th", origin: "here") }
    }
    guard case .flaky(let flake) = report.outcome else {
      Issue.record("\(report.outcome)")
      return
    }
    #expect(flake.casesUntilFound == 2345)
    #expect(report.passed == 2344)
  }

  @Test("plays whole blocks when its time is up, and says so")
  func time() throws {
    var settings = settings(cases: 1_000_000)
    settings.timeLimit = .nanoseconds(1)
    let report = try search(numbers, settings: settings) { _ in }
    #expect(report.ending == .deadline)
    #expect(report.passed == 100)
    #expect(report.summary == "holds in 100 cases; the time was up before 1000000")
  }

  @Test("stops when interrupted and holds nothing for shown that was not tried")
  func interrupted() throws {
    var environment = CheckEnvironment()
    let interrupt = Interrupt()
    interrupt.raise()
    environment.interrupt = interrupt
    let report = try Property("test.stop", "Anything", numbers) { _ in }.check(settings(cases: 1000), in: environment)
    #expect(report.ending == .interrupted)
    #expect(!report.isHeld)
  }

  @Test("gives up on a generator that can produce nothing, and says what to do")
  func nothing() throws {
    let report = try search(Gen.elements(of: [Int]()), settings: settings(cases: 10)) { _ in }
    #expect(report.outcome == .exhausted)
    #expect(report.discarded == 1001)
    #expect(report.summary == "The generator can produce nothing: elements(of:) has nothing to choose from.")
  }

  @Test("gives up on assumptions that nothing meets, and says what to do")
  func unmet() throws {
    let report = try search(numbers, settings: settings(cases: 10)) { try assume($0 < 0) }
    #expect(report.discards == [.assumption: 1001])
    #expect(report.obstacle == .exhausted(passed: 0, discarded: 1001))
    #expect(
      report.summary == "The generator can produce nothing: 1001 cases were drawn and all were discarded. "
        + "Draw values that fit instead of filtering them, or loosen the assumptions.")
  }

  @Test("gives up when far more cases are discarded than pass")
  func rare() throws {
    let report = try search(numbers, settings: settings(cases: 100)) { try assume($0 % 50 == 7) }
    #expect(report.outcome == .exhausted)
    #expect(report.passed > 0)
    #expect(report.warnings.contains { if case .manyDiscards = $0 { true } else { false } })
  }

  @Test("reports discards by their reason")
  func discards() throws {
    let report = try search(numbers, settings: settings(cases: 1000)) { try assume($0 % 4 != 1) }
    #expect(report.isHeld)
    #expect(report.passed == 1000)
    #expect((200..<500).contains(report.discards[.assumption] ?? 0))
    #expect(report.warnings.isEmpty)
  }

  @Test("counts a failure that the host recorded, and shrinks it")
  func recorded() throws {
    let report = try search(numbers, settings: settings(cases: 1000)) { number in
      guard number > 700 else { return }
      CaseContext.current?.withRemarks { $0.failure = Failure("\(number) is large", origin: "an expectation") }
    }
    #expect(report.counterexample?.arguments == ["701"])
    #expect(report.counterexample?.failure.message == "701 is large")
  }

  @Test("of a property inside a property keeps the remarks of both apart")
  func nested() throws {
    let report = try search(Gen.integers(in: 1...3), settings: settings(cases: 10)) { _ in
      label("outer")
      let inner = try search(Gen.booleans()) { _ in label("inner") }
      try claim(inner.labels.map(\.name) == ["inner"])
    }
    #expect(report.isHeld)
    #expect(report.labels.map(\.name) == ["outer"])
  }
}
