// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import PropertyTesting

/// A budget on trial: the core's, or a broken one.
protocol BudgetOnTrial: Sendable {
  /// Until when a request has to wait; nil where it may be sent.
  func wait(at now: Moment) -> Moment?
  /// Counts a request.
  mutating func send(at now: Moment)
  /// Learns from what came back for one.
  mutating func receive(_ reply: FeedReply, at now: Moment, sent: Moment)
}

/// The budget that ships.
struct ShippingBudget: BudgetOnTrial {
  private var budget: RequestBudget

  init(assuming limits: RequestBudget.Limits, margin: Int = RequestPlan.margin) {
    budget = RequestBudget(assumed: limits, margin: margin)
  }

  func wait(at now: Moment) -> Moment? {
    switch budget.permission(at: now) {
    case .now: nil
    case .at(let later): later
    }
  }

  mutating func send(at now: Moment) { budget.sent(at: now) }

  mutating func receive(_ reply: FeedReply, at now: Moment, sent: Moment) {
    budget.received(reply, at: now, sent: sent)
  }
}

extension ClubProperties {
  static func budget(of code: ClubOperations) -> [Property] {
    [
      Property(
        "club.20", "No quarter of an hour of the service's clock sees more requests than its limit",
        reference: "windows begin at :00, :15, :30 and :45", arguments: ["plan"], RequestPlan.any()
      ) { plan in
        let arrivals = try plan.arrivals(by: code.budget(plan.limits))
        let most = arrivals.map { RequestPlan.use(of: 900, at: $0, arrivals) }.max() ?? 0
        try claim(most <= plan.limits.perWindow, "\(most) requests reach the service in one quarter of an hour")
      },
      Property(
        "club.21", "No day of the service's clock sees more requests than its limit",
        reference: "days begin at midnight of UTC", arguments: ["plan"], RequestPlan.any()
      ) { plan in
        let arrivals = try plan.arrivals(by: code.budget(plan.limits))
        let most = arrivals.map { RequestPlan.use(of: 86_400, at: $0, arrivals) }.max() ?? 0
        try claim(most <= plan.limits.perDay, "\(most) requests reach the service in one day")
      },
      Property(
        "club.22", "A budget of which nothing is spent lets a request through at once",
        reference: "no needless waiting", arguments: ["limit", "seconds"], .integers(in: 1...1000),
        .integers(in: 0...4_000_000_000)
      ) { limit, seconds in
        let budget = code.budget(RequestBudget.Limits(perWindow: limit, perDay: limit))
        let later = budget.wait(at: Moment(seconds: seconds))
        try claim(later == nil, "it has to wait until \(later?.seconds ?? 0)")
      },
    ]
  }
}
