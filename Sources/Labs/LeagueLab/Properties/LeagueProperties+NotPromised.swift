// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore
internal import PropertyTesting

extension LeagueProperties {
  /// What one might expect of the formula and it does not do: false statements, kept for their smallest examples.
  static func notPromised(of code: LeagueOperations) -> [Property] {
    let few = Roster.ordinary(count: 3...5)
    return [
      Property(
        "league.not.1", "A team that joins never swaps two others",
        reference: "independence of irrelevant alternatives: Arrow, Social Choice and Individual Values (1951)",
        arguments: ["league, the last joins"], few
      ) { league in
        let joined = try code.rank(league.teams)
        let before = try code.rank(Array(league.teams.dropLast()))
        let ranks = Dictionary(uniqueKeysWithValues: joined.map { ($0.team.id, $0.rank) })
        for (place, above) in before.enumerated() {
          for below in before[(place + 1)...] where above.rank < below.rank {
            try claim(
              ranks[above.team.id, default: 0] <= ranks[below.team.id, default: 0],
              "\(above.team.line) led \(below.team.line) and ranks below it now")
          }
        }
      },
      Property(
        "league.not.2", "A team that wins a game scores no less than before",
        reference: "what is conceded counts even in a game that is won",
        arguments: ["league, the first wins", "opponent's points", "margin"],
        Roster.ordinary(count: 1...3), .integers(in: 0...200), .integers(in: 1...200)
      ) { league, conceded, margin in
        var winner = league.teams[0]
        let before = try code.rank(league.teams).first { $0.team.id == winner.id }
        try winner.add(
          pointsFor: Points(thousandths: (conceded + margin) * 1000), against: Points(thousandths: conceded * 1000))
        let after = try code.rank([winner] + league.teams.dropFirst()).first { $0.team.id == winner.id }
        guard let before, let after else { return }
        try claim(after.score >= before.score, "its score falls from \(before.score) to \(after.score)")
      },
    ]
  }
}
