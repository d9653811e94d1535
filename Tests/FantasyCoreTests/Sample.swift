// SPDX-License-Identifier: Apache-2.0
import FantasyCore
import Testing

/// A small league: four clubs, six players of ours, six others.
enum Sample {
  static func player(
    _ id: String, _ club: String, _ position: Position, _ price: Int, _ scores: [Int?]
  ) -> Player {
    Player(id: id, name: id.uppercased(), club: club, positions: [position], price: price, scores: scores)
  }

  static var team: FantasyTeam {
    let clubs = ["Arrows", "Bears", "Crows", "Drakes"].enumerated().map { index, name in
      Club(name: name, concedes: [.midfielder: index * 3 - 4], bye: index < 2 ? 9 : 10)
    }
    var fixtures: [Fixture] = []
    for round in 1...12 {
      if round != 9 {
        fixtures.append(Fixture(round: round, home: "Arrows", away: "Bears", venue: "Dome", day: round * 6))
      }
      if round != 10 {
        fixtures.append(Fixture(round: round, home: "Crows", away: "Drakes", venue: "Park", day: round * 6))
      }
    }
    let players = [
      player("a1", "Arrows", .midfielder, 800_000, [110, 95, 120, 101, nil, 99, 112]),
      player("a2", "Arrows", .forward, 500_000, [60, 71, 55, 80, 66, 74, 62]),
      player("b1", "Bears", .midfielder, 700_000, [90, 104, 88, 97, 92, 85, 99]),
      player("b2", "Bears", .defender, 450_000, [70, 64, nil, nil, 75, 58, 66]),
      player("c1", "Crows", .ruck, 600_000, [85, 90, 77, 81, 93, 88, 79]),
      player("d1", "Drakes", .forward, 300_000, [40, 52, 38, 45, 51, 47, 30]),
      player("a3", "Arrows", .forward, 420_000, [70, 82, 75, 88, 79, 91, 84]),
      player("b3", "Bears", .midfielder, 850_000, [121, 118, 105, 130, 111, 124, 119]),
      player("c2", "Crows", .defender, 400_000, [72, 80, 77, 69, 85, 74, 81]),
      player("c3", "Crows", .forward, 250_000, [55, 61, 49, 58, 66, 52, 60]),
      player("d2", "Drakes", .ruck, 550_000, [80, 83, 91, 78, 86, 90, 95]),
      player("d3", "Drakes", .midfielder, 200_000, []),
    ]
    return FantasyTeam(
      round: 8, rounds: 12, salaryCap: 3_500_000, trades: 3,
      slots: [.defender: 1, .midfielder: 2, .ruck: 1, .forward: 2], clubs: clubs, fixtures: fixtures, players: players,
      squad: [
        Pick("a1", as: .midfielder, isCaptain: true), Pick("b1", as: .midfielder), Pick("a2", as: .forward),
        Pick("d1", as: .forward), Pick("b2", as: .defender), Pick("c1", as: .ruck),
      ], asOf: 29_000_000, lockout: 29_000_600)
  }
}
