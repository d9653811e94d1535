// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("The invariants of a connection")
struct InvariantTests {
  private func breached<Subject: LiveSubject>(_ type: Subject.Type, _ broken: BrokenInvariant) throws -> InvariantSet {
    var world = SessionWorld()
    if let sends = broken.sends { world.phone.sends = sends }
    var session = try Session<Subject, InvariantWatch>(world: world, witness: InvariantWatch())
    let schedule = try FaultSchedule(reading: broken.schedule)
    for seed in 1...20 as ClosedRange<UInt32> { try session.run(schedule, seed: seed) }
    return session.witness.breached
  }

  @Test("are each broken by a variant, and by the client that ships not", arguments: BrokenInvariant.all)
  func broken(case broken: BrokenInvariant) throws {
    #expect(try breached(LiveSubjects.named(broken.subject).type, broken).contains(broken.invariant))
    #expect(try breached(LiveConnection.self, broken).isEmpty)
  }

  @Test(
    "hold in schedules in which they once seemed broken",
    arguments: [
      // A short sleep after a long one: the link was dropped without being asked again.
      "live/1 for=15m33s; 0s no-pongs for=1s; 1s sleep for=20s; 21s reset; 21s sleep for=12s",
      // Asleep until just before the uptime that proves a connection: who is to say whether it did?
      "live/1 for=15m23s; 1s close code=3000 delay=0s; 2s half-open; 2s expired-credentials for=21s refreshable=yes; "
        + "2s sleep for=10s",
    ])
  func once(schedule: String) throws {
    var session = try Session<LiveConnection, InvariantWatch>(witness: InvariantWatch())
    for seed in 1...40 as ClosedRange<UInt32> { try session.run(FaultSchedule(reading: schedule), seed: seed) }
    #expect(session.witness.breached.isEmpty && session.result.pings > 10)
  }

  @Test("are all among those broken, but for the one that takes a herd")
  func complete() {
    #expect(BrokenInvariant.all.map(\.invariant) == Invariant.allCases.filter { $0 != .spreadReturns })
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
    #expect("\(breach)".hasPrefix("pong-timeout-aborts at 0:40.") && "\(breach)".hasSuffix("`close 1 with 1000`"))
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
