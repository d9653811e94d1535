// SPDX-License-Identifier: GPL-3.0-or-later
public import ClubCore

/// What a club under load came to, and whether the core was right.
public struct StressResult: Sendable {
  /// One week of the load.
  public struct WeekOutcome: Hashable, Sendable {
    /// The week.
    public let week: Week
    /// Activities of all sports.
    public let activities: Int
    /// Activities that count.
    public let counted: Int
    /// Members with activities that count, as the feed tells members apart.
    public let activeMembers: Int
    /// What all activities that count come to, by the core.
    public let total: MemberTally
    /// Members whose tally is not the truth.
    public let membersWrong: Int
    /// Whether the club's total is the truth.
    public let isTotalRight: Bool
  }

  /// What a part of the last week came to on its way through the feed's own format.
  public struct Sample: Hashable, Sendable {
    /// Activities that were written and read again.
    public let activities: Int
    /// Bytes of the pages.
    public let bytes: Int
    /// Activities that came back otherwise, and members whose tally is not the truth.
    public let wrong: Int
  }

  /// Names that several persons bear.
  public struct Collisions: Hashable, Sendable {
    /// Members of the feed behind whom there are several persons with activities in the last week.
    public let real: Int
    /// Members whom the core suspects to be several persons.
    public let suspected: Int
    /// Suspected ones that are several persons indeed.
    public let suspectedRightly: Int
  }

  /// What was asked.
  public let settings: StressSettings
  /// Persons by whom the feed knows them: members of the roster.
  public let identities: Int
  /// Persons whom the roster merges with others, or splits, unlike their names.
  public let personsMisplaced: Int
  /// Week by week.
  public let weeks: [WeekOutcome]
  /// Members whose tally is not the truth in any week.
  public let membersWrong: Int
  /// A part of the last week through the feed's format.
  public let sample: Sample
  /// Names that several persons bear.
  public let collisions: Collisions
  /// The last week with its trends.
  public let lastWeek: ClubWeek
  /// How long it took, and how much memory.
  public let effort: StressEffort

  /// Activities of all sports and weeks.
  public var activities: Int { weeks.reduce(0) { $0 + $1.activities } }
  /// Activities that count, of all weeks.
  public var counted: Int { weeks.reduce(0) { $0 + $1.counted } }
  /// Weeks in which the club's total or a member's tally is not the truth.
  public var weeksWrong: Int { weeks.count { !$0.isTotalRight || $0.membersWrong > 0 } }
}

/// What a run cost: nothing that the seed determines.
public struct StressEffort: Hashable, Sendable {
  /// How many workers shared the work.
  public internal(set) var workers: Int
  /// Seconds on the wall for inventing the activities.
  public internal(set) var inventing = 0.0
  /// Seconds on the wall for counting them.
  public internal(set) var counting = 0.0
  /// Seconds that workers were busy counting, all together.
  public internal(set) var busy = 0.0
  /// Seconds on the wall for comparing with the truth.
  public internal(set) var comparing = 0.0
  /// The most bytes that were resident at once, from the start of the process.
  public internal(set) var peakMemory = 0
  /// The throughput with clubs of other sizes.
  public internal(set) var curve: [ThroughputPoint] = []

  /// How many activities were counted in a second that one core was busy.
  ///
  /// - Parameter activities: How many were counted.
  /// - Returns: The rate; 0 where nobody was busy.
  public func perCoreSecond(_ activities: Int) -> Double { busy > 0 ? Double(activities) / busy : 0 }
}

/// The throughput with a club of some size.
public struct ThroughputPoint: Hashable, Sendable {
  /// How many members.
  public let members: Int
  /// Activities a second with one worker.
  public let alone: Double
  /// Activities a second with all workers together.
  public let together: Double

  /// How much faster all workers are than one.
  public var speedUp: Double { alone > 0 ? together / alone : 0 }
}
