// SPDX-License-Identifier: Apache-2.0

/// Reads Sleeper's leagues (API v1): the league, its rosters and its users, and the matchups of any weeks.
///
/// A value of the wrong type or beyond the bounds of a season is an error with its path. A missing or null value has a
/// default:
/// - a team's owner is the user with its `owner_id`, else with the first known one of its `co_owners`; its name is that
///   user's `team_name`, else the `display_name`, else `Team` and its `roster_id`; white space at both ends is removed;
/// - wins, losses, ties and points are 0; points are `fpts` and hundredths of `fpts_decimal`, exactly;
/// - the streak is `streak` of the roster's metadata (`12L`), else the end of its `record` (`WWLT`), else none.
///
/// Sleeper sends no points of players, so there are no top players. Where `league_average_match` is 1, every week
/// counts twice, and the records include both decisions. A week is over when it is not after `last_scored_leg`; without
/// that field, when a team has points. Weeks from `playoff_week_start` on are play-offs.
public enum SleeperLeague {
  /// The matchups of one week; the document does not hold the week's number.
  public struct Week: Sendable {
    /// The week, from 1.
    public let week: Int
    /// The document that Sleeper sent.
    public let document: LeagueDocument

    /// A week's matchups.
    public init(week: Int, document: LeagueDocument) { (self.week, self.document) = (week, document) }
  }

  /// A league from its documents.
  ///
  /// - Throws: `LeagueDocumentError` for a document in the wrong place or of another league, and for each bad field.
  public static func read(
    league: LeagueDocument, rosters: LeagueDocument, users: LeagueDocument, matchups: [Week] = []
  ) throws(LeagueDocumentError) -> League {
    try league.require(.sleeperLeague)
    try rosters.require(.sleeperRosters)
    try users.require(.sleeperUsers)
    let content = league.root
    let id = try content["league_id"].requiredText()
    let season = try content["season"].text("a year as a text, for example \"2024\"") { text in
      Int(text).flatMap { (0...9999).contains($0) ? $0 : nil }
    }
    let (name, settings) = (try content["name"].text?.filled, try content["settings"])
    let medianMatches = try settings["league_average_match"].whole()
    let playoffs = try settings["playoff_week_start"].whole().flatMap { $0 > 0 ? $0 : nil }
    let lastScored = try settings["last_scored_leg"].whole()
    var people: [User] = []
    for user in try users.root.elements {
      people.append(
        User(
          id: try user["user_id"].requiredText(), name: try user["display_name"].text?.filled,
          team: try user["metadata"]["team_name"].text?.filled))
    }
    var (teams, ids) = ([Team](), Set<Int>())
    for roster in try rosters.root.elements {
      let (team, owner) = (try team(roster, users: people), try roster["league_id"])
      if let other = try owner.text, other != id {
        throw owner.error(found: other, expected: "\(id), the league's", cure: "name the documents of one league")
      }
      guard ids.insert(team.id).inserted else {
        throw try roster["roster_id"].error(found: "\(team.id) again", expected: "a unique id")
      }
      teams.append(team)
    }
    var games: [LeagueGame] = []
    for week in matchups.sorted(by: { $0.week < $1.week }) {
      games += try self.games(of: week, among: ids, lastScored: lastScored, playoffs: playoffs)
    }
    return League(
      connection: LeagueConnection(platform: .sleeper, leagueID: id, season: season ?? 0),
      name: name ?? "League \(id)", teams: teams, games: games, playsMedian: medianMatches == 1)
  }

  private struct User {
    let id: String
    let name: String?
    /// The name of the team.
    let team: String?
  }

  // MARK: Teams

  private static func team(_ roster: LeagueField, users: [User]) throws(LeagueDocumentError) -> Team {
    let id = try roster["roster_id"].requiredWhole()
    let owners = try [roster["owner_id"].text].compactMap(\.self) + roster["co_owners"].allTexts
    let settings = try roster["settings"]
    let (wins, losses, ties) = (try settings["wins"].games, try settings["losses"].games, try settings["ties"].games)
    let (scored, conceded) = (try points(settings, "fpts"), try points(settings, "fpts_against"))
    let streak = try streak(roster["metadata"])
    let season = try roster.within { () throws(LeagueError) in
      try SeasonRecord(
        wins: wins, losses: losses, ties: ties, pointsFor: scored, pointsAgainst: conceded, streak: streak)
    }
    let user = owners.lazy.compactMap { owner in users.first { $0.id == owner } }.first
    return Team(id: id, name: user?.team ?? user?.name ?? "Team \(id)", owner: user?.name, season: season)
  }

  /// The sum of integer points and hundredths, each checked against its bounds.
  private static func points(_ settings: LeagueField, _ key: String) throws(LeagueDocumentError) -> Points {
    let whole = try settings[key]
    let points = try whole.points ?? .zero
    let hundredths = Points(checked: 10 * (try settings["\(key)_decimal"].whole(in: -99...99) ?? 0))
    return try whole.within { () throws(LeagueError) in try points.adding(hundredths) }
  }

  /// The streak of `streak` (`12L`), else of the end of `record` (`WWLT`).
  private static func streak(_ metadata: LeagueField) throws(LeagueDocumentError) -> Streak? {
    let own = try metadata["streak"].text("a number of games and W, L or T, for example \"12L\"") { text -> Streak?? in
      if text.isEmpty { return .some(nil) }
      guard let outcome = text.last.flatMap(GameOutcome.init(letter:)), let length = Int(text.dropLast()),
        (0...SeasonRecord.mostGames).contains(length)
      else { return nil }
      return .some(Streak(outcome, sent: length))
    }
    let last = try metadata["record"].text("the letters W, L and T, one a game") { text -> Streak?? in
      let outcomes = text.compactMap(GameOutcome.init(letter:))
      guard outcomes.count == text.count, text.count <= SeasonRecord.mostGames else { return nil }
      return .some(Streak(outcomes.last, sent: outcomes.reversed().prefix { $0 == outcomes.last }.count))
    }
    return own ?? last ?? nil
  }

  // MARK: Games

  private static func games(
    of week: Week, among ids: Set<Int>, lastScored: Int?, playoffs: Int?
  ) throws(LeagueDocumentError) -> [LeagueGame] {
    let document = week.document
    try document.require(.sleeperMatchups)
    guard LeagueGame.weeks.contains(week.week) else {
      throw document.error(
        found: "week \(week.week)", expected: "a week from 1 to \(LeagueGame.weeks.upperBound)")
    }
    var (seen, meetings, places) = (Set<Int>(), [[LeagueGame.Side]](), [Int: Int]())
    for matchup in try document.root.elements {
      let (team, number) = (try matchup["roster_id"], try matchup["matchup_id"])
      // Points corrected by the commissioner replace the computed ones.
      let (points, custom) = (try matchup["points"].points, try matchup["custom_points"].points)
      let side = LeagueGame.Side(team: try team.requiredWhole(), points: custom ?? points ?? .zero)
      guard ids.contains(side.team), seen.insert(side.team).inserted else {
        throw team.error(found: "\(side.team)", expected: "the id of one of the rosters, once")
      }
      guard let meeting = try number.whole(), let place = places[meeting] else {
        if let meeting = try number.whole() { places[meeting] = meetings.count }
        meetings.append([side])
        continue
      }
      guard meetings[place].count == 1 else {
        throw number.error(found: "\(meeting) a third time", expected: "two teams in a matchup")
      }
      meetings[place].append(side)
    }
    let isPlayed = lastScored.map { week.week <= $0 } ?? meetings.joined().contains { $0.points != .zero }
    return meetings.map { sides in
      LeagueGame(
        week: week.week, home: sides[0], away: sides.count > 1 ? sides[1] : nil, isPlayed: isPlayed,
        isPlayoff: playoffs.map { week.week >= $0 } ?? false)
    }
  }
}
