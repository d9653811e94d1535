// SPDX-License-Identifier: Apache-2.0

/// The consequence of how a connection ended.
public enum CloseVerdict: Hashable, Sendable {
  /// Connect again, after the usual wait.
  case reconnect
  /// Connect again, and not before so long; the usual wait or a share of `CloseRules.laterSpread` comes on top,
  /// whichever is longer, so that not all come back at one moment.
  case reconnectLater(Interval)
  /// Get fresh credentials, then connect again. Once: credentials that are refused fresh are wrong.
  case refreshCredentials
  /// Stay closed.
  case never
}

/// The consequences of close codes (RFC 6455, section 7.4), by who closed.
///
/// Only a server's close frame says what the server wants. A code of our own (we drop a dead link, or answer garbage)
/// and an end that nobody announced say nothing about coming back: then the client reconnects. The server's codes:
///
/// | Code | Verdict | Why |
/// |---|---|---|
/// | 1000, 1005 | reconnect | Servers close so for any reason; the app says by `stop` when it is done. |
/// | 1001 | reconnect | It goes down or moves; another may be there. |
/// | 1002, 1003, 1007 | never | It cannot read what we send, and would not the next time. |
/// | 1008 | refresh credentials | Its most frequent cause is who may connect. |
/// | 1009 | never | It would be sent the same message again. |
/// | 1010 | never | What it lacks it will lack. |
/// | 1011, 1014 | reconnect | Its own trouble, which may be over. |
/// | 1012, 1013 | later | It asks for time: it restarts, or has too much to do. |
/// | 3000 | refresh credentials | Registered for that. |
/// | 3003 | never | Forbidden with good credentials. |
/// | others | reconnect | Unknown, reserved, or the app's own; the attempts are bounded in any case. |
///
/// The app has the last word, for its own codes and for any other, by `set`.
public struct CloseRules: Hashable, Sendable {
  /// How long to stay away at the least after 1012 (restart) and 1013 (try again later).
  public var later = Interval.seconds(5)
  /// Over how long those that were asked to come later come back, evenly, from when they may: 1012 was proposed with a
  /// wait of 5 to 30 s at random (hybi mailing list, "Additional WebSocket Close Error Codes").
  public var laterSpread = Interval.seconds(25)
  // Not an array, so that settings stay plain values.
  private var first = OwnRule.none
  private var second = OwnRule.none
  private var third = OwnRule.none
  private var fourth = OwnRule.none

  /// How many rules of its own an app may have.
  public static let ownRuleLimit = 4

  /// The recommended rules.
  public init() {}

  /// Sets the verdict for some codes of the server, such as `4400...4499`. A later rule goes before an earlier one.
  ///
  /// - Throws: `LiveError.tooManyCloseRules` for a fifth rule.
  public mutating func set(_ verdict: CloseVerdict, for codes: ClosedRange<UInt16>) throws(LiveError) {
    guard fourth == .none else { throw .tooManyCloseRules(limit: Self.ownRuleLimit) }
    (second, third, fourth) = (first, second, third)
    first = OwnRule(low: codes.lowerBound, high: codes.upperBound, verdict: verdict)
  }

  /// The consequence of an end.
  public func verdict(on closure: Closure) -> CloseVerdict {
    guard closure.origin == .server else { return .reconnect }
    let code = closure.code.value
    return first[code] ?? second[code] ?? third[code] ?? fourth[code] ?? usual(code)
  }

  private func usual(_ code: UInt16) -> CloseVerdict {
    switch code {
    case 1002, 1003, 1007, 1009, 1010, 3003: .never
    case 1008, 3000: .refreshCredentials
    case 1012, 1013: .reconnectLater(later)
    default: .reconnect
    }
  }

  /// The verdict of an app for a range of codes; an empty range where there is none.
  private struct OwnRule: Hashable, Sendable {
    var low: UInt16
    var high: UInt16
    var verdict: CloseVerdict

    static let none = OwnRule(low: 1, high: 0, verdict: .reconnect)

    subscript(code: UInt16) -> CloseVerdict? { low <= code && code <= high ? verdict : nil }
  }
}

extension CloseCode {
  /// Whether a server's close frame may carry it. 1004 to 1006 and 1015 are reserved, 1016 to 2999 are kept for later
  /// versions of the protocol, and below 1000 and from 5000 on there are none. What is not valid breaks the protocol.
  public var isValidInFrame: Bool {
    switch value {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}
