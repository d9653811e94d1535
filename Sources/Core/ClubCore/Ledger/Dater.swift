// SPDX-License-Identifier: Apache-2.0

extension Dating {
  /// The dating by the start in the feed; `nil` without a start, and for one outside the years 1 to 9999.
  init?(start: Moment?, calendar: WeekCalendar) {
    guard let start, WeekLedger.observable.contains(start) else { return nil }
    self.init(week: calendar.week(of: start), earliest: start, latest: start, likely: start, ground: .start)
  }
}

/// Dates the activities of one listing that are new to a ledger.
struct Dater {
  private let calendar: WeekCalendar
  private let order: ListingOrder
  private let pages: ListingPages
  private let previous: Moment?
  private let moment: Moment
  private let listing: [Activity]
  private let knownOf: [Int?]
  private let known: [LedgerEntry]
  /// From this position on, unknown activities may have existed earlier; `nil` if none can.
  private let backlogFrom: Int?
  /// The latest possible upload of each activity.
  private var uploadedBy: [Moment] = []

  init(
    _ ledger: WeekLedger, _ matching: LedgerMatching, known: [LedgerEntry], listing: FeedListing, goneCount: Int,
    at moment: Moment
  ) {
    (calendar, order, previous) = (ledger.calendar, ledger.order, ledger.lastObservation)
    (self.moment, self.listing, knownOf) = (moment, listing.activities, matching.knownOf)
    (self.known, pages) = (known, matching.pages)
    let firstKnown = knownOf.firstIndex { $0 != nil }
    let lastKnown = knownOf.lastIndex { $0 != nil }
    // Behind a whole listing nothing was hidden, unless activities left it and made room.
    let hidNothing =
      ledger.lastWasWhole && (goneCount == 0 || listing.activities.count > ledger.lastCount)
    if ledger.firstObservation == nil {
      backlogFrom = 0
    } else if hidNothing || firstKnown == nil {
      backlogFrom = nil
    } else if order.isPaged, let firstKnown, firstKnown < pages.firstPageSize {
      backlogFrom = min(pages.firstPageSize, (lastKnown ?? 0) + 1)
    } else {
      backlogFrom = lastKnown.map { $0 + 1 }
    }
    uploadedBy = latestUploads()
  }

  /// The dating of each position; known activities keep theirs.
  func datings() -> [Dating] {
    let (latest, earliest) = bounds()
    let guesses = guesses()
    var result: [Dating] = []
    result.reserveCapacity(listing.count)
    let below = likelyBelow()
    // The likely start and the page of the nearest known activity above; `nil` where it is undated.
    var above: (likely: Moment?, page: Int)?
    for index in listing.indices {
      if let other = knownOf[index] {
        above = (known[other].dating.likely, pages.page(of: index))
        result.append(known[other].dating)
      } else if let dated = Dating(start: listing[index].start, calendar: calendar) {
        result.append(dated)
      } else {
        let nearest = order.placesTellStarts && above?.page == pages.page(of: index) ? above : nil
        result.append(
          dating(
            earliest: earliest[index], latest: latest[index], guess: guesses[index],
            atOnce: (previous ?? moment).adding(seconds: -elapsed(index)), above: nearest.map { $0.likely },
            below: below[index]))
      }
    }
    return result
  }

  /// The start of an activity, assuming that it was uploaded when it ended.
  private struct Guess {
    let moment: Moment
    let ground: Dating.Ground
  }

  /// A dating within bounds. `guess` follows from the upload, `nil` if the activity may have existed earlier; `atOnce`
  /// is the earliest start of an activity uploaded when it ended, because the previous fetch did not show it. `above`
  /// and `below` are the likely starts of the nearest known activities: `nil` for none, an inner `nil` for an undated
  /// one above.
  private func dating(
    earliest: Moment?, latest: Moment, guess: Guess?, atOnce: Moment, above: Moment??, below: Moment?
  ) -> Dating {
    // Below activities from before the first fetch, a late upload cannot be distinguished from a hidden activity,
    // unless it can still have been uploaded when it ended.
    let isBelowBacklog = above.map { $0 == nil } ?? false && atOnce > latest
    guard let guess, !(isBelowBacklog && below == nil) else {
      let only = earliest.map(calendar.week(of:))
      let week = only == calendar.week(of: latest) ? only : nil
      return Dating(
        week: week, earliest: earliest, latest: latest, likely: week == nil ? nil : latest,
        ground: .backlog)
    }
    let upper = min(latest, (above ?? nil) ?? latest)
    let lower = [earliest, below].compactMap { $0 }.max().map { min($0, upper) }
    let likely: Moment
    if guess.moment <= upper, lower.map({ $0 <= guess.moment }) ?? true {
      likely = guess.moment
    } else if guess.moment > upper {
      // An activity above may have started earlier than guessed; an upload at the end is assumed where possible.
      let minimum = atOnce <= upper ? max(lower ?? atOnce, atOnce) : lower
      likely = minimum.map { Self.middle($0, upper) } ?? upper
    } else {
      likely = lower ?? upper
    }
    return Dating(
      week: calendar.week(of: likely), earliest: earliest, latest: latest, likely: likely,
      ground: likely == guess.moment ? guess.ground : .position)
  }

  private static func middle(_ first: Moment, _ second: Moment) -> Moment {
    Moment(milliseconds: first.milliseconds + (second.milliseconds - first.milliseconds) / 2)
  }

  /// The bounds of each position, narrowed by those above and below on its page if positions indicate starts.
  private func bounds() -> (latest: [Moment], earliest: [Moment?]) {
    let own = listing.indices.map { index -> (latest: Moment, earliest: Moment?) in
      if let other = knownOf[index] { return (known[other].dating.latest, known[other].dating.earliest) }
      if let start = Dating(start: listing[index].start, calendar: calendar) { return (start.latest, start.latest) }
      return (uploadedBy[index].adding(seconds: -elapsed(index)), nil)
    }
    var (latest, earliest) = (own.map(\.latest), own.map(\.earliest))
    guard order.placesTellStarts else { return (latest, earliest) }
    for index in listing.indices.dropFirst() where pages.page(of: index) == pages.page(of: index - 1) {
      latest[index] = min(latest[index], latest[index - 1])
    }
    for index in listing.indices.dropLast().reversed() where pages.page(of: index) == pages.page(of: index + 1) {
      earliest[index] = [earliest[index], earliest[index + 1]].compactMap { $0 }.max()
    }
    // Contradictory bounds mean a wrong position or clock: the activity's own bounds remain.
    for index in listing.indices {
      if let minimum = earliest[index], minimum > latest[index] { (latest[index], earliest[index]) = own[index] }
    }
    return (latest, earliest)
  }

  /// The likely start of the nearest known activity below on the same page; `nil` if there is none or it is undated.
  private func likelyBelow() -> [Moment?] {
    var result = [Moment?](repeating: nil, count: listing.count)
    guard order.placesTellStarts else { return result }
    var below: (likely: Moment?, page: Int)?
    for index in listing.indices.reversed() {
      if let below, below.page == pages.page(of: index) { result[index] = below.likely }
      if let other = knownOf[index] { below = (known[other].dating.likely, pages.page(of: index)) }
    }
    return result
  }

  /// The latest possible upload of each activity: the activities above it in the order of uploads had been seen by
  /// then.
  private func latestUploads() -> [Moment] {
    var result = [Moment](repeating: moment, count: listing.count)
    guard order != .byStart else { return result }
    var (above, onPage, page) = (moment, moment, 0)
    for index in listing.indices {
      if pages.page(of: index) != page { (above, page) = (min(above, onPage), pages.page(of: index)) }
      result[index] = above
      guard let other = knownOf[index] else { continue }
      onPage = min(onPage, known[other].firstSeen)
      if order == .byUpload { above = onPage }
    }
    return result
  }

  /// The start that each activity's upload suggests. Uploads are assumed in the middle between the previous fetch and
  /// this one, or spread evenly where the whole listing has one order, because a gap of days may contain many; between
  /// their neighbours where uploads are in order. `nil` for activities that may have existed earlier.
  private func guesses() -> [Guess?] {
    guard let previous else { return listing.map { _ in nil } }
    let span = moment.milliseconds - previous.milliseconds
    let fresh = knownOf.prefix { $0 == nil }.count
    let notBefore = order == .byUpload ? uploadedAfter() : []
    return listing.indices.map { index in
      guard knownOf[index] == nil, backlogFrom.map({ index < $0 }) ?? true else { return nil }
      var uploaded = Moment(milliseconds: previous.milliseconds + span / 2)
      var ground = Dating.Ground.firstSeen
      if index >= fresh, order == .byUpload {
        guard let minimum = notBefore[index] else { return nil }
        (uploaded, ground) = (Self.middle(min(minimum, uploadedBy[index]), uploadedBy[index]), .position)
      } else if index < fresh, !order.isPaged {
        // Counted from the last fetch: the lowest of n is in the middle of the first of n equal parts.
        uploaded = moment.adding(milliseconds: -(span / (2 * fresh) * (2 * index + 1)))
      }
      return Guess(moment: uploaded.adding(seconds: -elapsed(index)), ground: ground)
    }
  }

  /// The last time at which the nearest known activity below did not exist yet; `nil` where that is unknown.
  private func uploadedAfter() -> [Moment?] {
    var result = [Moment?](repeating: nil, count: listing.count)
    var below: Moment?
    for index in listing.indices.reversed() {
      result[index] = below
      if let other = knownOf[index] { below = known[other].unseenAt }
    }
    return result
  }

  private func elapsed(_ index: Int) -> Int { min(max(0, listing[index].elapsedTime), Activity.maxSeconds) }
}
