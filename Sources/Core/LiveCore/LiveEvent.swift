// SPDX-License-Identifier: Apache-2.0

/// An event of a connection. A plain value without references, so that handling one costs no allocation.
public enum LiveEvent: Hashable, Sendable {
  // Requests of the app.

  /// Connect, and stay connected.
  case start
  /// Close, for good.
  case stop
  /// The user wants an attempt now: a pull to refresh, a button.
  case retry
  /// Send a message, now or once connected. Numbers increase by 1 from 1.
  case send(MessageNumber, bytes: Int)

  // Reports of the device.

  /// True if a network is available.
  case network(isReachable: Bool)
  /// The device changed to another network (Wi-Fi to mobile): sockets of the old one are dead.
  case networkChanged
  /// The app came to the front, or left it.
  case app(isInFront: Bool)
  /// The device woke after a sleep in which no timer ran.
  case woke

  // Reports of the socket, with the generation it was opened for.

  /// The handshake is done.
  case opened(Generation)
  /// The socket could not be opened, or reports an error after it opened. A `closed` that follows is the same end.
  case failed(Generation, ConnectFailure)
  /// The server answered the handshake with another status than 101.
  case refused(Generation, Refusal)
  /// A frame arrived.
  case received(Generation, ServerFrame)
  /// A part of a long message arrived without its end. A pong that waits behind it is not late.
  case moved(Generation)
  /// A part of a message of the app left while more of it waits to be sent, or at last its end. A ping that waits
  /// behind it is not late. A message that leaves at once needs no report; of one that was reported before, the end is
  /// reported, too: until then it has not arrived.
  case sending(Generation, MessageNumber, isWhole: Bool)
  /// The open socket is closed.
  case closed(Generation, Closure)

  // Results of effects.

  /// The timer fired.
  case timer(TimerTag)
  /// Fresh credentials are available, or cannot be fetched.
  case credentials(Generation, isFresh: Bool)
}

/// The reason why a socket could not be opened.
public enum ConnectFailure: UInt8, Hashable, Sendable, CaseIterable {
  /// The name was not found.
  case nameNotFound
  /// The port does not accept connections.
  case connectionRefused
  /// There is no route to the host.
  case unreachable
  /// The kernel's timeout ended.
  case timedOut
  /// The TLS handshake failed.
  case insecure
  /// The connection was reset before the handshake was complete.
  case reset
  /// The answer was not a WebSocket handshake, for example a captive portal's page.
  case notWebSocket
}

/// A frame of the server, without its contents.
public enum ServerFrame: Hashable, Sendable {
  /// A ping, to be answered by a pong of the same number.
  case ping(UInt32)
  /// The answer to a ping.
  case pong(UInt32)
  /// A message for the app, with its position in the stream if the sequence protocol is on.
  case message(StreamPosition?, bytes: Int)
  /// The server has received the app's messages up to this one; this also proves that its application is alive.
  case acknowledged(through: MessageNumber)
  /// The stream of the sequence protocol begins after this position; nothing is missing if it is the requested one.
  case resumed(after: StreamPosition)
  /// A violation of the protocol: garbage, or a frame beyond the bounds.
  case malformed(CloseCode)
}

/// The end of an open connection.
public struct Closure: Hashable, Sendable {
  /// The side that ended it.
  public enum Origin: UInt8, Hashable, Sendable {
    /// The server, by a close frame.
    case server
    /// The client: the answer to our close frame, or the report of our own abort.
    case client
    /// Neither side: a reset, or an end of the stream without a close frame.
    case network
  }

  /// The side that ended it.
  public let origin: Origin
  /// The code of the close frame; 1005 for a frame without a code, 1006 without a frame.
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

  /// The code with this number.
  @inlinable
  public init(_ value: UInt16) { self.value = value }
}

/// The number of an attempt to connect: 1 for the first, increasing by one.
///
/// Every timer, every callback of a socket and every answer about credentials carries the generation it was made for.
/// Reports of an earlier generation change nothing.
@frozen
public struct Generation: Hashable, Sendable {
  /// The number; 0 before the first attempt.
  public let number: UInt32

  /// The generation with this number.
  @inlinable
  public init(_ number: UInt32) { self.number = number }

  /// The generation before the first attempt.
  @inlinable public static var none: Generation { Generation(0) }

  /// The next generation.
  @inlinable public var next: Generation { Generation(number &+ 1) }
}

/// Identifies one setting of the connection's only timer, so that the firing of a replaced setting is recognised.
@frozen
public struct TimerTag: Hashable, Sendable {
  /// The number of the setting, increasing by one.
  public let number: UInt64

  /// The tag with this number.
  @inlinable
  public init(_ number: UInt64) { self.number = number }
}

/// Identifies an outgoing message: 1 for the first, increasing by one. The connection knows numbers and sizes, not
/// contents; the sender keeps the contents until the number is acknowledged or dropped.
@frozen
public struct MessageNumber: Hashable, Sendable {
  /// The number.
  public let value: UInt64

  /// The message with this number.
  @inlinable
  public init(_ value: UInt64) { self.value = value }
}

extension MessageNumber: Comparable {
  /// Returns true if the left message was sent earlier.
  @inlinable
  public static func < (left: MessageNumber, right: MessageNumber) -> Bool { left.value < right.value }
}

/// A position in the server's stream of messages.
@frozen
public struct StreamPosition: Hashable, Sendable {
  /// The epoch of the stream: a server that lost its history begins another.
  public let epoch: UInt32
  /// The number of the message within the epoch, from 1.
  public let offset: UInt64

  /// A position; offset 0 precedes the first message.
  @inlinable
  public init(epoch: UInt32, offset: UInt64) { (self.epoch, self.offset) = (epoch, offset) }
}
