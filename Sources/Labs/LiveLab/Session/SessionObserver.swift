// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore

/// What a session runs: the production client, or a mutant of it. A session is compiled for each subject, so a subject
/// should be a struct without references.
public protocol LiveSubject: Sendable {
  init(_ settings: ConnectionSettings)

  var status: LiveStatus { get }

  /// Delivers an event, by the clock of the client; what the client wants done is added to `effects`.
  ///
  /// - Returns: Whether `word`, 64 random bits, was used.
  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool
}

extension LiveConnection: LiveSubject {}

/// When something happens in a session, by two clocks.
public struct SessionMoment: Hashable, Sendable {
  /// Since the session began.
  public let world: Instant
  /// By the clock of the client, which may go wrong.
  public let client: Instant

  public init(world: Instant, client: Instant) { (self.world, self.client) = (world, client) }
}

/// Observes a session. A session is compiled for each observer, so what one leaves out costs nothing.
public protocol SessionObserver {
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
  public mutating func began(_ settings: ConnectionSettings) {}
  public mutating func saw(_ event: LiveEvent, at moment: SessionMoment) {}
  public mutating func saw(_ effect: LiveEffect, at moment: SessionMoment) {}
  public mutating func saw(_ change: SessionChange, at moment: SessionMoment) {}
  public mutating func settled<Subject: LiveSubject>(
    _ session: borrowing SessionView<Subject>, at moment: SessionMoment
  ) {}
  public mutating func ended<Subject: LiveSubject>(_ session: borrowing SessionView<Subject>, at moment: SessionMoment)
  {}
}

/// The client of a session and the ground truth, as observers are shown them: in place, never copied.
public struct SessionView<Subject: LiveSubject>: ~Copyable {
  public var subject: Subject
  public var truth = SessionTruth()

  init(_ subject: Subject) { self.subject = subject }
}

public struct NoObserver: SessionObserver {
  public init() {}
}

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

public struct SessionResult: Hashable, Sendable {
  /// Every time that the client was not in sync, in order.
  public var outages: [Outage] = []
  public var duration = Interval.zero
  /// Events delivered to the client, frames at the server, and changes of the world.
  public var events: UInt64 = 0
  /// How many sockets the client asked for.
  public var attempts: UInt64 = 0
  public var opened: UInt64 = 0
  public var pings: UInt64 = 0
  public var truth = SessionTruth()
  /// The kinds of faults that took effect: a bit for each raw value.
  var effective: UInt64 = 0
  /// Whether the session was aborted as a livelock of its client.
  public var isRunaway = false
  /// At the end.
  public var status: LiveStatus?

  public init() {}

  /// For how much of it the client was in sync, in truth.
  public var served: Interval {
    let end = Instant.zero + duration
    return outages.reduce(duration) { $1.began >= end ? $0 : $0 - (min(end, $1.ended) - $1.began) }
  }

  /// Forgets all, keeping the memory.
  mutating func begin() {
    var empty = SessionResult()
    swap(&empty.outages, &outages)
    empty.outages.removeAll(keepingCapacity: true)
    self = empty
  }
}

/// One time that a client was not in sync, in truth.
public struct Outage: Hashable, Codable, Sendable {
  /// The fault that began it, as its place in the schedule; -1 where no fault did.
  public var fault: Int
  public var began: Instant
  /// Since when an attempt could have succeeded: nothing hindered one from then until the end of the outage, or of
  /// the session; `never` where something did to the end.
  public var possible: Instant
  /// When the client was in sync again; `never` when it was not before the end of the session.
  public var ended: Instant
  /// When the client first said that it was not connected; `never` when it did not, as when a connection outlives it.
  public var noticed: Instant
  public var attempts: Int

  /// How long after it could have been the client was in sync; nil when it was not, or never could have been.
  public var timeToReturn: Interval? { possible == .never || ended == .never ? nil : ended - possible }

  public init(fault: Int, began: Instant, possible: Instant, ended: Instant, noticed: Instant, attempts: Int) {
    (self.fault, self.began, self.possible) = (fault, began, possible)
    (self.ended, self.noticed, self.attempts) = (ended, noticed, attempts)
  }
}

/// What the outages of one client are made of, observed in a session or on real sockets. What
/// happens outside an outage is the caller's to leave out.
extension [Outage] {
  /// The client is no longer in sync.
  public mutating func begin(by fault: Int, at now: Instant, isPossible: Bool, isNoticed: Bool) {
    append(
      Outage(
        fault: fault, began: now, possible: isPossible ? now : .never, ended: .never,
        noticed: isNoticed ? now : .never, attempts: 0))
  }

  public mutating func noteAttempt() { if !isEmpty { self[count - 1].attempts += 1 } }

  /// Whether an attempt could succeed has changed.
  public mutating func note(isPossible: Bool, at now: Instant) {
    if !isEmpty { self[count - 1].possible = isPossible ? now : .never }
  }

  /// The client's status says that it is not connected.
  public mutating func noteNoticed(at now: Instant) {
    if let last, last.noticed == .never { self[count - 1].noticed = now }
  }

  public mutating func end(at now: Instant) {
    guard let last else { return }
    self[count - 1].ended = now
    // A connection that outlived what hindered new ones was back before one could have been made.
    if last.possible == .never { self[count - 1].possible = now }
  }

  /// The session ends while the client is not in sync. What lasts to the end is over only with it, and so leaves no
  /// moment in which an attempt could have succeeded.
  public mutating func finish(at end: Instant) {
    if let last, last.possible >= end { self[count - 1].possible = .never }
  }
}

/// What is so in a session's world, whatever the client believes.
public struct SessionTruth: Hashable, Sendable {
  /// How many sockets the client holds: those it asked for that neither failed nor were closed or dropped.
  public var clientSockets = 0
  public var isAsleep = false
  /// Whether an attempt begun now would succeed, if nothing changed: the device awake, the way free, the server there.
  public var isPossible = true
  /// The tag of the timer that is set; nil when none is.
  public var timer: TimerTag?
  /// By the client's clock.
  public var timerDue = Instant.never

  // Messages of the app.

  /// The highest number, and so how many there were.
  public var messagesMade: UInt64 = 0
  /// How many the server took again as new, because it had forgotten their numbers, that should not have come again:
  /// they had been acknowledged to the app when the numbers were forgotten, or the settings say that nothing is sent
  /// twice.
  public var messagesTakenUnduly: UInt64 = 0
  /// How many the client gave up and said so.
  public var messagesDropped: UInt64 = 0
  /// How many the client acknowledged to the app that the server has not and that were not given up.
  public var messagesLost: UInt64 = 0

  // Messages of the server's stream.

  var streamEnd = StreamPosition(epoch: 1, offset: 0)
  /// The place before the oldest message that the server keeps.
  var historyStart = StreamPosition(epoch: 1, offset: 0)
  /// Up to where the app got the stream, by messages and by gaps reported.
  public var streamDelivered: StreamPosition?
  var messagesDelivered: UInt64 = 0
  /// How many the app got that it had already.
  public var messagesDoubled: UInt64 = 0
  /// How many the app did not get and that were not reported to be missing.
  var messagesSkipped: UInt64 = 0
  /// How many were reported to be missing.
  var messagesMissed: UInt64 = 0

  public init() {}
}

extension SessionTruth {
  /// A message of the stream is handed to the app. Returns whether the app has got further by it.
  public mutating func noteDelivered(_ place: StreamPosition?) -> Bool {
    guard let place else {
      messagesDelivered &+= 1
      return false
    }
    if let last = streamDelivered, last.epoch == place.epoch {
      if place.offset <= last.offset {
        messagesDoubled &+= 1
        return false
      }
      messagesSkipped &+= place.offset &- last.offset &- 1
    } else if streamDelivered != nil, place.offset > 0 {
      messagesSkipped &+= place.offset &- 1
    }
    messagesDelivered &+= 1
    streamDelivered = place
    return true
  }

  /// The client reports that messages are missing up to a place.
  public mutating func noteMissed(upTo place: StreamPosition) {
    let from = streamDelivered?.epoch == place.epoch ? streamDelivered?.offset ?? 0 : 0
    if place.offset > from { messagesMissed &+= place.offset &- from }
    streamDelivered = place
  }

  /// The server publishes a message and keeps the last `history`. Returns its place.
  mutating func notePublished(keeping history: UInt64) -> StreamPosition {
    streamEnd = StreamPosition(epoch: streamEnd.epoch, offset: streamEnd.offset &+ 1)
    if streamEnd.offset > historyStart.offset &+ history {
      historyStart = StreamPosition(epoch: streamEnd.epoch, offset: streamEnd.offset &- history)
    }
    return streamEnd
  }

  /// Where the stream goes on for a client that has it up to a place; for nil, with what comes from now on. What the
  /// server no longer has is left out.
  func streamGoesOn(after asked: StreamPosition?) -> StreamPosition {
    guard let asked else { return streamEnd }
    let isKnown = asked.epoch == streamEnd.epoch && asked.offset <= streamEnd.offset
    return isKnown && asked.offset >= historyStart.offset ? asked : historyStart
  }

  /// The server lost its history and begins a new epoch.
  mutating func noteHistoryLost() {
    streamEnd = StreamPosition(epoch: streamEnd.epoch &+ 1, offset: 0)
    historyStart = streamEnd
  }
}
