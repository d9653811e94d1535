// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import MonteCarlo
internal import Randomness
internal import Scenarios
internal import Statistics

/// The faults of a season, named `none`, `all`, or after its only fault.
struct FeedVariant: Hashable, Sendable {
  let name: String
  let faults: FaultMix
}

extension FaultMix {
  /// Variants with no fault, with each fault alone, and with all together.
  var variants: [FeedVariant] {
    let none = FeedVariant(name: "none", faults: .none)
    guard !faults.isEmpty else { return [none] }
    return [none] + faults.map { FeedVariant(name: $0.kind.rawValue, faults: FaultMix([$0])) }
      + [FeedVariant(name: "all", faults: self)]
  }
}

/// Seasons of the shipped ledger under every variant of the faults.
///
/// Every season has its own random streams, the same under every variant, so that the same club meets no fault, each
/// fault, or all. Tallies are integers, so the result is the same at any number of workers.
struct FeedTrial: Sendable {
  let feed: ClubFeed
  let variants: [FeedVariant]

  init(_ feed: ClubFeed) {
    self.feed = feed
    variants = feed.faults.variants
  }

  func run(on context: RunContext) throws -> FeedResult? {
    let tallies = try context.draw(
      each: variants.map(seasons), "seasons", perBatch: 1, seed: feed.seed, streams: FeedSeeds.streams,
      into: TrialTally(), scratch: {},
      body: { variant, season, _ in
        let played = try played(season, variants[variant].faults, interrupt: context.interrupt)
        var tally = TrialTally()
        tally.add(FeedCounts(played), days: days)
        if season.index == 0, variant == variants.count - 1 {
          tally.lastWeeks = played.statements.suffix(2).map(\.activities)
        }
        return tally
      })
    guard tallies.allSatisfy({ $0.seasons >= 2 }), let last = tallies.last?.lastWeeks else { return nil }
    let weeks = last.map { WeekTally($0) }
    let week = ClubWeek(weeks.last ?? WeekTally(), previous: weeks.count > 1 ? weeks.first : nil)
    return FeedResult(self, tallies, week: week)
  }

  var together: Int { feed.together ?? feed.seasons }

  func seasons(of variant: FeedVariant) -> Int { variant == variants.last ? together : feed.seasons }

  /// The number of days with fetches in a season.
  private var days: Int { (feed.club.weeks + 1) * 7 }

  /// A season drawn alone.
  func played(_ season: Int, _ faults: FaultMix) throws -> FeedSeason {
    try played(SampleBatch(of: season, seed: feed.seed, streams: FeedSeeds.streams), faults)
  }

  private func played(_ season: SampleBatch, _ faults: FaultMix, interrupt: Interrupt? = nil) throws -> FeedSeason {
    let seeds = try FeedSeeds(of: season, generator: feed.generator)
    var feed = feed
    feed.faults = faults
    var played = try FeedSeason(
      feed, seeds: seeds, ledger: feed.ledger?() ?? WeekLedger(order: feed.listingOrder))
    try played.run(interrupt: interrupt)
    return played
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

/// The tally of the seasons of one variant, as integers.
///
/// Rides of one season share a club, faults and fetches, so a season's share of rides is one observation, in units of
/// 1e-9, and intervals are over seasons.
struct TrialTally: MergeableTally {
  static let unit = 1_000_000_000

  var seasons = 0
  var counts = FeedCounts()
  /// Shares and means by season, in the order of `FeedQuantity.all`.
  var quantities = [MomentTally](repeating: MomentTally(), count: FeedQuantity.all.count)
  /// The activities of the last two weeks of the first season under all faults.
  var lastWeeks: [[Activity]]?

  mutating func add(_ season: FeedCounts, days: Int) {
    seasons += 1
    counts.merge(season)
    for (index, quantity) in FeedQuantity.all.enumerated() {
      if let value = quantity.value(of: season, days: days) { quantities[index].add(value) }
    }
  }

  mutating func merge(_ other: TrialTally) {
    seasons += other.seasons
    counts.merge(other.counts)
    for index in quantities.indices { quantities[index].merge(other.quantities[index]) }
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

struct FeedResult: Sendable {
  struct Finding: Sendable {
    let variant: FeedVariant
    let seasons: Int
    let counts: FeedCounts
    /// In the order of `FeedQuantity.all`, without quantities that have no samples.
    let estimates: [Measurement]
  }

  let trial: FeedTrial
  /// Findings by variant, in the trial's order.
  let findings: [Finding]
  /// The last evaluated week of the first season under the last variant, by the ledger.
  let week: ClubWeek

  init(_ trial: FeedTrial, _ tallies: [TrialTally], week: ClubWeek) {
    (self.trial, self.week) = (trial, week)
    findings = zip(trial.variants, tallies).map { variant, tally in
      Finding(
        variant: variant, seasons: tally.seasons, counts: tally.counts,
        estimates: zip(FeedQuantity.all, tally.quantities).compactMap { quantity, moments in
          quantity.row.measurement(of: variant.name, in: moments)
        })
    }
  }
}
