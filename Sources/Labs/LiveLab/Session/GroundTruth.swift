// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore

/// The facts of a client's world, independent of the client's own state: its sockets and its timer, the app's messages,
/// the server's stream, and every time that it was out of sync.
///
/// It interprets the client's effects, for simulated and real clients alike; the client's driver decides their results
/// in the network.
public struct GroundTruth: Hashable, Sendable {
  /// True if the device sleeps.
  public var isAsleep = false
  /// True if the app closed the connection at the end; later events belong to the client's shutdown.
  public var isStopped = false

  // Sockets and the timer.

  public enum Phase: UInt8, Hashable, Sendable { case none, opening, open, closing }

  /// The number of sockets that the client holds: requested ones that have not failed and were not closed or dropped.
  public var clientSockets = 0
  /// The socket that the client requested last; `phase` is its state.
  public internal(set) var generation = Generation.none
  public var phase = Phase.none
  /// The number of sockets requested; `opened` is the number of those opened.
  public internal(set) var attempts: UInt64 = 0
  public var opened: UInt64 = 0
  public internal(set) var pings: UInt64 = 0
  public internal(set) var lastPing: UInt32 = 0
  /// The attempt for which new credentials were last requested.
  public var credentialsFor = Generation.none
  /// The tag of the timer that is set; nil without one.
  public internal(set) var timer: TimerTag?
  /// The time at which it is due, by the client's clock.
  public internal(set) var timerDue = Instant.never
  /// The last timer that was replaced or cancelled.
  public internal(set) var replacedTimer: TimerTag?

  // Messages of the app.

  /// The highest number, which is the number of messages.
  public internal(set) var messagesMade: UInt64 = 0
  /// The highest number that was sent.
  public internal(set) var lastSent: UInt64 = 0
  /// The number of repeated messages that the server accepted as new after it had forgotten their numbers, although
  /// they should not have been repeated: they had been acknowledged to the app before, or the settings allow no message
  /// to be sent twice.
  public var messagesTakenUnduly: UInt64 = 0
  /// The messages that the client reported as given up; `messagesDropped` is their number.
  public internal(set) var dropped: Set<UInt64> = []
  public internal(set) var messagesDropped: UInt64 = 0
  /// The number of messages acknowledged to the app that the server lacks and that were not given up.
  public var messagesLost: UInt64 = 0

  // Messages of the server's stream.

  private(set) var streamEnd = StreamPosition(epoch: 1, offset: 0)
  /// The position before the oldest message that the server keeps.
  private var historyStart = StreamPosition(epoch: 1, offset: 0)
  /// The position up to which the app has the stream, by messages and reported gaps.
  public var streamDelivered: StreamPosition?
  var messagesDelivered: UInt64 = 0
  /// The number of messages that the app got twice.
  public var messagesDoubled: UInt64 = 0
  /// The number of messages that the app did not get, without a report that they are missing.
  var messagesSkipped: UInt64 = 0
  /// The number of messages reported missing.
  var messagesMissed: UInt64 = 0

  // Whether the client is in sync.

  public internal(set) var isServed = false
  /// True if an attempt begun now would succeed if nothing changed: the device awake, the way open, the server up.
  public internal(set) var isPossible = true
  /// All times that the client was out of sync, in order.
  public var outages: [Outage] = []

  public init() {}
}

// MARK: What the client does

extension GroundTruth {
  public mutating func note(_ effect: LiveEffect) {
    switch effect {
    case .setTimer(let tag, let due):
      replacedTimer = timer ?? replacedTimer
      (timer, timerDue) = (tag, due)
    case .cancelTimer:
      replacedTimer = timer ?? replacedTimer
      timerFired()
    case .sendPing(_, let number):
      pings &+= 1
      lastPing = number
    case .open(let generation, _):
      (self.generation, phase) = (generation, .opening)
      attempts &+= 1
      if !isServed, !outages.isEmpty { outages[outages.count - 1].attempts += 1 }
    case .abort(let generation): if generation == self.generation { phase = .none }
    case .sendClose(let generation, _): if generation == self.generation { phase = .closing }
    case .refreshCredentials(let generation): credentialsFor = generation
    case .sendMessage(_, let number): lastSent = max(lastSent, number.value)
    case .deliver(let index, _): noteDelivered(index)
    case .gap(_, let upTo): noteMissed(upTo: upTo)
    case .dropped(let number, _):
      messagesDropped &+= 1
      dropped.insert(number.value)
    case .sendPong, .sendResume, .acknowledged, .statusChanged: break
    }
  }

  public mutating func timerFired() { (timer, timerDue) = (nil, .never) }

  /// Makes another message of the app, and returns its number.
  public mutating func nextMessage() -> MessageNumber {
    messagesMade &+= 1
    return MessageNumber(messagesMade)
  }

  /// Records that a message of the stream was handed to the app.
  mutating func noteDelivered(_ position: StreamPosition?) {
    if let position {
      if let last = streamDelivered, last.epoch == position.epoch {
        if position.offset <= last.offset {
          messagesDoubled &+= 1
          return
        }
        messagesSkipped &+= position.offset &- last.offset &- 1
      } else if streamDelivered != nil, position.offset > 0 {
        messagesSkipped &+= position.offset &- 1
      }
      streamDelivered = position
    }
    messagesDelivered &+= 1
  }

  /// Records the client's report that messages are missing up to a position.
  mutating func noteMissed(upTo position: StreamPosition) {
    let from = streamDelivered?.epoch == position.epoch ? streamDelivered?.offset ?? 0 : 0
    if position.offset > from { messagesMissed &+= position.offset &- from }
    streamDelivered = position
  }
}

// MARK: The client's end of a connection

extension GroundTruth {
  /// Records an event of a connection that the client holds, before it is delivered.
  ///
  /// - Returns: Whether the event begins or ends a connection or its service.
  public mutating func recordEvent(
    _ event: LiveEvent, on socket: inout Socket, at moment: SessionMoment, seenBy observer: inout some SessionObserver
  ) -> Bool {
    guard socket.isHeld else { return false }
    switch event {
    case .opened:
      socket.isOpened = true
      opened &+= 1
    case .failed, .refused, .closed: return lose(&socket, at: moment, seenBy: &observer)
    case .received(_, .resumed(let position)):
      socket.isResumed = true
      if streamDelivered == nil { streamDelivered = position }
    default: return false
    }
    return true
  }

  /// Records that the client's end of a connection is gone, by its own effect or by an event.
  ///
  /// - Returns: Whether the client held it before.
  @discardableResult
  public mutating func lose(
    _ socket: inout Socket, at moment: SessionMoment, seenBy observer: inout some SessionObserver
  ) -> Bool {
    guard socket.isHeld else { return false }
    (socket.isHeld, socket.isOpened) = (false, false)
    clientSockets -= 1
    observer.observe(.lostAtClient(socket.generation), at: moment)
    return true
  }
}

// MARK: The server's stream

extension GroundTruth {
  /// Records that the server publishes a message and keeps the last `history`. Returns the message's position.
  mutating func notePublished(keeping history: UInt64) -> StreamPosition {
    streamEnd = StreamPosition(epoch: streamEnd.epoch, offset: streamEnd.offset &+ 1)
    if streamEnd.offset > historyStart.offset &+ history {
      historyStart = StreamPosition(epoch: streamEnd.epoch, offset: streamEnd.offset &- history)
    }
    return streamEnd
  }

  /// The position from which the stream resumes for a client that has it up to `asked`, or from now on for nil.
  /// Messages that the server no longer has are skipped.
  func streamGoesOn(after asked: StreamPosition?) -> StreamPosition {
    guard let asked else { return streamEnd }
    let isKnown = asked.epoch == streamEnd.epoch && asked.offset <= streamEnd.offset
    return isKnown && asked.offset >= historyStart.offset ? asked : historyStart
  }

  /// Records that the server lost its history and begins a new epoch.
  mutating func noteHistoryLost() {
    streamEnd = StreamPosition(epoch: streamEnd.epoch &+ 1, offset: 0)
    historyStart = streamEnd
  }
}

// MARK: Whether the client is in sync

extension GroundTruth {
  /// Begins an outage: the client is out of sync from now on or, at the beginning of a session, not in sync yet.
  public mutating func beginOutage(by fault: Int?, at now: Instant, isPossible: Bool, isNoticed: Bool) {
    self.isPossible = isPossible
    outages.append(
      Outage(
        fault: fault, began: now, possible: isPossible ? now : .never, ended: .never, noticed: isNoticed ? now : .never,
        attempts: 0))
  }

  /// Records whether the client is in sync and whether an attempt could succeed. `cause` is the fault of an outage that
  /// begins now; `status` is the client's own.
  public mutating func update(
    isServed: Bool, isPossible: Bool, cause: Int?, _ status: LiveStatus, at moment: SessionMoment,
    seenBy observer: inout some SessionObserver
  ) {
    let (now, last) = (moment.world, outages.count - 1)
    if isPossible != self.isPossible {
      self.isPossible = isPossible
      if !self.isServed, last >= 0 { outages[last].possible = isPossible ? now : .never }
    }
    guard isServed != self.isServed else { return }
    self.isServed = isServed
    observer.observe(.served(isServed), at: moment)
    if !isServed {
      beginOutage(by: cause, at: now, isPossible: isPossible, isNoticed: status.phase != .connected)
    } else if last >= 0 {
      outages[last].ended = now
      // A connection that outlived a fault against new ones was back before a new one could have been made.
      if outages[last].possible == .never { outages[last].possible = now }
    }
  }

  /// Records the client's status after a step.
  public mutating func note(_ status: LiveStatus, at now: Instant) {
    guard !isServed, !isStopped, status.phase != .connected, let last = outages.last, last.noticed == .never else {
      return
    }
    outages[outages.count - 1].noticed = now
  }

  /// Ends the session. A fault that lasts to the end is over only then, so no attempt could have succeeded during it.
  public mutating func finish(at end: Instant) {
    if !isServed, let last = outages.last, last.possible >= end { outages[outages.count - 1].possible = .never }
  }
}

/// A time during which the client was really out of sync.
public struct Outage: Hashable, Codable, Sendable {
  /// The fault that began it, by its index in the schedule; nil without one.
  public var fault: Int?
  public var began: Instant
  /// The time from which an attempt could have succeeded until the end of the outage or of the session; `never` if
  /// there was none.
  public var possible: Instant
  /// The time when the client was in sync again; `never` if it was not before the end of the session.
  public var ended: Instant
  /// The time when the status first was not connected; `never` if it always was, as for a connection that survives.
  public var noticed: Instant
  public var attempts: Int

  /// The time from `possible` until the client was in sync; nil if it was not, or never could have been.
  public var timeToReturn: Interval? { possible == .never || ended == .never ? nil : ended - possible }

  public init(fault: Int?, began: Instant, possible: Instant, ended: Instant, noticed: Instant, attempts: Int) {
    (self.fault, self.began, self.possible) = (fault, began, possible)
    (self.ended, self.noticed, self.attempts) = (ended, noticed, attempts)
  }
}

public struct SessionResult: Hashable, Sendable {
  public var duration = Interval.zero
  /// The number of events delivered to the client, frames at the server, and changes of the world.
  public var events: UInt64 = 0
  /// The ground truth at the end of the session.
  public var truth = GroundTruth()
  /// The kinds of faults that took effect: a bit for each raw value.
  var effective: UInt64 = 0
  /// True if the session was aborted as a livelock of its client.
  public var isRunaway = false
  /// The client's status at the end of the session.
  public var status: LiveStatus?

  public init() {}

  /// All times that the client was out of sync, in order.
  public var outages: [Outage] {
    get { truth.outages }
    set { truth.outages = newValue }
  }

  public var attempts: UInt64 { truth.attempts }
  public var opened: UInt64 { truth.opened }
  public var pings: UInt64 { truth.pings }

  /// The part of the session during which the client was really in sync.
  public var served: Interval {
    let end = Instant.zero + duration
    return outages.reduce(duration) { $1.began >= end ? $0 : $0 - (min(end, $1.ended) - $1.began) }
  }
}
