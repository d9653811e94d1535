// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization
import Testing

@testable import PropertyTesting

@Suite("A property that depends on more than its arguments")
struct FlakyTests {
  @Test("is called flaky when its failing case passes the second time")
  func once() throws {
    let calls = Mutex(0)
    let report = try search(Gen.integers(in: 0...9)) { _ in
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      try claim(call != 20, "the twentieth call")
    }
    #expect(report.flaky?.first.message == "the twentieth call")
    #expect(report.flaky?.second == .passed)
    #expect(report.flaky?.casesUntilFound == 20)
    #expect(report.counterexample == nil)
    #expect(!report.isHeld)
  }

  @Test("is called flaky when its failing case fails for another reason the second time")
  func otherwise() throws {
    let calls = Mutex(0)
    let report = try search(Gen.integers(in: 0...9)) { _ in
      let isFirst = calls.withLock { calls in
        calls += 1
        return calls == 1
      }
      throw isFirst ? Failure("first", origin: "one") : Failure("second", origin: "another")
    }
    #expect(report.flaky?.second == .failed(Failure("second", origin: "another")))
    #expect(report.text().contains("  first: failed: first, at one\n  then: failed: second, at another\n"))
  }

  @Test("is called flaky when what it was shrunk to passes")
  func shrunk() throws {
    let seen = Mutex<Set<Int>>([])
    // Numbers from 900 on always fail; after that those from 500 on do, once each.
    let report = try search(Gen.integers(in: 0...1000)) { number in
      let isNew = seen.withLock { $0.insert(number).inserted }
      let isAwake = seen.withLock { $0.contains { $0 >= 900 } }
      try claim(number < 900 && !(number >= 500 && isNew && isAwake), "large")
    }
    #expect(report.flaky?.arguments == ["500"])
    #expect(report.flaky?.second == .passed)
  }
}
