// SPDX-License-Identifier: GPL-3.0-or-later
package import ClubCore

/// What a ledger is tried under: a club, the service that tells of it, what goes wrong, and how often it is asked.
package struct FeedSetting: Hashable, Sendable {
  /// What the clubs are like; their weeks are those that are judged.
  package let club: ClubShape
  /// What the service is like.
  package let service: ServiceShape
  /// What goes wrong.
  package let faults: FaultMix
  /// From the beginning of one fetch to that of the next, in seconds.
  package let interval: Int
  /// How many activities a page is asked to have.
  package let perPage: Int
  /// How many pages a fetch reads at most; nil reads to the end.
  package let pages: Int?

  /// A setting.
  ///
  /// - Parameters:
  ///   - club: What the clubs are like; 1 to 200 weeks of them are judged.
  ///   - service: What the service is like.
  ///   - faults: What goes wrong.
  ///   - interval: From one fetch to the next, 60 to 604 800 s.
  ///   - perPage: How many activities a page is asked to have, 30 to 200.
  ///   - pages: How many pages a fetch reads at most, 1 to 1000; nil reads to the end.
  /// - Throws: `badShape` naming the value that is out of its range, or the budget where the fetches alone exceed it.
  package init(
    club: ClubShape, service: ServiceShape, faults: FaultMix = .none, interval: Int = 3600, perPage: Int = 60,
    pages: Int? = nil
  ) throws(ClubLabError) {
    try requireShape(1...200, "weeks", club.weeks, "weeks")
    try requireShape(60...604_800, "interval", interval, "seconds")
    try requireShape(30...200, "per page", perPage, "activities")
    if let pages { try requireShape(1...1000, "pages", pages, "pages") }
    (self.club, self.service, self.faults) = (club, service, faults)
    (self.interval, self.perPage, self.pages) = (interval, perPage, pages)
    let needed = requestsPerFetch
    let (inWindow, inDay) = (needed * max(1, 900 / interval), needed * max(1, 86_400 / interval))
    guard inWindow <= service.perQuarterHour, inDay <= service.perDay else {
      throw .badShape(
        field: "interval",
        found: "\(interval) s, which takes \(inWindow) requests in a quarter of an hour and "
          + "\(inDay) in a day where nothing goes wrong",
        expected: "a budget of \(service.perQuarterHour) and \(service.perDay) to suffice")
    }
  }

  /// The most requests that a fetch takes where nothing goes wrong: each seam between pages is proved by one more.
  var requestsPerFetch: Int {
    let reach = (service.depth - 1) / perPage + 1
    guard let pages, pages <= reach else { return 2 * reach + 1 }
    return 2 * pages - 1
  }

  /// The setting with other faults.
  func with(_ faults: FaultMix) -> FeedSetting {
    FeedSetting(self, faults: faults)
  }

  private init(_ other: FeedSetting, faults: FaultMix) {
    (club, service, self.faults) = (other.club, other.service, faults)
    (interval, perPage, pages) = (other.interval, other.perPage, other.pages)
  }

  /// Weeks before the first fetch: the listing is full when it comes.
  static let weeksBefore = 2

  /// The first week that is judged.
  var firstWeek: Week { club.firstWeek }

  /// The weeks that are judged.
  var weeks: [Week] { (0..<club.weeks).map { club.firstWeek.advanced(by: $0) } }

  /// When a week is judged: a week after its end.
  func judging(of week: Week) -> Moment { WeekCalendar.utc.start(of: week.advanced(by: 2)) }

  /// How the ledger has to understand the service's order.
  package var listingOrder: ListingOrder {
    switch service.order {
    case .start: .byStart
    case .upload: .byUpload
    case .uploadInPages: .byUploadInPages(of: perPage)
    }
  }
}
