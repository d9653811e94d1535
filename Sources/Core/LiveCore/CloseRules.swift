// SPDX-License-Identifier: Apache-2.0

/// The reaction to the end of a connection.
public enum CloseVerdict: Hashable, Sendable {
  /// Connect again, after the usual wait.
  case reconnect
  /// Connect again after at least this interval, plus the usual wait or a share of `CloseRules.laterSpread`, whichever
  /// is longer, so that clients do not return at the same moment.
  case reconnectLater(Interval)
  /// Fetch fresh credentials, then connect again; only once, because credentials refused when fresh are wrong.
  case refreshCredentials
  /// Stay closed.
  case never
}

/// The reactions to close codes (RFC 6455, section 7.4), by the side that closed.
///
/// Only a server's close frame states the server's wish. A close code of our own (for a dead link or malformed frames)
/// and an end without a close frame do not forbid to come back: the client reconnects. The server's codes:
///
/// | Code | Verdict | Why |
/// |---|---|---|
/// | 1000, 1005 | reconnect | Servers use them for any reason; the app calls `stop` when it is done. |
/// | 1001 | reconnect | The server goes down or moves; another may be there. |
/// | 1002, 1003, 1007 | never | The server cannot read our frames, and could not the next time. |
/// | 1008 | refresh credentials | Its most frequent cause is a missing permission. |
/// | 1009 | never | The same message would be sent again. |
/// | 1010 | never | The missing extension will be missing again. |
/// | 1011, 1014 | reconnect | A fault of the server, which may be over. |
/// | 1012, 1013 | later | The server asks for time: it restarts or is overloaded. |
/// | 3000 | refresh credentials | Registered as "unauthorized". |
/// | 3003 | never | Forbidden with valid credentials. |
/// | others | reconnect | Unknown, reserved, or defined by the app; the number of attempts is bounded. |
///
/// The app may override the rule of any code by `set`.
public struct CloseRules: Hashable, Sendable {
  /// The shortest time to stay away after 1012 (restart) and 1013 (try again later).
  public var later = Interval.seconds(5)
  /// The interval over which clients spread their return after that time, uniformly: 1012 was proposed with a random
  /// wait of 5 to 30 s (hybi mailing list, "Additional WebSocket Close Error Codes").
  public var laterSpread = Interval.seconds(25)
  // Not an array, so that settings stay plain values.
  private var first = OwnRule.none
  private var second = OwnRule.none
  private var third = OwnRule.none
  private var fourth = OwnRule.none

  /// The largest number of rules that an app may add.
  public static let ownRuleLimit = 4

  /// The recommended rules.
  public init() {}

  /// Sets the verdict for some codes of the server, such as `4400...4499`. A later rule overrides an earlier one.
  ///
  /// - Throws: `LiveError.tooManyCloseRules` for more than `ownRuleLimit` rules.
  public mutating func set(_ verdict: CloseVerdict, for codes: ClosedRange<UInt16>) throws(LiveError) {
    guard fourth == .none else { throw .tooManyCloseRules(limit: Self.ownRuleLimit) }
    (second, third, fourth) = (first, second, third)
    first = OwnRule(low: codes.lowerBound, high: codes.upperBound, verdict: verdict)
  }

  /// The reaction to an end.
  public func verdict(on closure: Closure) -> CloseVerdict {
    guard closure.origin == .server else { return .reconnect }
    let code = closure.code.value
    return first[code] ?? second[code] ?? third[code] ?? fourth[code] ?? `default`(code)
  }

  private func `default`(_ code: UInt16) -> CloseVerdict {
    switch code {
    case 1002, 1003, 1007, 1009, 1010, 3003: .never
    case 1008, 3000: .refreshCredentials
    case 1012, 1013: .reconnectLater(later)
    default: .reconnect
    }
  }

  /// A rule that the app added for a range of codes; an empty range for no rule.
  private struct OwnRule: Hashable, Sendable {
    var low: UInt16
    var high: UInt16
    var verdict: CloseVerdict

    static let none = OwnRule(low: 1, high: 0, verdict: .reconnect)

    subscript(code: UInt16) -> CloseVerdict? { low <= code && code <= high ? verdict : nil }
  }
}

extension CloseCode {
  /// True if a server's close frame may carry it. 1004 to 1006 and 1015 are reserved, 1016 to 2999 are kept for later
  /// versions of the protocol, and codes below 1000 and from 5000 do not exist. An invalid code violates the protocol.
  public var isValidInFrame: Bool {
    switch value {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}
