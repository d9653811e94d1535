// SPDX-License-Identifier: Apache-2.0

/// A team with its place in the power ranking.
public struct RankedTeam: Equatable, Sendable {
  /// The rank from 1; teams with equal scores share it, and the next ranks are left out: 1, 2, 2, 4.
  public let rank: Int
  /// The team.
  public let team: TeamRecord
  /// Its score, which can explain itself.
  public let score: PowerScore

  /// A team at a rank.
  public init(rank: Int, team: TeamRecord, score: PowerScore) {
    (self.rank, self.team, self.score) = (rank, team, score)
  }
}

/// The power ranking of a league: its teams by descending score.
///
/// It depends on the set of teams alone, to the bit: the order they come in does not matter. Teams that share a rank
/// stand in the order of their names (by Unicode scalars, so the same in every country), then of their ids.
public struct PowerRanking: Equatable, Sendable {
  /// The teams, best first.
  public let teams: [RankedTeam]

  /// The ranking of a league.
  ///
  /// - Parameters:
  ///   - teams: Its teams, in any order; none at all make an empty ranking.
  ///   - weights: What the parts of a score weigh; the product's unless others are wanted.
  /// - Throws: `duplicateTeam` for two teams with one id.
  /// - Complexity: O(n log n) for n teams.
  public init(_ teams: [TeamRecord], weights: PowerWeights = .standard) throws(LeagueError) {
    let maxima = LeagueMaxima(of: teams.map(\.season))
    try self.init(teams.map { ($0, PowerScore(of: $0.season, among: maxima, weights: weights)) })
  }

  /// The ranking of teams that have their scores already.
  ///
  /// - Parameter scored: Teams with their scores, in any order.
  /// - Throws: `duplicateTeam` for two teams with one id.
  /// - Complexity: O(n log n) for n teams.
  public init(_ scored: [(team: TeamRecord, score: PowerScore)]) throws(LeagueError) {
    try Self.requireDistinctIDs(scored.map(\.team))
    var ranker = PowerRanker()
    ranker.rank(scored.map(\.score))
    teams = zip(ranker.ranks, scored)
      .map { RankedTeam(rank: $0, team: $1.team, score: $1.score) }
      .sorted { Self.standsBefore($0, $1) }
  }

  /// By rank; within a rank by name, then by id.
  static func standsBefore(_ left: RankedTeam, _ right: RankedTeam) -> Bool {
    (left.rank, left.team.name, left.team.id) < (right.rank, right.team.name, right.team.id)
  }

  /// Names the pair with the smallest shared id, its teams in the order of their names: the error does not depend on
  /// the order of the teams either.
  static func requireDistinctIDs(_ teams: [TeamRecord]) throws(LeagueError) {
    let sorted = teams.sorted { ($0.id, $0.name) < ($1.id, $1.name) }
    for (first, second) in zip(sorted, sorted.dropFirst()) where first.id == second.id {
      throw .duplicateTeam(id: first.id, first: first.name, second: second.name)
    }
  }
}
