// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import PropertyTesting

/// Requests that somebody would like to make, and what becomes of each.
struct RequestPlan: Sendable, CustomStringConvertible {
  struct Request: Sendable {
    /// Seconds after the one before, at least.
    let gap: Int
    /// How far the service's clock and the way put its arrival off, in milliseconds.
    let skew: Int
    /// How long the answer takes, in seconds.
    let latency: Int
    let answer: Answer
  }

  enum Answer: CaseIterable {
    /// With the limits and the usage in its head.
    case counted
    /// Without.
    case plain
    /// None at all.
    case lost
    /// The service is out of order.
    case failed
  }

  let limits: RequestBudget.Limits
  /// When the first is wanted, in seconds since a day began.
  let begin: Int
  let requests: [Request]

  var description: String {
    let first = "\(begin / 3600):\(begin / 60 % 60):\(begin % 60)"
    let list = requests.map { "+\($0.gap) s" + ($0.skew == 0 ? "" : " (\($0.skew) ms off)") }.joined(separator: ", ")
    return "\(limits.perWindow) a quarter, \(limits.perDay) a day, from \(first): \(list)"
  }

  /// How far clocks and ways may be apart: what the budget promises to allow for, in milliseconds.
  static let margin = 5000

  /// When each request reaches the service, by its clock, if a budget grants them.
  ///
  /// - Throws: A failure where a budget would have somebody wait for ever.
  func arrivals(by fresh: any BudgetOnTrial) throws -> [Moment] {
    var budget = fresh
    var now = Moment(seconds: 1_763_337_600 + begin)
    var (arrivals, pending) = ([Moment](), [(at: Moment, sent: Moment, reply: FeedReply)]())
    for request in requests {
      now = now.adding(seconds: request.gap)
      while true {
        for reply in pending where reply.at <= now { budget.receive(reply.reply, at: reply.at, sent: reply.sent) }
        pending.removeAll { $0.at <= now }
        guard let later = budget.wait(at: now) else { break }
        try claim(later > now, "it has to wait until \(later.milliseconds), and it is \(now.milliseconds)")
        try claim(later < now.adding(seconds: 3 * 86_400), "it has to wait for more than three days")
        now = later
      }
      budget.send(at: now)
      let arrival = now.adding(milliseconds: request.skew)
      arrivals.append(arrival)
      let reply = reply(to: request, at: arrival, after: arrivals)
      pending.append((now.adding(seconds: request.latency), now, reply))
      pending.sort { $0.at < $1.at }
    }
    return arrivals
  }

  private func reply(to request: Request, at arrival: Moment, after arrivals: [Moment]) -> FeedReply {
    let (window, day) = (Self.use(of: 900, at: arrival, arrivals), Self.use(of: 86_400, at: arrival, arrivals))
    switch request.answer {
    case .lost: return .timedOut
    case .failed: return .response(FeedResponse(status: 502))
    case .plain: return .response(FeedResponse(status: window > limits.perWindow ? 429 : 200))
    case .counted:
      let head = [
        FeedResponse.Header("x-ratelimit-limit", "\(limits.perWindow),\(limits.perDay)"),
        FeedResponse.Header("X-RateLimit-Usage", "\(window),\(day)"),
      ]
      return .response(FeedResponse(status: window > limits.perWindow ? 429 : 200, headers: head))
    }
  }

  /// How many of some moments lie in the period of a moment.
  static func use(of seconds: Int, at moment: Moment, _ arrivals: [Moment]) -> Int {
    arrivals.count { $0.seconds / seconds == moment.seconds / seconds }
  }

  /// Plans with small limits, hurried ones and leisurely ones, that come near the seams of quarters and days.
  static func any() -> Gen<RequestPlan> {
    let gap = Gen<Int>.oneOf(.just(0), .integers(in: 0...10), .integers(in: 0...1000), .integers(in: 0...40_000))
    let skew = Gen<Int>.oneOf(.just(0), .integers(in: -margin...margin))
    let request = zip(gap, skew, Gen<Int>.integers(in: 0...60), Gen<Answer>.cases()).map(Request.init)
    let limits = zip(Gen<Int>.integers(in: 1...3), Gen<Int>.integers(in: 1...6)).map {
      RequestBudget.Limits(perWindow: $0, perDay: $1)
    }
    let begin = Gen<Int>.oneOf(.integers(in: 0...86_399), .integers(in: 0...959).map { 90 * $0 })
    return zip(limits, begin, Gen<[Request]>.arrays(of: request, count: 0...16)).map(RequestPlan.init)
  }
}
