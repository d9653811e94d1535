// SPDX-License-Identifier: Apache-2.0

/// The record of a team in a season: numbers of games and points.
public struct SeasonRecord: Hashable, Sendable {
  /// Games won.
  public private(set) var wins: Int
  /// Games lost.
  public private(set) var losses: Int
  /// Games tied.
  public private(set) var ties: Int
  /// Points scored by the team.
  public private(set) var pointsFor: Points
  /// Points scored by its opponents.
  public private(set) var pointsAgainst: Points
  /// The current streak; `nil` before the first game, or where it is unknown.
  public private(set) var streak: Streak?

  /// The largest number of games of a record: wins, losses and ties together.
  public static var maxGames: Int { 1_000_000 }

  /// The record before the first game.
  public init() { (wins, losses, ties, pointsFor, pointsAgainst) = (0, 0, 0, .zero, .zero) }

  /// A record; points may be negative.
  ///
  /// - Throws: `badValue` for a negative count, and for more than 1,000,000 games in all.
  public init(
    wins: Int, losses: Int, ties: Int = 0, pointsFor: Points, pointsAgainst: Points, streak: Streak? = nil
  ) throws(LeagueError) {
    for (field, count) in [("wins", wins), ("losses", losses), ("ties", ties)] {
      guard (0...Self.maxGames).contains(count) else {
        throw .badValue(team: nil, field: field, found: "\(count)", expected: "a number from 0 to \(Self.maxGames)")
      }
    }
    // Each is at most a million now, so their sum cannot overflow.
    guard wins + losses + ties <= Self.maxGames else { throw Self.tooManyGames(wins + losses + ties) }
    (self.wins, self.losses, self.ties) = (wins, losses, ties)
    (self.pointsFor, self.pointsAgainst, self.streak) = (pointsFor, pointsAgainst, streak)
  }

  /// Wins, losses and ties in the notation of standings: `8-5-0`.
  public var standing: String { "\(wins)-\(losses)-\(ties)" }

  /// Games played.
  public var games: Int { wins + losses + ties }

  /// Adds one game: a win for more points than the opponent, a tie for equal points, else a loss.
  ///
  /// - Throws: `badValue` if the games or points would leave their bounds; the record is then unchanged.
  public mutating func add(pointsFor own: Points, against opponent: Points) throws(LeagueError) {
    guard games < Self.maxGames else { throw Self.tooManyGames(games + 1) }
    try add(own, opponent)
    let outcome = GameOutcome(own, against: opponent)
    switch outcome {
    case .win: wins += 1
    case .loss: losses += 1
    case .tie: ties += 1
    }
    streak = .after(outcome, following: streak)
  }

  /// Adds one game with its decision.
  ///
  /// - Throws: `badValue` if the games or points would leave their bounds; the record is then unchanged.
  mutating func add(
    pointsFor own: Points, against opponent: Points, _ decision: LeagueGame.Decision
  ) throws(LeagueError) {
    for count in [decision.wins, decision.losses, decision.ties] {
      guard (0...Self.maxGames).contains(count) else { throw Self.tooManyGames(count) }
    }
    // Each is at most a million, so no sum overflows.
    let added = decision.wins + decision.losses + decision.ties
    guard games + added <= Self.maxGames else { throw Self.tooManyGames(games + added) }
    try add(own, opponent)
    wins += decision.wins
    losses += decision.losses
    ties += decision.ties
    if added > 0 { streak = .after(decision.outcome, following: streak) }
  }

  private mutating func add(_ own: Points, _ opponent: Points) throws(LeagueError) {
    let scored = try pointsFor.adding(own, field: "points for")
    let conceded = try pointsAgainst.adding(opponent, field: "points against")
    (pointsFor, pointsAgainst) = (scored, conceded)
  }

  private static func tooManyGames(_ games: Int) -> LeagueError {
    .badValue(team: nil, field: "games", found: "\(games)", expected: "at most \(maxGames), won, lost and level")
  }
}

extension SeasonRecord: Codable {
  /// Decodes a record and checks it as `init(wins:losses:ties:pointsFor:pointsAgainst:streak:)` does.
  ///
  /// - Throws: `DecodingError` for missing fields and for values out of bounds.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    do {
      try self.init(
        wins: container.decode(Int.self, forKey: .wins), losses: container.decode(Int.self, forKey: .losses),
        ties: container.decode(Int.self, forKey: .ties),
        pointsFor: container.decode(Points.self, forKey: .pointsFor),
        pointsAgainst: container.decode(Points.self, forKey: .pointsAgainst),
        streak: container.decodeIfPresent(Streak.self, forKey: .streak))
    } catch let error as LeagueError {
      throw decoder.corrupted(error.description)
    }
  }
}

/// The outcome of a game for one of its two teams.
public enum GameOutcome: UInt8, CaseIterable, Hashable, Sendable {
  case win, loss, tie

  /// The outcome for a team with its own and its opponent's points.
  public init(_ own: Points, against opponent: Points) {
    self = own > opponent ? .win : own < opponent ? .loss : .tie
  }

  /// The abbreviation of standings: `W`, `L` or `T`.
  public var letter: String {
    switch self {
    case .win: "W"
    case .loss: "L"
    case .tie: "T"
    }
  }

  /// The outcome with this abbreviation.
  init?(letter: Character) {
    guard let outcome = Self.allCases.first(where: { $0.letter == String(letter) }) else { return nil }
    self = outcome
  }
}

/// A run of equal outcomes in the most recent games.
public struct Streak: Hashable, Sendable, CustomStringConvertible {
  /// The outcome of all those games.
  public let outcome: GameOutcome
  /// The number of games, from 1 to 1,000,000.
  public let length: Int

  init(outcome: GameOutcome, checkedLength: Int) { (self.outcome, length) = (outcome, checkedLength) }

  /// A streak as a service sends it; `nil` without an outcome or for a length of 0.
  init?(_ outcome: GameOutcome?, sent length: Int) {
    guard let outcome, length > 0 else { return nil }
    self.init(outcome: outcome, checkedLength: length)
  }

  /// A streak of 1 to 1,000,000 games. It may be longer than the record, because services continue it through the
  /// play-offs.
  ///
  /// - Throws: `badValue` for any other length.
  public init(_ outcome: GameOutcome, length: Int) throws(LeagueError) {
    guard (1...SeasonRecord.maxGames).contains(length) else {
      throw .badValue(
        team: nil, field: "streak", found: "\(length) games", expected: "1 to \(SeasonRecord.maxGames)")
    }
    self.init(outcome: outcome, checkedLength: length)
  }

  /// The outcome's letter and the length, for example `W3`.
  public var description: String { outcome.letter + "\(length)" }

  /// The streak after one more game.
  static func after(_ outcome: GameOutcome, following streak: Streak?) -> Streak {
    guard let streak, streak.outcome == outcome else { return Streak(outcome: outcome, checkedLength: 1) }
    return Streak(outcome: outcome, checkedLength: min(streak.length, SeasonRecord.maxGames - 1) + 1)
  }
}

extension Streak: Codable {
  /// Decodes a streak from its description: `W3`.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let outcome = text.first.flatMap(GameOutcome.init(letter:)), let length = Int(text.dropFirst()),
      let streak = try? Streak(outcome, length: length)
    else {
      throw decoder.corrupted("found '\(text)', expected W, L or T and a number of games, as in W3")
    }
    self = streak
  }

  /// Writes the description: `W3`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Decoder {
  /// The error for an unexpected value at this position.
  func corrupted(_ expected: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: expected))
  }
}
