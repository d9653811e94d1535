// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("The bounds of faults and of their parameters")
struct FaultBoundsTests {
  private func problem(
    _ fault: Fault, at: Interval = .zero, lasting: Interval = .seconds(1), duration: Interval = .seconds(60)
  ) -> String? {
    do throws(LiveLabError) {
      _ = try FaultSchedule([TimedFault(fault, at: .zero + at, lasting: lasting)], duration: duration)
      return nil
    } catch {
      return error.description
    }
  }

  @Test(
    "a value at either bound of a parameter is read as it is written, and one beyond it is not",
    arguments: Fault.Kind.allCases)
  func bounds(kind: Fault.Kind) {
    for parameter in kind.parameters {
      for bound in [parameter.range.lowerBound, parameter.range.upperBound] {
        #expect(parameter.value(parameter.text(bound)) == bound)
      }
      let beyond = [parameter.range.lowerBound - 1, parameter.range.upperBound + 1]
      #expect(beyond.allSatisfy { parameter.value(parameter.text($0)) == nil })
      #expect(!parameter.expectation.isEmpty)
      #expect(parameter.standard.map { parameter.range.contains($0) || parameter.isOptional } ?? true)
    }
  }

  /// A fault at the bounds of its parameters, and one beyond them.
  static let edges: [(Fault, Fault)] = [
    (.clockSkew(millionths: 500_000), .clockSkew(millionths: 500_001)),
    (.clockSkew(millionths: -500_000), .clockSkew(millionths: -500_001)),
    (.bandwidth(bytesPerSecond: 1), .bandwidth(bytesPerSecond: 0)),
    (.enormousFrame(bytes: 1), .enormousFrame(bytes: 0)),
    (.refusal(status: 200, retryAfter: nil), .refusal(status: 199, retryAfter: nil)),
    (.refusal(status: 599, retryAfter: .zero), .refusal(status: 600, retryAfter: nil)),
    (.refusal(status: 299, retryAfter: nil), .refusal(status: 300, retryAfter: nil)),
    (.refusal(status: 400, retryAfter: nil), .refusal(status: 399, retryAfter: nil)),
    (.latePongs(delay: FaultSchedule.longest), .latePongs(delay: FaultSchedule.longest + Interval(nanoseconds: 1))),
    (.nameNotFound(after: .zero), .nameNotFound(after: Interval(nanoseconds: -1))),
    (.close(CloseCode(1_003), delay: .zero), .close(CloseCode(1_004), delay: .zero)),
    (.garbage(CloseCode(1_014)), .garbage(CloseCode(1_015))), (.garbage(CloseCode(3_000)), .garbage(CloseCode(2_999))),
    (
      .burstLoss(enter: .all, leave: Portion(millionths: 1), good: .none, bad: .all),
      .burstLoss(enter: .all, leave: .none, good: .none, bad: .all)
    ),
    (
      .burstLoss(enter: .all, leave: .all, good: Portion(0.5), bad: Portion(0.5)),
      .burstLoss(enter: .all, leave: .all, good: Portion(0.5), bad: Portion(millionths: 499_999))
    ),
  ]

  @Test("a fault at its bounds is taken, one beyond them refused by its name", arguments: edges)
  func edge(inside: Fault, beyond: Fault) {
    let lasting = inside.kind.isMoment ? Interval.zero : .seconds(1)
    #expect(problem(inside, lasting: lasting) == nil)
    #expect(problem(beyond, lasting: lasting)?.hasPrefix("fault 1, \(beyond.kind.rawValue), ") == true)
  }

  @Test("a fault begins within its session")
  func moments() {
    let nanosecond = Interval(nanoseconds: 1)
    #expect(problem(.sleep, at: .seconds(60) - nanosecond) == nil)
    #expect(problem(.sleep, at: .seconds(60))?.hasPrefix("fault 1, sleep, at: found 1m") == true)
    #expect(problem(.sleep, at: .zero - nanosecond)?.hasPrefix("fault 1, sleep, at: found") == true)
  }

  @Test("a schedule holds no more than it can, and no limit beyond the longest session")
  func capacity() throws {
    let many = (0...FaultSchedule.capacity).map { TimedFault(.reset, at: .zero + .seconds(Int64($0))) }
    #expect(try FaultSchedule(many.dropLast(), duration: .seconds(600)).faults.count == FaultSchedule.capacity)
    #expect(throws: LiveLabError.self) { try FaultSchedule(many, duration: .seconds(600)) }
    let longest = FaultSchedule.longest
    #expect(try FaultSchedule([], duration: longest, limit: longest).limit == longest)
    #expect(throws: LiveLabError.self) { try FaultSchedule([], duration: longest, limit: longest + .seconds(1)) }
    #expect(throws: LiveLabError.self) { try FaultSchedule([], duration: longest + .seconds(1)) }
  }

  @Test("a session that turns out shorter loses the faults that would begin at its end or later")
  func shortened() {
    var schedule = FaultSchedule()
    schedule.begin(duration: .seconds(600))
    for second in [10, 20, 30] as [Int64] { schedule.add(TimedFault(.reset, at: .zero + .seconds(second))) }
    schedule.add(TimedFault(.sleep, at: .zero + .seconds(15), lasting: .seconds(100)))
    schedule.finish(duration: .seconds(20))
    #expect(schedule.faults.map(\.fault) == [.reset, .sleep])
    #expect(schedule.faults.last?.lasting == .seconds(5))
  }
}
