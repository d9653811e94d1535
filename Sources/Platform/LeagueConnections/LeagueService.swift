// SPDX-License-Identifier: GPL-3.0-or-later
package import Foundation
public import LeagueCore

/// Fetches leagues from their services: ESPN's fantasy football, version 3 of its interface, and Sleeper.
public struct LeagueService: Sendable {
  /// The first season of ESPN's interface; earlier seasons are read from its history.
  private static let firstSeason = 2018

  private let transport: any LeagueTransport
  private let address: String?

  /// The services at their default addresses, or at another one.
  public init(_ transport: any LeagueTransport, address: String? = nil) {
    (self.transport, self.address) = (transport, address)
  }

  /// The league as its service has it. Private leagues of ESPN need credentials, which are sent with every request to
  /// ESPN and never to Sleeper, whose leagues are public.
  ///
  /// - Throws: `LeagueConnectionError`; the core's error for an answer that cannot be read.
  package func fetch(_ connection: LeagueConnection, credentials: ESPNCredentials?) async throws -> League {
    try await fetch(connection, credentials: credentials, withWeeks: false).league
  }

  /// A document of a league as the service sent it.
  package struct Document: Equatable, Sendable {
    /// The name of a file for it, by which `League.init(files:)` finds the week of matchups.
    package let name: String
    package let url: String
    package let data: Data
  }

  /// The league as its service has it, with the documents that it was read from.
  ///
  /// - Parameters:
  ///   - connection: The league.
  ///   - credentials: The credentials for a private league of ESPN.
  ///   - withWeeks: Whether the matchups of every week that is over are fetched too. ESPN's one document always has
  ///     them.
  /// - Returns: The league and its documents.
  /// - Throws: As `fetch(_:credentials:)`.
  package func fetch(
    _ connection: LeagueConnection, credentials: ESPNCredentials?, withWeeks: Bool
  ) async throws -> (league: League, documents: [Document]) {
    let address = try ServiceAddress(address ?? connection.platform.defaultAddress)
    try connection.check()
    let documents =
      switch connection.platform {
      case .espn: try await espn(connection, credentials, at: address)
      case .sleeper: try await sleeper(connection, at: address, withWeeks: withWeeks)
      }
    let league: League
    do throws(LeagueDocumentError) {
      league = try League(files: documents.map { ($0.url, $0.data) }, platform: connection.platform)
    } catch {
      throw error.ofAnswer
    }
    guard league.connection.isAnswer(to: connection) else {
      throw LeagueConnectionError.otherLeague(asked: connection, found: league.connection)
    }
    return (league, documents)
  }

  private func espn(
    _ connection: LeagueConnection, _ credentials: ESPNCredentials?, at address: ServiceAddress
  ) async throws -> [Document] {
    if credentials != nil { try address.requireProtection() }
    let path =
      connection.season >= Self.firstSeason
      ? "/seasons/\(connection.season)/segments/0/leagues/\(connection.leagueID)?"
      : "/leagueHistory/\(connection.leagueID)?seasonId=\(connection.season)&"
    let url = address.url + path + "view=mTeam&view=mRoster&view=mMatchup&view=mSettings"
    let headers = credentials.map { ["Cookie": $0.cookie] } ?? [:]
    return [Document(name: "league.json", url: url, data: try await body(url, headers: headers, of: connection))]
  }

  private func sleeper(
    _ connection: LeagueConnection, at address: ServiceAddress, withWeeks: Bool
  ) async throws -> [Document] {
    let url = address.url + "/league/\(connection.leagueID)"
    let league = try await body(url, of: connection)
    // Sleeper's answer for an unknown league.
    guard String(decoding: league, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) != "null" else {
      throw LeagueConnectionError.unknownLeague(connection, url: url)
    }
    var documents = [Document(name: "league.json", url: url, data: league)]
    var parts = ["rosters", "users"].map { (name: "\($0).json", path: $0) }
    if withWeeks {
      do throws(LeagueDocumentError) {
        parts += try SleeperLeague.weeksOver(LeagueDocument(league, named: url)).map {
          ("matchups-\($0).json", "matchups/\($0)")
        }
      } catch {
        throw error.ofAnswer
      }
    }
    for (name, path) in parts {
      let part = "\(url)/\(path)"
      documents.append(Document(name: name, url: part, data: try await body(part, of: connection)))
    }
    return documents
  }

  /// The body of the answer to a request for a league.
  private func body(
    _ url: String, headers: [String: String] = [:], of connection: LeagueConnection
  ) async throws -> Data {
    let request = LeagueRequest(url, headers: headers.merging(["Accept": "application/json"]) { own, _ in own })
    let response = try await transport.send(request)
    switch response.status {
    case 200: return response.body
    case 401, 403: throw LeagueConnectionError.unauthorised(connection, status: response.status, cleared: false)
    case 404: throw LeagueConnectionError.unknownLeague(connection, url: url)
    default: throw response.refusal(of: url)
    }
  }
}

extension LeagueDocumentError {
  /// The same error in an answer to a request, which nobody can correct or download otherwise.
  var ofAnswer: LeagueDocumentError {
    let advice =
      found.contains("web page")
      ? "the service sent a page and no data: a private league needs its cookies, and a network may ask for a log-in; "
        + "open the address in a browser"
      : cure.hasPrefix("check") || cure.hasPrefix("leagues of")
        ? cure : "ask again later; if the answer stays the same, the service has changed its documents"
    return LeagueDocumentError(file: file, field: field, found: found, expected: expected, cure: advice)
  }
}

extension LeagueConnection {
  /// Returns true if a league of this connection is the one asked for: a Sleeper league may be asked for without its
  /// season, which is one.
  fileprivate func isAnswer(to asked: LeagueConnection) -> Bool {
    asked.season == Self.anySeason
      ? (platform, leagueID) == (asked.platform, asked.leagueID) : self == asked
  }
}

extension LeaguePlatform {
  /// The default address of its service.
  public var defaultAddress: String {
    switch self {
    case .espn: "https://lm-api-reads.fantasy.espn.com/apis/v3/games/ffl"
    case .sleeper: "https://api.sleeper.app/v1"
    }
  }
}

/// The address of a service: a scheme, a host and a path, without a slash at the end.
struct ServiceAddress: Hashable, Sendable {
  let url: String
  /// True if nobody on the network can read the requests.
  private let isProtected: Bool

  init(_ text: String) throws(LeagueConnectionError) {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(), let host = parts.host,
      !host.isEmpty, ["http", "https"].contains(scheme), parts.user == nil, parts.password == nil, parts.query == nil,
      parts.fragment == nil, text.utf8.allSatisfy({ 0x21...0x7e ~= $0 })
    else {
      throw .badAddress(found: text, expected: "http:// or https:// with a host, without a name, query or fragment")
    }
    url = text.hasSuffix("/") ? String(text.dropLast()) : text
    isProtected = scheme == "https" || ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host)
  }

  /// - Throws: `badAddress` if credentials would go through a network unencrypted.
  func requireProtection() throws(LeagueConnectionError) {
    guard isProtected else { throw .badAddress(found: url, expected: "https://, since credentials go there") }
  }
}

extension LeagueResponse {
  /// The error for an answer that is not 200.
  func refusal(of url: String) -> LeagueConnectionError {
    var remark = ""
    if let index = headers["location"] { remark = "It redirects to '\(index)'; give it by --base-url if it is right." }
    if let wish = headers["retry-after"] { remark = "It asks for a pause (Retry-After: \(wish)); try later." }
    return .refused(url: url, status: status, attempts: attempts, remark: remark)
  }
}
