// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import LeagueConnections
import LeagueCore
import Synchronization

/// A transport that answers as a test says, and remembers what was asked.
final class ScriptedTransport: LeagueTransport {
  private let log = Mutex<[LeagueRequest]>([])
  private let answer: @Sendable (_ number: Int, LeagueRequest) async throws -> LeagueResponse

  var requests: [LeagueRequest] { log.withLock { $0 } }

  init(_ answer: @escaping @Sendable (_ number: Int, LeagueRequest) async throws -> LeagueResponse) {
    self.answer = answer
  }

  func send(_ request: LeagueRequest) async throws -> LeagueResponse {
    let number = log.withLock { log in
      log.append(request)
      return log.count - 1
    }
    return try await answer(number, request)
  }
}

extension LeagueResponse {
  static func ok(_ text: String) -> LeagueResponse { LeagueResponse(status: 200, body: Data(text.utf8)) }
}

enum Sample {
  static let espn = LeagueConnection(platform: .espn, leagueID: "1234", season: 2024)
  static let sleeper = LeagueConnection(platform: .sleeper, leagueID: "987654321", season: 2023)
  static let key = [UInt8](0..<32)
  static let swid = "{FEDCBA98-7654-3210-FEDC-BA9876543210}"
  static let espnS2 = "AEB" + String(repeating: "s%2F", count: 30)

  static func credentials(_ mark: String = "") throws -> ESPNCredentials {
    try ESPNCredentials(swid: swid, espnS2: espnS2 + mark)
  }

  /// ESPN's answer about a league of two teams.
  static func espnAnswer(_ connection: LeagueConnection = espn, wins: Int = 3) -> String {
    """
    {"id": \(connection.leagueID), "seasonId": \(connection.season), "settings": {"name": "Sunday"}, "members": [],
     "teams": [{"id": 1, "name": "First", "record": {"overall": {"wins": \(wins), "pointsFor": 30.5}}},
               {"id": 2, "name": "Second", "record": {"overall": {"losses": \(wins), "pointsFor": 20}}}]}
    """
  }

  static func league(_ connection: LeagueConnection = espn, wins: Int = 3) throws -> League {
    let league = try ESPNLeague.read(Data(espnAnswer(connection, wins: wins).utf8), named: "sample")
    return League(connection: connection, name: league.name, teams: league.teams)
  }

  static func store(_ path: String = ":memory:", key: [UInt8] = key) throws -> LeagueStore {
    try LeagueStore(path) { _ in
      guard let vault = CredentialVault(key: key) else { throw LeagueConnectionError.notSealed("key") }
      return vault
    }
  }
}
