// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("A breach as people read it")
struct BreachTests {
  private func text(at nanoseconds: Int64, _ finding: Breach.Finding) -> String {
    let moment = SessionMoment(world: Instant(nanoseconds: nanoseconds), client: .zero)
    return "\(Breach(invariant: .attemptFloor, moment: moment, step: 7, event: .start, finding: finding))"
  }

  @Test("says when by the clock of a timeline, and how long in thousandths of a second")
  func times() {
    #expect(
      text(at: 870_619_964_599, .tooSoon(.milliseconds(20), atLeast: .milliseconds(100)))
        == "attempt-floor at 14:30.619, step 7: after 0.02 s, where it may come after 0.1 s at the soonest")
    #expect(
      text(at: 0, .tooLate(Interval(nanoseconds: 15_065_752_504), atMost: .seconds(10)))
        == "attempt-floor at 0:00.000, step 7: not within 10 s, but after 15.065 s or never")
    #expect(text(at: 0, .tooLate(.forever, atMost: .seconds(10))).hasSuffix("not within 10 s, but never"))
  }

  @Test("tells two lengths apart that differ by less than a thousandth")
  func close() {
    #expect(
      text(at: 0, .tooSoon(Interval(nanoseconds: 100_000_000), atLeast: Interval(nanoseconds: 100_000_300)))
        .hasSuffix("after 0.1 s, where it may come after 0.1000003 s at the soonest"))
    #expect(
      text(at: 0, .tooLate(Interval(nanoseconds: 10_000_400_000), atMost: .seconds(10)))
        .hasSuffix("not within 10 s, but after 10.0004 s or never"))
  }
}
