// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore

/// The places of a ranking, in memory of their own: ranks, and mid-ranks where several teams share one.
struct Places {
  /// Each team's rank, from 1; teams that share one have the best of the places they fill: 1, 2, 2, 4.
  private(set) var ranks: [Int] = []
  /// Twice each team's mid-rank, the mean of the places that the teams of its rank fill: 2, 5, 5, 8.
  private(set) var doubledMidRanks: [Int] = []
  /// How many teams share their rank with another.
  private(set) var sharing = 0
  private var teamsAtRank: [Int] = []
  private var keys: [Int] = []
  private var broken: [Int] = []

  /// Takes over ranks as the core gives them.
  mutating func take(_ ranks: [Int]) {
    self.ranks.removeAll(keepingCapacity: true)
    self.ranks.append(contentsOf: ranks)
    teamsAtRank.removeAll(keepingCapacity: true)
    teamsAtRank.append(contentsOf: repeatElement(0, count: ranks.count + 1))
    for rank in ranks { teamsAtRank[rank] += 1 }
    doubledMidRanks.removeAll(keepingCapacity: true)
    sharing = 0
    for rank in ranks {
      doubledMidRanks.append(2 * rank + teamsAtRank[rank] - 1)
      if teamsAtRank[rank] > 1 { sharing += 1 }
    }
  }

  /// Takes over ranks by record, and puts teams with equal records in the order of their points, as standings do.
  mutating func take(_ ranks: [Int], breakingTiesByPointsOf records: [SeasonRecord]) {
    // Points are less than 2^40 thousandths either way, so they never outweigh a rank.
    keys.removeAll(keepingCapacity: true)
    for (rank, record) in zip(ranks, records) { keys.append(rank << 41 - record.pointsFor.thousandths) }
    broken.removeAll(keepingCapacity: true)
    for key in keys {
      var better = 0
      // The sign is -1 for a smaller key and else 0: a branch here would be mispredicted every other time.
      for other in keys { better &-= (other &- key) >> 63 }
      broken.append(1 + better)
    }
    take(broken)
  }

  /// How many teams stand first.
  var first: Int { teamsAtRank.count > 1 ? teamsAtRank[1] : 0 }

  /// The sum of squared differences between doubled mid-ranks: four times what Spearman's formula sums.
  func squaredDistance(to other: Places) -> Int {
    var sum = 0
    for (left, right) in zip(doubledMidRanks, other.doubledMidRanks) { sum += (left - right) * (left - right) }
    return sum
  }
}
