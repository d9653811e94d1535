// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// A budget as one writes it on a first evening: requests are counted by periods, with room for the difference of
/// clocks. Each setting is a mistake of its own.
struct NaiveBudget: BudgetOnTrial {
  private let limits: RequestBudget.Limits
  private let startsWithFirst: Bool
  private let countsAnswers: Bool
  private var sent: [Moment] = []

  init(_ limits: RequestBudget.Limits, startsWithFirst: Bool = false, countsAnswers: Bool = false) {
    (self.limits, self.startsWithFirst, self.countsAnswers) = (limits, startsWithFirst, countsAnswers)
  }

  func wait(at now: Moment) -> Moment? {
    [(900, limits.perWindow), (86_400, limits.perDay)].compactMap { seconds, limit in
      startsWithFirst && seconds == 900 ? waitSinceFirst(limit, at: now) : wait(seconds, limit, at: now)
    }.max()
  }

  /// Until when a period is spent that a request of now may fall into.
  private func wait(_ seconds: Int, _ limit: Int, at now: Moment) -> Moment? {
    let length = seconds * 1000
    let spent = [-RequestPlan.margin, RequestPlan.margin].map { (now.milliseconds + $0) / length }.filter { period in
      sent.count { moment in
        [-RequestPlan.margin, RequestPlan.margin].contains { (moment.milliseconds + $0) / length == period }
      } >= limit
    }
    return spent.max().map { Moment(milliseconds: ($0 + 1) * length + RequestPlan.margin) }
  }

  /// Until when the quarter of an hour is spent that began with its first request.
  private func waitSinceFirst(_ limit: Int, at now: Moment) -> Moment? {
    var (first, count) = (Moment(milliseconds: .min / 2), 0)
    for moment in sent {
      if moment >= first.adding(seconds: 900) { (first, count) = (moment, 0) }
      count += 1
    }
    let end = first.adding(seconds: 900)
    return now < end && count >= limit ? end : nil
  }

  mutating func send(at now: Moment) {
    if !countsAnswers { sent.append(now) }
  }

  mutating func receive(_ reply: FeedReply, at now: Moment, sent: Moment) {
    if countsAnswers, case .response = reply { self.sent.append(sent) }
  }
}
