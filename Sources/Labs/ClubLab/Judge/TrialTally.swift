// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Statistics

/// What seasons under one setting add up to; whole numbers only.
///
/// Rides of one season share their club, their faults and their fetches, so a share of rides is one observation for a
/// season, in parts of a thousand million, and intervals are over seasons.
struct TrialTally: MergeableTally, Hashable {
  /// Parts that a whole has.
  static let unit = 1_000_000_000

  /// How many seasons.
  var seasons = 0
  /// Counts over all seasons.
  var counts = FeedCounts()
  /// Shares and means by season, in the order of `FeedQuantity.allCases`.
  var quantities = [MomentTally](repeating: MomentTally(), count: FeedQuantity.allCases.count)

  /// Counts a season.
  mutating func add(_ season: FeedCounts, days: Int) {
    seasons += 1
    counts.merge(season)
    for (index, quantity) in FeedQuantity.allCases.enumerated() {
      if let value = quantity.value(of: season, days: days) { quantities[index].add(value) }
    }
  }

  mutating func merge(_ other: TrialTally) {
    seasons += other.seasons
    counts.merge(other.counts)
    for index in quantities.indices { quantities[index].merge(other.quantities[index]) }
  }

  static func == (left: TrialTally, right: TrialTally) -> Bool {
    left.seasons == right.seasons && left.counts == right.counts && left.quantities == right.quantities
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(seasons)
    hasher.combine(counts)
  }
}

/// What is counted of seasons.
package struct FeedCounts: Hashable, Sendable {
  /// What the ledger made of the rides.
  var rides = SeasonFindings()
  /// What became of the fetches.
  var fetching = FeedSeason.Fetching()
  /// Requests, by the service's own count.
  package internal(set) var requests = 0
  /// Requests beyond the budget, by the service's own count.
  package internal(set) var violations = 0
  /// Requests sooner than `Retry-After` allowed.
  package internal(set) var hasty = 0
  /// The most requests in a quarter of an hour of the service's clock.
  package internal(set) var mostInQuarterHour = 0
  /// The most requests in a day.
  package internal(set) var mostInDay = 0

  mutating func merge(_ other: FeedCounts) {
    rides.merge(other.rides)
    fetching.begun += other.fetching.begun
    fetching.failed += other.fetching.failed
    fetching.leftOut += other.fetching.leftOut
    fetching.unproved += other.fetching.unproved
    requests += other.requests
    violations += other.violations
    hasty += other.hasty
    mostInQuarterHour = max(mostInQuarterHour, other.mostInQuarterHour)
    mostInDay = max(mostInDay, other.mostInDay)
  }
}

extension SeasonFindings {
  /// Rides of the judged weeks that stand in the feed.
  var present: Int { knowable + unknowable.reduce(0, +) }

  mutating func merge(_ other: SeasonFindings) {
    knowable += other.knowable
    right += other.right
    wrong += other.wrong
    lost += other.lost
    for index in unknowable.indices {
      unknowable[index] += other.unknowable[index]
      guessed[index] += other.guessed[index]
    }
    doubles += other.doubles
    removed += other.removed
    phantoms += other.phantoms
    strays += other.strays
    memberWeeks += other.memberWeeks
    misranked += other.misranked
    merged += other.merged
    split += other.split
  }
}

/// What is estimated by a mean over seasons.
package enum FeedQuantity: String, CaseIterable, Hashable, Sendable {
  /// The share of rides in the right week, among those whose week can be known.
  case rightWeek
  /// The share of them in another week.
  case wrongWeek
  /// The share of them in no week.
  case lost
  /// The share of rides whose week nobody could know, among all.
  case unknowable
  /// The share of those that are in the right week nevertheless.
  case guessed
  /// The share of members whose rank by distance in a week is wrong.
  case misranked
  /// Requests a day.
  case requests
  /// The share of fetches that gave up.
  case failedFetches

  /// A season's value, in parts of a thousand million; nil where there is nothing to take a share of.
  func value(of season: FeedCounts, days: Int) -> Int? {
    let rides = season.rides
    let (part, whole) =
      switch self {
      case .rightWeek: (rides.right, rides.knowable)
      case .wrongWeek: (rides.wrong, rides.knowable)
      case .lost: (rides.lost, rides.knowable)
      case .unknowable: (rides.unknowable.reduce(0, +), rides.present)
      case .guessed: (rides.guessed.reduce(0, +), rides.unknowable.reduce(0, +))
      case .misranked: (rides.misranked, rides.memberWeeks)
      case .requests: (season.requests, days)
      case .failedFetches: (season.fetching.failed, season.fetching.begun)
      }
    return whole > 0 ? (part * TrialTally.unit + whole / 2) / whole : nil
  }
}
