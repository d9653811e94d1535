// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import LiveSoak
import NIOCore
import NIOPosix
import Synchronization
import Testing
import TestSupport
import WebSocketProtocol

/// What a fault does to any stream of bytes. The clock stands still unless a test lets it run.
@Suite("Faults of the network on real sockets", .timeLimit(.minutes(15))) struct ProxyNetworkTests {
  @Test("a black hole holds bytes back, and TCP resends them some time after its end")
  func blackHole() async throws {
    try await ProxyRig.with("1m black-hole for=10s") { rig in
      let (client, server) = try await rig.pair()
      try await rig.advance(61)
      try await client.send("ping")
      try await rig.waitForEffects(1)
      // Sent 1 s after the beginning: again after 0.2, 0.6, 1.4, 3, 6.2 and 12.6 s.
      try await rig.advance(9.5)
      try await rig.advance(3.0)
      try await server.send("first")
      #expect(try await client.receive(5) == "first")
      try await rig.advance(0.2)
      #expect(try await server.receive(4) == "ping")
    }
  }

  @Test("a partition stops one way")
  func partition() async throws {
    try await ProxyRig.with("0s partition for=30m way=up") { rig in
      let client = try await rig.connect()
      try await client.send("up")
      // Nobody connects through half a way.
      try await rig.waitForEffects(1)
      try await rig.advance(3600)
      #expect(try await rig.server.accept().receive(2) == "up")
    }
    try await ProxyRig.with("1s partition for=30m way=down") { rig in
      let (client, server) = try await rig.pair()
      try await rig.advance(1)
      try await client.send("up")
      #expect(try await server.receive(2) == "up")
      try await server.send("down")
      try await rig.waitForEffects(1)
      try await rig.advance(3600)
      #expect(try await client.receive(4) == "down")
    }
  }

  @Test("latency keeps the order, may act one way, and releases what it held at its end")
  func latency() async throws {
    try await ProxyRig.with("0s latency for=30m added=1h jitter=1m way=down") { rig in
      let (client, server) = try await rig.pair()
      try await client.send("up at once")
      #expect(try await server.receive(10) == "up at once")
      for number in 0..<10 { try await server.send("\(number)") }
      try await server.endSending()
      try await rig.waitForEffects(1)
      try await rig.advance(1800)
      let (bytes, ending) = await client.rest()
      #expect(String(buffer: bytes) == "0123456789")
      #expect(ending == .end)
    }
  }

  @Test("a bandwidth passes bytes at its rate, and releases the rest at its end")
  func bandwidth() async throws {
    try await ProxyRig.with("0s bandwidth for=30m rate=1000 way=up") { rig in
      let (client, server) = try await rig.pair()
      try await client.send(ByteBuffer(repeating: 1, count: 10_000))
      try await rig.waitForEffects(1)
      try await rig.advance(5)
      let early = try await server.pieces(5_000).reduce(0) { $0 + $1.readableBytes }
      #expect((5_000...5_100).contains(early))
      try await rig.advance(1800)
      #expect(try await server.pieces(10_000 - early).count > 0)
    }
  }

  @Test("a slicer cuts bytes into slices of its size")
  func slicer() async throws {
    try await ProxyRig.with("0s slicer for=30m bytes=1 delay=1ms way=up") { rig in
      let (client, server) = try await rig.pair()
      try await client.send("slice")
      try await rig.waitForEffects(1)
      #expect(try await server.pieces(1).map(\.readableBytes) == [1])
      for letter in ["l", "i", "c", "e"] {
        try await rig.advance(0.001)
        #expect(try await server.receive(1) == letter)
      }
    }
    try await ProxyRig.with("0s slicer for=30m bytes=1 way=up") { rig in
      let (client, server) = try await rig.pair()
      try await client.send(ByteBuffer(repeating: 9, count: 20_000))
      try await rig.waitForEffects(1)
      // A pause after some slices lets others go on; here the clock has to be moved for it.
      var received = 0
      while received < 20_000 {
        try await rig.advance(0.001)
        received += try await server.pieces(1).reduce(0) { $0 + $1.readableBytes }
      }
      #expect(received == 20_000)
      #expect(try await rig.times[0] > 19_000)
    }
  }

  @Test("a loss delays packets, and counts those that it lost")
  func loss() async throws {
    try await ProxyRig.with("0s loss for=30m share=50% way=up; 0s loss for=30m share=50% way=down") { rig in
      let (client, server) = try await rig.pair()
      // At least 68 packets: none is lost once in 10^20 seeds.
      try await client.send(ByteBuffer(repeating: 1, count: 100_000))
      _ = try await rig.whileAdvancing(by: 0.1) { try await server.pieces(100_000) }
      let times = try await rig.times
      #expect(times[0] > 0)
      #expect(times[1] == 0)
    }
  }

  @Test("a half-open connection loses bytes without an end; new connections work")
  func halfOpen() async throws {
    try await ProxyRig.with("1m half-open") { rig in
      let (client, server) = try await rig.pair()
      try await client.send("before")
      _ = try await server.receive(6)
      try await rig.advance(60)
      try await client.send("lost")
      try await server.send("lost too")
      let (other, upstream) = try await rig.pair()
      try await other.send("works")
      #expect(try await upstream.receive(5) == "works")
      // When one end gives up, the other is kept for a while, and then reset.
      await client.close()
      try await rig.waitForEffects(1)
      while try await rig.proxy.connections == 2 { try await rig.advance(60) }
      let (bytes, ending) = await server.rest()
      #expect(bytes.readableBytes == 0)
      #expect(ending == .reset)
    }
  }

  @Test("a reset resets both ends")
  func reset() async throws {
    try await ProxyRig.with("1m reset") { rig in
      let (client, server) = try await rig.pair()
      try await rig.advance(60)
      #expect(await client.ending == .reset)
      #expect(await server.ending == .reset)
      #expect(try await rig.times == [1])
    }
  }

  @Test("an idle connection is cut by a reset or silently; one in use is not")
  func idleCut() async throws {
    try await ProxyRig.with("0s idle-cut for=1h after=60s") { rig in
      let (client, server) = try await rig.pair()
      try await rig.advance(40)
      try await client.send("x")
      _ = try await server.receive(1)
      try await rig.advance(40)
      try await client.send("y")
      #expect(try await server.receive(1) == "y")
      try await rig.advance(61)
      #expect(await client.ending == .reset)
      #expect(try await rig.times == [1])
    }
    try await ProxyRig.with("0s idle-cut for=1h after=60s silent=yes") { rig in
      let (client, server) = try await rig.pair()
      try await client.send("x")
      _ = try await server.receive(1)
      try await rig.advance(61)
      #expect(try await rig.times == [1])
      #expect(try await rig.proxy.connections == 1)
      await client.close()
    }
  }

  @Test("a timeout stops all bytes and closes old and new connections after its time")
  func timeout() async throws {
    try await ProxyRig.with("1s timeout for=1m after=10s") { rig in
      let (client, server) = try await rig.pair()
      try await rig.advance(1)
      try await client.send("x")
      try await rig.waitForEffects(1)
      let second = try await rig.connect()
      _ = try await rig.server.accept()
      try await rig.advance(10)
      #expect(await client.rest().bytes.readableBytes == 0)
      #expect(await server.rest().bytes.readableBytes == 0)
      #expect(await second.ending != .reset)
    }
    try await ProxyRig.with("1s timeout for=5s after=10s") { rig in
      let (client, server) = try await rig.pair()
      try await rig.advance(1)
      try await client.send("held")
      try await rig.waitForEffects(1)
      try await rig.advance(20)
      #expect(try await server.receive(4) == "held")
    }
  }

  @Test("a share of the connections is drawn by the seed, the same for moments and for faults that last")
  func share() async throws {
    final class Count: Sendable {
      let value = Mutex<UInt64>(0)
    }
    func hits(_ fault: String, seed: UInt64) async throws -> UInt64 {
      let hits = Count()
      try await ProxyRig.with(fault, seed: seed) { rig in
        let received = Count()
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<20 {
            let (client, server) = try await rig.pair()
            try await client.send("x")
            group.addTask {
              _ = try await server.receive(1)
              received.value.withLock { $0 += 1 }
            }
          }
          // A byte is late or arrives.
          while try await rig.times[0] + received.value.withLock({ $0 }) < 20 { await Task.yield() }
          try await rig.advance(1_801)
          try await group.waitForAll()
        }
        let times = try await rig.times[0]
        hits.value.withLock { $0 = times }
      }
      return hits.value.withLock { $0 }
    }
    for seed in [1, 2] as [UInt64] {
      let late = try await hits("0s latency for=30m added=1h way=up share=50%", seed: seed)
      #expect(late > 0 && late < 20)
      #expect(try await hits("30m reset share=50%", seed: seed) == late)
    }
    #expect(try await hits("0s latency for=30m added=1h way=up share=0%", seed: 1) == 0)
    #expect(try await hits("0s latency for=30m added=1h way=up share=100%", seed: 1) == 20)
  }

  @Test("a cut ends each connection a time after it was opened, even if it is busy")
  func cut() async throws {
    try await ProxyRig.with("0s cut for=1h after=30s") { rig in
      let (client, server) = try await rig.pair()
      try await rig.advance(20)
      let (second, _) = try await rig.pair()
      try await client.send("busy")
      #expect(try await server.receive(4) == "busy")
      try await rig.advance(10)
      #expect(await client.ending == .reset)
      #expect(try await rig.times == [1])
      try await rig.advance(20)
      #expect(await second.ending == .reset)
      #expect(try await rig.times == [2])
    }
    try await ProxyRig.with("1m cut for=9s after=30s how=close") { rig in
      let (old, _) = try await rig.pair()
      try await rig.advance(40)
      let (young, server) = try await rig.pair()
      try await rig.advance(20.001)
      #expect(await old.ending == .end)
      // It is not old enough before the fault ends.
      try await rig.advance(60)
      try await young.send("spared")
      #expect(try await server.receive(6) == "spared")
      #expect(try await rig.times == [1])
    }
  }

  @Test("a limit closes a connection after exactly its bytes")
  func limit() async throws {
    try await ProxyRig.with("0s limit-data for=1h bytes=10 way=down") { rig in
      let (client, server) = try await rig.pair()
      try await server.send("123456")
      try await server.send("789abcdef")
      let (bytes, ending) = await client.rest()
      #expect(String(buffer: bytes) == "123456789a")
      #expect(ending != .reset)
      try await rig.waitForConnections(0)
      #expect(try await rig.times == [1])
    }
  }

  @Test("corruption flips single bits, the same ones for the same seed", arguments: [1, 2] as [UInt64])
  func corruption(seed: UInt64) async throws {
    var found: [ByteBuffer] = []
    for _ in 0..<2 {
      try await ProxyRig.with("0s corruption for=1h share=10% way=up", seed: seed) { rig in
        let (client, server) = try await rig.pair()
        try await client.send(ByteBuffer(repeating: 0, count: 1_000))
        try await client.endSending()
        found.append(await server.rest().bytes)
      }
    }
    #expect(found[0] == found[1])
    let changed = found[0].readableBytesView.filter { $0 != 0 }
    #expect(changed.allSatisfy { $0.nonzeroBitCount == 1 })
    // Six standard deviations about 100.
    #expect((43...157).contains(changed.count))
  }

  @Test("a connection is cut for too many bytes or messages within a time")
  func busyCut() async throws {
    try await ProxyRig.with("0s busy-cut for=1h bytes=100 within=1s way=up") { rig in
      let (client, server) = try await rig.pair()
      for _ in 0..<5 {
        try await client.send(ByteBuffer(repeating: 1, count: 90))
        _ = try await server.pieces(90)
        try await rig.advance(1)
      }
      #expect(try await rig.times == [0])
      try await client.send(ByteBuffer(repeating: 1, count: 101))
      #expect(await client.ending == .reset)
      #expect(try await rig.times == [1])
    }
    try await ProxyRig.with("0s busy-cut for=1h messages=2 within=1s") { rig in
      let (client, server) = try await rig.webSocket()
      for _ in 0..<2 { try await client.send(ProxyRig.frame(.text, "message", masked: true)) }
      _ = try await server.pieces(26)
      try await client.send(ProxyRig.frame(.ping, "", masked: true))
      _ = try await server.pieces(6)
      try await client.send(ProxyRig.frame(.text, "message", masked: true))
      #expect(await client.ending == .reset)
    }
  }

  @Test("a limit may count from the fault's beginning, and closes once it is reached")
  func limitFromBeginning() async throws {
    try await ProxyRig.with("1s limit-data for=1h bytes=4 from=begun way=down") { rig in
      let (client, server) = try await rig.pair()
      try await server.send("before")
      #expect(try await client.receive(6) == "before")
      try await rig.advance(1)
      try await server.send("1234")
      let (bytes, ending) = await client.rest()
      #expect(String(buffer: bytes) == "1234")
      #expect(ending != .reset)
    }
  }

  @Test("a timeout may lose the bytes, and then closes at its end what lost some")
  func lossyTimeout() async throws {
    try await ProxyRig.with("1s timeout for=1m after=1h data=lost way=down") { rig in
      let (client, server) = try await rig.pair()
      let (other, second) = try await rig.pair()
      try await rig.advance(1)
      try await server.send("lost")
      try await rig.waitForEffects(1)
      try await client.send("other way")
      #expect(try await server.receive(9) == "other way")
      try await rig.advance(60)
      #expect(await client.rest().bytes.readableBytes == 0)
      try await second.send("lives on")
      #expect(try await other.receive(8) == "lives on")
    }
  }

  @Test("a cut may wait for bytes of its way, which are lost")
  func cutAfterData() async throws {
    try await ProxyRig.with("0s cut for=1h after=5s from=data way=down") { rig in
      let (client, server) = try await rig.pair()
      try await rig.advance(60)
      try await client.send("request")
      #expect(try await server.receive(7) == "request")
      try await server.send("answer")
      while try await rig.times == [0] { try await rig.advance(5) }
      let (bytes, ending) = await client.rest()
      #expect(bytes.readableBytes == 0)
      #expect(ending == .reset)
    }
  }

  @Test("slices vary about their size, as the seed draws them")
  func slicesVary() async throws {
    try await ProxyRig.with("0s slicer for=30m bytes=10 variation=4 delay=1ms way=up") { rig in
      let (client, server) = try await rig.pair()
      try await client.send(ByteBuffer(repeating: 9, count: 1_000))
      try await rig.waitForEffects(1)
      var sizes: [Int] = []
      while sizes.reduce(0, +) < 1_000 {
        sizes += try await server.pieces(1).map(\.readableBytes)
        try await rig.advance(0.001)
      }
      #expect(sizes.dropLast().allSatisfy { (6...14).contains($0) })
      #expect(Set(sizes).count > 5)
    }
  }

  @Test("a slow close delays the end, not the bytes before it")
  func slowClose() async throws {
    try await ProxyRig.with("0s slow-close for=1h delay=5s way=up") { rig in
      let (client, server) = try await rig.pair()
      try await client.send("x")
      try await client.endSending()
      _ = try await server.receive(1)
      try await rig.waitForEffects(1)
      try await server.send("still open")
      #expect(try await client.receive(10) == "still open")
      try await rig.advance(5)
      #expect(await server.ending == .end)
    }
  }

  @Test("faults that begin at one moment all act, and are counted each")
  func together() async throws {
    try await ProxyRig.with(
      "0s latency for=1h added=1s; 0s bandwidth for=1h rate=1000000; 0s slicer for=1h bytes=2; 0s refused for=1s"
    ) { rig in
      #expect(try await rig.attempt() == .refused)
      try await rig.advance(1)
      let (client, server) = try await rig.pair()
      try await client.send("abcd")
      try await rig.waitForEffects(1)
      try await rig.advance(1.5)
      #expect(try await server.receive(4) == "abcd")
      #expect(try await rig.times.allSatisfy { $0 > 0 })
    }
  }

  @Test("a network model adds its latency to the handshake and to every piece")
  func network() async throws {
    var network = NetworkModel()
    (network.latency, network.jitter) = (.milliseconds(100), .zero)
    // A fault that adds nothing counts the pieces, so that the test knows of them.
    try await ProxyRig.with("0s latency for=1h added=0s way=up", network: network) { rig in
      let client = try await rig.connect()
      try await rig.waitForConnections(1)
      // Name, TCP and TLS are three round trips.
      try await rig.advance(0.6)
      let server = try await rig.server.accept()
      try await client.send("x")
      try await rig.waitForEffects(1)
      let early = try await rig.proxy.bytesHeld
      try await rig.advance(0.1)
      #expect(early == 1)
      #expect(try await server.receive(1) == "x")
    }
  }

  @Test("an added fault holds at once, replaces its kind, and ends by its time or on request")
  func added() async throws {
    try await ProxyRig.with("5s latency for=10s added=50ms", isOpen: true) { rig in
      let (client, server) = try await rig.pair()
      let count = try await rig.proxy.add(TimedFault(reading: "latency for=20s added=2s"))
      #expect(count?.holds == true)
      try await rig.advance(1)
      // The schedule's own takes its place, and ends; the added one ended with that.
      try await rig.advance(5)
      #expect(try await rig.proxy.counts.map(\.holds) == [true, false])
      try await rig.advance(10)
      #expect(try await rig.proxy.counts.map(\.holds) == [false, false])
      _ = try await rig.proxy.add(TimedFault(reading: "black-hole"))
      try await rig.advance(3600)
      #expect(try await rig.proxy.counts.map(\.holds) == [false, false, true])
      try await server.send("kept")
      #expect(try await rig.proxy.end(.blackHole).map { $0.fault.kind } == [.blackHole])
      #expect(try await rig.proxy.end(nil).isEmpty)
      #expect(try await rig.whileAdvancing(by: 0.1) { try await client.receive(4) } == "kept")
      _ = try await rig.proxy.add(TimedFault(reading: "reset"))
      #expect(await client.ending == .reset)
      #expect(try await rig.times.last == 1)
    }
  }

  @Test("a proxy plays the network's part of a phone's faults")
  func phone() throws {
    let schedule = try FaultSchedule(reading: "live/1 for=1h; 1m offline for=20s; 2m network-change; 3m sleep for=5s")
    #expect(
      schedule.faults.map { "\($0.onTheWay)" } == ["1m black-hole for=20s", "2m half-open", "3m sleep for=5s"])
  }

  @Test(
    "the control answers requests of this machine and refuses others with a reason",
    arguments: [
      ("GET /faults HTTP/1.1\r\n\r\n", 200, "black-hole for=10s"),
      ("POST /faults HTTP/1.1\r\nContent-Length: 17\r\n\r\nlatency added=2s ", 200, "\"holds\": true"),
      ("DELETE /faults HTTP/1.1\r\nHost: localhost:1\r\n\r\n", 200, "\"ended\": []"),
      ("DELETE /faults/latency HTTP/1.1\r\n\r\n", 404, "no fault of this kind holds"),
      ("DELETE /faults/latencies HTTP/1.1\r\n\r\n", 404, "expected the kind of a fault"),
      ("GET /proxies HTTP/1.1\r\n\r\n", 404, "expected GET, POST or DELETE /faults"),
      ("PUT /faults HTTP/1.1\r\n\r\n", 405, "expected GET, POST or DELETE"),
      ("POST /faults HTTP/1.1\r\nContent-Length: 9\r\n\r\nblak-hole", 400, "fault: found 'blak-hole', expected"),
      ("POST /faults HTTP/1.1\r\n\r\n", 400, "fault: found"),
      ("POST /faults HTTP/1.1\r\nContent-Length: 15\r\n\r\nreset; 5s reset", 400, "expected one fault"),
      ("POST /faults HTTP/1.1\r\nContent-Length: 12\r\n\r\nsleep for=5s", 400, "the client's own"),
      ("POST /faults HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400, "one Content-Length"),
      ("POST /faults HTTP/1.1\r\nContent-Length: 2000000\r\n\r\n", 413, "at most 1048576 bytes"),
      ("POST /faults HTTP/1.1\r\nContent-Length: 18\r\n\r\nblack-hole proxy=b", 400, "one of the proxies, db"),
      ("nonsense\r\n\r\n", 400, "a request of HTTP/1.1"),
      ("GET /faults HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403, "no web page sent"),
      ("GET /faults HTTP/1.1\r\nOrigin: https://evil.example\r\n\r\n", 403, "no web page sent"),
    ])
  func control(request: String, status: Int, words: String) async throws {
    try await ProxyRig.with("5s black-hole for=10s", isOpen: true) { rig in
      let proxies = ProxySet(on: rig.group)
      await proxies.add("db", rig.proxy)
      let control = try await ProxyControl(
        at: SocketAddress(ipAddress: "127.0.0.1", port: 0), of: proxies, group: rig.group)
      #expect(control.address.ipAddress == "127.0.0.1")
      let socket = try await TestSocket.connect(to: control.address, on: rig.group)
      try await socket.send(request)
      let answer = String(buffer: await socket.rest().bytes)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && answer.contains(words), "\(answer)")
      await control.stop()
    }
  }

  @Test("a looped schedule repeats")
  func loop() async throws {
    try await ProxyRig.with("live/1 for=10s; 1s reset; 2s refused for=1s", isLooped: true) { rig in
      for _ in 0..<3 {
        let (client, _) = try await rig.pair()
        try await rig.advance(1)
        #expect(await client.ending == .reset)
        try await rig.advance(1)
        #expect(try await rig.attempt() == .refused)
        try await rig.advance(8)
      }
      #expect(try await rig.times == [3, 3])
    }
  }
}

/// What the proxy answers in the server's place, and what it does to frames.
@Suite("Faults of the server on real sockets", .timeLimit(.minutes(15))) struct ProxyServerTests {
  @Test("a count of refused attempts ends the fault")
  func refusesTwo() async throws {
    try await ProxyRig.with("0s refused for=1h count=2") { rig in
      for _ in 0..<2 { #expect(try await rig.attempt() == .reset) }
      let (client, server) = try await rig.pair()
      try await client.send("third")
      #expect(try await server.receive(5) == "third")
      #expect(try await rig.times == [2])
    }
    try await ProxyRig.with("0s refusal for=1h status=503 retry-after=1500ms count=2") { rig in
      for _ in 0..<2 {
        let text = try await answer(rig)
        #expect(text.hasPrefix("HTTP/1.1 503 "))
        #expect(text.contains("\r\nRetry-After: 2\r\n"))
      }
      let (client, server) = try await rig.webSocketAfterRefusals(2)
      try await client.send(ProxyRig.frame(.text, "x", masked: true))
      #expect(try await server.pieces(7).count > 0)
    }
  }

  /// What a client is answered that asks for a WebSocket.
  private func answer(_ rig: ProxyRig) async throws -> String {
    let client = try await rig.connect()
    // In two pieces, as a head may come.
    try await client.send(String(ProxyRig.request.prefix(20)))
    try await client.send(String(ProxyRig.request.dropFirst(20)))
    return String(buffer: await client.rest().bytes)
  }

  @Test("the proxy answers in the server's place")
  func answers() async throws {
    for (fault, expected) in [
      ("captive-portal for=1h", "HTTP/1.1 200 "), ("refusal for=1h status=429", "HTTP/1.1 429 "),
      ("redirect for=1h to=plain", "Location: ws://example.org/live\r\n"),
      ("redirect for=1h to=secure", "Location: wss://example.org/live\r\n"),
      ("shedding for=1h share=100% retry-after=3s", "Retry-After: 3\r\n"),
      ("insecure for=1h", "\u{15}\u{03}\u{01}"), ("accept-then-close for=1h", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
    ] {
      try await ProxyRig.with("0s \(fault)") { rig in
        let found = try await answer(rig)
        #expect(found.contains(expected), "\(fault)")
        #expect(try await rig.times == [1], "\(fault)")
      }
    }
  }

  @Test("bytes that are not HTTP are never answered by a status")
  func opaque() async throws {
    try await ProxyRig.with("0s refusal for=1h status=503; 0s no-pongs for=1h; 0s accept-then-close for=1h") { rig in
      let (client, server) = try await rig.pair()
      try await client.send("\u{16}\u{03}\u{01}hello")
      #expect(try await server.receive(8) == "\u{16}\u{03}\u{01}hello")
      #expect(try await rig.times == [0, 0, 0])
    }
  }

  @Test("an accepted connection is closed by its code, after its delay")
  func acceptThenClose() async throws {
    try await ProxyRig.with("0s accept-then-close for=1h code=1013 after=2s") { rig in
      let client = try await rig.connect()
      try await client.send(ProxyRig.request)
      _ = try await client.receive(ProxyRig.answer.utf8.count)
      try await rig.advance(2)
      #expect(await client.rest().bytes == Self.close(1013))
    }
    try await ProxyRig.with("0s accept-then-close for=1h code=1013 resumes=yes") { rig in
      let (client, server) = try await rig.webSocket()
      try await client.send(ProxyRig.frame(.text, "resume", masked: true))
      _ = try await server.pieces(12)
      var expected = ProxyRig.frame(.text, "resumed")
      try await server.send(expected)
      expected.writeImmutableBuffer(Self.close(1013))
      #expect(await client.rest().bytes == expected)
    }
  }

  private static func close(_ code: UInt16) -> ByteBuffer {
    var bytes = ByteBuffer(bytes: [0x88, 2])
    bytes.writeInteger(code)
    return bytes
  }

  @Test("a close frame is inserted between two frames, never inside one")
  func close() async throws {
    try await ProxyRig.with("1s close code=4001 delay=2s") { rig in
      let (client, server) = try await rig.webSocket()
      let frame = ProxyRig.frame(.text, "whole")
      try await server.send(frame.getSlice(at: 0, length: 4) ?? frame)
      _ = try await client.pieces(4)
      try await rig.advance(1)
      try await server.send(frame.getSlice(at: 4, length: 3) ?? frame)
      #expect(try await client.receive(3) == "ole")
      try await rig.advance(2)
      #expect(await client.rest().bytes == Self.close(4001))
      #expect(await server.ending != .reset)
      #expect(try await rig.times == [1])
    }
  }

  @Test(
    "garbage breaks the rule that its close code names",
    arguments: [(1002, [0xFB, 0]), (1007, [0x81, 2, 0xC3, 0x28])])
  func garbage(code: Int, bytes: [UInt8]) async throws {
    try await ProxyRig.with("1s garbage code=\(code)") { rig in
      let (client, _) = try await rig.webSocket()
      try await rig.advance(1)
      #expect(try await client.pieces(bytes.count).flatMap { Array($0.readableBytesView) } == bytes)
    }
  }

  @Test(
    "thousands of cut connections leave no socket and no relay behind",
    arguments: ["limit-data bytes=200", "busy-cut bytes=200 within=10s"])
  func many(fault: String) async throws {
    try await ProxyRig.with("0s \(fault) for=1h") { rig in
      let answers = Task {
        for await peer in rig.server.connections {
          Task {
            _ = try? await peer.receive(ProxyRig.request.utf8.count)
            try? await peer.send(ProxyRig.answer)
            _ = await peer.rest()
            await peer.close()
          }
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
          group.addTask {
            for _ in 0..<250 {
              let client = try await rig.connect()
              try? await client.send(ProxyRig.request)
              try? await client.send(ProxyRig.frame(.text, String(repeating: "x", count: 200)))
              _ = await client.rest()
              await client.close()
            }
          }
        }
        try await group.waitForAll()
      }
      try await rig.waitForConnections(0)
      answers.cancel()
      #expect(try await rig.times[0] == 5_000)
      #expect(try sockets(withPort: rig.address.port ?? 0) <= 1, "the listening one is left")
    }
  }

  @Test("an enormous frame has the length of its header")
  func enormousFrame() async throws {
    try await ProxyRig.with("1s enormous-frame bytes=5000000") { rig in
      let (client, server) = try await rig.webSocket()
      try await rig.advance(1)
      try await server.send(ProxyRig.frame(.text, "behind"))
      let bytes = try await client.pieces(10 + 5_000_000 + 8)
      var all = bytes.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1) }
      let header = try #require(try FrameHeader.read(from: &all))
      #expect(header.payloadLength == 5_000_000)
      #expect(String(buffer: all.getSlice(at: all.writerIndex - 6, length: 6) ?? all) == "behind")
    }
  }

  @Test("only pongs are dropped or held back")
  func pongs() async throws {
    try await ProxyRig.with("0s no-pongs for=10s; 10s late-pongs for=10s delay=60s") { rig in
      let (client, server) = try await rig.webSocket()
      try await server.send(ProxyRig.frame(.pong, "1"))
      try await server.send(ProxyRig.frame(.text, "a"))
      #expect(try await client.pieces(3).last == ProxyRig.frame(.text, "a"))
      try await rig.advance(10)
      try await server.send(ProxyRig.frame(.pong, "2"))
      try await server.send(ProxyRig.frame(.text, "b"))
      #expect(try await client.pieces(3).last == ProxyRig.frame(.text, "b"))
      // The end of the fault lets go of what it kept.
      try await rig.advance(10)
      #expect(try await client.pieces(3).last == ProxyRig.frame(.pong, "2"))
      #expect(try await rig.times == [1, 1])
    }
  }

  @Test("a stalled handshake stops in the middle and continues when the fault is over")
  func handshakeStall() async throws {
    try await ProxyRig.with("0s handshake-stall for=10s bytes=20") { rig in
      let (client, server) = try await rig.pair()
      try await client.send(ProxyRig.request)
      _ = try await server.receive(ProxyRig.request.utf8.count)
      try await server.send(ProxyRig.answer)
      #expect(try await client.receive(20) == String(ProxyRig.answer.prefix(20)))
      try await rig.advance(10)
      #expect(try await client.receive(ProxyRig.answer.utf8.count - 20) == String(ProxyRig.answer.dropFirst(20)))
    }
  }

  @Test("a slow accept delays connections, and its end admits those that wait")
  func slowAccept() async throws {
    try await ProxyRig.with("0s slow-accept for=1h delay=5s") { rig in
      let client = try await rig.connect()
      try await client.send("x")
      try await rig.waitForEffects(1)
      try await rig.advance(5)
      #expect(try await rig.server.accept().receive(1) == "x")
    }
    try await ProxyRig.with("0s slow-accept for=1m delay=1h") { rig in
      let client = try await rig.connect()
      try await client.send("x")
      try await rig.waitForEffects(1)
      try await rig.advance(60)
      #expect(try await rig.server.accept().receive(1) == "x")
    }
  }

  @Test("a wrong accept key and bytes after the 101 are sent as asked")
  func badAnswers() async throws {
    try await ProxyRig.with("0s wrong-accept-key for=1h") { rig in
      let text = try await opened(rig, 0)
      #expect(text.hasPrefix("HTTP/1.1 101 "))
      #expect(text.contains("Sec-WebSocket-Accept: "))
      #expect(!text.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
    }
    try await ProxyRig.with("0s early-garbage for=1h bytes=7") { rig in
      let text = try await opened(rig, 7)
      #expect(text.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
    }
  }

  private func opened(_ rig: ProxyRig, _ more: Int) async throws -> String {
    let (client, server) = try await rig.pair()
    try await client.send(ProxyRig.request)
    _ = try await server.receive(ProxyRig.request.utf8.count)
    try await server.send(ProxyRig.answer)
    return try await client.receive(ProxyRig.answer.utf8.count + more)
  }

  @Test("a restart closes by 1012, resets or is silent, and then refuses or does not answer")
  func restart() async throws {
    try await ProxyRig.with("1s restart for=10s how=graceful") { rig in
      let (client, _) = try await rig.webSocket()
      try await rig.advance(1)
      #expect(await client.rest().bytes == Self.close(1012))
      #expect(try await rig.attempt() == .refused)
      try await rig.advance(10)
      _ = try await rig.pair()
    }
    try await ProxyRig.with("1s restart for=10s how=killed") { rig in
      let (client, _) = try await rig.webSocket()
      try await rig.advance(1)
      #expect(await client.ending == .reset)
    }
    try await ProxyRig.with("1s restart for=10s how=vanished") { rig in
      let (client, _) = try await rig.webSocket()
      try await rig.advance(1)
      try await client.send(ProxyRig.frame(.ping, "", masked: true))
      try await rig.waitForEffects(2)
      let other = try await rig.connect()
      try await other.send("new")
      try await rig.waitForEffects(3)
      // Back again it knows nothing of the connection; a new one gets through with a packet sent again.
      try await rig.advance(60)
      #expect(await client.ending == .reset)
      _ = try await rig.server.accept()
    }
  }

  @Test("an unknown name resets the attempt, as does a refusal of some connections, which have to be accepted to know")
  func acceptedAndReset() async throws {
    for fault in ["name-not-found for=1h after=0s", "refused for=1h count=1", "refused for=1h share=100%"] {
      try await ProxyRig.with("0s \(fault)") { rig in
        let ending = try await rig.whileAdvancing(by: 0.001) { try await rig.attempt() }
        #expect(ending == .reset)
        #expect(try await rig.times == [1])
      }
    }
  }

  @Test(
    "while all are refused nobody listens on the port, nobody else can, and open connections live on",
    arguments: ["refused for=10s", "restart for=10s how=killed"])
  func refused(fault: String) async throws {
    try await ProxyRig.with("1s \(fault); 20s \(fault)", isOpen: true) { rig in
      for _ in 0..<2 {
        let (client, server) = try await rig.pair()
        try await rig.advance(1)
        for _ in 0..<3 { #expect(try await rig.attempt() == .refused) }
        await #expect(throws: IOError.self) {
          try await ServerBootstrap(group: rig.group).serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(to: rig.address).get()
        }
        if fault.hasPrefix("refused") {
          try await client.send("x")
          #expect(try await server.receive(1) == "x")
        } else {
          #expect(await client.ending == .reset)
        }
        try await rig.advance(18)
      }
      _ = try await rig.pair()
      _ = try await rig.proxy.add(TimedFault(reading: "refused"))
      #expect(try await rig.attempt() == .refused)
      // Packets that are lost are not refused.
      _ = try await rig.proxy.add(TimedFault(reading: "black-hole"))
      let waiting = try await rig.connect()
      _ = try await rig.proxy.end(.refused)
      _ = try await rig.proxy.end(nil)
      try await waiting.send("y")
      let late = Task { try await rig.server.accept().receive(1) }
      while try await rig.proxy.connections < 2 { await Task.yield() }
      #expect(try await rig.whileAdvancing(by: 1) { try await late.value } == "y")
    }
  }

  @Test("the phone's faults are refused by name")
  func phone() throws {
    for kind in Fault.Kind.allCases where kind.declaration.isOfPhone {
      let extra = kind == .clockSkew ? " millionths=5" : ""
      let time = kind.isMoment ? "" : " for=1s"
      let schedule = try FaultSchedule(reading: "live/1 for=1h; 1s \(kind.name)\(time)\(extra)", onSockets: true)
      #expect(throws: LiveLabError.self) { try FaultProxy.check(schedule) }
    }
  }
}

extension ProxyRig {
  /// The same as `webSocket()` where the server has heard of attempts that were answered in its place.
  fileprivate func webSocketAfterRefusals(_ count: Int) async throws -> (client: TestSocket, server: TestSocket) {
    for _ in 0..<count { _ = try await server.accept() }
    return try await webSocket()
  }
}

/// What real sockets add to the words of a schedule.
@Suite("Schedules for real sockets")
struct SocketScheduleTests {
  @Test("a simulation refuses faults of real sockets by name")
  func refused() {
    func problem(_ fault: String) -> String {
      do throws(LiveLabError) {
        _ = try FaultSchedule(reading: "live/1 for=1h; 1s \(fault)")
        return "taken"
      } catch {
        return error.description
      }
    }
    for kind in Fault.Kind.allCases where kind.declaration.isOfSockets {
      #expect(problem("\(kind.name) for=1s").contains("\(kind.name) is of real sockets"))
    }
    #expect(problem("latency for=1s added=1s way=up").contains("found 'way=up'"))
    #expect(problem("refused for=1s count=2").contains("found 'count=2'"))
    #expect(problem("reset share=20%").contains("found 'share=20%'"))
    #expect(!Fault.Kind.simulated.contains { $0.declaration.isOfSockets })
  }

  @Test("each reads back as written, with its way and its count")
  func text() throws {
    for fault in [
      "slicer for=1m bytes=3 delay=5ms way=up", "slow-close for=1m delay=3s", "timeout for=1m after=2s way=down",
      "limit-data for=1m bytes=100", "corruption for=1m share=1%", "busy-cut for=1m messages=5 within=1s",
      "slow-accept for=1m delay=3s count=2", "handshake-stall for=1m bytes=20",
      "wrong-accept-key for=1m count=1", "early-garbage for=1m bytes=64",
      "shedding for=1m share=50% retry-after=2s count=3", "half-open way=down",
      "cut for=1m after=30s how=close",
      "cut for=1m after=0s how=reset from=data way=down", "slicer for=1m bytes=3 delay=0s variation=2",
      "timeout for=1m after=2s data=lost", "limit-data for=1m bytes=100 from=begun", "black-hole for=1m proxy=db",
      "latency for=1m added=1s jitter=0s way=up share=20%", "reset share=50%",
    ] {
      let text = "live/1 for=1h; 1s \(fault)"
      #expect(try FaultSchedule(reading: text, onSockets: true).description == text)
    }
    #expect(throws: LiveLabError.self) {
      try FaultSchedule(reading: "live/1 for=1h; 1s busy-cut for=1s", onSockets: true)
    }
    for bad in [
      "slicer for=1s bytes=3 variation=3", "latency for=1s added=1s way=left", "refused for=1s count=0",
      "reset way=up", "reset share=2",
      "loss for=1s share=10% share=20%",
    ] {
      #expect(throws: LiveLabError.self) {
        try FaultSchedule(reading: "live/1 for=1h; 1s \(bad)", onSockets: true)
      }
    }
  }

  @Test("of one kind each way may have its fault, and a fault of both ways ends with the next")
  func ways() throws {
    let both = try FaultSchedule(
      reading: "live/1 for=1h; 1s latency for=10s added=1s way=up; 2s latency for=10s added=2s way=down",
      onSockets: true)
    #expect(both.faults.map(\.lasting) == [.seconds(10), .seconds(10)])
    let replaced = try FaultSchedule(
      reading: "live/1 for=1h; 1s latency for=10s added=1s; 2s latency for=10s added=2s way=down", onSockets: true)
    #expect(replaced.faults.map(\.lasting) == [.seconds(1), .seconds(10)])
  }
}
