// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import Randomness

/// A club's feed as a service that answers with real bytes, built on a truth that nobody else sees.
///
/// What is listed is a function of the moment alone, so a page can be answered for any moment: a copy that lags behind
/// is the same service, asked for an earlier one.
struct VirtualFeedService: ~Copyable {
  /// What comes of a request.
  struct Answer {
    /// What the fetcher gets.
    let reply: FeedReply
    /// After how many milliseconds.
    let delay: Int
    /// What it says of the budget; nothing where the service was out of reach.
    var notice: RequestCount.Notice?
  }

  let shape: ServiceShape
  let faults: FaultMix
  /// The truth.
  let history: FeedHistory
  /// What others use of the budget.
  let others: OtherUsers
  /// When the service does not answer at all.
  let outages: [Range<Moment>]
  /// What the service counts of our requests.
  private(set) var count: RequestCount

  /// The rides, newest first.
  private let order: [Int]
  private let keys: [Int]
  private var rows: [[[UInt8]]]
  private var chances: Chances
  private var failuresLeft = 0

  /// A service.
  ///
  /// - Parameters:
  ///   - history: The truth.
  ///   - shape: What the service is like.
  ///   - faults: What goes wrong with its answers.
  ///   - span: The season.
  ///   - generator: The name of a GSL generator.
  ///   - seeds: What determines the answers and the others' requests.
  /// - Throws: Errors of the generator.
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
    let keys = history.rides.map { $0.key(shape.order).milliseconds }
    order = history.rides.indices.sorted { (keys[$0], $0) > (keys[$1], $1) }
    self.keys = order.map { keys[$0] }
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

  /// Whether the service can give anything to anybody at a moment: no outage, and others leave something.
  func isOpen(at moment: Moment) -> Bool {
    !outages.contains { $0.contains(moment) } && !others.leaveNothing(at: moment)
  }

  /// Goes through the rides from the newest of a moment on, by what the whole listing is sorted by, until enough are
  /// listed.
  ///
  /// - Parameters:
  ///   - moment: The moment.
  ///   - most: How many are listed at most.
  ///   - visit: Told each ride's place in the history, and whether it is listed: those that are not were deleted, are
  ///     hidden, or are not there yet.
  func walk(at moment: Moment, atMost most: Int, visit: (Int, Bool) -> Void) {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] > moment.milliseconds { low = middle + 1 } else { high = middle }
    }
    var left = min(most, shape.depth)
    while low < order.count, left > 0 {
      let isListed = history.rides[order[low]].isVisible(at: moment)
      if isListed { left -= 1 }
      visit(order[low], isListed)
      low += 1
    }
  }

  /// What a page has at a moment, the newest first; nothing behind the end.
  ///
  /// - Parameters:
  ///   - number: From 1.
  ///   - perPage: How many rows it has, those included that are left out.
  ///   - moment: The moment.
  /// - Returns: Places in the history's rides.
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
  /// Answers a request.
  ///
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - moment: When, by the service's clock.
  /// - Returns: What the fetcher gets, and after how long.
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

  /// Remembers that an answer has reached the fetcher: only from then on is it bound by what the answer says.
  mutating func delivered(_ answer: Answer, at moment: Moment) {
    if let notice = answer.notice { count.told(notice, at: moment) }
  }

  /// Which fault takes the answer's place.
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

  /// The bytes of a ride, made once for each of its versions.
  private mutating func row(_ ride: Int, at moment: Moment) -> [UInt8] {
    let truth = history.rides[ride]
    if rows[ride].isEmpty {
      let respelling = history.respellings[truth.person]
      rows[ride] = truth.versions.map { version in
        let spaces = respelling.map { version.from >= $0.from ? $0.spaces : 0 } ?? 0
        return FeedRow.bytes(version.activity, spaces: spaces)
      }
    }
    return rows[ride][truth.version(at: moment)]
  }
}

extension VirtualFeedService {
  private typealias Used = (quarterHour: Int, day: Int)

  private mutating func respond(
    _ status: Int, _ body: [UInt8], _ used: Used, at moment: Moment, _ delay: Int, retryAfter: Int? = nil
  ) -> Answer {
    var headers = [
      FeedResponse.Header("Content-Type", "application/json; charset=utf-8"),
      FeedResponse.Header("Date", ServiceDate.text(of: moment)),
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

  /// Bytes of no meaning, an error's page, an error object under a good status, or something that is no list.
  private func garbage(_ draw: Chances.Draw) -> [UInt8] {
    let length = Int(faults[.garbageBodies]?.size ?? 1)
    switch Int(draw.uniform * 4) {
    case 0:
      var state = UInt64(draw.exponential * 1e9) | 1
      return (0..<length).map { _ in
        // Knuth's multiplier ("The Art of Computer Programming", volume 2, section 3.3.4); nothing rests on it.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      }
    case 1: return Array("<!doctype html><title>Down for maintenance</title>".utf8)
    case 2: return Array(#"{"message":"Internal error","errors":[]}"#.utf8)
    default: return Array("{}".utf8)
    }
  }
}
