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
/// counts twice, and the records include both decisions. A season begins in `start_week`. A week is over when it is not
/// after `last_scored_leg`; without that field no week is over before the league's `status` is `complete`, and without
/// a status a week in which a team has points. Weeks from `playoff_week_start` on are play-offs. In a league whose
/// `type` is 3 nobody plays against anybody: the lowest team leaves each week. If no roster has `settings`, records are
/// computed from the games.
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
    let span = try Span(of: league)
    let kind: LeagueKind = try settings["type"].whole() == 3 ? .elimination : .points
    var people: [User] = []
    for user in try users.root.elements {
      people.append(
        User(
          id: try user["user_id"].requiredText(), name: try user["display_name"].text?.filled,
          team: try user["metadata"]["team_name"].text?.filled))
    }
    var (teams, ids, withoutRecord, left) = ([Team](), Set<Int>(), [String](), [(week: Int, name: String)]())
    for roster in try rosters.root.elements {
      let (team, owner) = (try team(roster, users: people), try roster["league_id"])
      if let other = try owner.text, other != id {
        throw owner.error(found: other, expected: "\(id), the league's", cure: "name the documents of one league")
      }
      guard ids.insert(team.id).inserted else {
        throw try roster["roster_id"].error(found: "\(team.id) again", expected: "a unique id")
      }
      let own = try roster["settings"]
      if !own.isThere { withoutRecord.append(team.name) }
      left.append((try own["eliminated"].whole() ?? 0, team.name))
      teams.append(team)
    }
    guard !teams.isEmpty else {
      throw rosters.error(
        found: "no team", expected: "the league's rosters, at least one",
        cure: "check the league's identifier, and download the rosters again")
    }
    var notes: [String] = []
    if let number = try settings["num_teams"].whole(), number != teams.count {
      notes.append("The league has \(number) teams, its rosters \(teams.count).")
    }
    if kind == .elimination { notes += survivors(left) }
    if let first = withoutRecord.first, withoutRecord.count < teams.count {
      notes.append(
        "\(withoutRecord.count) of \(teams.count) teams came without a record, the first \(first): "
          + "it is shown as 0-0-0.")
    }
    var games: [LeagueGame] = []
    for week in matchups.sorted(by: { $0.week < $1.week }) {
      let found = try self.games(of: week, among: ids, span, playoffs: playoffs)
      if week.week < span.first {
        notes.append("The matchups of week \(week.week) are left out: the season begins in week \(span.first).")
      } else if kind.hasGames {
        games += found
      }
    }
    if !matchups.isEmpty, kind.hasGames, span.isRunningWithoutWeek {
      notes.append("Sleeper says that no week is over: the league has no last_scored_leg.")
    }
    let read = League(
      connection: LeagueConnection(platform: .sleeper, leagueID: id, season: season ?? 0),
      name: name ?? "League \(id)", teams: teams, games: games, playsMedian: medianMatches == 1, kind: kind,
      firstWeek: span.first, notes: notes)
    guard withoutRecord.count == teams.count else { return read }
    return try rosters.root.within { () throws(LeagueError) in try read.withComputedRecords() }
  }

  /// The weeks that are over, from the league's document, for fetching their matchups; play-offs are among them.
  ///
  /// - Throws: `LeagueDocumentError` for a document of another kind, and for bad fields.
  package static func weeksOver(_ league: LeagueDocument) throws(LeagueDocumentError) -> [Int] {
    try league.require(.sleeperLeague)
    let span = try Span(of: league)
    // No sport's season has more weeks.
    guard let last = span.last, last >= span.first else { return [] }
    return Array(span.first...min(last, span.first + 59))
  }

  /// The first week of a season, and the last one that is over.
  private struct Span {
    let first: Int
    /// `nil` where the league does not say.
    let last: Int?
    /// True if the season has not ended, and the league names no week that is over.
    let isRunningWithoutWeek: Bool

    init(of league: LeagueDocument) throws(LeagueDocumentError) {
      let settings = try league.root["settings"]
      first = try settings["start_week"].whole(in: 0...LeagueGame.weeks.upperBound).map { max(1, $0) } ?? 1
      last = try settings["last_scored_leg"].whole()
      let status = try league.root["status"].text
      isRunningWithoutWeek = last == nil && status != nil && status != "complete"
    }
  }

  /// A sentence about who is still in a league whose lowest team leaves each week.
  private static func survivors(_ teams: [(week: Int, name: String)]) -> [String] {
    guard teams.contains(where: { $0.week > 0 }) else { return [] }
    let still = teams.filter { $0.week == 0 }.map(\.name).joined(separator: ", ")
    let gone = teams.filter { $0.week > 0 }.sorted { ($1.week, $0.name) < ($0.week, $1.name) }
      .map { "\($0.name) in week \($0.week)" }
    return ["Still in: \(still.isEmpty ? "nobody" : still). Left: \(gone.joined(separator: ", "))."]
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
        (0...SeasonRecord.maxGames).contains(length)
      else { return nil }
      return .some(Streak(outcome, sent: length))
    }
    let last = try metadata["record"].text("the letters W, L and T, one a game") { text -> Streak?? in
      let outcomes = text.compactMap(GameOutcome.init(letter:))
      guard outcomes.count == text.count, text.count <= SeasonRecord.maxGames else { return nil }
      return .some(Streak(outcomes.last, sent: outcomes.reversed().prefix { $0 == outcomes.last }.count))
    }
    return own ?? last ?? nil
  }

  // MARK: Games

  private static func games(
    of week: Week, among ids: Set<Int>, _ span: Span, playoffs: Int?
  ) throws(LeagueDocumentError) -> [LeagueGame] {
    let document = week.document
    try document.require(.sleeperMatchups)
    guard LeagueGame.weeks.contains(week.week) else {
      throw document.error(
        found: "week \(week.week)", expected: "a week from 1 to \(LeagueGame.weeks.upperBound)")
    }
    var (seen, meetings, indices) = (Set<Int>(), [[LeagueGame.Side]](), [Int: Int]())
    var unknown: [Int: LeagueField] = [:]
    for matchup in try document.root.elements {
      let (team, number) = (try matchup["roster_id"], try matchup["matchup_id"])
      // Points corrected by the commissioner replace the computed ones.
      let (points, custom) = (try matchup["points"].points, try matchup["custom_points"].points)
      let side = LeagueGame.Side(team: try team.requiredWhole(), points: custom ?? points ?? .zero)
      guard ids.contains(side.team), seen.insert(side.team).inserted else {
        throw team.error(found: "\(side.team)", expected: "the id of one of the rosters, once")
      }
      if custom == nil, points == nil { unknown[side.team] = try matchup["points"] }
      guard let meeting = try number.whole(), let index = indices[meeting] else {
        if let meeting = try number.whole() { indices[meeting] = meetings.count }
        meetings.append([side])
        continue
      }
      guard meetings[index].count == 1 else {
        throw number.error(found: "\(meeting) a third time", expected: "two teams in a matchup")
      }
      meetings[index].append(side)
    }
    let isOver =
      span.last.map { week.week <= $0 }
      ?? (!span.isRunningWithoutWeek && meetings.joined().contains { $0.points != .zero })
    return try meetings.map { sides throws(LeagueDocumentError) in
      let missing = sides.lazy.compactMap { unknown[$0.team] }.first
      if isOver, sides.count > 1, let missing {
        throw missing.error(
          found: missing.value?.shown ?? "no such key", expected: "the points of a week that is over")
      }
      return LeagueGame(
        week: week.week, home: sides[0], away: sides.count > 1 ? sides[1] : nil, isPlayed: isOver && missing == nil,
        isPlayoff: playoffs.map { week.week >= $0 } ?? false)
    }
  }
}
