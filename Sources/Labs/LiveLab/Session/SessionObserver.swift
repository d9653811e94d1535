// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// What a session runs: the production client, or a mutant of it. A session is compiled for each subject, so a subject
/// should be a struct without references.
protocol LiveSubject: Sendable {
  /// A client that was not started yet.
  init(_ settings: ConnectionSettings)

  var status: LiveStatus { get }

  /// Delivers an event.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - now: When, by the clock of the client.
  ///   - word: 64 random bits that were not used yet.
  ///   - effects: What the client wants done is added here.
  /// - Returns: Whether `word` was used.
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

/// What changes in a session's world.
enum SessionChange: Hashable, Sendable {
  /// A fault of the schedule begins: its place in the schedule.
  case faultBegan(Int)
  /// A fault of the schedule is over.
  case faultEnded(Int)
  /// The server accepted the socket of that generation.
  case accepted(Generation)
  /// The server's end of that socket is gone.
  case lostAtServer(Generation)
  /// The client's end of that socket is gone.
  case lostAtClient(Generation)
  /// The server published a message.
  case published(StreamPosition, bytes: Int)
  /// The server took a message of the app, for the first time or again.
  case took(MessageNumber, isRepeated: Bool)
  /// The server stopped, and with it every socket it had.
  case serverStopped
  /// The server is there again.
  case serverStarted
  /// The device sleeps, or woke.
  case device(isAsleep: Bool)
  /// In sync in truth, or no longer.
  case served(Bool)
}
