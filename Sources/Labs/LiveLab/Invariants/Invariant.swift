// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore
internal import Reporting

/// A condition that holds of a connection at every step, whatever happens to it.
public enum Invariant: UInt8, Sendable, Hashable, CaseIterable {
  /// Those that show in one client's session; the others take several clients.
  public static let ofOneClient = allCases.filter { $0 != .spreadReturns }

  // Sockets and timers.
  case oneSocket, oneTimer, staleChangesNothing, nothingAfterClose, everyStartEnds, alwaysAnExit
  // Attempts.
  case attemptLimit, attemptFloor, countedOnce, resetWhenProven, retryAfterHonoured, refreshedOnce, spreadReturns
  // Links.
  case halfOpenNoticed, pongTimeoutAborts, connectTimeout, droppedForAReason, endsForAReason
  // Messages.
  case firstMessage, messagesDelivered, deliveredOnce, sentInOrder, answeredOnce, takenInTruth, queueBounds
  // What is shown.
  case statusTrue

  /// The name in reports: `one-socket`.
  public var name: String {
    String(describing: self).reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
  }

  public var sentence: String {
    switch self {
    case .oneSocket: "At most one socket is open or being opened: the old one is closed before the next is opened"
    case .oneTimer: "One step sets the timer at most once, with a tag of its own"
    case .staleChangesNothing: "What comes from an earlier generation or an old timer changes nothing"
    case .nothingAfterClose: "Once closed for good, nothing is opened, sent or timed any more"
    case .everyStartEnds: "Once closed for good, no socket, timer or message is left without an end"
    case .alwaysAnExit: "A client that should be connected and has a network is never stuck: something will move it on"
    case .attemptLimit:
      "After the last attempt without a proven connection, the next waits for the slow cadence or a hint"
    case .attemptFloor: "No attempt comes sooner after the last than the floor, but for a hint"
    case .countedOnce: "An attempt is counted once, and forgotten only by a connection that proved itself"
    case .resetWhenProven: "A connection that proved itself is followed by the first attempt, not by a later one"
    case .retryAfterHonoured: "No attempt comes sooner than the server asked"
    case .refreshedOnce: "Credentials that were refused are refreshed, once until a connection has proved itself"
    case .spreadReturns: "Clients that lost one server at one moment do not return at one moment"
    case .halfOpenNoticed: "A silent link is given up within the ping interval and the pong timeout"
    case .pongTimeoutAborts: "A link whose ping was not answered is reset, not asked to close"
    case .connectTimeout: "An attempt is given up after the connect timeout"
    case .droppedForAReason: "A link is dropped only for a reason: a timeout of its own, a fault, or the device's word"
    case .endsForAReason:
      "A connection is closed for good when the app, the server or the credentials forbid it, only then"
    case .firstMessage: "A message directly behind the handshake is delivered"
    case .messagesDelivered:
      "Every message that arrives is delivered in its order, and a hole in the stream is reported"
    case .deliveredOnce: "No message is delivered twice"
    case .sentInOrder:
      "Messages are sent in the order in which they were handed over, each once a connection, none left out"
    case .answeredOnce: "What becomes of a message is reported once"
    case .takenInTruth:
      "The server has what is acknowledged to the app, and is sent none of it again, whatever it forgets"
    case .queueBounds: "No more messages wait than the bounds allow"
    case .statusTrue: "The status shows the present, and every change of it is announced"
    }
  }
}

public struct InvariantSet: Hashable, Sendable {
  private var bits: UInt32 = 0

  /// In the order in which they are declared.
  public var all: [Invariant] { Invariant.allCases.filter(contains) }

  mutating func insert(_ invariant: Invariant) { bits |= 1 << UInt32(invariant.rawValue) }

  func contains(_ invariant: Invariant) -> Bool { bits >> UInt32(invariant.rawValue) & 1 == 1 }
}

/// An invariant that did not hold: which, when, and what was found. A plain value, so that checking allocates nothing.
public struct Breach: Hashable, Sendable {
  public let invariant: Invariant
  public let moment: SessionMoment
  /// 1 is the first event delivered to the client.
  public let step: UInt64
  public let event: LiveEvent
  public let finding: Finding

  public enum Finding: Hashable, Sendable {
    case tooMany(Int, atMost: Int)
    case wrongCount(Int, expected: Int)
    case tooSoon(Interval, atLeast: Interval)
    case tooLate(Interval, atMost: Interval)
    /// One that the client should not want.
    case effect(LiveEffect)
    case phase(LiveStatus.Phase, expected: LiveStatus.Phase)
    case message(UInt64, expected: UInt64)
    case status(StatusField)
    /// Nothing that would move the client on.
    case nothing
  }

  /// The part of the status that is wrong.
  public enum StatusField: String, Hashable, Sendable {
    case nextTry = "when the next attempt comes"
    case health = "how sure the link is"
    case isCurrent = "whether the app has everything"
    case queued = "how many messages wait"
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
    case .tooMany(let found, let most): "\(found), where there may be \(most) at the most"
    case .wrongCount(let found, let expected): "\(found), where there should be \(expected)"
    case .tooSoon(let found, let least):
      "after \(found.inSeconds(comparedTo: least)), where it may come after \(least.inSeconds(comparedTo: found)) at "
        + "the soonest"
    case .tooLate(.forever, let most): "not within \(most.inSeconds), but never"
    case .tooLate(let found, let most):
      "not within \(most.inSeconds(comparedTo: found)), but after \(found.inSeconds(comparedTo: most)) or never"
    case .effect(let effect): "the client wants `\(TimelineWords.text(of: effect))`"
    case .phase(let found, let expected): "the status says \(found), and it is \(expected)"
    case .message(let found, let expected): "message \(found), where \(expected) was to come"
    case .status(let field): "the status is wrong about \(field.rawValue)"
    case .nothing: "nothing will move the client on"
    }
  }
}

extension Interval {
  /// Such as `12.5 s`.
  var inSeconds: String { self == .forever ? "ever" : "\(NumberFormat.shortest(seconds)) s" }

  /// The same, cut to thousandths of a second as a timeline cuts them; finer where another length would read the same.
  func inSeconds(comparedTo other: Interval) -> String {
    guard self != .forever else { return inSeconds }
    let (own, others) = (nanoseconds / 1_000_000, other.nanoseconds / 1_000_000)
    guard own != others || self == other else { return inSeconds }
    return NumberFormat.shortest(Double(own) / 1_000) + " s"
  }
}
