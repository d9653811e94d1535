// SPDX-License-Identifier: GPL-3.0-or-later
internal import LeagueCore
internal import PropertyTesting
internal import Reporting

/// Records with the games that give them, or records alone.
struct SeasonSketch: Sendable {
  let records: [SeasonRecord]
  /// Games in the order of their weeks; teams by their positions.
  var games: [LeagueGame] = []

  init(records: [SeasonRecord]) { self.records = records }

  /// The last week that the records include.
  var regularWeeks: Int { games.filter { !$0.isPlayoff }.map(\.week).max() ?? 1 }

  func games(_ ids: [Int]) -> [LeagueGame] {
    func side(_ side: LeagueGame.Side) -> LeagueGame.Side { .init(team: ids[side.team], points: side.points) }
    return games.map {
      LeagueGame(
        week: $0.week, home: side($0.home), away: $0.away.map(side), isPlayed: $0.isPlayed, isPlayoff: $0.isPlayoff)
    }
  }

  /// A record without games behind it.
  static let record = {
    let streak = zip(Gen<GameOutcome>.cases(), .integers(in: 1...20)).map { try Streak($0, length: $1) }
    return zip(Standings.seasons, Gen<Streak?>.optionals(of: streak)).map { $0.with(streak: $1) }
  }()

  /// Round-robin seasons with byes, and up to one more game: of the play-offs, or not played yet.
  static func played(teams: Int) -> Gen<SeasonSketch> {
    zip(SeasonPlan.any(teams: teams), Gen<Int>.integers(in: 0...2)).map { try SeasonSketch($0, more: $1) }
  }

  private init(_ plan: SeasonPlan, more: Int) throws {
    (records, games) = (try plan.records(), try plan.games())
    let points = more == 1 ? try Points(thousandths: 101_500) : .zero
    let last = LeagueGame(
      week: plan.weeks.count + 1, home: .init(team: 0, points: points), away: .init(team: 1, points: .zero),
      isPlayed: more == 1, isPlayoff: more == 1)
    if more > 0, !plan.weeks.isEmpty { games.append(last) }
  }
}

extension SeasonPlan {
  /// Every week's games in the order of the schedule, then the team with a bye.
  func games() throws -> [LeagueGame] {
    func game(_ week: Int, _ home: (team: Int, points: Int), _ away: (team: Int, points: Int)?) throws -> LeagueGame {
      LeagueGame(
        week: week, home: .init(team: home.team, points: try points(home.points)),
        away: try away.map { .init(team: $0.team, points: try points($0.points)) }, isPlayed: true, isPlayoff: false)
    }
    return try weeks.indices.flatMap { week in
      let results = results.filter { $0.week == week + 1 }
      let resting = strengths.indices.filter { team in !results.contains { $0.first == team || $0.second == team } }
      return try results.map { try game($0.week, ($0.first, $0.points.0), ($0.second, $0.points.1)) }
        + resting.map { try game(week + 1, ($0, strengths[$0]), nil) }
    }
  }
}

extension SeasonRecord {
  func with(streak: Streak?) -> SeasonRecord {
    let record = try? SeasonRecord(
      wins: wins, losses: losses, ties: ties, pointsFor: pointsFor, pointsAgainst: pointsAgainst, streak: streak)
    return record ?? self
  }

  /// The record with points rounded down to hundredths, as Sleeper writes them.
  var inHundredths: SeasonRecord {
    get throws { try with { try Points(thousandths: $0.thousandths / 10 * 10) } }
  }
}

/// Generates leagues as they are stored and shown, without regard to the service.
extension League {
  static func any(_ connection: LeagueConnection = LeagueConnection(platform: .espn, leagueID: "1", season: 2024))
    -> Gen<League>
  {
    let name = Gen<String>.oneOf(weighted: [(19, Standings.names), (1, .just(String(repeating: "long ", count: 200)))])
    let points = Gen<Int>.integers(in: -9_000...200_000).map { try Points(thousandths: $0) }
    let player = zip(name, Gen<String?>.optionals(of: name), Gen<Points?>.optionals(of: points)).map {
      Player(id: $0, name: $0, position: $1, points: $2)
    }
    let team = zip(
      name, Gen<String?>.optionals(of: name), SeasonSketch.record, Gen.arrays(of: player, count: 0...5),
      Gen<Bool>.booleans())
    let side = zip(Gen<Int>.integers(in: 1...4), points).map { LeagueGame.Side(team: $0, points: $1) }
    let game = zip(
      Gen<Int>.integers(in: 1...17), side, Gen<LeagueGame.Side?>.optionals(of: side), Gen<Bool>.booleans(),
      Gen<Bool>.booleans()
    ).map { LeagueGame(week: $0, home: $1, away: $2, isPlayed: $3, isPlayoff: $4) }
    return zip(name, Gen.arrays(of: team, count: 0...4), Gen.arrays(of: game, count: 0...3), .booleans()).map {
      name, teams, games, playsMedian in
      League(
        connection: connection, name: name,
        teams: teams.enumerated().map { index, team in
          Team(
            id: index * 3 + 1, name: team.0, owner: team.1, season: team.2, topPlayers: team.3,
            roast: team.4 ? "A roast of \(team.0)." : nil)
        },
        games: games, playsMedian: playsMedian)
    }
  }
}

extension LeagueContext {
  static func any() -> Gen<LeagueContext> {
    let text = Standings.names
    return zip(
      Gen.arrays(of: text, count: 0...3), Gen<[String]>.arrays(of: text, count: 0...3), text, text, text
    ).map { jokes, names, kind, punishment, notes in
      LeagueContext(
        insideJokes: jokes, personalities: Dictionary(names.map { ($0, kind) }) { first, _ in first },
        sackoPunishment: punishment, cultureNotes: notes)
    }
  }
}

extension Gen where Value == SentLeague {
  /// Documents with changes to their trees or bytes.
  static func damaged(_ leagues: Gen<SentLeague>) -> Gen<SentLeague> {
    let splinter = Gen<JSONValue>.elements(of: [
      .null, .bool(true), 0, -1, .integer(.max), .unsigned(.max), .number(0.5), .number(1e300), "", "a", .array([]),
      .object([]), .array([["id": 1]]),
    ])
    let change = zip(Gen<Int>.integers(in: 0...2), Gen<Int>.integers(in: 0...9_999), splinter)
    return Gen { draws in
      var league = try draws.draw(leagues)
      for _ in 0..<(try draws.draw(.integers(in: 0...2))) {
        let file = try draws.draw(.integers(in: 0...(league.files.count - 1)))
        let json = league.files[file].json
        let (kind, index, splinter) = try draws.draw(change)
        guard json.parts > 0 else { continue }
        var part = index % json.parts
        league.files[file].json = json.changing(&part) { [[], [splinter], [$0, $0]][kind] }
      }
      if try draws.draw(.booleans()) {
        let file = try draws.draw(.integers(in: 0...(league.files.count - 1)))
        let text = Array(league.files[file].bytes)
        league.files[file].damage = try draws.draw(.damaged(.just(text)))
      }
      return league
    }
  }
}

extension JSONValue {
  func member(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The number of elements and members, nested ones included.
  var parts: Int {
    switch self {
    case .array(let elements): elements.reduce(elements.count) { $0 + $1.parts }
    case .object(let members): members.reduce(members.count) { $0 + $1.value.parts }
    default: 0
    }
  }

  /// The tree with one part, by its number in the order of the text, replaced by none, one or several.
  func changing(_ part: inout Int, _ change: (JSONValue) -> [JSONValue]) -> JSONValue {
    func changed(_ value: JSONValue, _ part: inout Int) -> [JSONValue] {
      part -= 1
      return part == -1 ? change(value) : [part < -1 ? value : value.changing(&part, change)]
    }
    switch self {
    case .array(let elements): return .array(elements.flatMap { changed($0, &part) })
    case .object(let members):
      return .object(members.flatMap { member in changed(member.value, &part).map { JSONMember(member.key, $0) } })
    default: return self
    }
  }

  /// The tree with every member of an object replaced, innermost first.
  func rewriting(_ change: (JSONMember) -> JSONMember?) -> JSONValue {
    switch self {
    case .array(let elements): .array(elements.map { $0.rewriting(change) })
    case .object(let members):
      .object(members.compactMap { change(JSONMember($0.key, $0.value.rewriting(change))) })
    default: self
    }
  }
}
