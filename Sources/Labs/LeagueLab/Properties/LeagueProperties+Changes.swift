// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore
internal import PropertyTesting

extension LeagueProperties {
  static func changes(of code: LeagueOperations) -> [Property] {
    let league = Roster.any()
    return [
      Property(
        "league.11", "Points counted in another unit change nothing", reference: "shares of the most have no unit",
        arguments: ["league", "factor"], league, .integers(in: 1...1000)
      ) { league, factor in
        let points = league.records.flatMap { [$0.pointsFor.thousandths, $0.pointsAgainst.thousandths] }
        let largest = points.map(abs).max() ?? 0
        let factor = min(factor, Points.mostThousandths / max(1, largest))
        let scaled = try league.teams.map { team in
          team.with(try team.season.with { try Points(thousandths: $0.thousandths * factor) })
        }
        try claim(same(try code.rank(scaled), try code.rank(league.teams)), "the ranking is another")
      },
      Property(
        "league.12", "Negative points are as good as none", reference: "negative points are real",
        arguments: ["league"], league
      ) { league in
        let raised = try league.teams.map { team in team.with(try team.season.with { max($0, .zero) }) }
        try claim(same(try code.rank(raised), try code.rank(league.teams)), "the ranking is another")
      },
      Property(
        "league.13", "Names decide no rank and no score", reference: formula,
        arguments: ["league", "name"], league, Roster.names
      ) { league, name in
        let renamed = league.teams.map { TeamRecord(id: $0.id, name: name, season: $0.season) }
        let (before, after) = (try code.rank(league.teams), try code.rank(renamed))
        let sorted = after.sorted { $0.team.id < $1.team.id }
        try claim(same(sorted, before.sorted { $0.team.id < $1.team.id }), "the ranks are others")
      },
      Property(
        "league.14", "Without a team that holds no maximum, the others keep their scores and their order",
        reference: "what the formula does promise about other teams", arguments: ["league", "leaver"],
        league, .integers(in: 0...11)
      ) { league, leaver in
        let most = LeagueMaxima(of: league.records)
        let ordinary = league.teams.filter {
          $0.season.pointsFor < most.pointsFor && $0.season.pointsAgainst < most.pointsAgainst
        }
        try assume(!ordinary.isEmpty)
        let gone = ordinary[leaver % ordinary.count]
        let others = league.teams.filter { $0.id != gone.id }
        let before = try code.rank(league.teams).filter { $0.team.id != gone.id }
        let after = try code.rank(others)
        try claim(before.map(\.team.id) == after.map(\.team.id), "the others stand in another order")
        try claim(before.map(\.score) == after.map(\.score), "the others score otherwise")
      },
      Property(
        "league.15", "Two teams with one id are refused by their names, whichever comes first",
        reference: "contract of the ranking", arguments: ["league"], Roster.adversarial(count: 1...4)
      ) { league in
        let double = TeamRecord(id: league.teams[0].id, name: "double", season: SeasonRecord())
        for teams in [league.teams + [double], [double] + league.teams] {
          let error = errorText { _ = try code.rank(teams) }
          try claim(error != nil, "two teams with id \(double.id) are ranked")
          try claim(error?.contains("'double'") ?? false, "the error is: \(error ?? "")")
        }
      },
    ]
  }

  /// What is thrown, in words; nil when nothing is.
  static func errorText(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Whether two rankings have the same teams at the same ranks with the same scores.
  private static func same(_ left: [Placed], _ right: [Placed]) -> Bool {
    left.map(\.team.id) == right.map(\.team.id) && left.map(\.rank) == right.map(\.rank)
      && left.map(\.score) == right.map(\.score)
  }
}
