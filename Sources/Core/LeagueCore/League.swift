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

/// The kinds of leagues, by what decides them.
public enum LeagueKind: String, Hashable, Sendable, Codable {
  /// Games of two teams, decided by points.
  case points
  /// Games of two teams, decided by categories of statistics; there are no points.
  case categories
  /// No games: the points of the whole season decide.
  case seasonPoints
  /// No games: the team with the fewest points of a week leaves.
  case elimination

  /// True if two teams meet in a game.
  public var hasGames: Bool { self == .points || self == .categories }
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
  /// True if each week adds a second decision to a record: against the median of all teams' points.
  public let playsMedian: Bool
  /// The rule that decides the league.
  public let kind: LeagueKind
  /// The week in which its season begins.
  public let firstWeek: Int
  /// True if the teams' records are those that the service sent; otherwise they are computed from the games.
  public let recordsAreSent: Bool
  /// Facts about the documents that a reader should know: what was left out, and what was missing. Each is a sentence.
  public var notes: [String]

  /// A league.
  public init(
    connection: LeagueConnection, name: String, teams: [Team], games: [LeagueGame] = [], playsMedian: Bool = false,
    kind: LeagueKind = .points, firstWeek: Int = 1, recordsAreSent: Bool = true, notes: [String] = []
  ) {
    (self.connection, self.name, self.teams, self.games) = (connection, name, teams, games)
    (self.playsMedian, self.kind, self.firstWeek) = (playsMedian, kind, firstWeek)
    (self.recordsAreSent, self.notes) = (recordsAreSent, notes)
  }

  /// The league with records computed from its games, where the service sent none and a game is over.
  func withComputedRecords() throws(LeagueError) -> League {
    guard kind.hasGames, !playedWeeks.isEmpty else { return self }
    return League(
      connection: connection, name: name, teams: try teams(afterWeek: LeagueGame.weeks.upperBound), games: games,
      playsMedian: playsMedian, kind: kind, firstWeek: firstWeek, recordsAreSent: false, notes: notes)
  }
}

extension League {
  /// Decodes a league; what earlier versions did not store has its default.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      connection: try container.decode(LeagueConnection.self, forKey: .connection),
      name: try container.decode(String.self, forKey: .name), teams: try container.decode([Team].self, forKey: .teams),
      games: try container.decode([LeagueGame].self, forKey: .games),
      playsMedian: try container.decode(Bool.self, forKey: .playsMedian),
      kind: try container.decodeIfPresent(LeagueKind.self, forKey: .kind) ?? .points,
      firstWeek: max(
        1, min(try container.decodeIfPresent(Int.self, forKey: .firstWeek) ?? 1, LeagueGame.weeks.upperBound)),
      recordsAreSent: try container.decodeIfPresent(Bool.self, forKey: .recordsAreSent) ?? true,
      notes: try container.decodeIfPresent([String].self, forKey: .notes) ?? [])
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
  /// True if the game is over; before that, its points are those scored so far. A week off is over with the other games
  /// of its week, if the team's points are known.
  public let isPlayed: Bool
  /// True if it is a play-off game; records do not count those.
  public let isPlayoff: Bool
  /// The service's decision where the points do not give it: a tie that a rule broke, or categories.
  public let decision: Decision?

  /// The valid week numbers.
  public static var weeks: ClosedRange<Int> { 1...1000 }

  /// A game.
  public init(
    week: Int, home: Side, away: Side?, isPlayed: Bool, isPlayoff: Bool, decision: Decision? = nil
  ) {
    (self.week, self.home, self.away) = (week, home, away)
    (self.isPlayed, self.isPlayoff, self.decision) = (isPlayed, isPlayoff, decision)
  }

  /// The contribution of a game to the record of the team at home: one win, loss or tie, or one for each category.
  public struct Decision: Hashable, Sendable, Codable {
    /// Won by the team at home.
    public let wins: Int
    /// Lost by it.
    public let losses: Int
    /// Neither won nor lost.
    public let ties: Int

    /// A decision by categories.
    public init(wins: Int, losses: Int, ties: Int) { (self.wins, self.losses, self.ties) = (wins, losses, ties) }

    /// A single decision.
    public init(_ outcome: GameOutcome) {
      self.init(wins: outcome == .win ? 1 : 0, losses: outcome == .loss ? 1 : 0, ties: outcome == .tie ? 1 : 0)
    }

    /// The same decision for the opponent.
    public var reversed: Decision { Decision(wins: losses, losses: wins, ties: ties) }

    /// True if more was won than lost, lost than won, or as much.
    public var outcome: GameOutcome { wins > losses ? .win : wins < losses ? .loss : .tie }
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
