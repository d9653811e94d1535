// SPDX-License-Identifier: Apache-2.0

/// The app's position in the server's stream, so that no message is delivered twice or missed silently.
public struct StreamCursor: Hashable, Sendable {
  /// The position of the last message delivered, or the one after which the stream began; `nil` before either.
  public private(set) var position: StreamPosition?

  /// The action for a message that arrives.
  public enum Arrival: Hashable, Sendable {
    /// Deliver it: it is the next message.
    case deliver
    /// Ignore it: it was delivered before. Also for offset 0, which no message has.
    case duplicate
    /// Report the gap, then deliver it.
    case gap(StreamGap)
  }

  /// A cursor at the position of an earlier session; `nil` begins with the next message.
  public init(_ position: StreamPosition? = nil) { self.position = position }

  /// Accepts a message that arrived.
  ///
  /// Another epoch is another stream: the rest of the old one is unknown, so this is a gap, even before the first
  /// message of the new one.
  ///
  /// - Returns: The action for the message. The cursor has moved to it unless it is a duplicate.
  public mutating func accept(_ arrived: StreamPosition) -> Arrival {
    guard arrived.offset > 0 else { return .duplicate }
    guard let before = position else {
      position = arrived
      return .deliver
    }
    if arrived.epoch == before.epoch {
      if arrived.offset <= before.offset { return .duplicate }
      if arrived.offset - 1 == before.offset {
        position = arrived
        return .deliver
      }
    }
    position = arrived
    return .gap(StreamGap(after: before, upTo: StreamPosition(epoch: arrived.epoch, offset: arrived.offset - 1)))
  }

  /// Accepts the server's answer to the request to continue after `position`.
  ///
  /// A server that begins earlier in the same epoch sends known messages again, which `accept` recognises.
  ///
  /// - Returns: The messages missed; `nil` if none are.
  public mutating func resumed(after start: StreamPosition) -> StreamGap? {
    guard let position else {
      self.position = start
      return nil
    }
    if start.epoch == position.epoch, start.offset <= position.offset { return nil }
    self.position = start
    return StreamGap(after: position, upTo: start)
  }
}

/// A part of the server's stream that the app does not receive.
public struct StreamGap: Hashable, Sendable {
  /// The last position that it received.
  public let after: StreamPosition
  /// The last position that is missing. In another epoch, the rest of the old epoch is missing too.
  public let upTo: StreamPosition

  /// A gap.
  public init(after: StreamPosition, upTo: StreamPosition) { (self.after, self.upTo) = (after, upTo) }
}
