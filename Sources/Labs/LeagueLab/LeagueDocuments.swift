// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import LeagueCore
internal import PropertyTesting
internal import Reporting

/// A document of a service, intact or damaged.
struct LeagueFile: Sendable, CustomStringConvertible {
  let name: String
  var json: JSONValue
  /// The bytes that are sent instead of the JSON.
  var damage: [UInt8]?

  var bytes: Data { damage.map { Data($0) } ?? Data(json.text.utf8) }

  /// The document on one line.
  var description: String {
    let text = damage.map { String(decoding: $0, as: UTF8.self) } ?? json.text
    return "\(name): \(text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " "))"
  }
}

/// A league, and documents of it in one of the forms that a service sends.
struct SentLeague: Sendable, CustomStringConvertible {
  /// The league that the reader must return.
  let league: League
  var files: [LeagueFile]

  var description: String { files.map(\.description).joined(separator: "; ") }

  /// Leagues with a number of teams in the range, and either a played season or arbitrary records.
  static func any(teams: ClosedRange<Int> = 1...12, isPlayed: Gen<Bool> = .booleans()) -> Gen<SentLeague> {
    .oneOf(espn(teams: teams, isPlayed: isPlayed), sleeper(teams: teams, isPlayed: isPlayed))
  }

  // MARK: ESPN

  /// One document with teams, members, rosters and a schedule; every optional part may be missing.
  static func espn(
    teams count: ClosedRange<Int> = 1...12, isPlayed: Gen<Bool> = .booleans()
  ) -> Gen<SentLeague> {
    Gen { draws in
      let people = try draws.people { number, first, last, draws in
        let display = try draws.text()
        let json = JSONValue.of(
          always("id", .string("{\(number)}")), try draws.member("displayName", display),
          try draws.member("firstName", first), try draws.member("lastName", last))
        return (json, display.filled ?? [first, last].joined)
      }
      let (teams, season) = try draws.teams(count, isPlayed) { try $0.espnTeam(people) }
      let ids = teams.map(\.team.id)
      let (name, playsMedian) = (try draws.text(), try draws.draw(.booleans()))
      // The play-offs follow from their type; without it from the settings, and without those from the records.
      let tellsType = try draws.draw(.booleans())
      let weeks = try draws.member("matchupPeriodCount", .integer(season.regularWeeks), isDefault: true)
      let settings = JSONValue.of(
        try draws.member("name", name), always("scheduleSettings", .object(weeks)),
        always("scoringSettings", ["scoringEnhancementType": .string(playsMedian ? "WIN_BONUS_TOP_HALF" : "NONE")]))
      let schedule = try season.games.map { try draws.espnGame($0, ids, tellsType: tellsType) }
      let json = JSONValue.of(
        always("id", 42), always("seasonId", 2024), always("teams", .array(teams.map(\.json))),
        always("members", .array(people.map(\.json))),
        try draws.member("settings", settings, isDefault: name.filled == nil && !playsMedian),
        try draws.member("schedule", .array(schedule), isDefault: schedule.isEmpty))
      let isList = try draws.draw(.booleans())
      return SentLeague(
        league: League(
          connection: LeagueConnection(platform: .espn, leagueID: "42", season: 2024),
          name: name.filled ?? "League 42", teams: teams.map(\.team), games: season.games(ids),
          playsMedian: playsMedian),
        files: [LeagueFile(name: "league.json", json: isList ? .array([json]) : json)])
    }
  }

  // MARK: Sleeper

  /// The documents of a league, its rosters, its users, and the matchups of its weeks.
  static func sleeper(
    teams count: ClosedRange<Int> = 1...12, isPlayed: Gen<Bool> = .booleans()
  ) -> Gen<SentLeague> {
    Gen { draws in
      let people = try draws.people { number, display, team, draws in
        let named = JSONValue.of(try draws.member("team_name", team), always("archived", "off"))
        let json = JSONValue.of(
          always("user_id", .string("\(number)")), try draws.member("display_name", display),
          try draws.member("metadata", named, isDefault: team.filled == nil))
        return (json, display.filled)
      }
      let teamNames = people.map(\.second)
      let (teams, season) = try draws.teams(count, isPlayed) { try $0.sleeperTeam(people, teamNames) }
      let ids = teams.map(\.team.id)
      let (name, playsMedian) = (try draws.text(), try draws.draw(.booleans()))
      let lastPlayed = season.games.filter(\.isPlayed).map(\.week).max() ?? 0
      let settings = JSONValue.of(
        try draws.member("league_average_match", .integer(playsMedian ? 1 : 0), isDefault: !playsMedian),
        always("last_scored_leg", .integer(lastPlayed)),
        try draws.member(
          "playoff_week_start", .integer(season.regularWeeks + 1), isDefault: !season.games.contains(where: \.isPlayoff)
        ))
      let league = JSONValue.of(
        always("league_id", "42"), always("season", "2024"), always("settings", settings),
        try draws.member("name", name))
      let games = season.games(ids)
      let weeks = try Set(games.map(\.week)).sorted().map { week in
        LeagueFile(
          name: "matchups-\(week).json",
          json: .array(try games.filter { $0.week == week }.enumerated().flatMap { try draws.sleeperGame($1, $0) }))
      }
      return SentLeague(
        league: League(
          connection: LeagueConnection(platform: .sleeper, leagueID: "42", season: 2024),
          name: name.filled ?? "League 42", teams: teams.map(\.team), games: games, playsMedian: playsMedian),
        files: [
          LeagueFile(name: "league.json", json: league),
          LeagueFile(name: "rosters.json", json: .array(teams.map(\.json))),
          LeagueFile(name: "users.json", json: .array(people.map(\.json))),
        ] + weeks)
    }
  }

  /// A small document with up to four changes: changed bytes, or parts of the tree removed, replaced or repeated.
  static func damaged() -> Gen<SentLeague> {
    .damaged(any(teams: 1...2, isPlayed: .just(false)))
  }
}

func always(_ key: String, _ value: JSONValue) -> [JSONMember] { [JSONMember(key, value)] }

extension JSONValue {
  static func of(_ members: [JSONMember]...) -> JSONValue { .object(members.flatMap(\.self)) }
}

/// Writes a team once its id and record are known.
private typealias WrittenTeam = @Sendable (_ id: Int, _ season: SeasonRecord) throws -> (json: JSONValue, team: Team)

/// A member in a form: missing (0), null (1) or present (2); a value other than the default is always present.
private func memberOf(_ key: String, _ value: JSONValue?, isDefault: Bool, form: Int) -> [JSONMember] {
  if let value, !isDefault || form == 2 { return [JSONMember(key, value)] }
  return form == 0 ? [] : [JSONMember(key, .null)]
}

private func points(_ points: Points, form: Int) -> JSONValue {
  switch form {
  case 0 where points.thousandths % 1000 == 0: .integer(points.thousandths / 1000)
  // A sum of binary fractions, such as 1640.6000000000004.
  case 1 where 1...999_999_999 ~= points.thousandths: .number(points.value.nextUp)
  default: .number(points.value)
  }
}

/// A person with an id, and with names as the service sends them.
private struct Person {
  let number: Int
  let json: JSONValue
  /// The name by which the reader must call an owner.
  let name: String?
  let second: String?
}

extension ChoiceSource {
  /// A member with its value. A member without a value, or with the default one, may be missing or null. The form is
  /// always drawn, so that shrinking a value changes nothing else.
  fileprivate mutating func member(
    _ key: String, _ value: JSONValue?, isDefault: Bool = false
  ) throws -> [JSONMember] {
    memberOf(key, value, isDefault: isDefault, form: try draw(.integers(in: 0...2)))
  }

  /// A name with extra white space around it, or none.
  fileprivate mutating func member(_ key: String, _ text: String?) throws -> [JSONMember] {
    let space = Gen<String>.elements(of: ["", " ", "  ", "\t", "\u{A0}", "\r\n"])
    return try member(key, try text.map { .string(try draw(space) + $0 + (try draw(space))) }, isDefault: text == "")
  }

  fileprivate mutating func text() throws -> String? { try draw(.optionals(of: Standings.names)) }

  /// Teams with gaps between their ids, and either arbitrary records or those of a season drawn after the teams.
  fileprivate mutating func teams(
    _ count: ClosedRange<Int>, _ isPlayed: Gen<Bool>,
    _ write: @escaping @Sendable (inout ChoiceSource) throws -> WrittenTeam
  ) throws -> (teams: [(json: JSONValue, team: Team)], season: SeasonSketch) {
    let team = Gen<(gap: Int, record: SeasonRecord, write: WrittenTeam)> { draws in
      (try draws.draw(.integers(in: 1...3)), try draws.draw(SeasonSketch.record), try write(&draws))
    }
    let teams = try draw(.arrays(of: team, count: count))
    var season = SeasonSketch(records: teams.map(\.record))
    if try draw(isPlayed), teams.count > 1 { season = try draw(SeasonSketch.played(teams: teams.count)) }
    var id = 0
    let written = try zip(teams, season.records).map { team, record in
      id += team.gap
      return try team.write(id, record)
    }
    return (written, season)
  }

  /// The forms of a record's members, one number each.
  private mutating func forms() throws -> [Int] { try draw(.arrays(of: .integers(in: 0...2), count: 14)) }

  fileprivate mutating func people(
    _ write: (Int, String?, String?, inout ChoiceSource) throws -> (JSONValue, String?)
  ) throws -> [Person] {
    try (1...(1 + draw(.integers(in: 0...2)))).map { number in
      let (first, second) = (try text(), try text())
      let (json, name) = try write(number, first, second, &self)
      return Person(number: number, json: json, name: name, second: second.filled)
    }
  }

  private mutating func points(_ value: Points) throws -> JSONValue {
    LeagueLab.points(value, form: try draw(.integers(in: 0...2)))
  }

  fileprivate mutating func espnTeam(_ people: [Person]) throws -> WrittenTeam {
    let names = try ["name", "location", "nickname", "abbrev"].map { (key: $0, text: try text()) }
    let primary = try draw(.optionals(of: .integers(in: 1...5)))
    let owners = try draw(.arrays(of: Gen<Int>.integers(in: 1...5), count: 0...3))
    let roster = try draw(.arrays(of: RosterEntry.any, count: 0...7))
    let entries = try roster.enumerated().map { try entry($1, id: $0 + 1) }
    let fields = [
      try names.flatMap { try member($0.key, $0.text) },
      try member("primaryOwner", primary.map { .string("{\($0)}") }),
      try member("owners", .array(owners.map { .string("{\($0)}") }), isDefault: owners.isEmpty),
      try member("roster", ["entries": .array(entries)], isDefault: entries.isEmpty),
    ].flatMap(\.self)
    let texts = names.map(\.text)
    let called = texts[0].filled ?? [texts[1], texts[2]].joined ?? texts[3].filled
    let candidates = [primary].compactMap(\.self) + owners
    let owner = candidates.compactMap { number in people.first { $0.number == number }?.name }.first
    let (top, forms) = (RosterEntry.top(roster), try forms())
    return { id, season in
      let record: JSONValue = ["home": ["wins": 7, "pointsFor": 7], "overall": overall(season, forms)]
      let member = memberOf("record", record, isDefault: season == SeasonRecord(), form: forms[13])
      return (
        .of(always("id", .integer(id)), member, fields),
        Team(id: id, name: called ?? "Team \(id)", owner: owner, season: season, topPlayers: top)
      )
    }
  }

  private mutating func entry(_ entry: RosterEntry, id: Int) throws -> JSONValue {
    let name = entry.name.filled.map { _ in entry.name }
    let person = JSONValue.of(
      try member("fullName", name ?? ""), try member("defaultPositionId", entry.position.map { .integer($0.id) }),
      try member("stats", .array([["appliedTotal": 1, "statSourceId": 1]]), isDefault: true))
    let pool = JSONValue.of(
      try member("appliedStatTotal", try entry.points.map { try points($0) }), always("player", person))
    return .of(
      always("playerId", .integer(id)), always("playerPoolEntry", pool),
      try member("lineupSlotId", .integer(entry.slot), isDefault: entry.slot == 0))
  }

  fileprivate mutating func espnGame(_ game: LeagueGame, _ ids: [Int], tellsType: Bool) throws -> JSONValue {
    func side(_ side: LeagueGame.Side, _ draws: inout ChoiceSource) throws -> JSONValue {
      .of(
        always("teamId", .integer(ids[side.team])),
        try draws.member(
          "totalPoints", try draws.points(side.points), isDefault: side.points == .zero && !game.isPlayed))
    }
    let other = game.away?.points ?? .zero
    let winner = game.home.points > other ? "HOME" : game.home.points < other ? "AWAY" : "TIE"
    let type = always("playoffTierType", .string(game.isPlayoff ? "WINNERS_BRACKET" : "NONE"))
    return .of(
      always("matchupPeriodId", .integer(game.week)), always("home", try side(game.home, &self)),
      try member("away", try game.away.map { try side($0, &self) }),
      try member("winner", .string(game.isPlayed ? winner : "UNDECIDED"), isDefault: !game.isPlayed),
      tellsType ? type : [])
  }

  fileprivate mutating func sleeperTeam(_ people: [Person], _ teamNames: [String?]) throws -> WrittenTeam {
    let first = try draw(.optionals(of: .integers(in: 1...5)))
    let others = try draw(.arrays(of: Gen<Int>.integers(in: 1...5), count: 0...2))
    let fields = [
      try member("owner_id", first.map { .string("\($0)") }),
      try member("co_owners", .array(others.map { .string("\($0)") }), isDefault: others.isEmpty),
      try ["reserve", "taxi"].flatMap { try member($0, .array(["4046"]), isDefault: true) },
    ].flatMap(\.self)
    let user = ([first].compactMap(\.self) + others).compactMap { number in people.first { $0.number == number } }.first
    let name = user.flatMap { teamNames[$0.number - 1] } ?? user?.name
    let forms = try forms()
    return { id, played in
      let season = try played.inHundredths
      return (
        .of(always("roster_id", .integer(id)), fields, rosterRecord(season, forms)),
        Team(id: id, name: name ?? "Team \(id)", owner: user?.name, season: season)
      )
    }
  }

  /// The two entries of a game, or the single one of a bye; the commissioner's points take precedence.
  fileprivate mutating func sleeperGame(_ game: LeagueGame, _ number: Int) throws -> [JSONValue] {
    try [game.home, game.away].compactMap(\.self).map { side in
      let isCorrected = try draw(.booleans())
      let other = Points.zero == side.points ? 7 : 0
      return .of(
        always("roster_id", .integer(side.team)),
        always("matchup_id", game.away == nil ? .null : .integer(number + 1)),
        always("points", isCorrected ? .integer(other) : try points(side.points)),
        try member("custom_points", isCorrected ? try points(side.points) : nil))
    }
  }
}

/// The record as ESPN sends it.
func overall(_ season: SeasonRecord, _ forms: [Int]) -> JSONValue {
  let type = season.streak.map { ["WIN", "LOSS", "TIE"][Int($0.outcome.rawValue)] } ?? "NONE"
  let members: [(String, JSONValue, isDefault: Bool)] = [
    ("wins", .integer(season.wins), season.wins == 0), ("losses", .integer(season.losses), season.losses == 0),
    ("ties", .integer(season.ties), season.ties == 0),
    ("pointsFor", points(season.pointsFor, form: forms[10]), season.pointsFor == .zero),
    ("pointsAgainst", points(season.pointsAgainst, form: forms[11]), season.pointsAgainst == .zero),
    ("streakType", .string(type), season.streak == nil),
    ("streakLength", .integer(season.streak?.length ?? 0), season.streak == nil),
  ]
  return .object(zip(members, forms).flatMap { memberOf($0.0, $0.1, isDefault: $0.isDefault, form: $1) })
}

/// The record as Sleeper sends it: numbers in the settings, and in the metadata the streak or all games' outcomes.
func rosterRecord(_ season: SeasonRecord, _ forms: [Int]) -> [JSONMember] {
  let counts = [("wins", season.wins), ("losses", season.losses), ("ties", season.ties)]
  let sums = [("fpts", season.pointsFor), ("fpts_against", season.pointsAgainst)].flatMap { key, points in
    [(key, points.thousandths / 1000), ("\(key)_decimal", points.thousandths % 1000 / 10)]
  }
  let settings = zip(counts + sums, forms).flatMap { number, form in
    memberOf(number.0, .integer(number.1), isDefault: number.1 == 0, form: form)
  }
  let metadata = season.streak.map { run -> JSONValue in
    let letter = run.outcome.letter
    return forms[10] == 0
      ? ["record": .string((run.outcome == .win ? "LT" : "TW") + String(repeating: letter, count: run.length))]
      : ["streak": .string("\(run.length)\(letter)"), "record": forms[10] == 1 ? .null : "WLT"]
  }
  return memberOf("metadata", metadata, isDefault: false, form: forms[11])
    + memberOf(
      "settings", .object(settings), isDefault: season.with(streak: nil) == SeasonRecord(), form: forms[12])
}

/// A player in a slot of ESPN's line-up.
private struct RosterEntry: Sendable {
  let slot: Int
  let name: String
  let position: (id: Int, name: String)?
  let points: Points?

  /// Starters, the bench (slot 20) and injured reserve (slot 21).
  static let any = zip(
    Gen<Int>.elements(of: [0, 2, 4, 6, 16, 17, 20, 21, 23]), Standings.names,
    Gen<(id: Int, name: String)?>.optionals(
      of: .elements(of: [(id: 1, name: "QB"), (id: 2, name: "RB"), (id: 16, name: "D/ST")])),
    Gen<Points?>.optionals(of: Gen<Int>.integers(in: -9_000...60_000).map { try Points(thousandths: $0) })
  ).map(RosterEntry.init)

  /// The five best players of those who are neither on the bench nor injured, best first.
  static func top(_ entries: [RosterEntry]) -> [Player] {
    let players = entries.enumerated().filter { ![20, 21].contains($1.slot) }.map { index, entry in
      Player(
        id: "\(index + 1)", name: entry.name.filled ?? "\(index + 1)", position: entry.position?.name,
        points: entry.points)
    }
    let minimum = -Points.maxThousandths - 1
    return Array(
      players.sorted { left, right in
        let (mine, others) = (left.points?.thousandths ?? minimum, right.points?.thousandths ?? minimum)
        return mine != others ? mine > others : (left.name, left.id) < (right.name, right.id)
      }.prefix(5))
  }
}

extension String? {
  /// The text without white space at its ends; nil if nothing is left.
  fileprivate var filled: String? { flatMap(\.filled) }
}

extension String {
  fileprivate var filled: String? {
    let scalars = unicodeScalars.drop { $0.properties.isWhitespace }.reversed().drop { $0.properties.isWhitespace }
    return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars.reversed()))
  }
}

extension [String?] {
  fileprivate var joined: String? {
    let names = compactMap(\.filled)
    return names.isEmpty ? nil : names.joined(separator: " ")
  }
}
