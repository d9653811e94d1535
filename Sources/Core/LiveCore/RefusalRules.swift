// SPDX-License-Identifier: Apache-2.0
internal import CoreDates

/// The consequence of an answer to the handshake that is not 101.
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

/// The consequences of refused handshakes (statuses of RFC 9110, section 15, and of RFC 6585).
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
  /// - Returns: `dateSpread` where it names a moment to come; nothing where it asks for seconds, or for a moment that
  ///   is past, to which nobody can gather.
  public func spread(after refusal: Refusal) -> Interval {
    guard refusal.namesMoment, let wait = refusal.retryAfter, wait > .zero else { return .zero }
    return dateSpread
  }

  /// The consequence of a refusal by an address to which so many redirects led. Where it is secure, a redirect may not
  /// lead to `ws`.
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

  /// A refusal; a wish by a date may have been told to many.
  @inlinable
  public init(status: UInt16, retryAfter: Interval? = nil, namesMoment: Bool = false, redirect: Redirect? = nil) {
    (self.status, self.retryAfter, self.namesMoment, self.redirect) = (status, retryAfter, namesMoment, redirect)
  }
}

/// The kinds of a redirect's target. The owner of the sockets keeps the address itself.
public enum Redirect: UInt8, Hashable, Sendable, CaseIterable {
  /// `wss` or `https`.
  case secure
  /// `ws` or `http`.
  case plain
  /// No address that a WebSocket could be opened to.
  case unusable
}

/// The field `Retry-After` (RFC 9110, section 10.2.3): how long a server wants to be left alone.
public enum RetryAfter {
  /// Reads the field.
  ///
  /// - Parameters:
  ///   - header: Its value: whole seconds, or a date.
  ///   - date: The value of the answer's own `Date` field. A date to come is measured from it, so that the wrong clock
  ///     of a device does no harm.
  ///   - now: The device's clock, in seconds since 1970, for an answer without a readable `Date`.
  /// - Returns: How long from the answer on: nothing for what is past, and `forever` for more seconds than there are.
  ///   Nil where the value is neither seconds nor a date, as with a sign or a fraction: then there is no wish.
  public static func interval(_ header: String, date: String?, now: Int64) -> Interval? {
    if isSeconds(header) { return Int64(header.withoutBlanks).map { .seconds($0) } ?? .forever }
    guard let until = HTTPDate(header, now: now) else { return nil }
    let from = date.flatMap { HTTPDate($0, now: now)?.unixSeconds } ?? now
    let (seconds, overflow) = until.unixSeconds.subtractingReportingOverflow(from)
    return overflow ? (from < 0 ? .forever : .zero) : .seconds(max(0, seconds))
  }

  /// Whether the field's value is a number of whole seconds, and no date: digits and nothing else.
  public static func isSeconds(_ header: String) -> Bool {
    let text = header.withoutBlanks
    return !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
  }
}

extension Refusal {
  /// A refusal, of the answer's status and the values of its fields; `now` is the device's clock, in seconds since
  /// 1970.
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
  /// A target with its own scheme counts by that; `//host/path` and a path or query keep the scheme of the address.
  /// Unusable: other schemes, no host, a port that is none, a name or password before the host (RFC 6455, section 3,
  /// has no place for one), blanks, control characters, backslashes and whatever is not ASCII.
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

  /// The scheme in small letters, and what follows its colon. Nil where the reference is relative.
  private static func split(_ text: Substring) -> (scheme: String?, rest: Substring) {
    let name = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    guard let first = name.first, first.isLetter, text[name.endIndex...].hasPrefix(":") else { return (nil, text) }
    return (name.lowercased(), text[name.endIndex...].dropFirst())
  }

  /// Whether the authority is a host with or without a port; also where there is no authority, and so the old one.
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

  /// Whether it is nothing, or a colon and a port. An empty port is the scheme's own (RFC 3986, section 3.2.3).
  private static func isPort(_ text: Substring) -> Bool {
    guard text.hasPrefix(":") else { return text.isEmpty }
    let digits = text.dropFirst()
    return digits.isEmpty || (digits.allSatisfy(\.isNumber) && (UInt16(digits) ?? 0) > 0)
  }
}
