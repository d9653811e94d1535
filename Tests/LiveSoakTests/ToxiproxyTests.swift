// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import LiveSoak
import NIOCore
import NIOPosix
import Testing

/// The HTTP API of toxiproxy 2.12 as its README documents it: endpoints, fields, and what each toxic does.
@Suite("The API of toxiproxy", .timeLimit(.minutes(15))) struct ToxiproxyTests {
  /// A control without proxies, and a server for their upstream.
  private struct Rig {
    let group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    let server: TestServer
    let proxies: ProxySet
    let control: ProxyControl

    static func with(_ body: (Rig) async throws -> Void) async throws {
      let group = MultiThreadedEventLoopGroup.singleton
      var plan = ProxySet.Plan()
      (plan.addable, plan.isManual) = (ProxyControl.toxics, true)
      let proxies = ProxySet(plan, on: group)
      let control = try await ProxyControl(
        at: SocketAddress(ipAddress: "127.0.0.1", port: 0), .toxiproxy, of: proxies, group: group)
      let rig = Rig(server: try await TestServer(on: group), proxies: proxies, control: control)
      try await run(body, on: rig) {
        await control.stop()
        try await proxies.stop()
        await rig.server.stop()
      }
    }

    /// The status and the body of an answer; members of an object are on one line.
    func ask(_ request: String, _ body: String = "") async throws -> (status: Int, body: String) {
      let socket = try await TestSocket.connect(to: control.address, on: group)
      try await socket.send("\(request) HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      let answer = String(buffer: await socket.rest().bytes)
      let text = answer.split(separator: "\r\n\r\n", maxSplits: 1).dropFirst().first ?? ""
      let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return (answer.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0, line)
    }

    func expect(_ request: String, _ status: Int, _ words: String = "") async throws {
      try await expect(request, "", status, words)
    }

    func expect(_ request: String, _ body: String, _ status: Int, _ words: String = "") async throws {
      let answer = try await ask(request, body)
      #expect(answer.status == status && answer.body.contains(words), "\(request) \(body): \(answer)")
    }

    /// A proxy of that name before the server, and its address.
    func create(_ name: String = "db", listen: String = "127.0.0.1:0") async throws -> SocketAddress {
      let body = #"{"name": "\#(name)", "listen": "\#(listen)", "upstream": "127.0.0.1:\#(server.address.port ?? 0)"}"#
      let answer = try await ask("POST /proxies", body)
      #expect(answer.status == 201, "\(answer)")
      let port = answer.body.split(separator: #""listen": "127.0.0.1:"#).last?.prefix { $0.isNumber }
      return try SocketAddress(ipAddress: "127.0.0.1", port: try #require(port.flatMap { Int($0) }))
    }

    func toxic(_ type: String, _ attributes: String, stream: String = "downstream", _ more: String = "") async throws {
      let body = #"{"type": "\#(type)", "stream": "\#(stream)", "attributes": {\#(attributes)}\#(more)}"#
      try await expect("POST /proxies/db/toxics", body, 200, #""type": "\#(type)", "stream": "\#(stream)""#)
    }

    func pair(_ address: SocketAddress) async throws -> (client: TestSocket, server: TestSocket) {
      let client = try await TestSocket.connect(to: address, on: group)
      return (client, try await server.accept())
    }

    func advance(_ seconds: Double) async throws {
      try await proxies.proxy("db")?.advance(by: Interval(seconds: seconds))
    }

    func held(_ bytes: Int) async throws {
      while try await proxies.proxy("db")?.bytesHeld != bytes { await Task.yield() }
    }
  }

  @Test("proxies are created, shown, changed, disabled and deleted, with the documented statuses and errors")
  func proxies() async throws {
    try await Rig.with { rig in
      try await rig.expect("GET /version", 200, #"{"version": "2.12.0"}"#)
      try await rig.expect("GET /proxies", 200, "{}")
      let address = try await rig.create()
      try await rig.expect("GET /proxies/db", 200, #""enabled": true, "toxics": []"#)
      try await rig.expect("POST /proxies", #"{"name": "db", "upstream": "a:1"}"#, 409, "proxy already exists")
      try await rig.expect("POST /proxies", #"{"upstream": "a:1"}"#, 400, "missing required field: name")
      try await rig.expect("POST /proxies", #"{"name": "x"}"#, 400, "missing required field: upstream")
      try await rig.expect("POST /proxies", #"{"name": 1}"#, 400, "bad request body: ")
      try await rig.expect("POST /proxies", "{", 400, "bad request body: ")
      let taken = #"{"name": "x", "upstream": "a:1", "listen": "\#(address.ipAddress ?? ""):\#(address.port ?? 0)"}"#
      try await rig.expect("POST /proxies", taken, 500, "bind: address already in use")
      try await rig.expect("GET /proxies/x", 404, #"{"error": "proxy not found", "status": 404}"#)
      for method in ["POST", "PATCH"] {
        let (client, server) = try await rig.pair(address)
        try await client.send("x")
        #expect(try await server.receive(1) == "x")
        try await rig.expect("\(method) /proxies/db", #"{"enabled": false}"#, 200, #""enabled": false"#)
        #expect(await client.ending != .reset)
        await #expect(throws: IOError.self) { _ = try await rig.pair(address) }
        try await rig.expect("\(method) /proxies/db", #"{"enabled": true}"#, 200, #""enabled": true"#)
        _ = try await rig.pair(address)
      }
      try await rig.expect("DELETE /proxies/db", 204)
      await #expect(throws: IOError.self) { _ = try await rig.pair(address) }
      try await rig.expect("DELETE /proxies/db", 404, "proxy not found")
    }
  }

  @Test("a list of proxies creates those that are missing and replaces those that differ; reset enables and cleans all")
  func populate() async throws {
    try await Rig.with { rig in
      let address = try await rig.create()
      try await rig.toxic("latency", #""latency": 100"#)
      let kept = "127.0.0.1:\(address.port ?? 0)"
      let upstream = "127.0.0.1:\(rig.server.address.port ?? 0)"
      func list(_ upstream: String) -> String {
        #"[{"name": "db", "listen": "\#(kept)", "upstream": "\#(upstream)"}, {"name": "b", "upstream": "a:1"}]"#
      }
      try await rig.expect("POST /populate", list(upstream), 201, "latency_downstream")
      try await rig.expect("POST /proxies/db", #"{"enabled": false}"#, 200)
      try await rig.expect("POST /reset", 204)
      try await rig.expect("GET /proxies/db", 200, #""enabled": true, "toxics": []"#)
      try await rig.toxic("latency", #""latency": 100"#)
      try await rig.expect(
        "POST /populate", list("127.0.0.1:9"), 201, #""upstream": "127.0.0.1:9", "enabled": true, "toxics": []"#)
      try await rig.expect("POST /populate", #"[{"name": "c"}]"#, 400, "missing required field: upstream at proxy 1")
    }
  }

  @Test("toxics are added, listed, changed and removed, with the documented defaults and errors")
  func toxics() async throws {
    try await Rig.with { rig in
      _ = try await rig.create()
      try await rig.expect(
        "POST /proxies/db/toxics", #"{"type": "latency", "attributes": {"latency": 1000}}"#, 200,
        #""latency": 1000, "jitter": 0}, "name": "latency_downstream", "type": "latency", "#
          + #""stream": "downstream", "toxicity": 1"#)
      try await rig.expect("POST /proxies/db/toxics", #"{"type": "latency"}"#, 409, "toxic already exists")
      try await rig.expect("POST /proxies/db/toxics", #"{"type": "lag"}"#, 400, "invalid toxic type")
      try await rig.expect(
        "POST /proxies/db/toxics", #"{"type": "latency", "stream": "up"}"#, 400, "stream was invalid")
      try await rig.expect(
        "POST /proxies/db/toxics/latency_downstream", #"{"attributes": {"jitter": 5}, "toxicity": 0.5}"#, 200,
        #""latency": 1000, "jitter": 5"#)
      try await rig.expect("GET /proxies/db/toxics/latency_downstream", 200, #""toxicity": 0.5"#)
      try await rig.expect("DELETE /proxies/db/toxics/latency_downstream", 204)
      try await rig.expect("GET /proxies/db/toxics/latency_downstream", 404, "toxic not found")
      try await rig.expect("GET /proxies/db/toxics", 200, "[]")
    }
  }

  @Test("latency delays one way by its time, and two of them add up")
  func latency() async throws {
    try await Rig.with { rig in
      let (client, server) = try await rig.pair(rig.create())
      try await rig.toxic("latency", #""latency": 1000"#)
      try await rig.toxic("latency", #""latency": 500"#, stream: "downstream", #", "name": "latency_downstream2""#)
      try await client.send("request")
      #expect(try await server.receive(7) == "request")
      try await server.send("answer")
      try await rig.held(6)
      try await rig.advance(1.4)
      #expect(try await rig.proxies.proxy("db")?.bytesHeld == 6)
      try await rig.advance(0.2)
      #expect(try await client.receive(6) == "answer")
    }
  }

  @Test("a bandwidth of 0 holds everything back until it is removed; another passes KB a second")
  func bandwidth() async throws {
    try await Rig.with { rig in
      let (client, server) = try await rig.pair(rig.create())
      try await rig.toxic("bandwidth", #""rate": 0"#)
      try await server.send("held")
      try await rig.held(4)
      try await rig.advance(3_600)
      try await rig.expect("DELETE /proxies/db/toxics/bandwidth_downstream", 204)
      #expect(try await client.receive(4) == "held")
      try await rig.toxic("bandwidth", #""rate": 1"#, stream: "upstream")
      try await client.send(ByteBuffer(repeating: 1, count: 2_000))
      let early = try await server.pieces(20).reduce(0) { $0 + $1.readableBytes }
      try await rig.advance(1)
      let later = try await server.pieces(1_000 - early).reduce(0) { $0 + $1.readableBytes }
      #expect((1_000...1_040).contains(early + later))
    }
  }

  @Test("slow_close delays the end, slicer the slices, and limit_data closes after its bytes")
  func otherBytes() async throws {
    try await Rig.with { rig in
      let address = try await rig.create()
      let (client, server) = try await rig.pair(address)
      try await rig.toxic("slicer", #""average_size": 2, "delay": 1000"#)
      try await server.send("slices")
      for part in ["sl", "ic", "es"] {
        #expect(try await client.receive(2) == part)
        try await rig.advance(0.001)
      }
      try await rig.toxic("limit_data", #""bytes": 4"#, stream: "upstream")
      try await client.send("123456")
      #expect(String(buffer: await server.rest().bytes) == "1234")
      try await rig.expect("POST /reset", 204)
      try await rig.toxic("slow_close", #""delay": 5000"#)
      let (late, ending) = try await rig.pair(address)
      try await ending.send("x")
      try await ending.endSending()
      #expect(try await late.receive(1) == "x")
      _ = try await rig.proxies.proxy("db")?.counts
      try await rig.advance(6)
      #expect(try await rig.proxies.proxy("db")?.bytesHeld == 0)
      _ = try await rig.ask("DELETE /proxies/db/toxics/slow_close_downstream")
      #expect(await late.ending == .end)
    }
  }

  @Test("timeout lets nothing pass and closes after its time; reset_peer resets when data come")
  func ends() async throws {
    try await Rig.with { rig in
      let address = try await rig.create()
      let (client, server) = try await rig.pair(address)
      try await rig.toxic("timeout", #""timeout": 1000"#)
      try await server.send("dropped")
      try await rig.advance(1)
      let (bytes, ending) = await client.rest()
      #expect(bytes.readableBytes == 0 && ending != .reset)
      try await rig.expect("POST /reset", 204)
      try await rig.toxic("reset_peer", #""timeout": 0"#, stream: "upstream")
      let (other, _) = try await rig.pair(address)
      try await other.send("x")
      while try await rig.proxies.proxy("db")?.connections != 0 { try await rig.advance(0.001) }
      #expect(await other.ending == .reset)
    }
  }

  @Test("a toxicity below 1 affects a share of the connections, drawn by the seed")
  func toxicity() async throws {
    try await Rig.with { rig in
      let address = try await rig.create()
      try await rig.toxic("limit_data", #""bytes": 1"#, stream: "upstream", #", "toxicity": 0.5"#)
      var spared = 0
      for _ in 0..<20 {
        let (client, server) = try await rig.pair(address)
        try await client.send("ab")
        try await client.endSending()
        if await server.rest().bytes.readableBytes == 2 { spared += 1 }
      }
      #expect((1...19).contains(spared))
    }
  }

  @Test("a body in chunks is read, as some clients send it")
  func chunked() async throws {
    try await Rig.with { rig in
      let socket = try await TestSocket.connect(to: rig.control.address, on: rig.group)
      try await socket.send("POST /populate HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[{}, \r\n3\r\n")
      try await socket.send("{}]\r\n0\r\n\r\n")
      #expect(String(buffer: await socket.rest().bytes).contains("missing required field: name at proxy 1"))
    }
  }
}
