// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

extension BrokenClub {
  /// The core's standings with their ranks or shares changed.
  static func rearranged(
    _ change: @escaping @Sendable (inout [Placed]) -> Void
  ) -> @Sendable (Rides, Metric) -> [Placed] {
    { rides, metric in
      var places = ClubOperations.shipping.standings(rides, metric)
      change(&places)
      return places
    }
  }

  /// The core's trend told in another way, from this week's quantity and last week's.
  static func retold(
    _ change: @escaping @Sendable (Double, Double, Moved) -> Moved
  ) -> @Sendable (Rides, Rides, ClubMetric) -> Moved? {
    { this, last, metric in
      let quantities = [this, last].map { rides in
        Double(ClubTotals(WeekTally(rides.activities, counting: .all)).value(of: metric))
      }
      return ClubOperations.shipping.trend(this, last, metric).map { change(quantities[0], quantities[1], $0) }
    }
  }
}

/// A tally with room for mistakes.
struct LooseTally: Sendable {
  /// What is done, and what of it is done wrongly.
  struct Habits: Sendable {
    /// What tells members apart.
    var key: @Sendable (MemberIdentity) -> String = { member in
      member.token.map { "#\($0.value)" } ?? member.name.description.lowercased()
    }
    /// Which of two pages' longest rides is kept.
    var longest: @Sendable (Int, Int) -> Int = { max($0, $1) }
    var averagesSpeeds = false
    var sumsDoubles = false
    var isSet = false
  }

  private struct Entry: Sendable {
    var member: MemberIdentity
    var tally = MemberTally.zero
    var longest = 0
    var metres = 0.0
    /// The sum of the rides' own speeds, in metres per second.
    var speeds = 0.0
  }

  private let habits: Habits
  private var entries: [String: Entry] = [:]
  private var seen: Set<ActivityFingerprint> = []

  private init(_ habits: Habits, _ rides: Rides) {
    self.habits = habits
    for ride in rides.activities {
      guard seen.insert(ActivityFingerprint(ride)).inserted || !habits.isSet else { continue }
      var entry = entries[habits.key(ride.member)] ?? Entry(member: ride.member)
      entry.member = entry.member.settled(with: ride.member)
      entry.tally.add(ride)
      entry.longest = max(entry.longest, ride.distance.decimetres)
      entry.metres += ride.distance.metres
      if ride.movingTime > 0 { entry.speeds += ride.distance.metres / Double(ride.movingTime) }
      entries[habits.key(ride.member)] = entry
    }
  }

  private func merged(with other: LooseTally) -> LooseTally {
    var both = self
    for (key, entry) in other.entries {
      guard var mine = both.entries[key] else {
        both.entries[key] = entry
        continue
      }
      mine.member = mine.member.settled(with: entry.member)
      mine.tally.merge(entry.tally)
      mine.longest = habits.longest(mine.longest, entry.longest)
      mine.metres += entry.metres
      mine.speeds += entry.speeds
      both.entries[key] = mine
    }
    return both
  }

  private func sums(of entry: Entry) -> Sums {
    var sums = Sums(entry.tally)
    sums.longest = Double(entry.longest) / 10
    if habits.sumsDoubles { sums.distance = entry.metres }
    if habits.averagesSpeeds, entry.tally.timed > 0 { sums.speed = entry.speeds / Double(entry.tally.timed) }
    return sums
  }

  private var sums: ClubSums {
    // Where a mistake makes two members of one name, their keys decide: the dictionary has no order.
    let sorted = entries.sorted { left, right in
      let (mine, others) = (left.value.member, right.value.member)
      return mine.precedes(others) || (!others.precedes(mine) && left.key < right.key)
    }.map(\.value)
    var total = Entry(member: MemberIdentity(name: AthleteName(first: "", last: "")))
    for entry in sorted {
      total.tally.merge(entry.tally)
      total.longest = max(total.longest, entry.longest)
      total.metres += entry.metres
      total.speeds += entry.speeds
    }
    return ClubSums(members: sorted.map { MemberSums(member: $0.member, sums: sums(of: $0)) }, total: sums(of: total))
  }

  /// Sums with one habit changed.
  static func sums(_ change: (inout Habits) -> Void) -> @Sendable (PageTree) -> ClubSums {
    var habits = Habits()
    change(&habits)
    let changed = habits
    return { tree in tree.folded({ LooseTally(changed, $0) }) { $0.merged(with: $1) }.sums }
  }
}
