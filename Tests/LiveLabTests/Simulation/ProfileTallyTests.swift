// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import MonteCarlo
import Testing

@testable import LiveLab

@Suite struct ProfileTallyTests {
  private func outage(
    _ began: Int64, possible: Int64?, ended: Int64?, fault: Int = 0, attempts: Int = 1
  ) -> Outage {
    func instant(_ seconds: Int64?) -> Instant { seconds.map { .zero + .seconds($0) } ?? .never }
    return Outage(
      fault: fault, began: instant(began), possible: instant(possible), ended: instant(ended),
      noticed: instant(began), attempts: attempts)
  }

  /// A session of ten minutes with a limit of 30 s, whose faults are a reset and a restart.
  private func tally(_ outages: [Outage], session: Int = 0, most: Int = 8) throws -> ProfileTally {
    let schedule = try FaultSchedule(
      [
        TimedFault(.reset, at: .zero + .seconds(60)),
        TimedFault(.restart(.killed, keepsHistory: true), at: .zero + .seconds(90), lasting: .seconds(5)),
      ], duration: .seconds(600))
    var result = SessionResult()
    (result.outages, result.duration) = (outages, .seconds(600))
    var (tally, room) = (ProfileTally(), JudgingRoom())
    tally.add(
      session: session, seed: 7, result, schedule, limit: .seconds(30), most: most, room: &room)
    return tally
  }

  @Test("an outage counts from when an attempt could have succeeded, and by the fault that began it")
  func counted() throws {
    let tally = try tally([
      outage(60, possible: 100, ended: 130), outage(200, possible: 200, ended: 231, fault: 1),
    ])
    #expect((tally.success.hits, tally.success.trials, tally.success.clusters) == (1, 2, 1))
    #expect(tally.causes[OutageCause.fault(.reset).place].success.hits == 1)
    #expect(tally.causes[OutageCause.fault(.restart).place].success.hits == 0)
    #expect(tally.troubledSessions == 1)
    #expect(tally.failures.notBack.count == 1)
  }

  @Test("the first connection and what the app ended are no outages")
  func noOutages() throws {
    let tally = try tally([outage(0, possible: 0, ended: 1, fault: -1), outage(600, possible: 600, ended: nil)])
    #expect(tally.success.trials == 0 && tally.late == 0 && tally.hopeless == 0)
  }

  @Test("what could not have succeeded, or whose limit outlasts the session, is counted apart, however it ended")
  func unjudged() throws {
    let tally = try tally([
      outage(60, possible: nil, ended: nil), outage(580, possible: 580, ended: 581),
      outage(590, possible: 590, ended: nil),
    ])
    #expect((tally.success.trials, tally.hopeless, tally.late) == (0, 1, 2))
  }

  @Test("a client that never came back is a failure without a time; one that outlived the outage made no attempt")
  func ends() throws {
    let tally = try tally([
      outage(60, possible: 61, ended: 61, attempts: 0), outage(200, possible: 210, ended: nil),
    ])
    #expect((tally.success.hits, tally.success.trials) == (1, 2))
    #expect(tally.outlived == 1)
    #expect(tally.returns.lost.hits == 1)
    #expect(tally.counts.servedMilliseconds == 199_000)
  }

  @Test("no more outages of a session are judged than the bounds know of: the first ones")
  func most() throws {
    let outages = (0..<6).map { outage(60 + 50 * $0, possible: 60 + 50 * $0, ended: 65 + 50 * $0) }
    #expect(try tally(outages, most: 4).success.trials == 4)
  }

  @Test("the failures kept are those of the lowest numbers, whatever order they come in")
  func failures() throws {
    let tallies = try [9, 2, 30, 4, 17].map { session in
      try tally([outage(60, possible: 60, ended: 100)], session: session)
    }
    let forwards = tallies.reduce(into: ProfileTally()) { $0.merge($1) }
    let backwards = tallies.reversed().reduce(into: ProfileTally()) { $0.merge($1) }
    #expect(forwards == backwards)
    #expect(forwards.failures.notBack.map(\.session) == [2, 4, 9])
    #expect(mergeLawViolation(among: tallies, empty: ProfileTally()) == nil)
  }

  @Test("errors are shared in parts of two digits that together are no more than the whole")
  func parts() {
    #expect(SimulationTrial.part(of: 1 - 0.99, among: 1) == 0.01)
    #expect(SimulationTrial.part(of: 1 - 0.99, among: 9) == 0.0011)
    #expect(SimulationTrial.part(of: 1 - 0.999, among: 8) == 0.00012)
  }
}
