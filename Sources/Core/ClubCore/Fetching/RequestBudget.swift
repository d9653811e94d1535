// SPDX-License-Identifier: Apache-2.0
internal import CoreDates

/// How many requests the service still accepts: so many per quarter of an hour (which begin at :00, :15, :30 and :45)
/// and so many per day of UTC. A pure state machine: the clock is passed in.
///
/// It never lets more than the limit through in any period of the service's clock, provided that a request reaches the
/// service within `margin` of the moment at which this clock has it sent, either way. Near a seam of two
/// periods a request therefore counts in both. Where the service sends its own time (`Date`), a larger difference is
/// learnt and allowed for.
///
/// The service's count holds where it is higher than what was sent from here: others may spend of the same budget.
/// What they spend between two answers cannot be known; the service then refuses, and refused calls count, too.
/// Nor does a budget know what was sent before it was made, until the first answer.
public struct RequestBudget: Hashable, Sendable {
  /// Whether a request may be sent.
  public enum Permission: Hashable, Sendable {
    case now
    /// Not before that moment; ask again then.
    case at(Moment)
  }

  /// How many requests the service takes.
  public struct Limits: Hashable, Sendable {
    /// Requests in each quarter of an hour.
    public let perWindow: Int
    /// Requests in each day.
    public let perDay: Int

    /// Limits from 1 to 10^9; other numbers are taken to the nearest bound.
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

  /// How far a request's arrival may lie from when it was sent, either way, in milliseconds: the difference of the
  /// clocks, and the way.
  public let margin: Int
  /// The limits that count until the service has sent any limit.
  public let assumed: Limits
  /// The wait after a refusal, on top of the period's end.
  public let retryDelay: RetryDelay
  /// How far the service's clock is ahead of this one, in milliseconds, as far as its answers prove.
  public private(set) var clockDifference = 0
  /// How many answers in a row were refusals for a spent budget.
  public private(set) var refusals = 0

  private var meters = [Meter(header: "X-RateLimit"), Meter(header: "X-ReadRateLimit")]
  /// When the requests were sent that nothing has come back for.
  private var pending: [Moment] = []
  private var notBefore: Moment?

  /// A budget of which nothing is spent; the margin is taken to 0 to 450,000.
  public init(
    assumed: Limits = Limits(), margin: Int = 5000, retryDelay: RetryDelay = RetryDelay(first: 2000, most: 900_000)
  ) {
    (self.assumed, self.retryDelay) = (assumed, retryDelay)
    self.margin = min(max(margin, 0), 450_000)
  }

  /// Requests of which no answer is known.
  public var inFlight: Int { pending.count }

  /// Whether a request may be sent now, or when to ask again, which is always later than `now`.
  public func permission(at now: Moment) -> Permission {
    let now = now.bounded
    let moment = firstRoom(from: max(now, notBefore ?? now))
    return moment == now ? .now : .at(moment)
  }

  /// How many requests may still be sent within the present quarter of an hour and day, as far as is known; at least 0.
  public func left(at now: Moment) -> Int {
    let (first, last) = arrival(of: now.bounded)
    let left = limited.flatMap { use, limit in
      use.periods(from: first, to: last).map { limit - use.count(in: $0) }
    }
    return max(0, left.min() ?? 0)
  }

  /// Counts a request; to be called when it is sent, not when it is answered.
  public mutating func sent(at now: Moment) {
    let now = now.bounded
    let (first, last) = arrival(of: now)
    forEachUse { $0.addOne(from: first, to: last) }
    pending.append(now)
  }

  /// The first moment from one on at which every period that a request could fall into has room.
  private func firstRoom(from start: Moment) -> Moment {
    var moment = start
    // Each turn leaves a spent period behind; few periods are remembered, and one without a count has room.
    while let later = endOfSpent(at: moment) { moment = later }
    return moment
  }

  /// When the last of the spent periods is over that a request of a moment could fall into; nil where there are none.
  private func endOfSpent(at moment: Moment) -> Moment? {
    let (first, last) = arrival(of: moment)
    let ends = limited.flatMap { use, limit in
      use.periods(from: first, to: last).filter { use.count(in: $0) >= limit }.map(use.end)
    }
    return ends.max().map { Moment(milliseconds: $0 - clockDifference + margin) }
  }

  /// The limited periods, each with its limit: by the budgets that the service has sent limits for, or by the assumed
  /// ones.
  private var limited: [(PeriodUse, limit: Int)] {
    let known = meters.filter { $0.limits != nil }
    return (known.isEmpty ? meters : known).flatMap { meter in zip(meter.uses, (meter.limits ?? assumed).each) }
      .map { ($0, limit: $1) }
  }

  /// When a request may arrive, by the service's clock, in milliseconds.
  private func arrival(of moment: Moment) -> (first: Int, last: Int) {
    let middle = moment.milliseconds + clockDifference
    return (middle - margin, middle + margin)
  }

  /// The longest wait that is granted to `Retry-After`, in seconds: a day.
  public static let longestRetryAfter = 86_400

  /// Learns from what came back for a request, or that nothing did. Without `sent` the oldest request is meant. Returns
  /// what could not be read in the answer's head, which changes nothing.
  @discardableResult
  public mutating func received(_ reply: FeedReply, at now: Moment, sent: Moment? = nil) -> [ClubError] {
    answered(by: reply, at: now.bounded, sent: sent, earliest: nil)
  }

  /// As `received`, where an answer may also be that to a like request that was given up, the first of which was sent
  /// at `earliest`.
  mutating func answered(by reply: FeedReply, at now: Moment, sent: Moment?, earliest: Moment?) -> [ClubError] {
    // Whatever is still on its way was sent no earlier than this.
    let first = (pending + [earliest].compactMap(\.self)).min()
    if let index = sent.flatMap({ pending.firstIndex(of: $0.bounded) }) ?? pending.indices.first {
      pending.remove(at: index)
    }
    return learn(from: reply, at: now, sentAfter: first ?? now)
  }

  /// Learns from the answer to a request that was reported as timed out before.
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

  /// Takes over what the service has counted: that, and what it may not have seen yet.
  private mutating func count(_ usage: [Int], of meter: Int, date: Moment?, from earliest: Moment, to now: Moment) {
    // The answer is dated after it was counted, and the date has lost its fraction.
    let first = (date?.milliseconds ?? earliest.milliseconds + clockDifference) - margin
    let last = date.map { $0.milliseconds + 999 } ?? now.milliseconds + clockDifference + margin
    for (index, spent) in usage.enumerated() {
      for period in meters[meter].uses[index].periods(from: first, to: last) {
        meters[meter].uses[index].raise(period, to: spent + pending.count)
      }
    }
  }

  /// Waits for the end of what is spent; where nothing is known to be, for the end of the quarter of an hour, unless
  /// the service itself asks for a time.
  private mutating func refused(_ retryAfter: RateLimitHeaders.RetryAfter?, at now: Moment) {
    let delay = retryDelay.delay(after: refusals)
    guard let retryAfter else {
      var free = firstRoom(from: now)
      if free == now {
        // Which of both periods it fell into near a seam is not known: the later one is over last.
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

  /// Moves the difference of the clocks by the least that explains a date: the service wrote it between the request and
  /// the answer, and left out the fraction of the second.
  private mutating func setClock(by date: Moment, from earliest: Moment, to now: Moment) {
    let least = date.milliseconds - now.milliseconds
    let most = date.milliseconds + 999 - earliest.milliseconds
    let proved = min(max(clockDifference, least), max(least, most))
    guard proved != clockDifference else { return }
    let old = now.milliseconds + clockDifference
    clockDifference = proved
    // The margin covers small steps already. What was counted by a clock that was wrong by more counts by the right one
    // as well, for it is not known when it was sent.
    guard abs(now.milliseconds + proved - old) > margin / 2 else { return }
    forEachUse { $0.carry(from: old, to: now.milliseconds + proved) }
  }

  private mutating func forEachUse(_ change: (inout PeriodUse) -> Void) {
    for meter in meters.indices {
      for use in meters[meter].uses.indices { change(&meters[meter].uses[use]) }
    }
  }
}

/// How many requests fell into each period of one length, periods being counted from 1970-01-01T00:00:00Z.
private struct PeriodUse: Hashable, Sendable {
  private struct Entry: Hashable {
    let period: Int
    var count: Int
  }

  let length: Int
  /// The periods touched last, the latest touched at the end.
  private var entries: [Entry] = []

  /// Enough for a request at a seam of two periods under two clocks.
  private static let mostEntries = 8

  init(seconds: Int) {
    length = seconds * 1000
  }

  /// The periods that two moments and all between them lie in.
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
    if entries.count > Self.mostEntries { entries.removeFirst() }
  }

  /// Gives the period at a moment at least the count of another moment's period and of the one before it.
  mutating func carry(from old: Int, to new: Int) {
    let (before, after) = (old.floorDivided(by: length), new.floorDivided(by: length))
    guard before != after else { return }
    raise(after, to: count(in: before) + count(in: before - 1))
  }
}

/// The budget as a response's headers state it, and the headers that cannot be read.
private struct RateLimitHeaders {
  /// For each budget numbers for the quarter of an hour and for the day.
  private(set) var budgets: [(limit: [Int]?, usage: [Int]?)] = []
  /// When the service answered, by its own clock, in whole seconds.
  private(set) var date: Moment?
  private(set) var retryAfter: RetryAfter?
  private(set) var remarks: [ClubError] = []

  enum RetryAfter: Hashable {
    case seconds(Int)
    case date(Moment)
  }

  init(_ response: FeedResponse, of names: [String], now: Moment) {
    for name in names {
      let limit = pair(of: response, named: name + "-Limit", least: 1)
      budgets.append((limit, pair(of: response, named: name + "-Usage", least: 0)))
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

  private mutating func pair(of response: FeedResponse, named name: String, least: Int) -> [Int]? {
    guard let text = response[header: name] else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap(Self.number)
    guard parts.count == 2, numbers.count == 2, numbers.allSatisfy({ $0 >= least }) else {
      remark(name, text, "two whole numbers from \(least), such as 100,1000")
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

  /// Digits of ASCII with spaces around them; larger numbers than 10^9 are that.
  private static func number(_ text: some StringProtocol) -> Int? {
    let digits = text.drop { $0 == " " }.utf8.reversed().drop { $0 == 0x20 }.reversed()
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { min(1_000_000_000, $0 * 10 + Int($1 - 0x30)) }
  }
}
