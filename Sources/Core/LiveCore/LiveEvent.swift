// SPDX-License-Identifier: Apache-2.0

/// An event of a connection. A plain value without references, so that handling one costs no allocation.
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

  // What the device reports.

  /// Whether there is a network at all.
  case network(isReachable: Bool)
  /// The network is another than before (Wi-Fi to mobile): what is open on the old one is dead.
  case networkChanged
  /// The app is in front, or no longer.
  case app(isInFront: Bool)
  /// The device woke after a sleep in which no timer ran.
  case woke

  // What the socket reports, of the generation it was opened for.

  /// The handshake is done.
  case opened(Generation)
  /// It could not be opened; or it was open, and reports an error. If `closed` follows, that is the same end.
  case failed(Generation, ConnectFailure)
  /// The server answered the handshake with something else than 101.
  case refused(Generation, Refusal)
  /// A frame arrived.
  case received(Generation, ServerFrame)
  /// The open connection is closed.
  case closed(Generation, Closure)

  // What was asked for.

  /// The timer fired.
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
  /// A violation of the protocol: garbage, or a frame beyond the bounds.
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

/// Which attempt to connect something belongs to: 1 for the first, one more with each.
///
/// Every timer, every callback of a socket and every answer about credentials carries the generation it was made for.
/// What comes from an earlier one changes nothing.
@frozen
public struct Generation: Hashable, Sendable {
  /// The number; 0 before the first attempt.
  public let number: UInt32

  /// The generation of that number.
  @inlinable
  public init(_ number: UInt32) { self.number = number }

  /// Before the first attempt.
  @inlinable public static var none: Generation { Generation(0) }

  /// The one after this.
  @inlinable public var next: Generation { Generation(number &+ 1) }
}

/// Names one setting of the connection's only timer, so that the firing of one that was replaced is recognised.
@frozen
public struct TimerTag: Hashable, Sendable {
  /// One more with each setting.
  public let number: UInt64

  /// The tag of that number.
  @inlinable
  public init(_ number: UInt64) { self.number = number }
}

/// Names one outgoing message: 1 for the first ever sent, one more with each. The connection knows numbers and sizes,
/// never contents; the sender keeps the contents until the number is acknowledged or dropped.
@frozen
public struct MessageNumber: Hashable, Sendable {
  /// The number.
  public let value: UInt64

  /// The message of that number.
  @inlinable
  public init(_ value: UInt64) { self.value = value }
}

extension MessageNumber: Comparable {
  /// Whether one was sent before.
  @inlinable
  public static func < (left: MessageNumber, right: MessageNumber) -> Bool { left.value < right.value }
}

/// A place in the server's stream of messages.
@frozen
public struct StreamPosition: Hashable, Sendable {
  /// Which life of the stream: a server that lost its history begins another.
  public let epoch: UInt32
  /// The number of the message within it: 1 for the first.
  public let offset: UInt64

  /// A place; offset 0 is the one before the first message.
  @inlinable
  public init(epoch: UInt32, offset: UInt64) { (self.epoch, self.offset) = (epoch, offset) }
}
