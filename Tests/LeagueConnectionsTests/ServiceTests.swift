// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import LeagueConnections
import LeagueCore
import LiveCore
import Testing
import VirtualTime

@Suite("Requests are repeated after temporary failures, and not before the server's Retry-After")
struct RetryingTransportTests {
  /// What comes of a request with longest waits, and how many seconds it took.
  private func outcome(
    policy: RetryPolicy = RetryPolicy(),
    _ answer: @escaping @Sendable (_ number: Int, VirtualClock) async throws -> LeagueResponse
  ) throws -> (result: Result<LeagueResponse, any Error>, requests: Int, seconds: Double) {
    try VirtualClock.run { clock in
      let script = ScriptedTransport { number, _ in try await answer(number, clock) }
      let transport = RetryingTransport(script, policy: policy, clock: clock, word: { .max }, now: { 0 })
      let result: Result<LeagueResponse, any Error>
      do {
        result = .success(try await transport.send(LeagueRequest("http://x")))
      } catch {
        result = .failure(error)
      }
      return (result, script.requests.count, Double(clock.now.nanoseconds) / 1e9)
    }
  }

  @Test(
    "429 and 5xx are asked again with growing waits, and the last answer is given", arguments: [429, 500, 503, 599])
  func transient(status: Int) throws {
    let (result, requests, seconds) = try outcome { _, _ in LeagueResponse(status: status) }
    #expect(try result.get().status == status && result.get().attempts == 4 && requests == 4)
    #expect((3.4...3.5).contains(seconds), "0.5, 1 and 2 s of virtual time")
    #expect(try outcome { number, _ in number < 2 ? LeagueResponse(status: status) : .ok("late") }.requests == 3)
  }

  @Test("other answers are not repeated", arguments: [200, 204, 301, 400, 401, 403, 404, 418])
  func final(status: Int) throws {
    let (result, requests, _) = try outcome { _, _ in LeagueResponse(status: status) }
    #expect(try result.get().status == status && requests == 1)
  }

  @Test(
    "Retry-After comes before the wait, in seconds or as a date; what is neither does not count",
    arguments: [
      ("30", "", 30.0), ("Thu, 01 Jan 1970 00:00:40 GMT", "", 40),
      ("Thu, 01 Jan 1970 00:01:40 GMT", "Thu, 01 Jan 1970 00:01:00 GMT", 40),
      ("Wed, 31 Dec 1969 00:00:00 GMT", "", 0), ("soon", "", 0), ("-5", "", 0),
    ])
  func wishes(wish: String, date: String, seconds: Double) throws {
    let busy = LeagueResponse(status: 429, headers: ["retry-after": wish, "date": date])
    let found = try outcome { number, _ in number == 0 ? busy : .ok("") }
    #expect(abs(found.seconds - seconds - 0.5) < 1e-3)
  }

  @Test("a Retry-After above the limit ends the attempts", arguments: ["61", "99999999999999999999"])
  func tooLong(wish: String) throws {
    let (result, requests, seconds) = try outcome { _, _ in LeagueResponse(status: 429, headers: ["retry-after": wish])
    }
    #expect(try result.get().status == 429 && requests == 1 && seconds == 0)
  }

  @Test("lost connections and timeouts are tried again, then reported with the number of attempts")
  func offline() throws {
    let offline = TransportError.connection("no route")
    var found = try outcome { _, _ in throw offline }
    #expect(throws: LeagueConnectionError.unreachable(url: "http://x", attempts: 4, offline)) { try found.result.get() }
    found = try outcome { _, clock in
      try await clock.sleep(for: .seconds(3600))
      return .ok("late")
    }
    #expect(throws: LeagueConnectionError.unreachable(url: "http://x", attempts: 4, .timeout(seconds: 20))) {
      try found.result.get()
    }
    #expect((83.4...83.5).contains(found.seconds), "4 times 20 s, and the waits")
    found = try outcome { _, _ in throw TransportError.unusable("certificate") }
    #expect(found.requests == 1)
  }
}

@Suite("Requests to ESPN and Sleeper")
struct LeagueServiceTests {
  private static let rosters =
    #"[{"roster_id": 1, "owner_id": "7", "league_id": "987654321", "settings": {"wins": 2}}]"#
  private static let users = #"[{"user_id": "7", "display_name": "Seven"}]"#

  private static func sleeper(_ request: LeagueRequest) -> LeagueResponse {
    if request.url.hasSuffix("/rosters") { return .ok(rosters) }
    if request.url.hasSuffix("/users") { return .ok(users) }
    return .ok(#"{"league_id": "987654321", "season": "2023", "name": "Sleepers"}"#)
  }

  @Test("ESPN's league is one request with all views, and with cookies if there are any")
  func espn() async throws {
    let script = ScriptedTransport { _, _ in .ok(Sample.espnAnswer()) }
    let service = LeagueService(script)
    let league = try await service.fetch(Sample.espn, credentials: Sample.credentials())
    #expect(try league == Sample.league() && league.teams.map(\.name) == ["First", "Second"])
    _ = try await service.fetch(Sample.espn, credentials: nil)
    #expect(
      script.requests.map(\.url)
        == Array(
          repeating: "https://lm-api-reads.fantasy.espn.com/apis/v3/games/ffl/seasons/2024/segments/0/leagues/1234"
            + "?view=mTeam&view=mRoster&view=mMatchup&view=mSettings", count: 2))
    #expect(try script.requests.map { $0.headers["Cookie"] } == [Sample.credentials().cookie, nil])
  }

  @Test("seasons before 2018 come from ESPN's history")
  func history() async throws {
    let old = LeagueConnection(platform: .espn, leagueID: "1234", season: 2015)
    let script = ScriptedTransport { _, _ in .ok("[\(Sample.espnAnswer(old))]") }
    #expect(try await LeagueService(script, address: "http://x/").fetch(old, credentials: nil).connection == old)
    #expect(script.requests.first?.url.hasPrefix("http://x/leagueHistory/1234?seasonId=2015&view=mTeam") == true)
  }

  @Test("Sleeper's league, rosters and users come in three requests, none with credentials")
  func sleeper() async throws {
    let script = ScriptedTransport { _, request in Self.sleeper(request) }
    let league = try await LeagueService(script).fetch(Sample.sleeper, credentials: Sample.credentials())
    #expect(league.connection == Sample.sleeper && league.teams.map(\.name) == ["Seven"])
    let base = "https://api.sleeper.app/v1/league/987654321"
    #expect(script.requests.map(\.url) == [base, base + "/rosters", base + "/users"])
    #expect(script.requests.allSatisfy { $0.headers["Cookie"] == nil && !"\($0)".contains("s%2F") })
  }

  @Test(
    "what is no league says what it is instead",
    arguments: [
      (401, "", "private"), (403, "", "private"), (404, "{}", "no such league"), (500, "", "found status 500"),
      (302, "", "found status 302"), (200, "<html>", "HTML"), (200, #"{"teams": [{"id": 1"#, "ends early"),
      (200, "", "found nothing"),
      (200, Sample.espnAnswer(LeagueConnection(platform: .espn, leagueID: "99", season: 2024)), "found espn league 99"),
      (200, #"{"league_id": "1", "season": "2023"}"#, "Sleeper"),
    ])
  func answers(status: Int, body: String, problem: String) async throws {
    let script = ScriptedTransport { _, _ in LeagueResponse(status: status, body: Data(body.utf8)) }
    let error = await #expect(throws: (any Error).self) {
      _ = try await LeagueService(script).fetch(Sample.espn, credentials: nil)
    }
    #expect("\(try #require(error))".contains(problem))
  }

  @Test("an unknown league is null at Sleeper; missing users are an error")
  func unknown() async throws {
    let null = ScriptedTransport { _, _ in .ok("null") }
    await #expect(throws: LeagueConnectionError.self) {
      _ = try await LeagueService(null).fetch(Sample.sleeper, credentials: nil)
    }
    let script = ScriptedTransport { _, request in request.url.hasSuffix("/users") ? .ok("null") : Self.sleeper(request)
    }
    await #expect(throws: LeagueDocumentError.self) {
      _ = try await LeagueService(script).fetch(Sample.sleeper, credentials: nil)
    }
  }

  @Test("credentials are sent over https only, or to this machine")
  func protected() async throws {
    let script = ScriptedTransport { _, _ in .ok(Sample.espnAnswer()) }
    for address in ["https://x", "http://127.0.0.1:1", "http://localhost", "http://[::1]:8080/"] {
      _ = try await LeagueService(script, address: address).fetch(Sample.espn, credentials: Sample.credentials())
    }
    for address in ["http://x", "http://127.0.0.1.example.org"] {
      await #expect(throws: LeagueConnectionError.self) {
        _ = try await LeagueService(script, address: address).fetch(Sample.espn, credentials: Sample.credentials())
      }
    }
    #expect(script.requests.count == 4)
  }

  @Test(
    "an address that could take requests elsewhere is refused",
    arguments: [
      "", "x", "ftp://x", "https://", "https://a@b", "https://a:b@c", "https://x?y", "https://x#y", "https://x y",
      "https://x\r\nY: 1",
    ])
  func addresses(text: String) async {
    let service = LeagueService(ScriptedTransport { _, _ in .ok("") }, address: text)
    await #expect(throws: LeagueConnectionError.self) { try await service.fetch(Sample.sleeper, credentials: nil) }
  }
}
