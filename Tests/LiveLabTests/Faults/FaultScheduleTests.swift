// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("Schedules of faults")
struct FaultScheduleTests {
  private func moment(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

  @Test("faults are kept in the order in which they begin; those of one moment in the order they were added")
  func order() throws {
    let schedule = try FaultSchedule(
      [
        TimedFault(.networkChange, at: moment(9)), TimedFault(.reset, at: moment(3)),
        TimedFault(.halfOpen, at: moment(9)),
      ], duration: .seconds(10))
    #expect(schedule.faults.map(\.fault) == [.reset, .networkChange, .halfOpen])
  }

  @Test("of two of a kind that would hold at one time, the later replaces the earlier")
  func replaced() throws {
    let schedule = try FaultSchedule(
      [
        TimedFault(.latency(added: .seconds(1), jitter: .zero), at: moment(0), lasting: .seconds(50)),
        TimedFault(.offline, at: moment(10), lasting: .seconds(5)),
        TimedFault(.latency(added: .seconds(2), jitter: .zero), at: moment(20), lasting: .seconds(5)),
        TimedFault(.latency(added: .seconds(3), jitter: .zero), at: moment(20), lasting: .seconds(6)),
      ], duration: .seconds(60))
    #expect(schedule.faults.map(\.lasting) == [.seconds(20), .seconds(5), .seconds(6)])
    #expect(schedule.faults.last?.fault == .latency(added: .seconds(3), jitter: .zero))
  }

  @Test("what lasts beyond the session ends with it")
  func clipped() throws {
    let schedule = try FaultSchedule([TimedFault(.sleep, at: moment(50), lasting: .forever)], duration: .seconds(60))
    #expect(schedule.faults.map(\.end) == [moment(60)])
  }

  @Test("a full schedule and a moment outside the session take no more")
  func bounded() {
    let before = Instant(nanoseconds: -1)
    var schedule = FaultSchedule()
    schedule.begin(duration: .seconds(1_000))
    let outside = [schedule.add(TimedFault(.reset, at: moment(1_000))), schedule.add(TimedFault(.reset, at: before))]
    #expect(outside == [false, false])
    let taken = (0..<FaultSchedule.capacity).map { schedule.add(TimedFault(.reset, at: moment(Int64($0)))) }
    #expect(!taken.contains(false))
    let beyond = schedule.add(TimedFault(.reset, at: moment(999)))
    #expect(!beyond)
    #expect(schedule.faults.count == FaultSchedule.capacity)
  }

  @Test("a session of no time, or of years, is refused")
  func durations() {
    #expect(throws: LiveLabError.self) { try FaultSchedule([], duration: .zero) }
    #expect(throws: LiveLabError.self) { try FaultSchedule([], duration: .seconds(86_400 * 366)) }
    #expect(throws: LiveLabError.self) { try FaultSchedule([], duration: .seconds(1), limit: .zero) }
  }
}
