// SPDX-License-Identifier: Apache-2.0
import ClubCore
import TestSupport

/// Activities by hand.
enum ByHand {
  static func member(_ first: String, _ last: String = "M.", token: String? = nil) -> MemberIdentity {
    MemberIdentity(name: AthleteName(first: first, last: last), token: token.flatMap { AthleteToken($0) })
  }

  /// A ride by whole kilometres, minutes and metres of climbing.
  static func ride(
    _ member: MemberIdentity, kilometres: Int = 0, minutes: Int = 0, climbing: Int = 0, title: String = "",
    start: Int? = nil
  ) -> Activity {
    Activity(
      member: member, title: title, distance: Length(decimetres: kilometres * 10_000) ?? .zero,
      movingTime: minutes * 60, elapsedTime: minutes * 60,
      elevation: Length(decimetres: climbing * 10) ?? .zero, start: start.map { Moment(seconds: $0) })
  }

  static func week(_ rides: [Activity], after previous: [Activity]? = nil) -> ClubWeek {
    ClubWeek(WeekTally(rides), previous: previous.map { WeekTally($0) })
  }
}

/// A club of a few members over a few weeks, some of them unknown, with raw activities, full of ties and of nothing.
struct SmallClub {
  /// The weeks known, ascending, with their activities.
  let weeks: [(week: Week, activities: [Activity])]
  /// The week that is looked at.
  let week: Week
  /// Who is looked at.
  let member: MemberIdentity

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let names = ["Ann", "Ben", "Cleo", "dora", "Émile", "Fay", "Gus"].prefix(Int.random(in: 1...7, using: &random))
    let members = names.map { ByHand.member($0, "B.") }
    // In coarse clubs nearly everything ties; in fine ones nearly nothing.
    let coarse = Bool.random(using: &random)
    let first = 2900
    var weeks: [(week: Week, activities: [Activity])] = []
    for offset in 0..<Int.random(in: 1...7, using: &random)
    where Int.random(in: 0..<6, using: &random) > 0 {
      var activities: [Activity] = []
      for member in members {
        for _ in 0..<max(0, Int.random(in: -1...4, using: &random)) {
          activities.append(Self.ride(member, coarse, &random))
        }
      }
      weeks.append((Week(number: first + offset), activities.shuffled(using: &random)))
    }
    week = weeks.randomElement(using: &random)?.week ?? Week(number: first)
    member = members.randomElement(using: &random) ?? ByHand.member("Ann", "B.")
    self.weeks = weeks
  }

  private static func ride(_ member: MemberIdentity, _ coarse: Bool, _ random: inout SplitMix64) -> Activity {
    let still = Int.random(in: 0..<12, using: &random) == 0
    let distance =
      coarse
      ? Int.random(in: 0...3, using: &random) * 200_000 : Int.random(in: 1...900_000, using: &random)
    let pace = coarse ? 1200 : Int.random(in: 700...2000, using: &random)
    let climb = Int.random(in: 0...3, using: &random)
    return Activity(
      member: member, distance: Length(decimetres: distance) ?? .zero,
      movingTime: still ? 0 : distance * pace / 100_000, elapsedTime: distance * pace / 80_000,
      elevation: Length(decimetres: coarse ? climb * 1000 : climb * distance / 200) ?? .zero)
  }

  var history: ClubHistory { ClubHistory(weeks.map { ($0.week, WeekTally($0.activities)) }) }

  /// The raw activities of a member in a week; none for a week that is not known.
  func rides(_ member: MemberIdentity, _ week: Week) -> [Activity] {
    weeks.filter { $0.week == week }.flatMap(\.activities).filter { $0.member == member }
  }

  /// The members with activities in a week, by name.
  func active(_ week: Week) -> [MemberIdentity] {
    Set(weeks.filter { $0.week == week }.flatMap(\.activities).map(\.member)).sorted { $0.name < $1.name }
  }
}

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
    ByHand.ride(
      ByHand.member(name), kilometres: kilometres, minutes: minutes, title: title, start: start?.seconds)
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

extension Length {
  var kilometres: Double { Double(decimetres) / 10_000 }
}

extension ListingOrder {
  /// True if what lies below was uploaded or began before.
  var provesUploads: Bool { if case .byUploadInPages = self { false } else { true } }
}
