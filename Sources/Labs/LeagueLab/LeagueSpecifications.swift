// SPDX-License-Identifier: GPL-3.0-or-later
internal import GSLDistributions
internal import LeagueCore
internal import PropertyTesting

struct Standings: Sendable, CustomStringConvertible {
  let teams: [Team]

  /// Creates teams with ids in no order; a team without a name is called by the letter of its position.
  init(_ seasons: [(name: String?, season: SeasonRecord)]) {
    teams = seasons.enumerated().map { position, team in
      let letter = Unicode.Scalar(UInt8(65 + position % 26))
      return Team(id: (position * 37 + 5) % 101, name: team.name ?? String(letter), season: team.season)
    }
  }

  var records: [SeasonRecord] { teams.map(\.season) }

  var description: String { teams.isEmpty ? "no teams" : teams.map(\.line).joined(separator: "; ") }

  /// Leagues of any kind; the simplest has no teams.
  static func any() -> Gen<Standings> {
    .oneOf(adversarial(), twins(), SeasonPlan.ofWholePoints().map { try $0.standings() })
  }

  /// Leagues without games behind them: any records, any points, any names.
  static func adversarial(count: ClosedRange<Int> = 0...8) -> Gen<Standings> {
    let team = zip(optionalNames, seasons).map { (name: $0, season: $1) }
    return Gen.arrays(of: team, count: count).map(Standings.init)
  }

  /// Leagues without strange names or huge numbers, for examples that people read.
  static func ordinary(count: ClosedRange<Int>) -> Gen<Standings> {
    let team = season(games: .integers(in: 0...9), points: wholePoints).map { (name: String?.none, season: $0) }
    return Gen.arrays(of: team, count: count).map(Standings.init)
  }

  /// Leagues in which most teams have the record of another team.
  private static func twins() -> Gen<Standings> {
    let team = zip(optionalNames, Gen<Int>.integers(in: 0...2))
    return zip(Gen.arrays(of: seasons, count: 3), Gen.arrays(of: team, count: 0...8)).map { seasons, teams in
      Standings(teams.map { (name: $0, season: seasons[$1]) })
    }
  }

  /// No name, or any: empty, emoji, right-to-left, or with control characters.
  private static let optionalNames: Gen<String?> = .optionals(of: .strings(of: .mixed, count: 0...6))

  /// Any name, often the simplest.
  static let names: Gen<String> = optionalNames.map { $0 ?? "A" }

  /// Records: most are realistic, some at the limits of a record.
  static let seasons: Gen<SeasonRecord> = .oneOf(
    season(games: .integers(in: 0...9), points: wholePoints),
    season(games: .integers(in: 0...333_333), points: anyPoints))

  private static let wholePoints = Gen<Int>.integers(in: -9...200).map { try Points(thousandths: $0 * 1000) }

  private static let anyPoints = Gen<Int>.integers(in: -Points.maxThousandths...Points.maxThousandths).map {
    try Points(thousandths: $0)
  }

  private static func season(games: Gen<Int>, points: Gen<Points>) -> Gen<SeasonRecord> {
    Gen { draws in
      try SeasonRecord(
        wins: draws.draw(games), losses: draws.draw(games), ties: draws.draw(games), pointsFor: draws.draw(points),
        pointsAgainst: draws.draw(points))
    }
  }
}

extension Team {
  /// The team as standings print it: wins-losses-ties, points scored : points conceded.
  var line: String {
    let games = "\(season.wins)-\(season.losses)" + (season.ties > 0 ? "-\(season.ties)" : "")
    return "\(name.debugDescription) \(games), \(season.pointsFor) : \(season.pointsAgainst)"
  }
}

extension SeasonRecord {
  func with(_ change: (Points) throws -> Points) throws -> SeasonRecord {
    try SeasonRecord(
      wins: wins, losses: losses, ties: ties, pointsFor: change(pointsFor), pointsAgainst: change(pointsAgainst),
      streak: streak)
  }
}

/// A realistic season: a round robin in which each team scores around its strength.
///
/// Records come from the games, so that wins balance losses and points for balance points against by construction.
struct SeasonPlan: Sendable, CustomStringConvertible {
  /// The deviations of both teams' points from their strengths, and whether the game is made a tie.
  struct Game: Sendable {
    let first: Int
    let second: Int
    let isLevel: Bool
  }

  let strengths: [Int]
  /// The games of each week, in the order of the schedule.
  let weeks: [[Game]]
  /// The unit of the numbers, in thousandths of a point.
  let unit: Int

  /// Each game's week, from 1, its two teams, and their points.
  var results: [(week: Int, first: Int, second: Int, points: (Int, Int))] {
    let schedule = Self.schedules[strengths.count]
    return weeks.enumerated().flatMap { week, games in
      zip(schedule.games(in: week), games).map { pairing, game in
        let points = strengths[pairing.first] + game.first
        let other = game.isLevel ? points : strengths[pairing.second] + game.second
        return (week + 1, pairing.first, pairing.second, (points, other))
      }
    }
  }

  var description: String {
    let games = results.map { "\($0.first) v \($0.second) \($0.points.0):\($0.points.1)" }
    return "\(strengths.count) teams" + (games.isEmpty ? ", no games" : ": " + games.joined(separator: ", "))
  }

  /// The teams' records after the season; `add` adds a game to a record.
  func records(
    add: (inout SeasonRecord, Points, Points) throws -> Void = LeagueOperations.shipping.add
  ) throws -> [SeasonRecord] {
    var records = strengths.map { _ in SeasonRecord() }
    for result in results {
      let (points, other) = (try points(result.points.0), try points(result.points.1))
      try add(&records[result.first], points, other)
      try add(&records[result.second], other, points)
    }
    return records
  }

  func points(_ count: Int) throws -> Points { try Points(thousandths: count * unit) }

  func standings() throws -> Standings { Standings(try records().map { (name: nil, season: $0) }) }

  private static let schedules = (0...12).map { RoundRobin(teams: $0) }

  /// Seasons of two to twelve teams, with a bye a week if the number is odd; the simplest has no games yet.
  static func any() -> Gen<SeasonPlan> { Gen<Int>.integers(in: 2...12).flatMap { any(teams: $0) } }

  /// Seasons with whole points only.
  static func ofWholePoints() -> Gen<SeasonPlan> { Gen<Int>.integers(in: 2...12).flatMap { wholePoints[$0] } }

  /// Seasons of a number of teams, at most twelve.
  static func any(teams: Int) -> Gen<SeasonPlan> { .oneOf(wholePoints[teams], realistic[teams]) }

  private static let wholePoints = plans(
    strength: .integers(in: 50...130, towards: 100), spread: .integers(in: -60...60),
    isLevel: Gen<Int>.integers(in: 0...19).map { $0 == 19 }, unit: 1000)

  /// Seasons as the simulation plays them: normally distributed scores around strengths, rounded to hundredths; one
  /// game in fifty is made a tie.
  private static let realistic = {
    let shape = LeagueShape()
    let hundredths = { (mean: Double, deviation: Double) in
      Gen<Double>.gaussians(mean: mean, deviation: deviation).map { Int(($0 * 100).rounded()) }
    }
    return plans(
      strength: hundredths(shape.meanScore, shape.strengthDeviation), spread: hundredths(0, shape.scoreDeviation),
      isLevel: .oneOf(weighted: [(49, .just(false)), (1, .just(true))]), unit: 10)
  }()

  /// Generators by the number of teams.
  private static func plans(
    strength: Gen<Int>, spread: Gen<Int>, isLevel: Gen<Bool>, unit: Int
  ) -> [Gen<SeasonPlan>] {
    let game = zip(spread, spread, isLevel).map { Game(first: $0, second: $1, isLevel: $2) }
    return (0...12).map { teams in
      zip(
        Gen.arrays(of: strength, count: teams),
        Gen.arrays(of: Gen.arrays(of: game, count: teams / 2), count: 0...14)
      ).map { SeasonPlan(strengths: $0, weeks: $1, unit: unit) }
    }
  }
}

/// The scores of a league by exact rational arithmetic: the reference for the core's scores.
///
/// Ten times the score, 6 wins / games + 3 PF / max PF + 1 - PA / max PA, is written over the common denominator
/// (2 games) (max PF) (max PA). Games are at most 10^6 and points at most 10^11 thousandths, so a numerator is below
/// 2 * 10^29, and below 4 * 10^35 < 2^127 when two teams' scores are brought to one denominator.
struct ScoreSpecification {
  private let indices: [Int: Int]
  private let numerators: [Int128]
  /// Twice the games played; 1 without games.
  private let games: [Int128]
  /// Ten times the largest points scored times the largest conceded, each at least 1.
  private let scale: Int128

  init(_ teams: [Team]) {
    let records = teams.map(\.season)
    indices = Dictionary(teams.enumerated().map { ($1.id, $0) }) { first, _ in first }
    let maxScored = Self.maximum(records.map(\.pointsFor))
    let maxConceded = Self.maximum(records.map(\.pointsAgainst))
    scale = 10 * maxScored * maxConceded
    let games = records.map { max(1, Int128(2 * $0.games)) }
    numerators = zip(records, games).map { record, games in
      let wins = Int128(2 * record.wins + record.ties)
      let scored = max(0, Int128(record.pointsFor.thousandths))
      let conceded = max(0, Int128(record.pointsAgainst.thousandths))
      return 6 * wins * maxScored * maxConceded + 3 * scored * games * maxConceded
        + (maxConceded - conceded) * maxScored * games
    }
    self.games = games
  }

  private static func maximum(_ points: [Points]) -> Int128 { max(1, Int128(points.map(\.thousandths).max() ?? 0)) }

  private func isLower(_ team: Int, than other: Int) -> Bool {
    numerators[team] * games[other] < numerators[other] * games[team]
  }

  /// The score as a `Double`, within a few units of its last place.
  func value(of team: Team) -> Double {
    let index = indices[team.id, default: 0]
    return Double(numerators[index]) / Double(games[index] * scale)
  }

  /// One plus the number of teams with a higher score.
  func rank(of team: Team) -> Int {
    let index = indices[team.id, default: 0]
    return 1 + numerators.indices.count { isLower(index, than: $0) }
  }
}

/// A team's record after a season, counted from the whole list of its games.
struct SeasonSpecification {
  private let team: Int
  private let unit: Int
  /// The team's points and its opponent's, game by game.
  private let games: [(own: Int, other: Int)]

  init(_ season: SeasonPlan, team: Int) {
    (self.team, unit) = (team, season.unit)
    games = season.results.compactMap { result in
      if result.first == team { return result.points }
      return result.second == team ? (result.points.1, result.points.0) : nil
    }
  }

  func check(_ record: SeasonRecord) throws {
    let counted = [record.wins, record.losses, record.ties]
    let outcomes = games.map { ($0.own - $0.other).signum() }
    let expected = [1, -1, 0].map { sign in outcomes.count { $0 == sign } }
    try require(counted == expected, "team \(team) is \(counted), not \(expected)")
    let points = [record.pointsFor.thousandths, record.pointsAgainst.thousandths]
    let sums = [games.reduce(0) { $0 + $1.own * unit }, games.reduce(0) { $0 + $1.other * unit }]
    try require(points == sums, "team \(team) has \(record.pointsFor) : \(record.pointsAgainst)")
    let length = outcomes.reversed().prefix { $0 == outcomes.last }.count
    let streak = outcomes.last.map { ["L", "T", "W"][$0 + 1] + "\(length)" }
    try require(
      record.streak?.description == streak,
      "team \(team) is on \(record.streak?.description ?? "no streak"), not \(streak ?? "any")")
  }
}
