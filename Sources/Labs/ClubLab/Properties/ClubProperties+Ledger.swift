// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import PropertyTesting

/// A ledger on trial: the core's, or a broken one.
protocol LedgerOnTrial: Sendable {
  /// Takes a listing in.
  mutating func observe(_ listing: [Activity], at moment: Moment)
  /// What counts for a week.
  func activities(in week: Week) -> [Activity]
  /// The weeks for which anything counts.
  var weeks: [Week] { get }
}

/// The ledger that ships, reading whole listings by upload.
struct ShippingLedger: LedgerOnTrial {
  private var ledger = WeekLedger(order: .byUpload)

  mutating func observe(_ listing: [Activity], at moment: Moment) {
    _ = ledger.observe(FeedListing(activities: listing, isWhole: true), at: moment)
  }

  func activities(in week: Week) -> [Activity] { ledger.activities(in: week) }

  var weeks: [Week] { ledger.weeks }
}

extension ClubProperties {
  static func ledger(of code: ClubOperations) -> [Property] {
    let story = LedgerStory.any()
    return [
      Property(
        "club.17", "The same listing fetched again changes nothing", reference: "a re-listed page is no new ride",
        arguments: ["story", "minutes"], story, .integers(in: 1...20_000)
      ) { story, minutes in
        var ledger = code.ledger()
        for fetch in story.fetches { ledger.observe(fetch.listing, at: fetch.at) }
        guard let last = story.fetches.last else { return }
        let again = last.at.adding(seconds: minutes * 60)
        let weeks = recent(at: again)
        let before = weeks.map { ledger.activities(in: $0) }
        ledger.observe(last.listing, at: again)
        for (week, activities) in zip(weeks, before) {
          let after = ledger.activities(in: week)
          try claim(after == activities, "\(week) has \(Rides(after)) after \(Rides(activities))")
        }
      },
      Property(
        "club.18", "What the first fetch shows counts for no week",
        reference: "nobody saw when the backlog was uploaded", arguments: ["story"], story
      ) { story in
        guard let first = story.fetches.first else { return }
        var ledger = code.ledger()
        ledger.observe(first.listing, at: first.at)
        try claim(ledger.weeks.isEmpty, "it counts for \(ledger.weeks)")
      },
      Property(
        "club.19", "Every later ride counts once, for a week in which it may have begun, renamed or alike or not",
        reference: "a multiset of fingerprints, dated by first sight", arguments: ["story"], story
      ) { story in
        var ledger = code.ledger()
        var open: [SeenRide] = []
        for fetch in story.fetches {
          ledger.observe(fetch.listing, at: fetch.at)
          if let previous = fetch.previous { open += fetch.new.map { SeenRide($0, between: previous, and: fetch.at) } }
          try check(ledger, against: open)
        }
      },
    ]
  }

  /// The weeks that every ledger keeps, the current one last.
  private static func recent(at moment: Moment) -> [Week] {
    let week = WeekCalendar.utc.week(of: moment)
    return [week.previous, week]
  }

  /// Holds a ledger's weeks against the rides that were seen: each counts for one of the weeks in which it may have
  /// begun. All of them are still listed, so none may be forgotten.
  private static func check(_ ledger: some LedgerOnTrial, against rides: [SeenRide]) throws {
    var left = rides
    for week in ledger.weeks {
      for activity in ledger.activities(in: week) {
        let fitting = left.indices.filter { left[$0].isAlike(activity) && left[$0].weeks.contains(week) }
        // Of alike rides the one whose last possible week comes first is placed first: then all can be, if any way.
        guard let index = fitting.min(by: { left[$0].weeks.upperBound < left[$1].weeks.upperBound }) else {
          throw Failure("\(week) has \(activity.line), which did not begin then", origin: "a ride too many")
        }
        left.remove(at: index)
      }
    }
    if let lost = left.first { throw Failure("\(lost.activity.line) counts for no week", origin: "a ride lost") }
  }
}

/// A ride that a fetch showed first.
private struct SeenRide {
  let activity: Activity
  /// The weeks in which it may have begun if it was uploaded when it ended.
  let weeks: ClosedRange<Week>

  init(_ activity: Activity, between previous: Moment, and moment: Moment) {
    self.activity = activity
    let calendar = WeekCalendar.utc
    let first = calendar.week(of: previous.adding(seconds: -activity.elapsedTime))
    weeks = first...max(first, calendar.week(of: moment.adding(seconds: -activity.elapsedTime)))
  }

  /// Whether an activity is the same but for its title.
  func isAlike(_ other: Activity) -> Bool { ActivityFingerprint(activity) == ActivityFingerprint(other) }
}
