// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import LiveCore
import PropertyTesting
import Testing

@testable import LiveLab

@Suite("Scratch")
struct ScratchStoryTests {
  @Test("scratch")
  func scratch() throws {
    var lines = ""
    defer { try? lines.write(toFile: "/tmp/h/h7.scratch", atomically: true, encoding: .utf8) }
    for variant in LiveSubjects.all where variant.name.hasPrefix("pro") || variant.name.contains("tags") || variant.name.contains("hands") { lines += variant.name + ": " + (try broken(variant.type)) + "\n" }
    lines += try speed(InvariantWatch()) + "\n" + speed(NoWitness()) + "\n"
  }
  func broken<S: LiveSubject>(_ type: S.Type) throws -> String {
    nonisolated(unsafe) var all: [Invariant: Int] = [:]
    var settings = CheckSettings()
    settings.cases = 3000
    _ = try search(SchedulePlan.any(), settings: settings) { schedule in
      var session = try Session<S, InvariantWatch>(witness: InvariantWatch())
      try session.run(schedule, seed: 1)
      for i in session.witness.breached.all { unsafe all[i, default: 0] += 1 }
    }
    _ = try search(LiveStory.any(), StoryLimits.any(), settings: settings) { story, limits in
      for i in StoryRun<S>(story, limits.settings).watch.breached.all { unsafe all[i, default: 0] += 1 }
    }
    return unsafe all.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.name)=\($0.value)" }.joined(separator: " ")
  }
  func speed<W: SessionWitness>(_ w: W) throws -> String {
    var session = try Session<LiveConnection, W>(witness: w)
    let schedule = try FaultSchedule([], duration: .seconds(3600))
    let start = clock()
    var events: UInt64 = 0
    for seed in 1...20_000 as ClosedRange<UInt32> {
      try session.run(schedule, seed: seed)
      events += session.result.events
    }
    let taken = Double(clock() - start) / 1e6
    return "\(W.self) \(taken) \(events)"
  }
}
