// SPDX-License-Identifier: Apache-2.0

/// The state of a connection, with the data of each state.
public enum ConnectionState: Hashable, Sendable {
  /// Not started.
  case disconnected
  /// A socket is being opened.
  case connecting(Connecting)
  /// A socket is open.
  case connected(Connected)
  /// Waiting for the time of the next attempt.
  case waiting(Waiting)
  /// The attempts are exhausted: the next comes at the slow cadence or after a hint.
  case suspended(Suspended)
  /// Closed for good: no further attempt is made.
  case closed(Ended)
}

/// A socket is being opened.
public struct Connecting: Hashable, Sendable {
  /// The generation of the attempt.
  public internal(set) var generation: Generation
  /// The time at which the attempt is given up.
  public internal(set) var deadline: Instant
  /// True if credentials are being fetched, before the socket is opened.
  public internal(set) var awaitsCredentials: Bool
}

/// Waiting for the next attempt.
public struct Waiting: Hashable, Sendable {
  /// The time of the attempt; `nil` while there is no network, or the app's background policy forbids attempts.
  public internal(set) var due: Instant?
  /// True if the attempt is counted already; it is not if the connection broke while no attempt was possible.
  public internal(set) var isCounted: Bool
}

/// Suspended: the attempts are exhausted.
public struct Suspended: Hashable, Sendable {
  /// The time of the next attempt at the slow cadence; `nil` to wait for a hint.
  public internal(set) var due: Instant?
}

/// Closed for good.
public struct Ended: Hashable, Sendable {
  /// The reason why a connection is closed for good.
  public enum Reason: Hashable, Sendable {
    /// The app stopped it.
    case stopped
    /// The server closed with a code that forbids a reconnection.
    case closed(CloseCode)
    /// The server answered the handshake with a status that forbids a reconnection.
    case refused(UInt16)
    /// The credentials are wrong, and no valid ones are available.
    case unauthorised
    /// A redirect to a weaker scheme or an unusable address, or too many redirects.
    case badRedirect
  }

  /// The reason for the end.
  public internal(set) var reason: Reason
  /// The socket whose closing handshake is still under way, if any.
  public internal(set) var closing: Generation?
  /// The time at which that socket is dropped without an answer.
  public internal(set) var deadline: Instant
}

/// A socket is open.
public struct Connected: Hashable, Sendable {
  /// The generation of the socket.
  public internal(set) var generation: Generation
  /// The number of the last ping; 0 before the first.
  public var ping: UInt32
  /// The time of the next ping.
  public var nextPing: Instant
  /// The time at which the last ping counts as unanswered, if no part of a message moves before; `nil` once it is
  /// answered.
  public var pongDeadline: Instant?
  /// The time at which its uptime proves it; `never` once it is proven.
  public internal(set) var proofDeadline: Instant
  /// The time at which the wait for the server's resume position ends; `never` when none is expected.
  public internal(set) var resumeDeadline: Instant
  /// True if the last ping is unanswered for half of its timeout, or the device slept or lost its network since.
  public internal(set) var isDoubtful: Bool
  /// True if it is proven, so that the attempts are forgotten.
  public internal(set) var isProven: Bool
  /// True if the stream has been resumed, or need not be.
  public internal(set) var isCurrent: Bool
  /// True if the last ping was sent because a timer fired late, as after an unreported sleep.
  var isAskedAgain = false
}

/// The current state of a connection, for the interface.
public struct LiveStatus: Hashable, Sendable {
  /// The kind of state that the connection is in.
  public enum Phase: UInt8, Hashable, Sendable, CaseIterable {
    case disconnected, connecting, connected, waiting, suspended, closed
  }

  /// The confidence that an open connection is alive.
  public enum Health: UInt8, Hashable, Sendable, CaseIterable {
    /// No connection is open.
    case none
    /// The last ping was answered, or half of its timeout has not passed.
    case good
    /// The last ping is unanswered for half of its timeout, or the device slept or lost its network since.
    case doubtful
  }

  /// The kind of state that the connection is in.
  public let phase: Phase
  /// The number of this attempt since the connection was last proven, or of the next one while it waits; 0 for none. It
  /// does not increase beyond the last attempt: those at the slow cadence are not counted.
  public let attempt: Int
  /// The time of the next attempt; `nil` where none is scheduled.
  public let nextTry: Instant?
  /// The last problem; `nil` if there was none since the connection was last proven.
  public let lastProblem: Problem?
  /// The confidence that an open connection is alive.
  public let health: Health
  /// True if the app is in sync with the server: connected, and the stream resumed.
  public let isCurrent: Bool
  /// The number of messages that wait to be sent or acknowledged.
  public let queued: Int

  /// A status; also for connections of other implementations.
  @inlinable
  public init(
    _ phase: Phase, attempt: Int = 0, nextTry: Instant? = nil, lastProblem: Problem? = nil, health: Health = .none,
    isCurrent: Bool = false, queued: Int = 0
  ) {
    (self.phase, self.attempt, self.nextTry, self.lastProblem) = (phase, attempt, nextTry, lastProblem)
    (self.health, self.isCurrent, self.queued) = (health, isCurrent, queued)
  }
}

/// A problem of a connection.
public enum Problem: Hashable, Sendable {
  /// A socket could not be opened.
  case failed(ConnectFailure)
  /// The connect timeout passed without an answer.
  case connectTimeout
  /// The handshake was refused.
  case refused(status: UInt16)
  /// The open connection was closed.
  case closed(Closure)
  /// A ping was not answered.
  case pongTimeout
  /// The server violated the protocol.
  case malformed(CloseCode)
  /// The server did not send the position at which the stream continues.
  case resumeTimeout
  /// The device changed to another network.
  case networkChanged
  /// There is no network.
  case offline
  /// Fresh credentials were not available.
  case credentials
}
