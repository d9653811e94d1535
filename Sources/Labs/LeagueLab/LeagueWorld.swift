// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import LeagueConnections
internal import LeagueCore
internal import PropertyTesting
internal import Synchronization

/// A virtual service that receives both platforms' requests and records them.
final class VirtualService: LeagueTransport {
  /// The answer to all requests of one command.
  enum Answer: Hashable, Sendable, CustomStringConvertible {
    /// Answers with the league as it was at a time.
    case league(Int)
    case status(Int)
    case page, half

    var description: String {
      switch self {
      case .league(let version): "version \(version)"
      case .status(let status): "status \(status)"
      case .page: "a page"
      case .half: "half a document"
      }
    }

    static let any = Gen<Answer>.oneOf(weighted: [
      (3, Gen<Int>.integers(in: 1...3).map { .league($0) }),
      (2, .elements(of: [.status(401), .status(403), .status(429), .status(500), .page, .half])),
    ])
  }

  struct Request: Sendable {
    let platform: LeaguePlatform
    let cookie: String?
  }

  private struct State {
    var answer = Answer.league(1)
    var requests: [Request] = []
  }

  private let state = Mutex(State())

  var requests: [Request] { state.withLock { $0.requests } }

  func begin(_ answer: Answer) { state.withLock { $0 = State(answer: answer) } }

  /// Leagues that could be confused: the same number at two services and in two seasons. The last league is private.
  static let connections = [
    LeagueConnection(platform: .espn, leagueID: "1", season: 2024),
    LeagueConnection(platform: .sleeper, leagueID: "1", season: 2024),
    LeagueConnection(platform: .espn, leagueID: "1", season: 2023),
    LeagueConnection(platform: .espn, leagueID: "2", season: 2024),
  ]

  /// Two sets of credentials; the first opens the private league.
  static let cookies = ["a", "b"].compactMap { letter in
    try? ESPNCredentials(
      swid: "{01234567-89AB-CDEF-0123-456789ABCDEF}", espnS2: String(repeating: letter, count: 100))
  }

  static func name(of position: Int) -> String { "league-\(position)" }

  static func platform(of request: LeagueRequest) -> LeaguePlatform {
    request.url.hasPrefix(LeaguePlatform.espn.defaultAddress) ? .espn : .sleeper
  }

  func send(_ request: LeagueRequest) async throws -> LeagueResponse {
    let answer = state.withLock { state in
      state.requests.append(Request(platform: Self.platform(of: request), cookie: request.headers["Cookie"]))
      return state.answer
    }
    switch answer {
    case .league(let version): return Self.response(request, version)
    case .status(let status): return LeagueResponse(status: status)
    case .page: return LeagueResponse(status: 200, body: Data("<html>Sign in</html>".utf8))
    case .half: return LeagueResponse(status: 200, body: Data(#"{"id": 1, "teams": [{"id""#.utf8))
    }
  }

  private static func response(_ request: LeagueRequest, _ version: Int) -> LeagueResponse {
    let position = connections.firstIndex { connection in
      let path =
        connection.platform == .espn
        ? "/seasons/\(connection.season)/segments/0/leagues/\(connection.leagueID)?"
        : "/league/\(connection.leagueID)"
      return request.url.hasPrefix(connection.platform.defaultAddress + path)
    }
    guard let position else { return LeagueResponse(status: 404) }
    guard position < 3 || request.headers["Cookie"] == cookies.first?.cookie else {
      return LeagueResponse(status: 401)
    }
    let file = files(position, version).first { request.url.hasSuffix("/\($0.name)") }
    return LeagueResponse(status: 200, body: Data((file ?? files(position, version)[0]).text.utf8))
  }

  /// The league as the service has it: two teams, of which the second leads from version 1 on.
  static func files(_ position: Int, _ version: Int) -> [(name: String, text: String)] {
    let connection = connections[position]
    let teams = [(1, version, 2), (2, 2, version)]
    if connection.platform == .espn {
      let bodies = teams.map { id, losses, wins in
        """
        {"id": \(id), "name": "\(name(of: position))-team-\(id)", "record": {"overall": \
        {"wins": \(wins), "losses": \(losses), "pointsFor": \(wins * 100 + position), "pointsAgainst": 90}}}
        """
      }
      let text = """
        {"id": \(connection.leagueID), "seasonId": \(connection.season), "settings": \
        {"name": "\(name(of: position))"}, "teams": [\(bodies.joined(separator: ", "))]}
        """
      return [("league", text)]
    }
    let rosters = teams.map { id, losses, wins in
      #"{"roster_id": \#(id), "owner_id": "\#(id)", "settings": {"wins": \#(wins), "losses": \#(losses)}}"#
    }
    let users = teams.map { id, _, _ in
      #"{"user_id": "\#(id)", "metadata": {"team_name": "\#(name(of: position))-team-\#(id)"}}"#
    }
    return [
      ("league", #"{"league_id": "\#(connection.leagueID)", "season": "2024", "name": "\#(name(of: position))"}"#),
      ("rosters", "[\(rosters.joined(separator: ", "))]"), ("users", "[\(users.joined(separator: ", "))]"),
    ]
  }

  static func league(_ position: Int, _ version: Int) throws -> League {
    try League(files: files(position, version).map { ($0.name, Data($0.text.utf8)) })
  }
}

enum CommandOutcome: Hashable, Sendable {
  case done, notConnected, badConnection, needsNoCredentials, unauthorised, refused, unreadable
  case other(String)

  init(_ error: any Error) {
    switch error {
    case let error as RefreshError: self.init(error.cause)
    case is LeagueDocumentError: self = .unreadable
    case LeagueConnectionError.notConnected: self = .notConnected
    case LeagueConnectionError.badConnection: self = .badConnection
    case LeagueConnectionError.needsNoCredentials: self = .needsNoCredentials
    case LeagueConnectionError.unauthorised: self = .unauthorised
    case LeagueConnectionError.refused: self = .refused
    default: self = .other("\(error)")
    }
  }
}

/// The expected state of connected leagues after some commands.
struct LeaguesModel: Sendable {
  struct Kept: Sendable {
    let position: Int
    var version: Int
    var context = LeagueContext()
    /// The index of the stored credentials.
    var cookie: Int?
    var fetchedAt: Int
  }

  /// The last command, its expected outcome, and the credentials expected in its requests.
  struct Last: Sendable {
    var position = 0
    var outcome = CommandOutcome.done
    var cookie: Int?
    /// The version of the league that a refresh fetched.
    var refreshed: Int?
  }

  /// The leagues in the order in which they were connected.
  var kept: [Kept] = []
  var now = 0
  var last = Last()

  subscript(position: Int) -> Kept? { kept.first { $0.position == position } }

  mutating func connect(_ position: Int, _ cookie: Int?, _ answer: VirtualService.Answer) {
    begin(position)
    guard VirtualService.connections.indices.contains(position) else { return last.outcome = .badConnection }
    guard cookie == nil || VirtualService.connections[position].platform == .espn else {
      return last.outcome = .needsNoCredentials
    }
    guard let version = fetch(position, cookie, answer) else { return }
    change(position) { kept in kept.cookie = cookie ?? kept.cookie }
    if self[position] == nil { kept.append(Kept(position: position, version: version, cookie: cookie, fetchedAt: now)) }
    change(position) { [now] kept in (kept.version, kept.fetchedAt) = (version, now) }
  }

  mutating func refresh(_ position: Int, _ answer: VirtualService.Answer) {
    begin(position)
    guard self[position] != nil else { return last.outcome = .notConnected }
    guard let version = fetch(position, nil, answer) else { return }
    last.refreshed = version
    change(position) { [now] kept in (kept.version, kept.fetchedAt) = (version, now) }
  }

  mutating func edit(_ position: Int, _ context: LeagueContext) {
    begin(position)
    guard self[position] != nil else { return last.outcome = .notConnected }
    change(position) { $0.context = context }
  }

  mutating func remove(_ position: Int) {
    begin(position)
    guard self[position] != nil else { return last.outcome = .notConnected }
    kept.removeAll { $0.position == position }
  }

  mutating func begin(_ position: Int) {
    now += 10
    last = Last(position: position)
  }

  /// The version of the league that the service returns; nil if it returns none.
  private mutating func fetch(_ position: Int, _ given: Int?, _ answer: VirtualService.Answer) -> Int? {
    last.cookie = given ?? self[position]?.cookie
    switch answer {
    case .league(let version) where position < 3 || last.cookie == 0: return version
    case .league, .status(401), .status(403):
      last.outcome = .unauthorised
      if given == nil { change(position) { $0.cookie = nil } }
    case .status: last.outcome = .refused
    case .page, .half: last.outcome = .unreadable
    }
    return nil
  }

  private mutating func change(_ position: Int, _ change: (inout Kept) -> Void) {
    for index in kept.indices where kept[index].position == position { change(&kept[index]) }
  }
}

/// Connected leagues in a database of their own, with a virtual service.
final class LeagueWorld {
  private let code: PromiseOperations
  private let path: String
  let service = VirtualService()
  private(set) var storage: any LeagueStorage
  private var now = 0
  private(set) var outcome = CommandOutcome.done
  private(set) var refreshed: ConnectedLeagues.Ranked?
  private(set) var before: [StoredLeague] = []

  init(_ code: PromiseOperations) throws {
    // In memory if `/dev/shm` exists, since every change is synchronised with the disk.
    let folder = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    (self.code, path) = (code, "\(folder)/assay-leagues-\(UUID().uuidString)")
    storage = try code.open(path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var leagues: ConnectedLeagues {
    let now = Int64(now)
    return ConnectedLeagues(storage, service: code.service(service), now: { now })
  }

  var stored: [StoredLeague] { get throws { try storage.connections().compactMap { try storage.league($0) } } }

  var file: Data { get throws { try Data(contentsOf: URL(filePath: path)) } }

  func connect(_ position: Int, _ cookie: Int?, _ answer: VirtualService.Answer) async throws {
    try await act(position, answer) {
      _ = try await self.leagues.connect($0, credentials: cookie.map { VirtualService.cookies[$0] })
    }
  }

  func refresh(_ position: Int, _ answer: VirtualService.Answer) async throws {
    try await act(position, answer) { self.refreshed = try await self.code.refresh(self.leagues, $0) }
  }

  func edit(_ position: Int, _ context: LeagueContext) async throws {
    try await act(position) { try self.leagues.edit(context, of: $0) }
  }

  func remove(_ position: Int) async throws { try await act(position) { try self.leagues.remove($0) } }

  func restart() async throws { try await act(0) { _ in self.storage = try self.code.open(self.path) } }

  private func act(
    _ position: Int, _ answer: VirtualService.Answer = .league(1), _ body: (LeagueConnection) async throws -> Void
  ) async throws {
    (before, refreshed) = (try stored, nil)
    now += 10
    service.begin(answer)
    let known = VirtualService.connections
    do {
      try await body(
        known.indices.contains(position)
          ? known[position] : LeagueConnection(platform: .espn, leagueID: "1/2", season: 2024))
      outcome = .done
    } catch {
      outcome = CommandOutcome(error)
    }
  }
}

// MARK: Properties

extension LeagueWorld {
  private typealias Check = @Sendable (LeaguesModel, LeagueWorld) throws -> Void

  /// A property of the state machine of commands, checked after every command.
  private static func property(
    _ id: String, _ sentence: String, of code: PromiseOperations, _ check: @escaping Check
  ) -> Property {
    // Most failures need several commands on the same league.
    let position = Gen<Int>.oneOf(weighted: [(1, .just(0)), (1, .integers(in: 0...3))])
    let anyPlace = Gen<Int>.oneOf(weighted: [(9, position), (1, .just(4))])
    let cookie = Gen<Int?>.optionals(of: .integers(in: 0...1))
    var machine = StateMachine(model: LeaguesModel(), system: { try LeagueWorld(code) }) { machine in
      machine.command("connect(_:credentials:_:)", zip(anyPlace, cookie, VirtualService.Answer.any)) {
        $0.connect($1.0, $1.1, $1.2)
      } run: {
        try await $0.connect($1.0, $1.1, $1.2)
      }
      machine.command("refresh(_:_:)", zip(position, VirtualService.Answer.any)) {
        $0.refresh($1.0, $1.1)
      } run: {
        try await $0.refresh($1.0, $1.1)
      }
      machine.command("edit(_:_:)", zip(position, .integers(in: 1...9))) {
        $0.edit($1.0, context($1.0, $1.1))
      } run: {
        try await $0.edit($1.0, context($1.0, $1.1))
      }
      machine.command("remove(_:)", position) {
        $0.remove($1)
      } run: {
        try await $0.remove($1)
      }
      machine.command("restart()") {
        $0.begin(0)
      } run: {
        try await $0.restart()
      }
      machine.invariant(id) { try check($0, $1) }
    }
    machine.length = 0...12
    return machine.property(id, sentence)
  }

  private static func context(_ position: Int, _ number: Int) -> LeagueContext {
    LeagueContext(insideJokes: ["\(VirtualService.name(of: position))-joke-\(number)"], sackoPunishment: "A tattoo.")
  }

  private static func cookie(_ number: Int?) -> String? { number.map { VirtualService.cookies[$0].cookie } }

  static func properties(of code: PromiseOperations) -> [Property] {
    [
      property("promise.2", "Stored data survives a restart: leagues, contexts, credentials", of: code) {
        model, world in
        let stored = try world.stored
        try require(
          stored.map(\.connection) == model.kept.map { VirtualService.connections[$0.position] },
          "\(stored.count) leagues"
        )
        for (kept, stored) in zip(model.kept, stored) {
          let expected = StoredLeague(
            connection: VirtualService.connections[kept.position], context: kept.context,
            league: try VirtualService.league(kept.position, kept.version), fetchedAt: Int64(kept.fetchedAt),
            hasCredentials: kept.cookie != nil)
          try require(stored == expected, "\(stored) instead of \(expected)")
          let cookie = try world.storage.credentials(of: stored.connection)?.cookie
          try require(cookie == self.cookie(kept.cookie), "other credentials")
        }
      },
      property("promise.3", "Every request to ESPN carries the stored credentials", of: code) { model, world in
        for request in world.service.requests where request.platform == .espn {
          try require(request.cookie == cookie(model.last.cookie), "the cookie is \(request.cookie ?? "missing")")
        }
      },
      property("promise.4", "Bad input and bad answers give an error, change nothing, and can be tried again", of: code)
      {
        model, world in
        try require(world.outcome == model.last.outcome, "\(world.outcome) instead of \(model.last.outcome)")
        guard world.outcome != .done else { return }
        let (before, after) = (world.before, try world.stored)
        try require(before.map(\.league) == after.map(\.league), "the leagues differ")
        try require(before.map(\.context) == after.map(\.context), "the contexts differ")
      },
      property("promise.11", "A command on one league changes no other league", of: code) { model, world in
        func others(_ leagues: [StoredLeague]) -> [StoredLeague] {
          leagues.filter { VirtualService.connections.firstIndex(of: $0.connection) != model.last.position }
        }
        try require(others(try world.stored) == others(world.before), "another league has changed")
      },
      property("promise.12", "Each of many leagues has its own data", of: code) { model, world in
        for kept in model.kept {
          let ranked = try world.leagues.ranked(VirtualService.connections[kept.position])
          let name = VirtualService.name(of: kept.position)
          try require(ranked.stored.league.name == name, "\(name) has the data of \(ranked.stored.league.name)")
          let wrong = ranked.ranking.teams.first { !$0.team.name.hasPrefix("\(name)-") }
          try require(wrong == nil, "\(name) has \(wrong?.team.name ?? "")")
        }
      },
      property("promise.13", "A removed league leaves no data in the file or when connected again", of: code) {
        model, world in
        let file = try world.file
        for (position, connection) in VirtualService.connections.enumerated() {
          let stored = try world.storage.league(connection)
          try require(
            stored?.context == model[position]?.context, "the context is \(stored.map { "\($0.context)" } ?? "gone")")
          guard model[position] == nil else { continue }
          try require(try world.storage.credentials(of: connection) == nil, "credentials are left")
          let trace = Data("\(VirtualService.name(of: position))-".utf8)
          try require(file.range(of: trace) == nil, "the file still has its text")
        }
      },
      property("promise.14", "A refresh fetches and ranks the teams again; a failed one keeps the old ones", of: code) {
        model, world in
        let connection = VirtualService.connections[min(model.last.position, 3)]
        if let version = model.last.refreshed {
          try require(!world.service.requests.isEmpty, "nothing is fetched")
          let expected = try PowerRanking(VirtualService.league(model.last.position, version).teams)
          try require(world.refreshed?.ranking == expected, "the ranking is not that of the teams fetched")
          try require(world.refreshed?.age == 0, "the teams are \(world.refreshed?.age ?? -1) s old")
        } else if model.last.outcome != .done, let before = world.before.first(where: { $0.connection == connection }) {
          let after = try world.leagues.ranked(connection)
          try require(after.stored.league == before.league, "the teams fetched before are gone")
          try require(after.age == Int64(model.now) - before.fetchedAt, "the teams are \(after.age) s old")
        }
      },
      property("promise.16", "Sleeper works without credentials and never receives any", of: code) { model, world in
        for request in world.service.requests where request.platform == .sleeper {
          try require(request.cookie == nil, "it receives a cookie")
        }
        guard VirtualService.connections[min(model.last.position, 3)].platform == .sleeper else { return }
        try require(world.outcome == model.last.outcome, "\(world.outcome) instead of \(model.last.outcome)")
      },
      property("promise.17", "A private league of ESPN is fetched exactly with its credentials", of: code) {
        model, world in
        guard model.last.position == 3 else { return }
        try require(world.outcome == model.last.outcome, "\(world.outcome) instead of \(model.last.outcome)")
        let stored = try world.storage.league(VirtualService.connections[3])
        try require(stored?.league.teams.count == model[3].map { _ in 2 }, "it is\(stored == nil ? " not" : "") there")
      },
    ]
  }
}
