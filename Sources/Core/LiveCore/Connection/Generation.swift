// SPDX-License-Identifier: Apache-2.0

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

/// Names one setting of the connection's only timer, so that the ring of one that was replaced is told apart.
@frozen
public struct TimerTag: Hashable, Sendable {
  /// One more with each setting.
  public let number: UInt64

  /// The tag of that number.
  @inlinable
  public init(_ number: UInt64) { self.number = number }
}

/// Names one outgoing message: 1 for the first ever sent, one more with each. The connection knows numbers and sizes,
/// never contents; whoever sends keeps the contents until the number is acknowledged or dropped.
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

  /// A place.
  ///
  /// - Parameters:
  ///   - epoch: Which life of the stream.
  ///   - offset: The number of the message within it; 0 before the first.
  @inlinable
  public init(epoch: UInt32, offset: UInt64) { (self.epoch, self.offset) = (epoch, offset) }
}
