// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import LeagueCore
public import PropertyTesting
internal import Reporting

/// The product's eighteen promises about leagues, `promise.1` to `promise.18`, and two about their foundations.
/// `league.1` to `league.20` cover the ranking alone.
public enum LeagueServiceProperties {
  public static let catalogue = PropertyCatalogue(
    core: "LeagueCore and LeagueConnections", production: .shipping, properties: all(of:), mutants: PromiseMutants.all)

  /// All properties, in the order of their numbers.
  private static func all(of code: PromiseOperations) -> [Property] {
    let properties = reading(of: code) + roasting(of: code) + showing(of: code) + LeagueWorld.properties(of: code)
    return properties.sorted { ($0.id.count, $0.id) < ($1.id.count, $1.id) }
  }

  // MARK: Documents

  private static func reading(of code: PromiseOperations) -> [Property] {
    [
      Property(
        "promise.1", "A league that a service sends is ranked by the formula",
        reference: "league.1 and league.5, from the document on", arguments: ["documents"], SentLeague.any()
      ) { sent in
        let (exact, count) = (ScoreSpecification(sent.league.teams), sent.league.teams.count)
        let ranking = try PowerRanking(code.read(sent.files).teams)
        try require(ranking.teams.count == count, "\(ranking.teams.count) teams of \(count)")
        for ranked in ranking.teams {
          let rank = exact.rank(of: ranked.team)
          try require(ranked.rank == rank, "\(ranked.team.line) ranks \(ranked.rank), not \(rank)")
        }
      },
      Property(
        "promise.8", "ESPN's document is read as its league, in every form of each part",
        reference: "ESPN v3 as recorded from 2015 to 2023", arguments: ["document"], SentLeague.espn()
      ) { sent in try gives(sent, code) },
      Property(
        "promise.9", "Sleeper's documents are read as their league, in every form of each part",
        reference: "Sleeper v1 as recorded in 2020 and 2024", arguments: ["documents"], SentLeague.sleeper()
      ) { sent in try gives(sent, code) },
      Property(
        "promise.10", "Both services give the same team; omitted values have the stated default",
        reference: "one model of a team", arguments: ["teams"], .arrays(of: PlainTeam.any, count: 1...3)
      ) { teams in
        for files in [PlainTeam.espn(teams), PlainTeam.sleeper(teams)] {
          let found = try code.read(files).teams
          try require(found == teams.enumerated().map { $1.team(id: $0 + 1) }, "\(files[0].name) gives \(found)")
        }
      },
      Property(
        "promise.19", "A damaged document gives teams that can be ranked, or an error that names the file",
        reference: "bad input", arguments: ["documents"], SentLeague.damaged()
      ) { sent in try readsOrNames(sent.files, code) },
      Property(
        "promise.20", "The schedule gives the records that the service sends, and their wins and points balance",
        reference: "every game has two sides", arguments: ["documents"],
        SentLeague.any(teams: 2...12, isPlayed: .just(true))
      ) { sent in
        let league = try code.read(sent.files)
        // Generated records do not include games against the median.
        guard !league.playsMedian else { return }
        for (team, found) in zip(league.teams, try league.teams(afterWeek: LeagueGame.weeks.upperBound)) {
          try require(found.season == team.season, "the schedule gives \(found.line), the document \(team.line)")
        }
        let seasons = league.teams.map(\.season)
        let wins = seasons.reduce(0) { $0 + $1.wins - $1.losses }
        let points = seasons.reduce(0) { $0 + $1.pointsFor.thousandths - $1.pointsAgainst.thousandths }
        try require(wins == 0 && points == 0, "\(wins) wins and \(points) thousandths more than those of the opponents")
      },
    ]
  }

  /// Checks that damaged files give teams that can be ranked, or an error that names one of the files.
  static func readsOrNames(_ files: [LeagueFile], _ code: PromiseOperations) throws {
    do {
      _ = try PowerRanking(code.read(files).teams)
      label("read")
    } catch let error as LeagueDocumentError {
      label(error.field.isEmpty ? "refused as a whole" : "refused for a field")
      let names = files.map(\.name)
      try require(names.contains(error.file), "the error names '\(error.file)', not one of \(names)")
      try require(!error.found.isEmpty && !error.expected.isEmpty && !error.cure.isEmpty, "\(error)")
    }
  }

  private static func gives(_ sent: SentLeague, _ code: PromiseOperations) throws {
    var league = try code.read(sent.files)
    // Teams may be sent without a record, which is noted.
    league.notes = []
    for (team, expected) in zip(league.teams, sent.league.teams) {
      try require(team == expected, "\(team) instead of \(expected)")
    }
    for (game, expected) in zip(league.games, sent.league.games) {
      try require(game == expected, "\(game) instead of \(expected)")
    }
    try require(league == sent.league, "\(league) instead of \(sent.league)")
  }

  // MARK: Roasts

  private static func roasting(of code: PromiseOperations) -> [Property] {
    [
      Property(
        "promise.5", "Roasts are accepted exactly when each team has one, of 3 to 5 sentences",
        reference: "the form that the prompt asks for", arguments: ["roasts"], SentRoasts.any(subjects: [.record])
      ) { sent in
        let sound = sent.teams.count == sent.roasts.count && sent.roasts.allSatisfy { (3...5).contains($0.sentences) }
        try accepts(sound && sent.hasEachTeamOnce, sent, by: code)
      },
      Property(
        "promise.6", "Roasts are accepted exactly when each names its team's record, points, streak or a top player",
        reference: "the form that the prompt asks for", arguments: ["roasts"],
        SentRoasts.any(subjects: SentRoasts.Subject.allCases, sentences: 3...3, isWhole: true)
      ) { sent in try accepts(sent.roasts.allSatisfy { $0.subject.isOwn }, sent, by: code) },
      Property(
        "promise.7", "Every field of the context that is not empty is in the prompt, in quotes",
        reference: "the roasts' context",
        arguments: ["league", "context"], League.any(), LeagueContext.any()
      ) { league, context in
        let prompt = code.prompt(try PowerRanking(league.teams), context)
        let fields =
          context.insideJokes + context.personalities.flatMap { [$0.key, $0.value] }
          + [context.sackoPunishment, context.cultureNotes]
        for field in fields where !field.squeezed.isEmpty {
          let quoted = field.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
          try require(prompt.shows("\"\(quoted)\""), "\(field.debugDescription) is not in \(prompt)")
        }
      },
    ]
  }

  private static func accepts(_ isSound: Bool, _ sent: SentRoasts, by code: PromiseOperations) throws {
    do {
      let teams = try code.roasts(sent.bytes, sent.teams)
      try require(isSound, "they are accepted")
      for team in teams {
        let expected = sent.roasts.first { $0.team == team.id }?.text
        try require(team.roast == expected, "team \(team.id) has \(team.roast ?? "none")")
      }
    } catch let error as RoastError {
      try require(!isSound, "they are refused: \(error)")
    }
  }

  // MARK: Texts

  private static func showing(of code: PromiseOperations) -> [Property] {
    [
      Property(
        "promise.15", "The export is a block a team, best first: rank, name, owner, record, points, and any roast",
        reference: "the format of the export", arguments: ["league"], League.any()
      ) { league in
        let (ranking, text) = (try PowerRanking(league.teams), code.export(try PowerRanking(league.teams)))
        let blocks = text.isEmpty ? [] : text.components(separatedBy: "\n\n")
        try require(blocks.count == ranking.teams.count, "\(blocks.count) blocks of \(ranking.teams.count) teams")
        for (block, ranked) in zip(blocks, ranking.teams) {
          let (team, season) = (ranked.team, ranked.team.season)
          let owner = team.owner.flatMap { $0.squeezed.isEmpty ? nil : $0 }
          var lines = [
            "\(ranked.rank). \(team.name)", "Owner: \(owner ?? "unknown")",
            "Record: \(season.wins)-\(season.losses)-\(season.ties)",
            "Points: \(season.pointsFor) for, \(season.pointsAgainst) against",
          ]
          if let roast = team.roast { lines.append("Roast: \(roast)") }
          let found = block.components(separatedBy: "\n")
          try require(found.map(\.squeezed) == lines.map(\.squeezed), "\(found) instead of \(lines)")
        }
      },
      Property(
        "promise.18", "Every team is shown in full: rank, name, owner, record, points, score, streak and top players",
        reference: "what `league rank --format json` has", arguments: ["league"], League.any()
      ) { league in
        let ranking = try PowerRanking(league.teams)
        guard case .array(let rows)? = try code.shown(league).member("teams") else {
          return try require(false, "no teams")
        }
        try require(rows.count == ranking.teams.count, "\(rows.count) rows of \(ranking.teams.count) teams")
        for (row, ranked) in zip(rows, ranking.teams) {
          let (team, season) = (ranked.team, ranked.team.season)
          let players = team.topPlayers.map { player -> JSONValue in
            [
              "id": .string(player.id), "name": .string(player.name), "position": .text(player.position),
              "points": player.points.map { .number($0.value) } ?? .null,
            ]
          }
          let facts: [(String, JSONValue)] = [
            ("id", .integer(team.id)), ("name", .string(team.name)), ("owner", .text(team.owner)),
            ("record", .string("\(season.wins)-\(season.losses)-\(season.ties)")),
            ("pointsFor", .number(season.pointsFor.value)), ("pointsAgainst", .number(season.pointsAgainst.value)),
            ("powerScore", .number(ranked.score.value)), ("rank", .integer(ranked.rank)),
            ("streak", .text(season.streak?.description)), ("topPlayers", .array(players)),
          ]
          for (key, value) in facts {
            let found = row.member(key)
            try require(found == value, "\(key) is \(found?.text ?? "missing"), not \(value.text)")
          }
        }
      },
    ]
  }
}

extension String {
  /// The text without white space, control characters and line ends, which one-line texts fold.
  fileprivate var squeezed: [UInt8] {
    var kept = String.UnicodeScalarView()
    for scalar in unicodeScalars where !scalar.properties.isWhitespace {
      let turnsWriting = (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
      if scalar.properties.generalCategory != .control, !turnsWriting { kept.append(scalar) }
    }
    return Array(String(kept).utf8)
  }

  fileprivate func shows(_ part: String) -> Bool {
    let part = part.squeezed
    return part.isEmpty || Data(squeezed).range(of: Data(part)) != nil
  }
}

/// A team that both services can send, with all members or with its id alone.
private struct PlainTeam: Sendable {
  let name: String?
  let owner: String?
  let season: SeasonRecord

  static let any = zip(
    Gen<String?>.optionals(of: .strings(of: .letters, count: 1...3)),
    Gen<String?>.optionals(of: .strings(of: .letters, count: 1...3)), SeasonSketch.record
  ).map { PlainTeam(name: $0, owner: $0 == nil ? nil : $1, season: try $2.inHundredths) }

  func team(id: Int) -> Team { Team(id: id, name: name ?? "Team \(id)", owner: owner, season: season) }

  /// The forms for a record with all members present.
  private static let forms = Array(repeating: 2, count: 14)

  static func espn(_ teams: [PlainTeam]) -> [LeagueFile] {
    let members = teams.enumerated().map { offset, team -> JSONValue in
      ["id": .string("\(offset)"), "displayName": .text(team.owner)]
    }
    let bodies = teams.enumerated().map { offset, team -> JSONValue in
      [
        "id": .integer(offset + 1), "name": .text(team.name), "primaryOwner": .string("\(offset)"),
        "record": ["overall": overall(team.season, forms)],
      ]
    }
    return [LeagueFile(name: "espn.json", json: ["teams": .array(bodies), "members": .array(members)])]
  }

  static func sleeper(_ teams: [PlainTeam]) -> [LeagueFile] {
    let users = teams.enumerated().map { offset, team -> JSONValue in
      [
        "user_id": .string("\(offset)"), "display_name": .text(team.owner), "metadata": ["team_name": .text(team.name)],
      ]
    }
    let rosters = teams.enumerated().map { offset, team -> JSONValue in
      .of(
        always("roster_id", .integer(offset + 1)), always("owner_id", .string("\(offset)")),
        rosterRecord(team.season, forms))
    }
    return [
      LeagueFile(name: "sleeper.json", json: ["league_id": "1"]),
      LeagueFile(name: "rosters.json", json: .array(rosters)), LeagueFile(name: "users.json", json: .array(users)),
    ]
  }
}

extension JSONValue {
  fileprivate static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

/// Roasts as an author sends them, valid or not, with the expected verdict's facts.
struct SentRoasts: Sendable, CustomStringConvertible {
  enum Subject: CaseIterable, Sendable {
    case record, points, streak, player, nothing, otherRecord

    var isOwn: Bool { self != .nothing && self != .otherRecord }
  }

  struct Roast: Sendable {
    /// The id of the roasted team; it may be an id that no team has.
    let team: Int
    let subject: Subject
    let sentences: Int
    let text: String
  }

  let teams: [Team]
  let roasts: [Roast]

  var hasEachTeamOnce: Bool { roasts.map(\.team).sorted() == teams.map(\.id).sorted() }

  var bytes: Data {
    Data(JSONValue.array(roasts.map { ["teamId": .integer($0.team), "roast": .string($0.text)] }).text.utf8)
  }

  var description: String {
    "\(teams.map(\.line).joined(separator: "; ")): \(roasts.map { "\($0.team): \($0.text)" }.joined(separator: "; "))"
  }

  /// Sentences without names and numbers; the stops inside them end no sentence.
  private static let idle = [
    "Nobody fears them.", "Even Mr. Burns would blush!", "Why, though?!", "T.J. Hooker drafts better...",
    "The waiver wire cried \"enough!\" and left.",
  ]

  static func any(
    subjects: [Subject], sentences: ClosedRange<Int> = 1...7, isWhole: Bool = false
  ) -> Gen<SentRoasts> {
    let roast = zip(
      Gen<Subject>.elements(of: subjects), Gen<Int>.integers(in: sentences, towards: 3),
      Gen<[String]>.arrays(of: .elements(of: idle), count: 6))
    let team = zip(SeasonSketch.record.filter { $0.streak != nil }, roast)
    // Which roast is left out, sent twice, or sent for an unknown team.
    let slip = Gen<(Int, Int)?>.optionals(of: zip(.integers(in: 0...2), .integers(in: 0...3)))
    return zip(Gen.arrays(of: team, count: 0...4), isWhole ? .just(nil) : slip).map { sketches, slip in
      let player = Player(id: "1", name: "Joe Quixote")
      let teams = sketches.enumerated().map {
        Team(id: $0 * 2 + 1, name: "A", season: $1.0, topPlayers: [player])
      }
      var roasts = zip(teams, sketches.map(\.1)).map { team, sketch in
        let (subject, sentences, idle) = sketch
        let text = ([team.sentence(about: subject)] + idle.prefix(sentences - 1)).joined(separator: " ")
        return Roast(team: team.id, subject: subject, sentences: sentences, text: text)
      }
      if let (kind, offset) = slip, !roasts.isEmpty {
        let index = offset % roasts.count
        let one = roasts[index]
        switch kind {
        case 0: roasts.remove(at: index)
        case 1: roasts.append(one)
        default: roasts[index] = Roast(team: 2, subject: one.subject, sentences: one.sentences, text: one.text)
        }
      }
      return SentRoasts(teams: teams, roasts: roasts)
    }
  }
}

extension Team {
  fileprivate func sentence(about subject: SentRoasts.Subject) -> String {
    switch subject {
    case .record: "They are \(season.wins)-\(season.losses)-\(season.ties)."
    case .points: "They scored \(season.pointsFor) points."
    case .streak: "They are on \(season.streak.map { "\($0)" } ?? "none")."
    case .player: "Quixote carries them."
    case .nothing: "They exist."
    case .otherRecord: "They are \(season.wins + 1)-\(season.losses)-\(season.ties)."
    }
  }
}
