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
