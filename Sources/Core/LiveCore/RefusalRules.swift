// SPDX-License-Identifier: Apache-2.0
internal import CoreDates

/// The reaction to an answer to the handshake that is not 101.
public enum RefusalVerdict: Hashable, Sendable {
  /// Try again, after the usual wait.
  case retry
  /// Try again after this interval plus the usual wait, so that clients do not return at the same moment.
  case retryAfter(Interval)
  /// Fetch fresh credentials, then try again at once; only once, because credentials refused when fresh are wrong.
  case refreshCredentials
  /// Try the address of the redirect.
  case redirect
  /// Stay closed.
  case never
}

/// The reactions to refused handshakes (statuses of RFC 9110, section 15, and of RFC 6585).
///
/// | Status | Verdict | Why |
/// |---|---|---|
/// | 301, 302, 303, 307, 308 | redirect | Up to the limit, and never from `wss` to `ws`. |
/// | other 3xx | never | They are no redirects to follow. |
/// | 401 | refresh credentials | The token is invalid or expired. |
/// | 408, 421, 425, 429 | retry | The request may succeed later, after `Retry-After` if given. |
/// | other 4xx | never | The same request gets the same answer: 403, 404, 410, 426 … |
/// | 5xx | retry | A fault of the server, which may be over, after `Retry-After` if given. |
/// | others | retry | Not from a WebSocket server, but from a captive portal or a broken gateway. |
public struct RefusalRules: Hashable, Sendable {
  /// The upper bound of the wait that a server may request.
  public var longestWait = Interval.seconds(3_600)
  /// The interval over which clients spread uniformly after a date in `Retry-After`; the policy's wait is added to it.
  ///
  /// RFC 9110 asks clients not to come earlier, not to come exactly then. Seconds keep clients apart that asked at
  /// different times; a date sends all of them to one moment, and no client knows their number. They therefore spread
  /// as widely as the longest waits of the default policy, independent of the policy in force.
  public var dateSpread = Interval.seconds(30)
  /// The largest number of consecutive redirects.
  public var redirectLimit = 5

  /// The recommended rules.
  public init() {}

  /// The interval over which clients spread uniformly after the time that a refusal gives.
  ///
  /// - Returns: `dateSpread` for a date in the future; zero for seconds, and for a date in the past, at which no
  ///   clients can gather.
  public func spread(after refusal: Refusal) -> Interval {
    guard refusal.namesMoment, let wait = refusal.retryAfter, wait > .zero else { return .zero }
    return dateSpread
  }

  /// The reaction to a refusal after a number of redirects. `isSecure` says whether the address is secure; a redirect
  /// may then not lead to `ws`.
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

/// An answer to the opening handshake that is not 101 (RFC 6455, section 4.1), without its header texts.
public struct Refusal: Hashable, Sendable {
  /// The status code of the answer.
  public let status: UInt16
  /// The wait that the server requests, if any: `RetryAfter` reads the header.
  public let retryAfter: Interval?
  /// True if it requests a date, the same for all clients; seconds count from each client's own answer.
  public let namesMoment: Bool
  /// The kind of target of a redirect, if any: `Redirect` reads the header.
  public let redirect: Redirect?

  /// A refusal; `namesMoment` states that the wait came from a date.
  @inlinable
  public init(status: UInt16, retryAfter: Interval? = nil, namesMoment: Bool = false, redirect: Redirect? = nil) {
    (self.status, self.retryAfter, self.namesMoment, self.redirect) = (status, retryAfter, namesMoment, redirect)
  }
}

/// The kind of a redirect's target. The owner of the sockets keeps the address.
public enum Redirect: UInt8, Hashable, Sendable, CaseIterable {
  /// `wss` or `https`.
  case secure
  /// `ws` or `http`.
  case plain
  /// Not an address for a WebSocket.
  case unusable
}

/// The field `Retry-After` (RFC 9110, section 10.2.3): the wait that a server requests.
public enum RetryAfter {
  /// Reads the field.
  ///
  /// - Parameters:
  ///   - header: Its value: integer seconds, or a date.
  ///   - date: The value of the answer's own `Date` field. A future date is measured from it, so that a wrong clock
  ///     of the device has no effect.
  ///   - now: The device's clock, in seconds since 1970, for an answer without a readable `Date`.
  /// - Returns: The wait from the answer on: zero for a date in the past, and `forever` for seconds that overflow.
  ///   `nil` if the value is neither seconds nor a date, for example with a sign or a fraction.
  public static func interval(_ header: String, date: String?, now: Int64) -> Interval? {
    if isSeconds(header) { return Int64(header.withoutBlanks).map { .seconds($0) } ?? .forever }
    guard let until = HTTPDate(header, now: now) else { return nil }
    let from = date.flatMap { HTTPDate($0, now: now)?.unixSeconds } ?? now
    let (seconds, overflow) = until.unixSeconds.subtractingReportingOverflow(from)
    return overflow ? (from < 0 ? .forever : .zero) : .seconds(max(0, seconds))
  }

  /// Returns true if the field's value is a number of seconds: digits only.
  public static func isSeconds(_ header: String) -> Bool {
    let text = header.withoutBlanks
    return !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
  }
}

extension Refusal {
  /// A refusal from the answer's status and header fields; `now` is the device's clock, in seconds since 1970.
  public init(status: UInt16, retryAfter: String?, date: String?, location: String?, from address: String, now: Int64) {
    let wish = retryAfter.flatMap { RetryAfter.interval($0, date: date, now: now) }
    self.init(
      status: status, retryAfter: wish, namesMoment: wish != nil && retryAfter.map(RetryAfter.isSeconds) == false,
      redirect: location.map { Redirect(location: $0, from: address) })
  }
}

extension Redirect {
  /// Reads the kind of target from the field `Location` (RFC 9110, section 10.2.2), resolved by RFC 3986, section 5.2.
  ///
  /// An absolute target counts by its scheme; `//host/path` and a path or query keep the scheme of the address.
  /// Unusable: other schemes, no host, an invalid port, a user name or password before the host (RFC 6455, section 3,
  /// does not allow one), blanks, control characters, backslashes and non-ASCII characters.
  public init(location: String, from address: String) {
    let text = location.withoutBlanks
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x21...0x7e ~= $0 && !"\"<>\\^`{|}".utf8.contains($0) }) else {
      self = .unusable
      return
    }
    let (scheme, rest) = Self.split(text)
    let target = scheme ?? Self.split(address[...]).scheme
    guard let target, scheme == nil || rest.hasPrefix("//"), Self.hasGoodHost(rest) else {
      self = .unusable
      return
    }
    switch target {
    case "wss", "https": self = .secure
    case "ws", "http": self = .plain
    default: self = .unusable
    }
  }

  /// The scheme in lower case, and the text after its colon. The scheme is `nil` for a relative reference.
  private static func split(_ text: Substring) -> (scheme: String?, rest: Substring) {
    let name = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    guard let first = name.first, first.isLetter, text[name.endIndex...].hasPrefix(":") else { return (nil, text) }
    return (name.lowercased(), text[name.endIndex...].dropFirst())
  }

  /// Returns true if the authority is a host with or without a port; also true for a reference without an authority.
  private static func hasGoodHost(_ rest: Substring) -> Bool {
    guard rest.hasPrefix("//") else { return true }
    let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    guard !authority.contains("@") else { return false }
    let isBracketed = authority.hasPrefix("[")
    guard let end = isBracketed ? authority.firstIndex(of: "]") : authority.firstIndex(of: ":") ?? authority.endIndex
    else { return false }
    let host = isBracketed ? authority[..<end].dropFirst() : authority[..<end]
    let after = isBracketed ? authority[end...].dropFirst() : authority[end...]
    let isGoodName = host.allSatisfy { isBracketed ? $0.isHexDigit || ":.".contains($0) : !"[]".contains($0) }
    return !host.isEmpty && isGoodName && isPort(after)
  }

  /// Returns true if the text is empty, or a colon and a port. An empty port is the scheme's default (RFC 3986, section
  /// 3.2.3).
  private static func isPort(_ text: Substring) -> Bool {
    guard text.hasPrefix(":") else { return text.isEmpty }
    let digits = text.dropFirst()
    return digits.isEmpty || (digits.allSatisfy(\.isNumber) && (UInt16(digits) ?? 0) > 0)
  }
}
