// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore

/// A client that sessions run: the shipped one or a mutant. Sessions are specialised for each, so it should be a struct
/// without references.
public protocol ClientUnderTest: Sendable {
  init(_ settings: ConnectionSettings)

  var status: LiveStatus { get }

  /// Delivers an event at the client's time; the client's effects are appended to `effects`.
  ///
  /// - Returns: Whether `word`, 64 random bits, was used.
  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool
}

extension LiveConnection: ClientUnderTest {}

/// A time in a session, by two clocks.
public struct SessionMoment: Hashable, Sendable {
  /// The time since the beginning of the session.
  public let world: Instant
  /// The time by the client's clock, which may be wrong.
  public let client: Instant

  public init(world: Instant, client: Instant) { (self.world, self.client) = (world, client) }

  /// A time at which both clocks agree.
  public init(_ moment: Instant) { self.init(world: moment, client: moment) }
}

/// An observer of a client. Sessions are specialised for each observer, so methods that do nothing cost nothing.
public protocol SessionObserver {
  mutating func began(_ settings: ConnectionSettings)
  /// Called after the client has handled an event and all its effects were carried out: the event, the effects in
  /// order, and the client's status and the ground truth after them.
  mutating func step(
    _ event: LiveEvent, effects: LiveEffects, status: LiveStatus, truth: borrowing GroundTruth,
    at moment: SessionMoment)
  /// Called for a change of the world, which the client may or may not learn of. Changes that an event or an effect
  /// causes come before the step.
  mutating func observe(_ change: SessionChange, at moment: SessionMoment)
  mutating func ended(_ truth: borrowing GroundTruth, at moment: SessionMoment)
}

extension SessionObserver {
  public mutating func began(_ settings: ConnectionSettings) {}
  public mutating func step(
    _ event: LiveEvent, effects: LiveEffects, status: LiveStatus, truth: borrowing GroundTruth,
    at moment: SessionMoment
  ) {}
  public mutating func observe(_ change: SessionChange, at moment: SessionMoment) {}
  public mutating func ended(_ truth: borrowing GroundTruth, at moment: SessionMoment) {}
}

public struct NoObserver: SessionObserver {
  public init() {}
}

/// A change of the world around a client.
public enum SessionChange: Hashable, Sendable {
  /// A fault of the schedule begins, given by its index.
  case faultBegan(Int)
  case faultEnded(Int)
  case accepted(Generation)
  case lostAtServer(Generation)
  case lostAtClient(Generation)
  case published(StreamPosition, bytes: Int)
  /// The server received a message of the app, for the first time or again.
  case took(MessageNumber, isRepeated: Bool)
  /// The server stopped, with all its sockets.
  case serverStopped
  case serverStarted
  case device(isAsleep: Bool)
  /// The client is really in sync, or no longer.
  case served(Bool)
}

/// A client under test with its ground truth and its observer, as sessions, stories and herds run it.
struct ObservedClient<Client: ClientUnderTest, Observer: SessionObserver> {
  private var client: Client
  var truth = GroundTruth()
  var observer: Observer
  /// The client's effects after the last event, in order.
  private(set) var effects = LiveEffects()

  /// Creates a client and reports its beginning to the observer.
  init(_ settings: ConnectionSettings, observer: Observer) {
    (client, self.observer) = (Client(settings), observer)
  }

  var status: LiveStatus { client.status }

  /// Restarts with a new client, out of sync at first; `cause` is the fault responsible.
  mutating func begin(_ settings: ConnectionSettings, cause: Int? = nil) {
    (client, truth) = (Client(settings), GroundTruth())
    truth.beginOutage(by: cause, at: .zero, isPossible: true, isNoticed: status.phase != .connected)
    observer.began(settings)
  }

  /// Delivers an event. The caller then records each of `effects` in the ground truth and ends the step.
  ///
  /// - Returns: Whether `word`, 64 random bits, was used.
  mutating func handle(_ event: LiveEvent, at moment: SessionMoment, word: UInt64) -> Bool {
    effects.removeAll()
    return client.handle(event, at: moment.client, word: word, into: &effects)
  }

  /// Ends the step of an event whose effects were carried out.
  mutating func endStep(_ event: LiveEvent, at moment: SessionMoment) {
    let status = client.status
    truth.note(status, at: moment.world)
    observer.step(event, effects: effects, status: status, truth: truth, at: moment)
  }

  /// Delivers an event and records its effects, for drivers in which effects change only the ground truth.
  mutating func deliver(_ event: LiveEvent, at moment: SessionMoment, word: UInt64) {
    _ = handle(event, at: moment, word: word)
    for effect in effects { truth.note(effect) }
    endStep(event, at: moment)
  }

  mutating func end(at moment: SessionMoment) { observer.ended(truth, at: moment) }
}
