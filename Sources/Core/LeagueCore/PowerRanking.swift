// SPDX-License-Identifier: Apache-2.0

/// A team with its place in the power ranking.
public struct RankedTeam: Equatable, Sendable {
  /// The rank from 1; teams with equal scores share a rank, and the next ranks are skipped: 1, 2, 2, 4.
  public let rank: Int
  /// The team.
  public let team: Team
  /// Its score, with an explanation of its parts.
  public let score: PowerScore
}

/// The power ranking of a league: its teams by descending score.
///
/// It depends, to the bit, only on the set of teams, not on their order. Teams that share a rank are sorted by name (by
/// Unicode scalars, independent of the locale), then by id.
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

  /// The ranking of teams with known scores, in any order.
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

  /// Throws an error that names the pair with the smallest shared id, sorted by name, so that the error does not depend
  /// on the order of the teams either.
  private static func requireDistinctIDs(_ teams: [Team]) throws(LeagueError) {
    let sorted = teams.sorted { ($0.id, $0.name) < ($1.id, $1.name) }
    for (first, second) in zip(sorted, sorted.dropFirst()) where first.id == second.id {
      throw .duplicateTeam(id: first.id, first: first.name, second: second.name)
    }
  }
}

/// Scores and ranks records repeatedly with reused memory, so that a loop over seasons allocates nothing.
///
/// Records have no names or ids: it returns a rank for each record. `PowerRanking` sorts the teams.
public struct PowerRanker: Sendable {
  /// The weights of a score's parts.
  public let weights: PowerWeights
  /// The scores of the records that were ranked last, in the order of the records.
  public private(set) var scores: [PowerScore] = []
  /// Their ranks, from 1: one more than the number of better scores, so equal scores share a rank (1, 2, 2, 4).
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

  /// Ranks given scores.
  mutating func rank(_ scores: [PowerScore]) {
    self.scores = scores
    shareRanks()
  }

  private mutating func shareRanks() {
    let scores = scores
    // Ranks do not depend on the initial order, and the last ranking's order is nearly sorted.
    if order.count != scores.count {
      order = Array(scores.indices)
      ranks = order
    }
    order.sort { scores[$0] > scores[$1] }
    for (index, team) in order.enumerated() {
      let isShared = index > 0 && scores[order[index - 1]] == scores[team]
      ranks[team] = isShared ? ranks[order[index - 1]] : index + 1
    }
  }
}
