// SPDX-License-Identifier: GPL-3.0-or-later
public import LeagueCore

/// An error in connecting and storing leagues, with the information to fix it.
public enum LeagueConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
  // Errors of the input.
  case badConnection(field: String, found: String, expected: String)
  case badAddress(found: String, expected: String)
  case badCredential(name: String, found: String, expected: String)
  case needsNoCredentials(LeaguePlatform)
  case notConnected(String)

  // Errors of the service's answer.
  case unreachable(url: String, attempts: Int, TransportError)
  /// 401 or 403; `cleared` if stored credentials were refused and therefore deleted.
  case unauthorised(LeagueConnection, status: Int, cleared: Bool)
  case unknownLeague(LeagueConnection, url: String)
  case refused(url: String, status: Int, attempts: Int, remark: String)
  /// The answer is about another league than the requested one.
  case otherLeague(asked: LeagueConnection, found: LeagueConnection)

  // Errors of the stored data.
  case otherDatabase(path: String, found: String)
  case newerDatabase(path: String, version: Int, known: Int)
  case unusableDatabase(path: String, cause: String)
  /// A database that other users can read or write.
  case exposedDatabase(path: String, mode: Int)
  case damagedLeague(LeagueConnection, path: String, cause: String)
  case badKey(path: String, found: String, expected: String, cure: String)
  /// Sealed credentials that the key cannot open.
  case sealBroken(LeagueConnection)
  /// Sealing failed on this machine, independent of the value.
  case notSealed(String)

  public var description: String {
    switch self {
    case .badConnection(let field, let found, let expected):
      "\(field): found \(found), expected \(expected)."
    case .badAddress(let found, let expected): "base URL: found '\(found)', expected \(expected)."
    case .badCredential(let name, let found, let expected): "\(name): found \(found), expected \(expected)."
    case .needsNoCredentials(let platform):
      "\(platform.rawValue) leagues are public: found credentials, expected none; leave them out."
    case .notConnected(let what): "\(what) is not connected; 'assay league list' shows the leagues that are."
    case .unreachable(let url, let attempts, let error):
      "\(url): \(error)\(Self.tried(attempts))."
        + (error.isTransient ? " Is the network there? Nothing was changed; try again later." : "")
    case .unauthorised(let league, let status, let cleared):
      "\(league.title): \(league.platform.rawValue) answered \(status). \(Self.cure(league.platform, cleared))"
    case .unknownLeague(let league, let url):
      "\(league.title): \(league.platform.rawValue) has no such league (\(url)); check its number and the season."
    case .refused(let url, let status, let attempts, let remark):
      "\(url): found status \(status)\(Self.tried(attempts)), expected 200.\(remark.isEmpty ? "" : " \(remark)")"
    case .otherLeague(let asked, let found):
      "asked for \(asked.title), found \(found.title) in the answer; check the number, the season and the base URL."
    case .otherDatabase(let path, let found):
      "'\(path)': found \(found), expected a database of leagues, or no file; name another by --database."
    case .newerDatabase(let path, let version, let known):
      "'\(path)': found version \(version), expected at most \(known): a newer Assay made it; use that one."
    case .unusableDatabase(let path, let cause):
      "'\(path)': \(cause); check that its folder exists and is writable, or name another by --database."
    case .exposedDatabase(let path, let mode):
      "'\(path)': found mode \(String(mode, radix: 8)), expected 600, a file that only you can read; if nobody else "
        + "has read or changed it, 'chmod 600' it, else remove it and connect the leagues again."
    case .damagedLeague(let league, let path, let cause):
      "'\(path)', \(league.title): \(cause); remove the league and connect it again."
    case .badKey(let path, let found, let expected, let cure):
      "key file '\(path)': found \(found), expected \(expected); \(cure)."
    case .sealBroken(let league):
      "\(league.title): the stored credentials cannot be opened with this key, or were changed; connect the league "
        + "again with fresh ones, or put the right key file back."
    case .notSealed(let cause): "sealing failed: \(cause)"
    }
  }

  private static func cure(_ platform: LeaguePlatform, _ cleared: Bool) -> String {
    if cleared { return "The stored credentials were refused and are cleared; connect the league with fresh ones." }
    return platform == .espn
      ? "The league is private; connect it with the cookies SWID and espn_s2 of a member, fresh from a browser."
      : "Its leagues need no credentials, so it refuses this machine; try later."
  }

  private static func tried(_ attempts: Int) -> String { attempts > 1 ? " after \(attempts) attempts" : "" }
}

/// A failed refresh; the stored teams are unchanged.
public struct RefreshError: Error, CustomStringConvertible {
  public let cause: any Error
  /// The seconds since the stored teams were fetched.
  package let age: Int64

  public var description: String { "\(cause) The teams stored \(Age.words(age)) are kept." }
}

/// The age of data, as text for people.
package enum Age {
  package static func words(_ seconds: Int64) -> String {
    switch seconds {
    case ..<60: "less than a minute ago"
    case ..<7200: "\(seconds / 60) min ago"
    case ..<172_800: "\(seconds / 3600) h ago"
    default: "\(seconds / 86_400) days ago"
    }
  }
}

extension LeagueConnection {
  /// The name for people: `espn league 123, season 2024`.
  package var title: String {
    "\(platform.rawValue) league \(leagueID)" + (season == Self.anySeason ? "" : ", season \(season)")
  }

  /// Stands for the only season that a Sleeper league has, until the service names it.
  package static let anySeason = 0

  /// The seasons that a league can have.
  package static let seasons = 1990...2100

  /// - Throws: `badConnection` if it cannot name a league: its parts become parts of addresses unchanged.
  package func check() throws(LeagueConnectionError) {
    guard 1...20 ~= leagueID.utf8.count, leagueID.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw .badConnection(
        field: "league", found: "'\(leagueID)'", expected: "1 to 20 digits, as in the address of the league's page")
    }
    guard Self.seasons ~= season || platform == .sleeper && season == Self.anySeason else {
      throw .badConnection(
        field: "season", found: "\(season)",
        expected: "a year from \(Self.seasons.lowerBound) to \(Self.seasons.upperBound)")
    }
  }
}
