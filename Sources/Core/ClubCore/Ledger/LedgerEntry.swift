// SPDX-License-Identifier: Apache-2.0

/// An activity that a ledger knows.
public struct LedgerEntry: Hashable, Sendable, Identifiable {
  /// Where an activity was when the service was last asked.
  public enum Standing: Hashable, Codable, Sendable {
    case listed
    /// Past the end of the listing, as far as can be known: it still counts.
    case fallen
    /// Missing from the listing's midst since a fetch: deleted or turned private, and counts no longer.
    case gone(since: Moment)
  }

  /// Its number in the ledger, from 0 by first sight; never used again.
  public let id: Int
  /// The activity as the feed last had it.
  public internal(set) var activity: Activity
  /// The fetch that showed it first.
  public let firstSeen: Moment
  /// The last fetch before that; nil for the first fetch of all.
  public let unseenAt: Moment?
  /// When it began, and which week it counts for.
  public internal(set) var dating: Dating
  /// Where it is.
  public internal(set) var standing: Standing
  var fingerprint: ActivityFingerprint

  /// Whether it counts for its week.
  public var counts: Bool { if case .gone = standing { false } else { true } }
}

extension LedgerEntry: Codable {
  private enum CodingKeys: CodingKey {
    case id, activity, firstSeen, unseenAt, dating, standing
  }

  /// An entry as it was stored.
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

/// When an activity began, as far as it can be known: bounds that hold, a best guess between them, and the week.
public struct Dating: Hashable, Codable, Sendable {
  /// The evidence for a date.
  public enum Ground: String, Hashable, Codable, Sendable {
    /// The feed says when it began.
    case start
    /// It entered the feed between two fetches, and most rides are uploaded when they end.
    case firstSeen
    /// Its place among activities that are dated already contradicts the moment at which it entered: a late upload.
    case place
    /// It was there before anybody looked, at the first fetch or below the end of the listings until now. Its week
    /// is unknown, unless its bounds lie in one.
    case backlog
  }

  /// The week it counts for; nil where it is unknown: then it counts for none.
  public let week: Week?
  /// It began no earlier; nil where nothing bounds it, because uploads may be as late as they like.
  public let earliest: Moment?
  /// It began no later.
  public let latest: Moment
  /// The best guess; nil where there is none.
  public let likely: Moment?
  /// The evidence for it.
  public let ground: Ground

  /// Whether it may have begun at a moment, as far as the bounds tell.
  public func admits(_ moment: Moment) -> Bool { moment <= latest && earliest.map { $0 <= moment } ?? true }
}

/// The identity of an activity from one fetch to the next: everything the feed says about it but its title, which
/// owners change, its number for races and workouts, which they change too, and its start, which most feeds lack.
///
/// Several activities may have one fingerprint: a commuter who types in the same ride every morning has many.
public struct ActivityFingerprint: Hashable, Sendable {
  let member: MemberIdentity
  let sport: Sport
  let distance: Length
  let movingTime: Int
  let elapsedTime: Int
  let elevation: Length
  // Made once: names are hashed far more slowly than numbers, and an entry is looked up at every observation.
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

  /// Whether both are equal in all but the title, the number for workouts and the start.
  public static func == (left: ActivityFingerprint, right: ActivityFingerprint) -> Bool {
    left.digest == right.digest && left.distance == right.distance && left.movingTime == right.movingTime
      && left.elapsedTime == right.elapsedTime && left.elevation == right.elevation && left.sport == right.sport
      && left.member == right.member
  }

  /// Feeds the digest.
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// The changes that an observation made to a ledger.
public struct LedgerChanges: Hashable, Sendable {
  /// Two states of one activity.
  public struct Edit: Hashable, Sendable {
    /// The activity as the feed had it before.
    public let before: Activity
    /// The entry as it is now.
    public let after: LedgerEntry
  }

  /// Why an observation was not made.
  public enum Refusal: Hashable, Sendable {
    /// A clock went back: the ledger saw a listing at this later moment.
    case earlierThan(Moment)
    /// The moment lies outside the years 1 to 9999.
    case beyondCalendar
  }

  /// A gap in what the ledger saw.
  public struct Gap: Hashable, Sendable {
    /// The last fetch before it.
    public let from: Moment
    /// The fetch that found it.
    public let to: Moment
  }

  /// Why nothing was observed; nil where something was.
  public internal(set) var refusal: Refusal?
  /// The entry that each listed activity is, in the listing's order.
  public internal(set) var entries: [LedgerEntry.ID] = []
  /// How many of the listed activities the ledger knew.
  public internal(set) var known = 0
  /// The entries that were not known, in the listing's order: as many as were listed less those that were known.
  public internal(set) var new: [LedgerEntry] = []
  /// The entries that have another title and are otherwise the same.
  public internal(set) var renamed: [Edit] = []
  /// The entries that differ in anything but its title.
  public internal(set) var edited: [Edit] = []
  /// The entries that had been gone and are listed again: they count again, for the week that they had.
  public internal(set) var returned: [LedgerEntry] = []
  /// The entries that are missing from the listing's midst and count no longer.
  public internal(set) var gone: [LedgerEntry] = []
  /// The entries that left the listing at its end and still count.
  public internal(set) var fallen: [LedgerEntry] = []
  /// Set where nothing listed was known although something had been: more activities may have come than the listing
  /// holds, and those that fell off its end in between were never seen.
  public internal(set) var possibleLoss: Gap?

  /// Whether the ledger's entries are what they were before.
  public var isEmpty: Bool {
    new.isEmpty && renamed.isEmpty && edited.isEmpty && returned.isEmpty && gone.isEmpty && fallen.isEmpty
  }
}
