// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Testing

/// A client that opens one connection and does one thing on it at each ring of its timer.
private protocol Habit: Sendable {
  static var period: Interval { get }
  static func wanted(_ number: UInt32) -> [LiveEffect]
}

private struct Creature<Kind: Habit>: LiveSubject {
  private var client: LiveConnection
  private var number: UInt32 = 0

  init(_ settings: ConnectionSettings) { client = LiveConnection(settings) }

  var status: LiveStatus { client.status }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    switch event {
    case .start: effects.append(.open(Generation(1), .original))
    case .opened: effects.append(.setTimer(TimerTag(1), at: now + Kind.period))
    case .timer:
      number += 1
      for effect in Kind.wanted(number) { effects.append(effect) }
      effects.append(.setTimer(TimerTag(UInt64(number) + 1), at: now + Kind.period))
    default: break
    }
    return false
  }
}

private enum PingsOften: Habit {
  static let period = Interval.milliseconds(10)
  static func wanted(_ number: UInt32) -> [LiveEffect] { [.sendPing(Generation(1), number)] }
}

private enum PingsSeldom: Habit {
  static let period = Interval.milliseconds(700)
  static func wanted(_ number: UInt32) -> [LiveEffect] { [.sendPing(Generation(1), number)] }
}

/// Sends and pings at once, so that the ping follows something.
private enum SendsAndPings: Habit {
  static let period = Interval.milliseconds(400)
  static func wanted(_ number: UInt32) -> [LiveEffect] {
    [.sendMessage(Generation(1), MessageNumber(UInt64(number))), .sendPing(Generation(1), number)]
  }
}

private enum PingsNobody: Habit {
  static let period = Interval.milliseconds(700)
  static func wanted(_ number: UInt32) -> [LiveEffect] { [.sendPing(Generation(2), number)] }
}

private enum OnlySends: Habit {
  static let period = Interval.seconds(5)
  static func wanted(_ number: UInt32) -> [LiveEffect] { [.sendPong(Generation(1), number)] }
}

private enum Listens: Habit {
  static let period = Interval.seconds(5)
  static func wanted(_ number: UInt32) -> [LiveEffect] { [] }
}

@Suite("The way of a ping")
struct PingPathTests {
  private func play<Kind: Habit>(
    _ kind: Kind.Type, _ faults: [(Fault, Double, Double)] = [], seconds: Double = 60,
    world: SessionWorld = exactSilence
  ) throws -> Played {
    var world = world
    world.phone.stopsAtEnd = false
    var session = try Session<Creature<Kind>, Recorder>(world: world, witness: Recorder())
    try session.run(try schedule(faults, seconds: seconds), seed: 1)
    return Played(result: session.result, record: session.witness)
  }

  /// When each ping was sent, and how long its answer took.
  private func answers(_ played: Played) -> [(sent: Double, took: Double?)] {
    var sent: [(UInt32, Double)] = []
    var heard: [UInt32: Double] = [:]
    for entry in played.record.entries {
      switch entry.entry {
      case .effect(.sendPing(_, let number)): sent.append((number, entry.at.seconds))
      case .event(.received(_, .pong(let number))):
        #expect(heard[number] == nil)
        heard[number] = entry.at.seconds
      default: break
      }
    }
    return sent.map { number, at in (at, heard[number].map { $0 - at }) }
  }

  private func order(_ played: Played) -> [UInt32] {
    played.record.events.compactMap { if case .received(_, .pong(let number)) = $0.event { number } else { nil } }
  }

  @Test("every ping is answered after a round trip, alone or with others under way")
  func roundTrip() throws {
    for played in [try play(PingsOften.self), try play(PingsSeldom.self)] {
      let answers = answers(played)
      #expect(answers.count > 80)
      #expect(answers.allSatisfy { $0.sent > 59.95 || isNear($0.took, 0.05) })
      #expect(answers.allSatisfy { $0.sent <= 59.95 || $0.took == nil })
    }
  }

  @Test("on a way that is now slow and now fast, pings and answers keep their order, and none is lost")
  func order() throws {
    var world = silence
    world.server.pings = .milliseconds(300)
    let slow: [(Fault, Double, Double)] = [(.latency(added: .milliseconds(10), jitter: .seconds(2)), 1, 40)]
    for (played, least) in [
      (try play(PingsOften.self, slow, world: world), 5_000), (try play(PingsSeldom.self, slow, world: world), 80),
      (try play(SendsAndPings.self, slow, world: world), 130),
    ] {
      let numbers = order(played)
      #expect(numbers.count > least && numbers == Array(1...UInt32(numbers.count)))
    }
  }

  @Test("an event is counted for its ring, its arrival and its answer, up to the end of the session")
  func counted() throws {
    /// Pings are sent at 0.21, 0.22 s and so on, and arrive 25 ms and 50 ms later.
    func expected(_ end: Int) -> Int {
      [0, 25, 50].reduce(0) { $0 + max(0, (end - 200 - $1) / 10) }
    }
    func events(_ end: Int) throws -> Int { Int(try play(PingsOften.self, seconds: Double(end) / 1_000).result.events) }
    let base = try events(205)
    for end in [1_003, 1_008, 1_013, 2_037] { #expect(try events(end) == base + expected(end)) }
  }

  @Test("a ping that is under way when the way is shut is sent again, and so is its answer")
  func shut() throws {
    // Sent at 2.3 s; it would arrive at 2.325 s, and its answer at 2.35 s. What waits is sent again after 0.2, 0.6 and
    // 1.4 s.
    for (shut, took) in [(2.31, 1.45), (2.34, 1.45)] {
      let played = try play(PingsSeldom.self, [(.blackHole, shut, 1)])
      let answer = answers(played).first { abs($0.sent - 2.3) < 1e-6 }
      #expect(isNear(answer?.took, took))
    }
  }

  @Test("on a connection that is not there nothing is answered")
  func nobody() throws {
    #expect(order(try play(PingsNobody.self)).isEmpty)
  }

  @Test("late answers come one by one, each as late as the other")
  func late() throws {
    let answers = answers(try play(PingsSeldom.self, [(.latePongs(delay: .seconds(5)), 0, 60)]))
    #expect(answers.allSatisfy { $0.sent > 54.9 || isNear($0.took, 5.05) })
  }

  @Test("a connection is not idle on which only the client sends, or only the server")
  func idle() throws {
    let fault: [(Fault, Double, Double)] = [(.idleCut(after: .seconds(8), isSilent: false), 0.5, 59)]
    var world = exactSilence
    func isCut(_ played: Played) -> Bool {
      played.record.events.contains { if case .closed = $0.event { true } else { false } }
    }
    #expect(try !isCut(play(OnlySends.self, fault)) && isCut(play(Listens.self, fault)))
    world.server.pings = .seconds(5)
    #expect(try !isCut(play(Listens.self, fault, world: world)))
  }
}
