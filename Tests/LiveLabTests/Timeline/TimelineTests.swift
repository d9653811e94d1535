// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import MonteCarlo
import LiveCore
import Reporting
import Scenarios
import Testing

@testable import LiveLab

@Suite("A session as a timeline")
struct TimelineTests {
  /// Connects, answers pings for a while, loses its network at 200 s, and is back at 230 s.
  private static func session() throws -> ScriptedSession {
    let offline = TimedFault("offline", at: .zero + .seconds(200), lasting: .seconds(30))
    var session = ScriptedSession(try FaultSchedule([offline], duration: .seconds(300)))
    session.tell(.start, at: 0)
    if session.timer?.due != .zero + .seconds(10) { session.ring() }
    session.tell(.opened(Generation(1)), at: 1)
    session.tell(.received(Generation(1), .resumed(after: StreamPosition(epoch: 1, offset: 0))), at: 1.1)
    session.change(.served(true), at: 1.1)
    for ping in 1...5 {
      while case .some(let timer) = session.timer, timer.due < .zero + .seconds(30 * Int64(ping)) { session.ring() }
      session.ring()
      session.tell(.received(Generation(1), .pong(UInt32(ping))), at: 30 * Double(ping) + 2)
    }
    session.change(.faultBegan(0), at: 200)
    session.tell(.network(isReachable: false), at: 200)
    session.tell(.closed(Generation(1), Closure(.network, CloseCode(1006))), at: 200.5)
    session.change(.served(false), at: 200)
    session.change(.faultEnded(0), at: 230)
    session.tell(.network(isReachable: true), at: 230)
    return session
  }

  @Test("CSV and JSON have every step, whatever the text leaves out")
  func everyStep() throws {
    let timeline = try Self.session().timeline()
    let csv = try #require(timeline.document(isWhole: false, origin: []).csv)
    #expect(csv.split(separator: "\n").count == timeline.steps.count + 1)
    #expect(csv.hasPrefix("worldNanoseconds,clientNanoseconds,"))
    let json = timeline.data.text
    #expect(json.matches(of: #/"worldNanoseconds": \d+/#).count == timeline.steps.count)
  }

  @Test("an attempt that failed and a message that was dropped say why")
  func failures() throws {
    var session = ScriptedSession(try FaultSchedule([], duration: .seconds(60)))
    session.tell(.start, at: 0)
    if session.timer?.due != .zero + .seconds(10) { session.ring() }
    session.tell(.failed(Generation(1), .connectionRefused), at: 1)
    session.tell(.send(MessageNumber(1), bytes: 10_000_000), at: 2)
    let text = session.timeline().document(isWhole: false, origin: []).text(width: 1_000)
    #expect(text.contains("#1 failed: connection refused") && text.contains("drop message 1: too many"), "\(text)")
  }

  @Test("messages that come one after the other share a line, and so do those that the server publishes")
  func runs() throws {
    var session = ScriptedSession(try FaultSchedule([], duration: .seconds(60)))
    session.tell(.start, at: 0)
    session.tell(.opened(Generation(1)), at: 1)
    session.tell(.received(Generation(1), .resumed(after: StreamPosition(epoch: 1, offset: 4))), at: 1.1)
    for number in 5...9 {
      session.change(.published(StreamPosition(epoch: 1, offset: UInt64(number)), bytes: 10), at: 2)
    }
    for number in 5...9 {
      session.tell(
        .received(Generation(1), .message(StreamPosition(epoch: 1, offset: UInt64(number)), bytes: 10)), at: 3)
    }
    let timeline = session.timeline()
    let text = timeline.document(isWhole: false, origin: []).text(width: 1_000)
    #expect(text.contains("~ the server published 5 messages within 0 ms, 1/5 to 1/9"), "\(text)")
    #expect(text.contains(/received 1\/5 to 1\/9 within 0 ms +deliver 5 messages\n/))
    let whole = timeline.document(isWhole: true, origin: []).text(width: 1_000)
    #expect(whole.matches(of: #/deliver 1\/\d, 10 bytes/#).count == 5)
  }

  @Test(
    "lateness is reported only where an attempt could have succeeded and the session was long enough to evaluate it")
  func lateness() throws {
    let faults = try FaultSchedule([], duration: .seconds(100), limit: .seconds(20))
    func timeline(possible: Double?, ended: Double?) -> Timeline {
      func moment(_ seconds: Double?) -> Instant { seconds.map { .zero + Interval(seconds: $0) } ?? .never }
      var result = SessionResult()
      result.duration = faults.duration
      result.outages = [
        Outage(
          fault: nil, began: .zero + .seconds(10), possible: moment(possible), ended: moment(ended), noticed: .never,
          attempts: 1)
      ]
      return Timeline(title: "", schedule: faults, steps: [], result: result)
    }
    #expect(timeline(possible: 30, ended: 50).isSound)
    #expect(!timeline(possible: 30, ended: 50.5).isSound)
    #expect(
      timeline(possible: 30, ended: nil).findings == ["Not back within 20 s after an outage, the first at 0:10.000."])
    #expect(timeline(possible: 90, ended: nil).isSound, "the limit ends behind the session")
    let hopeless = timeline(possible: nil, ended: nil)
    #expect(hopeless.isSound && hopeless.findings.first?.contains("no attempt could have succeeded") == true)
    #expect(hopeless.document(isWhole: false, origin: []).text(width: 1_000).contains("not possible"))
  }

  @Test("a session in which a moment was missing was not served all the time")
  func served() throws {
    let faults = try FaultSchedule([], duration: .seconds(100_000))
    var result = SessionResult()
    result.duration = faults.duration
    let (began, ended) = (Instant.zero + .seconds(10), Instant.zero + .seconds(11))
    result.outages = [
      Outage(fault: nil, began: began, possible: began, ended: ended, noticed: .never, attempts: 1)
    ]
    let timeline = Timeline(title: "", schedule: faults, steps: [], result: result)
    #expect(timeline.summary.contains("connected and current 99.999%;"))
  }

  @Test("a report gets a figure of what the client said beside the truth, and the lines of the text as a table")
  func report() throws {
    let blocks = try Self.session().timeline().blocks
    let figures = blocks.compactMap { (block: ReportBlock) -> Figure? in
      guard case .figure(let figure) = block else { return nil }
      return figure
    }
    let series = try #require(figures.first?.series)
    // Neighbours in the key whose looks differ in their dashes only would be drawn alike.
    #expect(series.map(\.name) == ["the truth", "the client says", "a fault lasts", "an attempt"])
    #expect(zip(series, series.dropFirst()).allSatisfy { $0.style != $1.style })
    #expect(series[0].points.filter(\.y.isFinite).map(\.x) == [1.1, 200])
    #expect(series[1].points.first?.x == 0 && series[1].points.last?.x == 300)
    // Each of the client's states begins where the one before ends.
    let said = series[1].points.map(\.x)
    #expect(stride(from: 2, to: said.count, by: 2).allSatisfy { said[$0] == said[$0 - 1] })
    #expect(!series[3].points.isEmpty)
    #expect(series[2].points.filter(\.y.isFinite).map(\.x) == [200, 230])
  }
}

@Suite("Moments and lengths of a timeline")
struct TimelineClockTests {
  @Test(
    "moments have minutes, seconds and thousandths, and hours only where there are any",
    arguments: [
      (0, "0:00.000"), (999_999, "0:00.000"), (85_400_000, "0:00.085"), (125_250_000_000, "2:05.250"),
      (3_599_999_999_999, "59:59.999"), (3_600_000_000_000, "1:00:00.000"), (45_296_007_000_000, "12:34:56.007"),
    ])
  func moments(nanoseconds: Int64, text: String) {
    #expect(TimelineClock.text(of: Instant(nanoseconds: nanoseconds)) == text)
  }

  @Test(
    "lengths have the two units that say most",
    arguments: [
      (0, "0 ms"), (85, "85 ms"), (1_000, "1 s"), (2_500, "2.5 s"), (2_050, "2.05 s"), (59_999, "59.999 s"),
      (60_000, "1 min"), (90_999, "1 min 30 s"), (3_600_000, "1 h"), (7_500_000, "2 h 5 min"),
    ])
  func lengths(milliseconds: Int64, text: String) {
    #expect(TimelineClock.text(of: .milliseconds(milliseconds)) == text)
  }
}

extension Timeline {
  fileprivate var isSound: Bool { TimelineSession.rows.measurements(in: self).allSatisfy { $0.estimate == 0 } }
}

@Suite("live.timeline as an experiment")
struct TimelineExperimentTests {
  @Test(
    "what contradicts or is no schedule is refused",
    arguments: [
      ("profile: nigth", "(did you mean 'night'?)"),
      ("profile: night\nschedule: live/1 for=10m; 5m reset", "expected no profile with it"),
      ("schedule: tunnel", "expected a schedule, which begins by live/1"),
      ("random: {seed: 4294967296}", "found '4294967296', expected a whole number, 0 to 4,294,967,295"),
    ])
  func refused(yaml: String, message: String) {
    let text = refusal(yaml, of: TimelineSession.self)
    #expect(text.contains(message), "\(text)")
  }
}

@Suite("The faults as a guide lists them")
struct FaultGuideTests {
  @Test("every fault has a line: its name, for how long, what must be said, what need not, what it does")
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
    "what a line says is read as a schedule, with the brackets left out or taken off",
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

/// A client with the events of a test, under the eyes of a timeline's recorder.
struct ScriptedSession {
  private(set) var recorder = TimelineRecorder()
  private(set) var client = LiveConnection(ConnectionSettings())
  private(set) var timer: (tag: TimerTag, due: Instant)?
  private let faults: FaultSchedule
  private var outages: [Outage] = []

  init(_ faults: FaultSchedule) { self.faults = faults }

  /// Tells the client something.
  mutating func tell(_ event: LiveEvent, at seconds: Double) {
    let now = Instant.zero + Interval(seconds: seconds)
    let moment = SessionMoment(world: now, client: now)
    recorder.saw(event, at: moment)
    var effects = LiveEffects()
    _ = client.handle(event, at: now, word: 1 << 63, into: &effects)
    for effect in effects {
      recorder.saw(effect, at: moment)
      if case .setTimer(let tag, let due) = effect { timer = (tag, due) }
      if case .cancelTimer = effect { timer = nil }
    }
    recorder.settled(client.status, GroundTruth(), at: moment)
  }

  /// Rings the timer that the client set.
  mutating func ring() {
    guard let (tag, due) = timer else { return }
    tell(.timer(tag), at: (due - .zero).seconds)
  }

  /// Changes the world.
  mutating func change(_ change: SessionChange, at seconds: Double) {
    let now = Instant.zero + Interval(seconds: seconds)
    recorder.saw(change, at: SessionMoment(world: now, client: now))
  }

  /// What was seen.
  func timeline(title: String = "A session") -> Timeline {
    var result = SessionResult()
    result.duration = faults.duration
    return Timeline(title: title, schedule: faults, steps: recorder.steps, result: result)
  }
}
