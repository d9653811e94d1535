// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import MonteCarlo
internal import Reporting
internal import Scenarios
internal import Statistics

/// Simulated seasons of a club with a virtual, faulty feed, and the shipped ledger under each fault.
struct ClubFeed: Experiment {
  /// The club; its weeks are the evaluated ones.
  var club = ClubShape(members: 12, weeks: 3)
  var service = ServiceShape(depth: 90)
  var faults = FaultMix.default
  /// The time between the starts of fetches, in seconds.
  var interval = 3600
  var perPage = 60
  /// The most pages that a fetch reads; nil to read to the end.
  var pages: Int?
  /// Seasons under each variant of the faults.
  var seasons = 40
  /// Seasons under all faults together; at least `seasons`.
  var together: Int?
  var generator = "mt19937"
  var seed: UInt64 = 1
  /// The confidence of intervals in tables and figures; thresholds state their own.
  var confidence = 0.99
  /// The ledger under test; nil for the shipped one.
  var ledger: (@Sendable () -> any LedgerUnderTest)?

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
  static let defaultThresholds = ["feed.doubleCounts[any] == 0", "feed.budgetViolations[any] == 0"]

  static let parameters =
    feedParameters + trialParameters + Parameter<ClubFeed>.random(generator: \.generator, seed: \.seed)
    + [.confidence(\.confidence)]

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
      "seasons", \.seasons, .count(2...100_000), "How many seasons under each fault, under none and under all.",
      example: "4"),
    Parameter(
      "seasons-together", \.together, ValueType<Int>.count(2...100_000).optional,
      "How many seasons under all faults together; by default as many as under each.", example: "32"),
  ]

  func check() throws(ParameterError) {
    guard (together ?? seasons) >= seasons else {
      throw ParameterError("seasons-together", "seasons", expected: "\(seasons) or more, as many as seasons")
    }
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
    guard let together, measure.label == faults.variants.last?.name else { return SampleSize("seasons", seasons) }
    return SampleSize("seasons-together", together)
  }

  var measures: [Measure] {
    let labels = faults.variants.map(\.name)
    return FeedQuantity.all.flatMap { quantity in labels.map { quantity.row.measure(of: $0) } }
      + FeedCounts.rows.flatMap { row in (labels + ["any"]).map { row.measure(of: $0) } }
  }

  func run(on context: RunContext) throws -> ScenarioResult {
    let trial = FeedTrial(self)
    guard let result = try trial.run(on: context) else { return .interrupted }
    return ScenarioResult(
      measurements: result.measurements, data: result.data, document: result.document, confidence: confidence,
      isComplete: result.findings.allSatisfy { $0.seasons == trial.seasons(of: $0.variant) })
  }
}

extension ClubFeed {
  /// Weeks before the first fetch, so that the listing is full by then.
  static let weeksBefore = 2

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

/// A quantity averaged over seasons, one row each.
struct FeedQuantity: Sendable {
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
      $0.count > 0 ? .mean(of: $0, slope: 1 / Double(TrialTally.unit)) : nil
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
    return whole > 0 ? (part * TrialTally.unit + whole / 2) / whole : nil
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

extension FeedResult {
  var measurements: [Measurement] {
    var all = FeedCounts()
    for finding in findings { all.merge(finding.counts) }
    return FeedQuantity.all.flatMap { quantity in
      findings.compactMap { one in one.estimates.first { $0.measure.name == quantity.row.name } }
    }
      + FeedCounts.rows.flatMap { row in
        (findings.map { ($0.variant.name, $0.counts) } + [("any", all)]).compactMap {
          row.measurement(of: $0, in: $1)
        }
      }
  }

  /// The reasons why rides' weeks cannot be known, with counts.
  var data: JSONValue {
    [
      "unknowable": .object(
        findings.map { finding in
          let rides = finding.counts.rides
          return JSONMember(
            finding.variant.name,
            .array(
              zip(Unknowable.allCases, zip(rides.unknowable, rides.guessed)).map { reason, counts in
                ["why": .string(reason.rawValue), "rides": .integer(counts.0), "right": .integer(counts.1)]
              }))
        })
    ]
  }
}

extension FeedResult {
  var document: Document {
    let (feed, last) = (trial.feed, findings.last?.variant.name ?? "none")
    let weeks = NumberFormat.counted(feed.club.weeks, "week")
    return Document(
      id: "club-feed", title: "The week ledger over \(weeks) of a club of \(feed.club.members)",
      [
        .part(
          "Rides in their weeks",
          [
            .figure(
              byFault(
                "feed-right-week", "Rides in the right week", "share of the rides that can be known, %", "rightWeek",
                scale: 100, meaning: "the share of rides in the right week, of those whose week can be known")),
            table([
              "feed.rides", "feed.rightWeek", "feed.wrongWeek", "feed.lost", "feed.doubleCounts",
              "feed.deletedButCounted",
              "feed.removed", "feed.misranked",
            ]),
          ]),
        .part("Rides whose week cannot be known, and why", [.table(unknown)]),
        .part(
          "Requests against the budget",
          [
            .figure(
              byFault(
                "feed-requests", "Requests a day", "requests a day", "requests", scale: 1,
                meaning: "the requests a day, where the budget has \(feed.service.perDay)")),
            table(
              [
                "feed.requests", "feed.maxInDay", "feed.maxInQuarterHour", "feed.budgetViolations",
                "feed.requestsTooSoon", "feed.fetches", "feed.failedFetches",
              ],
              caption: "By the service's own count; allowed are \(feed.service.perDay) a day and "
                + "\(feed.service.perQuarterHour) a quarter of an hour, and too soon is before Retry-After was over."),
          ]),
        .part(
          "The last week of the first season, by the ledger",
          [.table(week.leaderboard, caption: "With \(last) of the faults.")]),
        .part("Conditions", [.list(conditions)]),
      ])
  }

  private var conditions: [String] {
    let feed = trial.feed
    return [
      "\(feed.seasons) seasons under each variant of the faults, \(trial.together) under the last; ± is how far a "
        + "\(NumberFormat.percent(feed.confidence)) interval over seasons reaches, since rides of one season "
        + "are not independent: few seasons show little. That of a share holds for any number of seasons; "
        + "requests have "
        + "none for fewer than "
        + "\(Measurement.fewestUnbounded).",
      "A fetch every \(TimeSpan.text(.seconds(feed.interval))) of a listing of at most \(feed.service.depth) "
        + "activities, sorted by \(feed.service.order.rawValue), in pages of \(feed.perPage).",
      "A ride counts as known where its week follows from what such fetches could see. That depends on the ground "
        + "truth and the moments of fetches alone, not on the ledger. Ranks are by distance, and all rides count.",
      "Drawn with \(feed.generator), seed \(feed.seed).",
    ]
  }

  private func table(_ names: [String], caption: String = "") -> ReportBlock {
    .table(Table(measurements, by: "faults", names, at: trial.feed.confidence), caption: caption)
  }

  private var unknown: Table {
    Table(
      ["faults", "why"], numbers: ["rides", "share", "right nevertheless"],
      rows: findings.flatMap { finding in
        let rides = finding.counts.rides
        return zip(Unknowable.allCases, zip(rides.unknowable, rides.guessed)).compactMap {
          reason, counts -> [String]? in
          guard counts.0 > 0 else { return nil }
          let share = Double(counts.0) / Double(max(1, rides.present))
          return [
            finding.variant.name, reason.rawValue, "\(counts.0)",
            NumberFormat.percent(share, decimals: 2), "\(counts.1)",
          ]
        }
      })
  }

  private func byFault(
    _ id: String, _ title: String, _ axis: String, _ quantity: String, scale: Double, meaning: String
  ) -> Figure {
    let found = findings.map { one in one.estimates.first { $0.measure.name == "feed.\(quantity)" } }
    let points = found.enumerated().compactMap { index, one in
      one.map { Figure.Point(Double(index), $0, at: trial.feed.confidence, scale: scale) }
    }
    let last = found.last??.text(at: trial.feed.confidence) ?? "unknown"
    return Figure(
      id: id, title: title,
      alternative: "Dots with intervals, one for each fault alone, none of them and all: \(meaning). With "
        + "\(findings.last?.variant.name ?? "") of the faults it is \(last).",
      x: Figure.Axis("faults", scale: .names(findings.map(\.variant.name))), y: Figure.Axis(axis),
      series: [Figure.Series("", style: .points, points: points)]
    ).showing([Figure.Subject("feed.\(quantity)", scale: scale)])
  }
}
