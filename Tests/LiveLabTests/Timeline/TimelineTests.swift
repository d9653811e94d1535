// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Reporting
import Scenarios
import Testing

@Suite("A session as a timeline")
struct TimelineTests {
  private func timeline(_ schedule: String, _ more: String = "") throws -> Outcome {
    try Outcome("live.timeline", "schedule: 'live/1 \(schedule)'\n\(more)")
  }

  @Test("CSV and JSON have every step, whatever the text leaves out")
  func everyStep() throws {
    let found = try timeline("for=10m; 5m offline for=20s")
    let csv = try #require(found.result.document.csv)
    let steps = found.data.matches(of: #/"worldNanoseconds": \d+/#).count
    #expect(csv.hasPrefix("worldNanoseconds,clientNanoseconds,") && csv.split(separator: "\n").count == steps + 1)
    #expect(steps > found.text.matches(of: #/\n +\d+:\d\d\.\d{3} /#).count)
  }

  @Test("consecutive messages share a line, and so do consecutive publications; `whole` shows each")
  func runs() throws {
    let schedule = "for=11h; 1m offline for=10h"
    let text = try timeline(schedule).text
    #expect(text.contains(#/~ the server published \d+ messages within [^,]+, 1/\d+ to 1/\d+/#))
    let pattern = #/received 1/(\d+) to 1/(\d+) within \d+ ms +deliver (\d+) messages\n/#
    let run = try #require(text.firstMatch(of: pattern)).output
    #expect((Int(run.2) ?? 0) - (Int(run.1) ?? 0) + 1 == Int(run.3))
    let whole = try timeline(schedule, "whole: true").text
    #expect(whole.contains("deliver 1/\(run.1), ") && whole.contains("deliver 1/\(run.2), "))
  }

  @Test(
    "a return is late only if an attempt could have succeeded and the session went on beyond the limit",
    arguments: [
      ("for=10m limit=1s; 5m reset", 0, ""),
      ("for=10m limit=500ms; 5m reset", 1, "Not back within 500 ms after an outage, the first at 5:00.000."),
      (
        "for=10m limit=20s; 5m reset; 5m refusal for=10s status=403", 1,
        "Not back within 20 s after an outage, the first at 5:00.000."
      ),
      ("for=10m limit=45s; 570s reset; 570s refusal for=10s status=403", 0, "not back"),
      ("for=10m limit=45s; 5m black-hole for=5m", 0, "In one outage no attempt could have succeeded"),
      ("for=10m limit=45s; 5m black-hole for=5m", 0, "not possible"),
    ])
  func lateness(schedule: String, late: Double, words: String) throws {
    let found = try timeline(schedule)
    #expect(found["timeline.late"]?.estimate == late && found["timeline.broken"]?.estimate == 0)
    #expect(words.isEmpty ? !found.text.contains("Not back") : found.text.contains(words), "\(found.text)")
  }

  @Test("a session with an outage of a moment was not served all the time")
  func served() throws {
    #expect(try timeline("for=20h; 1h reset").text.contains("connected and current 99.999%;"))
  }

  @Test("the figure shows the truth, the client's status, faults and attempts around the worst outage")
  func figure() throws {
    let series = try #require(timeline("for=10m; 5m offline for=30s").figures.first?.series)
    // Neighbours in the key whose looks differ in their dashes only would be drawn alike.
    #expect(series.map(\.name) == ["the truth", "the client says", "a fault lasts", "an attempt"])
    #expect(zip(series, series.dropFirst()).allSatisfy { $0.style != $1.style })
    #expect(series[0].points.contains { $0.x == 300 })
    #expect(series[2].points.filter(\.y.isFinite).map(\.x) == [300, 330])
    // Each of the client's states begins where the one before ends.
    let said = series[1].points.map(\.x)
    #expect(said.count > 2 && stride(from: 2, to: said.count, by: 2).allSatisfy { said[$0] == said[$0 - 1] })
    #expect(!series[3].points.isEmpty)
  }
}

@Suite("Moments and lengths of a timeline")
struct TimelineClockTests {
  @Test(
    "a moment has minutes, seconds and thousandths, and hours only if there are any",
    arguments: [
      (0, "0:00.000"), (999_999, "0:00.000"), (85_400_000, "0:00.085"), (125_250_000_000, "2:05.250"),
      (3_599_999_999_999, "59:59.999"), (3_600_000_000_000, "1:00:00.000"), (45_296_007_000_000, "12:34:56.007"),
    ])
  func moments(nanoseconds: Int64, text: String) {
    #expect(TimelineClock.text(of: Instant(nanoseconds: nanoseconds)) == text)
  }

  @Test(
    "a length has its two largest units",
    arguments: [
      (0, "0 ms"), (85, "85 ms"), (1_000, "1 s"), (2_500, "2.5 s"), (2_050, "2.05 s"), (59_999, "59.999 s"),
      (60_000, "1 min"), (90_999, "1 min 30 s"), (3_600_000, "1 h"), (7_500_000, "2 h 5 min"),
    ])
  func lengths(milliseconds: Int64, text: String) {
    #expect(TimelineClock.text(of: .milliseconds(milliseconds)) == text)
  }
}

@Suite("live.timeline as an experiment")
struct TimelineExperimentTests {
  @Test(
    "a contradiction or a bad schedule is refused",
    arguments: [
      ("profile: nigth", "(did you mean 'night'?)"),
      ("profile: night\nschedule: live/1 for=10m; 5m reset", "expected no profile with it"),
      ("schedule: tunnel", "expected a schedule, which begins with live/1"),
      ("random: {seed: 4294967296}", "found '4294967296', expected a whole number, 0 to 4,294,967,295"),
    ])
  func refused(yaml: String, message: String) {
    let text = refusal("live.timeline", yaml)
    #expect(text.contains(message), "\(text)")
  }
}

@Suite("The faults as a guide lists them")
struct FaultGuideTests {
  @Test("each fault has a line: its name, duration, required and optional values, and meaning")
  func lines() {
    let lines = Fault.Kind.simulated.map { TimelineSession.guide(to: $0) }
    for line in [
      "reset: the open connection is reset",
      "close [code=1001] [delay=0s]: the server closes the open connection, and the client learns of it late",
      "partition for=TIME way=up|down: every packet is lost one way",
      "burst-loss for=TIME enter=SHARE leave=SHARE [good=0%] [bad=100%]: packets are lost in bursts",
      "refusal for=TIME status=NUMBER [retry-after=TIME]: the handshake is answered by an HTTP status",
      "clock-skew for=TIME millionths=NUMBER: the phone's clock is fast or slow",
    ] { #expect(lines.contains(line), "\(line)") }
  }

  @Test(
    "each line reads as a schedule, with or without the bracketed values",
    arguments: Fault.Kind.simulated)
  func readable(kind: Fault.Kind) throws {
    let words = try #require(TimelineSession.guide(to: kind).split(separator: ":").first).split(separator: " ")
    let examples = ["TIME": "20s", "SHARE": "5%", "NUMBER": kind == .refusal ? "503" : "1000"]
    func said(_ word: Substring) -> String {
      let bare = word.filter { $0 != "[" && $0 != "]" }
      let parts = bare.split(separator: "=")
      guard parts.count == 2 else { return bare }
      let value = parts[1].split(separator: "|")[0]
      return "\(parts[0])=\(examples[String(value)] ?? String(value))"
    }
    for shown in [words, words.filter { !$0.hasPrefix("[") }] {
      let schedule = try FaultSchedule(reading: "live/1 for=10m; 5m " + shown.map(said).joined(separator: " "))
      #expect(schedule.faults.map(\.fault.kind) == [kind])
    }
  }
}
