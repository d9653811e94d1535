// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore
public import PropertyTesting

/// The properties of the league core's records and of its power ranking.
public enum LeagueProperties {
  public static let catalogue = PropertyCatalogue(
    core: "LeagueCore", production: .shipping, properties: all(of:), mutants: LeagueMutants.all,
    notPromised: notPromised(of: .shipping))

  private static func all(of code: LeagueOperations) -> [Property] {
    scores(of: code) + ranks(of: code) + comparisons(of: code) + changes(of: code) + records(of: code)
  }

  private static let formula = "the product's formula: 0.6 win percentage + 0.3 PF / max PF + 0.1 (1 - PA / max PA)"

  private static func scores(of code: LeagueOperations) -> [Property] {
    let league = Standings.any()
    return [
      Property(
        "league.1", "Every score equals the formula by exact rational arithmetic", reference: formula,
        arguments: ["league"], league
      ) { league in
        let exact = ScoreSpecification(league.teams)
        for placed in try code.rank(league.teams) {
          let value = exact.value(of: placed.team)
          try require(abs(placed.score - value) <= 0x1p-51, "\(placed.team.line) scores \(placed.score), not \(value)")
        }
      },
      Property(
        "league.2", "Every score lies from 0 to 1, whatever the records", reference: "bounds of a weighted mean",
        arguments: ["league"], league
      ) { league in
        for placed in try code.rank(league.teams) {
          try require(placed.score >= 0 && placed.score <= 1, "\(placed.team.line) scores \(placed.score)")
        }
      },
      Property(
        "league.3", "Before the first game every team scores 0.1 and ranks first", reference: "week 0",
        arguments: ["names"], .arrays(of: Standings.names, count: 1...12)
      ) { names in
        let league = Standings(names.map { ($0, SeasonRecord()) })
        for placed in try code.rank(league.teams) {
          try require(placed.rank == 1, "rank \(placed.rank)")
          try require(abs(placed.score - 0.1) <= 0x1p-53, "score \(placed.score)")
        }
      },
      Property(
        "league.4", "The three terms that explain a score add up to it", reference: formula, arguments: ["league"],
        league
      ) { league in
        for placed in try code.rank(league.teams) {
          let sum = placed.parts.reduce(0, +)
          try require(placed.parts.count == 3, "\(placed.parts.count) terms")
          try require(abs(sum - placed.score) <= 0x1p-50, "\(placed.parts) add up to \(sum), not \(placed.score)")
        }
      },
    ]
  }

  private static func ranks(of code: LeagueOperations) -> [Property] {
    let league = Standings.any()
    return [
      Property(
        "league.5", "A team's rank is one more than there are teams with exactly higher scores",
        reference: "ranks 1 to N by descending score", arguments: ["league"], league
      ) { league in
        let exact = ScoreSpecification(league.teams)
        for placed in try code.rank(league.teams) {
          let rank = exact.rank(of: placed.team)
          try require(placed.rank == rank, "\(placed.team.line) ranks \(placed.rank), not \(rank)")
        }
      },
      Property(
        "league.6", "Equal scores share a rank and the next are left out: 1, 2, 2, 4",
        reference: "equal scores share a rank", arguments: ["league"], league
      ) { league in
        let ranking = try code.rank(league.teams)
        try require(ranking.count == league.teams.count, "\(ranking.count) teams of \(league.teams.count)")
        for (index, placed) in ranking.enumerated() {
          let above = index > 0 ? ranking[index - 1] : nil
          let isShared = above.map { $0.rank == placed.rank } ?? false
          try require(isShared || placed.rank == index + 1, "rank \(placed.rank) at place \(index + 1)")
          try require(above.map { $0.score >= placed.score } ?? true, "a higher score at place \(index + 1)")
          try require(!isShared || above?.score == placed.score, "unequal scores share rank \(placed.rank)")
        }
      },
      Property(
        "league.7", "Teams that share a rank are sorted by name, then by id", reference: "a stated, stable order",
        arguments: ["league"], league
      ) { league in
        let ranking = try code.rank(league.teams)
        for (above, below) in zip(ranking, ranking.dropFirst()) where above.rank == below.rank {
          try require(
            (above.team.name, above.team.id) < (below.team.name, below.team.id),
            "\(above.team.line) stands before \(below.team.line)")
        }
      },
    ]
  }

  private static func comparisons(of code: LeagueOperations) -> [Property] {
    let league = Standings.any()
    return [
      Property(
        "league.8", "The order of the input never matters", reference: "the ranking of a set of teams",
        arguments: ["league", "turn"], league, .integers(in: 0...11)
      ) { league, turn in
        let start = league.teams.isEmpty ? 0 : turn % league.teams.count
        let turned = Array(league.teams[start...] + league.teams[..<start])
        let ranking = try code.rank(league.teams)
        try require(try code.rank(turned) == ranking, "starting with team \(start + 1), the ranking differs")
        try require(try code.rank(turned.reversed()) == ranking, "in reverse order, the ranking differs")
      },
      Property(
        "league.9", "A team at least as good in every figure never ranks below", reference: "dominance",
        arguments: ["league", "wins", "points"],
        Standings.adversarial(count: 1...6), .integers(in: 0...9), .integers(in: 0...100_000)
      ) { league, wins, points in
        let first = league.teams[0]
        let worse = first.season
        let wins = min(wins, worse.losses)
        let better = try SeasonRecord(
          wins: worse.wins + wins, losses: worse.losses - wins, ties: worse.ties,
          pointsFor: Points(thousandths: min(worse.pointsFor.thousandths + points, Points.maxThousandths)),
          pointsAgainst: Points(thousandths: max(worse.pointsAgainst.thousandths - points, -Points.maxThousandths)))
        let rival = Team(id: 1000, name: "rival", season: better)
        let ranking = try code.rank(league.teams + [rival])
        let ranks = Dictionary(uniqueKeysWithValues: ranking.map { ($0.team.id, $0.rank) })
        let (high, low) = (ranks[rival.id, default: 0], ranks[first.id, default: 0])
        try require(high <= low, "\(rival.line) ranks \(high), \(first.line) \(low)")
      },
      Property(
        "league.10", "One ranker used for several leagues gives the ranks of a new one",
        reference: "contract of the ranker", arguments: ["leagues"],
        .arrays(of: Standings.adversarial(count: 0...5), count: 0...3)
      ) { leagues in
        let together = code.ranksInTurn(leagues.map(\.records))
        for (league, ranks) in zip(leagues, together) {
          let exact = ScoreSpecification(league.teams)
          try require(ranks == league.teams.map(exact.rank), "\(league) ranks \(ranks)")
        }
      },
    ]
  }

  private static func changes(of code: LeagueOperations) -> [Property] {
    let league = Standings.any()
    return [
      Property(
        "league.11", "Points counted in another unit change nothing", reference: "shares of a maximum have no unit",
        arguments: ["league", "factor"], league, .integers(in: 1...1000)
      ) { league, factor in
        let points = league.records.flatMap { [$0.pointsFor.thousandths, $0.pointsAgainst.thousandths] }
        let largest = points.map(abs).max() ?? 0
        let factor = min(factor, Points.maxThousandths / max(1, largest))
        let scaled = try league.teams.map { team in
          team.with(season: try team.season.with { try Points(thousandths: $0.thousandths * factor) })
        }
        try require(same(try code.rank(scaled), try code.rank(league.teams)), "the ranking differs")
      },
      Property(
        "league.12", "Negative points count as 0", reference: "negative points are real",
        arguments: ["league"], league
      ) { league in
        let raised = try league.teams.map { team in team.with(season: try team.season.with { max($0, .zero) }) }
        try require(same(try code.rank(raised), try code.rank(league.teams)), "the ranking differs")
      },
      Property(
        "league.13", "Names decide no rank and no score", reference: formula,
        arguments: ["league", "name"], league, Standings.names
      ) { league, name in
        let renamed = league.teams.map { Team(id: $0.id, name: name, season: $0.season) }
        let (before, after) = (try code.rank(league.teams), try code.rank(renamed))
        let sorted = after.sorted { $0.team.id < $1.team.id }
        try require(same(sorted, before.sorted { $0.team.id < $1.team.id }), "the ranks differ")
      },
      Property(
        "league.14", "Without a team that holds no maximum, the others keep their scores and their order",
        reference: "a guarantee of the formula about other teams", arguments: ["league", "leaver"],
        league, .integers(in: 0...11)
      ) { league, leaver in
        let maximum = LeagueMaxima(of: league.records)
        let ordinary = league.teams.filter {
          $0.season.pointsFor < maximum.pointsFor && $0.season.pointsAgainst < maximum.pointsAgainst
        }
        try assume(!ordinary.isEmpty)
        let gone = ordinary[leaver % ordinary.count]
        let others = league.teams.filter { $0.id != gone.id }
        let before = try code.rank(league.teams).filter { $0.team.id != gone.id }
        let after = try code.rank(others)
        try require(before.map(\.team.id) == after.map(\.team.id), "the order of the other teams differs")
        try require(before.map(\.score) == after.map(\.score), "the scores of the other teams differ")
      },
      Property(
        "league.15", "Two teams with one id are refused by their names, whichever comes first",
        reference: "contract of the ranking", arguments: ["league"], Standings.adversarial(count: 1...4)
      ) { league in
        let double = Team(id: league.teams[0].id, name: "double", season: SeasonRecord())
        for teams in [league.teams + [double], [double] + league.teams] {
          let error = errorText { _ = try code.rank(teams) }
          try require(error != nil, "two teams with id \(double.id) are ranked")
          try require(error?.contains("'double'") ?? false, "the error is: \(error ?? "")")
        }
      },
    ]
  }

  private static func errorText(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static func same(_ left: [Placed], _ right: [Placed]) -> Bool {
    left.map(\.team.id) == right.map(\.team.id) && left.map(\.rank) == right.map(\.rank)
      && left.map(\.score) == right.map(\.score)
  }

  private static func records(of code: LeagueOperations) -> [Property] {
    let season = SeasonPlan.any()
    return [
      Property(
        "league.16", "Over a season wins balance losses, and points scored balance points conceded",
        reference: "every game has two sides", arguments: ["season"], season
      ) { season in
        let records = try season.records(add: code.add)
        let (wins, losses) = (records.reduce(0) { $0 + $1.wins }, records.reduce(0) { $0 + $1.losses })
        let ties = records.reduce(0) { $0 + $1.ties }
        try require(wins == losses, "\(wins) wins, \(losses) losses")
        try require(wins + losses + ties == 2 * season.results.count, "\(wins + losses + ties) games by teams")
        let scored = records.reduce(0) { $0 + $1.pointsFor.thousandths }
        let conceded = records.reduce(0) { $0 + $1.pointsAgainst.thousandths }
        try require(scored == conceded, "\(scored) thousandths scored, \(conceded) conceded")
      },
      Property(
        "league.17", "A record counts games and points one by one, and its streak the run of equal outcomes at the end",
        reference: "standings", arguments: ["season"], season
      ) { season in
        for (team, record) in try season.records(add: code.add).enumerated() {
          try SeasonSpecification(season, team: team).check(record)
        }
      },
      Property(
        "league.18", "Points that a service sums in binary fractions are read as the intended decimal",
        reference: "1640.6000000000004 is 1640.6", arguments: ["weeks"],
        .arrays(of: Gen<Int>.integers(in: -9_000...250_000), count: 1...17)
      ) { weeks in
        let sum = weeks.reduce(0.0) { $0 + Double($1) / 1000 }
        let points = try code.points(sum)
        try require(points.thousandths == weeks.reduce(0, +), "\(sum) is read as \(points)")
      },
      Property(
        "league.19", "An impossible number is refused with the team's name and the field",
        reference: "NaN and infinities are refused", arguments: ["team", "field", "value"],
        Standings.names, .integers(in: 0...1),
        .elements(of: [Double.nan, .infinity, -.infinity, .signalingNaN, 1e9, -1e9, .greatestFiniteMagnitude])
      ) { name, field, value in
        let sent = SentTeam(
          name: name, wins: 1, losses: 0, ties: 0, pointsFor: field == 0 ? value : 1,
          pointsAgainst: field == 1 ? value : 1)
        let error = errorText { _ = try code.team(sent) }
        try require(error != nil, "\(value) is accepted")
        try require(error?.contains("'\(name)'") ?? false, "the error does not name the team: \(error ?? "")")
        let expected = field == 0 ? "points for" : "points against"
        try require(error?.contains(expected) ?? false, "the error does not name the field: \(error ?? "")")
      },
      Property(
        "league.20", "Impossible counts are refused with the team's name, all others are kept",
        reference: "contract of the records", arguments: ["team", "wins", "losses", "ties"],
        Standings.names, .integers(in: -2...1_000_001), .integers(in: -2...1_000_001), .integers(in: -2...1_000_001)
      ) { name, wins, losses, ties in
        let sent = SentTeam(name: name, wins: wins, losses: losses, ties: ties, pointsFor: 1, pointsAgainst: 1)
        let isSound = min(wins, losses, ties) >= 0 && wins + losses + ties <= 1_000_000
        if isSound {
          let team = try code.team(sent)
          try require(
            [team.season.wins, team.season.losses, team.season.ties] == [wins, losses, ties], "\(team.line)")
        } else {
          let error = errorText { _ = try code.team(sent) }
          try require(error?.contains("'\(name)'") ?? false, "not refused by name: \(error ?? "no error")")
        }
      },
    ]
  }

  /// Statements that the formula does not fulfil, kept with their smallest counterexamples.
  private static func notPromised(of code: LeagueOperations) -> [Property] {
    let few = Standings.ordinary(count: 3...5)
    return [
      Property(
        "league.not.1", "A team that joins never swaps two others",
        reference: "independence of irrelevant alternatives: Arrow, Social Choice and Individual Values (1951)",
        arguments: ["league, the last joins"], few
      ) { league in
        let joined = try code.rank(league.teams)
        let before = try code.rank(Array(league.teams.dropLast()))
        let ranks = Dictionary(uniqueKeysWithValues: joined.map { ($0.team.id, $0.rank) })
        for (index, above) in before.enumerated() {
          for below in before[(index + 1)...] where above.rank < below.rank {
            try require(
              ranks[above.team.id, default: 0] <= ranks[below.team.id, default: 0],
              "\(above.team.line) led \(below.team.line) and ranks below it now")
          }
        }
      },
      Property(
        "league.not.2", "A team that wins a game scores no less than before",
        reference: "points conceded count even in a game that is won",
        arguments: ["league, the first wins", "opponent's points", "margin"],
        Standings.ordinary(count: 1...3), .integers(in: 0...200), .integers(in: 1...200)
      ) { league, conceded, margin in
        var winner = league.teams[0]
        let before = try code.rank(league.teams).first { $0.team.id == winner.id }
        try winner.add(
          pointsFor: Points(thousandths: (conceded + margin) * 1000), against: Points(thousandths: conceded * 1000))
        let after = try code.rank([winner] + league.teams.dropFirst()).first { $0.team.id == winner.id }
        guard let before, let after else { return }
        try require(after.score >= before.score, "its score falls from \(before.score) to \(after.score)")
      },
    ]
  }
}
