// SPDX-License-Identifier: GPL-3.0-or-later
public import LeagueCore

/// A connected league as stored.
public struct StoredLeague: Hashable, Sendable {
  public let connection: LeagueConnection
  public let context: LeagueContext
  /// The league with its teams as last fetched.
  public let league: League
  /// The time of the last fetch, in seconds since 1970.
  public let fetchedAt: Int64
  /// True if credentials are stored for it.
  package let hasCredentials: Bool

  public init(
    connection: LeagueConnection, context: LeagueContext, league: League, fetchedAt: Int64, hasCredentials: Bool
  ) {
    (self.connection, self.context, self.league) = (connection, context, league)
    (self.fetchedAt, self.hasCredentials) = (fetchedAt, hasCredentials)
  }

  /// The seconds since the teams were fetched; 0 if the clock was set back.
  package func age(at now: Int64) -> Int64 { max(0, now.subtractingReportingOverflow(fetchedAt).partialValue) }
}

/// The storage of connected leagues: leagues are independent, and each change is made whole or not at all.
public protocol LeagueStorage {
  /// All leagues, in the order of their first connection.
  func connections() throws -> [LeagueConnection]

  /// A league; nil if it is not connected.
  func league(_ connection: LeagueConnection) throws -> StoredLeague?

  /// The credentials of a league; nil if there are none.
  func credentials(of connection: LeagueConnection) throws -> ESPNCredentials?

  /// Adds a league, or replaces its teams and, if given, its credentials; its context stays.
  func connect(_ league: League, credentials: ESPNCredentials?, fetchedAt: Int64) throws

  /// Replaces a league's teams; false if it is not connected (any more).
  func refresh(_ league: League, fetchedAt: Int64) throws -> Bool

  /// Deletes the credentials of a league if they are still these; false if it has others or none.
  func forget(_ credentials: ESPNCredentials, of connection: LeagueConnection) throws -> Bool

  /// Replaces a league's context; false if it is not connected.
  func edit(_ context: LeagueContext, of connection: LeagueConnection) throws -> Bool

  /// Removes all stored data of a league; false if it was not connected.
  func remove(_ connection: LeagueConnection) throws -> Bool
}
