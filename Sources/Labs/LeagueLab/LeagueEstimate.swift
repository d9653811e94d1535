// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Scenarios
internal import Statistics

/// The quantities estimated from seasons.
enum LeagueEstimate {
  enum Ranking: String, CaseIterable, Sendable {
    /// The core's power ranking.
    case power
    /// By win percentage, with ties broken by points scored.
    case record
  }

  /// An estimate's identity: a quantity of a ranking after a week (from 1).
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

    /// Names begin with the ranking, as in `power.bestIsFirst[week 3]`, or with `lead` for the advantage of the power
    /// ranking. Quantities of the whole season have no label.
    func measure(teams: Int) -> Measure {
      let row = quantity.row
      let words = ranking == .power ? "the power ranking" : "plain record"
      return Measure(
        row.name.contains(".") ? row.name : "\(ranking.rawValue).\(row.name)",
        of: quantity.isFinal ? nil : "week \(week)",
        meaning: row.meaning.replacing("%", with: words) + (quantity.isFinal ? "" : ", after week \(week)"),
        unit: row.unit, kind: row.scale == .share ? .proportion : .mean, range: row.range(teams))
    }
  }

  enum Quantity: Int, CaseIterable, Sendable {
    case bestIsFirst, rankOfBest, correlation, firstIsNotAmongBestThree, rankIsShared
    case leadInBestIsFirst, leadInCorrelation, firstIsDecidedByPoints, teamsLevelOnRecord
    case varianceOfStrength, varianceOfScores, varianceOfSchedule

    /// How an estimate follows from a tallied sum.
    enum Scale {
      /// The share of seasons in which the condition holds; 1 is added for each.
      case share
      case mean
      /// Spearman's correlation from squared distances.
      case correlation
      /// A difference of Spearman's correlations from differences of squared distances.
      case difference
    }

    struct Row: Sendable {
      let name: String
      let scale: Scale
      var unit = ""
      /// The description; `%` stands for the ranking.
      let meaning: String
      var rankings = Ranking.allCases
      /// The range of a season's value, by the number of teams.
      var range: @Sendable (_ teams: Int) -> ClosedRange<Double> = { _ in -1...1 }
      /// True if the value is printed in percent although it is no proportion.
      var isPercent = false
    }

    /// For the variance's rows: the final ranks of a season have the same mean and variance under any luck (except
    /// shared ranks, which are rare by then). So the correlation of two plays with some causes in common is the share
    /// of the variance that these causes explain.
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
          meaning: "How much likelier the power ranking than plain record has the strongest team first",
          rankings: [.power], isPercent: true)
      case .leadInCorrelation:
        Row(
          name: "lead.correlation", scale: .difference,
          meaning: "The power ranking's correlation with the strengths minus that of plain record",
          rankings: [.power], range: { _ in -2...2 })
      case .firstIsDecidedByPoints:
        Row(
          name: "decidedByPoints", scale: .share,
          meaning: "The chance that several teams have the best record, so that points decide who is first",
          rankings: [.record])
      case .teamsLevelOnRecord:
        Row(
          name: "teamsLevel", scale: .mean, unit: "teams",
          meaning: "The mean number of teams that share their record with another team", rankings: [.record],
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
          meaning: "The share of the final rank's variance by % that the schedule explains",
          range: { _ in -2...2 }, isPercent: true)
      }
    }

    var isPercent: Bool { row.scale == .share || row.isPercent }

    var isFinal: Bool { rawValue >= Quantity.varianceOfStrength.rawValue }
  }
}

/// The sums over seasons, as integers for every quantity, week and ranking.
struct SeasonTally: MergeableTally, Equatable {
  private var moments: [MomentTally]

  init(weeks: Int) {
    moments = Array(repeating: MomentTally(), count: weeks * LeagueEstimate.Quantity.allCases.count * 2)
  }

  subscript(key: LeagueEstimate.Key) -> MomentTally { moments[index(key.quantity, key.ranking, week: key.week - 1)] }

  /// Adds one season's value after a week, counted from 0; for a share, 1 in seasons where the condition holds.
  @inline(__always) mutating func add(
    _ value: Int, to quantity: LeagueEstimate.Quantity, of ranking: LeagueEstimate.Ranking, week: Int
  ) {
    moments[index(quantity, ranking, week: week)].add(value)
  }

  @inline(__always)
  private func index(_ quantity: LeagueEstimate.Quantity, _ ranking: LeagueEstimate.Ranking, week: Int) -> Int {
    (week * 12 + quantity.rawValue) * 2 + (ranking == .power ? 0 : 1)
  }

  mutating func merge(_ other: SeasonTally) {
    for index in moments.indices { moments[index].merge(other.moments[index]) }
  }
}
