// SPDX-License-Identifier: Apache-2.0

/// Where a connection is, with what makes it true.
public enum ConnectionState: Hashable, Sendable {
  /// Not started.
  case disconnected
  /// A socket is being opened.
  case connecting(Connecting)
  /// A socket is open.
  case connected(Connected)
  /// The next attempt comes by itself.
  case waiting(Waiting)
  /// The attempts are exhausted, or pointless: a slow cadence, and whatever gives a hint.
  case suspended(Suspended)
  /// No attempt is made any more, whatever happens.
  case closed(Ended)
}

/// A socket is being opened.
public struct Connecting: Hashable, Sendable {
  /// Of which generation.
  public internal(set) var generation: Generation
  /// When it is given up.
  public internal(set) var deadline: Instant
  /// Whether credentials are being fetched, before the socket is opened.
  public internal(set) var awaitsCredentials: Bool
}

/// The next attempt comes by itself.
public struct Waiting: Hashable, Sendable {
  /// When the attempt is made; nil while there is no network, or the app's background policy forbids it.
  public internal(set) var due: Instant?
  /// Whether the attempt is counted already: it is not when the connection broke while none could be made.
  public internal(set) var isCounted: Bool
}

/// The attempts are exhausted.
public struct Suspended: Hashable, Sendable {
  /// When one is made all the same; nil for not before a hint.
  public internal(set) var due: Instant?
}

/// No attempt is made any more.
public struct Ended: Hashable, Sendable {
  /// Why a connection is closed for good.
  public enum Reason: Hashable, Sendable {
    /// The app asked for it.
    case stopped
    /// The server closed with a code that forbids coming back.
    case closed(CloseCode)
    /// The server answered the handshake with a status that forbids coming back.
    case refused(UInt16)
    /// The credentials are wrong and no better ones can be had.
    case unauthorised
    /// A redirect to a weaker scheme, to nowhere, or one too many.
    case badRedirect
  }

  /// Why.
  public internal(set) var reason: Reason
  /// The socket whose closing handshake is still under way; nil when none is.
  public internal(set) var closing: Generation?
  /// When that socket is dropped without an answer.
  public internal(set) var deadline: Instant
}

/// A socket is open.
public struct Connected: Hashable, Sendable {
  /// Of which generation.
  public internal(set) var generation: Generation
  /// The number of the last ping; 0 before the first.
  public var ping: UInt32
  /// When the next ping is due.
  public var nextPing: Instant
  /// When the last ping is given up; nil when it was answered.
  public var pongDeadline: Instant?
  /// When it will have been up for long enough to be proven; `never` when it is.
  public internal(set) var proofDeadline: Instant
  /// When the server's word on the stream is given up; `never` when none is expected.
  public internal(set) var resumeDeadline: Instant
  /// Whether the last ping has been unanswered for half of its time, or the device slept or lost its network since.
  public internal(set) var isDoubtful: Bool
  /// Whether it has proved itself, so that the attempts are forgotten.
  public internal(set) var isProven: Bool
  /// Whether the stream has been resumed, or needs not be.
  public internal(set) var isCurrent: Bool
  /// Whether the last ping was sent because a timer fired late, as after a sleep that was not reported.
  var isAskedAgain = false
}

/// The state of a connection for the interface: the present, and nothing else.
public struct LiveStatus: Hashable, Sendable {
  /// Where the connection is.
  public enum Phase: UInt8, Hashable, Sendable, CaseIterable {
    case disconnected, connecting, connected, waiting, suspended, closed
  }

  /// How sure it is that an open connection lives.
  public enum Health: UInt8, Hashable, Sendable, CaseIterable {
    /// There is none.
    case none
    /// The last ping was answered, or half of its time is not over.
    case good
    /// The last ping has been unanswered for half of its time, or the device slept or lost its network since.
    case doubtful
  }

  /// Where the connection is.
  public let phase: Phase
  /// Which attempt to reconnect this is since the connection last proved itself, or the next one while it waits; 0 for
  /// none. Beyond the last one it stays: what follows at the slow cadence is not counted.
  public let attempt: Int
  /// When the next attempt comes by itself.
  public let nextTry: Instant?
  /// The last problem; nil when there was none since the connection proved itself.
  public let lastProblem: Problem?
  /// How sure it is that an open connection lives.
  public let health: Health
  /// Whether the app has all that the server sent: connected, and the stream resumed.
  public let isCurrent: Bool
  /// How many messages wait to be sent or acknowledged.
  public let queued: Int

  /// A status, also of a connection that something else than `LiveConnection` keeps.
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
  /// No answer within the connect timeout.
  case connectTimeout
  /// The handshake was refused.
  case refused(status: UInt16)
  /// The open connection was closed.
  case closed(Closure)
  /// A ping was not answered.
  case pongTimeout
  /// The server broke the protocol.
  case malformed(CloseCode)
  /// The server did not say where the stream goes on.
  case resumeTimeout
  /// The network is another than before.
  case networkChanged
  /// There is no network.
  case offline
  /// Fresh credentials could not be had.
  case credentials
}
