// SPDX-License-Identifier: Apache-2.0

/// A ranking as plain text: one block for each team, best first, separated by empty lines.
///
///     1. Fleet Ravens
///     Owner: user953647
///     Record: 9-4-0
///     Points: 1635.3 for, 1464.8 against
///     Roast: ...
///
/// A block has exactly these lines; the last one is left out for a team without a roast. Teams that share a rank have
/// the same number. The owner of a team without one is `unknown`. Each text is on one line: white space at both ends is
/// removed, and every run of control characters, line ends and bidirectional formatting characters becomes one space.
public struct RankingText: Hashable, Sendable, CustomStringConvertible {
  /// The text, without a line end after the last block; empty without teams.
  public let description: String

  /// The text of a ranking, with the teams' roasts.
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
