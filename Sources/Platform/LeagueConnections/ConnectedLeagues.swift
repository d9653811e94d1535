// SPDX-License-Identifier: GPL-3.0-or-later
public import LeagueCore

/// The operations on leagues of services: connect, list, refresh, edit, remove.
public struct ConnectedLeagues {
  private let storage: any LeagueStorage
  private let service: LeagueService
  private let now: () -> Int64

  /// The leagues of a storage; `now` is in seconds since 1970.
  public init(
    _ storage: any LeagueStorage, service: LeagueService, now: @escaping () -> Int64 = { WallClock.seconds }
  ) {
    (self.storage, self.service, self.now) = (storage, service, now)
  }

  /// A league with the ranking of its stored teams.
  public struct Ranked: Equatable, Sendable {
    public let stored: StoredLeague
    public let ranking: PowerRanking
    /// The seconds since the teams were fetched.
    public let age: Int64
  }

  /// Fetches a league and stores it. One that is connected already keeps its context, and its credentials if none are
  /// given.
  ///
  /// - Throws: An error of the league, its credentials or the answer; nothing is stored then, and you can try again.
  public func connect(_ connection: LeagueConnection, credentials: ESPNCredentials? = nil) async throws -> Ranked {
    try connection.check()
    if credentials != nil, connection.platform != .espn {
      throw LeagueConnectionError.needsNoCredentials(connection.platform)
    }
    let league = try await fetch(connection, given: credentials)
    try storage.connect(league, credentials: credentials, fetchedAt: now())
    return try ranked(league.connection)
  }

  /// Every league with its stored data, in the order of connecting.
  package func list() throws -> [(connection: LeagueConnection, stored: Result<Ranked, any Error>)] {
    try storage.connections().map { connection in (connection, Result { try ranked(connection) }) }
  }

  /// A stored league, ranked.
  public func ranked(_ connection: LeagueConnection) throws -> Ranked {
    guard let stored = try storage.league(connection) else {
      throw LeagueConnectionError.notConnected(connection.title)
    }
    return Ranked(stored: stored, ranking: try PowerRanking(stored.league.teams), age: stored.age(at: now()))
  }

  /// Fetches a league again and ranks it.
  ///
  /// - Throws: `RefreshError` if that fails, and the stored teams stay; `notConnected`.
  public func refresh(_ connection: LeagueConnection) async throws -> Ranked {
    let before = try ranked(connection)
    let league: League
    do {
      league = try await fetch(connection, given: nil)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw RefreshError(cause: error, age: before.stored.age(at: now()))
    }
    guard try storage.refresh(league, fetchedAt: now()) else {
      throw LeagueConnectionError.notConnected(connection.title)
    }
    return try ranked(connection)
  }

  /// Replaces the context of a league, which its members give about themselves.
  public func edit(_ context: LeagueContext, of connection: LeagueConnection) throws {
    guard try storage.edit(context, of: connection) else {
      throw LeagueConnectionError.notConnected(connection.title)
    }
  }

  /// Removes a league with all its stored data.
  public func remove(_ connection: LeagueConnection) throws {
    guard try storage.remove(connection) else { throw LeagueConnectionError.notConnected(connection.title) }
  }

  /// The one connected league of that number.
  ///
  /// - Throws: `notConnected` if there is none, `badConnection` if there are several.
  package func connection(_ leagueID: String, platform: LeaguePlatform? = nil, season: Int? = nil) throws
    -> LeagueConnection
  {
    let found = try storage.connections().filter {
      $0.leagueID == leagueID && (platform ?? $0.platform) == $0.platform && (season ?? $0.season) == $0.season
    }
    guard let first = found.first else { throw LeagueConnectionError.notConnected("league \(leagueID)") }
    guard found.count == 1 else {
      throw LeagueConnectionError.badConnection(
        field: "league", found: "'\(leagueID)', which is \(found.map(\.title).joined(separator: " and "))",
        expected: "one league; add --season or --platform")
    }
    return first
  }

  /// The league as its service has it now, with teams that can be ranked. Stored credentials that are refused are
  /// deleted.
  private func fetch(_ connection: LeagueConnection, given: ESPNCredentials?) async throws -> League {
    let stored = given == nil ? try storage.credentials(of: connection) : nil
    do {
      let league = try await service.fetch(connection, credentials: given ?? stored)
      _ = try PowerRanking(league.teams)
      return league
    } catch LeagueConnectionError.unauthorised(let league, let status, _) {
      let cleared = try stored.map { try storage.forget($0, of: connection) } ?? false
      throw LeagueConnectionError.unauthorised(league, status: status, cleared: cleared)
    }
  }
}
