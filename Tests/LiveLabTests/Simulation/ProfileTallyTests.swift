// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import TestSupport
import Testing

private func outage(
  _ began: Int64, possible: Int64?, ended: Int64?, fault: Int? = 0, attempts: Int = 1
) -> Outage {
  func instant(_ seconds: Int64?) -> Instant { seconds.map { .zero + .seconds($0) } ?? .never }
  return Outage(
    fault: fault, began: instant(began), possible: instant(possible), ended: instant(ended),
    noticed: instant(began), attempts: attempts)
}

/// Sessions of ten minutes with a limit of 30 s, whose faults are a reset and a restart, one after another.
private func tally(
  _ sessions: [[Outage]], from first: Int = 0, maximum: Int = 8, change: (inout SessionResult) -> Void = { _ in }
) throws -> ProfileTally {
  let schedule = try FaultSchedule(
    [
      TimedFault("reset", at: .zero + .seconds(60)),
      TimedFault("restart how=killed", at: .zero + .seconds(90), lasting: .seconds(5)),
    ], duration: .seconds(600))
  var tally = ProfileTally()
  for (number, outages) in sessions.enumerated() {
    var result = SessionResult()
    (result.outages, result.duration) = (outages, .seconds(600))
    change(&result)
    tally.add(
      session: first + number, seed: UInt32(first + number), result, schedule, limit: .seconds(30), maximum: maximum)
  }
  return tally
}

/// The outages that began by a fault of a kind.
private func share(_ tally: ProfileTally, of kind: Fault.Kind) -> ClusteredShare { tally.causes[Int(kind.rawValue)] }

/// Does nothing, and so breaks an invariant.
private struct Idle: ClientUnderTest {
  init(_ settings: ConnectionSettings) {}

  var status: LiveStatus { LiveStatus(.disconnected) }

  func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool { false }
}

@Suite("The tally of a profile's sessions")
struct ProfileTallyTests {
  @Test("an outage counts from when an attempt could have succeeded, and by the fault that began it")
  func counted() throws {
    let tally = try tally([
      [outage(60, possible: 100, ended: 130), outage(200, possible: 200, ended: 231, fault: 1)]
    ])
    #expect((tally.success.hits, tally.success.trials, tally.success.clusters) == (1, 2, 1))
    #expect(share(tally, of: .reset).hits == 1)
    #expect(share(tally, of: .restart).hits == 0)
    #expect(tally.troubledSessions == 1)
    #expect(tally.failures.notBack.count == 1)
  }

  @Test("the first connection and the app's own end are no outages; a fault at the start, or a loss without one, is")
  func noOutages() throws {
    let found = try tally([
      [outage(0, possible: 0, ended: 1, fault: nil), outage(600, possible: 600, ended: nil)],
      [outage(0, possible: 0, ended: 1, fault: 0)], [outage(50, possible: 50, ended: 51, fault: nil)],
    ])
    #expect((found.success.trials, found.success.clusters, found.late, found.unrecoverable) == (2, 2, 0, 0))
    #expect(found.causes.last?.trials == 1)
    #expect(share(found, of: .reset).trials == 1)
  }

  @Test("an outage that no attempt could end, or whose limit outlasts the session, is counted apart, however it ended")
  func unevaluated() throws {
    let found = try tally([
      [outage(60, possible: nil, ended: nil), outage(500, possible: 570, ended: nil)],
      [outage(500, possible: 571, ended: 572), outage(590, possible: 590, ended: nil)],
    ])
    #expect((found.success.hits, found.success.trials) == (0, 1))
    #expect((found.unrecoverable, found.late) == (1, 2))
  }

  @Test("a client that never came back fails without a time; one that outlived the outage made no attempt")
  func ends() throws {
    let tally = try tally([
      [outage(60, possible: 61, ended: 61, attempts: 0), outage(200, possible: 210, ended: nil)]
    ])
    #expect((tally.success.hits, tally.success.trials) == (1, 2))
    #expect(tally.outlived == 1)
    #expect(tally.returns.lost.hits == 1)
    #expect(tally.counts.servedMilliseconds == 199_000)
  }

  @Test("only the first outages of a session are evaluated, as many as the bounds allow for")
  func maximum() throws {
    let outages = (0..<6).map { outage(60 + 50 * $0, possible: 60 + 50 * $0, ended: 65 + 50 * $0) }
    #expect(try tally([outages], maximum: 4).success.trials == 4)
  }

  @Test("the failures of the lowest session numbers are kept, whatever order they come in")
  func failures() throws {
    let tallies = try [9, 2, 30, 4, 17].map { session in
      try tally([[outage(60, possible: 60, ended: 100)]], from: session)
    }
    let forwards = tallies.reduce(into: ProfileTally()) { $0.merge($1) }
    let backwards = tallies.reversed().reduce(into: ProfileTally()) { $0.merge($1) }
    #expect(forwards == backwards)
    #expect(forwards.failures.notBack.map(\.session) == [2, 4, 9])
    #expect(mergeLawViolation(among: tallies, empty: ProfileTally()) { $0.merge($1) } == nil)
  }

  @Test("an error is shared in parts of two digits whose sum is no more than the whole")
  func parts() {
    #expect(SimulationTrial.part(of: 1 - 0.99, among: 1) == 0.01)
    #expect(SimulationTrial.part(of: 1 - 0.99, among: 9) == 0.0011)
    #expect(SimulationTrial.part(of: 1 - 0.999, among: 8) == 0.00012)
  }

  @Test("of a session's failures the first outage is kept, and one broken invariant")
  func firstFailures() throws {
    var found = try tally([
      [
        outage(60, possible: 60, ended: 61), outage(100, possible: 100, ended: 200),
        outage(300, possible: 300, ended: nil),
      ]
    ])
    let late = outage(100, possible: 100, ended: 200)
    #expect(found.failures.notBack.map(\.what) == [.notBack(late, .fault(.reset))])
    #expect(found.troubledSessions == 1 && found.success.hits == 1)
    let idle = try checked(Idle.self, schedule([], seconds: 60), seeds: 1...1)
    let breach = try #require(idle.breach)
    found.add(session: 0, seed: 0, isRunaway: true, breach: breach, breached: idle.breached)
    found.add(session: 1, seed: 1, isRunaway: false, breach: nil, breached: InvariantChecker().breached)
    #expect(found.brokenSessions == 1 && found.broken.map(\.invariant) == idle.breached.all)
    #expect(found.failures.all.map(\.what) == [.breach("\(breach)"), .notBack(late, .fault(.reset))])
  }

  @Test("no fewer than four outages of a session are evaluated and no more than 32")
  func bounds() {
    #expect([1, 9, 60].map { ProfileTally.maxEvaluated(faults: $0) } == [4, 9, 32])
  }
}
