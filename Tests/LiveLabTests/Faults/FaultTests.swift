// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("Faults")
struct FaultTests {
  @Test("every kind has a sample, and each is its kind and its values")
  func values() {
    #expect(Set(SampleFaults.all.map(\.kind)) == Set(Fault.Kind.allCases))
    for fault in SampleFaults.all { #expect(Fault(fault.kind, values: fault.values) == fault) }
  }

  @Test("the samples are free of contradictions", arguments: SampleFaults.all)
  func samples(fault: Fault) throws {
    try fault.check(named: "sample")
  }

  @Test("values that contradict each other are refused by the field, the value and what was expected")
  func contradictions() {
    func problem(_ fault: Fault, lasting: Interval = .seconds(1)) -> String {
      do throws(LiveLabError) {
        _ = try FaultSchedule([TimedFault(fault, at: .zero, lasting: lasting)], duration: .seconds(60))
        return "taken"
      } catch {
        return error.description
      }
    }
    #expect(problem(.reset).hasPrefix("fault 1, reset, for: found 1s, expected no time"))
    #expect(problem(.offline, lasting: .zero).hasPrefix("fault 1, offline, for: found 0s, expected a time above 0"))
    #expect(
      problem(.close(CloseCode(1_006), delay: .zero), lasting: .zero)
        .hasPrefix("fault 1, close, code: found 1006, expected a code that a close frame carries"))
    #expect(
      problem(.burstLoss(enter: .none, leave: .all, good: .none, bad: .all))
        .hasPrefix("fault 1, burst-loss, enter: found 0%, expected more than 0%"))
    #expect(
      problem(.burstLoss(enter: .all, leave: .all, good: Portion(0.5), bad: Portion(0.25)))
        .hasPrefix("fault 1, burst-loss, good: found 50%, expected no more than is lost in a burst, 25%"))
    #expect(
      problem(.refusal(status: 101, retryAfter: nil)).hasPrefix("fault 1, refusal, status: found 101, expected a whole")
    )
    #expect(
      problem(.refusal(status: 302, retryAfter: nil))
        .hasPrefix("fault 1, refusal, status: found 302, expected another status"))
    #expect(
      problem(.clockSkew(millionths: 1_000_000)).hasPrefix("fault 1, clock-skew, millionths: found 1000000, expected"))
  }

  @Test("a share is kept in millionths, and is never beyond all or none")
  func portions() {
    #expect(Portion(0.05).millionths == 50_000)
    #expect(Portion(2) == .all)
    #expect(Portion(-1) == .none)
    #expect(Portion(.nan) == .none)
    #expect(Portion(millionths: 3_000_000) == .all)
    #expect(Portion(millionths: 250_000).share == 0.25)
  }
}
