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
  private let streams: StreamFamily

  init(_ feed: ClubFeed) throws {
    self.feed = feed
    variants = feed.faults.variants
    streams = try StreamFamily(rootSeed: feed.seed, experiments: FeedSeeds.experiments)
  }

  func run(
    workers: Workers, interrupt: Interrupt? = nil, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> FeedResult? {
    let count = variants.count
    let plan = try BlockPlan(.rounds(runs), roundsPerBlock: 1)
    let tallies = try BlockRunner(workers: workers).run(
      plan, into: TrialTallies(count), interrupt: interrupt, progress: progress,
      makeScratch: { () throws(any Error) -> Void in },
      body: { (block, _: inout Void) throws(any Error) -> TrialTallies in
        var tallies = TrialTallies(count)
        let (season, variant) = position(ofRun: block.index)
        let played = try played(season, variants[variant].faults, interrupt: interrupt)
        tallies.variants[variant].add(FeedCounts(played), days: days)
        if season == 0, variant == count - 1 { tallies.lastWeeks = played.statements.suffix(2).map(\.activities) }
        return tallies
      }
    ).tally
    guard tallies.variants.allSatisfy({ $0.seasons >= 2 }), let weeks = tallies.lastWeeks?.map({ WeekTally($0) }) else {
      return nil
    }
    let week = ClubWeek(weeks.last ?? WeekTally(), previous: weeks.count > 1 ? weeks.first : nil)
    return FeedResult(self, tallies.variants, week: week)
  }

  var together: Int { feed.together ?? feed.seasons }
  var runs: Int { feed.seasons * (variants.count - 1) + together }

  func seasons(of variant: FeedVariant) -> Int { variant == variants.last ? together : feed.seasons }

  /// The season and variant of a run: first all variants of the common seasons, then the last one's additional ones.
  private func position(ofRun run: Int) -> (season: Int, variant: Int) {
    let common = feed.seasons * variants.count
    guard run < common else { return (feed.seasons + run - common, variants.count - 1) }
    return (run / variants.count, run % variants.count)
  }

  /// The number of days with fetches in a season.
  private var days: Int { (feed.club.weeks + 1) * 7 }

  func played(_ season: Int, _ faults: FaultMix, interrupt: Interrupt? = nil) throws -> FeedSeason {
    let seeds = try FeedSeeds(of: season, from: streams, generator: feed.generator)
    var feed = feed
    feed.faults = faults
    var played = try FeedSeason(
      feed, seeds: seeds, ledger: feed.ledger?() ?? WeekLedger(order: feed.listingOrder))
    try played.run(interrupt: interrupt)
    return played
  }
}

struct TrialTallies: MergeableTally {
  var variants: [TrialTally]
  /// The activities of the last two weeks of the first season under all faults.
  var lastWeeks: [[Activity]]?

  init(_ count: Int) {
    variants = Array(repeating: TrialTally(), count: count)
  }

  mutating func merge(_ other: TrialTallies) {
    for index in variants.indices { variants[index].merge(other.variants[index]) }
    lastWeeks = lastWeeks ?? other.lastWeeks
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
