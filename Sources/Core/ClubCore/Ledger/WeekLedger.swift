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
  /// How much a place in a listing proves.
  public let order: ListingOrder
  /// Everything the ledger knows, in the listing's order turned round: the newest last.
  public internal(set) var entries: [LedgerEntry] = []
  /// The first observation; nil before it.
  public internal(set) var firstObservation: Moment?
  /// The last observation; nil before the first.
  public internal(set) var lastObservation: Moment?
  var lastCount = 0
  /// Where the pages of the last listing began; empty where that is unknown, and where pages mean nothing.
  var lastPageStarts: [Int] = []
  var lastWasWhole = false
  var nextID = 0

  /// A ledger that has seen nothing. At least two weeks are kept, so that there is a week before. The default order is
  /// the one that recorded pages show, with pages of the 200 activities that the service gives at most.
  public init(calendar: WeekCalendar = .utc, keeping weeks: Int = 9, order: ListingOrder = .byUploadInPages(of: 200)) {
    (self.calendar, weeksKept, self.order) = (calendar, max(2, weeks), order)
  }

  /// The activities that count for a week, in the order in which they were first seen.
  public func activities(in week: Week) -> [Activity] { entries(in: week).map(\.activity) }

  /// The entries that count for a week, in the order in which they were first seen.
  public func entries(in week: Week) -> [LedgerEntry] {
    entries.filter { $0.dating.week == week && $0.counts }.sorted { $0.id < $1.id }
  }

  /// The sums of a week's activities.
  public func tally(of week: Week, counting filter: SportFilter = .cycling) -> WeekTally {
    WeekTally(activities(in: week), counting: filter)
  }

  /// The weeks for which anything counts, ascending.
  public var weeks: [Week] {
    Set(entries.lazy.filter(\.counts).compactMap(\.dating.week)).sorted()
  }

  /// The entries that would count if their week were known: those of the first fetch, and those that later ones found
  /// below the end of those before them.
  public var undated: [LedgerEntry] {
    entries.filter { $0.dating.week == nil && $0.counts }.sorted { $0.id < $1.id }
  }
}

extension WeekLedger {
  /// The first and the last moment that are observed: within the years 1 to 9999 by the clocks of any time zone.
  static let observable = Moment(seconds: -62_135_000_000)...Moment(seconds: 253_402_000_000)

  /// Takes a listing in.
  ///
  /// An observation at an earlier moment than the last is refused, whatever it shows: a clock went back, and nothing
  /// can be dated by it. The same listing taken in again changes nothing.
  ///
  /// A failed fetch is no observation; the moment is that at which its reading ended.
  ///
  /// - Complexity: O(n * m) for n listed activities and the m that were listed before, O(n) on average beside it; the
  ///   number of entries does not matter, except when a week begins and old ones are dropped.
  public mutating func observe(_ listing: FeedListing, at moment: Moment) -> LedgerChanges {
    var changes = LedgerChanges()
    if let lastObservation, moment < lastObservation {
      changes.refusal = .earlierThan(lastObservation)
      return changes
    }
    guard Self.observable.contains(moment) else {
      changes.refusal = .beyondCalendar
      return changes
    }
    let prints = listing.activities.map(ActivityFingerprint.init)
    let (window, matching) = match(listing, prints)
    if !entries.isEmpty, !prints.isEmpty, !matching.knownOf.contains(where: { $0 != nil }), let lastObservation {
      changes.possibleLoss = LedgerChanges.Gap(from: lastObservation, to: moment)
    }
    var known = matching.known
    update(&known, by: matching, at: moment, &changes)
    let dated = Dater(self, matching, known: known, listing: listing, goneCount: changes.gone.count, at: moment)
      .datings()
    var current: [LedgerEntry] = []
    current.reserveCapacity(prints.count)
    for (place, activity) in listing.activities.enumerated() {
      if let other = matching.knownOf[place] {
        current.append(known[other])
      } else {
        let entry = LedgerEntry(
          id: nextID, activity: activity, firstSeen: moment, unseenAt: lastObservation, dating: dated[place],
          standing: .listed, fingerprint: prints[place])
        nextID += 1
        changes.new.append(entry)
        current.append(entry)
      }
    }
    changes.entries = current.map(\.id)
    changes.known = prints.count - changes.new.count
    entries.replaceSubrange(window..., with: Self.merged(current, known, matching).reversed())
    let beginsWeek = lastObservation.map { calendar.week(of: $0) < calendar.week(of: moment) } ?? false
    firstObservation = firstObservation ?? moment
    (lastObservation, lastCount, lastWasWhole) = (moment, prints.count, listing.isWhole)
    lastPageStarts = order.isPaged ? Set(listing.pageStarts.filter(prints.indices.contains)).sorted() : []
    if beginsWeek { prune(at: moment) }
    return changes
  }

  /// Where the entries begin among which a listing of so many activities is looked for.
  private func windowStart(listing count: Int, slack: Int) -> Int {
    let deepest = entries.firstIndex { $0.standing == .listed } ?? entries.count
    return max(0, min(deepest, entries.count - count) - slack)
  }

  private func match(_ listing: FeedListing, _ prints: [ActivityFingerprint]) -> (window: Int, LedgerMatching) {
    var slack = 32
    while true {
      let window = windowStart(listing: prints.count, slack: slack)
      let matching = LedgerMatching(listing, prints: prints, known: entries[window...].reversed(), of: self)
      // What lies below all that was looked at may be known from longer ago: deletions and deeper readings bring it
      // back.
      guard window > 0, let last = matching.lastAnchor,
        matching.knownOf[last...].contains(where: { $0 == nil }),
        isKnownBelow(window, prints, matching)
      else { return (window, matching) }
      slack = max(slack, entries.count - window) * 2
    }
  }

  private func isKnownBelow(_ window: Int, _ prints: [ActivityFingerprint], _ matching: LedgerMatching) -> Bool {
    var open: Set<ActivityFingerprint> = []
    for (print, other) in zip(prints, matching.knownOf) where other == nil { open.insert(print) }
    return entries[..<window].contains { open.contains($0.fingerprint) }
  }

  private func update(
    _ known: inout [LedgerEntry], by matching: LedgerMatching, at moment: Moment, _ changes: inout LedgerChanges
  ) {
    let vanishing = VanishingCheck(matching)
    for other in known.indices {
      if let place = matching.listedOf[other] {
        let before = known[other]
        known[other].take(matching.listing[place], matching.prints[place], calendar: calendar)
        known[other].standing = .listed
        if !before.counts { changes.returned.append(known[other]) }
        if before.fingerprint != known[other].fingerprint {
          changes.edited.append(LedgerChanges.Edit(before: before.activity, after: known[other]))
        } else if before.activity.title != known[other].activity.title {
          changes.renamed.append(LedgerChanges.Edit(before: before.activity, after: known[other]))
        }
      } else if known[other].counts {
        let wasListed = known[other].standing == .listed
        if vanishing.vanishedFromMidst(other) {
          known[other].standing = .gone(since: moment)
          changes.gone.append(known[other])
        } else if wasListed {
          known[other].standing = .fallen
          changes.fallen.append(known[other])
        }
      }
    }
  }

  /// The listing's entries with those that are missing from it behind the neighbours they had.
  private static func merged(_ current: [LedgerEntry], _ known: [LedgerEntry], _ matching: LedgerMatching)
    -> [LedgerEntry]
  {
    var result: [LedgerEntry] = []
    result.reserveCapacity(current.count + known.count)
    var next = 0
    func takeMissing(before end: Int) {
      while next < end {
        if matching.listedOf[next] == nil { result.append(known[next]) }
        next += 1
      }
    }
    for (place, entry) in current.enumerated() {
      if let anchor = matching.anchors[place] { takeMissing(before: anchor) }
      result.append(entry)
    }
    takeMissing(before: known.count)
    return result
  }

  /// Drops what is older than the weeks kept, except for what is listed or may come back into the listing.
  private mutating func prune(at moment: Moment) {
    let oldest = calendar.week(of: moment).advanced(by: 1 - weeksKept)
    let window = windowStart(listing: lastCount, slack: 200)
    let kept = entries[..<window].filter { ($0.dating.week ?? calendar.week(of: $0.firstSeen)) >= oldest }
    entries.replaceSubrange(..<window, with: kept)
  }
}

extension WeekLedger: Codable {
  /// Refuses numbers that no ledger has, so that whatever is accepted can go on observing.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      calendar: try fields.decode(WeekCalendar.self, forKey: .calendar),
      keeping: min(try fields.decode(Int.self, forKey: .weeksKept), 1_000_000),
      order: try fields.decode(ListingOrder.self, forKey: .order))
    entries = try fields.decode([LedgerEntry].self, forKey: .entries)
    firstObservation = try fields.decodeIfPresent(Moment.self, forKey: .firstObservation)
    lastObservation = try fields.decodeIfPresent(Moment.self, forKey: .lastObservation)
    lastCount = try fields.decode(Int.self, forKey: .lastCount)
    lastPageStarts = try fields.decode([Int].self, forKey: .lastPageStarts)
    lastWasWhole = try fields.decode(Bool.self, forKey: .lastWasWhole)
    nextID = try fields.decode(Int.self, forKey: .nextID)
    let ids = Set(entries.map(\.id))
    guard ids.count == entries.count, ids.allSatisfy({ $0 >= 0 && $0 < nextID }), (0...(1 << 53)).contains(nextID),
      (0...(1 << 53)).contains(lastCount), (firstObservation == nil) == (lastObservation == nil)
    else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "expected a ledger whose entries have numbers of their own, below the next one"))
    }
  }
}

extension LedgerEntry {
  /// Takes over the feed's present values. A start that the feed did not have before dates it again; nothing else does.
  mutating func take(_ now: Activity, _ print: ActivityFingerprint, calendar: WeekCalendar) {
    let start = now.start ?? activity.start
    let learnt = activity.start != start
    activity = now
    activity.start = start
    fingerprint = print
    if learnt, let dated = Dating(start: start, calendar: calendar) { dating = dated }
  }
}
