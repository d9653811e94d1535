// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore

/// When something happens in a session, by two clocks.
@frozen
package struct SessionMoment: Hashable, Sendable {
  /// By the clock of the world: since the session began.
  package let world: Instant
  /// By the clock of the client, which may go wrong.
  package let client: Instant

  /// A moment.
  @inlinable
  package init(world: Instant, client: Instant) { (self.world, self.client) = (world, client) }
}

/// Who looks on while a session runs. A session is compiled for each witness, so what one leaves out costs nothing.
package protocol SessionWitness {
  /// A session begins.
  mutating func began(_ settings: ConnectionSettings)
  /// The client is about to be told of an event.
  mutating func saw(_ event: LiveEvent, at moment: SessionMoment)
  /// The client wants something done, in answer to the last event; it is done after this.
  mutating func saw(_ effect: LiveEffect, at moment: SessionMoment)
  /// Something changed in the world that the client may or may not learn of.
  mutating func saw(_ change: SessionChange, at moment: SessionMoment)
  /// The last event was handled, and all its effects were carried out.
  mutating func settled<Subject: LiveSubject>(
    _ session: borrowing SessionView<Subject>, at moment: SessionMoment)
  /// The session is over.
  mutating func ended<Subject: LiveSubject>(
    _ session: borrowing SessionView<Subject>, at moment: SessionMoment)
}

extension SessionWitness {
  /// Looks away.
  @inlinable package mutating func began(_ settings: ConnectionSettings) {}
  /// Looks away.
  @inlinable package mutating func saw(_ event: LiveEvent, at moment: SessionMoment) {}
  /// Looks away.
  @inlinable package mutating func saw(_ effect: LiveEffect, at moment: SessionMoment) {}
  /// Looks away.
  @inlinable package mutating func saw(_ change: SessionChange, at moment: SessionMoment) {}
  /// Looks away.
  @inlinable package mutating func settled<Subject: LiveSubject>(
    _ session: borrowing SessionView<Subject>, at moment: SessionMoment
  ) {}
  /// Looks away.
  @inlinable package mutating func ended<Subject: LiveSubject>(
    _ session: borrowing SessionView<Subject>, at moment: SessionMoment
  ) {}
}

/// The client of a session and the truth about it, as witnesses are shown them: in place, never copied.
package struct SessionView<Subject: LiveSubject>: ~Copyable {
  /// The client.
  package internal(set) var subject: Subject
  /// What is so, whatever it believes.
  package internal(set) var truth = SessionTruth()

  init(_ subject: Subject) { self.subject = subject }

  /// What the client shows of itself.
  @inlinable package var status: LiveStatus { subject.status }
}

/// Nobody looks on.
package struct NoWitness: SessionWitness, Sendable {
  /// Nobody.
  package init() {}
}
