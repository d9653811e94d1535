// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import LeagueConnections
internal import LeagueCore
internal import PropertyTesting
internal import Reporting

/// Mutants: the leagues' core, connections and storage with one operation replaced by a wrong one.
enum PromiseMutants {
  typealias Mutation = PropertyTesting.Mutation<PromiseOperations>

  static let all = espn + sleeper + texts + services + storages

  private static let connected = "connect(0, credentials: nil, version 1)"

  /// ESPN's smallest league, with one team.
  private static func document(_ team: String) -> String {
    #"league.json: { "id": 42, "seasonId": 2024, "teams": [ \#(team) ], "members": [ {"id": "{1}"} ] }"#
  }

  // MARK: Readers

  private static let espn = [
    Mutation(
      "first-stats-row", "a player's points are those of the first row of statistics", caughtBy: "promise.8",
      within: 500
    ) { code in
      code.read = rewriting { member in
        guard member.key == "playerPoolEntry", case .object(let fields) = member.value else { return member }
        let rows = fields.first { $0.key == "player" }?.value.member("stats")
        guard case .array(let elements)? = rows, let total = elements.first?.member("appliedTotal") else {
          return member
        }
        let others = fields.filter { $0.key != "appliedStatTotal" }
        return JSONMember(member.key, .object(others + [JSONMember("appliedStatTotal", total)]))
      }
    },
    Mutation(
      "bench-counted", "players on the bench are among the top players", caughtBy: "promise.8", within: 500,
      smallest: [
        document(
          #"{ "id": 1, "roster": { "entries": [ { "playerId": 1, "playerPoolEntry": { "#
            + #""player": {"fullName": "A"} }, "lineupSlotId": 20 } ] } }"#)
      ]
    ) { $0.read = replacing("lineupSlotId", 20, by: 0) },
    Mutation(
      "nickname-dropped", "a team without a name is called by its location alone", caughtBy: "promise.8", within: 100,
      smallest: [document(#"{"id": 1, "nickname": "A"}"#)]
    ) { $0.read = removing("nickname") },
    // Another member may remain in the simplest case.
    Mutation(
      "primary-owner-ignored", "the first owner of the list is the owner", caughtBy: "promise.8", within: 200
    ) { $0.read = removing("primaryOwner") },
    Mutation("streak-swapped", "a streak of losses is read as one of wins", caughtBy: "promise.8", within: 200) {
      $0.read = replacing("streakType", "LOSS", by: "WIN")
    },
    Mutation("ties-dropped", "ties are not read", caughtBy: "promise.10", within: 100) { $0.read = removing("ties") },
    Mutation("undecided-is-over", "an undecided game counts as over", caughtBy: "promise.8", within: 500) {
      $0.read = replacing("winner", "UNDECIDED", by: "TIE")
    },
    Mutation(
      "home-record", "the record of home games is read as the whole record", caughtBy: "promise.1", within: 100
    ) { code in
      code.read = rewriting { member in
        guard member.key == "record", let home = member.value.member("home") else { return member }
        return JSONMember("record", ["overall": home])
      }
    },
    Mutation("playoffs-counted", "records count the play-offs", caughtBy: "promise.20", within: 200) { code in
      code.read = { files in
        let league = try PromiseOperations.shipping.read(files)
        let games = league.games.map {
          LeagueGame(week: $0.week, home: $0.home, away: $0.away, isPlayed: $0.isPlayed, isPlayoff: false)
        }
        return League(
          connection: league.connection, name: league.name, teams: league.teams, games: games,
          playsMedian: league.playsMedian)
      }
    },
  ]

  private static let sleeper = [
    Mutation("hundredths-ignored", "only whole points are read", caughtBy: "promise.9", within: 200) {
      $0.read = removing("fpts_decimal")
    },
    Mutation(
      "null-metadata-refused", "metadata that is null is an error", caughtBy: "promise.9", within: 100,
      smallest: [
        #"league.json: { "league_id": "42", "season": "2024", "settings": {"last_scored_leg": 0} }; "#
          + #"rosters.json: [ {"roster_id": 1, "metadata": null} ]; users.json: [ {"user_id": "1"} ]"#
      ]
    ) { $0.read = replacing("metadata", .null, by: .array([])) },
    Mutation("correction-ignored", "the commissioner's points do not count", caughtBy: "promise.9", within: 500) {
      $0.read = removing("custom_points")
    },
    Mutation("team-name-ignored", "a team is always called by its owner", caughtBy: "promise.9", within: 200) {
      $0.read = removing("team_name")
    },
    Mutation("anonymous-error", "errors do not name the document", caughtBy: "promise.19", within: 100) { code in
      code.read = { files in
        do {
          return try PromiseOperations.shipping.read(files)
        } catch let error as LeagueDocumentError {
          throw LeagueDocumentError(
            file: "", field: error.field, found: error.found, expected: error.expected, cure: error.cure)
        }
      }
    },
  ]

  // MARK: Texts

  private static let texts = [
    Mutation(
      "two-sentences", "a roast of two sentences is accepted", caughtBy: "promise.5", within: 200,
      smallest: [#""A" 0-0, 0 : 0: 1: They are 0-0-0. Nobody fears them."#]
    ) { $0.roasts = overlooking("found 2 sentences") },
    Mutation(
      "stranger-roasted", "a roast of an unknown team is accepted", caughtBy: "promise.5", within: 200,
      smallest: [#""A" 0-0, 0 : 0: "#]
    ) { $0.roasts = overlooking("no team has", "found no roast") },
    Mutation(
      "about-nothing", "a roast without any of the required subjects is accepted", caughtBy: "promise.6", within: 100,
      smallest: [#""A" 0-0, 0 : 0: 1: They exist. Nobody fears them. Nobody fears them."#]
    ) { $0.roasts = overlooking("found neither") },
    Mutation("sacko-left-out", "the last team's punishment is not in the prompt", caughtBy: "promise.7", within: 100) {
      code in
      code.prompt = { ranking, context in
        var context = context
        context.sackoPunishment = ""
        return PromiseOperations.shipping.prompt(ranking, context)
      }
    },
    Mutation("streak-not-shown", "the teams are shown without their streaks", caughtBy: "promise.18", within: 200) {
      code in
      code.shown = { try PromiseOperations.shipping.shown($0).rewriting { $0.key == "streak" ? nil : $0 } }
    },
    Mutation("owner-not-exported", "the export has no owners", caughtBy: "promise.15", within: 50) { code in
      code.export = { ranking in
        let lines = PromiseOperations.shipping.export(ranking).components(separatedBy: "\n")
        return lines.filter { !$0.hasPrefix("Owner: ") }.joined(separator: "\n")
      }
    },
  ]

  // MARK: Services and storage

  private static let services = [
    Mutation(
      "cookie-to-sleeper", "an ESPN cookie is sent to Sleeper", caughtBy: "promise.16", within: 200,
      smallest: ["connect(1, credentials: nil, version 1)"]
    ) { $0.service = { LeagueService(LeakingTransport(base: $0)) } },
    // Two claims fail, each with its own simplest case.
    Mutation("old-ranking", "a refresh returns the earlier ranking", caughtBy: "promise.14", within: 200) { code in
      code.refresh = { leagues, connection in
        let before = try leagues.ranked(connection)
        _ = try await leagues.refresh(connection)
        return before
      }
    },
    Mutation(
      "refresh-without-request", "a refresh returns the stored teams", caughtBy: "promise.14", within: 200,
      smallest: ["\(connected)\nrefresh(0, version 1)"]
    ) { $0.refresh = { try $0.ranked($1) } },
  ]

  private static let storages = [
    // Two following commands are equally simple.
    storage("credentials-forgotten", "credentials are not stored", caughtBy: "promise.3") {
      $0.keepsCredentials = false
    },
    storage("refused-kept", "refused credentials are kept", caughtBy: "promise.2") { $0.forgets = false },
    storage(
      "context-survives", "a removed league gets its old context when it is connected again", caughtBy: "promise.13",
      smallest: "\(connected)\nedit(0, 1)\nremove(0)\n\(connected)"
    ) { $0.keepsContexts = true },
    storage(
      "not-removed", "a removed league is kept", caughtBy: "promise.13", smallest: "\(connected)\nremove(0)"
    ) { $0.removes = false },
    storage(
      "number-alone", "a league is found by its number alone", caughtBy: "promise.12",
      smallest: "\(connected)\nconnect(1, credentials: nil, version 1)"
    ) { $0.comparesNumbers = true },
    storage(
      "edit-of-all", "an edit changes the context of every league", caughtBy: "promise.11",
      smallest: "\(connected)\nedit(1, 1)"
    ) { $0.editsAll = true },
    storage(
      "connect-clears-context", "connecting a league again clears its context", caughtBy: "promise.2",
      smallest: "\(connected)\nedit(0, 1)\n\(connected)"
    ) { $0.clearsContexts = true },
  ]

  private static func storage(
    _ name: String, _ fault: String, caughtBy property: String, smallest: String? = nil,
    _ habit: @escaping @Sendable (inout LooseStorage) -> Void
  ) -> Mutation {
    Mutation(name, fault, caughtBy: property, within: 3000, smallest: smallest.map { [$0] } ?? []) { code in
      code.open = { path in
        var storage = LooseStorage(base: try PromiseOperations.shipping.open(path))
        habit(&storage)
        return storage
      }
    }
  }

  // MARK: Replacements

  /// The core's reader, given documents with changed members.
  private static func rewriting(
    _ change: @escaping @Sendable (JSONMember) -> JSONMember?
  ) -> @Sendable ([LeagueFile]) throws -> League {
    { files in
      try PromiseOperations.shipping.read(
        files.map { LeagueFile(name: $0.name, json: $0.json.rewriting(change), damage: $0.damage) })
    }
  }

  private static func removing(_ key: String) -> @Sendable ([LeagueFile]) throws -> League {
    rewriting { $0.key == key ? nil : $0 }
  }

  private static func replacing(
    _ key: String, _ value: JSONValue, by other: JSONValue
  ) -> @Sendable ([LeagueFile]) throws -> League {
    rewriting { $0.key == key && $0.value == value ? JSONMember(key, other) : $0 }
  }

  /// The core's reader of roasts, which ignores problems with the given texts.
  private static func overlooking(_ texts: String...) -> @Sendable (Data, [Team]) throws -> [Team] {
    { data, teams in
      do {
        return try PromiseOperations.shipping.roasts(data, teams)
      } catch let error as RoastError where error.problems.allSatisfy({ p in texts.contains { p.text.contains($0) } }) {
        return []
      }
    }
  }
}

/// Sends a cookie with every request to Sleeper.
private struct LeakingTransport: LeagueTransport {
  let base: any LeagueTransport

  func send(_ request: LeagueRequest) async throws -> LeagueResponse {
    var request = request
    if VirtualService.platform(of: request) == .sleeper {
      request.headers["Cookie"] = VirtualService.cookies.first?.cookie
    }
    return try await base.send(request)
  }
}

/// A storage that wraps the shipped one; each setting is a separate mistake.
private struct LooseStorage: LeagueStorage {
  let base: any LeagueStorage
  var keepsCredentials = true
  var forgets = true
  var keepsContexts = false
  var removes = true
  var comparesNumbers = false
  var editsAll = false
  var clearsContexts = false
  /// Contexts of removed leagues.
  private let contexts = Contexts()

  private final class Contexts { var kept: [LeagueConnection: LeagueContext] = [:] }

  init(base: any LeagueStorage) { self.base = base }

  func connections() throws -> [LeagueConnection] { try base.connections() }

  func league(_ connection: LeagueConnection) throws -> StoredLeague? {
    let other = comparesNumbers ? try connections().first { $0.leagueID == connection.leagueID } : nil
    return try base.league(other ?? connection)
  }

  func credentials(of connection: LeagueConnection) throws -> ESPNCredentials? {
    try base.credentials(of: connection)
  }

  func connect(_ league: League, credentials: ESPNCredentials?, fetchedAt: Int64) throws {
    try base.connect(league, credentials: keepsCredentials ? credentials : nil, fetchedAt: fetchedAt)
    if keepsContexts, let context = contexts.kept[league.connection] { _ = try edit(context, of: league.connection) }
    if clearsContexts { _ = try edit(LeagueContext(), of: league.connection) }
  }

  func refresh(_ league: League, fetchedAt: Int64) throws -> Bool { try base.refresh(league, fetchedAt: fetchedAt) }

  func forget(_ credentials: ESPNCredentials, of connection: LeagueConnection) throws -> Bool {
    forgets ? try base.forget(credentials, of: connection) : true
  }

  func edit(_ context: LeagueContext, of connection: LeagueConnection) throws -> Bool {
    if editsAll { for other in try connections() { _ = try base.edit(context, of: other) } }
    return try base.edit(context, of: connection)
  }

  func remove(_ connection: LeagueConnection) throws -> Bool {
    contexts.kept[connection] = try base.league(connection)?.context
    return removes ? try base.remove(connection) : true
  }
}
