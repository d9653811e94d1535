// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("Leagues by their number, from a local server that plays recorded documents", .timeLimit(.minutes(15)))
struct LeagueAddressTests {
  private static let fixtures = packageRoot.appendingPathComponent("Tests/LeagueCoreTests/Fixtures")
  private static let number = "900000000000000001"

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: fixtures.appendingPathComponent(path), encoding: .utf8)
  }

  /// The documents of a Sleeper league of four teams that begins in week 3, by their paths.
  private static func sleeper() throws -> [String: String] {
    let (folder, root) = ("reported/14-sleeper-late-start", "/league/\(number)")
    return [
      root: try text("\(folder)/league.json"), "\(root)/rosters": try text("\(folder)/rosters.json"),
      "\(root)/users": try text("\(folder)/users.json"), "\(root)/matchups/3": try text("\(folder)/matchups-3.json"),
      "\(root)/matchups/4": try text("\(folder)/matchups-4.json"),
    ]
  }

  private func server(_ answers: [String: String]) throws -> LoopbackServer {
    try LoopbackServer { _, request in
      answers[request.path].map { .ok($0) } ?? .status("404 Not Found")
    }
  }

  private func rank(
    _ typed: String, from server: LoopbackServer, in folder: TemporaryFolder? = nil,
    _ environment: [String: String] = [:]
  ) throws -> AssayProcess {
    try AssayProcess("league rank \(typed) --base-url \(server.url)", in: folder?.url, environment: environment)
  }

  @Test("a Sleeper league is ranked with luck and movement by its number alone, and what is saved gives the same")
  func sleeper() throws {
    let server = try server(Self.sleeper())
    let folder = try TemporaryFolder()
    let process = try rank("sleeper:\(Self.number) --save kept --week 4", from: server, in: folder)
    #expect(process.status == 0, "\(process.remarks)")
    let head = "Neutral League: the power ranking after week 4\n\nsleeper:\(Self.number): Sleeper"
    #expect(process.output.hasPrefix(head))
    #expect(process.output.contains("moved") && process.output.contains("How much is due to the schedule's luck?"))
    #expect(process.remarks.contains("saved 5 documents in kept"))
    #expect(server.received.count == 5, "no week is fetched that is not over or before the season")
    let names = ["league.json", "matchups-3.json", "matchups-4.json", "rosters.json", "users.json"]
    #expect(try folder.names(in: "kept") == names)
    let again = try AssayProcess(
      "league rank --week 4 --format csv", names.map { "kept/\($0)" }, in: folder.url)
    #expect(again.status == 0, "\(again.remarks)")
    #expect(again.output == (try rank("sleeper:\(Self.number) --week 4 --format csv", from: server).output))
    // The same league may be saved there again, another one may not.
    #expect(try rank("sleeper:\(Self.number) --save kept", from: server, in: folder).status == 0)
    try folder.write("a diary", as: "diary.txt")
    try rank("sleeper:\(Self.number) --save .", from: server, in: folder).expectRefusal("'.' with other files")
  }

  @Test("an ESPN league is one request with its views; the season may be given, and cookies come from the environment")
  func espn() throws {
    let answer = try Self.text("reported/01-espn-tie-rule-winner/league.json")
    let server = try LoopbackServer { _, _ in .ok(answer) }
    let cookies = [
      "ASSAY_ESPN_SWID": "{01234567-89AB-CDEF-0123-456789ABCDEF}", "ASSAY_ESPN_S2": String(repeating: "a", count: 100),
    ]
    let folder = try TemporaryFolder()
    let process = try rank("espn:1234567 --season 2024 --save kept", from: server, in: folder, cookies)
    #expect(process.status == 0 && process.output.contains("espn:1234567: ESPN league 1234567, season 2024."))
    #expect(process.output.replacing("\n", with: " ").contains("1 game counts as the service decided, not by points"))
    let request = try #require(server.received.first)
    #expect(
      request.path == "/seasons/2024/segments/0/leagues/1234567?view=mTeam&view=mRoster&view=mMatchup&view=mSettings")
    #expect(server.received.count == 1 && request.header("Cookie")?.hasPrefix("SWID={01234567") == true)
    #expect(try AssayProcess("league rank kept/league.json", in: folder.url).status == 0)
  }

  @Test("answers compressed by gzip, and in chunks, are read")
  func encodings() throws {
    let packed = try Data(contentsOf: Self.fixtures.appendingPathComponent("reported/24-league-gz/league.json.gz"))
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n"
    let (middle, end) = (packed.count / 2, packed.count)
    func chunk(_ range: Range<Int>) -> Data {
      Data("\(String(range.count, radix: 16))\r\n".utf8) + packed[range] + Data("\r\n".utf8)
    }
    for body in [
      Data("\(head)Content-Length: \(packed.count)\r\n\r\n".utf8) + packed,
      Data("\(head)Transfer-Encoding: chunked\r\n\r\n".utf8) + chunk(0..<middle) + chunk(middle..<end)
        + Data("0\r\n\r\n".utf8),
    ] {
      let server = try LoopbackServer { _, _ in .data(body) }
      let process = try rank("espn:1234567 --season 2024", from: server)
      #expect(process.status == 0, "\(process.remarks)")
    }
  }

  @Test(
    "a fault of the service ends with 2, worded for a request",
    arguments: [
      ("401 Unauthorized", "", "", "espn answered 401. The league is private"),
      ("404 Not Found", "", "", "espn has no such league"),
      ("429 Too Many Requests", "", "Retry-After: 3600\r\n", "It asks for a pause (Retry-After: 3600); try later."),
      (
        "429 Too Many Requests", "", "Retry-After: Wed, 21 Oct 2099 07:28:00 GMT\r\n",
        "It asks for a pause (Retry-After: Wed, 21 Oct 2099 07:28:00 GMT); try later."
      ),
      ("302 Found", "", "Location: /elsewhere\r\n", "found status 302, expected 200. It redirects to '/elsewhere'"),
      ("200 OK", #"{"messages": ["No such view."]}"#, "", #"found ESPN's refusal: "No such view.""#),
      ("200 OK", #"{"error": "Out of order"}"#, "", #"found an error of the service: "Out of order""#),
      ("200 OK", "<html>Log in</html>", "", "found a web page (HTML)"),
      ("200 OK", #"{"id": 1234567, "teams": [{"#, "", "ends early"),
      ("200 OK", #"{"id": 1234567, "seasonId": 2024, "teams": []}"#, "", "teams: found no team"),
      ("200 OK", "", "", "found nothing"),
    ])
  func faults(status: String, body: String, header: String, words: String) throws {
    let server = try LoopbackServer { _, _ in .status(status, body, header) }
    let process = try rank("espn:1234567 --season 2024", from: server)
    process.expectRefusal(words)
    for file in ["download it", "download the", "name a league's"] { #expect(!process.remarks.contains(file)) }
  }

  @Test("half a body is asked for again and then an error")
  func half() throws {
    let server = try LoopbackServer { _, _ in .bytes("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"id\"") }
    try rank("espn:1234567 --season 2024", from: server).expectRefusal("after 4 attempts. Is the network there?")
    #expect(server.received.count == 4)
  }

  @Test("Sleeper's null for an unknown league, and a league without rosters, are errors")
  func unknown() throws {
    try rank("sleeper:5", from: server(["/league/5": "null"])).expectRefusal("sleeper has no such league")
    var answers = try Self.sleeper()
    answers["/league/\(Self.number)/rosters"] = "[]"
    try rank("sleeper:\(Self.number)", from: server(answers)).expectRefusal("found no team")
  }

  @Test("a refresh that gets no teams keeps the stored ones and ends with 2; a Sleeper league needs no season")
  func refresh() throws {
    let answers = try Self.sleeper()
    let root = "/league/\(Self.number)"
    let server = try LoopbackServer { number, request in
      // The first three requests connect; later rosters are empty.
      number > 2 && request.path == "\(root)/rosters" ? .ok("[]") : .ok(answers[request.path] ?? "")
    }
    let folder = try TemporaryFolder()
    let stored = ["--database", "leagues.sqlite", "--base-url", server.url]
    let connected = try AssayProcess("league connect sleeper \(Self.number)", stored, in: folder.url)
    #expect(connected.status == 0, "\(connected.remarks)")
    let refreshed = try AssayProcess("league refresh \(Self.number)", stored, in: folder.url)
    refreshed.expectRefusal("found no team")
    #expect(refreshed.remarks.contains("The teams stored less than a minute ago are kept."))
    let list = try AssayProcess("league list --database leagues.sqlite", in: folder.url)
    #expect(list.output.contains(#/sleeper +900000000000000001 +2025 +Neutral League +4 /#), "\(list.output)")
  }

  @Test(
    "options that do not fit a league's number are refused",
    arguments: [
      ("sleeper:12a", "league: found '12a', expected 1 to 20 digits"),
      ("sleeper:1 rosters.json", "name one league at a time"),
      ("sleeper:1 --platform sleeper", "--platform and 'sleeper:1' cannot be combined"),
      ("espn:1 --season 1066", "--season: found '1066', expected a year"),
      ("league.json --save kept", "--save is for a league that is fetched"),
      ("league.json --base-url http://127.0.0.1:1", "--base-url is for a league that is fetched"),
    ])
  func badOptions(typed: String, words: String) throws {
    try AssayProcess("league rank \(typed)").expectRefusal(words)
  }
}
