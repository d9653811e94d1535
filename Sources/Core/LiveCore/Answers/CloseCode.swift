// SPDX-License-Identifier: Apache-2.0

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
  /// 1008: a message against the rules of the house, where no other code fits.
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
