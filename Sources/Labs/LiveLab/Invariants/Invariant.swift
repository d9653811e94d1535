// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore
internal import Reporting

/// A condition that holds for a connection at every step, under any faults.
public enum Invariant: UInt8, Sendable, Hashable, CaseIterable {
  /// The invariants of a single client's session; the others need several clients.
  public static let ofOneClient = allCases.filter { $0 != .spreadReturns }

  // Sockets and timers.
  case oneSocket, oneTimer, staleChangesNothing, nothingAfterClose, everyAttemptEnds, neverStuck
  // Attempts.
  case attemptLimit, attemptFloor, countedOnce, resetWhenProven, retryAfterHonoured, refreshedOnce, spreadReturns
  // Links.
  case halfOpenNoticed, pongTimeoutAborts, connectTimeout, droppedForAReason, endsForAReason
  // Messages.
  case firstMessage, messagesDelivered, deliveredOnce, sentInOrder, answeredOnce, acknowledgedIsStored, queueBounds
  // The status.
  case statusAccurate

  /// The name in reports: `one-socket`.
  public var name: String {
    String(describing: self).reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
  }

  public var sentence: String {
    switch self {
    case .oneSocket: "At most one socket is open or being opened: the old one is closed before the next is opened"
    case .oneTimer: "One step sets the timer at most once, with a new tag"
    case .staleChangesNothing: "Events of an earlier generation or an old timer change nothing"
    case .nothingAfterClose: "Once closed for good, a client opens, sends and times nothing"
    case .everyAttemptEnds: "Once closed for good, a client leaves no socket, timer or message open"
    case .neverStuck: "A client that should be connected and has a network is never stuck: an attempt is planned"
    case .attemptLimit:
      "After the last attempt without a proven connection, the next waits for the slow cadence or a hint"
    case .attemptFloor: "No attempt follows the last within the floor, except after a hint"
    case .countedOnce: "An attempt is counted once, and cleared only by a proven connection"
    case .resetWhenProven: "After a proven connection attempts start at the first again"
    case .retryAfterHonoured: "No attempt comes sooner than the server asked"
    case .refreshedOnce: "Refused credentials are refreshed once until a connection is proven"
    case .spreadReturns: "Clients that lost their server at the same time do not return at the same time"
    case .halfOpenNoticed: "A silent link is given up within the ping interval and the pong timeout"
    case .pongTimeoutAborts: "A link whose ping was not answered is reset, not asked to close"
    case .connectTimeout: "An attempt is given up after the connect timeout"
    case .droppedForAReason: "A link is dropped only for a reason: its own timeout, a fault, or a report of the device"
    case .endsForAReason:
      "A connection is closed for good when the app, the server or the credentials forbid it, and only then"
    case .firstMessage: "A message directly after the handshake is delivered"
    case .messagesDelivered:
      "Every message that arrives is delivered in its order, and a gap in the stream is reported"
    case .deliveredOnce: "No message is delivered twice"
    case .sentInOrder:
      "Messages are sent in the order of the app, each once per connection, without omissions"
    case .answeredOnce: "The outcome of a message is reported once"
    case .acknowledgedIsStored:
      "The server has all messages acknowledged to the app, and none of them is sent again"
    case .queueBounds: "No more messages wait than the bounds allow"
    case .statusAccurate: "The status is current, and every change of it is announced"
    }
  }
}

public struct InvariantSet: Hashable, Sendable {
  private var bits: UInt32 = 0

  /// All invariants in the set, in the order of their declaration.
  public var all: [Invariant] { Invariant.allCases.filter(contains) }

  mutating func insert(_ invariant: Invariant) { bits |= 1 << UInt32(invariant.rawValue) }

  func contains(_ invariant: Invariant) -> Bool { bits >> UInt32(invariant.rawValue) & 1 == 1 }
}

/// A violation of an invariant: which, when, and the evidence. A plain value, so that checking allocates nothing.
public struct Breach: Hashable, Sendable {
  public let invariant: Invariant
  public let moment: SessionMoment
  /// The step; 1 is the first event delivered to the client.
  public let step: UInt64
  public let event: LiveEvent
  public let finding: Finding

  public enum Finding: Hashable, Sendable {
    case tooMany(Int, atMost: Int)
    case wrongCount(Int, expected: Int)
    case tooSoon(Interval, atLeast: Interval)
    case tooLate(Interval, atMost: Interval)
    /// An effect that the client should not want.
    case effect(LiveEffect)
    case phase(LiveStatus.Phase, expected: LiveStatus.Phase)
    case message(UInt64, expected: UInt64)
    case status(StatusField)
    /// No attempt is planned.
    case nothing
  }

  /// The part of the status that is wrong.
  public enum StatusField: String, Hashable, Sendable {
    case nextTry = "the time of the next attempt"
    case health = "the health of the link"
    case isCurrent = "whether the app has everything"
    case queued = "the number of waiting messages"
    case announcement = "nothing, but the change was not announced"
  }
}

extension Breach: CustomStringConvertible {
  public var description: String {
    "\(invariant.name) at \(TimelineClock.text(of: moment.world)), step \(step): \(finding)"
  }
}

extension Breach.Finding: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooMany(let found, let maximum): "found \(found); at most \(maximum) are allowed"
    case .wrongCount(let found, let expected): "\(found), where there should be \(expected)"
    case .tooSoon(let found, let minimum):
      "after \(found.inSeconds(comparedTo: minimum)), where it may come after "
        + "\(minimum.inSeconds(comparedTo: found)) at the earliest"
    case .tooLate(.forever, let maximum): "not within \(maximum.inSeconds), but never"
    case .tooLate(let found, let maximum):
      "not within \(maximum.inSeconds(comparedTo: found)), but after \(found.inSeconds(comparedTo: maximum)) or never"
    case .effect(let effect): "the client wants `\(TimelineWords.text(of: effect))`"
    case .phase(let found, let expected): "the status is \(found) instead of \(expected)"
    case .message(let found, let expected): "message \(found), where \(expected) was to come"
    case .status(let field): "the status is wrong about \(field.rawValue)"
    case .nothing: "no attempt is planned"
    }
  }
}

extension Interval {
  /// The time in seconds, such as `12.5 s`.
  var inSeconds: String { self == .forever ? "ever" : "\(NumberFormat.shortest(seconds)) s" }

  /// The time truncated to milliseconds, as in a timeline; with more digits if another length would read the same.
  func inSeconds(comparedTo other: Interval) -> String {
    guard self != .forever else { return inSeconds }
    let (own, others) = (nanoseconds / 1_000_000, other.nanoseconds / 1_000_000)
    guard own != others || self == other else { return inSeconds }
    return NumberFormat.shortest(Double(own) / 1_000) + " s"
  }
}
