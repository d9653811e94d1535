// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import LeagueConnections
import LeagueCore
import Synchronization
import Testing

@Suite("Leagues are connected, listed, refreshed, edited and removed")
struct ConnectedLeaguesTests {
  /// A service that answers as the test says at each moment, and remembers the cookies it got.
  private final class Service: Sendable {
    private let answer = Mutex(LeagueResponse.ok(Sample.espnAnswer()))
    private let log = Mutex<[String?]>([])
    let now = Mutex<Int64>(1_000_000)

    var cookies: [String?] { log.withLock(\.self) }

    func leagues(in store: LeagueStore) -> ConnectedLeagues {
      let transport = ScriptedTransport { _, request in
        self.log.withLock { $0.append(request.headers["Cookie"]) }
        return self.answer.withLock(\.self)
      }
      return ConnectedLeagues(store, service: LeagueService(transport), now: { self.now.withLock(\.self) })
    }

    func says(_ response: LeagueResponse) { answer.withLock { $0 = response } }
  }

  private let service = Service()

  @Test("a league that was connected is ranked, listed with its age, and refreshed with its own credentials")
  func way() async throws {
    let leagues = service.leagues(in: try Sample.store())
    let connected = try await leagues.connect(Sample.espn, credentials: Sample.credentials())
    #expect(connected.ranking.teams.map(\.team.name) == ["First", "Second"] && connected.age == 0)
    service.now.withLock { $0 += 7200 }
    #expect(try leagues.list().map(\.connection) == [Sample.espn] && leagues.ranked(Sample.espn).age == 7200)
    service.says(.ok(Sample.espnAnswer(wins: 4)))
    let refreshed = try await leagues.refresh(Sample.espn)
    #expect(try refreshed.stored.league == Sample.league(wins: 4) && refreshed.age == 0)
    #expect(try refreshed == leagues.ranked(Sample.espn))
    let cookie = try Sample.credentials().cookie
    #expect(service.cookies == [cookie, cookie])
    try leagues.edit(LeagueContext(sackoPunishment: "karaoke"), of: Sample.espn)
    #expect(try leagues.ranked(Sample.espn).stored.context.sackoPunishment == "karaoke")
    try leagues.remove(Sample.espn)
    #expect(try leagues.list().isEmpty)
    #expect(throws: LeagueConnectionError.notConnected(Sample.espn.title)) { try leagues.remove(Sample.espn) }
    await #expect(throws: LeagueConnectionError.self) { try await leagues.refresh(Sample.espn) }
  }

  @Test(
    "numbers that name no league are refused before anybody is asked",
    arguments: ["", "12a", "1/2", "１", "-1", " 1", "123456789012345678901"])
  func numbers(id: String) async throws {
    let leagues = service.leagues(in: try Sample.store())
    let league = LeagueConnection(platform: .espn, leagueID: id, season: 2024)
    await #expect(throws: LeagueConnectionError.self) { try await leagues.connect(league) }
    #expect(service.cookies.isEmpty)
  }

  @Test("an impossible season is refused")
  func seasons() async throws {
    let leagues = service.leagues(in: try Sample.store())
    for season in [Int.min, 1989, 2101, .max] {
      await #expect(throws: LeagueConnectionError.self) {
        try await leagues.connect(LeagueConnection(platform: .espn, leagueID: "1", season: season))
      }
    }
    #expect(service.cookies.isEmpty)
  }

  @Test("a failed refresh keeps the teams, and its error states their age")
  func stale() async throws {
    let leagues = service.leagues(in: try Sample.store())
    let before = try await leagues.connect(Sample.espn)
    service.now.withLock { $0 += 3 * 86_400 }
    for answer in [LeagueResponse(status: 503), LeagueResponse(status: 404), .ok("{"), .ok(#"{"teams": []}"#)] {
      service.says(answer)
      let error = await #expect(throws: RefreshError.self) { try await leagues.refresh(Sample.espn) }
      #expect(error?.age == 3 * 86_400 && error?.description.hasSuffix("stored 3 days ago are kept.") == true)
      #expect(try leagues.ranked(Sample.espn).stored == before.stored)
    }
  }

  @Test("refused credentials are removed, which the error states; the teams are kept", arguments: [401, 403])
  func refused(status: Int) async throws {
    let store = try Sample.store()
    let leagues = service.leagues(in: store)
    _ = try await leagues.connect(Sample.espn, credentials: Sample.credentials())
    service.says(LeagueResponse(status: status))
    let error = await #expect(throws: RefreshError.self) { try await leagues.refresh(Sample.espn) }
    #expect(error?.cause as? LeagueConnectionError == .unauthorised(Sample.espn, status: status, cleared: true))
    #expect(error?.description.contains("refused and are cleared") == true)
    #expect(try store.credentials(of: Sample.espn) == nil && leagues.list().count == 1)
    await #expect(throws: RefreshError.self) { try await leagues.refresh(Sample.espn) }
    #expect(service.cookies.last == .some(nil))
  }

  @Test("a league is found by its number, unless several have it")
  func found() async throws {
    let leagues = service.leagues(in: try Sample.store())
    let old = LeagueConnection(platform: .espn, leagueID: "1234", season: 2023)
    _ = try await leagues.connect(Sample.espn)
    #expect(try leagues.connection("1234") == Sample.espn)
    service.says(.ok(Sample.espnAnswer(old)))
    _ = try await leagues.connect(old)
    let error = try #require(throws: LeagueConnectionError.self) { _ = try leagues.connection("1234") }
    #expect(error.description.contains("season 2024 and espn league 1234, season 2023"))
    #expect(try leagues.connection("1234", season: 2023) == old)
    #expect(throws: LeagueConnectionError.notConnected("league 5")) { try leagues.connection("5") }
    #expect(throws: LeagueConnectionError.self) { try leagues.connection("1234", platform: .sleeper) }
  }
}
