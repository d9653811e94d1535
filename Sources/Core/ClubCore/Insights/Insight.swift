// SPDX-License-Identifier: Apache-2.0

/// From whose side insights look.
public enum InsightMode: String, CaseIterable, Hashable, Sendable {
  /// The member's own week, with a tip.
  case mine
  /// The member against the top three.
  case top
  /// Any member's week against that member's usual one: what made it what it was.
  case deep
}

/// One thing worth saying about a member's week: typed, with its numbers, and a sentence made from them.
public struct Insight: Hashable, Sendable {
  /// The statement, with the numbers behind it.
  public let kind: Kind
  /// The same as a sentence, which claims nothing that the numbers do not say.
  public let sentence: String

  init(_ kind: Kind, _ sentence: String) {
    (self.kind, self.sentence) = (kind, sentence)
  }

  /// The kinds of statements. Distances and climbs are decimetres, speeds decimetres per second.
  public enum Kind: Hashable, Sendable {
    /// The week is none of those known.
    case weekUnknown(Week)
    /// No activities this week; the last week before that has some, where one is known.
    case inactive(lastActive: Week?)
    /// This week's quantity, and the member's share of the club's; no share for the only member.
    case amount(Metric, value: Ratio, share: ClubShare?)
    /// The longest of several activities.
    case longest(Int)
    /// The member is the only one with activities: no rank says anything.
    case onlyMember
    /// The rank among so many who have one, with the others of the same rank, by name.
    case rank(Metric, rank: Int, among: Int, tied: [MemberIdentity])
    /// Nothing is known of the week before.
    case noPreviousWeek
    /// A quantity against the week before; nil for no speed.
    case weekOverWeek(Metric, this: Ratio?, last: Ratio?, trend: Trend)
    /// More than in any earlier week known in which the member was active.
    case personalBest(PersonalBest)
    /// Active so many weeks in a row up to this one; `isWhole` where the week before them is known.
    case streak(weeks: Int, isWhole: Bool)
    case closing(GapClosing)
    /// The rank by distance after one more ride of the member's usual length, rounded down to whole kilometres, or to
    /// tenths below one.
    case nextRide(length: Int, from: Int?, to: Int)
    /// First by distance, so far ahead of the next; zero where others are level.
    case lead(decimetres: Int, over: [MemberIdentity])
    /// The member against one of the top three by distance, whose rank there is given; nil for no speed.
    case gap(Metric, to: MemberIdentity, rank: Int, mine: Ratio?, theirs: Ratio?)
    /// The member is one of the top three by distance.
    case inTopThree(rank: Int)
    /// There are fewer than three members with activities.
    case noThird(activeMembers: Int)
    /// The metrics by which the member stands best, with the rank there.
    case strength([Metric], rank: Int)
    /// Ranks by distance over the latest weeks known, ascending.
    case ranks([WeekRank])
    /// The gap to the third by distance, in an earlier week and now; zero for a member who is level or ahead.
    case gapToThird(since: Week, then: Int, now: Int)
    /// The causes of the difference between this week's distance and the member's usual one.
    case againstUsual(WeekDecomposition, trend: Trend)
    /// So many more rides of such a length bring the distance to that of a usual week, which it lacks by the gap.
    case makingUp(gap: Int, rides: Int, length: Int)
    /// Metres of climbing per kilometre, this week and usually, where this week has more by more than the threshold.
    case climbing(this: Ratio, usual: Ratio)
    /// Active in so many of the weeks known, this one included.
    case constancy(active: Int, known: Int)
  }
}

/// A quantity that is more than in any earlier week.
public struct PersonalBest: Hashable, Sendable {
  /// A quantity of which this week has the most.
  public enum Record: Hashable, Sendable {
    case metric(Metric)
    /// The longest activity of a week.
    case longest
  }

  /// The quantity of which this week has the most.
  public let record: Record
  /// This week's value.
  public let value: Ratio
  /// The best of the earlier weeks: more than zero.
  public let before: Ratio
  /// The latest of the earlier weeks that has it.
  public let week: Week
  /// How many weeks are known, up to and with this one.
  public let weeksKnown: Int
}

/// The riding that would close the gap to a rank by distance.
public struct GapClosing: Hashable, Sendable {
  /// The rank.
  public let rank: Int
  /// Who holds it, by name.
  public let holders: [MemberIdentity]
  /// The gap: more than zero.
  public let gap: Int
  /// How many more rides close it.
  public let rides: Int
  /// How long each of them is: whole kilometres; all together at least the gap.
  public let length: Int
  /// The habit: the mean length of the member's rides in the weeks known, rounded down.
  public let habit: Int
}

/// A member's rank in a week.
public struct WeekRank: Hashable, Sendable {
  /// The week.
  public let week: Week
  /// The rank by distance; nil without activities.
  public let rank: Int?
}

extension Insight.Kind {
  /// The kind in one word, such as `weekOverWeek`.
  public var name: String {
    // The case's own name: what describes it begins with that.
    String("\(self)".prefix { $0 != "(" })
  }
}
