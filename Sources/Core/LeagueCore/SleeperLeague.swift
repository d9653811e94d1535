// SPDX-License-Identifier: Apache-2.0

/// Reads Sleeper's leagues (API v1): the league, its rosters and its users, and the matchups of any weeks.
///
/// A value of the wrong type, and one that no season has, is an error with its path. What is missing or null has a
/// default:
/// - a team is who has its `owner_id` among the users, else the first of its `co_owners`; it is called by that user's
///   `team_name`, else by the `display_name`, else `Team` and its `roster_id`; white space at the ends is cut;
/// - wins, losses, ties and points are 0; points are `fpts` and hundredths of `fpts_decimal`, exactly;
/// - the streak is `streak` of the roster's metadata (`12L`), else the end of its `record` (`WWLT`), else none.
///
/// Sleeper sends no points of players, so there are no top players. Where `league_average_match` is 1, every week
/// counts twice, and the records hold both. A week is over when it is not after `last_scored_leg`, or, where that is
/// missing, when somebody has points; it is one of the play-offs from `playoff_week_start` on.
public enum SleeperLeague {
  /// The matchups of one week, which the document itself does not say.
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
  /// - Throws: `LeagueDocumentError`: for a document in the wrong place, of another league, and for each bad field.
  public static func read(
    league: LeagueDocument, rosters: LeagueDocument, users: LeagueDocument, matchups: [Week] = []
  ) throws(LeagueDocumentError) -> League {
    try league.require(.sleeperLeague)
    try rosters.require(.sleeperRosters)
    try users.require(.sleeperUsers)
    let content = try league.decode(Content.self)
    let people = try users.decode([User].self)
    var (teams, ids) = ([Team](), Set<Int>())
    for (index, roster) in try rosters.decode([Roster].self).enumerated() {
      guard roster.league_id ?? content.league_id == content.league_id else {
        throw rosters.error(
          "[\(index)].league_id", found: "\(roster.league_id ?? "")", expected: "\(content.league_id), the league's",
          cure: "name the documents of one league")
      }
      guard ids.insert(roster.roster_id).inserted else {
        throw rosters.error("[\(index)].roster_id", found: "\(roster.roster_id) again", expected: "an id of its own")
      }
      teams.append(roster.team(users: people))
    }
    var games: [LeagueGame] = []
    for week in matchups.sorted(by: { $0.week < $1.week }) {
      games += try content.games(of: week, among: ids)
    }
    return League(
      connection: LeagueConnection(platform: .sleeper, leagueID: content.league_id, season: content.season?.year ?? 0),
      name: content.name?.filled ?? "League \(content.league_id)", teams: teams, games: games,
      playsMedian: content.settings?.league_average_match?.value == 1)
  }
}

private struct Content: Decodable {
  let league_id: String
  let season: Season?
  let name: String?
  let settings: Settings?

  struct Settings: Decodable {
    let league_average_match: JSONInteger?
    let playoff_week_start: JSONInteger?
    let last_scored_leg: JSONInteger?
  }

  /// A year, which Sleeper sends as a text.
  struct Season: Decodable {
    let year: Int

    init(from decoder: any Decoder) throws {
      guard let year = try Int(decoder.singleValueContainer().decode(String.self)), (0...9999).contains(year) else {
        throw decoder.corrupted("a year as a text, for example \"2024\"")
      }
      self.year = year
    }
  }

  func games(of week: SleeperLeague.Week, among ids: Set<Int>) throws(LeagueDocumentError) -> [LeagueGame] {
    let document = week.document
    try document.require(.sleeperMatchups)
    guard LeagueGame.weeks.contains(week.week) else {
      throw document.error(
        found: "week \(week.week)", expected: "a week from 1 to \(LeagueGame.weeks.upperBound)")
    }
    let matchups = try document.decode([Matchup].self)
    let isPlayed =
      settings?.last_scored_leg.map { week.week <= $0.value } ?? matchups.contains { $0.side.points != .zero }
    let isPlayoff = settings?.playoff_week_start.map { $0.value > 0 && week.week >= $0.value } ?? false
    var (seen, meetings, places) = (Set<Int>(), [[LeagueGame.Side]](), [Int: Int]())
    for (index, matchup) in matchups.enumerated() {
      let side = matchup.side
      guard ids.contains(side.team), seen.insert(side.team).inserted else {
        throw document.error(
          "[\(index)].roster_id", found: "\(side.team)", expected: "the id of one of the rosters, once")
      }
      guard let number = matchup.matchup_id?.value, let place = places[number] else {
        if let number = matchup.matchup_id?.value { places[number] = meetings.count }
        meetings.append([side])
        continue
      }
      guard meetings[place].count == 1 else {
        throw document.error(
          "[\(index)].matchup_id", found: "\(number) a third time", expected: "two teams in a matchup")
      }
      meetings[place].append(side)
    }
    return meetings.map { sides in
      LeagueGame(
        week: week.week, home: sides[0], away: sides.count > 1 ? sides[1] : nil, isPlayed: isPlayed,
        isPlayoff: isPlayoff)
    }
  }
}

private struct User: Decodable {
  let user_id: String
  let display_name: String?
  let metadata: Metadata?

  struct Metadata: Decodable { let team_name: String? }
}

private struct Matchup: Decodable {
  let roster_id: JSONInteger
  let matchup_id: JSONInteger?
  let points: Points?
  /// The points that the commissioner set instead.
  let custom_points: Points?

  var side: LeagueGame.Side { LeagueGame.Side(team: roster_id.value, points: custom_points ?? points ?? .zero) }
}

private struct Roster: Decodable {
  let roster_id: Int
  let league_id: String?
  private let owner_id: String?
  private let co_owners: [String]?
  private let season: SeasonRecord

  private enum CodingKeys: String, CodingKey { case roster_id, league_id, owner_id, co_owners, settings, metadata }

  private struct Settings: Decodable {
    let wins: GameCount?
    let losses: GameCount?
    let ties: GameCount?
    let pointsFor: Points
    let pointsAgainst: Points

    private enum CodingKeys: String, CodingKey {
      case wins, losses, ties, fpts, fpts_decimal, fpts_against, fpts_against_decimal
    }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: CodingKeys.self)
      wins = try fields.decodeIfPresent(GameCount.self, forKey: .wins)
      losses = try fields.decodeIfPresent(GameCount.self, forKey: .losses)
      ties = try fields.decodeIfPresent(GameCount.self, forKey: .ties)
      pointsFor = try Self.points(in: fields, .fpts, .fpts_decimal)
      pointsAgainst = try Self.points(in: fields, .fpts_against, .fpts_against_decimal)
    }

    /// Whole points and hundredths, each read as points, which bounds them.
    private static func points(
      in fields: KeyedDecodingContainer<CodingKeys>, _ whole: CodingKeys, _ hundredths: CodingKeys
    ) throws -> Points {
      let points = try fields.decodeIfPresent(Points.self, forKey: whole) ?? .zero
      let rest = try fields.decodeIfPresent(Hundredths.self, forKey: hundredths)?.points ?? .zero
      do {
        return try points.adding(rest)
      } catch {
        throw DecodingError.dataCorruptedError(
          forKey: whole, in: fields, debugDescription: error.expectation ?? error.description)
      }
    }
  }

  private struct Hundredths: Decodable {
    let points: Points

    init(from decoder: any Decoder) throws {
      points = try Points(checked: 10 * decoder.number(in: -99...99))
    }
  }

  private struct Metadata: Decodable {
    let streak: Run?
    let record: Outcomes?
  }

  /// `12L`.
  private struct Run: Decodable {
    var streak: Streak?

    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      guard !text.isEmpty else { return }
      guard let outcome = text.last.flatMap(GameOutcome.init(letter:)), let length = Int(text.dropLast()),
        (0...SeasonRecord.mostGames).contains(length)
      else { throw decoder.corrupted("a number of games and W, L or T, for example \"12L\"") }
      streak = Streak(outcome, sent: length)
    }
  }

  /// `WWLT`, of which the end counts.
  private struct Outcomes: Decodable {
    let streak: Streak?

    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      let outcomes = text.compactMap(GameOutcome.init(letter:))
      guard outcomes.count == text.count, text.count <= SeasonRecord.mostGames else {
        throw decoder.corrupted("the letters W, L and T, one a game")
      }
      streak = Streak(outcomes.last, sent: outcomes.reversed().prefix { $0 == outcomes.last }.count)
    }
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    roster_id = try fields.decode(JSONInteger.self, forKey: .roster_id).value
    league_id = try fields.decodeIfPresent(String.self, forKey: .league_id)
    owner_id = try fields.decodeIfPresent(String.self, forKey: .owner_id)
    co_owners = try fields.decodeIfPresent([String].self, forKey: .co_owners)
    let settings = try fields.decodeIfPresent(Settings.self, forKey: .settings)
    let metadata = try fields.decodeIfPresent(Metadata.self, forKey: .metadata)
    let streak: Streak? = metadata?.streak.map(\.streak) ?? metadata?.record?.streak
    season = try decoder.season(
      wins: settings?.wins?.games ?? 0, losses: settings?.losses?.games ?? 0, ties: settings?.ties?.games ?? 0,
      pointsFor: settings?.pointsFor ?? .zero, pointsAgainst: settings?.pointsAgainst ?? .zero, streak: streak)
  }

  func team(users: [User]) -> Team {
    let candidates = [owner_id].compactMap(\.self) + (co_owners ?? [])
    let user = candidates.lazy.compactMap { id in users.first { $0.user_id == id } }.first
    let owner = user?.display_name?.filled
    return Team(
      id: roster_id, name: user?.metadata?.team_name?.filled ?? owner ?? "Team \(roster_id)", owner: owner,
      season: season)
  }
}
