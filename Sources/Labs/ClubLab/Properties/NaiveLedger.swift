// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// A ledger as one writes it on a first evening: what was not there at the last fetch counts for the week of this one.
/// Each setting is a mistake of its own.
struct NaiveLedger: LedgerOnTrial {
  private struct Known: Sendable {
    let activity: Activity
    let firstSeen: Moment
    let weekOfBeginning: Week?
  }

  private let countsBacklog: Bool
  private let isSet: Bool
  private let knowsTitles: Bool
  private let forgetsAfterDays: Int?
  private var known: [Known] = []
  private var isFirst = true

  init(
    countsBacklog: Bool = false, isSet: Bool = false, knowsTitles: Bool = false, forgetsAfterDays: Int? = nil
  ) {
    (self.countsBacklog, self.isSet, self.knowsTitles) = (countsBacklog, isSet, knowsTitles)
    self.forgetsAfterDays = forgetsAfterDays
  }

  mutating func observe(_ listing: [Activity], at moment: Moment) {
    if let forgetsAfterDays {
      known.removeAll { $0.firstSeen < moment.adding(seconds: -forgetsAfterDays * 86_400) }
    }
    var left = known.map(\.activity)
    for activity in listing.reversed() {
      if let index = left.firstIndex(where: { isSame($0, activity) }) {
        if !isSet { left.remove(at: index) }
        continue
      }
      let week = WeekCalendar.utc.week(of: moment.adding(seconds: -activity.elapsedTime))
      known.append(
        Known(activity: activity, firstSeen: moment, weekOfBeginning: isFirst && !countsBacklog ? nil : week))
      if isSet { left.append(activity) }
    }
    isFirst = false
  }

  private func isSame(_ left: Activity, _ right: Activity) -> Bool {
    ActivityFingerprint(left) == ActivityFingerprint(right) && (!knowsTitles || left.title == right.title)
  }

  func activities(in week: Week) -> [Activity] { known.filter { $0.weekOfBeginning == week }.map(\.activity) }

  var weeks: [Week] { Set(known.compactMap(\.weekOfBeginning)).sorted() }
}

/// A budget as one writes it on a first evening: requests are counted by periods with room for the difference of clocks.
/// Each setting is a mistake of its own.
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
