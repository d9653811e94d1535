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
  /// The streak the team is on; nil before its first game, or where it is not known.
  public private(set) var streak: Streak?

  /// The most games of a record, won, lost and level together.
  public static var mostGames: Int { 1_000_000 }

  /// The record before the first game.
  public init() { (wins, losses, ties, pointsFor, pointsAgainst) = (0, 0, 0, .zero, .zero) }

  /// A record; points may be negative.
  ///
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

  private static func tooManyGames(_ games: Int) -> LeagueError {
    .badValue(team: nil, field: "games", found: "\(games)", expected: "at most \(mostGames), won, lost and level")
  }
}

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

  /// A team with the numbers that a service sends, points taken to the nearest thousandth.
  ///
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
  /// - Throws: `badValue` with the team's name, for a game or points beyond what a record holds.
  public mutating func add(pointsFor own: Points, against opponent: Points) throws(LeagueError) {
    do throws(LeagueError) {
      try season.add(pointsFor: own, against: opponent)
    } catch {
      throw error.of(team: name)
    }
  }
}

/// How a game ended for one of its two teams.
public enum GameOutcome: UInt8, CaseIterable, Hashable, Sendable {
  case win, loss, tie

  /// The outcome for the team with the first points against the team with the second.
  public init(_ own: Points, against opponent: Points) {
    self = own > opponent ? .win : own < opponent ? .loss : .tie
  }

  /// `W`, `L` or `T`, as standings abbreviate.
  public var letter: String {
    switch self {
    case .win: "W"
    case .loss: "L"
    case .tie: "T"
    }
  }
}

/// The same outcome in the last games without a break.
public struct Streak: Hashable, Sendable, CustomStringConvertible {
  /// What all those games were.
  public let outcome: GameOutcome
  /// How many they are, at least 1.
  public let length: Int

  init(outcome: GameOutcome, checkedLength: Int) { (self.outcome, length) = (outcome, checkedLength) }

  /// A streak of 1 to 1,000,000 games; it may be longer than the record, because services let it run on through the
  /// play-offs.
  ///
  /// - Throws: `badValue` for any other length.
  public init(_ outcome: GameOutcome, length: Int) throws(LeagueError) {
    guard (1...SeasonRecord.mostGames).contains(length) else {
      throw .badValue(
        team: nil, field: "streak", found: "\(length) games", expected: "1 to \(SeasonRecord.mostGames)")
    }
    self.init(outcome: outcome, checkedLength: length)
  }

  /// For example `W3`.
  public var description: String { outcome.letter + "\(length)" }

  /// The streak after one more game.
  static func after(_ outcome: GameOutcome, following streak: Streak?) -> Streak {
    guard let streak, streak.outcome == outcome else { return Streak(outcome: outcome, checkedLength: 1) }
    return Streak(outcome: outcome, checkedLength: min(streak.length, SeasonRecord.mostGames - 1) + 1)
  }
}
