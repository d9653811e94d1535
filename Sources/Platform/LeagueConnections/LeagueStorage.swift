// SPDX-License-Identifier: GPL-3.0-or-later
public import LeagueCore

/// A connected league as it is stored.
public struct StoredLeague: Hashable, Sendable {
  public let connection: LeagueConnection
  public let context: LeagueContext
  /// The teams as they were last fetched.
  public let league: League
  /// When that was, in seconds since 1970.
  public let fetchedAt: Int64
  /// Whether credentials are stored for it.
  package let hasCredentials: Bool

  public init(
    connection: LeagueConnection, context: LeagueContext, league: League, fetchedAt: Int64, hasCredentials: Bool
  ) {
    (self.connection, self.context, self.league) = (connection, context, league)
    (self.fetchedAt, self.hasCredentials) = (fetchedAt, hasCredentials)
  }

  /// How many seconds ago the teams were fetched; none where the clock was set back.
  package func age(at now: Int64) -> Int64 { max(0, now.subtractingReportingOverflow(fetchedAt).partialValue) }
}

/// Where connected leagues are kept: each on its own, and each change as a whole or not at all.
public protocol LeagueStorage {
  /// All leagues, in the order in which they were first connected.
  func connections() throws -> [LeagueConnection]

  /// A league; nil where it is not connected.
  func league(_ connection: LeagueConnection) throws -> StoredLeague?

  /// The credentials of a league; nil where there are none.
  func credentials(of connection: LeagueConnection) throws -> ESPNCredentials?

  /// Adds a league, or takes the place of its teams and, where they are given, its credentials; its context stays.
  func connect(_ league: League, credentials: ESPNCredentials?, fetchedAt: Int64) throws

  /// Takes the place of a league's teams; false where it is not connected (any more).
  func refresh(_ league: League, fetchedAt: Int64) throws -> Bool

  /// Forgets the credentials of a league if they are still these; false where they are others, or none.
  func forget(_ credentials: ESPNCredentials, of connection: LeagueConnection) throws -> Bool

  /// Takes the place of a league's context; false where it is not connected.
  func edit(_ context: LeagueContext, of connection: LeagueConnection) throws -> Bool

  /// Removes all that is stored of a league; false where it was not connected.
  func remove(_ connection: LeagueConnection) throws -> Bool
}
