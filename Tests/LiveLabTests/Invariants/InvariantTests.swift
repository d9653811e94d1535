// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

/// An invariant, the variant that breaks it, and the schedule in which it does.
struct BrokenInvariant: Sendable, CustomTestStringConvertible {
  let invariant: Invariant
  let subject: String
  let schedule: String

  init(_ invariant: Invariant, _ subject: String, _ schedule: String) {
    (self.invariant, self.subject, self.schedule) = (invariant, subject, schedule)
  }

  var testDescription: String { "\(invariant.name) by \(subject) in `\(schedule)`" }

  static let all = [
    BrokenInvariant(.oneSocket, "live-leaves-orphans", "live/1 for=15m; 1m half-open"),
    BrokenInvariant(.oneTimer, "live-reuses-timer-tags", "live/1 for=15m"),
    BrokenInvariant(.staleChangesNothing, "live-doubles-itself", "live/1 for=15m; 1s half-open"),
    BrokenInvariant(.nothingAfterClose, "live-doubles-itself", "live/1 for=15m; 1s half-open"),
    BrokenInvariant(.everyStartEnds, "live-returns-from-the-dead", "live/1 for=2s; 1s garbage code=1002"),
    BrokenInvariant(.alwaysAnExit, "live-leaks-the-lock", "live/1 for=30m; 1m black-hole for=3m"),
    BrokenInvariant(.attemptLimit, "live-never-suspends", "live/1 for=30m; 0s black-hole for=10m"),
    BrokenInvariant(.attemptFloor, "live-forgets-the-floor", "live/1 for=30m; 0s refused for=10m"),
    BrokenInvariant(.countedOnce, "live-resets-on-open", "live/1 for=15m; 0s reset"),
    BrokenInvariant(.resetWhenProven, "live-never-resets", "live/1 for=15m; 1m reset; 2m reset"),
    BrokenInvariant(
      .retryAfterHonoured, "live-ignores-retry-after",
      "live/1 for=15m; 0s refusal for=10s status=503 retry-after=1m"),
    BrokenInvariant(.refreshedOnce, "live-loops-on-token", "live/1 for=15m; 0s refusal for=10s status=401"),
    BrokenInvariant(.halfOpenNoticed, "live-sends-no-pings", "live/1 for=15m; 1m half-open"),
    BrokenInvariant(.pongTimeoutAborts, "live-closes-politely", "live/1 for=15m; 1m half-open"),
    BrokenInvariant(.connectTimeout, "live-waits-for-the-kernel", "live/1 for=15m; 0s black-hole for=1m"),
    BrokenInvariant(.droppedForAReason, "live-keeps-connect-timeouts", "live/1 for=15m; 0s reset"),
    BrokenInvariant(.endsForAReason, "live-own-close-is-final", "live/1 for=15m; 1m half-open"),
    BrokenInvariant(.firstMessage, "live-drops-with-handshake", "live/1 for=15m"),
    BrokenInvariant(
      .messagesDelivered, "live-hides-gaps", "live/1 for=15m; 1m restart for=1s how=graceful history=lost"),
    BrokenInvariant(.answeredOnce, "live-answers-twice", "live/1 for=15m"),
    BrokenInvariant(.statusTrue, "live-announces-nothing", "live/1 for=15m"),
  ]
}

@Suite("The invariants of a connection")
struct InvariantTests {
  private func breached<Subject: LiveSubject>(_ type: Subject.Type, _ schedule: FaultSchedule) throws -> InvariantSet {
    var session = try Session<Subject, InvariantWatch>(witness: InvariantWatch())
    for seed in 1...400 as ClosedRange<UInt32> { try session.run(schedule, seed: seed) }
    return session.witness.breached
  }

  @Test("are each broken by a variant, and by the client that ships not", arguments: BrokenInvariant.all)
  func broken(case broken: BrokenInvariant) throws {
    let schedule = try FaultSchedule(reading: broken.schedule)
    #expect(try breached(LiveSubjects.named(broken.subject).type, schedule).contains(broken.invariant))
    #expect(try breached(LiveConnection.self, schedule).isEmpty)
  }

  @Test("have names of their own and a sentence each")
  func named() {
    #expect(Set(Invariant.allCases.map(\.name)).count == Invariant.allCases.count)
    #expect(Set(Invariant.allCases.map(\.sentence)).count == Invariant.allCases.count)
  }

  @Test("a breach says which, when, at which step and what was found")
  func told() throws {
    var session = try Session<ClosesPolitely, InvariantWatch>(witness: InvariantWatch())
    try session.run(FaultSchedule(reading: "live/1 for=15m; 1s half-open"), seed: 1)
    let breach = try #require(session.witness.breach)
    #expect(breach.invariant == .pongTimeoutAborts)
    #expect(breach.finding == .effect(.sendClose(Generation(1), CloseCode(1000))))
    #expect("\(breach)".hasPrefix("pong-timeout-aborts at 40.") && "\(breach)".hasSuffix("`close 1 with 1000`"))
  }

  @Test("a queue beyond its bounds is noticed")
  func queue() {
    let story = LiveStory(seed: 0, steps: [.init(after: 0, happening: .sends), .init(after: 0, happening: .sends)])
    let limits = StoryLimits(
      attempts: 10, messages: 1, resumesStream: true, dropsUncertain: false, background: .stayConnected)
    #expect(StoryRun<QueuesWithoutEnd>(story, limits.settings).watch.breached.contains(.queueBounds))
    #expect(StoryRun<LiveConnection>(story, limits.settings).watch.breach == nil)
  }

  @Test("messages sent newest first are noticed")
  func order() {
    let steps = [LiveStory.Happening.sends, .sends, .opens, .resumes(behind: 0)].map {
      LiveStory.Step(after: 0, happening: $0)
    }
    let story = LiveStory(seed: 0, steps: steps)
    #expect(StoryRun<FlushesBackwards>(story, ConnectionSettings()).watch.breached.contains(.sentInOrder))
    #expect(StoryRun<LiveConnection>(story, ConnectionSettings()).watch.breach == nil)
  }

  @Test("an account of messages knows what is to come next, and settles each once")
  func outgoing() {
    var account = InvariantWatch.OutgoingAccount()
    for number in 1...4 as ClosedRange<UInt64> { account.made(MessageNumber(number)) }
    #expect(account.waiting == 4 && account.next() == 1)
    account.sent(MessageNumber(1))
    let dropped = account.dropped(MessageNumber(2))
    #expect(dropped && account.next() == 3 && account.waiting == 3)
    let again = account.dropped(MessageNumber(2))
    #expect(!again)
    account.sent(MessageNumber(3))
    let (settled, repeated) = (account.acknowledged(MessageNumber(3)), account.acknowledged(MessageNumber(3)))
    #expect(settled && !repeated && account.waiting == 1)
    account.connectionEnded()
    #expect(account.next() == 4)
  }
}

@Suite("Clients that lost one server at one moment")
struct HerdTests {
  @Test("return spread out, where they draw their waits")
  func spread() throws {
    let schedule = try FaultSchedule(reading: "live/1 for=2m; 1m restart for=5s how=killed history=kept")
    let herd = try Herd(of: LiveConnection.self, schedule, seed: 1)
    #expect(herd.waits.count == Herd.size && herd.isSpread)
  }

  @Test("return all together, where they do not", arguments: ["live-knows-no-jitter", "live-replaced-design"])
  func together(name: String) throws {
    let schedule = try FaultSchedule(reading: "live/1 for=2m; 1m reset")
    func herd<Subject: LiveSubject>(_ type: Subject.Type) throws -> Herd { try Herd(of: type, schedule, seed: 1) }
    let herd = try herd(LiveSubjects.named(name).type)
    #expect(!herd.isSpread && herd.most == Herd.size)
  }
}
