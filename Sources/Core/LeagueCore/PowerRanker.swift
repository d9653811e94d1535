// SPDX-License-Identifier: Apache-2.0

/// Scores and ranks records again and again in memory of its own, so that a loop over seasons allocates nothing.
///
/// It sees neither names nor ids, so it can only say which rank each record has; `PowerRanking` puts teams in order.
public struct PowerRanker: Sendable {
  /// What the parts of a score weigh.
  public let weights: PowerWeights
  /// The scores of the records ranked last, in the order they came in.
  public private(set) var scores: [PowerScore] = []
  /// Their ranks, from 1: one more than there are better scores, so that equal scores share a rank (1, 2, 2, 4).
  public private(set) var ranks: [Int] = []
  private var order: [Int] = []

  /// A ranker.
  ///
  /// - Parameter weights: What the parts of a score weigh; the product's unless others are wanted.
  public init(weights: PowerWeights = .standard) {
    self.weights = weights
  }

  /// Ranks the records of a league; `scores` and `ranks` then speak of them.
  ///
  /// - Parameter records: The teams' seasons, in any order.
  /// - Complexity: O(n log n) for n teams.
  public mutating func rank(_ records: [SeasonRecord]) {
    let maxima = LeagueMaxima(of: records)
    scores.removeAll(keepingCapacity: true)
    for record in records { scores.append(PowerScore(of: record, among: maxima, weights: weights)) }
    shareRanks()
  }

  /// Ranks scores that come from elsewhere; `scores` and `ranks` then speak of them.
  ///
  /// - Parameter scores: The teams' scores, in any order.
  /// - Complexity: O(n log n) for n teams.
  public mutating func rank(_ scores: [PowerScore]) {
    self.scores = scores
    shareRanks()
  }

  private mutating func shareRanks() {
    let scores = scores
    order.removeAll(keepingCapacity: true)
    order.append(contentsOf: scores.indices)
    order.sort { scores[$0] > scores[$1] }
    ranks.removeAll(keepingCapacity: true)
    ranks.append(contentsOf: scores.indices)
    for (place, team) in order.enumerated() {
      let isShared = place > 0 && scores[order[place - 1]] == scores[team]
      ranks[team] = isShared ? ranks[order[place - 1]] : place + 1
    }
  }
}
