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

  /// The meaning of the word at this place.
  func word<Meaning>(_ words: [String: Meaning], _ expected: String) throws -> Meaning {
    guard let meaning = try words[singleValueContainer().decode(String.self)] else { throw corrupted(expected) }
    return meaning
  }

  /// The season of a record, each of its values within its own bounds.
  func season(
    wins: Int, losses: Int, ties: Int, pointsFor: Points, pointsAgainst: Points, streak: Streak?
  ) throws -> SeasonRecord {
    do throws(LeagueError) {
      return try SeasonRecord(
        wins: wins, losses: losses, ties: ties, pointsFor: pointsFor, pointsAgainst: pointsAgainst, streak: streak)
    } catch {
      throw corrupted(error.expectation ?? error.description)
    }
  }

  /// The error that something else was expected at this place.
  func corrupted(_ expected: String) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: expected))
  }
}
