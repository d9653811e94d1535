// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore
internal import PropertyTesting

/// The teams of a league, with ids of their own.
struct Roster: Sendable, CustomStringConvertible {
  let teams: [TeamRecord]

  /// Teams whose ids are in no order; one without a name is called by the letter of its place.
  init(_ seasons: [(name: String?, season: SeasonRecord)]) {
    teams = seasons.enumerated().map { position, team in
      let letter = Unicode.Scalar(UInt8(65 + position % 26))
      return TeamRecord(id: (position * 37 + 5) % 101, name: team.name ?? String(letter), season: team.season)
    }
  }

  var records: [SeasonRecord] { teams.map(\.season) }

  var description: String { teams.isEmpty ? "no teams" : teams.map(\.line).joined(separator: "; ") }

  // MARK: Generators

  /// Leagues of any kind; the simplest has no team.
  static func any() -> Gen<Roster> { .oneOf(adversarial(), twins(), SeasonPlan.any().map { try $0.roster() }) }

  /// Leagues that nobody has played: any records, any points, any names.
  ///
  /// - Parameter count: How many teams.
  /// - Returns: A generator of leagues.
  static func adversarial(count: ClosedRange<Int> = 0...8) -> Gen<Roster> {
    let team = zip(optionalNames, seasons).map { (name: $0, season: $1) }
    return Gen.arrays(of: team, count: count).map(Roster.init)
  }

  /// Leagues without strange names or huge numbers, for examples that people read.
  static func ordinary(count: ClosedRange<Int>) -> Gen<Roster> {
    let team = season(games: .integers(in: 0...9), points: wholePoints).map { (name: String?.none, season: $0) }
    return Gen.arrays(of: team, count: count).map(Roster.init)
  }

  /// Leagues in which most teams have another one's season.
  static func twins() -> Gen<Roster> {
    let team = zip(optionalNames, Gen<Int>.integers(in: 0...2))
    return zip(Gen.arrays(of: seasons, count: 3), Gen.arrays(of: team, count: 0...8)).map { seasons, teams in
      Roster(teams.map { (name: $0, season: seasons[$1]) })
    }
  }

  /// No name, or any: empty, of emoji, from right to left, with control characters.
  static let optionalNames: Gen<String?> = .optionals(of: .strings(of: .mixed, count: 0...6))

  /// Any name, often the plainest.
  static let names: Gen<String> = optionalNames.map { $0 ?? "A" }

  /// Any season: most as they are played, some at the limits of what a record holds.
  static let seasons: Gen<SeasonRecord> = .oneOf(
    season(games: .integers(in: 0...9), points: wholePoints),
    season(games: .integers(in: 0...333_333), points: anyPoints))

  /// Points as a team scores them in a week or two.
  static let wholePoints = Gen<Int>.integers(in: -9...200).map { try Points(thousandths: $0 * 1000) }

  /// Any points, in thousandths.
  static let anyPoints = Gen<Int>.integers(in: -Points.mostThousandths...Points.mostThousandths).map {
    try Points(thousandths: $0)
  }

  private static func season(games: Gen<Int>, points: Gen<Points>) -> Gen<SeasonRecord> {
    Gen { draws in
      try SeasonRecord(
        wins: draws.draw(games), losses: draws.draw(games), ties: draws.draw(games), pointsFor: draws.draw(points),
        pointsAgainst: draws.draw(points))
    }
  }
}

extension TeamRecord {
  /// The team as standings print it: wins-losses-ties, points scored : points conceded.
  var line: String {
    let games = "\(season.wins)-\(season.losses)" + (season.ties > 0 ? "-\(season.ties)" : "")
    return "\(name.debugDescription) \(games), \(season.pointsFor) : \(season.pointsAgainst)"
  }

  /// The team with another season.
  func with(_ season: SeasonRecord) -> TeamRecord { TeamRecord(id: id, name: name, owner: owner, season: season) }
}

extension SeasonRecord {
  /// The season with its points changed.
  func with(_ change: (Points) throws -> Points) throws -> SeasonRecord {
    try SeasonRecord(
      wins: wins, losses: losses, ties: ties, pointsFor: change(pointsFor), pointsAgainst: change(pointsAgainst))
  }
}
