// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore

/// When something happens in a session, by two clocks.
@frozen
public struct SessionMoment: Hashable, Sendable {
  /// By the clock of the world: since the session began.
  public let world: Instant
  /// By the clock of the client, which may go wrong.
  public let client: Instant

  /// A moment.
  @inlinable
  public init(world: Instant, client: Instant) { (self.world, self.client) = (world, client) }
}

/// Who looks on while a session runs. A session is compiled for each witness, so what a witness leaves out costs nothing.
public protocol SessionWitness {
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
    _ subject: borrowing Subject, _ truth: borrowing SessionTruth, at moment: SessionMoment)
  /// The session is over.
  mutating func ended<Subject: LiveSubject>(
    _ subject: borrowing Subject, _ truth: borrowing SessionTruth, at moment: SessionMoment)
}

extension SessionWitness {
  @inlinable public mutating func began(_ settings: ConnectionSettings) {}
  @inlinable public mutating func saw(_ event: LiveEvent, at moment: SessionMoment) {}
  @inlinable public mutating func saw(_ effect: LiveEffect, at moment: SessionMoment) {}
  @inlinable public mutating func saw(_ change: SessionChange, at moment: SessionMoment) {}
  @inlinable public mutating func settled<Subject: LiveSubject>(
    _ subject: borrowing Subject, _ truth: borrowing SessionTruth, at moment: SessionMoment
  ) {}
  @inlinable public mutating func ended<Subject: LiveSubject>(
    _ subject: borrowing Subject, _ truth: borrowing SessionTruth, at moment: SessionMoment
  ) {}
}

/// Nobody looks on.
public struct NoWitness: SessionWitness, Sendable {
  /// Nobody.
  public init() {}
}
