// SPDX-License-Identifier: Apache-2.0

/// Assigns each activity of a feed without dates and ids to a week, by the time at which it was first seen.
///
/// **Identity.** Every listing is aligned as a sequence with the known activities, newest first: `SequenceAlignment`
/// finds the best overlap by fingerprints, which ignore the title, so that a rename changes nothing. New activities are
/// above the overlap and those that left are below it, so that one of two equal commutes can leave while another
/// arrives, which counting would miss. Unmatched activities are then compared three times: equal ones between the same
/// neighbours are the same; an equal one that is missing from the middle and appears elsewhere was uploaded again or
/// got another start; and one with the same member, sport or title and one equal quantity, between the same neighbours,
/// was edited.
///
/// **Date.** An activity of duration e first seen at t started no later than t - e. It was uploaded after the previous
/// fetch, but uploads may be late, so only known activities below it bound it from below, if positions indicate starts;
/// those above bound it from above. The guess is an upload at its end, in the middle between both fetches, unless that
/// contradicts its neighbours. A week that people have seen never changes, unless the feed itself gives the start
/// later.
///
/// **Counting.** An activity missing from the middle of the listing was deleted or made private and no longer counts;
/// if it returns, it counts once, for its former week. An activity beyond the end still counts: the end proves nothing,
/// so a ride deleted or hidden there counts as one that left.
///
/// **Limits.** A ride uploaded and deleted between two fetches is never seen. An activity from before the first fetch
/// has no week (`undated`), unless the feed or its neighbours give a start. A late upload is dated by its arrival, too
/// late by its delay, if positions do not indicate starts. Rides that came and left between two fetches are reported,
/// by `LedgerChanges.possibleLoss`, only without any overlap. Which of two equal rides is missing is unknown; counts do
/// not depend on it. Where each page is sorted separately, equal rides on several pages may be confused, and one of
/// them missed or kept for a while. A doubtful activity counts as a returned one rather than a new one: one ride too
/// few is better than one twice.
public struct WeekLedger: Sendable, Equatable {
  /// The calendar that assigns times to weeks.
  public let calendar: WeekCalendar
  /// The number of weeks kept, including the current one.
  public let weeksKept: Int
  /// The order of the listings, which decides how much a position proves.
  public let order: ListingOrder
  /// All known activities in the reverse order of the listing: the newest last.
  public internal(set) var entries: [LedgerEntry] = []
  /// The first observation; nil before it.
  public internal(set) var firstObservation: Moment?
  /// The last observation; nil before the first.
  public internal(set) var lastObservation: Moment?
  var lastCount = 0
  /// The positions of the pages of the last listing; empty if unknown, and where pages do not matter.
  var lastPageStarts: [Int] = []
  var lastWasWhole = false
  var nextID = 0

  /// A ledger without observations. At least two weeks are kept, so that there is a week before. The default order is
  /// that of recorded pages, with the service's largest page size, 200.
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

  /// The weeks with activities that count, ascending.
  public var weeks: [Week] {
    Set(entries.lazy.filter(\.counts).compactMap(\.dating.week)).sorted()
  }

  /// The entries that would count if their week were known: those of the first fetch, and those that later fetches
  /// found below the end of the listings before.
  public var undated: [LedgerEntry] {
    entries.filter { $0.dating.week == nil && $0.counts }.sorted { $0.id < $1.id }
  }
}

extension WeekLedger {
  /// The first and the last valid time of an observation: within the years 1 to 9999 in any time zone.
  static let observable = Moment(seconds: -62_135_000_000)...Moment(seconds: 253_402_000_000)

  /// Observes a listing.
  ///
  /// An observation at an earlier time than the last one is refused: a clock went back, and nothing can be dated by it.
  /// Observing the same listing again changes nothing.
  ///
  /// A failed fetch is not an observation; `moment` is the time at which the reading ended.
  ///
  /// - Complexity: O(n * m) for n listed activities and the m that were listed before, otherwise O(n) on average; the
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
    for (index, activity) in listing.activities.enumerated() {
      if let other = matching.knownOf[index] {
        current.append(known[other])
      } else {
        let entry = LedgerEntry(
          id: nextID, activity: activity, firstSeen: moment, unseenAt: lastObservation, dating: dated[index],
          standing: .listed, fingerprint: prints[index])
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

  /// The index of the first entry that is matched with a listing of `count` activities.
  private func windowStart(listing count: Int, slack: Int) -> Int {
    let deepest = entries.firstIndex { $0.standing == .listed } ?? entries.count
    return max(0, min(deepest, entries.count - count) - slack)
  }

  private func match(_ listing: FeedListing, _ prints: [ActivityFingerprint]) -> (window: Int, LedgerMatching) {
    var slack = 32
    while true {
      let window = windowStart(listing: prints.count, slack: slack)
      let matching = LedgerMatching(listing, prints: prints, known: entries[window...].reversed(), of: self)
      // Activities below all compared entries may be known from earlier: deletions and deeper readings bring them back.
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
      if let index = matching.listedOf[other] {
        let before = known[other]
        known[other].take(matching.listing[index], matching.prints[index], calendar: calendar)
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

  /// The listing's entries, and the missing entries next to their former neighbours.
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
    for (index, entry) in current.enumerated() {
      if let anchor = matching.anchors[index] { takeMissing(before: anchor) }
      result.append(entry)
    }
    takeMissing(before: known.count)
    return result
  }

  /// Drops entries older than the weeks kept, except those that are listed or may return to the listing.
  private mutating func prune(at moment: Moment) {
    let oldest = calendar.week(of: moment).advanced(by: 1 - weeksKept)
    let window = windowStart(listing: lastCount, slack: 200)
    let kept = entries[..<window].filter { ($0.dating.week ?? calendar.week(of: $0.firstSeen)) >= oldest }
    entries.replaceSubrange(..<window, with: kept)
  }
}

extension WeekLedger: Codable {
  /// Decodes a ledger and checks its numbers, so that it can continue to observe.
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
          debugDescription: "expected a ledger whose entries have unique numbers, below the next one"))
    }
  }
}

extension LedgerEntry {
  /// Adopts the feed's current values. Only a start that the feed did not have before changes the dating.
  mutating func take(_ now: Activity, _ print: ActivityFingerprint, calendar: WeekCalendar) {
    let start = now.start ?? activity.start
    let learnt = activity.start != start
    activity = now
    activity.start = start
    fingerprint = print
    if learnt, let dated = Dating(start: start, calendar: calendar) { dating = dated }
  }
}
