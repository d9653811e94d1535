// SPDX-License-Identifier: Apache-2.0

/// A whole number, written as JSON may write one: `3`, `3.0`. As a decoder's own `Int` its errors would have no path.
struct JSONInteger: Decodable {
  let value: Int

  init(from decoder: any Decoder) throws { value = try decoder.number(in: -(1 << 53)...(1 << 53)) }
}

/// A number of games within what a record holds.
struct GameCount: Decodable {
  let games: Int

  init(from decoder: any Decoder) throws {
    games = try decoder.number(in: 0...SeasonRecord.mostGames)
  }
}

/// A week of a season.
struct WeekNumber: Decodable {
  let week: Int

  init(from decoder: any Decoder) throws { week = try decoder.number(in: LeagueGame.weeks) }
}

extension Decoder {
  /// A whole number in a range.
  func number(in range: ClosedRange<Int>) throws -> Int {
    guard let value = try Int(exactly: singleValueContainer().decode(Double.self)), range.contains(value) else {
      throw corrupted("a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// One of an enumeration's words.
  func word<Word: RawRepresentable<String>>(_ expected: String) throws -> Word {
    guard let word = try Word(rawValue: singleValueContainer().decode(String.self)) else { throw corrupted(expected) }
    return word
  }

  /// What a record adds up to, its values within bounds each for itself; a streak without outcome or games is none.
  func season(
    wins: Int, losses: Int, ties: Int, pointsFor: Points, pointsAgainst: Points,
    streak: (outcome: GameOutcome?, length: Int)
  ) throws -> SeasonRecord {
    do {
      let run = try streak.outcome.flatMap { streak.length == 0 ? nil : try Streak($0, length: streak.length) }
      return try SeasonRecord(
        wins: wins, losses: losses, ties: ties, pointsFor: pointsFor, pointsAgainst: pointsAgainst, streak: run)
    } catch let error as LeagueError {
      throw corrupted(error.expectation ?? error.description)
    }
  }

  /// The error that something else was expected at this place.
  func corrupted(_ expected: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: expected))
  }
}
