// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// The reasons why an activity's week cannot be known from the feed.
enum Unknowable: String, CaseIterable, Hashable, Sendable {
  case backlog = "there before the first fetch"
  /// Deleted, hidden or beyond the listing's end before any fetch, or not uploaded until its week was evaluated.
  case neverListed = "listed at no fetch"
  case between = "between a fetch before midnight and one after"
  /// Its neighbours in the listing leave open in which of two weeks it began.
  case late = "uploaded late, and its neighbours leave its week open"
}

/// The knowledge of each ride that an ideal reader could have from a feed fetched at given moments.
///
/// It follows from the ground truth and the moments alone, so the ledger under test does not influence which rides
/// count. A fetch is assumed to see whatever stays unchanged for `patience`, since pages are read one by one and a
/// fetch may have to wait for the next quarter of an hour.
struct ObservableWeeks {
  /// The shortest duration that is certain to be seen, in seconds.
  static let patience = 1200

  enum Standing {
    case unseen
    case listed
    case missing
  }

  /// The reason why a ride's week cannot be known; nil if it can.
  private(set) var reasons: [Unknowable?]
  private var sightings: [[(moment: Moment, isListed: Bool)]]
  private var firstSeen: [Moment?]

  init(_ service: borrowing VirtualFeedService, fetches: [Moment], pages: Int, perPage: Int) {
    let rides = service.history.rides
    reasons = Array(repeating: .neverListed, count: rides.count)
    sightings = Array(repeating: [], count: rides.count)
    firstSeen = Array(repeating: nil, count: rides.count)
    var previous: Moment?
    for fetch in fetches where Self.isUsable(service, fetch) {
      look(service, at: fetch, after: previous, pages: pages, perPage: perPage)
      previous = fetch
    }
  }

  func standing(of ride: Int, at moment: Moment) -> Standing {
    // The previous fetch may still be under way.
    let before = moment.adding(seconds: -Self.patience)
    guard let last = sightings[ride].last(where: { $0.moment < before }) else { return .unseen }
    return last.isListed ? .listed : .missing
  }

  private static func isUsable(_ service: borrowing VirtualFeedService, _ fetch: Moment) -> Bool {
    let end = fetch.adding(seconds: patience)
    if service.outages.contains(where: { $0.overlaps(fetch..<end) }) { return false }
    // The patience outlasts a quarter of an hour exhausted by others, but not a day.
    return stride(from: 0, through: patience, by: patience / 4).contains {
      !service.others.leaveNothing(at: fetch.adding(seconds: $0))
    }
  }

  private mutating func look(
    _ service: borrowing VirtualFeedService, at fetch: Moment, after previous: Moment?, pages: Int, perPage: Int
  ) {
    let rides = service.history.rides
    let end = fetch.adding(seconds: Self.patience)
    var missing: [Int] = []
    service.walk(at: fetch, atMost: pages * perPage) { ride, isListed in
      if !isListed && rides[ride].uploaded <= fetch { missing.append(ride) }
    }
    // Only rides that were listed before can go missing.
    for ride in missing where sightings[ride].last?.isListed == true && !rides[ride].isVisible(at: end) {
      sightings[ride].append((fetch, false))
    }
    var bounds = Bounds(order: service.shape.order)
    for number in 1...pages {
      let page = service.page(number, perPage: perPage, at: fetch)
      if page.isEmpty { break }
      bounds.beginPage()
      look(at: page, of: service, &bounds, at: fetch, after: previous)
    }
  }

  private mutating func look(
    at page: [Int], of service: borrowing VirtualFeedService, _ bounds: inout Bounds, at fetch: Moment,
    after previous: Moment?
  ) {
    let rides = service.history.rides
    let end = fetch.adding(seconds: Self.patience)
    for (index, ride) in page.enumerated() {
      let truth = rides[ride]
      let seen = firstSeen[ride] ?? fetch
      let elapsed = truth.activity(at: fetch).elapsedTime
      let latest = bounds.latestStart(seen: seen, elapsed: elapsed)
      guard truth.isVisible(from: fetch, to: end) else { continue }
      if sightings[ride].last?.isListed != true { sightings[ride].append((fetch, true)) }
      guard firstSeen[ride] == nil else { continue }
      firstSeen[ride] = fetch
      // If places depend on starts, a ride below that was known before gives a lower bound.
      let below =
        service.shape.order == .upload
        ? nil : page[(index + 1)...].first { isDated($0, before: fetch) }.map { rides[$0].start }
      reasons[ride] = Self.reason(truth, latest: latest, below: below, elapsed: elapsed, at: fetch, after: previous)
    }
  }

  /// Returns true if a ride was seen before a fetch, and not in the backlog.
  private func isDated(_ ride: Int, before fetch: Moment) -> Bool {
    reasons[ride] != .backlog && firstSeen[ride].map { $0 < fetch } ?? false
  }

  /// The first sight of a ride and the rides above prove that it began by `latest`; `below` is the start of the next
  /// ride below that was known before.
  private static func reason(
    _ ride: FeedRide, latest: Moment, below: Moment?, elapsed: Int, at fetch: Moment, after previous: Moment?
  ) -> Unknowable? {
    guard let previous else { return .backlog }
    let calendar = WeekCalendar.utc
    let week = calendar.week(of: ride.start)
    // If uploaded at once, the ride ended after the previous fetch; the current fetch may take up to its patience.
    let first = previous.adding(seconds: -elapsed)
    let last = fetch.adding(seconds: patience - elapsed)
    if latest >= first {
      let weeks = (calendar.week(of: first), calendar.week(of: min(last, latest.adding(seconds: patience))))
      if weeks.0 == week && weeks.1 == week { return nil }
      return ride.uploaded < calendar.start(of: week.next) && weeks.0 != weeks.1 ? .between : .late
    }
    // A ride uploaded late is dated only by its place between two rides of its own week.
    guard let below else { return .late }
    return calendar.week(of: latest) == week && calendar.week(of: below) == week ? nil : .late
  }
}

/// Upper bounds of starts, from the activities above in a listing.
private struct Bounds {
  private let order: ServiceShape.Order
  /// The earliest upper bound of the starts above; of the same page if only pages are sorted by start.
  private var start = Moment(milliseconds: .max)
  /// The earliest first sight above; of the pages before if pages are not sorted by upload.
  private var upload = Moment(milliseconds: .max)
  private var uploadOnPage = Moment(milliseconds: .max)

  init(order: ServiceShape.Order) {
    self.order = order
  }

  /// Ends the bounds of starts if only pages are sorted by start; the uploads of the page before begin to count.
  mutating func beginPage() {
    guard order == .uploadInPages else { return }
    (start, upload) = (Moment(milliseconds: .max), min(upload, uploadOnPage))
    uploadOnPage = Moment(milliseconds: .max)
  }

  mutating func latestStart(seen: Moment, elapsed: Int) -> Moment {
    switch order {
    case .start:
      start = min(start, seen.adding(seconds: -elapsed))
      return start
    case .upload:
      upload = min(upload, seen)
      return upload.adding(seconds: -elapsed)
    case .uploadInPages:
      uploadOnPage = min(uploadOnPage, seen)
      start = min(start, min(upload, seen).adding(seconds: -elapsed))
      return start
    }
  }
}
