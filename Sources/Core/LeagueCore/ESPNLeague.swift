// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Reads ESPN's leagues (API v3): the view `mTeam`, and what `mRoster`, `mMatchup` and `mSettings` add to it.
///
/// A value of the wrong type, and one that no season has, is an error with its path. What is missing or null has a
/// default:
/// - a team's name is `name`, else `location` and `nickname`, else `abbrev`, else `Team` and its id; white space at
///   the ends of each is cut;
/// - its owner is the first of `primaryOwner` and then `owners` that a member with a name has, who is called by
///   `displayName`, else by first and last name; else nobody;
/// - wins, losses, ties and points are 0, and a streak without type or length, or of `NONE`, is none;
/// - a player without `lineupSlotId` counts as one that plays, and without `appliedStatTotal` comes after all others.
///
/// The top players are the five with the largest `appliedStatTotal` that are neither on the bench (slot 20) nor on
/// injured reserve (21), equal ones by name, then by id.
///
/// A game is over when it has a `winner`. It is one of the play-offs where `playoffTierType` says so; where that is
/// missing, when it comes after the `matchupPeriodCount` of the settings; and where those are missing too, when in its
/// week a team would have more games than its record counts.
public enum ESPNLeague {
  /// The lineup slots whose players do not count: the bench and injured reserve.
  static let idleSlots: Set<Int> = [20, 21]

  /// A league, from an object or from a list of one.
  ///
  /// - Parameters:
  ///   - data: The document.
  ///   - file: What errors call it.
  /// - Returns: The league, with whatever the document has of it.
  /// - Throws: `LeagueDocumentError`.
  public static func read(_ data: Data, named file: String) throws(LeagueDocumentError) -> League {
    try read(LeagueDocument(data, named: file))
  }

  static func read(_ document: LeagueDocument) throws(LeagueDocumentError) -> League {
    try document.require(.espnLeague)
    let content = try document.decode(Answer.self).content
    var (teams, ids) = ([Team](), Set<Int>())
    for (index, team) in content.teams.map({ $0.team(members: content.members ?? []) }).enumerated() {
      guard ids.insert(team.id).inserted else {
        throw document.error("teams[\(index)].id", found: "\(team.id) again", expected: "an id of its own")
      }
      teams.append(team)
    }
    for (index, matchup) in (content.schedule ?? []).enumerated() {
      for (side, name) in [(matchup.home, "home"), (matchup.away ?? matchup.home, "away")]
      where !ids.contains(side.teamId.value) {
        throw document.error(
          "schedule[\(index)].\(name).teamId", found: "\(side.teamId.value)", expected: "the id of one of the teams")
      }
    }
    return League(
      connection: LeagueConnection(
        platform: .espn, leagueID: content.id.map { "\($0.value)" } ?? "", season: content.seasonId?.value ?? 0),
      name: content.settings?.name?.filled ?? "League\(content.id.map { " \($0.value)" } ?? "")", teams: teams,
      games: content.games(teams),
      playsMedian: content.settings?.scoringSettings?.scoringEnhancementType == "WIN_BONUS_TOP_HALF")
  }
}

/// An object, or a list of one.
private struct Answer: Decodable {
  let content: Content

  init(from decoder: any Decoder) throws {
    guard var list = try? decoder.unkeyedContainer() else {
      content = try Content(from: decoder)
      return
    }
    content = try list.decode(Content.self)
    guard list.isAtEnd else { throw DecodingError.dataCorruptedError(in: list, debugDescription: "one league") }
  }
}

private struct Content: Decodable {
  let id: JSONInteger?
  let seasonId: JSONInteger?
  let settings: Settings?
  let members: [Member]?
  let teams: [ESPNTeam]
  let schedule: [Matchup]?

  func games(_ teams: [Team]) -> [LeagueGame] {
    let matchups = (schedule ?? []).sorted { $0.matchupPeriodId < $1.matchupPeriodId }
    let regular = settings?.scheduleSettings?.matchupPeriodCount?.value ?? Self.regularWeeks(of: matchups, teams)
    return matchups.map { matchup in
      LeagueGame(
        week: matchup.matchupPeriodId, home: matchup.home.side, away: matchup.away?.side,
        isPlayed: matchup.isPlayed,
        isPlayoff: matchup.playoffTierType.map { $0 != "NONE" } ?? (matchup.matchupPeriodId > regular))
    }
  }

  /// The last week up to which no team has played more games than its record counts.
  private static func regularWeeks(of matchups: [Matchup], _ teams: [Team]) -> Int {
    var left = Dictionary(teams.map { ($0.id, $0.season.games) }) { first, _ in first }
    guard left.values.contains(where: { $0 > 0 }) else { return .max }
    for matchup in matchups where matchup.isPlayed {
      guard let away = matchup.away else { continue }
      for side in [matchup.home, away] {
        guard let games = left[side.teamId.value], games > 0 else { return matchup.matchupPeriodId - 1 }
        left[side.teamId.value] = games - 1
      }
    }
    return .max
  }
}

private struct Settings: Decodable {
  let name: String?
  let scheduleSettings: ScheduleSettings?
  let scoringSettings: ScoringSettings?

  struct ScheduleSettings: Decodable { let matchupPeriodCount: JSONInteger? }

  struct ScoringSettings: Decodable { let scoringEnhancementType: String? }
}

private struct Member: Decodable {
  let id: String
  let displayName: String?
  let firstName: String?
  let lastName: String?

  var name: String? { displayName?.filled ?? [firstName, lastName].joinedNames }
}

private struct ESPNTeam: Decodable {
  let id: JSONInteger
  let name: String?
  let location: String?
  let nickname: String?
  let abbrev: String?
  let primaryOwner: String?
  let owners: [String]?
  let record: Record?
  let roster: Roster?

  struct Record: Decodable { let overall: Overall? }

  struct Overall: Decodable {
    let season: SeasonRecord

    private enum CodingKeys: String, CodingKey {
      case wins, losses, ties, pointsFor, pointsAgainst, streakType, streakLength
    }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: CodingKeys.self)
      let count = { (key: CodingKeys) in try fields.decodeIfPresent(GameCount.self, forKey: key)?.games ?? 0 }
      let points = { (key: CodingKeys) in try fields.decodeIfPresent(Points.self, forKey: key) ?? .zero }
      let type = try fields.decodeIfPresent(StreakType.self, forKey: .streakType)
      season = try decoder.season(
        wins: count(.wins), losses: count(.losses), ties: count(.ties), pointsFor: points(.pointsFor),
        pointsAgainst: points(.pointsAgainst), streak: Streak(type?.outcome, sent: count(.streakLength)))
    }
  }

  struct Roster: Decodable { let entries: [Entry]? }

  func team(members: [Member]) -> Team {
    let candidates = [primaryOwner].compactMap(\.self) + (owners ?? [])
    let owner = candidates.lazy.compactMap { id in members.first { $0.id == id }?.name }.first
    return Team(
      id: id.value, name: name?.filled ?? [location, nickname].joinedNames ?? abbrev?.filled ?? "Team \(id.value)",
      owner: owner,
      season: record?.overall?.season ?? SeasonRecord(), topPlayers: topPlayers)
  }

  private var topPlayers: [Player] {
    let playing = (roster?.entries ?? []).filter { !ESPNLeague.idleSlots.contains($0.lineupSlotId?.value ?? 0) }
    let least = Points(checked: -Points.mostThousandths - 1)
    let sorted = playing.map(\.player)
      .sorted { ($1.points ?? least, $0.name, $0.id) < ($0.points ?? least, $1.name, $1.id) }
    return Array(sorted.prefix(Team.mostTopPlayers))
  }
}

private struct StreakType: Decodable {
  let outcome: GameOutcome?

  init(from decoder: any Decoder) throws {
    outcome = try decoder.word(
      ["WIN": GameOutcome?.some(.win), "LOSS": .loss, "TIE": .tie, "NONE": nil], "WIN, LOSS, TIE or NONE")
  }
}

/// A player's place in a team's roster.
private struct Entry: Decodable {
  let lineupSlotId: JSONInteger?
  let player: Player

  private enum CodingKeys: String, CodingKey { case lineupSlotId, playerId, playerPoolEntry }

  private struct PoolEntry: Decodable {
    let id: JSONInteger?
    let appliedStatTotal: Points?
    let player: Person?
  }

  private struct Person: Decodable {
    let id: JSONInteger?
    let fullName: String?
    let firstName: String?
    let lastName: String?
    let defaultPositionId: JSONInteger?
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    lineupSlotId = try fields.decodeIfPresent(JSONInteger.self, forKey: .lineupSlotId)
    let entry = try fields.decodeIfPresent(PoolEntry.self, forKey: .playerPoolEntry)
    let number = try fields.decodeIfPresent(JSONInteger.self, forKey: .playerId) ?? entry?.id ?? entry?.player?.id
    guard let number = number?.value else {
      throw DecodingError.keyNotFound(
        CodingKeys.playerId,
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "a player's id"))
    }
    let person = entry?.player
    player = Player(
      id: "\(number)",
      name: person?.fullName?.filled ?? [person?.firstName, person?.lastName].joinedNames ?? "\(number)",
      position: person?.defaultPositionId.flatMap { Self.positions[$0.value] }, points: entry?.appliedStatTotal)
  }

  private static let positions = [
    1: "QB", 2: "RB", 3: "WR", 4: "TE", 5: "K", 7: "P", 9: "DT", 10: "DE", 11: "LB", 12: "CB", 13: "S", 14: "HC",
    16: "D/ST",
  ]
}

private struct Matchup: Decodable {
  let matchupPeriodId: Int
  let home: Side
  let away: Side?
  let isPlayed: Bool
  let playoffTierType: String?

  struct Side: Decodable {
    let teamId: JSONInteger
    let totalPoints: Points?

    var side: LeagueGame.Side { LeagueGame.Side(team: teamId.value, points: totalPoints ?? .zero) }
  }

  private struct Winner: Decodable {
    let isDecided: Bool

    init(from decoder: any Decoder) throws {
      isDecided = try decoder.word(
        ["HOME": true, "AWAY": true, "TIE": true, "UNDECIDED": false], "HOME, AWAY, TIE or UNDECIDED")
    }
  }

  private enum CodingKeys: String, CodingKey { case matchupPeriodId, home, away, winner, playoffTierType }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    matchupPeriodId = try fields.decode(WeekNumber.self, forKey: .matchupPeriodId).week
    home = try fields.decode(Side.self, forKey: .home)
    away = try fields.decodeIfPresent(Side.self, forKey: .away)
    isPlayed = try fields.decodeIfPresent(Winner.self, forKey: .winner)?.isDecided ?? false
    playoffTierType = try fields.decodeIfPresent(String.self, forKey: .playoffTierType)
  }
}

extension [String?] {
  /// Several names joined by single spaces, without the empty ones; nil where all are empty.
  fileprivate var joinedNames: String? { compactMap { $0?.filled }.joined(separator: " ").filled }
}
