// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore

@testable import LiveLab

/// A client that is told what a test says, under the eyes of a timeline's recorder.
struct ScriptedSession {
  /// The production client; a type of its own, so that a script needs no simulator.
  struct Client: LiveSubject {
    private var connection: LiveConnection

    init(_ settings: ConnectionSettings) { connection = LiveConnection(settings) }

    var status: LiveStatus { connection.status }

    mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
      connection.handle(event, at: now, word: word, into: &effects)
    }
  }

  private(set) var recorder = TimelineRecorder()
  private(set) var client = Client(ConnectionSettings())
  private(set) var timer: (tag: TimerTag, due: Instant)?
  private let faults: FaultSchedule
  private var outages: [Outage] = []

  init(_ faults: FaultSchedule) { self.faults = faults }

  /// Tells the client something.
  mutating func tell(_ event: LiveEvent, at seconds: Double) {
    let now = Instant.zero + Interval(seconds: seconds)
    let moment = SessionMoment(world: now, client: now)
    recorder.saw(event, at: moment)
    var effects = LiveEffects()
    _ = client.handle(event, at: now, word: 1 << 63, into: &effects)
    for effect in effects {
      recorder.saw(effect, at: moment)
      if case .setTimer(let tag, let due) = effect { timer = (tag, due) }
      if case .cancelTimer = effect { timer = nil }
    }
    recorder.settled(SessionView(client), at: moment)
  }

  /// Rings the timer that the client set.
  mutating func ring() {
    guard let (tag, due) = timer else { return }
    tell(.timer(tag), at: (due - .zero).seconds)
  }

  /// Changes the world.
  mutating func change(_ change: SessionChange, at seconds: Double) {
    let now = Instant.zero + Interval(seconds: seconds)
    recorder.saw(change, at: SessionMoment(world: now, client: now))
  }

  /// What was seen.
  func timeline(title: String = "A session") -> Timeline {
    var result = SessionResult()
    result.duration = faults.duration
    return Timeline(title: title, schedule: faults, steps: recorder.steps, result: result)
  }
}
