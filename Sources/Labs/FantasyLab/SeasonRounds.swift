// SPDX-License-Identifier: GPL-3.0-or-later
internal import FantasyCore

/// The fixtures of a season, and the games and conceded points that the core's model expects of the rest of it.
struct SeasonRounds {
  private static let clubs = FantasyShape.clubs
  private let rounds: Int
  /// The opponent by round and club; -1 on a bye.
  private let rivals: [Int]
  /// The chance that a player who is fit now plays a number of rounds later.
  private let staying: [Double]
  /// By round and club: the games expected from the round on; in `conceded`, the points that their opponents concede.
  private let games: [Double]
  private var conceded: [Double]
  /// The points that each club concedes.
  private(set) var concede: [Int]

  init(_ rounds: Int, model: ProjectionModel) {
    var rivals = Array(repeating: -1, count: rounds * Self.clubs)
    for round in 0..<rounds {
      // In seasons of 15 rounds and more, a third of the clubs has a bye in each of the rounds 12 to 14.
      let active = (0..<Self.clubs).filter { rounds < 15 || !(11...13).contains(round) || $0 % 3 != round - 11 }
      // The circle method: the first club stays, the others rotate.
      let row = [active[0]] + (1..<active.count).map { active[1 + ($0 - 1 + round) % (active.count - 1)] }
      for (one, other) in zip(row, row.reversed()) { rivals[round * Self.clubs + one] = other }
    }
    (self.rounds, self.rivals, staying) = (rounds, rivals, (0..<rounds).map(model.staying))
    concede = Array(repeating: 0, count: Self.clubs)
    games = Self.sums(rivals, staying) { _ in 1 }
    conceded = games
  }

  /// Begins a season with the points that each club concedes.
  mutating func begin(_ concede: [Int]) {
    self.concede = concede
    conceded = Self.sums(rivals, staying) { Double(concede[$0]) }
  }

  /// By round and club: the sum of a value over the remaining opponents, each weighted by the chance to play then.
  private static func sums(_ rivals: [Int], _ staying: [Double], of value: (Int) -> Double) -> [Double] {
    var sums = Array(repeating: 0.0, count: rivals.count)
    for first in rivals.indices {
      let last = rivals.count - clubs + first % clubs
      for index in stride(from: last, through: first, by: -clubs) where rivals[index] >= 0 {
        sums[first] += staying[(index - first) / clubs] * value(rivals[index])
      }
    }
    return sums
  }

  /// The opponent of a club in a round; -1 on a bye.
  func rival(of club: Int, in round: Int) -> Int { rivals[round * Self.clubs + club] }

  /// The games expected of a fit player of a club, from a round on.
  func games(of club: Int, from round: Int) -> Double { round < rounds ? games[round * Self.clubs + club] : 0 }

  /// The points expected of a player with a mean of `worth` a game, from a round on.
  func points(worth: Double, of club: Int, from round: Int) -> Double {
    round < rounds ? worth * games[round * Self.clubs + club] + conceded[round * Self.clubs + club] : 0
  }
}
