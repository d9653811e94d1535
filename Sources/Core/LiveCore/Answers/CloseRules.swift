// SPDX-License-Identifier: Apache-2.0

/// What follows from how a connection ended.
public enum CloseVerdict: Hashable, Sendable {
  /// Connect again, after the usual wait.
  case reconnect
  /// Connect again, and not before so long.
  case reconnectLater(Interval)
  /// Get fresh credentials, then connect again.
  case refreshCredentials
  /// Stay closed.
  case never
}

/// What follows from a close code (RFC 6455, section 7.4), by who closed.
public struct CloseRules: Hashable, Sendable {
  /// How long to stay away after 1012 (restart) and 1013 (try again later).
  public var later = Interval.seconds(5)

  /// The recommended rules.
  public init() {}

  /// What follows from an end.
  public func verdict(on closure: Closure) -> CloseVerdict {
    guard closure.origin == .server else { return .reconnect }
    switch closure.code.value {
    case 1002, 1003, 1007, 1009, 1010: return .never
    case 1012, 1013: return .reconnectLater(later)
    case 3000: return .refreshCredentials
    case 3003: return .never
    default: return .reconnect
    }
  }
}
