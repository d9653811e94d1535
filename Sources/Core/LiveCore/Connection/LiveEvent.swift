// SPDX-License-Identifier: Apache-2.0

/// What happens to a connection. A plain value without references, so that handling one costs no allocation.
public enum LiveEvent: Hashable, Sendable {
  // What the app asks for.

  /// Connect, and stay connected.
  case start
  /// Close, for good.
  case stop
  /// Somebody wants it now: a pull to refresh, a button.
  case retry
  /// Send a message, now or when there is a connection. Numbers count up from 1 without a hole.
  case send(MessageNumber, bytes: Int)

  // What the device says.

  /// Whether there is a network at all.
  case network(isReachable: Bool)
  /// The network is another than before (Wi-Fi to mobile): what is open on the old one is dead.
  case networkChanged
  /// The app is in front, or no longer.
  case app(isInFront: Bool)
  /// The device woke after a sleep in which no timer ran.
  case woke

  // What the socket says, of the generation it was opened for.

  /// The handshake is done.
  case opened(Generation)
  /// It could not be opened; or it was open, and reports an error. If `closed` follows, that is the same end.
  case failed(Generation, ConnectFailure)
  /// The server answered the handshake with something else than 101.
  case refused(Generation, Refusal)
  /// A frame arrived.
  case received(Generation, ServerFrame)
  /// What was open is closed.
  case closed(Generation, Closure)

  // What was asked for.

  /// The timer rang.
  case timer(TimerTag)
  /// Fresh credentials are there, or cannot be had.
  case credentials(Generation, isFresh: Bool)
}

/// Why a socket could not be opened.
public enum ConnectFailure: UInt8, Hashable, Sendable, CaseIterable {
  /// The name was not found.
  case nameNotFound
  /// Nobody listens.
  case connectionRefused
  /// There is no way to the host.
  case unreachable
  /// The kernel gave up waiting.
  case timedOut
  /// The secure handshake failed.
  case insecure
  /// It was reset before the handshake was done.
  case reset
  /// The answer was no WebSocket handshake: a captive portal's page.
  case notWebSocket
}

/// A frame of the server, without its contents.
public enum ServerFrame: Hashable, Sendable {
  /// A ping that wants a pong of the same number.
  case ping(UInt32)
  /// The answer to a ping.
  case pong(UInt32)
  /// A message for the app, and its place in the stream where the sequence protocol is on.
  case message(StreamPosition?, bytes: Int)
  /// The server has taken the app's messages up to this one. Also proof that the application behind the socket lives.
  case acknowledged(through: MessageNumber)
  /// The stream of the sequence protocol begins after this place. The one asked for: nothing is missing.
  case resumed(after: StreamPosition)
  /// What breaks the protocol: garbage, or a frame beyond the bounds.
  case malformed(CloseCode)
}

/// How what was open came to its end.
public struct Closure: Hashable, Sendable {
  /// Who ended it.
  public enum Origin: UInt8, Hashable, Sendable {
    /// The server sent a close frame.
    case server
    /// We did: the answer to our close frame, or what the socket says of our own abort.
    case client
    /// Nobody said good-bye: a reset, an end of the stream without a close frame.
    case network
  }

  /// Who ended it.
  public let origin: Origin
  /// The code of the close frame; 1005 for a frame without one, 1006 where there was no frame.
  public let code: CloseCode

  /// An end.
  ///
  /// - Parameters:
  ///   - origin: Who ended it.
  ///   - code: The code of the close frame.
  @inlinable
  public init(_ origin: Origin, _ code: CloseCode) { (self.origin, self.code) = (origin, code) }
}

/// A close code of RFC 6455, section 7.4.
@frozen
public struct CloseCode: Hashable, Sendable {
  /// The number.
  public let value: UInt16

  /// The code of that number.
  @inlinable
  public init(_ value: UInt16) { self.value = value }
}
