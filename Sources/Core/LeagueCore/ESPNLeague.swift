// SPDX-License-Identifier: Apache-2.0
internal import CoreJSON

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Reads ESPN's leagues (API v3): the view `mTeam`, and the additions of `mRoster`, `mMatchup` and `mSettings`.
///
/// The settings' `scoringType` says what decides the league; without it, it is points. Leagues of categories have no
/// points: their records count categories, or games. Leagues of season points have no games.
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
/// A game is over when it has a `winner`, which decides it even where the points do not. Its points are `totalPoints`,
/// else the sum of `pointsByScoringPeriod`; a game that is over needs them. An entry with one side is a week off. An
/// entry that is there twice counts once. If no team has a `record`, records are computed from the games.
///
/// `playoffTierType` says whether it is a play-off; without it, a game after the
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
    let document = try LeagueDocument(data, named: file)
    try document.require(.espnLeague)
    return try read([document], season: nil)
  }

  /// The league of a season, from documents that hold one or several.
  static func read(_ documents: [LeagueDocument], season: Int?) throws(LeagueDocumentError) -> League {
    let content = try content(of: documents, season: season)
    let (id, season) = (try content["id"].whole(), try content["seasonId"].whole())
    let settings = try content["settings"]
    let name = try settings["name"].text?.filled
    let regularWeeks = try settings["scheduleSettings"]["matchupPeriodCount"].whole()
    let extra = try settings["scoringSettings"]["scoringEnhancementType"].text
    let schedule = try content["schedule"].elements
    let scoring = try scoring(settings["scoringSettings"]["scoringType"], schedule)
    var names: [String: String?] = [:]
    for member in try content["members"].elements {
      let (id, texts) = (try member["id"].requiredText(), try member.texts("displayName", "firstName", "lastName"))
      if names[id] == nil { names[id] = .some(texts[0]?.filled ?? [texts[1], texts[2]].joinedNames) }
    }
    var (teams, ids, withoutRecord) = ([Team](), Set<Int>(), [String]())
    let list = try content["teams"].required("a list")
    for field in try list.elements {
      let team = try team(field, members: names, scoring)
      guard ids.insert(team.id).inserted else {
        throw try field["id"].error(found: "\(team.id) again", expected: "a unique id")
      }
      if try !field["record"]["overall"].isThere { withoutRecord.append(team.name) }
      teams.append(team)
    }
    guard !teams.isEmpty else { throw list.error(found: "no team", expected: "at least one") }
    var notes: [String] = []
    let matchups = scoring == .seasonPoints ? [] : try matchups(schedule, among: ids, scoring, &notes)
    if let first = withoutRecord.first, scoring != .seasonPoints, withoutRecord.count < teams.count {
      notes.append(
        "\(withoutRecord.count) of \(teams.count) teams came without a record, the first \(first): "
          + "it is shown as 0-0-0.")
    }
    let league = League(
      connection: LeagueConnection(platform: .espn, leagueID: id.map { "\($0)" } ?? "", season: season ?? 0),
      name: name ?? "League\(id.map { " \($0)" } ?? "")", teams: teams,
      games: games(matchups, regularWeeks: regularWeeks, teams), playsMedian: extra == "WIN_BONUS_TOP_HALF",
      kind: scoring.kind, notes: notes)
    guard withoutRecord.count == teams.count else { return league }
    return try list.within { () throws(LeagueError) in try league.withComputedRecords() }
  }

  /// The one league of the documents, or that of the season; a document is an object or a list of objects.
  private static func content(
    of documents: [LeagueDocument], season wanted: Int?
  ) throws(LeagueDocumentError) -> LeagueField {
    var found: [(season: Int?, league: LeagueField)] = []
    for document in documents {
      var leagues = [document.root]
      if case .array = document.root.value { leagues = try document.root.elements }
      for league in leagues { found.append((try league["seasonId"].whole(), league)) }
    }
    let chosen = wanted.map { wanted in found.filter { $0.season == wanted } } ?? found
    if chosen.count == 1 { return chosen[0].league }
    let seasons = Set(found.compactMap(\.season)).sorted().map { "\($0)" }.joined(separator: ", ")
    let several = (found.count == 1 ? "a league" : "\(found.count) leagues") + (seasons.isEmpty ? "" : " of \(seasons)")
    guard let wanted else {
      throw documents[0].error(
        found: several, expected: "one league",
        cure: seasons.isEmpty ? "name one league at a time" : "choose one by --season, or name one league at a time")
    }
    throw documents[0].error(
      found: several, expected: "one league of the season \(wanted)",
      cure: chosen.isEmpty ? "choose a season that is there" : "name one league at a time")
  }

  /// The rule that decides games, and their weights.
  private enum Scoring {
    case points, eachCategory, maxCategories, seasonPoints

    var kind: LeagueKind {
      switch self {
      case .points: .points
      case .eachCategory, .maxCategories: .categories
      case .seasonPoints: .seasonPoints
      }
    }
  }

  private static let scorings: [String: Scoring] = [
    "H2H_POINTS": .points, "H2H_CATEGORY": .eachCategory, "H2H_EACH_CATEGORY": .eachCategory,
    "H2H_MOST_CATEGORIES": .maxCategories, "TOTAL_SEASON_POINTS": .seasonPoints,
  ]

  private static func scoring(
    _ type: LeagueField, _ schedule: [LeagueField]
  ) throws(LeagueDocumentError) -> Scoring {
    if let text = try type.text {
      guard let scoring = scorings[text] else {
        throw type.error(
          expected: "H2H_POINTS, H2H_CATEGORY, H2H_MOST_CATEGORIES or TOTAL_SEASON_POINTS",
          cure: "leagues of another kind are not ranked")
      }
      return scoring
    }
    let sides = try schedule.first.map { first throws(LeagueDocumentError) in
      try (first["home"], first["away"], first["teams"])
    }
    if let sides, !sides.0.isThere, !sides.1.isThere, sides.2.isThere { return .seasonPoints }
    for entry in schedule {
      let score = try entry["home"]["cumulativeScore"]
      if let categories = try decision(score), categories != .init(wins: 0, losses: 0, ties: 0) {
        guard let points = try entry["home"]["totalPoints"].points, points != .zero else {
          throw type.error(
            expected: "the kind of a league whose games count categories", cure: "download it with the view mSettings")
        }
        break
      }
    }
    return .points
  }

  // MARK: Teams

  private static func team(
    _ field: LeagueField, members: [String: String?], _ scoring: Scoring
  ) throws(LeagueDocumentError) -> Team {
    let id = try field["id"].requiredWhole()
    let names = try field.texts("name", "location", "nickname", "abbrev")
    let owners = try [field["primaryOwner"].text].compactMap(\.self) + field["owners"].allTexts
    var season = try season(field["record"]["overall"])
    if scoring == .seasonPoints { season = try withPoints(season, of: field) }
    return Team(
      id: id, name: names[0]?.filled ?? [names[1], names[2]].joinedNames ?? names[3]?.filled ?? "Team \(id)",
      owner: owners.lazy.compactMap { members[$0] ?? nil }.first, season: season,
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

  /// The record of a team in a league of season points, which are in the record or beside it.
  private static func withPoints(
    _ season: SeasonRecord, of team: LeagueField
  ) throws(LeagueDocumentError) -> SeasonRecord {
    let (beside, inside) = (try team["points"], try team["record"]["overall"]["pointsFor"])
    let sent = (beside: try beside.points, inside: try inside.points)
    guard let points = sent.beside ?? sent.inside else {
      throw beside.error(found: beside.value?.shown ?? "no such key", expected: "the points of the season")
    }
    return try beside.within { () throws(LeagueError) in
      try SeasonRecord(
        wins: season.wins, losses: season.losses, ties: season.ties, pointsFor: points,
        pointsAgainst: season.pointsAgainst)
    }
  }

  private static func topPlayers(_ entries: [LeagueField]) throws(LeagueDocumentError) -> [Player] {
    var playing: [Player] = []
    for entry in entries {
      let slot = try entry["lineupSlotId"].whole() ?? 0
      let player = try player(entry)
      if !idleSlots.contains(slot) { playing.append(player) }
    }
    let minimum = Points(checked: -Points.maxThousandths - 1)
    playing.sort { ($1.points ?? minimum, $0.name, $0.id) < ($0.points ?? minimum, $1.name, $1.id) }
    return Array(playing.prefix(Team.maxTopPlayers))
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

  private struct Matchup: Equatable {
    let id: Int?
    let week: Int
    /// The home side, or the only one.
    let home: Side
    let away: Side?
    /// `nil` until it is decided.
    let winner: GameOutcome?
    /// The categories of the home team, in a league that counts each.
    let categories: LeagueGame.Decision?
    /// `nil` where `playoffTierType` is missing.
    let isPlayoff: Bool?
  }

  private struct Side: Equatable {
    let team: Int
    /// `nil` where they are missing.
    let points: Points?

    var side: LeagueGame.Side { LeagueGame.Side(team: team, points: points ?? .zero) }
  }

  /// The entries of the schedule; what is left out is noted.
  private static func matchups(
    _ schedule: [LeagueField], among ids: Set<Int>, _ scoring: Scoring, _ notes: inout [String]
  ) throws(LeagueDocumentError) -> [Matchup] {
    var (matchups, indices) = ([Matchup](), [Int: Int]())
    var (again, empty, summed) = ([Int](), [Int](), [Int]())
    for field in schedule {
      let week = try field["matchupPeriodId"].requiredWhole(in: LeagueGame.weeks)
      guard let matchup = try matchup(field, week, among: ids, scoring, &summed) else {
        empty.append(week)
        continue
      }
      if let id = matchup.id, let index = indices[id] {
        guard matchups[index] == matchup else {
          throw try field["id"].error(found: "\(id) again, with another content", expected: "each entry once")
        }
        again.append(week)
        continue
      }
      if matchup.id == nil, matchup.winner != nil, matchups.contains(matchup) {
        again.append(week)
        continue
      }
      if let id = matchup.id { indices[id] = matchups.count }
      matchups.append(matchup)
    }
    func note(_ weeks: [Int], _ one: String, _ several: String) {
      guard let first = weeks.first else { return }
      notes.append(
        weeks.count == 1 ? "1 \(one), in week \(first)." : "\(weeks.count) \(several), the first in week \(first).")
    }
    note(
      again, "entry of the schedule is there twice and counts once",
      "entries of the schedule are there again and count once")
    note(
      empty, "entry of the schedule has no team and is left out",
      "entries of the schedule have no team and are left out")
    note(
      summed, "game has no totalPoints: its points are the sum of its scoring periods",
      "games have no totalPoints: their points are the sums of their scoring periods")
    return matchups
  }

  /// An entry of the schedule; `nil` for one without a team.
  private static func matchup(
    _ field: LeagueField, _ week: Int, among ids: Set<Int>, _ scoring: Scoring, _ summed: inout [Int]
  ) throws(LeagueDocumentError) -> Matchup? {
    let winners: [String: GameOutcome?] = ["HOME": .win, "AWAY": .loss, "TIE": .tie, "UNDECIDED": nil]
    let winner = try field["winner"].text("HOME, AWAY, TIE or UNDECIDED") { winners[$0] } ?? nil
    let sides = (home: try field["home"], away: try field["away"])
    let hasBoth = sides.home.isThere && sides.away.isThere
    var isSummed = false
    func side(_ field: LeagueField) throws(LeagueDocumentError) -> Side? {
      guard field.isThere else { return nil }
      let team = try field["teamId"]
      let id = try team.requiredWhole()
      guard ids.contains(id) else { throw team.error(found: "\(id)", expected: "the id of one of the teams") }
      let total = try field["totalPoints"]
      var points = try total.points
      if points == nil, let sum = try self.sum(of: field["pointsByScoringPeriod"]) { (points, isSummed) = (sum, true) }
      if points == nil, winner != nil, hasBoth, scoring == .points {
        throw total.error(
          found: total.value?.shown ?? "no such key",
          expected: "the points of a game that is over, here or in pointsByScoringPeriod")
      }
      return Side(team: id, points: points)
    }
    let (home, away) = (try side(sides.home), try side(sides.away))
    if isSummed { summed.append(week) }
    let isPlayoff = try field["playoffTierType"].text.map { $0 != "NONE" }
    guard let first = home ?? away else { return nil }
    let second = home == nil ? nil : away
    if let second, second.team == first.team {
      throw try sides.away["teamId"].error(found: "\(second.team), the home team", expected: "another team")
    }
    var categories: LeagueGame.Decision?
    if scoring == .eachCategory, winner != nil, second != nil {
      let score = try sides.home["cumulativeScore"]
      categories = try decision(score)
      guard categories != nil else {
        throw score.error(found: "no such key", expected: "the categories of a game that is over")
      }
      if let other = try decision(sides.away["cumulativeScore"]), other != categories?.reversed {
        throw try sides.away["cumulativeScore"].error(
          found: "\(other.wins)-\(other.losses)-\(other.ties)",
          expected: categories.map { "\($0.losses)-\($0.wins)-\($0.ties), from the home team's" } ?? "")
      }
    }
    return Matchup(
      id: try field["id"].whole(), week: week, home: first, away: second, winner: winner, categories: categories,
      isPlayoff: isPlayoff)
  }

  /// The categories of one side; `nil` where they are missing.
  private static func decision(_ score: LeagueField) throws(LeagueDocumentError) -> LeagueGame.Decision? {
    guard score.isThere else { return nil }
    return LeagueGame.Decision(
      wins: try score["wins"].games, losses: try score["losses"].games, ties: try score["ties"].games)
  }

  /// The sum of the points of scoring periods; `nil` without any.
  private static func sum(of periods: LeagueField) throws(LeagueDocumentError) -> Points? {
    var sum: Points?
    for (_, field) in try periods.members {
      guard let points = try field.points else { return nil }
      sum = try field.within { () throws(LeagueError) in try (sum ?? .zero).adding(points) }
    }
    return sum
  }

  private static func games(_ matchups: [Matchup], regularWeeks: Int?, _ teams: [Team]) -> [LeagueGame] {
    let matchups = matchups.sorted { $0.week < $1.week }
    let regular = regularWeeks ?? Self.regularWeeks(of: matchups, teams)
    let decided = Set(matchups.lazy.filter { $0.away != nil && $0.winner != nil }.map(\.week))
    return matchups.map { matchup in
      let (home, away) = (matchup.home.side, matchup.away?.side)
      let isOver =
        away != nil
        ? matchup.winner != nil
        : matchup.home.points != nil && (matchup.winner != nil || decided.contains(matchup.week))
      var decision = matchup.categories
      if decision == nil, let winner = matchup.winner, let away,
        winner != GameOutcome(home.points, against: away.points)
      {
        decision = LeagueGame.Decision(winner)
      }
      return LeagueGame(
        week: matchup.week, home: home, away: away, isPlayed: isOver,
        isPlayoff: matchup.isPlayoff ?? (matchup.week > regular), decision: decision)
    }
  }

  /// The last week up to which no team has played more games than its record counts.
  private static func regularWeeks(of matchups: [Matchup], _ teams: [Team]) -> Int {
    var left = Dictionary(teams.map { ($0.id, $0.season.games) }) { first, _ in first }
    guard left.values.contains(where: { $0 > 0 }) else { return .max }
    for matchup in matchups where matchup.winner != nil {
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
