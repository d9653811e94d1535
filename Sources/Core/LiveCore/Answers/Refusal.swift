// SPDX-License-Identifier: Apache-2.0

/// An answer to the opening handshake that is not 101 (RFC 6455, section 4.1), without its texts.
public struct Refusal: Hashable, Sendable {
  /// The status of the answer.
  public let status: UInt16
  /// How long the server wants to be left alone, where it says so: `RetryAfter` reads the header.
  public let retryAfter: Interval?
  /// Whether it says so by a date: one moment for all that it told, where seconds count from each one's own answer.
  public let namesMoment: Bool
  /// Where it sends us, where it does: `Redirect` reads the header.
  public let redirect: Redirect?

  /// A refusal.
  ///
  /// - Parameters:
  ///   - status: The status of the answer.
  ///   - retryAfter: How long the server wants to be left alone.
  ///   - namesMoment: Whether it says so by a date, which many may have been told.
  ///   - redirect: Where it sends us.
  @inlinable
  public init(status: UInt16, retryAfter: Interval? = nil, namesMoment: Bool = false, redirect: Redirect? = nil) {
    (self.status, self.retryAfter, self.namesMoment, self.redirect) = (status, retryAfter, namesMoment, redirect)
  }
}

/// What counts of a redirect's target. Whoever opens sockets keeps the address itself.
public enum Redirect: UInt8, Hashable, Sendable, CaseIterable {
  /// `wss` or `https`.
  case secure
  /// `ws` or `http`.
  case plain
  /// No address that a WebSocket could be opened to.
  case unusable
}
