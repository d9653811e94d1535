// SPDX-License-Identifier: Apache-2.0

/// What follows from an answer to the handshake that is not 101.
public enum RefusalVerdict: Hashable, Sendable {
  /// Try again, after the usual wait.
  case retry
  /// Try again, and not before so long.
  case retryAfter(Interval)
  /// Get fresh credentials, then try again at once.
  case refreshCredentials
  /// Try where the answer says.
  case redirect
  /// Stay closed.
  case never
}

/// What follows from a refused handshake.
public struct RefusalRules: Hashable, Sendable {
  /// The longest that a server's wish to be left alone is honoured.
  public var longestWait = Interval.seconds(3_600)
  /// How many redirects in a row are followed.
  public var redirectLimit = 5

  /// The recommended rules.
  public init() {}

  /// What follows from a refusal.
  ///
  /// - Parameters:
  ///   - refusal: The answer.
  ///   - isSecure: Whether the address asked was `wss`: then a redirect may not lead to `ws`.
  ///   - redirects: How many redirects led here.
  /// - Returns: What to do.
  public func verdict(on refusal: Refusal, isSecure: Bool, redirects: Int) -> RefusalVerdict {
    switch refusal.status {
    case 401: return .refreshCredentials
    case 300...399:
      guard let redirect = refusal.redirect, redirects < redirectLimit else { return .never }
      switch redirect {
      case .secure: return .redirect
      case .plain: return isSecure ? .never : .redirect
      case .unusable: return .never
      }
    case 408, 425, 429, 500...599:
      return refusal.retryAfter.map { .retryAfter(min(longestWait, max(.zero, $0))) } ?? .retry
    case 400...499: return .never
    default: return .retry
    }
  }
}
