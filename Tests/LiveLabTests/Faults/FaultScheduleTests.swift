// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
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
    let inside = (0...FaultSchedule.capacity).map { moment(Int64($0)) }
    let faults = ([moment(1_000), before] + inside).map { TimedFault(.reset, at: $0) }
    let schedule = FaultSchedule(unchecked: faults, duration: .seconds(1_000), limit: nil)
    #expect(schedule.faults.map(\.at) == inside.dropLast())
  }

  @Test("a session of no time, or of years, is refused")
  func durations() {
    #expect(throws: LiveLabError.self) { try FaultSchedule([], duration: .zero) }
    #expect(throws: LiveLabError.self) { try FaultSchedule([], duration: .seconds(86_400 * 366)) }
    #expect(throws: LiveLabError.self) { try FaultSchedule([], duration: .seconds(1), limit: .zero) }
  }
}

@Suite("The text form of a schedule")
struct ScheduleTextTests {
  @Test("a schedule is one line that people read")
  func line() throws {
    let schedule = try FaultSchedule(
      [
        TimedFault(.refusal(status: 503, retryAfter: .seconds(5)), at: .zero + .seconds(600), lasting: .seconds(30)),
        TimedFault(.offline, at: .zero + .seconds(300), lasting: .milliseconds(20_250)),
        TimedFault(.networkChange, at: .zero + .seconds(320)),
        TimedFault(.loss(0.025), at: .zero, lasting: .forever),
      ], duration: .seconds(1_800), limit: .seconds(45))
    #expect(
      schedule.description
        == "live/1 for=30m limit=45s; 0s loss for=30m share=2.5%; 5m offline for=20.25s; 5m20s network-change; "
        + "10m refusal for=30s status=503 retry-after=5s")
    #expect(try FaultSchedule(reading: schedule.description) == schedule)
  }

  @Test("values that are usual may be left out, and parameters come in any order")
  func short() throws {
    let short = try FaultSchedule(
      reading: "live/1 for=1800s;1m restart how=killed for=90s;2m shedding share=0.5 for=1s;")
    #expect(
      short.description
        == "live/1 for=30m; 1m restart for=1m30s how=killed history=kept; 2m shedding for=1s share=50%")
  }

  @Test("what is wrong is named with its place, what was found and what was expected")
  func errors() {
    func problem(_ text: String) -> String {
      do throws(LiveLabError) {
        _ = try FaultSchedule(reading: text)
        return "read"
      } catch {
        return error.description
      }
    }
    #expect(
      problem("live/2 for=1h") == "schedule, character 1: found 'live/2', expected live/1; a schedule of another "
        + "version cannot be replayed.")
    #expect(problem("") == "schedule, character 1: found the end, expected a schedule, which begins by live/1.")
    #expect(
      problem("LIVE/1 for=10m")
        == "schedule, character 1: found 'LIVE/1', expected a schedule, which begins by live/1.")
    #expect(
      problem("  tunnel") == "schedule, character 3: found 'tunnel', expected a schedule, which begins by live/1.")
    let all = "expected the name of a fault, one of \(Fault.Kind.simulated.map(\.name).joined(separator: ", "))."
    #expect(
      problem("live/1 for=10m; 5m http-refusal for=1m") == "schedule, character 20: found 'http-refusal', \(all)")
    #expect(problem("live/1 for=10m; 5m") == "schedule, character 19: found the end, \(all)")
    #expect(
      problem("live/1 limit=5s")
        == "schedule, character 16: found the end, expected for=, how long the session is, such as for=30m.")
    #expect(
      problem("live/1 for=1h; 5m ofline for=3s")
        == "schedule, character 19: found 'ofline', expected the name of a fault (did you mean 'offline'?).")
    #expect(
      problem("live/1 for=1h; 5x offline for=3s")
        == "schedule, character 16: found '5x', expected a time such as 5m20s, 1.5s or 250ms.")
    #expect(
      problem("live/1 for=1800; 5m reset")
        == "schedule, character 8: found 'for=1800', expected for= and a time such as 5m20s, 1.5s or 250ms, with its "
        + "unit: '1800s' is 30m, '1800ms' is 1800ms.")
    #expect(
      problem("live/1 for=1h; 5m loss for=3s share=150%")
        == "schedule, character 31: found 'share=150%', expected share= and a share from 0 to 1, such as 0.05 or 5%.")
    #expect(
      problem("live/1 for=1h; 5m restart for=3s")
        == "schedule, character 33: found the end, expected how= of restart, graceful or killed or vanished.")
    #expect(
      problem("live/1 for=1h; 5m restart for=3s hwo=killed")
        == "schedule, character 34: found 'hwo=killed', expected for= or how= or history= or numbers= (did you mean "
        + "'how'?).")
    #expect(
      problem("live/1 for=1h; 5m reset for=3s")
        == "schedule, character 25: found 'for=3s', expected ; or the end.")
    #expect(
      problem("live/1 for=1h; 2h reset") == "schedule, character 16, reset, at: found 2h, expected a moment of the "
        + "session, from 0s to before 1h.")
    #expect(
      problem("live/1 for=1h; 5m offline for=3s for=4s")
        == "schedule, character 34: found 'for=4s', expected for only once.")
  }
}
