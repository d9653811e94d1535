// SPDX-License-Identifier: Apache-2.0

/// What follows from an answer to the handshake that is not 101.
public enum RefusalVerdict: Hashable, Sendable {
  /// Try again, after the usual wait.
  case retry
  /// Try again, and not before so long; the usual wait comes on top, so that not all come back at one moment.
  case retryAfter(Interval)
  /// Get fresh credentials, then try again at once. Once: credentials that are refused fresh are wrong.
  case refreshCredentials
  /// Try where the answer says.
  case redirect
  /// Stay closed.
  case never
}

/// What follows from a refused handshake (statuses of RFC 9110, section 15, and of RFC 6585).
///
/// | Status | Verdict | Why |
/// |---|---|---|
/// | 301, 302, 303, 307, 308 | redirect | As often as the limit says, and never from `wss` to `ws`. |
/// | other 3xx | never | They lead nowhere. |
/// | 401 | refresh credentials | The token is not, or no longer, good. |
/// | 408, 421, 425, 429 | retry | It may be good later; when, `Retry-After` says. |
/// | other 4xx | never | The same request gets the same answer: 403, 404, 410, 426 … |
/// | 5xx | retry | The server's trouble, which may be over; when, `Retry-After` says. |
/// | others | retry | No answer of a WebSocket server, but of a captive portal or a broken gateway. |
public struct RefusalRules: Hashable, Sendable {
  /// The longest that a server's wish to be left alone is honoured.
  public var longestWait = Interval.seconds(3_600)
  /// Over how long after a date in `Retry-After` clients come back, evenly, before each waits as its policy says.
  ///
  /// RFC 9110 asks that none comes sooner, not that all come then. Seconds keep those apart who asked at different
  /// times; a date calls all that were ever told it to one moment, and how many they are no client knows. So they
  /// spread as widely as the waits of the default policy at their longest, whatever the policy in force.
  public var dateSpread = Interval.seconds(30)
  /// How many redirects in a row are followed.
  public var redirectLimit = 5

  /// The recommended rules.
  public init() {}

  /// Over how long clients spread, evenly, from when a refusal allows them to come back.
  ///
  /// - Parameter refusal: The answer.
  /// - Returns: `dateSpread` where it names a moment to come; nothing where it asks for seconds, or for a moment that
  ///   is past, to which nobody can gather.
  public func spread(after refusal: Refusal) -> Interval {
    guard refusal.namesMoment, let wait = refusal.retryAfter, wait > .zero else { return .zero }
    return dateSpread
  }

  /// What follows from a refusal.
  ///
  /// - Parameters:
  ///   - refusal: The answer.
  ///   - isSecure: Whether the address asked was `wss`: then a redirect may not lead to `ws`.
  ///   - redirects: How many redirects led here.
  /// - Returns: What to do.
  public func verdict(on refusal: Refusal, isSecure: Bool, redirects: Int) -> RefusalVerdict {
    switch refusal.status {
    case 301, 302, 303, 307, 308:
      guard let redirect = refusal.redirect, redirects < redirectLimit else { return .never }
      switch redirect {
      case .secure: return .redirect
      case .plain: return isSecure ? .never : .redirect
      case .unusable: return .never
      }
    case 401: return .refreshCredentials
    case 408, 421, 425, 429, 500...599:
      return refusal.retryAfter.map { .retryAfter(max(.zero, min(longestWait, $0))) } ?? .retry
    case 300...499: return .never
    default: return .retry
    }
  }
}
