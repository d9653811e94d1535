// SPDX-License-Identifier: Apache-2.0

/// Which week each activity of a feed without dates and ids belongs to, inferred from when it was first seen.
///
/// **Which is which.** Every listing is aligned as a sequence with what is known, newest first: `SequenceAlignment`
/// finds the best overlap of both by fingerprints, which leave the title out, so that a rename is none. What is new
/// stands above the overlap and what fell off below it, so that of two equal commutes one can fall off while another
/// comes, which counting would miss. What lacks a partner then is looked at three times more: equal ones between the
/// same neighbours are one; an equal one that is missing from the midst while it appears elsewhere was uploaded again
/// or given another start; and of one member, one sport or title and one equal quantity between the same neighbours
/// one was edited into the other.
///
/// **When.** What is first seen at t and took e began no later than t - e. It was uploaded after the fetch before, but
/// uploads may be late, so that nothing bounds it from below except what is known to lie below it where places tell
/// starts; those above bound it from above. The guess is that it was uploaded when it ended, in the middle between both
/// fetches, unless that contradicts its neighbours. A week once chosen stays, whatever is learnt later, unless the feed
/// itself tells the start: people have seen it.
///
/// **What counts.** What is missing from the listing's midst was deleted or turned private and counts no longer; when
/// it is back it counts once, for the week it had. What is past the end counts on: an end proves nothing, so that a
/// ride that is deleted there, or hidden until the end has passed it, is taken for one that fell off.
///
/// **What it cannot know.** A ride that was uploaded and deleted between two fetches: as many as there were. What was
/// there before the first fetch: it has no week (`undated`), unless the feed or its neighbours tell a start. A late
/// upload where places do not tell starts: it is dated by when it came, too late by its delay. Rides that came
/// and fell off between two fetches: only where nothing overlaps, and `LedgerChanges.possibleLoss` says so. Whether of
/// two equal rides the one or the other is missing: counts do not depend on it. Where each page is sorted by itself,
/// equal rides on several pages may be taken for each other, and one of them be missed or kept for a while. Where it is
/// in doubt whether an activity is a new one or is back, it is back: rather one ride too few than one twice.
public struct WeekLedger: Sendable, Equatable {
  /// Which week a moment falls into.
  public let calendar: WeekCalendar
  /// How many weeks are kept, the current one among them.
  public let weeksKept: Int
  /// What a place in a listing proves.
  public let order: ListingOrder
  /// Everything the ledger knows, in the listing's order turned round: the newest last.
  public internal(set) var entries: [LedgerEntry] = []
  /// The first observation; nil before it.
  public internal(set) var firstObservation: Moment?
  /// The last observation; nil before the first.
  public internal(set) var lastObservation: Moment?
  /// How many activities the last listing had.
  var lastCount = 0
  /// Where the pages of the last listing began; empty where nobody knows, and where pages mean nothing.
  var lastPageStarts: [Int] = []
  /// Whether the last listing was whole.
  var lastWasWhole = false
  /// The number of the next entry.
  var nextID = 0

  /// A ledger that has seen nothing.
  ///
  /// - Parameters:
  ///   - calendar: Which week a moment falls into.
  ///   - weeks: How many weeks are kept, the current one among them; at least 2, so that there is a week before.
  ///   - order: What a place in a listing proves. The default is the order that recorded pages show, with pages of
  ///     the 200 activities that the service gives at most.
  public init(
    calendar: WeekCalendar = .utc, keeping weeks: Int = 9, order: ListingOrder = .byUploadInPages(of: 200)
  ) {
    (self.calendar, weeksKept, self.order) = (calendar, max(2, weeks), order)
  }

  /// The activities that count for a week, in the order in which they were first seen.
  public func activities(in week: Week) -> [Activity] { entries(in: week).map(\.activity) }

  /// The entries that count for a week, in the order in which they were first seen.
  public func entries(in week: Week) -> [LedgerEntry] {
    entries.filter { $0.dating.week == week && $0.counts }.sorted { $0.id < $1.id }
  }

  /// What a week's activities come to.
  ///
  /// - Parameters:
  ///   - week: The week.
  ///   - filter: Which sports count.
  /// - Returns: The tally of `activities(in:)`.
  public func tally(of week: Week, counting filter: SportFilter = .cycling) -> WeekTally {
    WeekTally(activities(in: week), counting: filter)
  }

  /// The weeks for which anything counts, ascending.
  public var weeks: [Week] {
    Set(entries.lazy.filter(\.counts).compactMap(\.dating.week)).sorted()
  }

  /// What would count if its week were known: what the first fetch found, and what later ones found below the end
  /// of those before them.
  public var undated: [LedgerEntry] {
    entries.filter { $0.dating.week == nil && $0.counts }.sorted { $0.id < $1.id }
  }
}
