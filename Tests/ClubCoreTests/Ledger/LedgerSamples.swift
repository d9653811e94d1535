// SPDX-License-Identifier: Apache-2.0
import ClubCore

/// Rides and listings written short.
enum Sample {
  /// Monday, 2026-03-02, 00:00 UTC: the first moment of 2026-W10.
  static let monday = Moment(seconds: 1_772_409_600)
  static let week = WeekCalendar.utc.week(of: monday)

  /// A moment of the week of `monday`, by day (0 is Monday, negative the week before), hour and minute.
  static func at(_ day: Int, _ hour: Int, _ minute: Int = 0) -> Moment {
    monday.adding(seconds: day * 86_400 + hour * 3600 + minute * 60)
  }

  static func ride(
    _ name: String, _ kilometres: Int, minutes: Int = 60, title: String = "Ride", start: Moment? = nil
  ) -> Activity {
    Activity(
      member: MemberIdentity(name: AthleteName(first: name, last: "M.")), title: title,
      distance: Length(decimetres: kilometres * 10_000) ?? .zero, movingTime: minutes * 60, elapsedTime: minutes * 60,
      start: start)
  }

  /// A commute that is the same every day.
  static let commute = ride("Ada", 12, minutes: 30, title: "Commute")

  /// Rides of a backlog that are all different: `count` of them, the newest first.
  static func backlog(_ count: Int) -> [Activity] {
    (0..<count).map { ride("Old", 20 + $0, minutes: 40 + $0) }
  }

  static func listing(_ activities: [Activity], whole: Bool = true) -> FeedListing {
    FeedListing(activities: activities, isWhole: whole)
  }
}

extension ListingOrder {
  /// Whether what lies below was uploaded or began before.
  var provesUploads: Bool { if case .byUploadInPages = self { false } else { true } }
}
