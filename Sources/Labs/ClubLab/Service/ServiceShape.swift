// SPDX-License-Identifier: GPL-3.0-or-later

/// What a club's feed is like where nothing goes wrong: how it is sorted, how far back it reaches, what it allows.
package struct ServiceShape: Hashable, Sendable {
  /// What newest means.
  package enum Order: String, CaseIterable, Sendable {
    /// The activity that started last stands first: one that is uploaded late appears further down.
    case start
    /// The activity that was uploaded last stands first.
    case upload
    /// By upload from page to page, and by start within a page: what recorded pages show.
    case uploadInPages = "upload in pages"
  }

  /// What newest means.
  package let order: Order
  /// How many activities the whole listing has at most: what is older is not told at all.
  package let depth: Int
  /// How many requests a quarter of an hour has.
  package let perQuarterHour: Int
  /// How many requests a day has.
  package let perDay: Int
  /// How long an answer takes, in milliseconds.
  package let latency: Int

  /// A service.
  ///
  /// - Parameters:
  ///   - order: What newest means.
  ///   - depth: How many activities the whole listing has at most, 30 to 10 000.
  ///   - perQuarterHour: How many requests a quarter of an hour has, 1 to 10 000.
  ///   - perDay: How many requests a day has, at least those of a quarter of an hour and at most 96 times as many.
  ///   - latency: How long an answer takes, 1 to 60 000 ms.
  /// - Throws: `badShape` naming the first value that is out of its range.
  package init(
    order: Order = .uploadInPages, depth: Int = 200, perQuarterHour: Int = 100, perDay: Int = 1000, latency: Int = 400
  ) throws(ClubLabError) {
    try requireShape(30...10_000, "depth", depth, "activities")
    try requireShape(1...10_000, "quarter hour", perQuarterHour, "requests")
    try requireShape(perQuarterHour...(96 * perQuarterHour), "day", perDay, "requests, as a day has 96 quarter hours")
    try requireShape(1...60_000, "latency", latency, "milliseconds")
    (self.order, self.depth, self.perQuarterHour, self.perDay) = (order, depth, perQuarterHour, perDay)
    self.latency = latency
  }
}

/// Refuses a number that is out of its range.
func requireShape(
  _ range: ClosedRange<Int>, _ field: String, _ found: Int, _ unit: String
) throws(ClubLabError) {
  guard range.contains(found) else {
    throw .badShape(field: field, found: "\(found)", expected: "\(range.lowerBound) to \(range.upperBound) \(unit)")
  }
}
