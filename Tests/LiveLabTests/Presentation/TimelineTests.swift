// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Reporting
import Scenarios
import Testing

@testable import LiveLab

@Suite("A session as a timeline")
struct TimelineTests {
  /// Connects, answers pings for a while, loses its network at 200 s, and is back at 230 s.
  private static func session() throws -> ScriptedSession {
    let offline = TimedFault(.offline, at: .zero + .seconds(200), lasting: .seconds(30))
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

  @Test("each line says when, what happened or was told, what the client did, and how it said it was")
  func lines() throws {
    let text = try #require(Self.session().timeline(title: "Lift").rendered(as: .text))
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.first == "Lift")
    #expect(lines.contains { $0.contains("app: start") && $0.contains("connecting") }, "\(text)")
    #expect(lines.contains { $0.contains("#1 opened") && $0.contains("#1 resume") && $0.contains("connected") })
    #expect(lines.contains { $0.hasSuffix("~ offline: for 30 s the phone has no network, and knows") }, "\(text)")
    #expect(lines.contains { $0.hasSuffix("~ offline is over") })
    #expect(lines.contains { $0.contains("3:20.500  #1 closed without good-bye") && $0.contains("waiting") }, "\(text)")
    #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
  }

  @Test("pings that are answered share a line, unless every step is wanted")
  func heartbeats() throws {
    let timeline = try Self.session().timeline()
    let text = try #require(timeline.rendered(as: .text))
    #expect(text.matches(of: #/pings? within/#).count == 1, "\(text)")
    #expect(!text.contains("received pong"))
    let whole = try #require(timeline.rendered(as: .text, isWhole: true))
    #expect(whole.matches(of: #/#1 received pong [1-5]/#).count == 5)
    #expect(whole.matches(of: #/#1 ping [1-5]/#).count == 5)
    #expect(whole.contains("timer at 0:10.000"))
  }

  @Test("CSV and JSON have every step, whatever the text leaves out")
  func everyStep() throws {
    let timeline = try Self.session().timeline()
    let csv = try #require(timeline.rendered(as: .csv))
    #expect(csv.split(separator: "\n").count == timeline.steps.count + 1)
    #expect(csv.hasPrefix("moment,network and server,client is told,client does,client's status\n"))
    let json = try #require(timeline.rendered(as: .json))
    #expect(json.matches(of: #/"world": \d+/#).count == timeline.steps.count)
    #expect(json.contains("\"kind\": \"live-timeline\""))
  }

  @Test("Markdown escapes what a title may hold")
  func markdown() throws {
    let markdown = try #require(Self.session().timeline(title: "a_b*c").rendered(as: .markdown))
    #expect(markdown.hasPrefix("# a\\_b\\*c\n"))
    #expect(markdown.contains("| moment | network and server |"))
  }

  @Test("lanes: faults by the schedule, sockets from opening to end, what the client says, every attempt")
  func lanes() throws {
    let lanes = TimelineLanes(try Self.session().timeline())
    #expect(lanes.faults.map(\.name) == ["offline 30 s"])
    #expect(lanes.faults.first?.from == .zero + .seconds(200) && lanes.faults.first?.to == .zero + .seconds(230))
    #expect(lanes.served.map(\.from) == [.zero + .milliseconds(1_100)])
    #expect(lanes.served.map(\.to) == [.zero + .seconds(200)])
    #expect(lanes.sockets.prefix(2).map(\.name) == ["#1 opening", "#1 open"])
    #expect(lanes.sockets.dropFirst().first?.to == .zero + .milliseconds(200_500))
    #expect(lanes.attempts.first?.shape == .full, "the first attempt opened")
    #expect(lanes.phases.map(\.name).contains("connected") && lanes.phases.last?.to == .zero + .seconds(300))
    #expect(zip(lanes.phases, lanes.phases.dropFirst()).allSatisfy { $0.to == $1.from })
    #expect(lanes.heartbeat.count >= 10)
  }

  @Test("bands that overlap stand in rows below each other")
  func rows() {
    let bands = [(0, 10), (5, 7), (10, 12), (6, 20)].map { from, to in
      TimelineLanes.Band(
        from: .zero + .seconds(from), to: .zero + .seconds(to), name: "\(from)", paint: .fault)
    }
    #expect(TimelineLanes.rows(of: bands).map { $0.map(\.name) } == [["0", "10"], ["5"], ["6"]])
  }

  @Test("an attempt that comes to nothing is drawn hollow, and what is lost is a cross")
  func failures() throws {
    var session = ScriptedSession(try FaultSchedule([], duration: .seconds(60)))
    session.tell(.start, at: 0)
    if session.timer?.due != .zero + .seconds(10) { session.ring() }
    session.tell(.failed(Generation(1), .connectionRefused), at: 1)
    session.tell(.send(MessageNumber(1), bytes: 10_000_000), at: 2)
    let timeline = session.timeline()
    let lanes = TimelineLanes(timeline)
    #expect(lanes.attempts.first?.shape == .hollow)
    #expect(lanes.messages.map(\.shape) == [.cross])
    let text = try #require(timeline.rendered(as: .text))
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
    let text = try #require(timeline.rendered(as: .text))
    #expect(text.contains("~ the server published 5 messages within 0 ms, 1/5 to 1/9\n"), "\(text)")
    #expect(text.contains(/received 1\/5 to 1\/9 within 0 ms +deliver 5 messages\n/))
    let whole = try #require(timeline.rendered(as: .text, isWhole: true))
    #expect(whole.matches(of: #/deliver 1\/\d, 10 bytes/#).count == 5)
  }

  @Test("being late is told only where an attempt could have succeeded and the session was long enough to judge it")
  func lateness() throws {
    let faults = try FaultSchedule([], duration: .seconds(100), limit: .seconds(20))
    func timeline(possible: Double?, ended: Double?) -> Timeline {
      func moment(_ seconds: Double?) -> Instant { seconds.map { .zero + Interval(seconds: $0) } ?? .never }
      var result = SessionResult()
      result.duration = faults.duration
      result.outages = [
        Outage(
          fault: -1, began: .zero + .seconds(10), possible: moment(possible), ended: moment(ended), noticed: .never,
          attempts: 1)
      ]
      return Timeline(title: "", schedule: faults, steps: [], result: result)
    }
    #expect(timeline(possible: 30, ended: 50).isRight)
    #expect(!timeline(possible: 30, ended: 50.5).isRight)
    #expect(
      timeline(possible: 30, ended: nil).findings == ["Not back within 20 s after an outage, the first at 0:10.000."])
    #expect(timeline(possible: 90, ended: nil).isRight, "the limit ends behind the session")
    let hopeless = timeline(possible: nil, ended: nil)
    #expect(hopeless.isRight && hopeless.findings.first?.contains("no attempt could have succeeded") == true)
    #expect(hopeless.rendered(as: .text)?.contains("not possible") == true)
  }

  @Test("a session in which a moment was missing was not served all the time")
  func served() throws {
    let faults = try FaultSchedule([], duration: .seconds(100_000))
    var result = SessionResult()
    (result.duration, result.served) = (faults.duration, .seconds(99_999))
    let timeline = Timeline(title: "", schedule: faults, steps: [], result: result)
    #expect(timeline.summary.contains("connected and current 99.999%;"))
  }

  @Test("a report gets a figure of what the client said beside the truth, and the lines of the text as a table")
  func report() throws {
    let blocks = try Self.session().timeline().reportBlocks(id: "session")
    let figures = blocks.compactMap { (block: ReportBlock) -> Figure? in
      guard case .figure(let figure) = block else { return nil }
      return figure
    }
    let series = try #require(figures.first?.series)
    // Neighbours in the key whose looks differ in their dashes only would be drawn alike.
    #expect(series.map(\.name) == ["the truth", "the client says", "a fault lasts"])
    #expect(zip(series, series.dropFirst()).allSatisfy { $0.style != $1.style })
    #expect(series[0].points.filter(\.y.isFinite).map(\.x) == [1.1, 200])
    #expect(series[1].points.first?.x == 0 && series[1].points.last?.x == 300)
    #expect(series[2].points.filter(\.y.isFinite).map(\.x) == [200, 230])
  }
}
