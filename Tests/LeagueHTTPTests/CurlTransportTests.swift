// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import LeagueConnections
import LeagueHTTP
import TestSupport
import Testing

@Suite("Requests over real sockets, to faulty servers", .timeLimit(.minutes(15))) struct CurlTransportTests {
  @Test("path and headers arrive, and status, headers and body come back")
  func exchange() async throws {
    let server = try LoopbackServer { _, _ in .ok("answer", "X-Some: thing\r\n") }
    let response = try await CurlTransport().send(
      LeagueRequest(server.url + "/a?b=c", headers: ["Cookie": "SWID={1}; espn_s2=x%2F"]))
    #expect(response.status == 200 && response.body == Data("answer".utf8) && response.headers["x-some"] == "thing")
    let request = try #require(server.received.first)
    #expect(request.head.first == "GET /a?b=c HTTP/1.1")
    #expect(request.header("Cookie") == "SWID={1}; espn_s2=x%2F" && request.body.isEmpty)
  }

  @Test("cookies of an answer are not sent again")
  func cookies() async throws {
    let server = try LoopbackServer { _, _ in .ok("", "Set-Cookie: tracked=1; Path=/\r\n") }
    let transport = CurlTransport()
    for _ in 0..<2 { _ = try await transport.send(LeagueRequest(server.url)) }
    #expect(server.received.count == 2 && server.received.allSatisfy { $0.header("Cookie") == nil })
  }

  @Test("a redirect is an answer and is not followed", arguments: [301, 302, 307, 308])
  func redirects(status: Int) async throws {
    let elsewhere = try LoopbackServer { _, _ in .ok("stolen") }
    let server = try LoopbackServer { [url = elsewhere.url] _, _ in
      .status("\(status) Moved", "", "Location: \(url)/\r\n")
    }
    let response = try await CurlTransport().send(LeagueRequest(server.url, headers: ["Cookie": "secret=1"]))
    #expect(response.status == status && response.headers["location"] == elsewhere.url + "/")
    #expect(elsewhere.received.isEmpty)
  }

  @Test("an answer above the size limit is refused, with or without a declared length")
  func enormous() async throws {
    for answer in [LoopbackServer.Answer.endless, .ok(String(repeating: "0", count: 70_000))] {
      let server = try LoopbackServer { _, _ in answer }
      let error = await #expect(throws: TransportError.self) {
        _ = try await CurlTransport(maxBytes: 65_000).send(LeagueRequest(server.url))
      }
      #expect(error?.isTransient == false && error?.description.contains("65000") == true)
    }
  }

  @Test(
    "a connection that ends before the answer does is an error, and worth another attempt",
    arguments: [
      "", "HTTP/1.1 200 OK\r\nConte", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal",
    ])
  func truncated(text: String) async throws {
    let server = try LoopbackServer { _, _ in .bytes(text) }
    let error = await #expect(throws: TransportError.self) {
      let answer = try await CurlTransport().send(LeagueRequest(server.url))
      Issue.record("\(answer)")
    }
    #expect(error?.isTransient == true, "\(String(describing: error))")
  }

  @Test("a refused connection is an error that allows another attempt")
  func refused() async throws {
    let server = try LoopbackServer(listens: false) { _, _ in .ok("") }
    let error = await #expect(throws: TransportError.self) {
      _ = try await CurlTransport().send(LeagueRequest(server.url))
    }
    #expect(error?.isTransient == true)
  }

  @Test("a request ends when its task is cancelled")
  func cancelled() async throws {
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { _, _ in
      arrived.yield()
      return .open("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
    }
    let task = Task { try await CurlTransport().send(LeagueRequest(server.url)) }
    for await _ in arrivals { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
