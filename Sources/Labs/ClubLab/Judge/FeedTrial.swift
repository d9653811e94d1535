// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
package import MonteCarlo
package import Randomness

/// Which of a setting's faults a season has.
package enum FeedVariant: Hashable, Sendable {
  /// None of them.
  case none
  /// One of them.
  case alone(FeedFault.Kind)
  /// All of them at once.
  case all

  /// What people call it: the fault's name, `none` or `all`.
  package var name: String {
    switch self {
    case .none: "none"
    case .alone(let kind): kind.rawValue
    case .all: "all"
    }
  }

  /// The variants of some faults: without any, each alone, and all together.
  package static func all(of faults: FaultMix) -> [FeedVariant] {
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

/// The ledger that ships, tried by the season under every variant of a setting's faults.
///
/// Every season has random streams of its own, the same under every variant: one club, whose rides suffer one fault, or
/// another, or all. Tallies are whole numbers, so the result is the same at any number of workers.
package struct FeedTrial: Sendable {
  /// What the seasons are like.
  package let setting: FeedSetting
  /// The variants, in their order.
  package let variants: [FeedVariant]
  /// How many seasons each variant has.
  package let seasons: Int
  /// How many the last variant has, which is all faults together.
  package let together: Int
  /// The root of all random streams.
  package let seed: UInt64
  /// The name of a GSL generator.
  package let generator: String

  private let streams: StreamFamily
  private let makeSubject: @Sendable () -> any FeedSubject

  /// A trial.
  ///
  /// - Parameters:
  ///   - setting: What the seasons are like.
  ///   - seasons: How many seasons each variant has, 2 to 100 000: intervals are over seasons.
  ///   - together: How many the last variant has, at least as many; as many where nothing is said.
  ///   - seed: The root of all random streams.
  ///   - generator: The name of a GSL generator.
  ///   - subject: Makes what is judged; the ledger that ships where nothing is said.
  /// - Throws: `ClubLabError` for a number of seasons out of range, `RandomnessError` for an unknown generator.
  package init(
    _ setting: FeedSetting, seasons: Int, together: Int? = nil, seed: UInt64,
    generator: String = GSLGenerator.defaultName,
    subject: (@Sendable () -> any FeedSubject)? = nil
  ) throws {
    try requireShape(2...100_000, "seasons", seasons, "seasons")
    try requireShape(seasons...100_000, "together", together ?? seasons, "seasons, no fewer than each variant has")
    _ = try GSLGenerator(named: generator, seed: 1)
    (self.setting, self.seasons, self.seed, self.generator) = (setting, seasons, seed, generator)
    self.together = together ?? seasons
    variants = FeedVariant.all(of: setting.faults)
    streams = try StreamFamily(rootSeed: seed, experiments: FeedSeeds.experiments)
    let order = setting.listingOrder
    makeSubject = subject ?? { WeekLedger(order: order) }
  }

  /// Runs the seasons.
  ///
  /// - Parameters:
  ///   - workers: How many threads share them, 1 to 1024.
  ///   - confidence: Of each interval by itself, between 0 and 1.
  ///   - interrupt: Looked at after every season.
  ///   - progress: Told every finished season, on the thread that ran it.
  /// - Returns: What came out; nil where an interruption left a variant with fewer than two seasons.
  /// - Throws: `MonteCarloError` for a number of workers out of range; errors of the generator and of the statistics.
  package func run(
    workers: Int, confidence: Double = 0.99, interrupt: Interrupt? = nil,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> FeedResult? {
    let tallies = try tallies(workers: workers, interrupt: interrupt, progress: progress)
    guard tallies.variants.allSatisfy({ $0.seasons >= 2 }) else { return nil }
    return try FeedResult(self, tallies.variants, confidence: confidence)
  }

  /// What the seasons add up to, by variant.
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

  /// How many seasons there are under all variants.
  package var runs: Int { seasons * variants.count + together - seasons }

  /// How many seasons a variant has.
  func seasons(of variant: FeedVariant) -> Int { variant == variants.last ? together : seasons }

  /// First every variant's seasons, then what the last one has beyond them.
  private func place(ofRun run: Int) -> (season: Int, variant: Int) {
    let common = seasons * variants.count
    guard run < common else { return (seasons + run - common, variants.count - 1) }
    return (run / variants.count, run % variants.count)
  }

  /// Days that fetches go on in a season.
  private var days: Int { (setting.club.weeks + 1) * 7 }

  /// What one season under one variant comes to.
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

  /// One season under one variant, over and done.
  func played(_ season: Int, _ variant: FeedVariant) throws -> FeedSeason {
    var played = try FeedSeason(
      setting.with(variant.faults(of: setting.faults)),
      seeds: FeedSeeds(of: season, from: streams, generator: generator), subject: makeSubject())
    played.run()
    return played
  }
}

/// Tallies by variant.
struct TrialTallies: MergeableTally, Hashable {
  var variants: [TrialTally]

  init(_ count: Int) {
    variants = Array(repeating: TrialTally(), count: count)
  }

  mutating func merge(_ other: TrialTallies) {
    for index in variants.indices { variants[index].merge(other.variants[index]) }
  }
}
