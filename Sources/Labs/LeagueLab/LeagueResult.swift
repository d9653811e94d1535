// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Scenarios
internal import Statistics

/// The figures of seasons, week by week.
struct LeagueResult: Sendable {
  let shape: LeagueShape
  let seasons: Int
  private let found: [LeagueEstimate.Key: Measurement]

  init(_ tally: SeasonTally, shape: LeagueShape) {
    (self.shape, seasons) = (shape, tally.seasons)
    // What one unit of a doubled squared distance takes from Spearman's correlation, 1 - 6 D / (n (n^2 - 1)).
    let perDistance = 6.0 / 4 / Double(shape.teams * (shape.teams * shape.teams - 1))
    found = LeagueEstimate.Key.all(weeks: shape.weeks).reduce(into: [:]) { found, key in
      let counted = tally[key]
      let value: Measurement.Value =
        switch key.quantity.row.scale {
        case .share: .proportion(successes: counted.sum, trials: tally.seasons)
        case .mean: .mean(of: counted)
        case .correlation: .mean(of: counted, slope: -perDistance, offset: 1)
        case .difference: .mean(of: counted, slope: perDistance)
        }
      found[key] = Measurement(key.measure(teams: shape.teams), value)
    }
  }

  /// In the order of `LeagueEstimate.Key.all(weeks:)`.
  var measurements: [Measurement] { LeagueEstimate.Key.all(weeks: shape.weeks).compactMap { found[$0] } }

  /// `nil` before the final week for what is asked at the end of the season.
  func measurement(
    of quantity: LeagueEstimate.Quantity, by ranking: LeagueEstimate.Ranking, week: Int
  ) -> Measurement? {
    found[LeagueEstimate.Key(quantity: quantity, ranking: ranking, week: week)]
  }
}

/// The estimates that seasons give.
enum LeagueEstimate {
  enum Ranking: String, CaseIterable, Sendable {
    /// The core's power ranking.
    case power
    /// By win percentage, and by points scored where that is equal.
    case record
  }

  /// The quantity estimated, of which ranking, after which week (from 1).
  struct Key: Hashable, Sendable {
    let quantity: Quantity
    let ranking: Ranking
    let week: Int

    /// By quantity, then by week, so that a name's labels stand together.
    static func all(weeks: Int) -> [Key] {
      Quantity.allCases.flatMap { quantity in
        quantity.row.rankings.flatMap { ranking in
          (quantity.isFinal ? weeks...weeks : 1...weeks).map { Key(quantity: quantity, ranking: ranking, week: $0) }
        }
      }
    }

    /// Names begin with the ranking, as in `power.bestIsFirst[week 3]`, or with `lead` for how far the power ranking is
    /// ahead. What is asked at the end of the season has no label.
    func measure(teams: Int) -> Measure {
      let row = quantity.row
      let words = ranking == .power ? "the power ranking" : "plain record"
      return Measure(
        row.name.contains(".") ? row.name : "\(ranking.rawValue).\(row.name)",
        of: quantity.isFinal ? nil : "week \(week)",
        meaning: row.meaning.replacing("%", with: words) + (quantity.isFinal ? "" : ", after week \(week)"),
        unit: row.unit, nature: row.scale == .share ? .proportion : .mean, range: row.range(teams))
    }
  }

  enum Quantity: Int, CaseIterable, Sendable {
    case bestIsFirst, rankOfBest, correlation, firstIsNotAmongBestThree, rankIsShared
    case leadInBestIsFirst, leadInCorrelation, firstIsDecidedByPoints, teamsLevelOnRecord
    case varianceOfStrength, varianceOfScores, varianceOfSchedule

    /// How an estimate follows from what is tallied.
    enum Scale {
      /// 1 for every season in which it is so.
      case share
      case mean
      /// Squared distances, as Spearman's correlation.
      case correlation
      /// Differences of squared distances, as a difference of Spearman's correlations.
      case difference
    }

    struct Row: Sendable {
      let name: String
      let scale: Scale
      var unit = ""
      /// `%` stands for the ranking.
      let meaning: String
      var rankings = Ranking.allCases
      /// Where a season's value lies, of so many teams.
      var range: @Sendable (_ teams: Int) -> ClosedRange<Double> = { _ in -1...1 }
      /// Whether people read it in percent, though it is no proportion.
      var isPercent = false
    }

    /// The variance's rows: a season's final ranks have the same mean and variance whatever the luck (but for shared
    /// ranks, which are rare by then), so the correlation of two plays that share some causes is the share of the
    /// variance that these explain.
    var row: Row {
      switch self {
      case .bestIsFirst:
        Row(
          name: "bestIsFirst", scale: .share,
          meaning: "The chance that % has the strongest team first")
      case .rankOfBest:
        Row(
          name: "rankOfBest", scale: .mean,
          meaning: "The strongest team's mean rank by %", range: { 1...Double($0) })
      case .correlation:
        Row(
          name: "correlation", scale: .correlation,
          meaning: "The mean of Spearman's correlation of the ranks by % with the strengths")
      case .firstIsNotAmongBestThree:
        Row(
          name: "misled", scale: .share,
          meaning: "The chance that % has a team first that is not one of the three strongest")
      case .rankIsShared:
        Row(
          name: "rankIsShared", scale: .share,
          meaning: "The chance that teams share a rank by %")
      case .leadInBestIsFirst:
        Row(
          name: "lead.bestIsFirst", scale: .mean,
          meaning: "How much likelier the power ranking has the strongest team first than plain record has",
          rankings: [.power], isPercent: true)
      case .leadInCorrelation:
        Row(
          name: "lead.correlation", scale: .difference,
          meaning: "How much better the power ranking's correlation with the strengths is than plain record's",
          rankings: [.power], range: { _ in -2...2 })
      case .firstIsDecidedByPoints:
        Row(
          name: "decidedByPoints", scale: .share,
          meaning: "The chance that several teams have the best record, so that points decide who is first",
          rankings: [.record])
      case .teamsLevelOnRecord:
        Row(
          name: "teamsLevel", scale: .mean, unit: "teams",
          meaning: "The mean number of teams whose record another team has too", rankings: [.record],
          range: { 0...Double($0) })
      case .varianceOfStrength:
        Row(
          name: "varianceFromStrength", scale: .correlation,
          meaning: "The share of the final rank's variance by % that strength explains", isPercent: true)
      case .varianceOfScores:
        Row(
          name: "varianceFromScores", scale: .difference,
          meaning: "The share of the final rank's variance by % that scores in single weeks explain",
          range: { _ in -2...2 },
          isPercent: true)
      case .varianceOfSchedule:
        Row(
          name: "varianceFromSchedule", scale: .difference,
          meaning: "The share of the final rank's variance by % that whom one meets when explains",
          range: { _ in -2...2 }, isPercent: true)
      }
    }

    var isPercent: Bool { row.scale == .share || row.isPercent }

    var isFinal: Bool { rawValue >= Quantity.varianceOfStrength.rawValue }
  }
}

/// The sums over seasons: whole numbers for every quantity, week and ranking.
struct SeasonTally: MergeableTally, Equatable {
  var seasons = 0
  private var moments: [MomentTally]

  init(weeks: Int) {
    moments = Array(repeating: MomentTally(), count: weeks * LeagueEstimate.Quantity.allCases.count * 2)
  }

  subscript(key: LeagueEstimate.Key) -> MomentTally { moments[place(key.quantity, key.ranking, week: key.week - 1)] }

  /// Adds one season's value after a week, counted from 0; of a share, 1 where it is so and nothing where not.
  @inline(__always) mutating func add(
    _ value: Int, to quantity: LeagueEstimate.Quantity, of ranking: LeagueEstimate.Ranking, week: Int
  ) {
    moments[place(quantity, ranking, week: week)].add(value)
  }

  @inline(__always)
  private func place(_ quantity: LeagueEstimate.Quantity, _ ranking: LeagueEstimate.Ranking, week: Int) -> Int {
    (week * 12 + quantity.rawValue) * 2 + (ranking == .power ? 0 : 1)
  }

  mutating func merge(_ other: SeasonTally) {
    seasons += other.seasons
    for place in moments.indices { moments[place].merge(other.moments[place]) }
  }
}
