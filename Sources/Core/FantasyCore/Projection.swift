// SPDX-License-Identifier: Apache-2.0

/// What moves a projection; each has a contribution, and they add up to the score.
public enum Factor: String, CaseIterable, Sendable {
  /// What players of the position score.
  case position
  /// The player's own average, as far as its games prove it.
  case average
  /// The last five games against the average.
  case form
  case venue, opponent, role, rest
  /// Regulars who are spared late in a season.
  case taper
  /// The chance not to play.
  case availability

  /// Those that a person may weigh; the position and the chance to play are no matters of taste.
  public static let weighable: [Factor] = [.average, .form, .venue, .opponent, .role, .rest, .taper]
}

/// How much a person cares about each factor, in whole numbers: only their proportions matter.
public struct FactorWeights: Hashable, Sendable {
  private var values: [Int]
  private let count: Int
  private let sum: Int

  /// All alike.
  public init() {
    (values, count, sum) = (Factor.weighable.map { _ in 1 }, Factor.weighable.count, Factor.weighable.count)
  }

  /// The weights of some factors, the others 1; 0 removes a factor.
  ///
  /// - Throws: `FantasyProblem` for a weight outside 0 to 1,000, for a factor that is not weighed, and where all are 0.
  public init(_ weights: [Factor: Int]) throws(FantasyProblem) {
    for factor in Factor.allCases {
      guard let weight = weights[factor] else { continue }
      guard Factor.weighable.contains(factor) else {
        let known = Factor.weighable.map(\.rawValue).joined(separator: ", ")
        throw FantasyProblem(field: "weights", found: "'\(factor.rawValue)'", expected: "one of \(known)")
      }
      guard (0...1000).contains(weight) else {
        throw FantasyProblem(field: "weights.\(factor.rawValue)", found: "\(weight)", expected: "0 to 1000")
      }
    }
    values = Factor.weighable.map { weights[$0] ?? 1 }
    (count, sum) = (values.count { $0 > 0 }, values.reduce(0, +))
    guard sum > 0 else {
      throw FantasyProblem(field: "weights", found: "0 for every factor", expected: "one above 0")
    }
  }

  /// A contribution by the weights: as it is where all are alike, and 0 for a weight of 0. Whole numbers, so that
  /// weights in the same proportions give the same.
  public func weighed(_ value: Int, _ factor: Factor) -> Int {
    guard let place = Factor.weighable.firstIndex(of: factor) else { return value }
    let part = value * values[place] * count
    // To the nearest, halves away from 0.
    return (2 * abs(part) + sum) / (2 * sum) * part.signum()
  }

  /// The weight of a factor as it was stated; 1 for what is not weighed.
  public subscript(factor: Factor) -> Int { Factor.weighable.firstIndex(of: factor).map { values[$0] } ?? 1 }
}

/// The numbers of the projection's model.
///
/// The score of a game is normal around what the player is worth, and that is normal around the mean of the position,
/// so the estimate is the average of the games shrunk towards that mean by `spread^2 / talent^2` games: three, with
/// a spread of 21 points within a player, over 50,358 games of 2010 to 2018.
public struct ProjectionModel: Hashable, Sendable {
  /// The name of the model with which a recommendation was made.
  public var version = "1"
  /// How far the games of a player spread: standard deviation, in points.
  public var spread = 21.0
  /// How far the players of a position spread: standard deviation, in points.
  public var talent = 12.1
  /// What players of a position score on average, in points.
  public var means: [Position: Double] = [.defender: 72, .midfielder: 85, .ruck: 78, .forward: 68]
  /// The part of the difference of the last five games to the average that lasts.
  public var form = 0.1
  /// Points for each day of rest beyond six, or short of it; at most three days count.
  public var restDay = 0.5
  /// The part of its projection that a regular loses on average in each of the last `taperRounds`.
  public var taper = 0.01
  /// The last rounds in which regulars are rested.
  public var taperRounds = 3
  /// How many games of this season the average of the one before counts for.
  public var carried = 5.0
  /// The chance of an injury in a game, and how many rounds one lasts on average.
  public var injuries = 0.03
  /// The rounds that an injury lasts, on average.
  public var injuryRounds = 3.5
  /// The chance that a fit player is withdrawn from a game.
  public var withdrawals = 0.02

  /// The model of the documentation, with its default values.
  public init() {}

  /// The chance that a player who is fit now plays so many rounds later: 1 for the coming round, of which the player's
  /// own chance is known; later there may have been injuries.
  @inlinable public func staying(_ rounds: Int) -> Double {
    rounds <= 0 ? 1 : max(0, 1 - withdrawals - injuries * min(Double(rounds), injuryRounds))
  }

  /// How many games the mean of the position counts for.
  @inlinable public var priorGames: Double { spread * spread / (talent * talent) }

  /// What is known of a player before a season: the mean of the position, and the average of the season before where
  /// there is one, as a mean in points and how many games it counts for.
  @inlinable public func prior(mean: Double, lastSeason: Double?) -> (mean: Double, games: Double) {
    let own = priorGames
    guard let lastSeason else { return (mean, own) }
    return ((own * mean + carried * lastSeason) / (own + carried), own + carried)
  }

  /// What so many games of a sum prove of a player, in points a game.
  @inlinable public func worth(_ prior: (mean: Double, games: Double), games: Int, sum: Int) -> Double {
    (Double(sum) + prior.games * prior.mean) / (Double(games) + prior.games)
  }

  /// How far a game of a player is from its projection, as a deviation in points; `known` is how many games it rests
  /// on, those that the prior counts for among them.
  @inlinable public func deviation(known: Double) -> Double { spread * (1 + 1 / known).squareRoot() }

  /// The variance of the points of several rounds: each game spreads by itself, but what the player is worth is one
  /// number, and an injury takes several games at once. `played` is how many games are expected, `mean` what one is
  /// worth, `chance` that of playing the coming round; `known` as for a game.
  @inlinable public func variance(known: Double, played: Double, mean: Double, chance: Double) -> Double {
    let own = spread * spread
    let worth = own / known
    // None is longer than what is left. Injuries are rare and long, so that the sum is not normal: with half of their
    // variance the chances of trades come true in 'fantasy season'.
    let length = min(injuryRounds, played / 2)
    let absences = played * (injuries * 0.5 * length * length + withdrawals) + chance * (1 - chance)
    return played * own + played * played * worth + absences * mean * mean
  }

  /// The part of the last five games' difference to the average of so many that is added: none before five games.
  @inlinable public func formShift(games: Int, sum: Int, lastFive: Int) -> Double {
    games < 6 ? 0 : form * (Double(lastFive) / 5 - Double(sum) / Double(games))
  }
}

/// A player's score in a round, as a distribution: a game is normal, and may not be played. Who does not play scores 0.
@frozen
public struct GameOdds: Hashable, Sendable {
  /// The mean score of a game that is played, in points.
  public var mean: Double
  /// The deviation of such a game, in points, above 0.
  public var deviation: Double
  /// The chance to play.
  public var chance: Double

  /// A projection with a mean, a standard deviation and a chance to play.
  @inlinable public init(mean: Double, deviation: Double, chance: Double) {
    (self.mean, self.deviation, self.chance) = (mean, deviation, chance)
  }

  /// The chance of so many points or more.
  @inlinable public func chance(of points: Int) -> Double {
    chance * Normal.below((mean - Double(points) + 0.5) / deviation) + (points <= 0 ? 1 - chance : 0)
  }

  /// The chance to score no less than another; scores are whole points.
  @inlinable public func chance(against other: GameOdds) -> Double {
    let both = Normal.below(
      (mean - other.mean + 0.5) / (deviation * deviation + other.deviation * other.deviation).squareRoot())
    guard chance < 1 || other.chance < 1 else { return both }
    let alone = Normal.below((mean + 0.5) / deviation)
    let absent = Normal.below((0.5 - other.mean) / other.deviation)
    return chance * (other.chance * both + (1 - other.chance) * alone)
      + (1 - chance) * (other.chance * absent + 1 - other.chance)
  }
}

/// What a player is expected to score in a round, and why.
public struct Projection: Hashable, Sendable {
  /// Contributions in hundredths of a point, by `Factor.allCases`; their sum is `score`.
  public var contributions: [Int]
  /// What each rests on.
  public var evidence: [String]
  /// The distribution of the score.
  public var odds: GameOdds
  /// How many games it rests on.
  public var games: Int
  /// The same, with those that the position's mean and the season before count for.
  public var known: Double

  /// The expected score, in hundredths of a point: what players are ranked by.
  public var score: Int { contributions.reduce(0, +) }
  /// The same in points.
  public var expected: Double { Double(score) / 100 }
  /// Whether it rests on no game of the season.
  public var isPrior: Bool { games == 0 }
}

/// Projections of a team's league.
public struct Projector: Sendable {
  /// The team and its league.
  public let team: FantasyTeam
  /// The model that makes the projections.
  public let model: ProjectionModel
  /// The owner's weights of the factors.
  public let weights: FactorWeights
  private let games: [String: Fixture]
  private let clubs: [String: Club]

  /// Projects the players of a team, with a model and weights.
  public init(_ team: FantasyTeam, model: ProjectionModel = ProjectionModel(), weights: FactorWeights = FactorWeights())
  {
    (self.team, self.model, self.weights) = (team, model, weights)
    let sides = team.fixtures.flatMap { game in [game.home, game.away].map { ("\(game.round) \($0)", game) } }
    games = Dictionary(sides) { first, _ in first }
    clubs = Dictionary(team.clubs.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The game of a club in a round; `nil` where it has a bye.
  public func fixture(of club: String, in round: Int) -> Fixture? { games["\(round) \(club)"] }

  /// The position for which a player is projected: the first that is given.
  private static func position(of player: Player) -> Position { player.positions.first ?? .midfielder }

  /// The player's score in a round.
  public func projection(of player: Player, in round: Int) -> Projection {
    let latest = player.latest
    let (count, sum) = (latest.count, latest.reduce(0, +))
    let position = Self.position(of: player)
    let base = model.means[position] ?? 75
    let prior = model.prior(mean: base, lastSeason: player.lastSeason)
    let worth = model.worth(prior, games: count, sum: sum)
    let fixture = fixture(of: player.club, in: round)
    let form = model.formShift(games: count, sum: sum, lastFive: latest.prefix(5).reduce(0, +))
    let venue = fixture.flatMap { player.venues[$0.venue] } ?? 0
    let rival = fixture.map { $0.opponent(of: player.club) }
    let conceded = rival.flatMap { clubs[$0]?.concedes[position] } ?? 0
    let earlier = self.fixture(of: player.club, in: round - 1)
    let days = fixture.flatMap { game in earlier.map { game.day - $0.day } }
    let rest = days.map { model.restDay * Double(min(3, max(-3, $0 - 6))) } ?? 0
    let isLate = round > team.rounds - model.taperRounds && count * 2 >= round
    let taper = isLate ? -model.taper * max(0, worth) : 0
    func share(_ part: Double) -> Int { Int((part * 100).rounded()) }
    let parts: [(Factor, Int, String)] = [
      (.position, share(base), "\(position.rawValue) average \(Self.tenths(base))"),
      (
        .average, share(worth - base),
        (count == 0 ? "no game yet" : "\(count) games at \(Self.tenths(Double(sum) / Double(count)))")
          + (player.lastSeason.map { ", last season \(Self.tenths($0))" }
            ?? (count == 0 ? ": the position's average" : ""))
      ),
      (
        .form, share(form),
        count < 6 ? "fewer than six games" : "last five at \(Self.tenths(Double(latest.prefix(5).reduce(0, +)) / 5))"
      ),
      (.venue, venue * 100, fixture.map { $0.venue } ?? "no game"),
      (.opponent, conceded * 100, rival.map { "against \($0)" } ?? "no game"),
      (.role, player.roleChange * 100, player.roleChange == 0 ? "role as before" : "new role"),
      (.rest, share(rest), days.map { "\($0) days of rest" } ?? "rest not known"),
      (.taper, share(taper), isLate ? "regulars are spared late" : "not late in the season"),
    ]
    var contributions = parts.map { weights.weighed($0.1, $0.0) }
    let playing = contributions.reduce(0, +)
    let chance =
      fixture == nil
      ? 0
      : player.availability.chance(in: round, now: team.round)
        * model.staying(round - player.availability.since(team.round))
    contributions.append(share(chance * Double(max(0, playing)) / 100) - playing)
    let known = Double(count) + prior.games
    let reason = fixture == nil ? "bye" : "plays with \(Int((chance * 100).rounded()))%"
    return Projection(
      contributions: contributions, evidence: parts.map(\.2) + [reason],
      odds: GameOdds(mean: Double(playing) / 100, deviation: model.deviation(known: known), chance: chance),
      games: count, known: known)
  }

  private static func tenths(_ value: Double) -> String {
    let whole = Int((value * 10).rounded())
    return "\(whole < 0 ? "-" : "")\(abs(whole) / 10).\(abs(whole) % 10)"
  }
}
