// SPDX-License-Identifier: Apache-2.0

/// What follows from how a connection ended.
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

/// What follows from a close code (RFC 6455, section 7.4), by who closed.
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

  /// Sets the verdict for some codes of the server. A later rule goes before an earlier one.
  ///
  /// - Parameters:
  ///   - verdict: What follows from them.
  ///   - codes: The codes, such as `4400...4499`.
  /// - Throws: `LiveError.tooManyCloseRules` for a fifth rule.
  public mutating func set(_ verdict: CloseVerdict, for codes: ClosedRange<UInt16>) throws(LiveError) {
    guard fourth == .none else { throw .tooManyCloseRules(limit: Self.ownRuleLimit) }
    (second, third, fourth) = (first, second, third)
    first = OwnRule(low: codes.lowerBound, high: codes.upperBound, verdict: verdict)
  }

  /// What follows from an end.
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

/// The codes of RFC 6455, section 7.4.1, and of the registry it began
/// (IANA, "WebSocket Close Code Number Registry").
extension CloseCode {
  /// 1000: what the connection was for is done.
  public static let normal = CloseCode(1000)
  /// 1001: the server goes down, or the app goes away.
  public static let goingAway = CloseCode(1001)
  /// 1002: the other end broke the protocol.
  public static let protocolError = CloseCode(1002)
  /// 1003: data of a kind that is not accepted.
  public static let unsupportedData = CloseCode(1003)
  /// 1005: stands for a close frame without a code; never sent.
  public static let noStatus = CloseCode(1005)
  /// 1006: stands for an end without a close frame; never sent.
  public static let abnormal = CloseCode(1006)
  /// 1007: a message that is not what its kind promises, such as text that is no UTF-8.
  public static let invalidPayload = CloseCode(1007)
  /// 1008: a message against a policy, where no other code fits.
  public static let policyViolation = CloseCode(1008)
  /// 1009: a message that is too big.
  public static let messageTooBig = CloseCode(1009)
  /// 1010: the client misses an extension that it asked for.
  public static let mandatoryExtension = CloseCode(1010)
  /// 1011: the server met something it did not expect.
  public static let internalError = CloseCode(1011)
  /// 1012: the server restarts.
  public static let serviceRestart = CloseCode(1012)
  /// 1013: the server has too much to do.
  public static let tryAgainLater = CloseCode(1013)
  /// 1014: a gateway had no good answer from the server behind it.
  public static let badGateway = CloseCode(1014)
  /// 1015: stands for a secure handshake that failed; never sent.
  public static let insecure = CloseCode(1015)
  /// 3000: the credentials are missing or no longer good.
  public static let unauthorised = CloseCode(3000)
  /// 3003: the credentials are good, and it is forbidden all the same.
  public static let forbidden = CloseCode(3003)
  /// 3008: the server waited too long for something.
  public static let timeout = CloseCode(3008)
}

extension CloseCode {
  /// Whether a client may send it: 1000 to 1003, 1007 to 1010, and whatever libraries (3000s) and apps (4000s) define.
  public var maySend: Bool {
    switch value {
    case 1000...1003, 1007...1010, 3000...4999: true
    default: false
    }
  }

  /// Whether a server's close frame may carry it. 1004 to 1006 and 1015 are reserved, 1016 to 2999 are kept for later
  /// versions of the protocol, and below 1000 and from 5000 on there are none. What is not valid breaks the protocol.
  public var isValidInFrame: Bool {
    switch value {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  /// What it is called; nil for what has no name of its own.
  public var name: String? {
    switch value {
    case 1000: "normal closure"
    case 1001: "going away"
    case 1002: "protocol error"
    case 1003: "unsupported data"
    case 1005: "no status"
    case 1006: "abnormal closure"
    case 1007: "invalid payload"
    case 1008: "policy violation"
    case 1009: "message too big"
    case 1010: "mandatory extension"
    case 1011: "internal error"
    case 1012: "service restart"
    case 1013: "try again later"
    case 1014: "bad gateway"
    case 1015: "TLS handshake"
    case 3000: "unauthorised"
    case 3003: "forbidden"
    case 3008: "timeout"
    default: nil
    }
  }
}

extension CloseCode: CustomStringConvertible {
  /// The number and what is known of it: `1006 (abnormal closure)`, `4007 (the app's own)`.
  public var description: String {
    let range =
      switch value {
      case 3000...3999: "a library's own"
      case 4000...4999: "the app's own"
      case 1000...2999: "reserved"
      default: "no close code"
      }
    return "\(value) (\(name ?? range))"
  }
}
