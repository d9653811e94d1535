// SPDX-License-Identifier: GPL-3.0-or-later
import FantasyCore
import Testing

@testable import FantasyLab

@Suite("The simulated season's sum of later rounds")
struct SeasonRoundsTests {
  @Test(
    "equals the core's projection, round by round, for every club, with byes and absences", arguments: [0, 9, 21])
  func outlook(round: Int) {
    let shape = FantasyShape()
    let (model, clubs) = (shape.model, 0..<FantasyShape.clubs)
    let concede = clubs.map { $0 * 5 % 13 - 6 }
    var left = SeasonRounds(shape.rounds, model: model)
    left.begin(concede)
    // Six days between games are no rest beyond the usual.
    let fixtures = (0..<shape.rounds).flatMap { round in
      clubs.filter { left.rival(of: $0, in: round) > $0 }.map { club in
        Fixture(
          round: round + 1, home: "\(club)", away: "\(left.rival(of: club, in: round))", venue: "V", day: round * 6)
      }
    }
    let projector = Projector(
      FantasyTeam(
        round: round + 1, rounds: shape.rounds, salaryCap: 0, trades: 0, slots: [:],
        clubs: clubs.map { Club(name: "\($0)", concedes: [.midfielder: concede[$0]]) }, fixtures: fixtures,
        players: [], squad: [], asOf: 0, lockout: 1), model: model)
    for club in clubs {
      for absence in [0, 3] {
        var player = Player(
          id: "a", name: "A", club: "\(club)", positions: [.midfielder], price: 1, scores: [90, 101, 77, 120])
        if absence > 0 { player.availability = .out(until: round + 1 + absence) }
        let worth = model.worth(model.prior(mean: 85, lastSeason: nil), games: 4, sum: 388)
        let core = Double(projector.outlook(of: player).reduce(0, +)) / 100
        let sum = left.points(worth: worth, of: club, from: round + absence)
        // The core rounds each reason to hundredths.
        #expect(abs(core - sum) < 0.02 * Double(shape.rounds - round), "club \(club), absent for \(absence)")
      }
    }
  }
}
