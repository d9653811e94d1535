// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore
internal import PropertyTesting

extension LeagueProperties {
  static func records(of code: LeagueOperations) -> [Property] {
    let season = SeasonPlan.any()
    return [
      Property(
        "league.16", "Over a season wins balance losses, and points scored balance points conceded",
        reference: "every game has two sides", arguments: ["season"], season
      ) { season in
        let records = try season.records(add: code.add)
        let (wins, losses) = (records.reduce(0) { $0 + $1.wins }, records.reduce(0) { $0 + $1.losses })
        let ties = records.reduce(0) { $0 + $1.ties }
        try claim(wins == losses, "\(wins) wins, \(losses) losses")
        try claim(wins + losses + ties == 2 * season.results.count, "\(wins + losses + ties) games by teams")
        let scored = records.reduce(0) { $0 + $1.pointsFor.thousandths }
        let conceded = records.reduce(0) { $0 + $1.pointsAgainst.thousandths }
        try claim(scored == conceded, "\(scored) thousandths scored, \(conceded) conceded")
      },
      Property(
        "league.17", "A record counts games and points one by one, and its streak is the last games that ended alike",
        reference: "standings", arguments: ["season"], season
      ) { season in
        for (team, record) in try season.records(add: code.add).enumerated() {
          try SeasonSpecification(season, team: team).check(record)
        }
      },
      Property(
        "league.18", "Points that a service sums in binary fractions are read as what it meant",
        reference: "1640.6000000000004 is 1640.6", arguments: ["weeks"],
        .arrays(of: Gen<Int>.integers(in: -9_000...250_000), count: 1...17)
      ) { weeks in
        let sum = weeks.reduce(0.0) { $0 + Double($1) / 1000 }
        let points = try code.points(sum)
        try claim(points.thousandths == weeks.reduce(0, +), "\(sum) is read as \(points)")
      },
      Property(
        "league.19", "A number that no season has is refused with the team's name and the field",
        reference: "NaN and infinities are refused", arguments: ["team", "field", "value"],
        Roster.names, .integers(in: 0...1),
        .elements(of: [Double.nan, .infinity, -.infinity, .signalingNaN, 1e9, -1e9, .greatestFiniteMagnitude])
      ) { name, field, value in
        let sent = SentTeam(
          name: name, wins: 1, losses: 0, ties: 0, pointsFor: field == 0 ? value : 1,
          pointsAgainst: field == 1 ? value : 1)
        let error = errorText { _ = try code.team(sent) }
        try claim(error != nil, "\(value) is accepted")
        try claim(error?.contains("'\(name)'") ?? false, "the error does not name the team: \(error ?? "")")
        let expected = field == 0 ? "points for" : "points against"
        try claim(error?.contains(expected) ?? false, "the error does not name the field: \(error ?? "")")
      },
      Property(
        "league.20", "Counts that no season has are refused with the team's name, all others are kept",
        reference: "contract of the records", arguments: ["team", "wins", "losses", "ties"],
        Roster.names, .integers(in: -2...1_000_001), .integers(in: -2...1_000_001), .integers(in: -2...1_000_001)
      ) { name, wins, losses, ties in
        let sent = SentTeam(name: name, wins: wins, losses: losses, ties: ties, pointsFor: 1, pointsAgainst: 1)
        let isSound = min(wins, losses, ties) >= 0 && wins + losses + ties <= 1_000_000
        if isSound {
          let team = try code.team(sent)
          try claim([team.season.wins, team.season.losses, team.season.ties] == [wins, losses, ties], "\(team.line)")
        } else {
          let error = errorText { _ = try code.team(sent) }
          try claim(error?.contains("'\(name)'") ?? false, "not refused by name: \(error ?? "no error")")
        }
      },
    ]
  }
}
