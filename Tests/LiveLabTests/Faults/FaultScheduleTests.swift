// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import LiveCore
import LiveLab
import Testing

@Suite("Schedules of faults")
struct FaultScheduleTests {
  private func moment(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

  @Test("faults are kept in the order in which they begin; those of one moment in the order they were added")
  func order() throws {
    let schedule = try FaultSchedule(
      [
        TimedFault("network-change", at: moment(9)), TimedFault("reset", at: moment(3)),
        TimedFault("half-open", at: moment(9)),
      ], duration: .seconds(10))
    #expect(schedule.faults.map(\.fault) == ["reset", "network-change", "half-open"])
  }

  @Test("of two of a kind that would hold at one time, the later replaces the earlier")
  func replaced() throws {
    let schedule = try FaultSchedule(
      [
        TimedFault("latency added=1s", at: moment(0), lasting: .seconds(50)),
        TimedFault("offline", at: moment(10), lasting: .seconds(5)),
        TimedFault("latency added=2s", at: moment(20), lasting: .seconds(5)),
        TimedFault("latency added=3s", at: moment(20), lasting: .seconds(6)),
      ], duration: .seconds(60))
    #expect(schedule.faults.map(\.lasting) == [.seconds(20), .seconds(5), .seconds(6)])
    #expect(schedule.faults.last?.fault == "latency added=3s")
  }

  @Test("what lasts beyond the session ends with it")
  func clipped() throws {
    let schedule = try FaultSchedule([TimedFault("sleep", at: moment(50), lasting: .forever)], duration: .seconds(60))
    #expect(schedule.faults.map(\.end) == [moment(60)])
  }

  @Test("a full schedule and a moment outside the session take no more")
  func bounded() {
    let before = Instant(nanoseconds: -1)
    let inside = (0...FaultSchedule.capacity).map { moment(Int64($0)) }
    let faults = ([moment(1_000), before] + inside).map { TimedFault("reset", at: $0) }
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
        TimedFault("refusal status=503 retry-after=5s", at: .zero + .seconds(600), lasting: .seconds(30)),
        TimedFault("offline", at: .zero + .seconds(300), lasting: .milliseconds(20_250)),
        TimedFault("network-change", at: .zero + .seconds(320)),
        TimedFault("loss share=0.025", at: .zero, lasting: .forever),
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

  private static let names = Fault.Kind.simulated.map(\.name).joined(separator: ", ")

  @Test(
    "what is wrong is named with its place, what was found and what was expected",
    arguments: [
      (
        "live/2 for=1h",
        "character 1: found 'live/2', expected live/1; a schedule of another version cannot be replayed."
      ),
      ("", "character 1: found the end, expected a schedule, which begins by live/1."),
      ("LIVE/1 for=10m", "character 1: found 'LIVE/1', expected a schedule, which begins by live/1."),
      ("  tunnel", "character 3: found 'tunnel', expected a schedule, which begins by live/1."),
      (
        "live/1 for=10m; 5m http-refusal for=1m",
        "character 20: found 'http-refusal', expected the name of a fault, one of \(names)."
      ),
      ("live/1 for=10m; 5m", "character 19: found the end, expected the name of a fault, one of \(names)."),
      ("live/1 limit=5s", "character 16: found the end, expected for=, how long the session is, such as for=30m."),
      (
        "live/1 for=1h; 5m ofline for=3s",
        "character 19: found 'ofline', expected the name of a fault (did you mean 'offline'?)."
      ),
      (
        "live/1 for=1h; 5x offline for=3s",
        "character 16: found '5x', expected a time such as 5m20s, 1.5s or 250ms."
      ),
      (
        "live/1 for=1800; 5m reset",
        "character 8: found 'for=1800', expected for= and a time such as 5m20s, 1.5s or 250ms, with its unit: '1800s' "
          + "is 30m, '1800ms' is 1800ms."
      ),
      (
        "live/1 for=1h; 5m loss for=3s share=150%",
        "character 31: found 'share=150%', expected share= and a share from 0 to 1, such as 0.05 or 5%."
      ),
      (
        "live/1 for=1h; 5m restart for=3s",
        "character 33: found the end, expected how= of restart, graceful or killed or vanished."
      ),
      (
        "live/1 for=1h; 5m restart for=3s hwo=killed",
        "character 34: found 'hwo=killed', expected for= or how= or history= or numbers= (did you mean 'how'?)."
      ),
      ("live/1 for=1h; 5m reset for=3s", "character 25: found 'for=3s', expected ; or the end."),
      (
        "live/1 for=1h; 2h reset",
        "character 16, reset, at: found 2h, expected a moment of the session, from 0s to before 1h."
      ),
      ("live/1 for=1h; 5m offline for=3s for=4s", "character 34: found 'for=4s', expected for only once."),
    ])
  func errors(text: String, message: String) {
    let error = #expect(throws: LiveLabError.self) { try FaultSchedule(reading: text) }
    #expect(error?.description == "schedule, \(message)")
  }
}
