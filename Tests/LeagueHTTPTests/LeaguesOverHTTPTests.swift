// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import LeagueConnections
import LeagueCore
import LeagueHTTP
import LiveCore
import TestSupport
import Testing

@Suite("Leagues over real sockets, from faulty services", .timeLimit(.minutes(15)))
struct LeaguesOverHTTPTests {
  private static let league = LeagueConnection(platform: .espn, leagueID: "1", season: 2024)
  private static let answer = """
    {"id": 1, "seasonId": 2024, "teams": [
      {"id": 1, "name": "First", "record": {"overall": {"wins": 3, "pointsFor": 30.5}}},
      {"id": 2, "name": "Second", "record": {"overall": {"losses": 3, "pointsFor": 20}}}]}
    """

  /// Waits of a millisecond, so that tests need not.
  private static func transport(seconds: Double = 30) -> RetryingTransport {
    var policy = RetryPolicy()
    (policy.backoff.base, policy.backoff.floor) = (.milliseconds(1), .zero)
    policy.attemptTimeout = Interval(seconds: seconds)
    return RetryingTransport(CurlTransport(), policy: policy)
  }

  private func fetch(_ server: LoopbackServer, seconds: Double = 30) async throws -> League {
    let credentials = try ESPNCredentials(
      swid: "{01234567-89AB-CDEF-0123-456789ABCDEF}", espnS2: String(repeating: "x%2F", count: 30))
    return try await LeagueService(Self.transport(seconds: seconds), address: server.url).fetch(
      Self.league, credentials: credentials)
  }

  @Test("a service that is busy, fails, is cut off and then works gives its league; every request has the cookies")
  func recovers() async throws {
    let server = try LoopbackServer { number, _ in
      switch number {
      case 0: .status("429 Too Many Requests", "", "Retry-After: 0\r\n")
      case 1: .status("500 Internal Server Error", "<html>")
      case 2: .bytes("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"id\"")
      default: .ok(Self.answer)
      }
    }
    #expect(try await fetch(server).teams.map(\.name) == ["First", "Second"])
    #expect(server.received.count == 4)
    #expect(server.received.allSatisfy { $0.header("Cookie")?.hasPrefix("SWID={01234567") == true })
    #expect(
      server.received.first?.path
        == "/seasons/2024/segments/0/leagues/1?view=mTeam&view=mRoster&view=mMatchup&view=mSettings")
  }

  @Test("a permanent failure is reported with the number of attempts")
  func lasting() async throws {
    let server = try LoopbackServer { _, _ in .status("503 Service Unavailable") }
    let error = await #expect(throws: LeagueConnectionError.self) { _ = try await fetch(server) }
    #expect(error?.description.contains("status 503 after 4 attempts") == true)
    #expect(server.received.count == 4)
  }

  @Test("a service that never answers, or never ends its answer, is abandoned after the time limit of each attempt")
  func slow() async throws {
    for text in ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"] {
      let server = try LoopbackServer { _, _ in .open(text) }
      let error = await #expect(throws: LeagueConnectionError.self) { _ = try await fetch(server, seconds: 0.02) }
      guard case .unreachable(_, 4, .timeout(seconds: 0.02)) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }
}
