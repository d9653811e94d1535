// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("Where a redirect leads")
struct RedirectTests {
  private let secure = "wss://scores.example:8443/live?team=9"
  private let plain = "ws://scores.example/live"

  @Test(
    "a target is secure or plain by its scheme, in upper or lower case",
    arguments: [
      ("wss://other.example/live", Redirect.secure), ("https://other.example", .secure),
      ("WSS://other.example", .secure), ("ws://other.example/live", .plain), ("http://other.example", .plain),
      ("HTTP://other.example:80/", .plain), ("ftp://other.example", .unusable), ("javascript:alert(1)", .unusable),
      ("wss:other", .unusable), ("wss:/other", .unusable), ("mailto:a@b.example", .unusable),
      ("ws+unix://a.example", .unusable), ("wss.x://a.example", .unusable), ("h2://a.example", .unusable),
      ("wss-1://a.example", .unusable), ("wssx://a.example", .unusable), ("wss://a.example?u@b", .secure),
      ("wss://a.example#u@b", .secure), ("wss://a.example/u@b:x", .secure), ("wss://a.example:443?x:y#[z]", .secure),
    ])
  func absolute(location: String, expected: Redirect) {
    #expect(Redirect(location: location, from: secure) == expected)
    #expect(Redirect(location: location, from: plain) == expected)
  }

  @Test(
    "a target without a scheme has that of the address",
    arguments: ["//other.example/live", "/live/2", "2", "../live", "?team=10", "#top", "./a:b", "//other.example:8443"])
  func relative(location: String) {
    #expect(Redirect(location: location, from: secure) == .secure)
    #expect(Redirect(location: location, from: plain) == .plain)
    #expect(Redirect(location: location, from: "scores.example") == .unusable)
  }

  @Test(
    "a target without a host, with a bad port or with user information is unusable",
    arguments: [
      "wss://", "wss:///live", "//", "wss://:443/live", "wss://a.example:0/", "wss://a.example:65536/",
      "wss://a.example:+443", "wss://a.example:4a3", "wss://a.example:-1/", "wss://a.example:1:2/",
      "wss://token@a.example/", "//u:p@a.example/", "wss://[::1", "wss://[]/", "wss://[::1]x/", "wss://a]b/",
      "wss://[g::1]/", "wss://[::1]:0/", "wss://[::1]:65536/", "wss://[fe80::1%25en0]/", "wss://[::1]443/",
      "wss://[a/", "wss://a]/",
    ])
  func badAuthority(location: String) {
    #expect(Redirect(location: location, from: secure) == .unusable)
  }

  @Test(
    "IP addresses, ports up to 65535 and empty ports are usable",
    arguments: [
      "[2001:db8::1]:8443/live", "[::1]", "192.0.2.7:1/", "a.example:/live", "[::ffff:192.0.2.7]/",
      "[2001:DB8::aF]:1/", "[::1]:65535/", "192.0.2.7:65535/",
    ])
  func goodAuthority(authority: String) {
    #expect(Redirect(location: "wss://\(authority)", from: plain) == .secure)
  }

  @Test("a text that begins with a digit or a sign is a path, not a scheme", arguments: ["1a://x", "+ws://x", "-:x"])
  func noScheme(location: String) {
    #expect(Redirect(location: location, from: secure) == .secure)
    #expect(Redirect(location: location, from: plain) == .plain)
  }

  @Test("a character that no reference may hold makes it unusable", arguments: Array("\"<>\\^`{|}\u{7f}\u{1f} \u{80}"))
  func forbidden(sign: Character) {
    #expect(Redirect(location: "wss://a.example/x\(sign)y", from: secure) == .unusable)
    #expect(Redirect(location: "/x\(sign)y", from: secure) == .unusable)
  }

  @Test("a character that a reference may hold leaves it usable", arguments: Array("!#$%&'()*+,-./:;=?@_~[]azAZ09"))
  func allowed(sign: Character) {
    #expect(Redirect(location: "/x\(sign)y", from: secure) == .secure)
  }

  @Test(
    "blanks within, control characters, backslashes and non-ASCII letters make it unusable",
    arguments: ["", "  ", "wss://a.example/a b", "/a\r\nSet-Cookie: x", "\\\\other.example", "/caf\u{e9}", "/a\u{0}b"])
  func badCharacters(location: String) {
    #expect(Redirect(location: location, from: secure) == .unusable)
    #expect(Redirect(location: " \t/live \t", from: secure) == .secure)
  }

  @Test("no text traps, and from a plain address only a secure target is secure")
  func anyText() {
    let pieces = [
      "wss", "ws", "https", ":", "//", "/", "@", "[", "]", "a.example", "443", "?", "#", " ", "\u{301}", "%",
    ]
    for seed in 0..<2_000 as Range<UInt64> {
      var words = SplitMix64(seed: seed)
      let text = (0..<words.below(8)).map { _ in pieces[words.below(pieces.count)] }.joined()
      if Redirect(location: text, from: plain) == .secure {
        #expect(text.hasPrefix("wss://") || text.hasPrefix("https://"), "\(text)")
      }
    }
  }
}

@Suite("Every HTTP status")
struct AnyStatusTests {
  private func verdict(_ status: Int, _ refusal: (UInt16) -> Refusal) -> RefusalVerdict {
    RefusalRules().verdict(on: refusal(UInt16(status)), isSecure: true, redirects: 0)
  }

  /// The statuses of RFC 9110, section 15, and RFC 6585 after which the same request may fare better.
  private static let passing = Set([408, 421, 425, 429] + Array(500...599))
  private static let redirecting: Set<Int> = [301, 302, 303, 307, 308]

  @Test("without a header, 3xx and most 4xx are final, and other statuses are tried again")
  func bare() {
    for status in 0...999 { #expect(verdict(status) { Refusal(status: $0) } == Self.bare(status), "\(status)") }
  }

  private static func bare(_ status: Int) -> RefusalVerdict {
    switch status {
    case 401: .refreshCredentials
    case 300...499 where !passing.contains(status): .never
    default: .retry
    }
  }

  @Test("Retry-After counts only for statuses after which another attempt may succeed")
  func retryAfter() {
    for status in 0...999 {
      for wait in [Interval.zero, .seconds(9)] {
        let found = verdict(status) { Refusal(status: $0, retryAfter: wait) }
        #expect(found == (Self.passing.contains(status) ? .retryAfter(wait) : Self.bare(status)), "\(status)")
      }
    }
  }

  @Test("Location counts only for the five statuses that redirect a GET")
  func location() {
    for status in 0...999 {
      let found = verdict(status) { Refusal(status: $0, redirect: .secure) }
      #expect((found == .redirect) == Self.redirecting.contains(status), "\(status)")
    }
  }

  @Test("the rules bound Retry-After and the redirects in a row")
  func bounds() {
    var rules = RefusalRules()
    #expect(rules.longestWait == .seconds(3_600) && rules.redirectLimit == 5)
    (rules.longestWait, rules.redirectLimit) = (.seconds(60), 0)
    for (wish, honoured) in [
      (Interval.seconds(61), Interval.seconds(60)), (.forever, .seconds(60)), (.seconds(-5), .zero),
    ] {
      let busy = Refusal(status: 503, retryAfter: wish)
      #expect(rules.verdict(on: busy, isSecure: true, redirects: 0) == .retryAfter(honoured))
    }
    let moved = Refusal(status: 308, redirect: .secure)
    #expect(rules.verdict(on: moved, isSecure: true, redirects: 0) == .never, "where none is to be followed")
  }

  @Test("a date in Retry-After is read by the answer's Date or else the device's clock, Location by the address")
  func fields() {
    let date = "Sat, 21 Nov 2026 18:02:00 GMT"
    let read = { (own: String?, now: Int64) in
      Refusal(status: 503, retryAfter: date, date: own, location: "//b.example", from: "ws://a.example", now: now)
    }
    let wished = Refusal(status: 503, retryAfter: .seconds(120), namesMoment: true, redirect: .plain)
    #expect(read("Sat, 21 Nov 2026 18:00:00 GMT", 0) == wished)
    #expect(read(nil, 1_795_284_000) == wished)
    let bare = Refusal(status: 500, retryAfter: nil, date: nil, location: nil, from: "wss://scores.example", now: 0)
    #expect(bare == Refusal(status: 500))
  }
}

@Suite("Retry-After")
struct RetryAfterTests {
  /// 2026-11-21 18:00:00 UTC.
  private static let now: Int64 = 1_795_284_000

  private func wait(_ header: String, date: String? = nil) -> Interval? {
    RetryAfter.interval(header, date: date, now: Self.now)
  }

  @Test("a number is a length in seconds")
  func seconds() {
    #expect(wait("120") == .seconds(120))
    #expect(wait(" 0 ") == .zero)
    #expect(wait("007") == .seconds(7))
  }

  @Test("a number too large is forever, and the rules bound it")
  func enormous() {
    for header in ["9999999999", "9223372036854775807", "9223372036854775808", String(repeating: "9", count: 10_000)] {
      #expect(wait(header) == .forever || header == "9999999999")
      let refusal = Refusal(status: 503, retryAfter: wait(header))
      #expect(
        RefusalRules().verdict(on: refusal, isSecure: true, redirects: 0) == .retryAfter(RefusalRules().longestWait))
    }
  }

  @Test(
    "a value that is neither seconds nor a date is ignored",
    arguments: ["", " ", "-5", "+5", "1.5", "5s", "soon", "\u{665}"])
  func noWish(header: String) {
    #expect(wait(header) == nil)
  }

  @Test("without a readable Date the device's clock is used")
  func deviceClock() {
    #expect(wait("Sat, 21 Nov 2026 18:00:30 GMT") == .seconds(30))
    #expect(wait("Sat, 21 Nov 2026 18:00:30 GMT", date: "today") == .seconds(30))
  }

  @Test("a date names a moment, seconds and unreadable values do not")
  func moments() {
    func names(_ header: String?) -> Bool {
      Refusal(status: 503, retryAfter: header, date: nil, location: nil, from: "wss://live.example", now: Self.now)
        .namesMoment
    }
    #expect(names("Sat, 21 Nov 2026 18:02:00 GMT") && names(" Sun, 06 Nov 1994 08:49:37 GMT\t"))
    for header in ["120", " 0 ", "99999999999999999999", "", "soon", "-5"] { #expect(!names(header), "\(header)") }
    #expect(!names(nil))
  }

  @Test("only a date in the future is spread")
  func spread() {
    var rules = RefusalRules()
    rules.dateSpread = .seconds(7)
    func spread(_ wait: Interval?, _ namesMoment: Bool) -> Interval {
      rules.spread(after: Refusal(status: 503, retryAfter: wait, namesMoment: namesMoment))
    }
    #expect(spread(.seconds(1), true) == .seconds(7))
    #expect(spread(.seconds(1), false) == .zero && spread(.zero, true) == .zero && spread(nil, true) == .zero)
  }

  @Test("a past date is no wait, and no clock traps")
  func past() {
    #expect(wait("Sun, 06 Nov 1994 08:49:37 GMT") == .zero)
    #expect(RetryAfter.interval("Sun, 06 Nov 1994 08:49:37 GMT", date: nil, now: .max) == .zero)
    #expect(RetryAfter.interval("Sun, 06 Nov 1994 08:49:37 GMT", date: nil, now: .min) == .forever)
  }
}
