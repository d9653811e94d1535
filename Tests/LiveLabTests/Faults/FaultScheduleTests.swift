// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Testing

/// What refuses a schedule; nil where nothing does.
private func problem(_ schedule: String) -> String? {
  do throws(LiveLabError) {
    _ = try FaultSchedule(reading: schedule)
    return nil
  } catch {
    return error.description
  }
}

@Suite("A schedule of faults, as text")
struct FaultScheduleTests {
  @Test(
    "is written in one form, which reads back as the same",
    arguments: [
      // Default values may be left out; parameters come in any order, and an empty fault at the end is nothing.
      (
        "for=1800s limit=45s;1m restart how=killed for=90s;2m shedding share=0.5 for=1s;",
        "for=30m limit=45s; 1m restart for=1m30s how=killed history=kept; 2m shedding for=1s share=50%"
      ),
      // Faults stand in the order in which they begin, those of one moment as they were written.
      ("for=10s; 9s network-change; 3s reset; 9s half-open", "for=10s; 3s reset; 9s network-change; 9s half-open"),
      // Of two of a kind the later replaces the earlier.
      (
        "for=1m; 0s latency for=50s added=1s; 10s offline for=5s; 20s latency for=5s added=2s; "
          + "20s latency for=6s added=3s",
        "for=1m; 0s latency for=20s added=1s jitter=0s; 10s offline for=5s; 20s latency for=6s added=3s jitter=0s"
      ),
      // A fault ends with the session.
      ("for=1m; 50s sleep for=forever", "for=1m; 50s sleep for=10s"),
    ])
  func form(text: String, written: String) throws {
    let schedule = try FaultSchedule(reading: "live/1 " + text)
    #expect(schedule.description == "live/1 " + written)
    #expect(try FaultSchedule(reading: schedule.description) == schedule)
  }

  @Test(
    "has times to the nanosecond, in hours, minutes and seconds",
    arguments: [
      ("0.000000001s", "0.000000001s"), ("250ms", "250ms"), ("999.5ms", "0.9995s"), ("1000ms", "1s"), ("60s", "1m"),
      ("61.5s", "1m1.5s"), ("1m250ms", "1m0.25s"), ("0.5h", "30m"), ("3600.25s", "1h0.25s"), ("9000s", "2h30m"),
      ("forever", "700h"),
    ])
  func times(text: String, written: String) throws {
    let schedule = try FaultSchedule(reading: "live/1 for=700h; 0s offline for=\(text)")
    #expect(schedule.description == "live/1 for=700h; 0s offline for=\(written)")
  }

  @Test(
    "refuses a time that is none, or has no unit",
    arguments: [
      "", "90", "1.5", "1m30", "s", "5x", "-5s", "1.s", ".5s", "1e3s", "9999999999h", "\u{663}s",
    ])
  func badTimes(text: String) {
    #expect(problem("live/1 for=1h; 0s offline for=\(text)")?.contains("expected for= and a time such as") == true)
  }

  @Test(
    "has shares in percent, exact to the millionth",
    arguments: [
      ("0.05", "5%"), ("0", "0%"), ("0.000001", "0.0001%"), ("1", "100%"), ("12.5%", "12.5%"), ("99.9999%", "99.9999%"),
      ("", nil), ("%", nil), ("0.0000001", nil), ("0.00001%", nil), ("five", nil), ("100.0001%", nil), ("-1%", nil),
    ] as [(String, String?)])
  func shares(text: String, written: String?) {
    let schedule = try? FaultSchedule(reading: "live/1 for=1h; 0s loss for=1s share=\(text)")
    #expect(schedule?.description == written.map { "live/1 for=1h; 0s loss for=1s share=\($0)" })
  }

  @Test("holds 256 faults, and a session is no longer than 31 days; more is refused")
  func bounds() throws {
    let many = (0...FaultSchedule.capacity).map { TimedFault("reset", at: .zero + .seconds(Int64($0))) }
    let full = try FaultSchedule(many.dropLast(), duration: .seconds(600))
    #expect(full.faults.count == FaultSchedule.capacity)
    #expect(throws: LiveLabError.self) { try FaultSchedule(many, duration: .seconds(600)) }
    // A profile's schedule is cut instead, and leaves out a moment outside the session.
    let outside = [TimedFault("reset", at: .zero + .seconds(600)), TimedFault("reset", at: Instant(nanoseconds: -1))]
    #expect(FaultSchedule(unchecked: outside + many, duration: .seconds(600), limit: nil) == full)
    for text in ["for=0s", "for=744h1s", "for=1s limit=0s", "for=744h limit=744h1s"] {
      #expect(problem("live/1 \(text)") != nil, "\(text)")
    }
    #expect(problem("live/1 for=744h limit=744h") == nil)
  }

  /// A fault at the bounds of its values, one beyond them, and what refuses it.
  static let edges: [(String, String, String)] = [
    ("0s offline for=1ms", "0s offline for=0s", "offline, for: found 0s, expected a time above 0"),
    ("0s close code=1003", "0s close code=1004", "close, code: found 1004, expected a code that a close frame carries"),
    ("0s garbage code=1014", "0s garbage code=1015", "garbage, code: found 1015"),
    ("0s garbage code=3000", "0s garbage code=2999", "garbage, code: found 2999"),
    (
      "0s burst-loss for=1s enter=1 leave=0.000001", "0s burst-loss for=1s enter=1 leave=0",
      "burst-loss, leave: found 0%, expected more than 0%"
    ),
    (
      "0s burst-loss for=1s enter=1 leave=1 good=0.5 bad=0.5",
      "0s burst-loss for=1s enter=1 leave=1 good=0.5 bad=0.499999",
      "burst-loss, good: found 50%, expected no more than is lost in a burst, 49.9999%"
    ),
    (
      "0s refusal for=1s status=299", "0s refusal for=1s status=101", "found 'status=101', expected status= and a whole"
    ),
    ("0s refusal for=1s status=400", "0s refusal for=1s status=399", "status: found 399, expected another status"),
    (
      "0s clock-skew for=1s millionths=500000", "0s clock-skew for=1s millionths=500001",
      "found 'millionths=500001', expected millionths="
    ),
    ("59.999999999s reset", "60s reset", "reset, at: found 1m"),
  ]

  @Test(
    "takes a fault at its bounds and refuses one beyond them, with field, value and what was expected",
    arguments: edges)
  func edge(inside: String, beyond: String, message: String) {
    #expect(problem("live/1 for=60s; " + inside) == nil)
    #expect(problem("live/1 for=60s; " + beyond)?.contains(message) == true, "\(beyond)")
  }

  private static let names = Fault.Kind.simulated.map(\.name).joined(separator: ", ")

  @Test(
    "refuses an error with its place, what was found and what was expected",
    arguments: [
      (
        "live/2 for=1h",
        "character 1: found 'live/2', expected live/1; a schedule of another version cannot be replayed."
      ),
      ("", "character 1: found the end, expected a schedule, which begins with live/1."),
      ("LIVE/1 for=10m", "character 1: found 'LIVE/1', expected a schedule, which begins with live/1."),
      ("  tunnel", "character 3: found 'tunnel', expected a schedule, which begins with live/1."),
      (
        "live/1 for=10m; 5m http-refusal for=1m",
        "character 20: found 'http-refusal', expected the name of a fault, one of \(names)."
      ),
      ("live/1 for=10m; 5m", "character 19: found the end, expected the name of a fault, one of \(names)."),
      ("live/1 limit=5s", "character 16: found the end, expected for=, the length of the session, such as for=30m."),
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

/// Faults of every kind, with every choice that a kind has.
enum SampleFaults {
  static let all: [Fault] = [
    "half-open", "reset", "close code=1001 delay=1500ms", "close code=4000",
    "garbage code=1007", "enormous-frame bytes=4294967295", "black-hole", "partition way=up", "partition way=down",
    "latency added=300ms jitter=0.000000001s", "bandwidth rate=4000",
    "loss share=0.000001", "loss share=1",
    "burst-loss enter=0.01 leave=0.3 bad=0.8",
    "idle-cut after=60s silent=yes", "idle-cut after=60s",
    "name-not-found after=5s", "captive-portal", "insecure", "refused",
    "refusal status=403", "refusal status=429 retry-after=0s", "redirect to=secure",
    "redirect to=plain", "redirect to=unusable", "restart how=graceful",
    "restart how=killed history=lost", "restart how=vanished",
    "shedding share=0.5", "shedding share=1 retry-after=3s",
    "accept-then-close code=1013 after=10ms",
    "accept-then-close code=1011 after=1s resumes=yes", "late-pongs delay=8s", "no-pongs",
    "sleep",
    "network-change", "offline", "background", "clock-skew millionths=-200", "clock-skew millionths=200",
    "expired-credentials refreshable=yes", "expired-credentials refreshable=no",
  ]
}
