// SPDX-License-Identifier: GPL-3.0-or-later
internal import CoreTables
internal import FantasyCore
internal import MonteCarlo
internal import Reporting
internal import Scenarios
internal import Statistics

/// Compares projections with baselines on the real scores of a file.
struct ScoresRun: ReadsGames {
  static let kind = "fantasy.scores"
  static let isDrawn = false
  static let summary = "Compares projections on real scores: the model, season average, last five, and shrunk average."
  static let discussion = """
    Example: assay fantasy scores games.csv --score AF

    The file has a line for each game, with the columns player, round and score; options give other names. Seasons are \
    separate. Each game of a player with at least five earlier games is forecast from those as a normal distribution. \
    The baselines use the standard deviation of their errors over the whole file, the model its own. Intervals are \
    computed over players, since the games of one player are not independent.
    """

  enum Method: String, CaseIterable, Sendable {
    case average, lastFive = "last-five", shrunk, model
  }

  var games = ""
  var columns = GameColumns()
  var earlier = 5
  var mean = 71.4
  var confidence = 0.99

  init() {}

  static let parameters: [Parameter<Self>] =
    GameColumns.parameters(of: Self.self) + [
      Parameter(
        "earlier", \.earlier, .count(1...50), "The minimum number of earlier games for a forecast.", example: "8"),
      Parameter(
        "mean", \.mean, .number(0...200, named: "points"), "The mean that averages shrink to, in points.", example: "85"
      ),
      .confidence(\.confidence),
    ]

  /// The figures of a method, each averaged by player, and all its forecasts of 100 points or more.
  private struct Finding {
    var absolute: [Double] = []
    var ranked: [Double] = []
    /// By how much the ranked score is lower than that of the season's average, by player.
    var better: [Double] = []
    var forecasts = 0
    var squares = 0.0
    var hundred: Reliability?
  }

  private static let rows: [MeasureRow<Finding>] = [
    .mean("scores.error", title: "absolute error", "The mean absolute error of a player's games", unit: "points") {
      $0.absolute
    },
    .mean("scores.crps", title: "CRPS", "The ranked probability score of a player's games", unit: "points") {
      $0.ranked
    },
    .mean(
      "scores.better", title: "better by", "The CRPS of the season's average minus this CRPS", unit: "points"
    ) { $0.better },
    .exact("scores.brier", title: "Brier of 100", "The Brier score of '100 or more'") { $0.hundred?.brier },
    .exact("scores.miscalibration", title: "miscalibration", "The Brier score that recalibration removes") {
      $0.hundred?.miscalibration
    },
    .count("scores.forecasts", title: "games", "Games forecast", unit: "games") { $0.forecasts },
  ]

  var measures: [Measure] { Self.rows.measures(of: Method.allCases.map(\.rawValue)) }

  func run(on context: RunContext) throws -> ScenarioResult {
    guard !context.interrupt.isRaised else { return .interrupted }
    let players = try PlayerGames.all(in: .read(games), by: columns)
    let findings = findings(players.map { $0.games.compactMap(\.score) })
    guard let first = findings.first, first.forecasts > 0 else {
      throw ReportingError.badMember(
        file: games, field: "games", found: "no player with more than \(earlier) games", expected: "such a player")
    }
    let measurements = zip(Method.allCases, findings).flatMap { Self.rows.measurements(of: $0.rawValue, in: $1) }
    return ScenarioResult(
      measurements: measurements,
      document: Document(
        id: "scores", title: "Forecasts of \(NumberFormat.counted(first.forecasts, "game"))",
        [
          .paragraph(
            NumberFormat.counted(
              first.absolute.count, Set(players.map(\.season)).count > 1 ? "player season" : "player")
              + " with more than \(earlier) games; each mean is over them, with its "
              + "interval at \(NumberFormat.shortest(confidence))."),
          .table(Table(measurements, by: "forecast", at: confidence)),
        ]), confidence: confidence)
  }

  private func findings(_ players: [[Int]]) -> [Finding] {
    var model = ProjectionModel()
    model.means = Dictionary(Position.allCases.map { ($0, mean) }) { first, _ in first }
    /// The score that a method expects from earlier scores, oldest first.
    func forecast(_ method: Method, _ earlier: [Int]) -> Double {
      let (count, sum) = (earlier.count, earlier.reduce(0, +))
      let five = earlier.suffix(5)
      switch method {
      case .average: return Double(sum) / Double(count)
      case .lastFive: return Double(five.reduce(0, +)) / Double(five.count)
      case .shrunk: return (Double(sum) + 3 * mean) / Double(count + 3)
      case .model:
        return model.worth(model.prior(mean: mean, lastSeason: nil), games: count, sum: sum)
          + model.formShift(games: count, sum: sum, lastFive: five.reduce(0, +))
      }
    }
    var findings: [Finding] = []
    for method in Method.allCases {
      let errors = players.map { one in
        one.indices.dropFirst(earlier).map { index in
          let known = Array(one[..<index])
          return (forecast: forecast(method, known), games: known.count, seen: one[index])
        }
      }.filter { !$0.isEmpty }
      var finding = Finding()
      let all = errors.flatMap(\.self)
      finding.forecasts = all.count
      finding.squares = all.reduce(0) { $0 + ($1.forecast - Double($1.seen)) * ($1.forecast - Double($1.seen)) }
      let pooled = (finding.squares / Double(max(1, all.count))).squareRoot()
      func deviation(_ games: Int) -> Double {
        method == .model ? model.deviation(known: Double(games) + model.priorGames) : pooled
      }
      func mean(_ games: [(forecast: Double, games: Int, seen: Int)], _ value: (Double, Int, Double) -> Double)
        -> Double
      {
        games.reduce(0) { $0 + value($1.forecast, $1.games, Double($1.seen)) } / Double(games.count)
      }
      finding.absolute = errors.map { mean($0) { abs($0 - $2) } }
      finding.ranked = errors.map {
        mean($0) { RankedProbabilityScore.normal(mean: $0, deviation: deviation($1), observed: $2) }
      }
      finding.better = zip(findings.first?.ranked ?? finding.ranked, finding.ranked).map { $0 - $1 }
      finding.hundred = Reliability(
        all.map { one in
          let odds = GameOdds(mean: one.forecast, deviation: deviation(one.games), chance: 1)
          return ForecastGroup(forecast: odds.chance(of: 100), trials: 1, successes: one.seen >= 100 ? 1 : 0)
        })
      findings.append(finding)
    }
    return findings
  }
}
