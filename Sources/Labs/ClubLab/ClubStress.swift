// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import MonteCarlo
internal import Reporting
internal import Scenarios

/// Weeks of a large generated club, counted by the core and compared with the ground truth.
struct ClubStress: Experiment {
  var members = 100_000
  /// The approximate number of activities in all weeks.
  var activities = 50_000_000
  var weeks = 8
  var sharedNames = 0.001
  var generator = "mt19937"
  var seed: UInt64 = 1

  init() {}

  static let kind = "club.stress"
  static let summary =
    "Generates weeks of a large club, counts them with the shipped core, and compares both, member by member."
  static let discussion = """
    Example: assay club stress --members 10k --activities 5M
    Example: assay club stress --members 1M --activities 50M --weeks 4 --jobs 1

    The generator keeps its own sums, which are compared with the core's. Some of the activities also go through \
    the feed's format. The result depends only on the parameters.
    """
  static let defaultThresholds = [
    "stress.membersWrong == 0", "stress.weeksWrong == 0", "stress.personsMisplaced == 0", "stress.sampleWrong == 0",
  ]

  static let parameters: [Parameter<ClubStress>] =
    [
      Parameter("members", \.members, .count(1...10_000_000), "The number of members of the club.", example: "1M"),
      Parameter(
        "activities", \.activities, .count(1...100_000_000_000),
        "The approximate number of activities of all weeks together.",
        example: "5M"),
      Parameter("weeks", \.weeks, .count(1...1040), "The number of weeks.", example: "4"),
      Parameter(
        "shared-names", \.sharedNames, .share, "The share of members with somebody else's name.", example: "1%"),
    ] + Parameter.random(generator: \.generator, seed: \.seed)

  func check() throws(ParameterError) {
    guard activitiesPerWeek <= 1000 else {
      throw ParameterError(
        "activities", "members", "weeks",
        expected: "at most \(Int(1000 * memberWeeks)), a thousand for each week of a member, or more members or weeks")
    }
  }

  var shape: ClubShape {
    ClubShape(
      members: members, weeks: weeks, activitiesPerWeek: activitiesPerWeek, names: .distinct(shared: sharedNames))
  }

  private var activitiesPerWeek: Double { Double(activities) / memberWeeks }

  /// The approximate number of weeks of activity of all members, with seasons, injuries, newcomers and leavers.
  private var memberWeeks: Double {
    let shape = ClubShape(members: members, weeks: weeks)
    let seasons = (0..<weeks).reduce(0) { $0 + ActivityDrawing(shape, week: $1).season }
    let active =
      seasons * (1 - shape.newcomers / 2) * (1 - shape.leavers / 2) / (1 + shape.injuries * shape.injuryWeeks)
    return Double(members) * active
  }

  private static let rows: [MeasureRow<StressResult>] = [
    .count("stress.activities", "Activities of all sports and weeks", unit: "activities") { $0.activities },
    .count("stress.counted", "Activities that count as cycling", unit: "activities") { $0.counted },
    .count("stress.identities", "Members as the feed distinguishes them, by name", unit: "members") { $0.identities },
    .count(
      "stress.personsMisplaced",
      "Persons whom the core's roster merges or splits contrary to their names", unit: "persons"
    ) { $0.personsMisplaced },
    .count("stress.membersWrong", "Members whose tally differs from the ground truth in any week", unit: "members") {
      $0.membersWrong
    },
    .count(
      "stress.weeksWrong", "Weeks in which a member's tally or the club's total differs from the ground truth",
      unit: "weeks"
    ) { $0.weeksWrong },
    .count(
      "stress.sampleActivities", "Activities of the last week that went through the feed's own format",
      unit: "activities"
    ) { $0.sample.activities },
    .count(
      "stress.sampleWrong",
      "Activities among them that came back changed, and members whose tally differs from the ground truth"
    ) { $0.sample.wrong },
    .count(
      "stress.sharedNames", "Names shared by several persons with activities in the last week", unit: "names"
    ) { $0.collisions.real },
    .count(
      "stress.suspectedNames", "Names of the last week that the core suspects to be several persons", unit: "names"
    ) { $0.collisions.suspected },
    .count("stress.suspectedRightly", "Suspected names that really belong to several persons", unit: "names") {
      $0.collisions.suspectedRightly
    },
  ]

  /// Measures of each week.
  private static let weekly: [MeasureRow<StressResult.WeekOutcome>] = [
    .count("week.activities", "Activities of all sports", \.activities),
    .count("week.counted", "Activities that count as cycling", \.counted),
    .count("week.members", title: "active members", "Members with activities that count", \.finding.activeMembers),
    .exact("week.distance", "The distance of all activities that count", unit: "km") { $0.total.distance.kilometres },
    .exact("week.climb", "The elevation gain that counts", unit: "km") { $0.total.elevation.kilometres },
    .exact("week.longest", "The longest activity that counts", unit: "km") { $0.total.longest.kilometres },
    .exact("week.moving", "The time in motion that counts", unit: "h") { Double($0.total.movingTime) / 3600 },
    .exact("week.elapsed", "The elapsed time that counts", unit: "h") {
      Double($0.total.elapsedTime) / 3600
    },
    .count("week.wrong", "Members whose tally differs from the ground truth, plus one if the club's total does") {
      $0.finding.membersWrong + ($0.finding.isTotalRight ? 0 : 1)
    },
  ]

  var measures: [Measure] {
    Self.rows.measures() + Self.weekly.flatMap { row in (0..<weeks).map { row.measure(of: "\(shape.week($0))") } }
  }

  private static func weekly(of result: StressResult) -> [Measurement] {
    weekly.flatMap { row in result.weeks.compactMap { row.measurement(of: "\($0.week)", in: $0) } }
  }

  func run(on context: RunContext) throws -> ScenarioResult {
    let meter = context.meter(activities, "activities")
    defer { meter?.finish() }
    // Workers keep their tallies in memory, so there is no checkpoint.
    let run = try StressRun(self, workers: Workers(context.workers.count), interrupt: context.interrupt)
    do {
      let result = try run.run { meter?.advance(by: $0) }
      return ScenarioResult(
        measurements: Self.rows.measurements(in: result) + Self.weekly(of: result),
        document: result.document(Table(Self.weekly(of: result), by: "week", at: 0.99)))
    } catch is Abandoned {
      // Some of the weeks would not represent the others.
      return .interrupted
    }
  }
}

extension Int {
  /// A length in decimetres, in kilometres.
  fileprivate var kilometres: Double { Double(self) / 10_000 }
}

extension StressResult {
  func document(_ weeksTable: Table) -> Document {
    Document(
      id: "club-stress",
      title: "\(NumberFormat.grouped(settings.members)) members, \(NumberFormat.grouped(activities)) activities, "
        + NumberFormat.counted(weeks.count, "week"),
      [
        .paragraph(verdict), .table(weeksTable), .list(collisionNotes),
        .part("The last week's leaders", [.figure(sharesFigure), .table(lastWeek.leaderboard)]),
      ])
  }

  private var verdict: String {
    membersWrong == 0 && weeksWrong == 0 && personsMisplaced == 0 && sample.wrong == 0
      ? "Every sum of every member and week equals the ground truth, and so do "
        + "\(NumberFormat.grouped(sample.activities)) activities that went through the feed's own format."
      : "Different from the ground truth: \(NumberFormat.grouped(membersWrong)) members, \(weeksWrong) weeks, "
        + "\(NumberFormat.grouped(personsMisplaced)) misplaced persons, \(sample.wrong) of the sample."
  }

  private var collisionNotes: [String] {
    [
      "\(NumberFormat.grouped(settings.members)) persons are \(NumberFormat.grouped(identities)) members by name; "
        + "\(NumberFormat.grouped(collisions.real)) names belong to several persons with activities in the last week, "
        + "which a feed without tokens cannot separate.",
      "The core suspects \(NumberFormat.grouped(collisions.suspected)) names of the last week, "
        + "\(NumberFormat.grouped(collisions.suspectedRightly)) of them rightly. With more activities than a person "
        + "can have in a week, single persons look like several, too.",
    ]
  }

  private var sharesFigure: Figure {
    let shares = lastWeek.standings(by: .distance).prefix(10).compactMap { standing in
      standing.share?.fraction.map { (name: standing.stats.member.name.shown(), share: $0) }
    }
    let first = shares.first.map { "\($0.name) has \(NumberFormat.percent($0.share, decimals: 3))." } ?? ""
    return Figure(
      id: "stress-shares", title: "Shares of the club's distance",
      alternative: "Bars: the shares of the club's distance of the last week that the ten farthest have. \(first)",
      x: Figure.Axis("member", scale: .names(shares.map(\.name))), y: Figure.Axis("share of the distance, %"),
      series: [
        Figure.Series("", style: .bars, points: shares.enumerated().map { Figure.Point(Double($0), $1.share * 100) })
      ])
  }
}
