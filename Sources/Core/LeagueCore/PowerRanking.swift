// SPDX-License-Identifier: Apache-2.0

/// A team with its place in the power ranking.
public struct RankedTeam: Equatable, Sendable {
  /// The rank from 1; teams with equal scores share it, and the next ranks are left out: 1, 2, 2, 4.
  public let rank: Int
  /// The team.
  public let team: Team
  /// Its score, which can explain itself.
  public let score: PowerScore
}

/// The power ranking of a league: its teams by descending score.
///
/// It depends on the set of teams alone, to the bit: the order they come in does not matter. Teams that share a rank
/// stand in the order of their names (by Unicode scalars, so the same in every country), then of their ids.
public struct PowerRanking: Equatable, Sendable {
  /// The teams, best first.
  public let teams: [RankedTeam]

  /// The ranking of a league's teams, in any order; without teams it is empty.
  ///
  /// - Throws: `duplicateTeam` for two teams with one id.
  /// - Complexity: O(n log n) for n teams.
  public init(_ teams: [Team], weights: PowerWeights = .standard) throws(LeagueError) {
    let maxima = LeagueMaxima(of: teams.map(\.season))
    try self.init(teams.map { ($0, PowerScore(of: $0.season, among: maxima, weights: weights)) })
  }

  /// The ranking of teams that have their scores already, in any order.
  ///
  /// - Throws: `duplicateTeam` for two teams with one id.
  /// - Complexity: O(n log n) for n teams.
  public init(_ scored: [(team: Team, score: PowerScore)]) throws(LeagueError) {
    try Self.requireDistinctIDs(scored.map(\.team))
    var ranker = PowerRanker()
    ranker.rank(scored.map(\.score))
    teams = zip(ranker.ranks, scored)
      .map { RankedTeam(rank: $0, team: $1.team, score: $1.score) }
      .sorted { ($0.rank, $0.team.name, $0.team.id) < ($1.rank, $1.team.name, $1.team.id) }
  }

  /// Names the pair with the smallest shared id, its teams in the order of their names: the error does not depend on
  /// the order of the teams either.
  private static func requireDistinctIDs(_ teams: [Team]) throws(LeagueError) {
    let sorted = teams.sorted { ($0.id, $0.name) < ($1.id, $1.name) }
    for (first, second) in zip(sorted, sorted.dropFirst()) where first.id == second.id {
      throw .duplicateTeam(id: first.id, first: first.name, second: second.name)
    }
  }
}

/// Scores and ranks records again and again in memory of its own, so that a loop over seasons allocates nothing.
///
/// It sees neither names nor ids, so it can only say which rank each record has; `PowerRanking` puts teams in order.
public struct PowerRanker: Sendable {
  /// The weights of a score's parts.
  public let weights: PowerWeights
  /// The scores of the records ranked last, in the order they came in.
  public private(set) var scores: [PowerScore] = []
  /// Their ranks, from 1: one more than there are better scores, so that equal scores share a rank (1, 2, 2, 4).
  public private(set) var ranks: [Int] = []
  private var order: [Int] = []

  /// A ranker with the product's weights, unless others are given.
  public init(weights: PowerWeights = .standard) { self.weights = weights }

  /// Ranks the records of a league, in any order; sets `scores` and `ranks`.
  ///
  /// - Complexity: O(n log n) for n teams.
  public mutating func rank(_ records: [SeasonRecord]) {
    let maxima = LeagueMaxima(of: records)
    scores.removeAll(keepingCapacity: true)
    for record in records { scores.append(PowerScore(of: record, among: maxima, weights: weights)) }
    shareRanks()
  }

  /// Ranks scores that come from elsewhere.
  mutating func rank(_ scores: [PowerScore]) {
    self.scores = scores
    shareRanks()
  }

  private mutating func shareRanks() {
    let scores = scores
    // Ranks do not depend on the order to begin with, and the last ranking's is nearly the new one.
    if order.count != scores.count {
      order = Array(scores.indices)
      ranks = order
    }
    order.sort { scores[$0] > scores[$1] }
    for (place, team) in order.enumerated() {
      let isShared = place > 0 && scores[order[place - 1]] == scores[team]
      ranks[team] = isShared ? ranks[order[place - 1]] : place + 1
    }
  }
}
