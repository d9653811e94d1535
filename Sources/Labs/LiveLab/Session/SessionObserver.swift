// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// What a session runs: the production client, or a mutant of it. A session is compiled for each subject, so a subject
/// should be a struct without references.
protocol LiveSubject: Sendable {
  init(_ settings: ConnectionSettings)

  var status: LiveStatus { get }

  /// Delivers an event, by the clock of the client; what the client wants done is added to `effects`.
  ///
  /// - Returns: Whether `word`, 64 random bits, was used.
  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool
}

extension LiveConnection: LiveSubject {}

/// When something happens in a session, by two clocks.
struct SessionMoment: Hashable, Sendable {
  /// Since the session began.
  let world: Instant
  /// By the clock of the client, which may go wrong.
  let client: Instant
}

/// Observes a session. A session is compiled for each observer, so what one leaves out costs nothing.
protocol SessionObserver {
  mutating func began(_ settings: ConnectionSettings)
  /// The event is about to be delivered to the client.
  mutating func saw(_ event: LiveEvent, at moment: SessionMoment)
  /// What the client wants done in answer to the last event; it is done after this.
  mutating func saw(_ effect: LiveEffect, at moment: SessionMoment)
  /// What changed in the world, which the client may or may not learn of.
  mutating func saw(_ change: SessionChange, at moment: SessionMoment)
  /// The last event was handled, and all its effects were carried out.
  mutating func settled<Subject: LiveSubject>(_ session: borrowing SessionView<Subject>, at moment: SessionMoment)
  mutating func ended<Subject: LiveSubject>(_ session: borrowing SessionView<Subject>, at moment: SessionMoment)
}

extension SessionObserver {
  mutating func began(_ settings: ConnectionSettings) {}
  mutating func saw(_ event: LiveEvent, at moment: SessionMoment) {}
  mutating func saw(_ effect: LiveEffect, at moment: SessionMoment) {}
  mutating func saw(_ change: SessionChange, at moment: SessionMoment) {}
  mutating func settled<Subject: LiveSubject>(_ session: borrowing SessionView<Subject>, at moment: SessionMoment) {}
  mutating func ended<Subject: LiveSubject>(_ session: borrowing SessionView<Subject>, at moment: SessionMoment) {}
}

/// The client of a session and the ground truth, as observers are shown them: in place, never copied.
struct SessionView<Subject: LiveSubject>: ~Copyable {
  var subject: Subject
  var truth = SessionTruth()

  init(_ subject: Subject) { self.subject = subject }
}

struct NoObserver: SessionObserver {}

enum SessionChange: Hashable, Sendable {
  /// A fault of the schedule begins: its place in the schedule.
  case faultBegan(Int)
  case faultEnded(Int)
  case accepted(Generation)
  case lostAtServer(Generation)
  case lostAtClient(Generation)
  case published(StreamPosition, bytes: Int)
  /// The server took a message of the app, for the first time or again.
  case took(MessageNumber, isRepeated: Bool)
  /// The server stopped, and with it every socket it had.
  case serverStopped
  case serverStarted
  case device(isAsleep: Bool)
  /// In sync in truth, or no longer.
  case served(Bool)
}

struct SessionResult: Hashable, Sendable {
  /// Every time that the client was not in sync, in order.
  var outages: [Outage] = []
  var duration = Interval.zero
  /// For how much of it the client was in sync, in truth.
  var served = Interval.zero
  /// Events delivered to the client, frames at the server, and changes of the world.
  var events: UInt64 = 0
  /// How many sockets the client asked for.
  var attempts: UInt64 = 0
  var opened: UInt64 = 0
  var pings: UInt64 = 0
  var truth = SessionTruth()
  /// Whether the session was aborted as a livelock of its client.
  var isRunaway = false
  /// At the end.
  var status: LiveStatus?

  /// Forgets all, keeping the memory.
  mutating func begin() {
    var empty = SessionResult()
    swap(&empty.outages, &outages)
    empty.outages.removeAll(keepingCapacity: true)
    self = empty
  }
}

/// One time that a client was not in sync, in truth.
struct Outage: Hashable, Sendable {
  /// The fault that began it, as its place in the schedule; -1 where no fault did.
  var fault: Int
  var began: Instant
  /// Since when an attempt could have succeeded: nothing hindered one from then until the end of the outage, or of
  /// the session; `never` where something did to the end.
  var possible: Instant
  /// When the client was in sync again; `never` when it was not before the end of the session.
  var ended: Instant
  /// When the client first said that it was not connected; `never` when it did not, as when a connection outlives it.
  var noticed: Instant
  var attempts: Int

  /// How long after it could have been the client was in sync; nil when it was not, or never could have been.
  var timeToReturn: Interval? { possible == .never || ended == .never ? nil : ended - possible }
}

/// What is so in a session's world, whatever the client believes.
struct SessionTruth: Hashable, Sendable {
  /// How many sockets the client holds: those it asked for that neither failed nor were closed or dropped.
  var clientSockets = 0
  var isAsleep = false
  /// Whether an attempt begun now would succeed, if nothing changed: the device awake, the way free, the server there.
  var isPossible = true
  /// The tag of the timer that is set; nil when none is.
  var timer: TimerTag?
  /// By the client's clock.
  var timerDue = Instant.never

  // Messages of the app.

  /// The highest number, and so how many there were.
  var messagesMade: UInt64 = 0
  /// How many the server has taken, each once.
  var messagesTaken: UInt64 = 0
  /// How many the server recognised as duplicates.
  var messagesRepeated: UInt64 = 0
  /// How many the server took again as new, because it had forgotten their numbers.
  var messagesTakenAgain: UInt64 = 0
  /// How many of those should not have come again: they had been acknowledged to the app when the numbers were
  /// forgotten, or the settings say that nothing is sent twice.
  var messagesTakenUnduly: UInt64 = 0
  /// How many the client gave up and said so.
  var messagesDropped: UInt64 = 0
  /// How many the client acknowledged to the app that the server has not and that were not given up.
  var messagesLost: UInt64 = 0

  // Messages of the server's stream.

  var streamEnd = StreamPosition(epoch: 1, offset: 0)
  /// The place before the oldest message that the server keeps.
  var historyStart = StreamPosition(epoch: 1, offset: 0)
  /// Up to where the app got the stream, by messages and by gaps reported.
  var streamDelivered: StreamPosition?
  var messagesDelivered: UInt64 = 0
  /// How many the app got that it had already.
  var messagesDoubled: UInt64 = 0
  /// How many the app did not get and that were not reported to be missing.
  var messagesSkipped: UInt64 = 0
  /// How many were reported to be missing.
  var messagesMissed: UInt64 = 0
}
