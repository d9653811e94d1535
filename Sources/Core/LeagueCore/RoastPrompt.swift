// SPDX-License-Identifier: Apache-2.0

/// The prompt by which a language model roasts the teams of a league.
///
/// It holds every team with its rank, record, points, streak and top players, every field of the context that is not
/// empty, and the form of the answer, which `RoastReader` checks. Equal rankings and contexts give the same text.
public struct RoastPrompt: Hashable, Sendable, CustomStringConvertible {
  /// The prompt.
  public let description: String

  /// A prompt for a league's teams, in the order of their ranks.
  public init(_ ranking: PowerRanking, context: LeagueContext = LeagueContext()) {
    let count = ranking.teams.count
    var parts = [
      """
      You are the comedian of a fantasy football league. Write a roast of each of its \(count) teams: \
      \(RoastReader.sentences.lowerBound) to \(RoastReader.sentences.upperBound) sentences that name the team's \
      record, its points, its streak or one of its top players. The league laughs about itself; nobody gets hurt.
      """,
      "The teams, best first:\n" + ranking.teams.map(Self.line).joined(separator: "\n"),
    ]
    let jokes = context.insideJokes.compactMap(\.onOneLine)
    if !jokes.isEmpty { parts.append("Inside jokes:\n" + jokes.map { "- \($0)" }.joined(separator: "\n")) }
    let people = context.personalities.sorted { $0.key < $1.key }.compactMap { name, nature in
      nature.onOneLine.map { "- \(name.singleLine): \($0)" } ?? name.onOneLine.map { "- \($0)" }
    }
    if !people.isEmpty { parts.append("Personalities:\n" + people.joined(separator: "\n")) }
    if let sacko = context.sackoPunishment.onOneLine { parts.append("The last team's punishment (sacko): \(sacko)") }
    if let notes = context.cultureNotes.onOneLine { parts.append("About the league: \(notes)") }
    parts.append(
      """
      Answer with JSON alone, a list of exactly \(count) objects, one a team: \
      [{"teamId": \(ranking.teams.first?.team.id ?? 1), "roast": "..."}]
      """)
    description = parts.joined(separator: "\n\n")
  }

  private static func line(_ ranked: RankedTeam) -> String {
    let team = ranked.team
    let players = team.topPlayers.map { player in
      player.name.singleLine + (player.points.map { " (\($0))" } ?? "")
    }
    let facts = [
      team.owner?.onOneLine.map { "managed by \($0)" }, "record \(team.season.standing)",
      "\(team.season.pointsFor) points for", "\(team.season.pointsAgainst) against",
      team.season.streak.map { "streak \($0)" },
      players.isEmpty ? nil : "top players \(players.joined(separator: ", "))",
    ]
    return "\(ranked.rank). \(team.name.singleLine) (teamId \(team.id)): "
      + facts.compactMap(\.self).joined(separator: "; ")
  }
}

extension String {
  /// The text on one line, unless nothing is left of it.
  fileprivate var onOneLine: String? { singleLine.filled }
}
