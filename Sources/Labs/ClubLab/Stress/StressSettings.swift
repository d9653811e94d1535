// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
package import Randomness

/// How large a club the core has to bear, and for how long.
package struct StressSettings: Hashable, Sendable {
  /// How many persons.
  package let members: Int
  /// About how many activities all weeks have together.
  package let activities: Int
  /// How many weeks.
  package let weeks: Int
  /// The share of members with somebody else's name.
  package let sharedNames: Double
  /// The root of all random streams.
  package let seed: UInt64
  /// The name of the GSL generator.
  package let generator: String
  /// The club that is invented.
  package let shape: ClubShape

  /// A hundred thousand members with fifty million activities in eight weeks unless something else is wanted.
  ///
  /// - Parameters:
  ///   - members: How many persons, 1 to 10^7.
  ///   - activities: About how many activities all weeks have together, 1 to 10^11, and at most 1000 for a member's
  ///     week.
  ///   - weeks: How many weeks, 1 to 1040.
  ///   - sharedNames: The share of members with somebody else's name, 0 to 1.
  ///   - seed: The root of all random streams.
  ///   - generator: The name of a GSL generator.
  /// - Throws: `badShape` naming the first value that is out of its range.
  package init(
    members: Int = 100_000, activities: Int = 50_000_000, weeks: Int = 8, sharedNames: Double = 0.001,
    seed: UInt64 = 1, generator: String = GSLGenerator.defaultName
  ) throws(ClubLabError) {
    guard (1...100_000_000_000).contains(activities) else {
      throw .badShape(field: "activities", found: "\(activities)", expected: "1 to 100000000000")
    }
    let usual = try ClubShape(members: members, weeks: weeks, names: .distinct(shared: sharedNames))
    let perWeek = Double(activities) / (Double(members) * usual.activeWeeks)
    guard perWeek <= 1000 else {
      let most = Int(1000 * Double(members) * usual.activeWeeks)
      throw .badShape(
        field: "activities", found: "\(activities)",
        expected: "at most \(most), a thousand for each week of a member, or more members or weeks")
    }
    shape = try ClubShape(
      members: members, weeks: weeks, activitiesPerWeek: perWeek, names: .distinct(shared: sharedNames))
    (self.members, self.activities, self.weeks, self.sharedNames) = (members, activities, weeks, sharedNames)
    (self.seed, self.generator) = (seed, generator)
  }
}

extension ClubShape {
  /// How many ordinary weeks of activities a member has on average: seasons, injuries and those who come and go are
  /// taken into account, roughly.
  fileprivate var activeWeeks: Double {
    let seasons = (0..<weeks).reduce(0) { $0 + ActivityDrawing(self, week: $1).season }
    return seasons * (1 - newcomers / 2) * (1 - leavers / 2) / (1 + injuries * injuryWeeks)
  }
}
