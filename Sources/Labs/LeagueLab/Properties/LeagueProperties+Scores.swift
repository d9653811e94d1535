// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore
internal import PropertyTesting

extension LeagueProperties {
  static let formula = "the product's formula: 0.6 win percentage + 0.3 PF / max PF + 0.1 (1 - PA / max PA)"

  static func scores(of code: LeagueOperations) -> [Property] {
    let league = Roster.any()
    return [
      Property(
        "league.1", "Every score is the formula's, by exact rational arithmetic", reference: formula,
        arguments: ["league"], league
      ) { league in
        let exact = ScoreSpecification(league.records)
        let positions = try Self.positions(of: league)
        for placed in try code.rank(league.teams) {
          let value = exact.value(positions[placed.team.id, default: 0])
          try claim(abs(placed.score - value) <= 0x1p-51, "\(placed.team.line) scores \(placed.score), not \(value)")
        }
      },
      Property(
        "league.2", "Every score lies from 0 to 1, whatever the records", reference: "bounds of a weighted mean",
        arguments: ["league"], league
      ) { league in
        for placed in try code.rank(league.teams) {
          try claim(placed.score >= 0 && placed.score <= 1, "\(placed.team.line) scores \(placed.score)")
        }
      },
      Property(
        "league.3", "Before the first game every team scores 0.1 and ranks first", reference: "week 0",
        arguments: ["names"], .arrays(of: Roster.names, count: 1...12)
      ) { names in
        let league = Roster(names.map { ($0, SeasonRecord()) })
        for placed in try code.rank(league.teams) {
          try claim(placed.rank == 1, "rank \(placed.rank)")
          try claim(abs(placed.score - 0.1) <= 0x1p-53, "score \(placed.score)")
        }
      },
      Property(
        "league.4", "The three terms that explain a score add up to it", reference: formula, arguments: ["league"],
        league
      ) { league in
        for placed in try code.rank(league.teams) {
          let sum = placed.parts.reduce(0, +)
          try claim(placed.parts.count == 3, "\(placed.parts.count) terms")
          try claim(abs(sum - placed.score) <= 0x1p-50, "\(placed.parts) add up to \(sum), not \(placed.score)")
        }
      },
    ]
  }

  /// Where each team stands in a league, by id.
  static func positions(of league: Roster) throws -> [Int: Int] {
    Dictionary(league.teams.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
  }
}
