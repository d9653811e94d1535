// SPDX-License-Identifier: Apache-2.0

/// A team of a league with its season: what a ranking is made of.
public struct TeamRecord: Hashable, Sendable {
  /// The number by which the service knows the team (ESPN's `id`, Sleeper's `roster_id`); a league has it once.
  public let id: Int
  /// What people call the team; two teams may share a name.
  public let name: String
  /// Who manages it, where that is known.
  public let owner: String?
  /// Its games and points.
  public private(set) var season: SeasonRecord

  /// A team with a record that is known to be sound.
  public init(id: Int, name: String, owner: String? = nil, season: SeasonRecord) {
    (self.id, self.name, self.owner, self.season) = (id, name, owner, season)
  }

  /// A team with the numbers that a service sends.
  ///
  /// - Parameters:
  ///   - id: The service's number of the team.
  ///   - name: What people call it.
  ///   - owner: Who manages it.
  ///   - wins: Games won, at least 0.
  ///   - losses: Games lost, at least 0.
  ///   - ties: Games that ended level, at least 0.
  ///   - pointsFor: Points scored by the team, taken to the nearest thousandth.
  ///   - pointsAgainst: Points scored by its opponents, taken to the nearest thousandth.
  ///   - streak: The streak it is on.
  /// - Throws: `badValue` with the team's name: for negative counts, more than 1,000,000 games, NaN, infinities and
  ///   more than 10^8 points either way.
  public init(
    id: Int, name: String, owner: String? = nil, wins: Int, losses: Int, ties: Int = 0, pointsFor: Double,
    pointsAgainst: Double, streak: Streak? = nil
  ) throws(LeagueError) {
    do throws(LeagueError) {
      let season = try SeasonRecord(
        wins: wins, losses: losses, ties: ties, pointsFor: Points(pointsFor, field: "points for"),
        pointsAgainst: Points(pointsAgainst, field: "points against"), streak: streak)
      self.init(id: id, name: name, owner: owner, season: season)
    } catch {
      throw error.of(team: name)
    }
  }

  /// Adds one game to the season.
  ///
  /// - Parameters:
  ///   - own: The team's points.
  ///   - opponent: The opponent's points.
  /// - Throws: `badValue` with the team's name, for a game or points beyond what a record holds.
  public mutating func add(pointsFor own: Points, against opponent: Points) throws(LeagueError) {
    do throws(LeagueError) {
      try season.add(pointsFor: own, against: opponent)
    } catch {
      throw error.of(team: name)
    }
  }
}
