// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("The design that was replaced")
struct ReplacedDesignTests {
  private func firstBreaches(_ text: String, sessions: UInt32 = 20) throws -> [Breach] {
    let schedule = try FaultSchedule(reading: text)
    var session = try Session<LegacyClient, InvariantChecker>(observer: InvariantChecker())
    var breaches: [Breach] = []
    for seed in 1...sessions {
      session.observer = InvariantChecker()
      try session.run(schedule, seed: seed)
      if let breach = session.observer.breach { breaches.append(breach) }
    }
    return breaches
  }

  @Test("looks right while nothing goes wrong")
  func right() throws {
    #expect(try firstBreaches("live/1 for=1h").isEmpty)
  }

  @Test(
    "is found out by the fault that it cannot bear",
    arguments: [
      ("live/1 for=15m; 1m half-open", Invariant.halfOpenNoticed), ("live/1 for=15m; 1m reset", .countedOnce),
      ("live/1 for=15m; 0s black-hole for=1m", .connectTimeout), ("live/1 for=30m; 0s refused for=10m", .alwaysAnExit),
    ])
  func foundOut(schedule: String, invariant: Invariant) throws {
    let breaches = try firstBreaches(schedule)
    #expect(!breaches.isEmpty && breaches.allSatisfy { $0.invariant == invariant })
  }
}
