// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import CoreDates
internal import Randomness

/// The feed without faults: its order, its depth, its latency and its limits.
struct ServiceShape: Hashable, Sendable {
  /// The meaning of "newest first".
  enum Order: String, CaseIterable, Sendable {
    /// By start: an activity that is uploaded late appears further down.
    case start
    /// By upload.
    case upload
    /// By upload from page to page, and by start within a page, as recorded pages show.
    case uploadInPages = "upload in pages"
  }

  var order = Order.uploadInPages
  /// The most activities in the whole listing; older ones are not listed.
  var depth = 200
  var perQuarterHour = 100
  var perDay = 1000
  /// The latency of an answer, in milliseconds.
  var latency = 400
}

/// A virtual service that answers with the bytes of a feed, built on the ground truth.
///
/// The listing depends on the moment alone, so a page can be answered for any moment: an outdated copy is the same
/// service at an earlier one.
struct VirtualFeedService: ~Copyable {
  struct Answer {
    let reply: FeedReply
    /// The delay in milliseconds.
    let delay: Int
    /// Nil if the service was unreachable.
    var notice: RequestCount.Notice?
  }

  let shape: ServiceShape
  let faults: FaultMix
  let history: FeedHistory
  let others: OtherUsers
  let outages: [Range<Moment>]
  private(set) var count: RequestCount

  /// Places of the rides, newest first.
  private let order: [Int]
  private var rows: [[[UInt8]]]
  private var chances: Chances
  private var failuresLeft = 0

  init(
    _ history: FeedHistory, shape: ServiceShape, faults: FaultMix, within span: Range<Moment>, generator: String,
    seeds: (answers: UInt32, others: UInt32)
  ) throws(RandomnessError) {
    let others = try OtherUsers(
      faults[.otherUsers], shape: shape, within: span, generator: generator, seed: seeds.others)
    var chances = try Chances(named: generator, seed: seeds.answers)
    outages = Self.outages(faults[.outages], within: span, &chances)
    (self.history, self.shape, self.faults, self.others) = (history, shape, faults, others)
    count = RequestCount(shape)
    let keys = history.rides.map { $0.key(shape.order) }
    order = history.rides.indices.sorted { (keys[$0], $0) > (keys[$1], $1) }
    rows = Array(repeating: [], count: history.rides.count)
    self.chances = chances
  }

  private static func outages(
    _ fault: FeedFault?, within span: Range<Moment>, _ chances: inout Chances
  ) -> [Range<Moment>] {
    ((span.lowerBound.seconds / 86_400)...(span.upperBound.seconds / 86_400)).compactMap { day in
      let draw = chances.draw()
      guard let fault = draw.happening(fault) else { return nil }
      let from = Moment(seconds: day * 86_400 + Int(draw.uniform * 86_400))
      return from..<from.adding(seconds: Int(fault.size * 60))
    }
  }

  /// Visits the places of rides, newest first, until `maximum` are listed; unlisted rides are deleted, hidden or not
  /// uploaded yet.
  func walk(at moment: Moment, atMost maximum: Int, visit: (Int, Bool) -> Void) {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if history.rides[order[middle]].key(shape.order) > moment { low = middle + 1 } else { high = middle }
    }
    var left = min(maximum, shape.depth)
    while low < order.count, left > 0 {
      let isListed = history.rides[order[low]].isVisible(at: moment)
      if isListed { left -= 1 }
      visit(order[low], isListed)
      low += 1
    }
  }

  /// The places of a page's rides, newest first. Rows left out count towards `perPage`.
  func page(_ number: Int, perPage: Int, at moment: Moment) -> [Int] {
    let rows = ((number - 1) * perPage)..<(number * perPage)
    var page: [Int] = []
    page.reserveCapacity(perPage)
    var row = 0
    walk(at: moment, atMost: rows.upperBound) { ride, isListed in
      guard isListed else { return }
      if rows.contains(row) { page.append(ride) }
      row += 1 + history.rides[ride].rowsLeftOut
    }
    guard shape.order == .uploadInPages else { return page }
    let rides = history.rides
    return page.enumerated().sorted {
      (rides[$0.1].start.milliseconds, $1.0) > (rides[$1.1].start.milliseconds, $0.0)
    }.map(\.1)
  }
}

extension VirtualFeedService {
  mutating func answer(_ request: FeedRequest, at moment: Moment) -> Answer {
    let (fate, stale) = (chances.draw(), chances.draw())
    let delay = max(1, Int((0.5 + fate.uniform) * Double(shape.latency)))
    if outages.contains(where: { $0.contains(moment) }) {
      return Answer(reply: .unreachable(reason: "connection refused"), delay: delay)
    }
    let used = count.count(at: moment, others: others.used(at: moment))
    guard used.quarterHour <= shape.perQuarterHour, used.day <= shape.perDay else {
      let seconds =
        used.day > shape.perDay
        ? 86_400 - moment.seconds % 86_400 : OtherUsers.window - moment.seconds % OtherUsers.window
      return refusal(used, at: moment, delay, retryAfter: fate.exponential < 0.7 ? seconds : nil)
    }
    if failuresLeft > 0 {
      failuresLeft -= 1
      return failure(used, at: moment, delay, fate)
    }
    switch failing(fate.whether) {
    case .refusals?:
      let seconds = Int(faults[.refusals]?.size ?? 60)
      return refusal(used, at: moment, delay, retryAfter: fate.exponential < 0.7 ? seconds : nil)
    case .serverErrors?:
      failuresLeft = Int(faults[.serverErrors]?.size ?? 1) - 1
      return failure(used, at: moment, delay, fate)
    case .timeouts?:
      let late = Int((faults[.timeouts]?.size ?? 45) * 1000)
      return respond(200, body(request, at: moment, stale), used, at: moment, late)
    case .refusedTokens?:
      return respond(401, Array(#"{"message":"Authorization Error","errors":[]}"#.utf8), used, at: moment, delay)
    case .garbageBodies?:
      return respond(200, garbage(fate), used, at: moment, delay)
    case .truncatedBodies?:
      let page = body(request, at: moment, stale)
      let missing = fate.count(to: faults[.truncatedBodies]?.size ?? 1)
      return respond(200, Array(page.dropLast(missing)), used, at: moment, delay)
    default:
      return respond(200, body(request, at: moment, stale), used, at: moment, delay)
    }
  }

  /// Records an answer's notice, which binds the fetcher only from when it receives it.
  mutating func delivered(_ answer: Answer, at moment: Moment) {
    if let notice = answer.notice { count.record(notice, at: moment) }
  }

  private func failing(_ whether: Double) -> FeedFault.Kind? {
    var sum = 0.0
    for fault in faults.faults where fault.kind.replacesAnswers {
      sum += fault.rate
      if whether < sum { return fault.kind }
    }
    return nil
  }

  private mutating func body(_ request: FeedRequest, at moment: Moment, _ stale: Chances.Draw) -> [UInt8] {
    let lag = stale.happening(faults[.stalePages]).map { Int(stale.uniform * $0.size * 1000) } ?? 0
    let seen = moment.adding(milliseconds: -lag)
    var body: [UInt8] = [UInt8(ascii: "[")]
    body.reserveCapacity(request.perPage * 280 + 2)
    for ride in page(request.page, perPage: request.perPage, at: seen) {
      if body.count > 1 { body.append(UInt8(ascii: ",")) }
      body += row(ride, at: seen)
    }
    body.append(UInt8(ascii: "]"))
    return body
  }

  /// The bytes of a ride, encoded once for each of its versions.
  private mutating func row(_ ride: Int, at moment: Moment) -> [UInt8] {
    let truth = history.rides[ride]
    if rows[ride].isEmpty {
      let respelling = history.respellings[truth.person]
      rows[ride] = truth.versions.map { version in
        let spaces = respelling.map { version.from >= $0.from ? $0.spaces : 0 } ?? 0
        return Self.row(version.activity, spaces: spaces)
      }
    }
    return rows[ride][truth.version(at: moment)]
  }

  /// An activity's JSON object with extra spaces after the first name.
  private static func row(_ activity: Activity, spaces: Int) -> [UInt8] {
    let bytes = activity.json
    guard spaces > 0 else { return bytes }
    // A quote inside a name is escaped, so these bytes mark the end of the first name.
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.firstRange(of: #"","lastname":""#) else { return bytes }
    return Array((text[..<end.lowerBound] + String(repeating: " ", count: spaces) + text[end.lowerBound...]).utf8)
  }
}

extension VirtualFeedService {
  private typealias Used = (quarterHour: Int, day: Int)

  private mutating func respond(
    _ status: Int, _ body: [UInt8], _ used: Used, at moment: Moment, _ delay: Int, retryAfter: Int? = nil
  ) -> Answer {
    var headers = [
      FeedResponse.Header("Content-Type", "application/json; charset=utf-8"),
      FeedResponse.Header("Date", "\(HTTPDate(unixSeconds: Int64(moment.seconds)))"),
      FeedResponse.Header("X-Ratelimit-Usage", "\(used.quarterHour),\(used.day)"),
      FeedResponse.Header("X-Ratelimit-Limit", "\(shape.perQuarterHour * 2),\(shape.perDay * 2)"),
      FeedResponse.Header("X-Readratelimit-Limit", "\(shape.perQuarterHour),\(shape.perDay)"),
      FeedResponse.Header("X-Readratelimit-Usage", "\(used.quarterHour),\(used.day)"),
    ]
    if let retryAfter { headers.append(FeedResponse.Header("Retry-After", "\(retryAfter)")) }
    return Answer(
      reply: .response(FeedResponse(status: status, headers: headers, body: body)), delay: delay,
      notice: RequestCount.Notice(used: used, counted: moment, retryAfter: retryAfter))
  }

  private mutating func refusal(_ used: Used, at moment: Moment, _ delay: Int, retryAfter: Int?) -> Answer {
    let body =
      #"{"message":"Rate Limit Exceeded","errors":[{"resource":"Application","field":"read rate limit","#
      + #""code":"exceeded"}]}"#
    return respond(429, Array(body.utf8), used, at: moment, delay, retryAfter: retryAfter)
  }

  private mutating func failure(_ used: Used, at moment: Moment, _ delay: Int, _ draw: Chances.Draw) -> Answer {
    let status = [500, 502, 503, 504][min(3, Int(draw.uniform * 4))]
    return respond(status, Array("<html><body>\(status)</body></html>".utf8), used, at: moment, delay)
  }

  /// A wrong body: random bytes, an error page, an error object with status 200, or an object instead of a list.
  private func garbage(_ draw: Chances.Draw) -> [UInt8] {
    let length = Int(faults[.garbageBodies]?.size ?? 1)
    switch Int(draw.uniform * 4) {
    case 0:
      guard var words = try? RandomWords(seed: UInt32(draw.exponential * 1e8)) else { return [] }
      return (0..<length).map { _ in UInt8(truncatingIfNeeded: words.next() >> 56) }
    case 1: return Array("<!doctype html><title>Down for maintenance</title>".utf8)
    case 2: return Array(#"{"message":"Internal error","errors":[]}"#.utf8)
    default: return Array("{}".utf8)
    }
  }
}

/// The service's own count of our requests by its own clock; it includes rejected ones, as the real one does.
struct RequestCount: Sendable {
  /// The budget that an answer states.
  struct Notice: Sendable {
    /// The used requests, including the answered one.
    let used: (quarterHour: Int, day: Int)
    let counted: Moment
    let retryAfter: Int?
  }

  private(set) var sent = 0
  /// Requests in a window that our own requests had exhausted, or that an answer had reported as exhausted.
  private(set) var violations = 0
  /// Requests sent before `Retry-After` was over.
  private(set) var retryAfterViolations = 0
  private(set) var maxInQuarterHour = 0
  private(set) var maxInDay = 0

  private let shape: ServiceShape
  private var (window, day, inWindow, inDay) = (Int.min, Int.min, 0, 0)
  private var (fullWindow, fullDay) = (Int.min, Int.min)
  private var allowedFrom = Moment(milliseconds: .min)

  init(_ shape: ServiceShape) {
    self.shape = shape
  }

  mutating func count(at moment: Moment, others: (quarterHour: Int, day: Int)) -> (quarterHour: Int, day: Int) {
    let (window, day) = (OtherUsers.window(of: moment), moment.seconds / 86_400)
    if window != self.window { (self.window, inWindow) = (window, 0) }
    if day != self.day { (self.day, inDay) = (day, 0) }
    if inWindow >= shape.perQuarterHour || inDay >= shape.perDay || window == fullWindow || day == fullDay {
      violations += 1
    }
    if moment < allowedFrom { retryAfterViolations += 1 }
    (sent, inWindow, inDay) = (sent + 1, inWindow + 1, inDay + 1)
    (maxInQuarterHour, maxInDay) = (max(maxInQuarterHour, inWindow), max(maxInDay, inDay))
    return (inWindow + others.quarterHour, inDay + others.day)
  }

  /// A notice after a period's end has no effect.
  mutating func record(_ notice: Notice, at moment: Moment) {
    if notice.used.quarterHour >= shape.perQuarterHour {
      fullWindow = max(fullWindow, OtherUsers.window(of: notice.counted))
    }
    if notice.used.day >= shape.perDay { fullDay = max(fullDay, notice.counted.seconds / 86_400) }
    if let seconds = notice.retryAfter { allowedFrom = max(allowedFrom, moment.adding(seconds: seconds)) }
  }
}

/// The part of a service's budget that others use, by quarter of an hour.
struct OtherUsers: Sendable {
  static let window = 900

  private let first: Int
  /// For each window: the others' requests in it, the share of the window after which they exhaust it (nil if they do
  /// not), and their requests since midnight before it.
  private let windows: [(total: Int, fullFrom: Double?, before: Int)]
  private let shape: ServiceShape

  init(
    _ fault: FeedFault?, shape: ServiceShape, within span: Range<Moment>, generator: String, seed: UInt32
  ) throws(RandomnessError) {
    self.shape = shape
    first = Self.window(of: span.lowerBound)
    guard let fault else {
      windows = []
      return
    }
    let count = Self.window(of: span.upperBound) - first + 1
    var source = try GSLGenerator(named: generator, seed: seed)
    let `default` = try PoissonDistribution(mean: max(fault.size, 1e-9))
    let uniform = try UniformDistribution(from: 0, to: 1)
    var windows: [(total: Int, fullFrom: Double?, before: Int)] = []
    var today = 0
    for index in 0..<count {
      if (first + index) % 96 == 0 { today = 0 }
      let isFull = uniform.sample(using: &source) < fault.rate
      let (from, some) = (uniform.sample(using: &source), `default`.sample(using: &source))
      let total = isFull ? shape.perQuarterHour : min(some, shape.perQuarterHour)
      windows.append((total, isFull ? from : nil, today))
      today += total
    }
    self.windows = windows
  }

  static func window(of moment: Moment) -> Int { moment.seconds / window }

  func used(at moment: Moment) -> (quarterHour: Int, day: Int) {
    let index = Self.window(of: moment) - first
    guard windows.indices.contains(index) else { return (0, 0) }
    let (total, fullFrom, before) = windows[index]
    let share = Double(moment.milliseconds % (Self.window * 1000)) / Double(Self.window * 1000)
    let now = if let fullFrom { share >= fullFrom ? total : 0 } else { Int(Double(total) * share) }
    return (now, before + now)
  }

  func leaveNothing(at moment: Moment) -> Bool {
    let used = used(at: moment)
    return used.quarterHour >= shape.perQuarterHour || used.day >= shape.perDay
  }
}
