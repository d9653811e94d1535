// SPDX-License-Identifier: Apache-2.0

/// What the interface shows of a connection: the present, and nothing else.
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
  /// What went wrong last; nil when nothing did since the connection proved itself.
  public let lastProblem: Problem?
  /// How sure it is that an open connection lives.
  public let health: Health
  /// Whether the app has all that the server sent: connected, and the stream resumed.
  public let isCurrent: Bool
  /// How many messages wait to be sent or acknowledged.
  public let queued: Int

  /// A status, also of a connection that something else than `LiveConnection` keeps.
  ///
  /// - Parameters:
  ///   - phase: Where the connection is.
  ///   - attempt: Which attempt to reconnect it is, or the next one; 0 for none.
  ///   - nextTry: When the next attempt comes by itself.
  ///   - lastProblem: What went wrong last.
  ///   - health: How sure it is that an open connection lives.
  ///   - isCurrent: Whether the app has all that the server sent.
  ///   - queued: How many messages wait to be sent or acknowledged.
  @inlinable
  public init(
    _ phase: Phase, attempt: Int = 0, nextTry: Instant? = nil, lastProblem: Problem? = nil, health: Health = .none,
    isCurrent: Bool = false, queued: Int = 0
  ) {
    (self.phase, self.attempt, self.nextTry, self.lastProblem) = (phase, attempt, nextTry, lastProblem)
    (self.health, self.isCurrent, self.queued) = (health, isCurrent, queued)
  }
}

/// What went wrong with a connection.
public enum Problem: Hashable, Sendable {
  /// A socket could not be opened.
  case failed(ConnectFailure)
  /// No answer within the connect timeout.
  case connectTimeout
  /// The handshake was refused.
  case refused(status: UInt16)
  /// What was open was closed.
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
