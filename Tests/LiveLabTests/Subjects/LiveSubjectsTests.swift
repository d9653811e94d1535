// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import PropertyTesting
import Testing

@testable import LiveLab

@Suite("The clients that a session can run")
struct LiveSubjectsTests {
  @Test("the client that ships comes first, and every other is called live-")
  func names() {
    let names = LiveVariant.all.map(\.name)
    #expect(names.first == "production" && Set(names).count == names.count)
    #expect(names.dropFirst().allSatisfy { $0.hasPrefix("live-") })
    #expect(LiveVariant.all.allSatisfy { !$0.fault.isEmpty })
  }
}

@Suite("The design that was replaced")
struct ReplacedDesignTests {
  private func firstBreaches(_ text: String, sessions: UInt32 = 20) throws -> [Breach] {
    let schedule = try FaultSchedule(reading: text)
    var session = try Session<LegacyClient, InvariantChecker>(observer: InvariantChecker())
    var breaches: [Breach] = []
    for seed in 1...sessions {
      session.observer = InvariantChecker()
      try session.run(schedule, seed: seed)
      if let breach = session.observer.breach { breaches.append(breach) }
    }
    return breaches
  }

  @Test("looks right while nothing goes wrong")
  func right() throws {
    #expect(try firstBreaches("live/1 for=1h").isEmpty)
  }

  @Test(
    "is found out by the fault that it cannot bear",
    arguments: [
      ("live/1 for=15m; 1m half-open", Invariant.halfOpenNoticed), ("live/1 for=15m; 1m reset", .countedOnce),
      ("live/1 for=15m; 0s black-hole for=1m", .connectTimeout), ("live/1 for=30m; 0s refused for=10m", .alwaysAnExit),
    ])
  func foundOut(schedule: String, invariant: Invariant) throws {
    let breaches = try firstBreaches(schedule)
    #expect(!breaches.isEmpty && breaches.allSatisfy { $0.invariant == invariant })
  }

  @Test("is told of a dead link only when it has gone unnoticed for longer than it may")
  func dead() throws {
    let breach = try #require(firstBreaches("live/1 for=15m; 1m half-open").first)
    guard case .tooLate(let silence, let most) = breach.finding else {
      Issue.record("\(breach)")
      return
    }
    #expect(most == .seconds(40) && silence > most)
    #expect(try firstBreaches("live/1 for=90s; 1m half-open").isEmpty)
  }

  /// The waits of a client whose attempts fail one after the other, each with a random word.
  private func waits(_ words: [UInt64], opensBetween: Bool = false) -> [Interval] {
    var client = LegacyClient(ConnectionSettings())
    var effects = LiveEffects()
    var (now, waits) = (Instant.zero, [Interval]())
    _ = client.handle(.start, at: now, word: 0, into: &effects)
    for (number, word) in words.enumerated() {
      let task = Generation(UInt32(number + 1))
      if opensBetween { _ = client.handle(.opened(task), at: now, word: 0, into: &effects) }
      effects.removeAll()
      _ = client.handle(.failed(task, .connectionRefused), at: now, word: word, into: &effects)
      guard case .setTimer(let tag, let due)? = effects.first else { return waits }
      waits.append(due - now)
      now = due
      _ = client.handle(.timer(tag), at: now, word: 0, into: &effects)
    }
    return waits
  }

  @Test("waits twice as long each time, give or take a tenth, ten times")
  func doubles() {
    let longest = [1, 2, 4, 8, 16, 30, 30, 30, 30, 30].map { Double($0) }
    let (least, most) = (waits(Array(repeating: 0, count: 12)), waits(Array(repeating: .max, count: 12)))
    #expect(least.map(\.seconds).elementsEqual(longest) { abs($0 - 0.9 * $1) < 1e-6 })
    #expect(most.map(\.seconds).elementsEqual(longest) { abs($0 - 1.1 * $1) < 1e-6 })
  }

  @Test("never waits longer than the first time, if every attempt opens, and never gives up")
  func resets() {
    let waits = waits(Array(repeating: 1 << 63, count: 30), opensBetween: true)
    #expect(waits.count == 30 && waits.allSatisfy { $0 == .seconds(1) })
  }
}
