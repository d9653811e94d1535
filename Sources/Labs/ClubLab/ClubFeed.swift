// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import MonteCarlo
internal import Reporting
internal import Sampling
internal import Scenarios
internal import Statistics

/// Simulated seasons of a club with a virtual, faulty feed, and the shipped ledger under each fault.
///
/// A sample is one season under every variant of the faults, from the same random streams: the same club meets no
/// fault, each fault, and all together.
struct ClubFeed: BatchedExperiment {
  /// The club; its weeks are the evaluated ones.
  var club = ClubShape(members: 12, weeks: 3)
  var service = ServiceShape(depth: 90)
  var faults = FaultMix.default
  /// The time between the starts of fetches, in seconds.
  var interval = 3600
  var perPage = 60
  /// The most pages that a fetch reads; nil to read to the end.
  var pages: Int?
  /// The number of seasons, the first ones, that are played under every variant and not only the last; nil for all.
  var each: Int?
  /// The ledger under test; nil for the shipped one.
  var ledger: (@Sendable () -> any LedgerUnderTest)?
  private var interrupt: Interrupt?

  init() {}

  static let kind = "club.feed"
  static let summary =
    "Fetches seasons of a club from a virtual service with faults, and compares the ledger with the ground truth."
  static let discussion = """
    Example: assay club feed
    Example: assay club feed --members 30 --weeks 6 --seasons 4 --faults '{renames: default, deletions: {rate: 5%}}'

    The fetcher, the request budget, the week ledger and the sums are the shipped ones. The service, its clock and its \
    faults are virtual, so that months take seconds and every ride's true week is known.
    """
  static let samplesName = "seasons"
  static let defaultSamples = 40
  static let samplesPerBatch = 1
  static let streams = ["feed clubs", "feed histories", "feed answers", "feed others", "feed clocks"]
  static let defaultThresholds = ["feed.doubleCounts[any] == 0", "feed.budgetViolations[any] == 0"]

  static let parameters = feedParameters + trialParameters

  private static let feedParameters: [Parameter<ClubFeed>] = [
    Parameter("club.members", \.club.members, .count(1...10_000_000), "How many persons the club has.", example: "30"),
    Parameter("club.weeks", \.club.weeks, .count(1...200), "How many weeks are evaluated.", example: "6"),
    Parameter(
      "club.rides-per-week", \.club.activitiesPerWeek, .number(0...1000),
      "Activities of a member in a week, on average.", example: "4"),
    Parameter("service.order", \.service.order, .choice, "The order of the service's listing.", example: "upload"),
    Parameter(
      "service.depth", \.service.depth, .count(30...10_000), "The most activities in the whole listing.",
      example: "200"),
    Parameter(
      "service.quarter-hour-limit", \.service.perQuarterHour, .count(1...10_000),
      "How many requests the service allows in a quarter of an hour.", example: "100"),
    Parameter(
      "service.daily-limit", \.service.perDay, .count(1...960_000), "How many requests the service allows in a day.",
      example: "1000"),
    Parameter(
      "service.latency", \.service.latency, .whole(.milliseconds(1), 1...60_000), "How long an answer takes.",
      example: "400ms"),
  ]

  private static let trialParameters: [Parameter<ClubFeed>] = [
    Parameter(
      "fetch.every", \.interval, .whole(.seconds(1), 60...604_800),
      "The time from the start of a fetch to the start of the next.", example: "1h"),
    Parameter(
      "fetch.page-size", \.perPage, .count(30...200), "How many activities are requested for a page.", example: "30"),
    Parameter(
      "fetch.page-limit", \.pages, ValueType<Int>.count(1...1000).optional,
      "The most pages that a fetch reads; by default it reads to the end.", example: "3"),
    Parameter(
      "faults", \.faults, .faults, "The faults of the feed, with their rates and sizes.", example: "none"),
    Parameter(
      "seasons-each", \.each, ValueType<Int>.count(1...100_000).optional,
      "The number of seasons that are also played under each fault alone and under none (default: all).", example: "4"),
  ]

  func check() throws(ParameterError) {
    let (quarterHour, day) = (service.perQuarterHour, service.perDay)
    guard (quarterHour...(96 * quarterHour)).contains(day) else {
      throw ParameterError(
        "service.daily-limit", "service.quarter-hour-limit",
        expected: "a daily limit of \(quarterHour) to \(96 * quarterHour) with a quarter-hour limit of \(quarterHour), "
          + "as a day has 96 quarters of an hour")
    }
    guard faults.failingShare <= 0.9 else {
      throw ParameterError("faults", expected: "at most 90% of all requests failing, so that any feed comes through")
    }
    let (inQuarterHour, inDay) = (
      requestsPerFetch * max(1, 900 / interval), requestsPerFetch * max(1, 86_400 / interval)
    )
    guard inQuarterHour <= quarterHour, inDay <= day else {
      throw ParameterError(
        "fetch.every", "service.quarter-hour-limit", "service.daily-limit", "fetch.page-size",
        expected: "fetches that stay within the limits: with one every \(interval) s, \(inQuarterHour) requests in a "
          + "quarter of an hour and \(inDay) in a day without faults")
    }
  }

  /// The most requests of a fetch without faults: one more request confirms each seam between pages.
  private var requestsPerFetch: Int {
    let reach = (service.depth - 1) / perPage + 1
    guard let pages, pages <= reach else { return 2 * reach + 1 }
    return 2 * pages - 1
  }

  func sampleSize(of measure: Measure) -> SampleSize? {
    each.flatMap { measure.label == variants.last?.name ? nil : SampleSize("seasons-each", $0) }
  }

  func tallied(at confidence: Double) -> [Measure] {
    let labels = variants.map(\.name)
    return FeedQuantity.all.flatMap { quantity in labels.map { quantity.row.measure(of: $0) } }
      + FeedCounts.rows.flatMap { row in (labels + ["any"]).map { row.measure(of: $0) } }
  }

  mutating func prepare(on context: RunContext) { interrupt = context.interrupt }

  func tally() -> FeedTally { FeedTally(variants: variants.count) }

  func scratch(generator: String) -> String { generator }

  func draw(_ season: SampleBatch, _ generator: inout String, into tally: inout FeedTally) throws {
    for (index, variant) in variants.enumerated() {
      let isLast = index == variants.count - 1
      guard isLast || season.index < each ?? .max else { continue }
      let played = try played(season, variant.faults, generator: generator)
      tally.variants[index].add(FeedCounts(played), days: (club.weeks + 1) * 7)
      if isLast, season.index == 0 { tally.lastWeeks = played.statements.suffix(2).map(\.activities) }
    }
  }

  func played(_ season: SampleBatch, _ faults: FaultMix, generator: String = "mt19937") throws -> FeedSeason {
    var feed = self
    feed.faults = faults
    var played = try FeedSeason(
      feed, seeds: FeedSeeds(of: season, generator: generator), ledger: ledger?() ?? WeekLedger(order: listingOrder))
    try played.run(interrupt: interrupt)
    return played
  }

  func measurements(of run: SampledRun<FeedTally>) -> [Measurement] {
    let found = Array(zip(variants.map(\.name), run.tally.variants))
    var any = FeedCounts()
    for (_, one) in found { any.merge(one.counts) }
    return FeedQuantity.all.indices.flatMap { index in
      found.compactMap { FeedQuantity.all[index].row.measurement(of: $0, in: $1.quantities[index]) }
    }
      + FeedCounts.rows.flatMap { row in
        (found.map { ($0, $1.counts) } + [("any", any)]).compactMap { row.measurement(of: $0, in: $1) }
      }
  }
}

extension ClubFeed {
  /// Weeks before the first fetch, so that the listing is full by then.
  static let weeksBefore = 2

  /// No fault, each fault alone, and all together, by name; the last one has most faults.
  var variants: [(name: String, faults: FaultMix)] {
    let none = ("none", FaultMix.none)
    guard !faults.faults.isEmpty else { return [none] }
    return [none] + faults.faults.map { ($0.kind.rawValue, FaultMix([$0])) } + [("all", faults)]
  }

  var weeks: [Week] { (0..<club.weeks).map { club.firstWeek.advanced(by: $0) } }

  /// The time at which a week is evaluated: a week after its end.
  func evaluation(of week: Week) -> Moment { WeekCalendar.utc.start(of: week.advanced(by: 2)) }

  var listingOrder: ListingOrder {
    switch service.order {
    case .start: .byStart
    case .upload: .byUpload
    case .uploadInPages: .byUploadInPages(of: perPage)
    }
  }
}

extension ValueType where Value == Int {
  /// A duration in whole units.
  fileprivate static func whole(_ unit: Duration, _ range: ClosedRange<Int>) -> Self {
    let expected =
      "\(TimeSpan.text(unit * range.lowerBound)) to \(TimeSpan.text(unit * range.upperBound)) in whole units"
    return ValueType<Duration>.duration((unit * range.lowerBound)...(unit * range.upperBound)).map(
      expected: "a length of time, \(expected) of \(TimeSpan.text(unit))"
    ) { duration in
      let count = Int(duration / unit)
      return unit * count == duration ? count : nil
    } back: {
      unit * $0
    }
  }
}

extension ValueType where Value == FaultMix {
  /// A parameter value: `default`, `none`, or faults by name, each `default` or with its rate and size.
  fileprivate static var faults: Self {
    let names = FeedFault.Kind.allCases.map(\.rawValue)
    let expected =
      "default, none, or faults such as {renames: default, deletions: {rate: 2%, hours: 12}}: "
      + names.joined(separator: ", ")
    return Self(
      "faults", expected: expected,
      schema: [
        "anyOf": .array([
          ["enum": .array(["default", "none"])],
          ["type": "object", "propertyNames": ["enum": .array(names.map { .string($0) })]],
        ])
      ],
      read: { field throws(ReportingError) in
        guard field.isMapping else {
          return try field.choice(among: ["default", "none"]) == "default" ? .default : .none
        }
        let map = try field.mapping(keys: names)
        var faults: [FeedFault] = []
        for kind in FeedFault.Kind.allCases {
          if let field = map[kind.rawValue] { faults.append(try fault(kind, field)) }
        }
        return FaultMix(faults)
      },
      write: { mix in
        guard !mix.faults.isEmpty else { return "none" }
        return .object(
          mix.faults.map { fault in
            JSONMember(
              fault.kind.rawValue,
              .object([JSONMember("rate", .number(fault.rate)), JSONMember(fault.kind.facts.unit, .number(fault.size))])
            )
          })
      })
  }

  private static func fault(_ kind: FeedFault.Kind, _ field: ScenarioField) throws(ReportingError) -> FeedFault {
    guard field.isMapping else {
      _ = try field.choice(among: ["default"])
      return FeedFault(kind)
    }
    let facts = kind.facts
    let map = try field.mapping(keys: ["rate", facts.unit])
    var fault = FeedFault(kind)
    if let field = map["rate"] {
      let expected = "a share above 0 and at most 1 of all \(facts.whose)"
      guard let rate = try? ValueType<Double>.share.read(field), rate > 0 else { throw field.bad(expected: expected) }
      fault.rate = rate
    }
    if let field = map[facts.unit] {
      let (low, high) = (Int(facts.bounds.lowerBound), Int(facts.bounds.upperBound))
      let size = try field.number()
      guard facts.bounds.contains(size) else {
        throw field.bad(expected: "\(low) to \(high) \(facts.unit), \(facts.meaningOfSize)")
      }
      fault.size = size
    }
    return fault
  }
}

/// A quantity averaged over seasons, one row each. Rides of one season share a club, faults and fetches, so that the
/// season's share is one observation, an integer in units of 1e-9.
struct FeedQuantity: Sendable {
  private static let unit = 1_000_000_000

  /// The row of the mean of the seasons' values.
  let row: MeasureRow<MomentTally>
  /// The quantity of a season with a number of days of fetches, as a fraction.
  private let ratio: @Sendable (FeedCounts, _ days: Int) -> (part: Int, whole: Int)

  private init(
    _ name: String, unit: String = "", _ meaning: String,
    _ ratio: @escaping @Sendable (FeedCounts, _ days: Int) -> (part: Int, whole: Int)
  ) {
    self.ratio = ratio
    // Shares lie from 0 to 1; the number of requests has no bound except the budget under test.
    row = .mean("feed.\(name)", meaning, unit: unit, range: unit.isEmpty ? 0...1 : nil) {
      $0.count > 0 ? .mean(of: $0, slope: 1 / Double(Self.unit)) : nil
    }
  }

  static let all = [
    FeedQuantity("rightWeek", "The share of rides in the right week, of those whose week can be known") { counts, _ in
      (counts.rides.right, counts.rides.knowable)
    },
    FeedQuantity("wrongWeek", "The share of rides in another week, of those whose week can be known") { counts, _ in
      (counts.rides.wrong, counts.rides.knowable)
    },
    FeedQuantity("lost", "The share of rides in no week, of those whose week can be known") { counts, _ in
      (counts.rides.lost, counts.rides.knowable)
    },
    FeedQuantity("unknowable", "The share of rides whose week cannot be known from the feed") { counts, _ in
      (counts.rides.unknowable.reduce(0, +), counts.rides.present)
    },
    FeedQuantity("guessed", "The share of rides in the right week, of those whose week cannot be known") {
      counts, _ in
      (counts.rides.guessed.reduce(0, +), counts.rides.unknowable.reduce(0, +))
    },
    FeedQuantity("misranked", "The share of members whose rank by distance in a week is not the true one") {
      counts, _ in
      (counts.rides.misranked, counts.rides.memberWeeks)
    },
    FeedQuantity("requests", unit: "a day", "Requests a day") { counts, days in (counts.requests, days) },
    FeedQuantity("failedFetches", "The share of fetches that gave up") { counts, _ in
      (counts.failedFetches, counts.fetches)
    },
  ]

  /// A season's value in units of 1e-9; nil if the whole is 0.
  func value(of season: FeedCounts, days: Int) -> Int? {
    let (part, whole) = ratio(season, days)
    return whole > 0 ? (part * Self.unit + whole / 2) / whole : nil
  }
}

extension FeedCounts {
  /// The sums over all seasons of a variant or of all variants; a total is zero only if each variant's is.
  static let rows: [MeasureRow<FeedCounts>] = [
    .count("feed.rides", "Rides whose week can be known", unit: "rides", \.rides.knowable),
    .count(
      "feed.doubleCounts", title: "counted twice",
      "Counted activities without a ride: rides counted twice", unit: "rides", \.rides.doubles),
    .count(
      "feed.deletedButCounted", title: "still there",
      "Rides still counted although a fetch could see that they were removed", unit: "rides",
      \.rides.deletedButCounted),
    .count(
      "feed.removed", "Rides that a fetch could see to be removed", unit: "rides", \.rides.removed),
    .count(
      "feed.countedFromOutside",
      "Rides of an evaluated week that are from before the first fetch or from another week",
      unit: "rides", \.rides.countedFromOutside),
    .count(
      "feed.misplaced", "Rides in another week or in none, of those whose week can be known", unit: "rides"
    ) { $0.rides.wrong + $0.rides.lost },
    .count("feed.split", "Members in a week beyond the number of names", unit: "members", \.rides.split),
    .count(
      "feed.merged",
      "Persons in a week merged with others of their name, whom the feed does not distinguish",
      unit: "persons", \.rides.merged),
    .count(
      "feed.budgetViolations", title: "over budget",
      "Requests beyond the budget of a quarter of an hour or a day, by the service's own count", unit: "requests",
      \.violations),
    .count(
      "feed.requestsTooSoon", title: "too soon", "Requests sent before a Retry-After was over", unit: "requests",
      \.retryAfterViolations),
    .count("feed.maxInDay", title: "most a day", "The most requests in a day", unit: "requests", \.maxInDay),
    .count(
      "feed.maxInQuarterHour", title: "most a quarter", "The most requests in a quarter of an hour", unit: "requests",
      \.maxInQuarterHour),
    .count("feed.fetches", "Fetches begun", unit: "fetches", \.fetches),
  ]
}

// MARK: The report

extension ClubFeed {
  /// The reasons why rides' weeks cannot be known, with counts.
  func data(of run: SampledRun<FeedTally>) -> [JSONMember] {
    let reasons = zip(variants, run.tally.variants).map { variant, found in
      JSONMember(
        variant.name,
        .array(
          found.counts.rides.reasons.map { reason, rides, right in
            ["why": .string(reason.rawValue), "rides": .integer(rides), "right": .integer(right)]
          }))
    }
    return [JSONMember("unknowable", .object(reasons))]
  }

  func sections(of run: SampledRun<FeedTally>) -> [ReportBlock] {
    func table(_ names: [String], caption: String = "") -> ReportBlock {
      .table(Table(run.measurements, by: "faults", names.map { "feed.\($0)" }, at: run.confidence), caption: caption)
    }
    return [
      .part(
        "Rides in their weeks",
        [
          .figure(
            byFault(
              "feed-right-week", "Rides in the right week", "share of the rides that can be known, %", "rightWeek",
              in: run, scale: 100, meaning: "the share of rides in the right week, of those whose week can be known")),
          table([
            "rides", "rightWeek", "wrongWeek", "lost", "doubleCounts", "deletedButCounted", "removed", "misranked",
          ]),
        ]),
      .part("Rides whose week cannot be known, and why", [.table(unknown(run.tally))]),
      .part(
        "Requests against the budget",
        [
          .figure(
            byFault(
              "feed-requests", "Requests a day", "requests a day", "requests", in: run, scale: 1,
              meaning: "the requests a day, where the budget has \(service.perDay)")),
          table(
            [
              "requests", "maxInDay", "maxInQuarterHour", "budgetViolations", "requestsTooSoon", "fetches",
              "failedFetches",
            ],
            caption: "By the service's own count; allowed are \(service.perDay) a day and "
              + "\(service.perQuarterHour) a quarter of an hour, and too soon is before Retry-After was over."),
        ]),
    ] + lastWeek(run.tally) + [.part("Conditions", [.list(conditions(run))])]
  }

  private func lastWeek(_ tally: FeedTally) -> [ReportBlock] {
    guard let weeks = tally.lastWeeks?.map({ WeekTally($0) }), let last = weeks.last else { return [] }
    let week = ClubWeek(last, previous: weeks.count > 1 ? weeks.first : nil)
    return [
      .part(
        "The last week of the first season, by the ledger",
        [.table(week.leaderboard, caption: "With \(variants.last?.name ?? "none") of the faults.")])
    ]
  }

  private func conditions(_ run: SampledRun<FeedTally>) -> [String] {
    let weeks = NumberFormat.counted(club.weeks, "week")
    return [
      "\(run.tally.variants[0].seasons) seasons of a club of \(club.members) over \(weeks) under each variant of the "
        + "faults, \(run.samples) under the last; ± is how far a \(NumberFormat.percent(run.confidence)) interval over "
        + "seasons reaches, since rides of one season are not independent: few seasons show little. That of a share "
        + "holds for any number of seasons; requests have none for fewer than \(Measurement.fewestUnbounded).",
      "A fetch every \(TimeSpan.text(.seconds(interval))) of a listing of at most \(service.depth) "
        + "activities, sorted by \(service.order.rawValue), in pages of \(perPage).",
      "A ride counts as known where its week follows from what such fetches could see. That depends on the ground "
        + "truth and the moments of fetches alone, not on the ledger. Ranks are by distance, and all rides count.",
    ]
  }

  private func unknown(_ tally: FeedTally) -> Table {
    Table(
      ["faults", "why"], numbers: ["rides", "share", "right nevertheless"],
      rows: zip(variants, tally.variants).flatMap { variant, found in
        let all = Double(max(1, found.counts.rides.present))
        return found.counts.rides.reasons.filter { $0.rides > 0 }.map { reason, rides, right in
          [
            variant.name, reason.rawValue, "\(rides)", NumberFormat.percent(Double(rides) / all, decimals: 2),
            "\(right)",
          ]
        }
      })
  }

  private func byFault(
    _ id: String, _ title: String, _ axis: String, _ quantity: String, in run: SampledRun<FeedTally>, scale: Double,
    meaning: String
  ) -> Figure {
    let names = variants.map(\.name)
    let found = names.map { name in
      run.measurements.first { $0.measure.name == "feed.\(quantity)" && $0.measure.label == name }
    }
    let points = found.enumerated().compactMap { index, one in
      one.map { Figure.Point(Double(index), $0, at: run.confidence, scale: scale) }
    }
    return Figure(
      id: id, title: title,
      alternative: "Dots with intervals, one for each fault alone, none of them and all: \(meaning). With "
        + "\(names.last ?? "") of the faults it is \(found.last??.text(at: run.confidence) ?? "unknown").",
      x: Figure.Axis("faults", scale: .names(names)), y: Figure.Axis(axis),
      series: [Figure.Series("", style: .points, points: points)]
    ).showing([Figure.Subject("feed.\(quantity)", scale: scale)])
  }
}
