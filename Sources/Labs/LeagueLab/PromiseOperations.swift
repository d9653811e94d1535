// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import LeagueConnections
internal import LeagueCore
internal import Reporting

/// The operations that the properties check: the shipped code, one of which a mutant replaces.
struct PromiseOperations: Sendable {
  var read: @Sendable ([LeagueFile]) throws -> League = { files in
    try League(files: files.map { (name: $0.name, data: $0.bytes) })
  }
  var roasts: @Sendable (Data, [Team]) throws -> [Team] = { data, teams in
    try RoastReader.read(data, named: "roasts.json", for: teams)
  }
  var prompt: @Sendable (PowerRanking, LeagueContext) -> String = { RoastPrompt($0, context: $1).description }
  var export: @Sendable (PowerRanking) -> String = { RankingText($0).description }
  /// The JSON that `league rank` prints.
  var shown: @Sendable (League) throws -> JSONValue = { league in
    try RankingReport(league, afterWeek: nil, origin: "a league", simulatesSeasons: false).json
  }
  /// Opens the storage in a file, with its own key.
  var open: @Sendable (String) throws -> any LeagueStorage = { path in
    try LeagueStore(path) { _ in
      guard let vault = CredentialVault(key: Array(repeating: 7, count: CredentialVault.keyBytes)) else {
        throw LeagueConnectionError.badKey(path: path, found: "no key", expected: "a key", cure: "make one")
      }
      return vault
    }
  }
  var service: @Sendable (any LeagueTransport) -> LeagueService = { LeagueService($0) }
  var refresh: @Sendable (ConnectedLeagues, LeagueConnection) async throws -> ConnectedLeagues.Ranked = {
    try await $0.refresh($1)
  }

  static let shipping = PromiseOperations()
}
