// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import LeagueConnections
internal import LeagueCore
internal import LeagueHTTP
public import Reporting
internal import Scenarios
internal import Workbench

/// `assay league connect`: fetches a league and stores it.
struct LeagueConnectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "connect", abstract: "Fetches a league from ESPN or Sleeper, ranks it and stores it.",
    discussion: """
      Example: assay league connect sleeper 784462448236363776
      Example: assay league connect espn 1234567 --season 2024

      A private league of ESPN needs the cookies SWID and espn_s2 of a member's browser. Give them in the variables \
      ASSAY_ESPN_SWID and ASSAY_ESPN_S2: options can be read in the list of processes. They are stored encrypted, with \
      the key in a separate file. A league that is connected already keeps its context, and its credentials if none \
      are given. If anything fails, nothing is stored.
      """)

  @Argument("platform", .choice, "The service of the league: espn or sleeper.") var platform: LeaguePlatform

  @Argument(help: "The league's number, as in the address of its page.")
  var league: String

  @Option(
    "season", .season, "The year that the season began in; a league of Sleeper has one season.", example: "2024")
  var season: Int?

  @Option(
    help: ArgumentHelp(
      "ESPN's cookie SWID (default: ASSAY_ESPN_SWID). Example: --swid '{01234567-89AB-CDEF-0123-456789ABCDEF}'",
      valueName: "cookie"))
  var swid: String?

  @Option(
    name: .customLong("espn-s2"),
    help: ArgumentHelp(
      "ESPN's cookie espn_s2, of at least 100 characters (default: ASSAY_ESPN_S2). Example: --espn-s2 AEB...",
      valueName: "cookie"))
  var espnS2: String?

  @OptionGroup var storage: LeagueStorageOptions
  @OptionGroup var service: LeagueServiceOptions

  func run() throws {
    if season == nil, platform == .espn {
      throw CommandError.refused(
        "--season: found none, expected the year that the season began in, for example --season 2024.")
    }
    let connection = LeagueConnection(
      platform: platform, leagueID: league, season: season ?? LeagueConnection.anySeason)
    try connection.check()
    let (storage, service) = (storage, service)
    let credentials = try ESPNCredentials.given(swid: swid, espnS2: espnS2, for: platform)
    try UntilInterrupted.run {
      let ranked = try await storage.leagues(at: service.baseUrl).connect(connection, credentials: credentials)
      try LeagueText.write(ranked)
    }
  }
}

extension ESPNCredentials {
  /// The credentials for ESPN, from options or else the environment.
  static func given(
    swid: String? = nil, espnS2: String? = nil, for platform: LeaguePlatform
  ) throws -> ESPNCredentials? {
    let environment = platform == .espn ? ProcessInfo.processInfo.environment : [:]
    let swid = swid ?? environment["ASSAY_ESPN_SWID"]
    let espnS2 = espnS2 ?? environment["ASSAY_ESPN_S2"]
    guard swid != nil || espnS2 != nil else { return nil }
    return try ESPNCredentials(swid: swid ?? "", espnS2: espnS2 ?? "")
  }
}

/// `assay league list`: lists the connected leagues.
struct LeagueListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the connected leagues, with the age of their teams.",
    discussion: "Example: assay league list")

  @OptionGroup var storage: LeagueStorageOptions

  func run() throws {
    var table = Table(["platform", "league", "season", "name", "teams", "fetched", "credentials"])
    for (connection, stored) in try storage.leagues().list() {
      let found: [String]
      switch stored {
      case .success(let ranked):
        let league = ranked.stored.league
        found = [
          league.name, "\(league.teams.count)", Age.words(ranked.age), ranked.stored.hasCredentials ? "sealed" : "none",
        ]
      case .failure(let error):
        Console.say("\(error)")
        found = ["(damaged)", "", "", ""]
      }
      table.add([connection.platform.rawValue, connection.leagueID, "\(connection.season)"] + found)
    }
    if table.rows.isEmpty { return Console.say("no league is connected; 'assay league connect' connects one") }
    try Console.write(table.text())
  }
}

/// `assay league refresh`: fetches connected leagues again.
struct LeagueRefreshCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh", abstract: "Fetches a connected league again, or all of them, and ranks them.",
    discussion: """
      Example: assay league refresh 784462448236363776

      If a league cannot be fetched, its stored teams stay, and the error says how old they are; the other leagues are \
      refreshed all the same.
      """)

  @Argument(help: "The league's number (default: all).")
  var league: String?

  @OptionGroup var which: LeagueChoiceOptions
  @OptionGroup var storage: LeagueStorageOptions
  @OptionGroup var service: LeagueServiceOptions

  func run() throws {
    let (league, which, storage, service) = (league, which, storage, service)
    try UntilInterrupted.run {
      let leagues = try storage.leagues(at: service.baseUrl)
      let connections = try league.map { [try which.connection($0, in: leagues)] } ?? leagues.list().map(\.connection)
      var failure: (any Error)?
      for connection in connections {
        do {
          try LeagueText.write(await leagues.refresh(connection))
        } catch is CancellationError {
          return
        } catch {
          if let failure { Console.say("error: \(failure)") }
          failure = error
        }
      }
      if let failure { throw failure }
    }
  }
}

/// `assay league context`: shows or replaces the members' facts about a connected league.
struct LeagueContextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "context", abstract: "Stores facts about a connected league's members, for its roasts.",
    discussion: "Example: assay league context 784462448236363776 --context context.json")

  @Argument(help: "The league's number.")
  var league: String

  @Option(
    help: ArgumentHelp(
      "The context, as for 'assay league roast-prompt'. Example: --context context.json", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var context: String

  @OptionGroup var which: LeagueChoiceOptions
  @OptionGroup var storage: LeagueStorageOptions

  func run() throws {
    let read = try LeagueContext.read(Data(try TextFile.read(context).utf8), named: context)
    let leagues = try storage.leagues()
    try leagues.edit(read, of: which.connection(league, in: leagues))
  }
}

/// `assay league remove`: removes a league with its stored data.
struct LeagueRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Removes a connected league with all its stored data, including credentials.",
    discussion: "Example: assay league remove 784462448236363776")

  @Argument(help: "The league's number.")
  var league: String

  @OptionGroup var which: LeagueChoiceOptions
  @OptionGroup var storage: LeagueStorageOptions

  func run() throws {
    let leagues = try storage.leagues()
    let connection = try which.connection(league, in: leagues)
    try leagues.remove(connection)
    Console.say("removed \(connection.title)")
  }
}

/// The choice among several leagues with one number.
struct LeagueChoiceOptions: ParsableArguments, Sendable {
  @Option(
    "platform", .choice, "The service of the league, if several leagues have the number.", example: "espn",
    valueName: "service")
  var platform: LeaguePlatform?

  @Option("season", .season, "The season of the league, if several have the number.", example: "2024") var season: Int?

  func connection(_ league: String, in leagues: ConnectedLeagues) throws -> LeagueConnection {
    try leagues.connection(
      league, platform: platform, season: season)
  }
}

extension ValueType<Int> {
  /// A year as people write it, without the comma of other numbers.
  static var season: Self {
    let years = LeagueConnection.seasons
    return ValueType<String>.text("year", expected: "a year from \(years.lowerBound) to \(years.upperBound)")
      .map { text in
        Int(text).flatMap { years ~= $0 ? $0 : nil }
      } back: {
        "\($0)"
      }
  }
}

/// The address from which leagues are fetched.
struct LeagueServiceOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "The address of the service (default: \(LeaguePlatform.espn.defaultAddress) or "
        + "\(LeaguePlatform.sleeper.defaultAddress)). Example: --base-url http://127.0.0.1:8080",
      valueName: "url"))
  var baseUrl: String?
}

/// The database of connected leagues.
struct LeagueStorageOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Where connected leagues are stored; the key of their credentials is next to it, with .key behind its name "
        + "(default: $XDG_DATA_HOME/assay/leagues.sqlite, or ~/.local/share/assay/leagues.sqlite). "
        + "Example: --database leagues.sqlite",
      valueName: "file"),
    completion: .file(extensions: ["sqlite"]))
  var database: String?

  mutating func validate() {
    WrittenFiles.note([database].compactMap(\.self), of: "--database")
    WrittenFiles.note([database].compactMap { $0.map(Self.keyPath) }, of: "the key of --database")
  }

  /// The file with the key of a database's credentials.
  private static func keyPath(of database: String) -> String { database + ".key" }

  func leagues(at address: String? = nil) throws -> ConnectedLeagues {
    let path = try database ?? Self.defaultPath()
    let key = KeyFile(Self.keyPath(of: path))
    let store = try LeagueStore(path) { mayCreate in try key.vault(mayCreate: mayCreate) }
    return ConnectedLeagues(store, service: LeagueService(RetryingTransport(CurlTransport()), address: address))
  }

  /// The default file, in a folder that only its owner can enter.
  private static func defaultPath() throws -> String {
    let environment = ProcessInfo.processInfo.environment
    // The XDG Base Directory Specification requires that a relative path is ignored.
    let data =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory() + "/.local/share"
    do {
      try FileManager.default.createDirectory(
        atPath: data + "/assay", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw ReportingError.unwritable(
        path: data + "/assay", cause: SystemCause.message(of: error), cure: "name another place by --database")
    }
    return data + "/assay/leagues.sqlite"
  }
}

/// The texts about a fetched league, for people.
private enum LeagueText {
  static func write(_ ranked: ConnectedLeagues.Ranked) throws {
    let text = "\(ranked.stored.league.name) (\(ranked.stored.connection.title))\n\n\(RankingText(ranked.ranking))\n"
    try Console.write(TerminalText.harmless(text, keepingLineEnds: true))
  }
}

extension LeagueConnectionError: InputError {}
extension RefreshError: InputError {}
