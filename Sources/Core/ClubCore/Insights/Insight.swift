// SPDX-License-Identifier: Apache-2.0

/// The point of view of insights.
public enum InsightMode: String, CaseIterable, Hashable, Sendable {
  /// The member's own week, with a tip.
  case mine
  /// The member against the top three.
  case top
  /// Any member's week against that member's usual week, with the causes of the difference.
  case deep
}

/// One observation about a member's week: a typed statement with its numbers, and a sentence made from them.
public struct Insight: Hashable, Sendable {
  /// The statement, with the numbers behind it.
  public let kind: Kind
  /// The statement as a sentence, which claims nothing beyond the numbers.
  public let sentence: String

  init(_ kind: Kind, _ sentence: String) {
    (self.kind, self.sentence) = (kind, sentence)
  }

  /// The kinds of statements. Distances and climbs are decimetres, speeds decimetres per second.
  public enum Kind: Hashable, Sendable {
    /// The week is unknown.
    case weekUnknown(Week)
    /// No activities this week, with the last known active week before it.
    case inactive(lastActive: Week?)
    /// This week's quantity, and the member's share of the club's total; no share for the only member.
    case amount(Metric, value: Ratio, share: ClubShare?)
    /// The longest of several activities.
    case longest(Int)
    /// The member is the only one with activities, so ranks are meaningless.
    case onlyMember
    /// The rank among the members with a value, and the others of the same rank, by name.
    case rank(Metric, rank: Int, among: Int, tied: [MemberIdentity])
    /// The week before is unknown.
    case noPreviousWeek
    /// A quantity compared with the week before; `nil` for no speed.
    case weekOverWeek(Metric, this: Ratio?, last: Ratio?, trend: Trend)
    /// More than in any earlier known week with activities.
    case personalBest(PersonalBest)
    /// The number of consecutive active weeks up to this one; `isWhole` if the week before them is known.
    case streak(weeks: Int, isWhole: Bool)
    case closing(GapClosing)
    /// The rank by distance after one more ride of the member's usual length, rounded down to integer kilometres, or to
    /// tenths below one kilometre.
    case nextRide(length: Int, from: Int?, to: Int)
    /// First by distance, with the lead over the next; 0 if others have the same distance.
    case lead(decimetres: Int, over: [MemberIdentity])
    /// The member against one of the top three by distance, with the rank of that one; `nil` for no speed.
    case gap(Metric, to: MemberIdentity, rank: Int, mine: Ratio?, theirs: Ratio?)
    /// The member is one of the top three by distance.
    case inTopThree(rank: Int)
    /// Fewer than three members have activities.
    case noThird(activeMembers: Int)
    /// The metrics in which the member has the best rank, with that rank.
    case strength([Metric], rank: Int)
    /// The ranks by distance in the latest known weeks, ascending.
    case ranks([WeekRank])
    /// The gap to the third by distance, in an earlier week and now; 0 for a member who is level or ahead.
    case gapToThird(since: Week, then: Int, now: Int)
    /// The causes of the difference between this week's distance and the member's usual one.
    case againstUsual(WeekDecomposition, trend: Trend)
    /// The additional rides of one length that bring the distance to the usual one; `gap` is the difference.
    case makingUp(gap: Int, rides: Int, length: Int)
    /// Metres of climb per kilometre, this week and usually, if this week's exceeds the usual by more than the
    /// threshold.
    case climbing(this: Ratio, usual: Ratio)
    /// The number of active weeks among the known weeks, including this one.
    case constancy(active: Int, known: Int)
  }
}

/// A quantity that is larger than in any earlier week.
public struct PersonalBest: Hashable, Sendable {
  /// A quantity that is largest this week.
  public enum Record: Hashable, Sendable {
    case metric(Metric)
    /// The longest activity of a week.
    case longest
  }

  /// The quantity that is largest this week.
  public let record: Record
  /// This week's value.
  public let value: Ratio
  /// The best value of the earlier weeks, above 0.
  public let before: Ratio
  /// The latest earlier week with that value.
  public let week: Week
  /// The number of known weeks, up to and including this one.
  public let weeksKnown: Int
}

/// The additional rides that would close the gap to a rank by distance.
public struct GapClosing: Hashable, Sendable {
  /// The rank.
  public let rank: Int
  /// The members with that rank, by name.
  public let holders: [MemberIdentity]
  /// The gap in decimetres, above 0.
  public let gap: Int
  /// The number of additional rides.
  public let rides: Int
  /// The length of each ride in decimetres, an integer number of kilometres; all together cover the gap.
  public let length: Int
  /// The mean length of the member's rides in the known weeks, rounded down.
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
    // The name of the case, with which its description begins.
    String("\(self)".prefix { $0 != "(" })
  }
}
