// SPDX-License-Identifier: Apache-2.0

/// A team of a league with its season: what a ranking is made of, whichever service it comes from.
public struct Team: Hashable, Sendable, Codable {
  /// The number by which the service knows the team (ESPN's `id`, Sleeper's `roster_id`); a league has it once.
  public let id: Int
  /// The team's name; two teams may share a name.
  public let name: String
  /// Who manages it, where that is known.
  public let owner: String?
  /// Its games and points.
  public private(set) var season: SeasonRecord
  /// Its players with the most points, best first; empty where the service does not say.
  public let topPlayers: [Player]
  /// The roast that the league's comedian wrote about it.
  public var roast: String?

  /// The most top players that a team has.
  public static var mostTopPlayers: Int { 5 }

  /// A team with a record that is known to be sound.
  public init(
    id: Int, name: String, owner: String? = nil, season: SeasonRecord, topPlayers: [Player] = [], roast: String? = nil
  ) {
    (self.id, self.name, self.owner, self.season) = (id, name, owner, season)
    (self.topPlayers, self.roast) = (topPlayers, roast)
  }

  /// A team with the numbers that a service sends, points taken to the nearest thousandth.
  ///
  /// - Throws: `badValue` with the team's name: for negative counts, more than 1,000,000 games, NaN, infinities and
  ///   more than 10^8 points either way.
  public init(
    id: Int, name: String, owner: String? = nil, wins: Int, losses: Int, ties: Int = 0, pointsFor: Double,
    pointsAgainst: Double, streak: Streak? = nil, topPlayers: [Player] = []
  ) throws(LeagueError) {
    do throws(LeagueError) {
      let season = try SeasonRecord(
        wins: wins, losses: losses, ties: ties, pointsFor: Points(pointsFor, field: "points for"),
        pointsAgainst: Points(pointsAgainst, field: "points against"), streak: streak)
      self.init(id: id, name: name, owner: owner, season: season, topPlayers: topPlayers)
    } catch {
      throw error.of(team: name)
    }
  }

  /// The team with another record.
  public func with(season: SeasonRecord) -> Team {
    var team = self
    team.season = season
    return team
  }

  /// Adds one game to the season.
  ///
  /// - Throws: `badValue` with the team's name, for a game or points beyond what a record holds.
  public mutating func add(pointsFor own: Points, against opponent: Points) throws(LeagueError) {
    do throws(LeagueError) {
      try season.add(pointsFor: own, against: opponent)
    } catch {
      throw error.of(team: name)
    }
  }
}

/// A player of a team, as far as a ranking shows one.
public struct Player: Hashable, Sendable, Codable {
  /// The identifier that the service knows the player by.
  public let id: String
  /// The player's name; the identifier where the service sends no name.
  public let name: String
  /// The position, for example `QB`, where the service says.
  public let position: String?
  /// The points that the player scored for the team, where the service says.
  public let points: Points?

  /// A player.
  public init(id: String, name: String, position: String? = nil, points: Points? = nil) {
    (self.id, self.name, self.position, self.points) = (id, name, position, points)
  }
}
