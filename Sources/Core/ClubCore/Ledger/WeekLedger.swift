// SPDX-License-Identifier: Apache-2.0

/// Which week each activity of a feed without dates and ids belongs to, inferred from when it was first seen.
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
