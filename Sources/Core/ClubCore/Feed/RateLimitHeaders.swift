// SPDX-License-Identifier: Apache-2.0
internal import CoreDates

/// What a response's head says of the budget, and what of it cannot be read.
struct RateLimitHeaders {
  /// Numbers for the quarter of an hour and for the day.
  struct Pair: Hashable {
    let window: Int
    let day: Int
  }

  /// One of the service's two budgets: for all requests, and for those that only read.
  enum Kind: CaseIterable {
    case overall, reading

    var prefix: String { self == .overall ? "X-RateLimit" : "X-ReadRateLimit" }
  }

  private(set) var limits: [Kind: Pair] = [:]
  private(set) var usage: [Kind: Pair] = [:]
  /// When the service answered, by its own clock, in whole seconds.
  private(set) var date: Moment?
  /// What `Retry-After` asks for.
  private(set) var retryAfter: RetryAfter?
  private(set) var remarks: [ClubError] = []

  enum RetryAfter: Hashable {
    /// So many seconds after the answer.
    case seconds(Int)
    /// That moment by the service's clock.
    case date(Moment)
  }

  init(_ response: FeedResponse, now: Moment) {
    for kind in Kind.allCases {
      limits[kind] = pair(of: response, named: kind.prefix + "-Limit", least: 1)
      usage[kind] = pair(of: response, named: kind.prefix + "-Usage", least: 0)
    }
    if let text = response[header: "Date"] {
      date = Self.moment(text, now: now)
      if date == nil { remark("Date", text, "a date such as Sun, 06 Nov 1994 08:49:37 GMT") }
    }
    if let text = response[header: "Retry-After"] {
      retryAfter = Self.number(text).map(RetryAfter.seconds) ?? Self.moment(text, now: now).map(RetryAfter.date)
      if retryAfter == nil { remark("Retry-After", text, "seconds, or a date such as Sun, 06 Nov 1994 08:49:37 GMT") }
    }
  }

  private mutating func pair(of response: FeedResponse, named name: String, least: Int) -> Pair? {
    guard let text = response[header: name] else { return nil }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.number)
    guard numbers.count == 2, let window = numbers[0], let day = numbers[1], window >= least, day >= least else {
      remark(name, text, "two whole numbers from \(least), such as 100,1000")
      return nil
    }
    return Pair(window: window, day: day)
  }

  private mutating func remark(_ name: String, _ found: String, _ expected: String) {
    let quoted = found.unicodeScalars.prefix(80).map { $0.escaped(asASCII: true) }.joined()
    remarks.append(.badValue(field: "header \(name)", found: "'\(quoted)'", expected: expected))
  }

  private static func moment(_ text: String, now: Moment) -> Moment? {
    HTTPDate(text, now: Int64(now.seconds)).map { Moment(seconds: Int($0.unixSeconds)) }
  }

  /// Digits of ASCII with spaces around them; larger numbers than 10^9 are that.
  private static func number(_ text: some StringProtocol) -> Int? {
    let digits = text.drop { $0 == " " }.utf8.reversed().drop { $0 == 0x20 }.reversed()
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { min(1_000_000_000, $0 * 10 + Int($1 - 0x30)) }
  }
}
