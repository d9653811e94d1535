// SPDX-License-Identifier: GPL-3.0-or-later

/// Who meets whom, week by week, by the circle method: everybody meets everybody once, then it starts again.
///
/// One seat stays fixed and the others rotate past it. With an odd number of teams the fixed seat is empty, and whoever
/// would meet it has a bye.
///
/// Source: Kirkman, "On a problem in combinations", Cambridge and Dublin Mathematical Journal 2 (1847).
package struct RoundRobin: Hashable, Sendable {
  /// Two seats whose teams meet.
  package struct Game: Hashable, Sendable {
    /// One of the seats, from 0.
    package let first: Int
    /// The other.
    package let second: Int
  }

  /// The weeks until everybody has met everybody: one less than the teams, or as many with an odd number.
  package let cycle: [[Game]]

  /// The schedule of so many teams.
  ///
  /// - Parameter teams: How many; fewer than two have no games.
  package init(teams: Int) {
    guard teams >= 2 else {
      cycle = [[]]
      return
    }
    let rotating = teams.isMultiple(of: 2) ? teams - 1 : teams
    cycle = (0..<rotating).map { week in
      let meetsFixedSeat = teams.isMultiple(of: 2) ? [Game(first: rotating, second: week)] : []
      return meetsFixedSeat
        + (1...max(1, rotating / 2)).compactMap { step in
          let (left, right) = ((week + step) % rotating, (week + rotating - step) % rotating)
          return left == right ? nil : Game(first: left, second: right)
        }
    }
  }

  /// The games of a week.
  ///
  /// - Parameter week: From 0; after the last week of the cycle comes its first.
  /// - Returns: The games; every seat is in at most one of them.
  package func games(in week: Int) -> [Game] { cycle[week % cycle.count] }
}
