// SPDX-License-Identifier: Apache-2.0

/// What a team has to show in a season: its games and its points.
public struct SeasonRecord: Hashable, Sendable {
  /// Games won.
  public private(set) var wins: Int
  /// Games lost.
  public private(set) var losses: Int
  /// Games that ended level.
  public private(set) var ties: Int
  /// Points scored by the team.
  public private(set) var pointsFor: Points
  /// Points scored by its opponents.
  public private(set) var pointsAgainst: Points
  /// The streak the team is on; nil before its first game, or where nobody says.
  public private(set) var streak: Streak?

  /// The most games of a record, won, lost and level together.
  public static var mostGames: Int { 1_000_000 }

  /// The record before the first game.
  public init() {
    (wins, losses, ties, pointsFor, pointsAgainst) = (0, 0, 0, .zero, .zero)
  }

  /// A record.
  ///
  /// - Parameters:
  ///   - wins: Games won, at least 0.
  ///   - losses: Games lost, at least 0.
  ///   - ties: Games that ended level, at least 0.
  ///   - pointsFor: Points scored by the team; may be negative.
  ///   - pointsAgainst: Points scored by its opponents; may be negative.
  ///   - streak: The streak the team is on.
  /// - Throws: `badValue` for a negative count, and for more than 1,000,000 games in all.
  public init(
    wins: Int, losses: Int, ties: Int = 0, pointsFor: Points, pointsAgainst: Points, streak: Streak? = nil
  ) throws(LeagueError) {
    for (field, count) in [("wins", wins), ("losses", losses), ("ties", ties)] {
      guard (0...Self.mostGames).contains(count) else {
        throw .badValue(team: nil, field: field, found: "\(count)", expected: "a number from 0 to \(Self.mostGames)")
      }
    }
    // Each is at most a million now, so their sum cannot overflow.
    guard wins + losses + ties <= Self.mostGames else { throw Self.tooManyGames(wins + losses + ties) }
    (self.wins, self.losses, self.ties) = (wins, losses, ties)
    (self.pointsFor, self.pointsAgainst, self.streak) = (pointsFor, pointsAgainst, streak)
  }

  /// Games played.
  public var games: Int { wins + losses + ties }

  /// Adds one game; more points win it, equal points leave it level.
  ///
  /// - Parameters:
  ///   - own: The team's points.
  ///   - opponent: The opponent's points.
  /// - Throws: `badValue` for a game or points beyond what a record holds; the record then stays as it was.
  public mutating func add(pointsFor own: Points, against opponent: Points) throws(LeagueError) {
    guard games < Self.mostGames else { throw Self.tooManyGames(games + 1) }
    let scored = try pointsFor.adding(own, field: "points for")
    let conceded = try pointsAgainst.adding(opponent, field: "points against")
    (pointsFor, pointsAgainst) = (scored, conceded)
    let outcome = GameOutcome(own, against: opponent)
    switch outcome {
    case .win: wins += 1
    case .loss: losses += 1
    case .tie: ties += 1
    }
    streak = .after(outcome, following: streak)
  }

  static func tooManyGames(_ games: Int) -> LeagueError {
    .badValue(team: nil, field: "games", found: "\(games)", expected: "at most \(mostGames), won, lost and level")
  }
}
