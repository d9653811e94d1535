// SPDX-License-Identifier: Apache-2.0

/// A team of a league with its season, independent of the service.
public struct Team: Hashable, Sendable, Codable {
  /// The service's identifier of the team (ESPN's `id`, Sleeper's `roster_id`), unique within a league.
  public let id: Int
  /// The team's name; two teams may share a name.
  public let name: String
  /// The manager's name, where it is known.
  public let owner: String?
  /// Its games and points.
  public private(set) var season: SeasonRecord
  /// Its players with the most points, best first; empty where the service sends none.
  public let topPlayers: [Player]
  /// The roast that the league's comedian wrote about it.
  public var roast: String?

  /// The largest number of top players of a team.
  public static var maxTopPlayers: Int { 5 }

  /// A team with a valid record.
  public init(
    id: Int, name: String, owner: String? = nil, season: SeasonRecord, topPlayers: [Player] = [], roast: String? = nil
  ) {
    (self.id, self.name, self.owner, self.season) = (id, name, owner, season)
    (self.topPlayers, self.roast) = (topPlayers, roast)
  }

  /// A team with the numbers of a service; points are rounded to the nearest thousandth.
  ///
  /// - Throws: `badValue` with the team's name: for negative counts, more than 1,000,000 games, NaN, infinities and
  ///   more than 10^8 points of either sign.
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
  /// - Throws: `badValue` with the team's name, if the games or points would leave the bounds of a record.
  public mutating func add(pointsFor own: Points, against opponent: Points) throws(LeagueError) {
    do throws(LeagueError) {
      try season.add(pointsFor: own, against: opponent)
    } catch {
      throw error.of(team: name)
    }
  }
}

/// A player of a team, with the facts that a ranking shows.
public struct Player: Hashable, Sendable, Codable {
  /// The service's identifier of the player.
  public let id: String
  /// The player's name; the identifier where the service sends no name.
  public let name: String
  /// The position, for example `QB`, where the service sends it.
  public let position: String?
  /// The points that the player scored for the team, where the service sends them.
  public let points: Points?

  /// A player.
  public init(id: String, name: String, position: String? = nil, points: Points? = nil) {
    (self.id, self.name, self.position, self.points) = (id, name, position, points)
  }
}
