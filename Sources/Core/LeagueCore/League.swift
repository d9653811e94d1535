// SPDX-License-Identifier: Apache-2.0

/// The services that leagues are read from.
public enum LeaguePlatform: String, Hashable, Sendable, Codable, CaseIterable {
  case espn, sleeper
}

/// The service, identifier and season of a league that a person connects.
public struct LeagueConnection: Hashable, Sendable, Codable {
  /// The service.
  public let platform: LeaguePlatform
  /// The league's identifier there: digits.
  public let leagueID: String
  /// The year in which the season began; ESPN's identifiers need it, Sleeper's name a single season.
  public let season: Int

  /// A league of a service.
  public init(platform: LeaguePlatform, leagueID: String, season: Int) {
    (self.platform, self.leagueID, self.season) = (platform, leagueID, season)
  }

  /// The connection of a league that comes from a table of results and not from a service.
  public static let none = LeagueConnection(platform: .espn, leagueID: "results", season: 0)
}

/// A league as its service sent it, in the terms that all services share.
public struct League: Hashable, Sendable, Codable {
  /// The service and identifier that the league was read from.
  public let connection: LeagueConnection
  /// The displayed name.
  public let name: String
  /// Its teams, in the service's order.
  public let teams: [Team]
  /// The games of its schedule that the service sent, played or not, in the order of their weeks.
  public let games: [LeagueGame]
  /// Whether each week adds a second decision to a record: against the median of all teams' points.
  public let playsMedian: Bool

  /// A league.
  public init(
    connection: LeagueConnection, name: String, teams: [Team], games: [LeagueGame] = [], playsMedian: Bool = false
  ) {
    (self.connection, self.name, self.teams, self.games) = (connection, name, teams, games)
    self.playsMedian = playsMedian
  }
}

/// One game of a league's schedule.
public struct LeagueGame: Hashable, Sendable, Codable {
  /// The week, from 1.
  public let week: Int
  /// The team at home.
  public let home: Side
  /// The opponent; `nil` in a week off.
  public let away: Side?
  /// Whether the game is over; before that, its points are those scored so far.
  public let isPlayed: Bool
  /// Whether it is a play-off game; records do not count those.
  public let isPlayoff: Bool

  /// The valid week numbers.
  public static var weeks: ClosedRange<Int> { 1...1000 }

  /// A game.
  public init(week: Int, home: Side, away: Side?, isPlayed: Bool, isPlayoff: Bool) {
    (self.week, self.home, self.away) = (week, home, away)
    (self.isPlayed, self.isPlayoff) = (isPlayed, isPlayoff)
  }

  /// A team in a game, by its id, with its points.
  public struct Side: Hashable, Sendable, Codable {
    /// The team's id.
    public let team: Int
    /// The points that it scored.
    public let points: Points

    /// A side.
    public init(team: Int, points: Points) { (self.team, self.points) = (team, points) }
  }
}
