// SPDX-License-Identifier: GPL-3.0-or-later
import LeagueCore
import Testing

@testable import LeagueLab

@Suite("Places of a ranking")
struct PlacesTests {
  private func places(_ ranks: [Int]) -> Places {
    var places = Places()
    places.take(ranks)
    return places
  }

  @Test("teams that share a rank have the mean of the places they fill")
  func midRanks() {
    let shared = places([2, 1, 2, 4, 2 + 3])
    #expect(shared.doubledMidRanks == [5, 2, 5, 8, 10])
    #expect(shared.sharing == 2 && shared.first == 1)
    let level = places([1, 1, 1])
    #expect(level.doubledMidRanks == [4, 4, 4])
    #expect(level.sharing == 3 && level.first == 3)
  }

  @Test("equal records stand in the order of their points; equal points still share")
  func tieBreak() throws {
    let records = try [50.0, 70, 60, 70, 10].map {
      try SeasonRecord(wins: 0, losses: 0, pointsFor: Points($0), pointsAgainst: .zero)
    }
    var broken = places([])
    broken.take([2, 2, 2, 2, 1], breakingTiesByPointsOf: records)
    #expect(broken.ranks == [5, 2, 4, 2, 1])
    #expect(broken.sharing == 2)
  }

  @Test("the distance is four times Spearman's sum: 0 in order, n (n^2 - 1) / 3 in reverse")
  func distance() {
    let order = places([1, 2, 3, 4, 5])
    #expect(order.squaredDistance(to: order) == 0)
    #expect(order.squaredDistance(to: places([5, 4, 3, 2, 1])) == 4 * 40)
    #expect(order.squaredDistance(to: places([1, 1, 3, 4, 5])) == 1 + 1)
  }
}
