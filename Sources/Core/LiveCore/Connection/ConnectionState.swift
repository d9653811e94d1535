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
  /// The attempts are used up, or pointless: a slow cadence, and whatever gives a hint.
  case suspended(Suspended)
  /// No attempt is made any more, whatever happens.
  case closed(Ended)
}

/// A socket is being opened.
public struct Connecting: Hashable, Sendable {
  /// Of which generation.
  public internal(set) var generation: Generation
  /// When the attempt began.
  public internal(set) var since: Instant
  /// When it is given up.
  public internal(set) var deadline: Instant
  /// Whether credentials are being fetched, before the socket is opened.
  public internal(set) var awaitsCredentials: Bool
}

/// The next attempt comes by itself.
public struct Waiting: Hashable, Sendable {
  /// Since when.
  public internal(set) var since: Instant
  /// When the attempt is made; nil while there is no network, or the app's background policy forbids it.
  public internal(set) var due: Instant?
}

/// The attempts are used up.
public struct Suspended: Hashable, Sendable {
  /// Since when.
  public internal(set) var since: Instant
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
  /// When it was decided.
  public internal(set) var since: Instant
  /// The socket whose closing handshake is still under way; nil when none is.
  public internal(set) var closing: Generation?
  /// When that socket is dropped without an answer.
  public internal(set) var deadline: Instant
}

/// A socket is open.
public struct Connected: Hashable, Sendable {
  /// Of which generation.
  public internal(set) var generation: Generation
  /// When it was opened.
  public internal(set) var since: Instant
  /// Whether it has proved itself, so that the attempts are forgotten.
  public internal(set) var isProven: Bool
  /// When it was last heard of.
  public internal(set) var lastHeard: Instant
  /// The number of the last ping.
  public internal(set) var ping: UInt32
  /// When the last ping is given up; nil when it was answered.
  public internal(set) var pongDeadline: Instant?
  /// When the next ping is due.
  public internal(set) var nextPing: Instant
  /// Whether the stream has been resumed, or needs not be.
  public internal(set) var isCurrent: Bool
}
