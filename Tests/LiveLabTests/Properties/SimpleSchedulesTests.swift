// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import PropertyTesting
import Testing

@testable import LiveLab

@Suite("The simple schedules to which counterexamples shrink")
struct SimpleSchedulesTests {
  /// The first breach of a client in a session.
  private static func breach<Subject: LiveSubject>(
    of type: Subject.Type, in schedule: FaultSchedule, seed: UInt32
  ) throws -> Breach? {
    var session = try Session<Subject, InvariantWatch>(witness: InvariantWatch())
    try session.run(schedule, seed: seed)
    return session.witness.breach
  }

  /// What property live.1 makes of a client from a seed.
  private func shown(_ client: LiveVariant, seed: UInt64) throws -> [String] {
    let property = try #require(LiveProperties.all(of: client).first { $0.id == "live.1" })
    var settings = CheckSettings()
    (settings.cases, settings.seed, settings.explains) = (2_000, seed, false)
    return try #require(try property.check(settings).counterexample).arguments
  }

  @Test("are nothing, then one fault of every kind, then two, each once")
  func order() {
    let all = SimpleSchedules.all
    let counts = all.map(\.faults.count)
    #expect(counts == counts.sorted() && Set(counts) == [0, 1, 2] && counts.count { $0 == 0 } == 1)
    #expect(Set(SimpleSchedules.singles.flatMap { $0.faults.map(\.fault.kind) }) == Set(Fault.Kind.allCases))
    #expect(Set(all).count == all.count)
  }

  @Test("begin and end at round times, and are read back from their text")
  func round() throws {
    for schedule in SimpleSchedules.all {
      for timed in schedule.faults {
        #expect((timed.at - .zero).nanoseconds % 10_000_000_000 == 0 && timed.lasting.nanoseconds % 10_000_000_000 == 0)
      }
      #expect(try FaultSchedule(reading: schedule.description) == schedule)
    }
  }

  @Test("break no invariant of the client that ships", arguments: 1...5 as ClosedRange<UInt32>)
  func shipping(seed: UInt32) throws {
    for schedule in SimpleSchedules.all {
      let breach = try Self.breach(of: LiveConnection.self, in: schedule, seed: seed)
      #expect(breach == nil, "\(LiveReplay.command(schedule, seed: seed, subject: "production"))")
    }
  }

  /// What a herd or a story shows, and no schedule of one client.
  private static let shownOtherwise = ["live-knows-no-jitter", "live-meets-at-the-date", "live-queues-without-end"]

  @Test(
    "of those that show a fault the first is shown, from whichever seed",
    arguments: LiveSubjects.broken.filter { !shownOtherwise.contains($0.name) })
  func first(client: LiveVariant) throws {
    let simple = try SimpleSchedules.all.first { try Self.breach(of: client.type, in: $0, seed: 1) != nil }
    guard let simple else {
      // An order of messages takes two that the app sends within one outage: rarer than one seed can promise.
      #expect(client.name == "live-flushes-backwards")
      return
    }
    for seed in [0, 17, 4_711] as [UInt64] {
      #expect(try shown(client, seed: seed) == ["\(simple), seed 1"])
    }
  }
}
