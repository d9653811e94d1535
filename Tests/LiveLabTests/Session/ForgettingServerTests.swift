// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("A server that forgets")
struct ForgettingServerTests {
  /// What a server may keep of the stream's history and of the app's numbers.
  static let memories = [(true, true), (true, false), (false, true), (false, false)]

  /// Some restarts, each while messages are on their way whose acknowledgements are not back.
  private func trouble(history: Bool, numbers: Bool) -> [(Fault, Double, Double)] {
    [
      (.partition(.down), 60, 12), (.restart(.killed, keepsHistory: history, keepsNumbers: numbers), 70, 3),
      (.halfOpen, 200, 0), (.restart(.vanished, keepsHistory: history, keepsNumbers: numbers), 205, 20),
      (.latency(added: .seconds(2), jitter: .zero), 400, 60),
      (.restart(.graceful, keepsHistory: history, keepsNumbers: numbers), 420, 5), (.reset, 500, 0),
    ]
  }

  private func play(
    history: Bool, numbers: Bool, seed: UInt32, settings: ConnectionSettings = ConnectionSettings()
  ) throws -> (truth: SessionTruth, breach: Breach?, changes: [SessionChange]) {
    let faults = trouble(history: history, numbers: numbers)
    var watched = try Session<LiveConnection, InvariantWatch>(
      settings: settings, world: chatter, witness: InvariantWatch())
    try watched.run(try schedule(faults, seconds: 600), seed: seed)
    var recorded = try Session<LiveConnection, Recorder>(settings: settings, world: chatter, witness: Recorder())
    try recorded.run(try schedule(faults, seconds: 600), seed: seed)
    #expect(watched.result == recorded.result)
    return (watched.result.truth, watched.witness.breach, recorded.witness.changes)
  }

  @Test("has what the app was told to be acknowledged, and is sent none of it again", arguments: memories)
  func acknowledged(history: Bool, numbers: Bool) throws {
    for seed in 1...30 as ClosedRange<UInt32> {
      let (truth, breach, changes) = try play(history: history, numbers: numbers, seed: seed)
      #expect(breach == nil)
      #expect(truth.messagesLost == 0 && truth.messagesTakenUnduly == 0)
      #expect(truth.messagesDoubled == 0 && truth.messagesSkipped == 0)
      var taken: Set<MessageNumber> = []
      var again: UInt64 = 0
      for case .took(let number, isRepeated: false) in changes where !taken.insert(number).inserted { again += 1 }
      #expect(truth.messagesTakenAgain == again && UInt64(taken.count) == truth.messagesTaken)
    }
  }

  @Test("takes again what it took and had not acknowledged, if its numbers are lost, and else never")
  func again() throws {
    for (history, numbers) in Self.memories {
      let sums = try (1...30).map { try play(history: history, numbers: numbers, seed: $0).truth }
      let (again, known) = sums.reduce((0, 0)) { ($0.0 + $1.messagesTakenAgain, $0.1 + $1.messagesRepeated) }
      #expect(numbers ? again == 0 : again > 30, "history \(history), numbers \(numbers): \(again)")
      #expect(numbers ? known > 30 : known == 0, "history \(history), numbers \(numbers): \(known)")
    }
  }

  @Test("begins a new epoch if its history is lost, whether or not it has the numbers", arguments: memories)
  func epochs(history: Bool, numbers: Bool) throws {
    let truth = try play(history: history, numbers: numbers, seed: 3).truth
    #expect(truth.streamEnd.epoch == (history ? 1 : 4))
    #expect(truth.streamDelivered?.epoch == truth.streamEnd.epoch)
  }

  @Test("takes nothing again of a client that drops what was not acknowledged")
  func dropped() throws {
    var settings = ConnectionSettings()
    settings.unacknowledged = .drop
    var dropped: UInt64 = 0
    for seed in 1...30 as ClosedRange<UInt32> {
      let (truth, breach, _) = try play(history: false, numbers: false, seed: seed, settings: settings)
      #expect(breach == nil && truth.messagesTakenAgain == 0 && truth.messagesRepeated == 0)
      dropped += truth.messagesDropped
    }
    #expect(dropped > 30)
  }

  @Test("a client that sends again what was acknowledged is found out by a server that forgot it")
  func unduly() throws {
    let schedule = try FaultSchedule(
      reading: "live/1 for=10m; 5m restart for=5s how=killed history=kept numbers=lost")
    var session = try Session<SendsAllAgain, InvariantWatch>(world: chatter, witness: InvariantWatch())
    try session.run(schedule, seed: 1)
    #expect(session.result.truth.messagesTakenUnduly > 50)
    #expect(session.witness.breached.contains(.takenInTruth))
    try session.run(FaultSchedule(reading: "live/1 for=10m; 5m restart for=5s how=killed"), seed: 1)
    #expect(session.result.truth.messagesTakenUnduly == 0 && session.result.truth.messagesRepeated > 50)
  }

  @Test("a schedule says what it keeps; where it says nothing of numbers they are kept, and it is written as it was")
  func texts() throws {
    let before = "live/1 for=10m; 5m restart for=5s how=killed history=lost"
    let schedule = try FaultSchedule(reading: before)
    #expect(schedule.faults.first?.fault == .restart(.killed, keepsHistory: false, keepsNumbers: true))
    #expect(schedule.description == before)
    let both = try FaultSchedule(reading: before + " numbers=lost")
    #expect(both.faults.first?.fault == .restart(.killed, keepsHistory: false, keepsNumbers: false))
    #expect(both.description == before + " numbers=lost")
    #expect(try FaultSchedule(reading: before + " numbers=kept") == schedule)
  }
}

/// A client that sends every message of the app on each connection, acknowledged or not.
private struct SendsAllAgain: LiveSubject {
  private var client: LiveConnection
  private var made: [MessageNumber] = []

  init(_ settings: ConnectionSettings) { client = LiveConnection(settings) }

  var status: LiveStatus { client.status }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    let isUsed = client.handle(event, at: now, word: word, into: &effects)
    switch event {
    case .send(let number, _): made.append(number)
    case .received(let generation, .resumed): for number in made { effects.append(.sendMessage(generation, number)) }
    default: break
    }
    return isUsed
  }
}
