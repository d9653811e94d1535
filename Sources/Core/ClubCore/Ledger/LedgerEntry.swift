// SPDX-License-Identifier: Apache-2.0

/// An activity in a ledger.
public struct LedgerEntry: Hashable, Sendable, Identifiable {
  /// The position of an activity at the last fetch.
  public enum Standing: Hashable, Codable, Sendable {
    case listed
    /// Beyond the end of the listing, as far as known: it still counts.
    case fallen
    /// Missing from the middle of the listing since a fetch: deleted or made private; it no longer counts.
    case gone(since: Moment)
  }

  /// The number in the ledger, from 0 in the order of first sight; never reused.
  public let id: Int
  /// The activity as last seen in the feed.
  public internal(set) var activity: Activity
  /// The fetch that showed it first.
  public let firstSeen: Moment
  /// The last fetch before `firstSeen`; `nil` for an activity of the first fetch.
  public let unseenAt: Moment?
  /// The start and the week of the activity.
  public internal(set) var dating: Dating
  /// The position at the last fetch.
  public internal(set) var standing: Standing
  var fingerprint: ActivityFingerprint

  /// True if it counts for its week.
  public var counts: Bool { if case .gone = standing { false } else { true } }
}

extension LedgerEntry: Codable {
  private enum CodingKeys: CodingKey {
    case id, activity, firstSeen, unseenAt, dating, standing
  }

  /// Decodes a stored entry.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    id = try fields.decode(Int.self, forKey: .id)
    activity = try fields.decode(Activity.self, forKey: .activity)
    firstSeen = try fields.decode(Moment.self, forKey: .firstSeen)
    unseenAt = try fields.decodeIfPresent(Moment.self, forKey: .unseenAt)
    dating = try fields.decode(Dating.self, forKey: .dating)
    standing = try fields.decode(Standing.self, forKey: .standing)
    fingerprint = ActivityFingerprint(activity)
  }
}

/// The start of an activity as far as known: reliable bounds, a best guess between them, and the week.
public struct Dating: Hashable, Codable, Sendable {
  /// The evidence for a date.
  public enum Ground: String, Hashable, Codable, Sendable {
    /// The feed gives the start.
    case start
    /// It entered the feed between two fetches, assuming an upload at its end.
    case firstSeen
    /// Its position among dated activities contradicts the time at which it entered: a late upload.
    case position
    /// It existed before the first fetch, or below the end of the listings until now. Its week is unknown, unless both
    /// bounds lie in one week.
    case backlog
  }

  /// The week that it counts for; `nil` if unknown: it then counts for no week.
  public let week: Week?
  /// The lower bound of the start; `nil` without one, because uploads may be arbitrarily late.
  public let earliest: Moment?
  /// The upper bound of the start.
  public let latest: Moment
  /// The best guess of the start; `nil` if there is none.
  public let likely: Moment?
  /// The evidence for the guess.
  public let ground: Ground

  /// Returns true if a start at this time is within the bounds.
  public func admits(_ moment: Moment) -> Bool { moment <= latest && earliest.map { $0 <= moment } ?? true }
}

/// The identity of an activity across fetches: all its data except the title and the workout type, which owners change,
/// and the start, which most feeds lack.
///
/// Several activities may have one fingerprint, for example the daily ride of a commuter with manual entries.
public struct ActivityFingerprint: Hashable, Sendable {
  let member: MemberIdentity
  let sport: Sport
  let distance: Length
  let movingTime: Int
  let elapsedTime: Int
  let elevation: Length
  // Computed once: names are hashed far more slowly than numbers, and an entry is looked up at every observation.
  private let digest: Int

  /// The fingerprint of an activity.
  public init(_ activity: Activity) {
    (member, sport, distance) = (activity.member, activity.sport, activity.distance)
    (movingTime, elapsedTime, elevation) = (activity.movingTime, activity.elapsedTime, activity.elevation)
    var hasher = Hasher()
    hasher.combine(member)
    hasher.combine(distance)
    hasher.combine(movingTime)
    hasher.combine(elapsedTime)
    digest = hasher.finalize()
  }

  /// Returns true if all data except the title, the workout type and the start are equal.
  public static func == (left: ActivityFingerprint, right: ActivityFingerprint) -> Bool {
    left.digest == right.digest && left.distance == right.distance && left.movingTime == right.movingTime
      && left.elapsedTime == right.elapsedTime && left.elevation == right.elevation && left.sport == right.sport
      && left.member == right.member
  }

  /// Feeds the digest.
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// The changes of a ledger by an observation.
public struct LedgerChanges: Hashable, Sendable {
  /// The states of one activity before and after an edit.
  public struct Edit: Hashable, Sendable {
    /// The activity as the feed had it before.
    public let before: Activity
    /// The entry after the edit.
    public let after: LedgerEntry
  }

  /// The reason why an observation was refused.
  public enum Refusal: Hashable, Sendable {
    /// A clock went back: the ledger has an observation at this later time.
    case earlierThan(Moment)
    /// The time lies outside the years 1 to 9999.
    case beyondCalendar
  }

  /// A gap between two observations.
  public struct Gap: Hashable, Sendable {
    /// The last fetch before the gap.
    public let from: Moment
    /// The fetch after the gap.
    public let to: Moment
  }

  /// The reason for a refusal; `nil` if the listing was observed.
  public internal(set) var refusal: Refusal?
  /// The entry of each listed activity, in the listing's order.
  public internal(set) var entries: [LedgerEntry.ID] = []
  /// The number of listed activities that the ledger knew.
  public internal(set) var known = 0
  /// The new entries, in the listing's order; their number is that of the listed activities less `known`.
  public internal(set) var new: [LedgerEntry] = []
  /// The entries of which only the title changed.
  public internal(set) var renamed: [Edit] = []
  /// The entries of which other data changed.
  public internal(set) var edited: [Edit] = []
  /// The entries that were gone and are listed again: they count again, for their former week.
  public internal(set) var returned: [LedgerEntry] = []
  /// The entries that are missing from the middle of the listing and no longer count.
  public internal(set) var gone: [LedgerEntry] = []
  /// The entries that left the listing at its end and still count.
  public internal(set) var fallen: [LedgerEntry] = []
  /// Set if no listed activity was known although entries exist: more activities may have come than the listing holds,
  /// and those that left it in between were never seen.
  public internal(set) var possibleLoss: Gap?

  /// True if the ledger's entries are unchanged.
  public var isEmpty: Bool {
    new.isEmpty && renamed.isEmpty && edited.isEmpty && returned.isEmpty && gone.isEmpty && fallen.isEmpty
  }
}
