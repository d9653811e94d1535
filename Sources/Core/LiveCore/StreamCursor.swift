// SPDX-License-Identifier: Apache-2.0

/// How far the app has got in the server's stream, so that nothing is handed over twice and nothing is missed silently.
public struct StreamCursor: Hashable, Sendable {
  /// The place of the last message that was handed over, or after which the stream was begun; nil before either.
  public private(set) var position: StreamPosition?

  /// The treatment of a message that arrives.
  public enum Arrival: Hashable, Sendable {
    /// Hand it over: it is the next.
    case deliver
    /// Leave it: it was handed over before. Also for offset 0, which no message has.
    case duplicate
    /// Report what is missing, then hand it over.
    case gap(StreamGap)
  }

  /// At the place where the app stopped in an earlier life; nil begins with what comes.
  public init(_ position: StreamPosition? = nil) { self.position = position }

  /// Takes a message that arrived.
  ///
  /// Another epoch is another stream: what else the old one held cannot be known any more, so that is a gap, even where
  /// the new one begins at its first message.
  ///
  /// - Returns: What is to be done with it. The cursor has moved there unless it is a duplicate.
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

  /// Takes the server's answer to the wish to go on after `position`.
  ///
  /// A server that begins further back in the same epoch sends again what is known, which `accept` sorts out.
  ///
  /// - Returns: What is missing; nil when nothing is.
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

/// A part of the server's stream that the app does not get.
public struct StreamGap: Hashable, Sendable {
  /// The last place that it got.
  public let after: StreamPosition
  /// The last place that is missing. In another epoch: what the old one still held is missing too.
  public let upTo: StreamPosition

  /// A gap.
  public init(after: StreamPosition, upTo: StreamPosition) { (self.after, self.upTo) = (after, upTo) }
}
