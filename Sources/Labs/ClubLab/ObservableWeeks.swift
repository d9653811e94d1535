// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// Why an activity's week cannot be known from the feed.
enum Unknowable: String, CaseIterable, Hashable, Sendable {
  case backlog = "there before the first fetch"
  /// Deleted, hidden or past the listing's end before a fetch came, or not uploaded until its week was evaluated.
  case neverListed = "listed at no fetch"
  case between = "between a fetch before midnight and one after"
  /// Its neighbours in the listing leave open in which of two weeks it began.
  case late = "uploaded late, and nothing around it tells its week"
}

/// The knowledge that an ideal reader could have of each ride from a feed that is fetched at given moments.
///
/// It follows from the ground truth and the moments alone, so the ledger under test has no influence on which rides
/// count. A fetch is trusted with what stays as it is for `patience`: pages are read one by one, and a quarter of an
/// hour may have to be waited for.
struct ObservableWeeks {
  /// How long something must last to be seen for certain, in seconds.
  static let patience = 1200

  enum Standing {
    case unseen
    case listed
    case missing
  }

  /// Why a ride's week cannot be known; nil where it can.
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
    // The last fetch before may still be under way.
    let before = moment.adding(seconds: -Self.patience)
    guard let last = sightings[ride].last(where: { $0.moment < before }) else { return .unseen }
    return last.isListed ? .listed : .missing
  }

  private static func isUsable(_ service: borrowing VirtualFeedService, _ fetch: Moment) -> Bool {
    let end = fetch.adding(seconds: patience)
    if service.outages.contains(where: { $0.overlaps(fetch..<end) }) { return false }
    // A quarter of an hour that others exhausted is over within the patience; a day is not.
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
    // Only what was listed before can be missed.
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
    for (place, ride) in page.enumerated() {
      let truth = rides[ride]
      let seen = firstSeen[ride] ?? fetch
      let elapsed = truth.activity(at: fetch).elapsedTime
      let latest = bounds.latestStart(seen: seen, elapsed: elapsed)
      guard truth.isVisible(from: fetch, to: end) else { continue }
      if sightings[ride].last?.isListed != true { sightings[ride].append((fetch, true)) }
      guard firstSeen[ride] == nil else { continue }
      firstSeen[ride] = fetch
      // What stands below and was there before dates it from below, where places tell starts.
      let below =
        service.shape.order == .upload
        ? nil : page[(place + 1)...].first { isDated($0, before: fetch) }.map { rides[$0].start }
      reasons[ride] = Self.reason(truth, latest: latest, below: below, elapsed: elapsed, at: fetch, after: previous)
    }
  }

  /// Seen and datable before a fetch.
  private func isDated(_ ride: Int, before fetch: Moment) -> Bool {
    reasons[ride] != .backlog && firstSeen[ride].map { $0 < fetch } ?? false
  }

  /// That a ride began no later than `latest` is proved by its first sight and by the rides above; `below` is the start
  /// of the next one below that was dated before.
  private static func reason(
    _ ride: FeedRide, latest: Moment, below: Moment?, elapsed: Int, at fetch: Moment, after previous: Moment?
  ) -> Unknowable? {
    guard let previous else { return .backlog }
    let calendar = WeekCalendar.utc
    let week = calendar.week(of: ride.start)
    // Uploaded at once, it ended after the fetch before; the fetch that shows it may take its time.
    let first = previous.adding(seconds: -elapsed)
    let last = fetch.adding(seconds: patience - elapsed)
    if latest >= first {
      let weeks = (calendar.week(of: first), calendar.week(of: min(last, latest.adding(seconds: patience))))
      if weeks.0 == week && weeks.1 == week { return nil }
      return ride.uploaded < calendar.start(of: week.next) && weeks.0 != weeks.1 ? .between : .late
    }
    // It was uploaded late, and has to lie between two of its own week to be dated by its place.
    guard let below else { return .late }
    return calendar.week(of: latest) == week && calendar.week(of: below) == week ? nil : .late
  }
}

/// Upper bounds of starts from the activities above in a listing.
private struct Bounds {
  private let order: ServiceShape.Order
  /// The least latest start above; on the same page, where only a page is sorted by start.
  private var start = Moment(milliseconds: .max)
  /// The least first sight above; on the pages before, where a page is not sorted by upload.
  private var upload = Moment(milliseconds: .max)
  private var uploadOnPage = Moment(milliseconds: .max)

  init(order: ServiceShape.Order) {
    self.order = order
  }

  /// Where only the order within a page tells starts, those of the page before end, and its uploads begin to count.
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
