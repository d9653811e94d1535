// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore

/// A team with its place, as far as the properties look at it.
struct Placed: Equatable, Sendable {
  let rank: Int
  let team: TeamRecord
  let score: Double
  /// What the terms of the formula add to the score.
  let parts: [Double]
}

/// A team with the numbers that a service sends, sound or not.
struct SentTeam: Sendable, CustomStringConvertible {
  let name: String
  let wins: Int
  let losses: Int
  let ties: Int
  let pointsFor: Double
  let pointsAgainst: Double

  var description: String { "\(name.debugDescription) \(wins)-\(losses)-\(ties), \(pointsFor) : \(pointsAgainst)" }
}

/// What the properties ask of the code on trial: the core's own functions, or those of a broken variant.
struct LeagueOperations: Sendable {
  /// The ranking of a league, best first.
  var rank: @Sendable ([TeamRecord]) throws -> [Placed] = { teams in
    try PowerRanking(teams).teams.map(Placed.init)
  }
  /// The ranks of several leagues, one after the other with one ranker, in the order their teams come in.
  var ranksInTurn: @Sendable ([[SeasonRecord]]) -> [[Int]] = { leagues in
    var ranker = PowerRanker()
    return leagues.map { league in
      ranker.rank(league)
      return ranker.ranks
    }
  }
  /// The team of a service's numbers.
  var team: @Sendable (SentTeam) throws -> TeamRecord = { sent in
    try TeamRecord(
      id: 1, name: sent.name, wins: sent.wins, losses: sent.losses, ties: sent.ties, pointsFor: sent.pointsFor,
      pointsAgainst: sent.pointsAgainst)
  }
  /// Adds a game to a record: the own points and the opponent's.
  var add: @Sendable (inout SeasonRecord, Points, Points) throws -> Void = { try $0.add(pointsFor: $1, against: $2) }
  /// The points that a number means.
  var points: @Sendable (Double) throws -> Points = { try Points($0) }

  /// The code that ships.
  static let shipping = LeagueOperations()
}

extension Placed {
  init(_ ranked: RankedTeam) {
    self.init(
      rank: ranked.rank, team: ranked.team, score: ranked.score.value, parts: ranked.score.explanation.map(\.value))
  }
}
