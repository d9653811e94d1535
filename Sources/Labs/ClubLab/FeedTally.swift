// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import MonteCarlo
internal import Statistics

/// The tally of seasons, as integers.
struct FeedTally: MergeableTally {
  /// The seasons of one variant of the faults.
  struct Variant: Codable, Sendable {
    var seasons = 0
    var counts = FeedCounts()
    /// Shares and means by season, in the order of `FeedQuantity.all`.
    var quantities = [MomentTally](repeating: MomentTally(), count: FeedQuantity.all.count)

    mutating func add(_ season: FeedCounts, days: Int) {
      seasons += 1
      counts.merge(season)
      for (index, quantity) in FeedQuantity.all.enumerated() {
        if let value = quantity.value(of: season, days: days) { quantities[index].add(value) }
      }
    }

    fileprivate mutating func merge(_ other: Variant) {
      seasons += other.seasons
      counts.merge(other.counts)
      for index in quantities.indices { quantities[index].merge(other.quantities[index]) }
    }
  }

  var variants: [Variant]
  /// The activities of the last two weeks of the first season under the last variant.
  var lastWeeks: [[Activity]]?

  init(variants: Int) { self.variants = Array(repeating: Variant(), count: variants) }

  mutating func merge(_ other: FeedTally) {
    for index in variants.indices { variants[index].merge(other.variants[index]) }
    lastWeeks = lastWeeks ?? other.lastWeeks
  }
}

/// The counts of seasons; requests as the service counts them.
struct FeedCounts: Hashable, Codable, Sendable {
  var rides = SeasonFindings()
  var fetches = 0
  var failedFetches = 0
  var requests = 0
  var violations = 0
  var retryAfterViolations = 0
  var maxInQuarterHour = 0
  var maxInDay = 0

  mutating func merge(_ other: FeedCounts) {
    rides.merge(other.rides)
    fetches += other.fetches
    failedFetches += other.failedFetches
    requests += other.requests
    violations += other.violations
    retryAfterViolations += other.retryAfterViolations
    maxInQuarterHour = max(maxInQuarterHour, other.maxInQuarterHour)
    maxInDay = max(maxInDay, other.maxInDay)
  }
}

extension FeedCounts {
  init(_ season: borrowing FeedSeason) {
    self.init()
    rides = season.findings()
    (fetches, failedFetches) = (season.begun, season.failed)
    let sent = season.service.count
    (requests, violations) = (sent.sent, sent.violations)
    retryAfterViolations = sent.retryAfterViolations
    (maxInQuarterHour, maxInDay) = (sent.maxInQuarterHour, sent.maxInDay)
  }
}
