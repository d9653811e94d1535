// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
package import LeagueCore

/// A server that writes roasts: it gets `{"prompt": "…"}` by POST, and answers with the list described in the prompt.
package struct RoastBackend: Sendable {
  private let transport: any LeagueTransport
  private let address: ServiceAddress

  package init(_ transport: any LeagueTransport, address: String) throws(LeagueConnectionError) {
    (self.transport, self.address) = (transport, try ServiceAddress(address))
  }

  /// The teams of a ranking, best first, each with its roast.
  ///
  /// - Throws: `LeagueConnectionError` if there is no answer, `RoastError` if it does not follow the prompt.
  package func roasts(of ranking: PowerRanking, context: LeagueContext) async throws -> [Team] {
    let prompt = RoastPrompt(ranking, context: context).description
    let request = LeagueRequest(
      address.url, headers: ["Content-Type": "application/json", "Accept": "application/json"],
      body: try JSONEncoder().encode(["prompt": prompt]))
    let response = try await transport.send(request)
    guard response.status == 200 else { throw response.refusal(of: address.url) }
    return try RoastReader.read(response.body, named: address.url, for: ranking.teams.map(\.team))
  }
}
