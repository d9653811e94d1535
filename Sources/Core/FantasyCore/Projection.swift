// SPDX-License-Identifier: Apache-2.0

/// The factors of a projection; the score is the sum of their contributions.
public enum Factor: String, CaseIterable, Sendable {
  /// The average score of the position.
  case position
  /// The player's own average, shrunk by its number of games.
  case average
  /// The last five games against the average.
  case form
  case venue, opponent, role, rest
  /// The loss of regular players who are rested late in a season.
  case taper
  /// The chance not to play.
  case availability

  /// Factors that a person may weigh; the position and the chance to play are not weighed.
  public static let weighable: [Factor] = [.average, .form, .venue, .opponent, .role, .rest, .taper]
}

/// A person's weights of the factors, as integers: only their proportions matter.
public struct FactorWeights: Hashable, Sendable {
  private var values: [Int]
  private let count: Int
  private let sum: Int

  /// Equal weights.
  public init() {
    (values, count, sum) = (Factor.weighable.map { _ in 1 }, Factor.weighable.count, Factor.weighable.count)
  }

  /// The weights of some factors; the others are 1, and 0 removes a factor.
  ///
  /// - Throws: `FantasyProblem` for a weight outside 0 to 1,000, for a factor that is not weighed, and if all are 0.
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

  /// A contribution scaled by the weights: unchanged for equal weights, and 0 for a weight of 0. Integer arithmetic
  /// gives equal results for weights in the same proportions.
  public func weighed(_ value: Int, _ factor: Factor) -> Int {
    guard let index = Factor.weighable.firstIndex(of: factor) else { return value }
    let part = value * values[index] * count
    // To the nearest, halves away from 0.
    return (2 * abs(part) + sum) / (2 * sum) * part.signum()
  }

  /// The weight of a factor as given; 1 for a factor that is not weighed.
  public subscript(factor: Factor) -> Int { Factor.weighable.firstIndex(of: factor).map { values[$0] } ?? 1 }
}

/// The parameters of the projection's model.
///
/// The score of a game is normal around the player's worth, which is normal around the mean of the position. The
/// estimate is therefore the average of the games shrunk towards that mean by `spread^2 / talent^2` games: three, with
/// a spread of 21 points within a player, over 50,358 games of 2010 to 2018.
public struct ProjectionModel: Hashable, Sendable {
  /// The version of the model, recorded with its recommendations.
  public var version = "1"
  /// Standard deviation of the games of one player, in points.
  public var spread = 21.0
  /// Standard deviation of the worth of the players of a position, in points.
  public var talent = 12.1
  /// The average score of the players of a position, in points.
  public var means: [Position: Double] = [.defender: 72, .midfielder: 85, .ruck: 78, .forward: 68]
  /// The part of the difference between the last five games and the average that persists.
  public var form = 0.1
  /// Points for each day of rest above or below six; at most three days count.
  public var restDay = 0.5
  /// The part of the projection that a regular player loses on average in each of the last `taperRounds`.
  public var taper = 0.01
  /// The number of last rounds in which regular players are rested.
  public var taperRounds = 3
  /// The weight of the previous season's average, in games of this season.
  public var carried = 5.0
  /// The chance of an injury in a game.
  public var injuries = 0.03
  /// The rounds that an injury lasts, on average.
  public var injuryRounds = 3.5
  /// The chance that a fit player is withdrawn from a game.
  public var withdrawals = 0.02

  /// The documented model with its default values.
  public init() {}

  /// The chance that a player who is fit now plays in a later round: 1 for the coming round, whose chance the player's
  /// availability gives; later rounds allow for injuries and withdrawals.
  @inlinable public func staying(_ rounds: Int) -> Double {
    rounds <= 0 ? 1 : max(0, 1 - withdrawals - injuries * min(Double(rounds), injuryRounds))
  }

  /// The weight of the position's mean, in games.
  @inlinable public var priorGames: Double { spread * spread / (talent * talent) }

  /// The prior of a player's worth: the position's mean, combined with the previous season's average if there is one;
  /// as a mean in points and a weight in games.
  @inlinable public func prior(mean: Double, lastSeason: Double?) -> (mean: Double, games: Double) {
    let own = priorGames
    guard let lastSeason else { return (mean, own) }
    return ((own * mean + carried * lastSeason) / (own + carried), own + carried)
  }

  /// The posterior mean of a player's worth after a number of games with a sum of scores, in points a game.
  @inlinable public func worth(_ prior: (mean: Double, games: Double), games: Int, sum: Int) -> Double {
    (Double(sum) + prior.games * prior.mean) / (Double(games) + prior.games)
  }

  /// The standard deviation of a game's score around its projection, in points; `known` is the number of games that it
  /// is estimated from, including the weight of the prior.
  @inlinable public func deviation(known: Double) -> Double { spread * (1 + 1 / known).squareRoot() }

  /// The variance of the points of several rounds: games are independent, but they share the player's worth, and an
  /// injury takes several games at once. `played` is the expected number of games, `mean` the worth of a game, `chance`
  /// the chance to play in the coming round; `known` as for a game.
  @inlinable public func variance(known: Double, played: Double, mean: Double, chance: Double) -> Double {
    let own = spread * spread
    let worth = own / known
    // An injury is cut at half of the games left. Injuries are rare and long, so the sum is not normal: with half of
    // their variance the chances of trades are calibrated in 'fantasy season'.
    let length = min(injuryRounds, played / 2)
    let absences = played * (injuries * 0.5 * length * length + withdrawals) + chance * (1 - chance)
    return played * own + played * played * worth + absences * mean * mean
  }

  /// The part of the last five games' difference to the average that is added; 0 before the sixth game.
  @inlinable public func formShift(games: Int, sum: Int, lastFive: Int) -> Double {
    games < 6 ? 0 : form * (Double(lastFive) / 5 - Double(sum) / Double(games))
  }
}

/// The distribution of a player's score in a round: normal if the player plays, else 0.
@frozen
public struct GameOdds: Hashable, Sendable {
  /// The mean score if the player plays, in points.
  public var mean: Double
  /// The standard deviation if the player plays, in points, above 0.
  public var deviation: Double
  /// The chance to play.
  public var chance: Double

  /// A distribution with a mean, a standard deviation and a chance to play.
  @inlinable public init(mean: Double, deviation: Double, chance: Double) {
    (self.mean, self.deviation, self.chance) = (mean, deviation, chance)
  }

  /// The probability of a score of at least `points`.
  @inlinable public func chance(of points: Int) -> Double {
    chance * Normal.below((mean - Double(points) + 0.5) / deviation) + (points <= 0 ? 1 - chance : 0)
  }

  /// The probability to score at least as much as another player; scores are integers.
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

/// A player's expected score in a round, with its contributions.
public struct Projection: Hashable, Sendable {
  /// Contributions in hundredths of a point, by `Factor.allCases`; their sum is `score`.
  public var contributions: [Int]
  /// The evidence for each contribution, as text.
  public var evidence: [String]
  /// The distribution of the score.
  public var odds: GameOdds
  /// The number of games of the season that it is estimated from.
  public var games: Int
  /// The number of games including the weight of the prior.
  public var known: Double

  /// The expected score in hundredths of a point, by which players are ranked.
  public var score: Int { contributions.reduce(0, +) }
  /// The expected score in points.
  public var expected: Double { Double(score) / 100 }
  /// True if the player has no game in the season.
  public var isPrior: Bool { games == 0 }
}

/// Projects the players of a team's league.
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

  /// The game of a club in a round; `nil` on a bye.
  public func fixture(of club: String, in round: Int) -> Fixture? { games["\(round) \(club)"] }

  /// The position for which a player is projected: the first in the list.
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
