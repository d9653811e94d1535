// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore

/// A client that sessions run: the one that ships, or a mutant of it. A session is compiled for each, so it should be a
/// struct without references.
public protocol ClientUnderTest: Sendable {
  init(_ settings: ConnectionSettings)

  var status: LiveStatus { get }

  /// Delivers an event, by the clock of the client; what the client wants done is added to `effects`.
  ///
  /// - Returns: Whether `word`, 64 random bits, was used.
  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool
}

extension LiveConnection: ClientUnderTest {}

/// The time of a moment in a session, by two clocks.
public struct SessionMoment: Hashable, Sendable {
  /// Since the session began.
  public let world: Instant
  /// By the clock of the client, which may go wrong.
  public let client: Instant

  public init(world: Instant, client: Instant) { (self.world, self.client) = (world, client) }

  /// A moment at which both clocks agree.
  public init(_ moment: Instant) { self.init(world: moment, client: moment) }
}

/// An observer of a client. A session is compiled for each observer, so what one leaves out costs nothing.
public protocol SessionObserver {
  mutating func began(_ settings: ConnectionSettings)
  /// The event is about to be delivered to the client.
  mutating func saw(_ event: LiveEvent, at moment: SessionMoment)
  /// The client wants this done in answer to the last event; it is done after this call.
  mutating func saw(_ effect: LiveEffect, at moment: SessionMoment)
  /// The world changed, which the client may or may not learn of.
  mutating func saw(_ change: SessionChange, at moment: SessionMoment)
  /// The last event was handled, and all its effects were carried out.
  mutating func settled(_ status: LiveStatus, _ truth: borrowing GroundTruth, at moment: SessionMoment)
  mutating func ended(_ truth: borrowing GroundTruth, at moment: SessionMoment)
}

extension SessionObserver {
  public mutating func began(_ settings: ConnectionSettings) {}
  public mutating func saw(_ event: LiveEvent, at moment: SessionMoment) {}
  public mutating func saw(_ effect: LiveEffect, at moment: SessionMoment) {}
  public mutating func saw(_ change: SessionChange, at moment: SessionMoment) {}
  public mutating func settled(_ status: LiveStatus, _ truth: borrowing GroundTruth, at moment: SessionMoment) {}
  public mutating func ended(_ truth: borrowing GroundTruth, at moment: SessionMoment) {}
}

public struct NoObserver: SessionObserver {
  public init() {}
}

/// A change of the world around a client.
public enum SessionChange: Hashable, Sendable {
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

/// A client under test with the ground truth about it and its observer: how a session, a story and a herd run one.
struct ObservedClient<Client: ClientUnderTest, Observer: SessionObserver> {
  private var client: Client
  var truth = GroundTruth()
  var observer: Observer
  /// The client's effects in answer to the last event, in order.
  private(set) var effects = LiveEffects()

  /// A client, whose beginning is reported to its observer.
  init(_ settings: ConnectionSettings, observer: Observer) {
    (client, self.observer) = (Client(settings), observer)
  }

  var status: LiveStatus { client.status }

  /// Begins again with a new client, which is not in sync at first; `cause` is the fault that this is due to.
  mutating func begin(_ settings: ConnectionSettings, cause: Int? = nil) {
    (client, truth) = (Client(settings), GroundTruth())
    truth.beginOutage(by: cause, at: .zero, isPossible: true, isNoticed: status.phase != .connected)
    observer.began(settings)
  }

  /// Delivers an event. Each of `effects` is to be noted after this, and then the step to be settled.
  ///
  /// - Returns: Whether `word`, 64 random bits, was used.
  mutating func handle(_ event: LiveEvent, at moment: SessionMoment, word: UInt64) -> Bool {
    observer.saw(event, at: moment)
    effects.removeAll()
    return client.handle(event, at: moment.client, word: word, into: &effects)
  }

  mutating func note(_ effect: LiveEffect, at moment: SessionMoment) {
    observer.saw(effect, at: moment)
    truth.note(effect)
  }

  mutating func settle(at moment: SessionMoment) {
    let status = client.status
    truth.note(status, at: moment.world)
    observer.settled(status, truth, at: moment)
  }

  /// The same in one where nothing but the ground truth follows from what the client wants.
  mutating func deliver(_ event: LiveEvent, at moment: SessionMoment, word: UInt64) {
    _ = handle(event, at: moment, word: word)
    for place in effects.indices { note(effects[place], at: moment) }
    settle(at: moment)
  }

  mutating func end(at moment: SessionMoment) { observer.ended(truth, at: moment) }
}
