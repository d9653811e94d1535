// SPDX-License-Identifier: Apache-2.0
internal import CoreJSON

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Reads ESPN's leagues (API v3): the view `mTeam`, and the additions of `mRoster`, `mMatchup` and `mSettings`.
///
/// A value of the wrong type or beyond the bounds of a season is an error with its path. A missing or null value has a
/// default:
/// - a team's name is `name`, else `location` and `nickname`, else `abbrev`, else `Team` and its id; white space at
///   both ends is removed;
/// - its owner is the first of `primaryOwner` and then `owners` who is a member with a name: `displayName`, else first
///   and last name; without one, the team has no owner;
/// - wins, losses, ties and points are 0; a streak without type or length, or of type `NONE`, is no streak;
/// - a player without `lineupSlotId` counts as playing; one without `appliedStatTotal` is sorted last.
///
/// The top players are the five with the largest `appliedStatTotal` that are neither on the bench (slot 20) nor on
/// injured reserve (21); equal totals are sorted by name, then by id.
///
/// A game is over when it has a `winner`. `playoffTierType` says whether it is a play-off; without it, a game after the
/// `matchupPeriodCount` of the settings is one; without both, a game from the first week in which a team would have
/// more games than its record counts.
public enum ESPNLeague {
  /// The lineup slots whose players do not count: the bench and injured reserve.
  private static let idleSlots: Set<Int> = [20, 21]

  /// A league, from an object or from a list of one object.
  ///
  /// - Parameters:
  ///   - data: The document.
  ///   - file: The document's name in errors.
  /// - Returns: The league; missing optional fields have their defaults.
  /// - Throws: `LeagueDocumentError`.
  public static func read(_ data: Data, named file: String) throws(LeagueDocumentError) -> League {
    try read(LeagueDocument(data, named: file))
  }

  static func read(_ document: LeagueDocument) throws(LeagueDocumentError) -> League {
    try document.require(.espnLeague)
    let content = try content(of: document)
    let (id, season) = (try content["id"].whole(), try content["seasonId"].whole())
    let settings = try content["settings"]
    let name = try settings["name"].text?.filled
    let regularWeeks = try settings["scheduleSettings"]["matchupPeriodCount"].whole()
    let extra = try settings["scoringSettings"]["scoringEnhancementType"].text
    var names: [String: String?] = [:]
    for member in try content["members"].elements {
      let (id, texts) = (try member["id"].requiredText(), try member.texts("displayName", "firstName", "lastName"))
      if names[id] == nil { names[id] = .some(texts[0]?.filled ?? [texts[1], texts[2]].joinedNames) }
    }
    var (teams, ids) = ([Team](), Set<Int>())
    for field in try content["teams"].required("a list").elements {
      let team = try team(field, members: names)
      guard ids.insert(team.id).inserted else {
        throw try field["id"].error(found: "\(team.id) again", expected: "a unique id")
      }
      teams.append(team)
    }
    var matchups: [Matchup] = []
    for field in try content["schedule"].elements { matchups.append(try matchup(field, among: ids)) }
    return League(
      connection: LeagueConnection(platform: .espn, leagueID: id.map { "\($0)" } ?? "", season: season ?? 0),
      name: name ?? "League\(id.map { " \($0)" } ?? "")", teams: teams,
      games: games(matchups, regularWeeks: regularWeeks, teams), playsMedian: extra == "WIN_BONUS_TOP_HALF")
  }

  /// The document's object, or the only element of its list.
  private static func content(of document: LeagueDocument) throws(LeagueDocumentError) -> LeagueField {
    guard case .array = document.root.value else { return document.root }
    let elements = try document.root.elements
    guard elements.count == 1 else { throw elements[1].error(expected: "one league") }
    return elements[0]
  }

  // MARK: Teams

  private static func team(
    _ field: LeagueField, members: [String: String?]
  ) throws(LeagueDocumentError) -> Team {
    let id = try field["id"].requiredWhole()
    let names = try field.texts("name", "location", "nickname", "abbrev")
    let owners = try [field["primaryOwner"].text].compactMap(\.self) + field["owners"].allTexts
    return Team(
      id: id, name: names[0]?.filled ?? [names[1], names[2]].joinedNames ?? names[3]?.filled ?? "Team \(id)",
      owner: owners.lazy.compactMap { members[$0] ?? nil }.first, season: try season(field["record"]["overall"]),
      topPlayers: try topPlayers(field["roster"]["entries"].elements))
  }

  private static func season(_ record: LeagueField) throws(LeagueDocumentError) -> SeasonRecord {
    let outcomes: [String: GameOutcome?] = ["WIN": .win, "LOSS": .loss, "TIE": .tie, "NONE": nil]
    let outcome = try record["streakType"].text("WIN, LOSS, TIE or NONE") { outcomes[$0] } ?? nil
    let (wins, losses, ties) = (try record["wins"].games, try record["losses"].games, try record["ties"].games)
    let (scored, conceded) = (try record["pointsFor"].points, try record["pointsAgainst"].points)
    let streak = Streak(outcome, sent: try record["streakLength"].games)
    return try record.within { () throws(LeagueError) in
      try SeasonRecord(
        wins: wins, losses: losses, ties: ties, pointsFor: scored ?? .zero, pointsAgainst: conceded ?? .zero,
        streak: streak)
    }
  }

  private static func topPlayers(_ entries: [LeagueField]) throws(LeagueDocumentError) -> [Player] {
    var playing: [Player] = []
    for entry in entries {
      let slot = try entry["lineupSlotId"].whole() ?? 0
      let player = try player(entry)
      if !idleSlots.contains(slot) { playing.append(player) }
    }
    let least = Points(checked: -Points.mostThousandths - 1)
    playing.sort { ($1.points ?? least, $0.name, $0.id) < ($0.points ?? least, $1.name, $1.id) }
    return Array(playing.prefix(Team.mostTopPlayers))
  }

  private static func player(_ entry: LeagueField) throws(LeagueDocumentError) -> Player {
    let pool = try entry["playerPoolEntry"]
    let person = try pool["player"]
    let ids = [try entry["playerId"].whole(), try pool["id"].whole(), try person["id"].whole()]
    guard let id = ids.lazy.compactMap(\.self).first.map({ "\($0)" }) else {
      throw try entry.required("an object")["playerId"].error(
        found: "no such key", expected: "the key in every such object")
    }
    let names = try person.texts("fullName", "firstName", "lastName")
    let position = try person["defaultPositionId"].whole()
    return Player(
      id: id, name: names[0]?.filled ?? [names[1], names[2]].joinedNames ?? id,
      position: position.flatMap { positions[$0] }, points: try pool["appliedStatTotal"].points)
  }

  private static let positions = [
    1: "QB", 2: "RB", 3: "WR", 4: "TE", 5: "K", 7: "P", 9: "DT", 10: "DE", 11: "LB", 12: "CB", 13: "S", 14: "HC",
    16: "D/ST",
  ]

  // MARK: Games

  private struct Matchup {
    let week: Int
    let home: LeagueGame.Side
    let away: LeagueGame.Side?
    let isPlayed: Bool
    /// `nil` where `playoffTierType` is missing.
    let isPlayoff: Bool?
  }

  private static func matchup(_ field: LeagueField, among ids: Set<Int>) throws(LeagueDocumentError) -> Matchup {
    func side(_ field: LeagueField) throws(LeagueDocumentError) -> LeagueGame.Side {
      let team = try field["teamId"]
      let (id, points) = (try team.requiredWhole(), try field["totalPoints"].points)
      guard ids.contains(id) else { throw team.error(found: "\(id)", expected: "the id of one of the teams") }
      return LeagueGame.Side(team: id, points: points ?? .zero)
    }
    let week = try field["matchupPeriodId"].requiredWhole(in: LeagueGame.weeks)
    let home = try side(field["home"].required("an object"))
    let away = try field["away"]
    let isDecided = ["HOME": true, "AWAY": true, "TIE": true, "UNDECIDED": false]
    return Matchup(
      week: week, home: home, away: try away.isThere ? side(away) : nil,
      isPlayed: try field["winner"].text("HOME, AWAY, TIE or UNDECIDED") { isDecided[$0] } ?? false,
      isPlayoff: try field["playoffTierType"].text.map { $0 != "NONE" })
  }

  private static func games(_ matchups: [Matchup], regularWeeks: Int?, _ teams: [Team]) -> [LeagueGame] {
    let matchups = matchups.sorted { $0.week < $1.week }
    let regular = regularWeeks ?? Self.regularWeeks(of: matchups, teams)
    return matchups.map { matchup in
      LeagueGame(
        week: matchup.week, home: matchup.home, away: matchup.away, isPlayed: matchup.isPlayed,
        isPlayoff: matchup.isPlayoff ?? (matchup.week > regular))
    }
  }

  /// The last week up to which no team has played more games than its record counts.
  private static func regularWeeks(of matchups: [Matchup], _ teams: [Team]) -> Int {
    var left = Dictionary(teams.map { ($0.id, $0.season.games) }) { first, _ in first }
    guard left.values.contains(where: { $0 > 0 }) else { return .max }
    for matchup in matchups where matchup.isPlayed {
      guard let away = matchup.away else { continue }
      for side in [matchup.home, away] {
        guard let games = left[side.team], games > 0 else { return matchup.week - 1 }
        left[side.team] = games - 1
      }
    }
    return .max
  }
}

extension [String?] {
  /// Several names joined by single spaces, without the empty ones; nil where all are empty.
  fileprivate var joinedNames: String? { compactMap { $0?.filled }.joined(separator: " ").filled }
}
