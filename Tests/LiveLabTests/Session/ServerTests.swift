// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import Testing

@Suite("The server's stream")
struct StreamTests {
  /// The answers to the wish to resume, with when the server gave them.
  private func resumptions(_ played: Played) -> [(sent: Double, after: StreamPosition)] {
    played.record.events.compactMap {
      if case .received(_, .resumed(let index)) = $0.event { ($0.at.seconds - 0.025, index) } else { nil }
    }
  }

  private var world: SessionWorld {
    var world = chatter
    world.network.jitter = .zero
    world.phone.sends = nil
    return world
  }

  @Test("a server resumes the stream where the client was, or at the start of its history")
  func history() throws {
    var world = world
    world.server.history = 10
    let played = try play([("black-hole", 100, 60)], seconds: 300, world: world)
    let back = try #require(resumptions(played).last)
    let published = played.record.entries.compactMap { entry -> StreamPosition? in
      guard entry.at.seconds <= back.sent, case .change(.published(let index, _)) = entry.entry else { return nil }
      return index
    }
    let last = try #require(published.last)
    #expect(back.sent > 160 && last.offset > 15)
    #expect(back.after == StreamPosition(epoch: 1, offset: last.offset - 10))
    let short = try play([("reset", 100, 0)], seconds: 120, world: world)
    let delivered = short.record.entries.last {
      if case .effect(.deliver) = $0.entry { $0.at.seconds < 100 } else { false }
    }
    guard case .effect(.deliver(let index, _)) = delivered?.entry else { return }
    #expect(resumptions(short).last?.after == index)
  }

  @Test("a server that is down publishes nothing")
  func down() throws {
    let played = try play([("restart how=vanished", 100, 100)], world: world)
    let during = played.record.entries.contains {
      if case .change(.published) = $0.entry { (100.001..<200).contains($0.at.seconds) } else { false }
    }
    #expect(!during)
  }

  @Test("the server numbers its pings and sends them at its interval; the client answers each by its number")
  func pings() throws {
    var world = silence
    world.server.pings = .seconds(20)
    let record = try play(seconds: 110, world: world).record
    let asked = record.events.compactMap { if case .received(_, .ping(let number)) = $0.event { number } else { nil } }
    let answered = record.entries.compactMap {
      if case .effect(.sendPong(_, let number)) = $0.entry { number } else { nil }
    }
    #expect(asked == [1, 2, 3, 4, 5] && answered == asked)
  }
}

@Suite("A server that restarts without its memory")
struct ForgettingServerTests {
  /// What a server may keep of the stream's history and of the app's numbers.
  static let memories = [(true, true), (true, false), (false, true), (false, false)]

  /// Some restarts, each while messages are on their way whose acknowledgements are not back.
  private func trouble(history: Bool, numbers: Bool) -> [(Fault, Double, Double)] {
    let kept = "history=\(history ? "kept" : "lost") numbers=\(numbers ? "kept" : "lost")"
    return [
      ("partition way=down", 60, 12), ("restart how=killed \(kept)", 70, 3),
      ("half-open", 200, 0), ("restart how=vanished \(kept)", 205, 20),
      ("latency added=2s", 400, 60),
      ("restart how=graceful \(kept)", 420, 5), ("reset", 500, 0),
    ]
  }

  private func play(
    history: Bool, numbers: Bool, seed: UInt32, settings: ConnectionSettings = ConnectionSettings()
  ) throws -> (played: Played, breach: Breach?, again: Int) {
    let faults = trouble(history: history, numbers: numbers)
    var watched = try Session<LiveConnection, InvariantChecker>(
      settings: settings, world: chatter, observer: InvariantChecker())
    try watched.run(try schedule(faults, seconds: 600), seed: seed)
    var recorded = try Session<LiveConnection, Recorder>(settings: settings, world: chatter, observer: Recorder())
    try recorded.run(try schedule(faults, seconds: 600), seed: seed)
    #expect(watched.result == recorded.result)
    var taken: Set<MessageNumber> = []
    var again = 0
    for case .took(let number, isRepeated: false) in recorded.observer.changes
    where !taken.insert(number).inserted { again += 1 }
    return (Played(result: watched.result, record: recorded.observer), watched.observer.breach, again)
  }

  @Test("holds every message that was acknowledged to the app, and gets none of them again", arguments: memories)
  func acknowledged(history: Bool, numbers: Bool) throws {
    for seed in 1...30 as ClosedRange<UInt32> {
      let (played, breach, _) = try play(history: history, numbers: numbers, seed: seed)
      let truth = played.result.truth
      #expect(breach == nil && played.counts.lostOrDuplicated == 0)
      #expect(truth.messagesLost == 0 && truth.messagesTakenUnduly == 0)
    }
  }

  @Test("takes a message twice only if its numbers are lost and the acknowledgement had not arrived")
  func again() throws {
    for (history, numbers) in Self.memories {
      let sums = try (1...30).map { try play(history: history, numbers: numbers, seed: $0) }
      let (again, known) = sums.reduce((0, 0)) { ($0.0 + $1.again, $0.1 + $1.played.record.repeats) }
      #expect(numbers ? again == 0 : again > 30, "history \(history), numbers \(numbers): \(again)")
      #expect(numbers ? known > 30 : known == 0, "history \(history), numbers \(numbers): \(known)")
    }
  }

  @Test("begins a new epoch if its history is lost, with or without its numbers", arguments: memories)
  func epochs(history: Bool, numbers: Bool) throws {
    let played = try play(history: history, numbers: numbers, seed: 3).played
    let published = played.record.changes.compactMap { if case .published(let index, _) = $0 { index } else { nil } }
    #expect(published.last?.epoch == (history ? 1 : 4))
    #expect(played.result.truth.streamDelivered?.epoch == published.last?.epoch)
  }

  @Test("takes no message twice from a client that drops unacknowledged ones")
  func dropped() throws {
    var settings = ConnectionSettings()
    settings.unacknowledged = .drop
    var dropped: UInt64 = 0
    for seed in 1...30 as ClosedRange<UInt32> {
      let (played, breach, again) = try play(history: false, numbers: false, seed: seed, settings: settings)
      #expect(breach == nil && again == 0 && played.record.repeats == 0)
      dropped += played.result.truth.messagesDropped
    }
    #expect(dropped > 30)
  }

  @Test("shows an acknowledged message that a client sends again")
  func unduly() throws {
    let schedule = try FaultSchedule(
      reading: "live/1 for=10m; 5m restart for=5s how=killed history=kept numbers=lost")
    var session = try Session<SendsAllAgain, InvariantChecker>(world: chatter, observer: InvariantChecker())
    try session.run(schedule, seed: 1)
    #expect(session.result.truth.messagesTakenUnduly > 50)
    #expect(session.observer.breached.all.contains(.acknowledgedIsStored))
    var known = try Session<SendsAllAgain, Recorder>(world: chatter, observer: Recorder())
    try known.run(FaultSchedule(reading: "live/1 for=10m; 5m restart for=5s how=killed"), seed: 1)
    #expect(known.result.truth.messagesTakenUnduly == 0 && known.observer.repeats > 50)
  }
}

/// Sends every message of the app on each connection, acknowledged or not.
private struct SendsAllAgain: ClientUnderTest {
  private var client: LiveConnection
  private var made: [MessageNumber] = []

  init(_ settings: ConnectionSettings) { client = LiveConnection(settings) }

  var status: LiveStatus { client.status }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    if case .send(let number, _) = event { made.append(number) }
    let isUsed = client.handle(event, at: now, word: word, into: &effects)
    if case .received(let generation, .resumed) = event {
      for number in made { effects.append(.sendMessage(generation, number)) }
    }
    return isUsed
  }
}

/// TCP keeps the order within a connection; between two connections nothing does. What an old connection still had to
/// say may come after the new one's first words, in either direction.
@Suite("Frames of an old connection that arrive after those of a new one")
struct ReorderingTests {
  /// How often the client received something of an old connection after a newer one had opened.
  private func lateWords(_ record: Recorder) -> Int {
    var (opened, late) = (UInt32(0), 0)
    for entry in record.events {
      if case .opened(let generation) = entry.event { opened = max(opened, generation.number) }
      if let number = entry.event.generation?.number, number < opened { late += 1 }
    }
    return late
  }

  @Test("reach the client, which delivers none of them")
  func downwards() throws {
    // What the server sends waits for the way to be free again, and for TCP to try; the client is back before.
    let hole: [(Fault, Double, Double)] = [("black-hole", 60, 75)]
    var late = 0
    for seed in 1...40 as ClosedRange<UInt32> {
      let played = try play(hole, seed: seed, world: chatter)
      late += lateWords(played.record)
      #expect(played.counts.lostOrDuplicated == 0)
      let sound = try checked(LiveConnection.self, schedule(hole, seconds: 600), seeds: seed...seed, world: chatter)
      #expect(sound.breach == nil)
    }
    #expect(late > 40)
  }

  /// What is sent in a bad half minute takes up to forty seconds; the client gives the connection up before.
  private static let slow: [(Fault, Double, Double)] = [
    ("latency added=25s jitter=15s", 60, 30)
  ]

  @Test("reach the server, which takes no message twice and none out of order")
  func upwards() throws {
    var overtaken = 0
    for seed in 1...60 as ClosedRange<UInt32> {
      let played = try play(Self.slow, seed: seed, world: chatter)
      var (newest, highest) = (UInt32(0), UInt64(0))
      var held: Set<UInt32> = []
      for change in played.record.changes {
        switch change {
        case .accepted(let generation):
          newest = max(newest, generation.number)
          held.insert(generation.number)
        case .lostAtServer(let generation): held.remove(generation.number)
        case .took(let number, let isRepeated):
          #expect(isRepeated == (number.value <= highest))
          // A double while an older connection is still there: one of both has overtaken the other.
          if isRepeated, held.contains(where: { $0 < newest }) { overtaken += 1 }
          highest = max(highest, number.value)
        default: break
        }
      }
      #expect(played.result.truth.messagesLost == 0)
    }
    #expect(overtaken > 10)
  }
}
