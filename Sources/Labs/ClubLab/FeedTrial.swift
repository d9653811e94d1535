// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import MonteCarlo
internal import Randomness
internal import Statistics

/// Which of the faults are on in a season.
enum FeedVariant: Hashable, Sendable {
  case none
  case alone(FeedFault.Kind)
  case all

  /// `none`, `all`, or the fault's name.
  var name: String {
    switch self {
    case .none: "none"
    case .alone(let kind): kind.rawValue
    case .all: "all"
    }
  }

  static func all(of faults: FaultMix) -> [FeedVariant] {
    guard !faults.faults.isEmpty else { return [.none] }
    return [.none] + faults.faults.map { .alone($0.kind) } + [.all]
  }

  func faults(of mix: FaultMix) -> FaultMix {
    switch self {
    case .none: .none
    case .alone(let kind): mix.alone(kind)
    case .all: mix
    }
  }
}

/// Seasons of the ledger that ships, under every variant of the faults.
///
/// Every season has random streams of its own, the same under every variant: one club, whose rides suffer one fault, or
/// another, or all. Tallies are whole numbers, so the result is the same at any number of workers.
struct FeedTrial: Sendable {
  let feed: ClubFeed
  let variants: [FeedVariant]
  private let streams: StreamFamily

  init(_ feed: ClubFeed) throws {
    self.feed = feed
    variants = FeedVariant.all(of: feed.faults)
    streams = try StreamFamily(rootSeed: feed.seed, experiments: FeedSeeds.experiments)
  }

  func run(
    workers: Int, interrupt: Interrupt? = nil, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> FeedResult? {
    let tallies = try tallies(workers: workers, interrupt: interrupt, progress: progress)
    guard tallies.variants.allSatisfy({ $0.seasons >= 2 }) else { return nil }
    return try FeedResult(self, tallies.variants)
  }

  func tallies(
    workers: Int, interrupt: Interrupt? = nil, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> TrialTallies {
    let count = variants.count
    let plan = try BlockPlan(.rounds(runs), roundsPerBlock: 1)
    return try BlockRunner(workers: workers).run(
      plan, into: TrialTallies(count), interrupt: interrupt,
      makeScratch: { () throws(any Error) -> Void in },
      body: { (block, _: inout Void) throws(any Error) -> TrialTallies in
        var tallies = TrialTallies(count)
        let (season, variant) = place(ofRun: block.index)
        tallies.variants[variant].add(try counts(of: season, variants[variant]), days: days)
        progress(1)
        return tallies
      }
    ).tally
  }

  var together: Int { feed.together ?? feed.seasons }
  var runs: Int { feed.seasons * (variants.count - 1) + together }

  func seasons(of variant: FeedVariant) -> Int { variant == variants.last ? together : feed.seasons }

  /// First every variant's seasons, then the additional ones of the last.
  private func place(ofRun run: Int) -> (season: Int, variant: Int) {
    let common = feed.seasons * variants.count
    guard run < common else { return (feed.seasons + run - common, variants.count - 1) }
    return (run / variants.count, run % variants.count)
  }

  /// Days with fetches in a season.
  private var days: Int { (feed.club.weeks + 1) * 7 }

  func counts(of season: Int, _ variant: FeedVariant) throws -> FeedCounts {
    let season = try played(season, variant)
    var counts = FeedCounts()
    counts.rides = season.findings()
    counts.fetching = season.fetching
    let requests = season.service.count
    (counts.requests, counts.violations, counts.hasty) = (requests.sent, requests.violations, requests.hasty)
    (counts.mostInQuarterHour, counts.mostInDay) = (requests.mostInQuarterHour, requests.mostInDay)
    return counts
  }

  /// The last week of the first season under the last variant, beside the week before it.
  func lastWeek() throws -> ClubWeek {
    let season = try played(0, variants.last ?? .none)
    let tallies = season.statements.suffix(2).map { WeekTally($0.activities) }
    return ClubWeek(tallies.last ?? WeekTally(), previous: tallies.count > 1 ? tallies.first : nil)
  }

  func played(_ season: Int, _ variant: FeedVariant) throws -> FeedSeason {
    let seeds = try FeedSeeds(of: season, from: streams, generator: feed.generator)
    var played = try FeedSeason(
      feed.with(variant.faults(of: feed.faults)), seeds: seeds,
      ledger: feed.ledger?() ?? WeekLedger(order: feed.listingOrder))
    played.run()
    return played
  }
}

struct TrialTallies: MergeableTally, Equatable {
  var variants: [TrialTally]

  init(_ count: Int) {
    variants = Array(repeating: TrialTally(), count: count)
  }

  mutating func merge(_ other: TrialTallies) {
    for index in variants.indices { variants[index].merge(other.variants[index]) }
  }
}

/// The seasons of one variant, in whole numbers.
///
/// Rides of one season share their club, their faults and their fetches, so a share of rides is one observation for a
/// season, in parts of a thousand million, and intervals are over seasons.
struct TrialTally: MergeableTally, Equatable {
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

/// Counts of seasons; of requests, the service's own ones.
struct FeedCounts: Hashable, Sendable {
  var rides = SeasonFindings()
  var fetching = FeedSeason.Fetching()
  var requests = 0
  var violations = 0
  var hasty = 0
  var mostInQuarterHour = 0
  var mostInDay = 0

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
  /// Rides of the evaluated weeks that are in the feed.
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

struct FeedResult: Sendable {
  struct Finding: Sendable {
    let variant: FeedVariant
    /// How many seasons.
    let seasons: Int
    let counts: FeedCounts
    /// In the order of `FeedQuantity.all`, without those of no samples.
    let estimates: [Estimate]

    func estimate(of name: String) -> Estimate? { estimates.first { $0.quantity.name == name } }
  }

  struct Estimate: Sendable {
    let quantity: FeedQuantity
    let mean: Double
    /// Of a single season's value.
    let standardDeviation: Double
    let samples: Int
    /// Student's interval at the result's confidence.
    let interval: ClosedRange<Double>
  }

  let trial: FeedTrial
  /// By variant, in the trial's order.
  let findings: [Finding]
  /// The last evaluated week of the first season under the last variant, by the ledger.
  let week: ClubWeek

  init(_ trial: FeedTrial, _ tallies: [TrialTally]) throws {
    week = try trial.lastWeek()
    self.trial = trial
    findings = try zip(trial.variants, tallies).map { variant, tally in
      let estimates = try zip(FeedQuantity.all, tally.quantities).compactMap { quantity, moments -> Estimate? in
        guard moments.count >= 2 else { return nil }
        let unit = 1 / Double(TrialTally.unit)
        let normal = try NormalInterval(of: moments, unit: unit, confidence: trial.feed.confidence)
        return Estimate(
          quantity: quantity, mean: normal.mean, standardDeviation: moments.standardDeviation * unit,
          samples: moments.count, interval: normal.lower...normal.upper)
      }
      return Finding(variant: variant, seasons: tally.seasons, counts: tally.counts, estimates: estimates)
    }
  }

  func finding(of variant: FeedVariant) -> Finding? { findings.first { $0.variant == variant } }
}
