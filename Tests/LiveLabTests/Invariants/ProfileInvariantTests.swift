// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("The client that ships, in every kind of outage")
struct ProfileInvariantTests {
  @Test("breaks no invariant in hundreds of sessions", arguments: OutageProfile.all)
  func holds(profile: OutageProfile) throws {
    var session = try Session<LiveConnection, InvariantWatch>(witness: InvariantWatch())
    var random = try SessionRandom(seed: 1)
    var (steps, outages) = (UInt64(0), 0)
    for seed in 1...400 as ClosedRange<UInt32> {
      try random.reseed(seed)
      let schedule = profile.schedule(using: &random)
      session.witness = InvariantWatch()
      try session.run(schedule, seed: seed)
      steps += session.witness.steps
      outages += session.result.outages.count
      if let breach = session.witness.breach {
        Issue.record("\(breach); \(LiveReplay.command(schedule, seed: seed, subject: "production"))")
      }
    }
    // A watch that saw nothing would have nothing to say.
    #expect(steps > 400 * 10 && outages > 400)
  }
}
