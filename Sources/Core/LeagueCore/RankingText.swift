// SPDX-License-Identifier: Apache-2.0

/// A ranking as plain text, to paste anywhere: a block for each team, best first, an empty line between two.
///
///     1. Fleet Ravens
///     Owner: user953647
///     Record: 9-4-0
///     Points: 1635.3 for, 1464.8 against
///     Roast: ...
///
/// A block has exactly these lines, the last one only where the team has a roast. Teams that share a rank have the same
/// number. Who has no owner has `unknown`. Text stands on one line: white space at its ends is gone, and every run of
/// control characters, line ends and marks that turn the writing direction within it is one space.
public struct RankingText: Hashable, Sendable, CustomStringConvertible {
  /// The text, without a line end after the last block; empty without teams.
  public let description: String

  /// The text of a ranking, with the roasts that its teams have.
  public init(_ ranking: PowerRanking) {
    description = ranking.teams.map(Self.block).joined(separator: "\n\n")
  }

  private static func block(_ ranked: RankedTeam) -> String {
    let (team, season) = (ranked.team, ranked.team.season)
    return
      ([
        "\(ranked.rank). \(team.name.singleLine)", "Owner: \(team.owner?.singleLine.filled ?? "unknown")",
        "Record: \(season.standing)", "Points: \(season.pointsFor) for, \(season.pointsAgainst) against",
      ] + (team.roast.map { ["Roast: \($0.singleLine)"] } ?? [])).joined(separator: "\n")
  }
}
