// SPDX-License-Identifier: GPL-3.0-or-later
package import ClubCore

/// What a club under load came to, and whether the core was right.
package struct StressResult: Sendable {
  /// One week of the load.
  package struct WeekOutcome: Hashable, Sendable {
    /// The week.
    package let week: Week
    /// Activities of all sports.
    package let activities: Int
    /// Activities that count.
    package let counted: Int
    /// Members with activities that count, as the feed tells members apart.
    package let activeMembers: Int
    /// What all activities that count come to, by the core.
    package let total: MemberTally
    /// Members whose tally is not the truth.
    package let membersWrong: Int
    /// Whether the club's total is the truth.
    package let isTotalRight: Bool
  }

  /// What a part of the last week came to on its way through the feed's own format.
  package struct Sample: Hashable, Sendable {
    /// Activities that were written and read again.
    package let activities: Int
    /// Bytes of the pages.
    package let bytes: Int
    /// Activities that came back otherwise, and members whose tally is not the truth.
    package let wrong: Int
  }

  /// Names that several persons bear.
  package struct Collisions: Hashable, Sendable {
    /// Members of the feed behind whom there are several persons with activities in the last week.
    package let real: Int
    /// Members whom the core suspects to be several persons.
    package let suspected: Int
    /// Suspected ones that are several persons indeed.
    package let suspectedRightly: Int
  }

  /// What was asked.
  package let settings: StressSettings
  /// Persons by whom the feed knows them: members of the roster.
  package let identities: Int
  /// Persons whom the roster merges with others, or splits, unlike their names.
  package let personsMisplaced: Int
  /// Week by week.
  package let weeks: [WeekOutcome]
  /// Members whose tally is not the truth in any week.
  package let membersWrong: Int
  /// A part of the last week through the feed's format.
  package let sample: Sample
  /// Names that several persons bear.
  package let collisions: Collisions
  /// The last week with its trends.
  package let lastWeek: ClubWeek
  /// How long it took, and how much memory.
  package let effort: StressEffort

  /// Activities of all sports and weeks.
  package var activities: Int { weeks.reduce(0) { $0 + $1.activities } }
  /// Activities that count, of all weeks.
  package var counted: Int { weeks.reduce(0) { $0 + $1.counted } }
  /// Weeks in which the club's total or a member's tally is not the truth.
  package var weeksWrong: Int { weeks.count { !$0.isTotalRight || $0.membersWrong > 0 } }
}

/// What a run cost: nothing that the seed determines.
package struct StressEffort: Hashable, Sendable {
  /// How many workers shared the work.
  package internal(set) var workers: Int
  /// Seconds on the wall for inventing the activities.
  package internal(set) var inventing = 0.0
  /// Seconds on the wall for counting them.
  package internal(set) var counting = 0.0
  /// Seconds that workers were busy counting, all together.
  package internal(set) var busy = 0.0
  /// Seconds on the wall for comparing with the truth.
  package internal(set) var comparing = 0.0
  /// The most bytes that were resident at once, from the start of the process.
  package internal(set) var peakMemory = 0
  /// The throughput with clubs of other sizes.
  package internal(set) var curve: [ThroughputPoint] = []

  /// How many activities were counted in a second that one core was busy.
  ///
  /// - Parameter activities: How many were counted.
  /// - Returns: The rate; 0 where nobody was busy.
  package func perCoreSecond(_ activities: Int) -> Double { busy > 0 ? Double(activities) / busy : 0 }
}

/// The throughput with a club of some size.
package struct ThroughputPoint: Hashable, Sendable {
  /// How many members.
  package let members: Int
  /// Activities a second with one worker.
  package let alone: Double
  /// Activities a second with all workers together.
  package let together: Double

  /// How much faster all workers are than one.
  package var speedUp: Double { alone > 0 ? together / alone : 0 }
}
