// SPDX-License-Identifier: Apache-2.0
internal import CoreDates

/// The number of requests that the service still accepts, per quarter of an hour (beginning at :00, :15, :30 and :45)
/// and per day in UTC. A state machine: the caller passes in the time.
///
/// It never exceeds the limit in any period of the service's clock, provided that a request reaches the service within
/// `margin` of its sending time by this clock, in either direction. Near a boundary of two periods a request therefore
/// counts in both. If the service sends its time (`Date`), a larger clock difference is learnt and corrected.
///
/// The service's count applies where it is higher than the local one: other clients may use the same budget. Their
/// requests between two answers are unknown; the service then refuses requests, and refused requests count, too.
/// Requests from before the budget's creation are unknown until the first answer.
public struct RequestBudget: Hashable, Sendable {
  /// True if a request may be sent.
  public enum Permission: Hashable, Sendable {
    case now
    /// Not before this time; ask again then.
    case at(Moment)
  }

  /// The numbers of requests that the service accepts.
  public struct Limits: Hashable, Sendable {
    /// Requests in each quarter of an hour.
    public let perWindow: Int
    /// Requests in each day.
    public let perDay: Int

    /// Limits from 1 to 10^9; other numbers are clamped.
    public init(perWindow: Int = 100, perDay: Int = 1000) {
      self.perWindow = min(max(perWindow, 1), 1_000_000_000)
      self.perDay = min(max(perDay, 1), 1_000_000_000)
    }

    fileprivate var each: [Int] { [perWindow, perDay] }
  }

  /// One of the service's two budgets: for all requests, and for those that only read.
  private struct Meter: Hashable {
    /// The prefix of its headers' names.
    let header: String
    var limits: Limits?
    /// The requests spent, by quarters of an hour and by days.
    var uses = [PeriodUse(seconds: 900), PeriodUse(seconds: 86_400)]
  }

  /// The largest difference between a request's arrival and its sending time, in either direction, in milliseconds: the
  /// error of the clocks plus the latency.
  public let margin: Int
  /// The limits that apply until the service sends its own.
  public let assumed: Limits
  /// The additional wait after a refusal, beyond the end of the period.
  public let retryDelay: RetryDelay
  /// The least lead of the service's clock over this one that its answers prove, in milliseconds.
  public private(set) var clockDifference = 0
  /// The number of consecutive refusals for a spent budget.
  public private(set) var refusals = 0

  private var meters = [Meter(header: "X-RateLimit"), Meter(header: "X-ReadRateLimit")]
  /// The sending times of unanswered requests.
  private var pending: [Moment] = []
  private var notBefore: Moment?

  /// An unused budget; the margin is clamped to 0 to 450,000 ms.
  public init(
    assumed: Limits = Limits(), margin: Int = 5000, retryDelay: RetryDelay = RetryDelay(first: 2000, maximum: 900_000)
  ) {
    (self.assumed, self.retryDelay) = (assumed, retryDelay)
    self.margin = min(max(margin, 0), 450_000)
  }

  /// The number of unanswered requests.
  public var inFlight: Int { pending.count }

  /// Returns true if a request may be sent now, or the time to ask again, which is later than `now`.
  public func permission(at now: Moment) -> Permission {
    let now = now.bounded
    let moment = firstRoom(from: max(now, notBefore ?? now))
    return moment == now ? .now : .at(moment)
  }

  /// The number of requests left in the current quarter of an hour and day, as far as known; at least 0.
  public func left(at now: Moment) -> Int {
    let (first, last) = arrival(of: now.bounded)
    let left = limited.flatMap { use, limit in
      use.periods(from: first, to: last).map { limit - use.count(in: $0) }
    }
    return max(0, left.min() ?? 0)
  }

  /// Counts a request; call it when the request is sent, not when it is answered.
  public mutating func sent(at now: Moment) {
    let now = now.bounded
    let (first, last) = arrival(of: now)
    forEachUse { $0.addOne(from: first, to: last) }
    pending.append(now)
  }

  /// The first time from `start` on at which every period that a request could fall into has room.
  private func firstRoom(from start: Moment) -> Moment {
    var moment = start
    // Each pass moves beyond a spent period; few periods are stored, and a period without a count has room.
    while let later = endOfSpent(at: moment) { moment = later }
    return moment
  }

  /// The end of the last spent period that a request at `moment` could fall into; `nil` if there is none.
  private func endOfSpent(at moment: Moment) -> Moment? {
    let (first, last) = arrival(of: moment)
    let ends = limited.flatMap { use, limit in
      use.periods(from: first, to: last).filter { use.count(in: $0) >= limit }.map(use.end)
    }
    return ends.max().map { Moment(milliseconds: $0 - clockDifference + margin) }
  }

  /// The limited periods with their limits: those of the service if it has sent any, else the assumed ones.
  private var limited: [(PeriodUse, limit: Int)] {
    let known = meters.filter { $0.limits != nil }
    return (known.isEmpty ? meters : known).flatMap { meter in zip(meter.uses, (meter.limits ?? assumed).each) }
      .map { ($0, limit: $1) }
  }

  /// The earliest and latest arrival of a request by the service's clock, in milliseconds.
  private func arrival(of moment: Moment) -> (first: Int, last: Int) {
    let middle = moment.milliseconds + clockDifference
    return (middle - margin, middle + margin)
  }

  /// The longest `Retry-After` that is honoured, in seconds: a day.
  public static let longestRetryAfter = 86_400

  /// Learns from the answer to a request, or from its absence. Without `sent`, the oldest request is answered. Returns
  /// the headers that could not be parsed; they change nothing.
  @discardableResult
  public mutating func received(_ reply: FeedReply, at now: Moment, sent: Moment? = nil) -> [ClubError] {
    answered(by: reply, at: now.bounded, sent: sent, earliest: nil)
  }

  /// The same as `received` where the answer may belong to an equal request that timed out; `earliest` is the first
  /// sending time of those.
  mutating func answered(by reply: FeedReply, at now: Moment, sent: Moment?, earliest: Moment?) -> [ClubError] {
    // All unanswered requests were sent at this time or later.
    let first = (pending + [earliest].compactMap(\.self)).min()
    if let index = sent.flatMap({ pending.firstIndex(of: $0.bounded) }) ?? pending.indices.first {
      pending.remove(at: index)
    }
    return learn(from: reply, at: now, sentAfter: first ?? now)
  }

  /// Learns from the late answer to a request that was reported as timed out.
  @discardableResult
  public mutating func receivedLate(_ reply: FeedReply, at now: Moment, sent: Moment) -> [ClubError] {
    learn(from: reply, at: now.bounded, sentAfter: min(sent.bounded, pending.min() ?? sent.bounded))
  }

  private mutating func learn(from reply: FeedReply, at now: Moment, sentAfter earliest: Moment) -> [ClubError] {
    guard case .response(let response) = reply else { return [] }
    let head = RateLimitHeaders(response, of: meters.map(\.header), now: now)
    if let date = head.date { setClock(by: date, from: min(earliest, now), to: now) }
    for (index, found) in head.budgets.enumerated() {
      if let limit = found.limit { meters[index].limits = Limits(perWindow: limit[0], perDay: limit[1]) }
      if let usage = found.usage { count(usage, of: index, date: head.date, from: earliest, to: now) }
    }
    switch response.status {
    case 429:
      refusals += 1
      refused(head.retryAfter, at: now)
    case 503:
      if let wait = head.retryAfter { postpone(until: moment(of: wait, at: now)) }
    case 200..<300:
      refusals = 0
    default:
      break
    }
    return head.remarks
  }

  /// Adopts the service's count, plus the requests that it may not have counted yet.
  private mutating func count(_ usage: [Int], of meter: Int, date: Moment?, from earliest: Moment, to now: Moment) {
    // The service writes the date after it counts the request, truncated to seconds.
    let first = (date?.milliseconds ?? earliest.milliseconds + clockDifference) - margin
    let last = date.map { $0.milliseconds + 999 } ?? now.milliseconds + clockDifference + margin
    for (index, spent) in usage.enumerated() {
      for period in meters[meter].uses[index].periods(from: first, to: last) {
        meters[meter].uses[index].raise(period, to: spent + pending.count)
      }
    }
  }

  /// Waits until the spent periods end; if none is known, until the quarter of an hour ends, unless the service asks
  /// for a time.
  private mutating func refused(_ retryAfter: RateLimitHeaders.RetryAfter?, at now: Moment) {
    let delay = retryDelay.delay(after: refusals)
    guard let retryAfter else {
      var free = firstRoom(from: now)
      if free == now {
        // Near a boundary it is unknown in which period the request counted: the later one ends last.
        let period = PeriodUse(seconds: 900)
        let (first, last) = arrival(of: now)
        let end = period.end(of: period.periods(from: first, to: last).upperBound)
        free = Moment(milliseconds: end - clockDifference + margin)
      }
      return postpone(until: free.adding(milliseconds: delay))
    }
    postpone(until: max(moment(of: retryAfter, at: now), now.adding(milliseconds: delay)))
  }

  private mutating func postpone(until moment: Moment) {
    notBefore = max(moment, notBefore ?? moment)
  }

  private func moment(of wait: RateLimitHeaders.RetryAfter, at now: Moment) -> Moment {
    let latest = now.adding(seconds: Self.longestRetryAfter)
    switch wait {
    case .seconds(let seconds):
      return min(latest, now.adding(seconds: min(seconds, Self.longestRetryAfter)))
    case .date(let date):
      return min(latest, max(now, date.adding(milliseconds: margin - clockDifference)))
    }
  }

  /// Changes the clock difference by the least amount that explains a date: the service wrote it between the request
  /// and the answer, truncated to seconds.
  private mutating func setClock(by date: Moment, from earliest: Moment, to now: Moment) {
    let minimum = date.milliseconds - now.milliseconds
    let maximum = date.milliseconds + 999 - earliest.milliseconds
    let proved = min(max(clockDifference, minimum), max(minimum, maximum))
    guard proved != clockDifference else { return }
    let old = now.milliseconds + clockDifference
    clockDifference = proved
    // The margin covers small changes. After a larger one, the earlier counts also apply to the corrected periods,
    // because the sending times are unknown.
    guard abs(now.milliseconds + proved - old) > margin / 2 else { return }
    forEachUse { $0.carry(from: old, to: now.milliseconds + proved) }
  }

  private mutating func forEachUse(_ change: (inout PeriodUse) -> Void) {
    for meter in meters.indices {
      for use in meters[meter].uses.indices { change(&meters[meter].uses[use]) }
    }
  }
}

/// The number of requests in each period of one length, counted from 1970-01-01T00:00:00Z.
private struct PeriodUse: Hashable, Sendable {
  private struct Entry: Hashable {
    let period: Int
    var count: Int
  }

  let length: Int
  /// The most recently changed periods, the latest at the end.
  private var entries: [Entry] = []

  /// Enough for a request at a boundary of two periods under two clocks.
  private static let maxEntries = 8

  init(seconds: Int) {
    length = seconds * 1000
  }

  /// The periods from one time to another.
  func periods(from first: Int, to last: Int) -> ClosedRange<Int> {
    let begin = first.floorDivided(by: length)
    return begin...max(begin, last.floorDivided(by: length))
  }

  func end(of period: Int) -> Int { (period + 1) * length }

  func count(in period: Int) -> Int { entries.first { $0.period == period }?.count ?? 0 }

  mutating func addOne(from first: Int, to last: Int) {
    for period in periods(from: first, to: last) { raise(period, to: count(in: period) + 1) }
  }

  mutating func raise(_ period: Int, to count: Int) {
    let highest = max(count, self.count(in: period))
    entries.removeAll { $0.period == period }
    entries.append(Entry(period: period, count: highest))
    if entries.count > Self.maxEntries { entries.removeFirst() }
  }

  /// Raises the count of the period at `new` to the sum of the counts of the period at `old` and the one before it.
  mutating func carry(from old: Int, to new: Int) {
    let (before, after) = (old.floorDivided(by: length), new.floorDivided(by: length))
    guard before != after else { return }
    raise(after, to: count(in: before) + count(in: before - 1))
  }
}

/// The budget in a response's headers, and the headers that could not be parsed.
private struct RateLimitHeaders {
  /// For each budget, the numbers for the quarter of an hour and for the day.
  private(set) var budgets: [(limit: [Int]?, usage: [Int]?)] = []
  /// The time of the answer by the service's clock, in integer seconds.
  private(set) var date: Moment?
  private(set) var retryAfter: RetryAfter?
  private(set) var remarks: [ClubError] = []

  enum RetryAfter: Hashable {
    case seconds(Int)
    case date(Moment)
  }

  init(_ response: FeedResponse, of names: [String], now: Moment) {
    for name in names {
      let limit = pair(of: response, named: name + "-Limit", minimum: 1)
      budgets.append((limit, pair(of: response, named: name + "-Usage", minimum: 0)))
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

  private mutating func pair(of response: FeedResponse, named name: String, minimum: Int) -> [Int]? {
    guard let text = response[header: name] else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap(Self.number)
    guard parts.count == 2, numbers.count == 2, numbers.allSatisfy({ $0 >= minimum }) else {
      remark(name, text, "two whole numbers from \(minimum), such as 100,1000")
      return nil
    }
    return numbers
  }

  private mutating func remark(_ name: String, _ found: String, _ expected: String) {
    let quoted = found.unicodeScalars.prefix(80).map { $0.escaped(asASCII: true) }.joined()
    remarks.append(.badValue(field: "header \(name)", found: "'\(quoted)'", expected: expected))
  }

  private static func moment(_ text: String, now: Moment) -> Moment? {
    HTTPDate(text, now: Int64(now.seconds)).map { Moment(seconds: Int($0.unixSeconds)) }
  }

  /// ASCII digits with surrounding spaces; numbers above 10^9 are clamped.
  private static func number(_ text: some StringProtocol) -> Int? {
    let digits = text.drop { $0 == " " }.utf8.reversed().drop { $0 == 0x20 }.reversed()
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { min(1_000_000_000, $0 * 10 + Int($1 - 0x30)) }
  }
}
