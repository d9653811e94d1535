// SPDX-License-Identifier: GPL-3.0-or-later
internal import Database
internal import Foundation
public import LeagueCore

/// Connected leagues in a SQLite database; several processes may use one.
///
/// A league is a row: removing the row removes all its data and overwrites it with zeros (`secure_delete`). The
/// credentials are sealed for their league; everything else is plain text. The file's `application_id` is `0x4153594C`
/// ("ASYL"), its `user_version` counts the versions of the table below.
public final class LeagueStore: LeagueStorage {
  package static let applicationID = 0x4153_594C
  static let version = 1
  private static let schema = """
    CREATE TABLE leagues (
      id INTEGER PRIMARY KEY, platform TEXT NOT NULL, league_id TEXT NOT NULL, season INTEGER NOT NULL,
      context TEXT NOT NULL, league TEXT NOT NULL, fetched_at INTEGER NOT NULL, sealed_credentials BLOB,
      UNIQUE (platform, league_id, season)
    ) STRICT;
    PRAGMA application_id = \(applicationID);
    PRAGMA user_version = \(version);
    """
  private static let whose = "WHERE platform = ? AND league_id = ? AND season = ?"

  private let path: String
  private let database: SQLiteConnection
  private let vault: (_ mayCreate: Bool) throws -> CredentialVault

  /// Opens a database, or creates one that only its owner can read.
  ///
  /// - Parameters:
  ///   - path: A file, or `:memory:`.
  ///   - vault: The vault for credentials, made when there are some; it may create a key if nothing is sealed.
  /// - Throws: `LeagueConnectionError` for a file of another program or of a newer version, and one that cannot be
  ///   opened.
  public init(_ path: String, vault: @escaping (_ mayCreate: Bool) throws -> CredentialVault) throws {
    if path != ":memory:" {
      let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor >= 0 { close(descriptor) }
    }
    (self.path, self.vault) = (path, vault)
    database = try Self.naming(path) { try SQLiteConnection(path) }
    try Self.naming(path) { [database] in
      try database.runAll("PRAGMA secure_delete = ON")
      try database.transaction(.write) {
        let (application, found) = (try database.applicationID(), try database.userVersion())
        let tables: Int = try database.first("SELECT count(*) FROM sqlite_master") ?? 0
        switch (application, found) {
        case (0, 0) where tables == 0:
          try Self.checkPrivate(path)
          try database.runAll(Self.schema)
        case (Self.applicationID, 1...Self.version): try Self.checkPrivate(path)
        case (Self.applicationID, Self.version...):
          throw LeagueConnectionError.newerDatabase(path: path, version: found, known: Self.version)
        default:
          throw LeagueConnectionError.otherDatabase(
            path: path, found: "a database of another program (application_id \(application))")
        }
      }
    }
  }

  /// Refuses a file that others can read or write: it holds a league's data and its sealed credentials.
  private static func checkPrivate(_ path: String) throws {
    guard path != ":memory:" else { return }
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
    throw LeagueConnectionError.exposedDatabase(path: path, mode: Int(status.st_mode & 0o777))
  }

  public func connections() throws -> [LeagueConnection] {
    try read("SELECT platform, league_id, season FROM leagues ORDER BY id") { row in
      let platform: String = try row.value("platform")
      guard let platform = LeaguePlatform(rawValue: platform) else {
        throw LeagueConnectionError.unusableDatabase(
          path: path, cause: "found platform '\(platform)', expected espn or sleeper")
      }
      return LeagueConnection(
        platform: platform, leagueID: try row.value("league_id"), season: try row.value("season"))
    }
  }

  public func league(_ connection: LeagueConnection) throws -> StoredLeague? {
    let rows = try read(
      "SELECT context, league, fetched_at, sealed_credentials IS NOT NULL AS sealed FROM leagues \(Self.whose)",
      connection.key
    ) { row in
      StoredLeague(
        connection: connection, context: try decoded(row.value("context"), of: connection),
        league: try decoded(row.value("league"), of: connection), fetchedAt: try row.value("fetched_at"),
        hasCredentials: try row.value("sealed"))
    }
    guard let stored = rows.first else { return nil }
    guard stored.league.connection == connection else {
      throw LeagueConnectionError.damagedLeague(
        connection, path: path, cause: "found the teams of \(stored.league.connection.title)")
    }
    return stored
  }

  public func credentials(of connection: LeagueConnection) throws -> ESPNCredentials? {
    let sealed = try read("SELECT sealed_credentials FROM leagues \(Self.whose)", connection.key) { row in
      try row.value("sealed_credentials") as [UInt8]?
    }
    return try sealed.first?.map { try opened($0, of: connection) }
  }

  public func connect(_ league: League, credentials: ESPNCredentials?, fetchedAt: Int64) throws {
    try write {
      let sealed = try credentials.map { try self.sealed($0, of: league.connection) }
      try database.run(
        """
        INSERT INTO leagues (platform, league_id, season, context, league, fetched_at, sealed_credentials)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET league = excluded.league, fetched_at = excluded.fetched_at,
          sealed_credentials = coalesce(excluded.sealed_credentials, sealed_credentials)
        """,
        values: league.connection.key + [
          try Self.encoded(LeagueContext()), try Self.encoded(league), fetchedAt, sealed,
        ])
    }
  }

  public func refresh(_ league: League, fetchedAt: Int64) throws -> Bool {
    try change(
      "UPDATE leagues SET league = ?, fetched_at = ?", [try Self.encoded(league), fetchedAt], of: league.connection)
  }

  public func forget(_ credentials: ESPNCredentials, of connection: LeagueConnection) throws -> Bool {
    try write {
      guard try self.credentials(of: connection) == credentials else { return false }
      return try changeOne("UPDATE leagues SET sealed_credentials = NULL", [], of: connection)
    }
  }

  public func edit(_ context: LeagueContext, of connection: LeagueConnection) throws -> Bool {
    try change("UPDATE leagues SET context = ?", [try Self.encoded(context)], of: connection)
  }

  public func remove(_ connection: LeagueConnection) throws -> Bool {
    try change("DELETE FROM leagues", [], of: connection)
  }

  // MARK: Rows

  private func change(_ sql: String, _ values: [any SQLiteValue], of connection: LeagueConnection) throws -> Bool {
    try write { try changeOne(sql, values, of: connection) }
  }

  private func changeOne(_ sql: String, _ values: [any SQLiteValue], of connection: LeagueConnection) throws -> Bool {
    try !database.run("\(sql) \(Self.whose) RETURNING id", values: values + connection.key).isEmpty
  }

  private func read<Value>(
    _ sql: String, _ values: [any SQLiteValue] = [], _ body: (SQLiteRow) throws -> Value
  ) throws -> [Value] {
    try Self.naming(path) { try database.run(sql, values: values).map(body) }
  }

  private func write<Value>(_ body: () throws -> Value) throws -> Value {
    try Self.naming(path) { try database.transaction(.write, body) }
  }

  /// Adds the file's path to errors of SQLite.
  private static func naming<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw error.isNoDatabase
        ? LeagueConnectionError.otherDatabase(path: path, found: "a file that is no SQLite database")
        : LeagueConnectionError.unusableDatabase(path: path, cause: error.description)
    }
  }

  private static func encoded(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func decoded<Value: Decodable>(_ text: String, of connection: LeagueConnection) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    } catch {
      throw LeagueConnectionError.damagedLeague(connection, path: path, cause: "what is stored cannot be read")
    }
  }

  // MARK: Credentials

  private func sealed(_ credentials: ESPNCredentials, of connection: LeagueConnection) throws -> [UInt8] {
    let isSealed: Bool = try database.first("SELECT count(sealed_credentials) > 0 FROM leagues") ?? false
    return try vault(!isSealed).seal(
      Array("\(credentials.swid)\n\(credentials.espnS2)".utf8), context: connection.sealContext)
  }

  private func opened(_ sealed: [UInt8], of connection: LeagueConnection) throws -> ESPNCredentials {
    let plain = try vault(false).open(sealed, context: connection.sealContext)
    let parts = plain.map {
      String(decoding: $0, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }
    guard let parts, parts.count == 2, let swid = parts.first, let espnS2 = parts.last else {
      throw LeagueConnectionError.sealBroken(connection)
    }
    return try ESPNCredentials(swid: String(swid), espnS2: String(espnS2))
  }
}

extension LeagueConnection {
  fileprivate var key: [any SQLiteValue] { [platform.rawValue, leagueID, season] }

  /// The context that sealed credentials are bound to. No part contains a zero byte.
  fileprivate var sealContext: [UInt8] {
    Array("assay.league-credentials\0\(platform.rawValue)\0\(leagueID)\0\(season)".utf8)
  }
}
