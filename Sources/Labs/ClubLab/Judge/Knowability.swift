// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// Why nobody could know an activity's week from the feed, however clever.
package enum Unknowable: String, CaseIterable, Hashable, Sendable {
  /// It was there before the first fetch.
  case backlog = "there before the first fetch"
  /// No fetch could see it: deleted, hidden or past the listing's end before one came, or not uploaded until its week
  /// was judged.
  case neverListed = "listed at no fetch"
  /// It came between two fetches of which one lies in its week and the other in another.
  case between = "between a fetch before midnight and one after"
  /// It was uploaded late, and what stands around it leaves open in which of two weeks it began.
  case late = "uploaded late, and nothing around it tells its week"
}

/// What can be known of each ride from a feed that is fetched at given moments, by whoever misses nothing.
///
/// It is found from the truth and the moments alone, before anything is judged, so that what the judged ledger makes of
/// a ride has no part in whether it counts. A fetch is trusted with what stays as it is for `patience`: pages are read
/// one by one, and a quarter of an hour may have to be waited for.
struct Knowability {
  /// How long something must last to be seen for certain, in seconds.
  static let patience = 1200

  /// What a ride's last trustworthy fetch before a moment says of it.
  enum Standing: Hashable {
    /// Nothing: no fetch could see it.
    case unseen
    /// It is listed.
    case listed
    /// It is missing where it had to be.
    case missing
  }

  private struct Sighting {
    let moment: Moment
    let isListed: Bool
  }

  /// Why a ride's week cannot be known; nil where it can.
  private(set) var reasons: [Unknowable?]
  private var sightings: [[Sighting]]
  /// The first fetch that showed it.
  private var firstSeen: [Moment?]

  /// Looks at what fetches could see.
  ///
  /// - Parameters:
  ///   - service: The service with its truth.
  ///   - fetches: When fetches begin, by the service's clock, ascending.
  ///   - pages: How many pages a fetch reads at most.
  ///   - perPage: How many a page has.
  ///   - calendar: Which week a moment falls into.
  init(
    _ service: borrowing VirtualFeedService, fetches: [Moment], pages: Int, perPage: Int, calendar: WeekCalendar
  ) {
    let rides = service.history.rides
    reasons = Array(repeating: .neverListed, count: rides.count)
    sightings = Array(repeating: [], count: rides.count)
    firstSeen = Array(repeating: nil, count: rides.count)
    var previous: Moment?
    for fetch in fetches where Self.isUsable(service, fetch) {
      look(service, at: fetch, after: previous, pages: pages, perPage: perPage, calendar: calendar)
      previous = fetch
    }
  }

  /// What the last trustworthy fetch before a moment says of a ride.
  func standing(of ride: Int, at moment: Moment) -> Standing {
    // The last fetch before may still be under way.
    let before = moment.adding(seconds: -Self.patience)
    guard let last = sightings[ride].last(where: { $0.moment < before }) else { return .unseen }
    return last.isListed ? .listed : .missing
  }

  private static func isUsable(_ service: borrowing VirtualFeedService, _ fetch: Moment) -> Bool {
    let end = fetch.adding(seconds: patience)
    if service.outages.contains(where: { $0.overlaps(fetch..<end) }) { return false }
    // A quarter of an hour that others used up is over within the patience; a day is not.
    return stride(from: 0, through: patience, by: patience / 4).contains {
      !service.others.leaveNothing(at: fetch.adding(seconds: $0))
    }
  }

  private mutating func look(
    _ service: borrowing VirtualFeedService, at fetch: Moment, after previous: Moment?, pages: Int, perPage: Int,
    calendar: WeekCalendar
  ) {
    let rides = service.history.rides
    let end = fetch.adding(seconds: Self.patience)
    var missing: [Int] = []
    service.walk(at: fetch, atMost: pages * perPage) { ride, isListed in
      if !isListed && rides[ride].uploaded <= fetch { missing.append(ride) }
    }
    // What is missing was listed before, or nobody knows that it is missing.
    for ride in missing where sightings[ride].last?.isListed == true && !rides[ride].isVisible(at: end) {
      sightings[ride].append(Sighting(moment: fetch, isListed: false))
    }
    var bounds = Bounds(order: service.shape.order)
    for number in 1...pages {
      let page = service.page(number, perPage: perPage, at: fetch)
      if page.isEmpty { break }
      bounds.beginPage()
      look(at: page, of: service, &bounds, at: fetch, after: previous, calendar)
    }
  }

  private mutating func look(
    at page: [Int], of service: borrowing VirtualFeedService, _ bounds: inout Bounds, at fetch: Moment,
    after previous: Moment?, _ calendar: WeekCalendar
  ) {
    let rides = service.history.rides
    let end = fetch.adding(seconds: Self.patience)
    for (place, ride) in page.enumerated() {
      let truth = rides[ride]
      let seen = firstSeen[ride] ?? fetch
      let elapsed = truth.activity(at: fetch).elapsedTime
      let latest = bounds.latestStart(seen: seen, elapsed: elapsed)
      guard truth.isVisible(from: fetch, to: end) else { continue }
      if sightings[ride].last?.isListed != true { sightings[ride].append(Sighting(moment: fetch, isListed: true)) }
      guard firstSeen[ride] == nil else { continue }
      firstSeen[ride] = fetch
      // What stands below and was there before dates it from below, where places tell starts.
      let below =
        service.shape.order == .upload
        ? nil : page[(place + 1)...].first { isDated($0, before: fetch) }.map { rides[$0].start }
      reasons[ride] = Self.reason(
        truth, Bracket(latest: latest, below: below, elapsed: elapsed), at: fetch, after: previous, calendar)
    }
  }

  /// Whether a ride was seen before a fetch, and could be dated then.
  private func isDated(_ ride: Int, before fetch: Moment) -> Bool {
    reasons[ride] != .backlog && firstSeen[ride].map { $0 < fetch } ?? false
  }

  /// What a listing tells of when a ride began.
  private struct Bracket {
    /// What stands above, and its own first sight, prove that it began no later.
    let latest: Moment
    /// When the next one below began that was dated before; nil where there is none.
    let below: Moment?
    /// How long it took, in seconds.
    let elapsed: Int
  }

  /// Why a ride that a fetch is the first to show cannot be dated; nil where it can.
  private static func reason(
    _ ride: FeedRide, _ bracket: Bracket, at fetch: Moment, after previous: Moment?, _ calendar: WeekCalendar
  ) -> Unknowable? {
    guard let previous else { return .backlog }
    let week = calendar.week(of: ride.start)
    // Uploaded at once, it ended after the fetch before; the fetch that shows it may take its time.
    let first = previous.adding(seconds: -bracket.elapsed)
    let last = fetch.adding(seconds: patience - bracket.elapsed)
    if bracket.latest >= first {
      let weeks = (calendar.week(of: first), calendar.week(of: min(last, bracket.latest.adding(seconds: patience))))
      if weeks.0 == week && weeks.1 == week { return nil }
      return ride.uploaded < calendar.start(of: week.next) && weeks.0 != weeks.1 ? .between : .late
    }
    // It was uploaded late, and has to lie between two of its own week to be dated by its place.
    guard let below = bracket.below else { return .late }
    return calendar.week(of: bracket.latest) == week && calendar.week(of: below) == week ? nil : .late
  }
}

/// What the activities above another one in a listing prove of when it began.
private struct Bounds {
  private let order: ServiceShape.Order
  /// The least of the latest starts above, on the same page where only a page tells starts.
  private var start = Moment(milliseconds: .max)
  /// The least of the first sights above, on the pages before where a page tells nothing of uploads.
  private var upload = Moment(milliseconds: .max)
  private var uploadOnPage = Moment(milliseconds: .max)

  init(order: ServiceShape.Order) {
    self.order = order
  }

  /// Where places tell starts within a page only, what the page before told ends, and its uploads begin to count.
  mutating func beginPage() {
    guard order == .uploadInPages else { return }
    (start, upload) = (Moment(milliseconds: .max), min(upload, uploadOnPage))
    uploadOnPage = Moment(milliseconds: .max)
  }

  /// The latest start of the next activity.
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
