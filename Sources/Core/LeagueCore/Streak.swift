// SPDX-License-Identifier: Apache-2.0

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

  init(outcome: GameOutcome, checkedLength: Int) {
    (self.outcome, length) = (outcome, checkedLength)
  }

  /// A streak. It may be longer than the record it stands beside: services let it run on through the play-offs.
  ///
  /// - Parameters:
  ///   - outcome: What the games were.
  ///   - length: From 1 to 1,000,000 games.
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
