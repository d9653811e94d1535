// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import LiveSoak
import NIOCore
import Testing

@Suite("A proxy without faults", .timeLimit(.minutes(15))) struct ProxyRelayTests {
  @Test("carries bytes both ways, and the end of each way by itself")
  func halfClose() async throws {
    try await ProxyRig.with("") { rig in
      let (client, server) = try await rig.pair()
      try await client.send("to the server")
      #expect(try await server.receive(13) == "to the server")
      try await client.endSending()
      #expect(await server.ending == .end)
      try await server.send("still to the client")
      #expect(try await client.receive(19) == "still to the client")
      try await server.endSending()
      #expect(await client.ending != .reset)
      try await rig.waitForConnections(0)
    }
  }

  @Test("a server may send first, also if faults inspect streams")
  func serverFirst() async throws {
    try await ProxyRig.with("30m shedding for=1m share=50%") { rig in
      let (client, server) = try await rig.pair()
      try await server.send("220 ready\r\n")
      #expect(try await client.receive(11) == "220 ready\r\n")
      try await client.send("HELO me\r\n")
      #expect(try await server.receive(9) == "HELO me\r\n")
    }
  }

  @Test("bytes that are not HTTP pass at once, also if faults inspect streams")
  func otherProtocols() async throws {
    try await ProxyRig.with("30m shedding for=1m share=50%") { rig in
      let (client, server) = try await rig.pair()
      for text in ["\u{16}\u{03}\u{01}", "PING", "\r\n"] {
        try await client.send(text)
        #expect(try await server.receive(text.utf8.count) == text)
      }
      let (other, upstream) = try await rig.pair()
      try await other.send("PING\r\n")
      #expect(try await upstream.receive(6) == "PING\r\n")
    }
  }

  @Test("a reset at one end resets the other", arguments: [false, true])
  func resets(byServer: Bool) async throws {
    try await ProxyRig.with("") { rig in
      let (client, server) = try await rig.pair()
      try await client.send("x")
      _ = try await server.receive(1)
      try await (byServer ? server : client).reset()
      #expect(await (byServer ? client : server).ending == .reset)
      try await rig.waitForConnections(0)
    }
  }

  @Test("an upstream that does not listen resets the client")
  func noUpstream() async throws {
    try await ProxyRig.with("") { rig in
      await rig.server.stop()
      #expect(try await rig.attempt() == .reset)
      try await rig.waitForConnections(0)
    }
  }

  @Test("a proxy announces its address, and faults from 0 s on hold for the first connection")
  func firstConnection() async throws {
    let (announced, announce) = AsyncStream.makeStream(of: SocketAddress.self)
    try await ProxyRig.with("0s refused for=30m", begins: false, announcing: { announce.yield($0) }) { rig in
      let ending = try await rig.attempt()
      #expect(ending == .refused)
      #expect(try await rig.times == [1])
      #expect(await announced.first { _ in true } == rig.address)
    }
  }

  @Test("a receiver that does not read stops the sender, and no byte is lost")
  func backpressure() async throws {
    var bounds = FaultProxy.Bounds()
    bounds.bytesHeld = 16_384
    try await ProxyRig.with("", network: nil, bounds: bounds) { rig in
      let (client, server) = try await rig.pair()
      try await server.channel.setOption(.autoRead, value: false).get()
      let bytes = ByteBuffer(repeating: 7, count: 32 << 20)
      async let sent: Void = client.channel.writeAndFlush(bytes)
      // The sender comes to a stop: its writes are not done while nobody reads.
      while client.channel.isWritable { await Task.yield() }
      try await server.channel.setOption(.autoRead, value: true).get()
      #expect(try await server.pieces(32 << 20).reduce(0) { $0 + $1.readableBytes } == 32 << 20)
      try await sent
    }
  }

  @Test("more connections than the bound wait until one ends")
  func connectionBound() async throws {
    var bounds = FaultProxy.Bounds()
    bounds.connections = 1
    try await ProxyRig.with("", bounds: bounds) { rig in
      let (first, server) = try await rig.pair()
      try await first.send("1")
      #expect(try await server.receive(1) == "1")
      let second = try await rig.connect()
      try await second.send("2")
      #expect(try await rig.proxy.connections == 1)
      await first.close()
      await server.close()
      #expect(try await rig.server.accept().receive(1) == "2")
    }
  }

  @Test("an incomplete request is cut off after a time")
  func slowRequest() async throws {
    try await ProxyRig.with("30m shedding for=1m share=50%") { rig in
      let (client, server) = try await rig.pair()
      try await client.send("GET / HT")
      var ended = false
      // The first bytes start the time, whenever they come.
      while !ended {
        try await rig.advance(10)
        ended = try await rig.proxy.connections == 0
      }
      #expect(await client.ending == .reset)
      #expect(await server.ending == .reset)
    }
  }

  @Test("a port in use is an error that leaves no proxy behind")
  func portInUse() async throws {
    try await ProxyRig.with("") { rig in
      let second = FaultProxy(
        group: rig.group, listen: rig.address, upstream: .address(rig.server.address), schedule: FaultSchedule())
      await #expect(throws: IOError.self) { _ = try await second.start() }
      try await second.stop()
    }
  }

  @Test("stopping closes every socket")
  func stopping() async throws {
    try await ProxyRig.with("") { rig in
      let (client, server) = try await rig.pair()
      try await rig.proxy.stop()
      #expect(await client.ending == .reset)
      #expect(await server.ending == .reset)
      await #expect(throws: (any Error).self) { _ = try await rig.connect() }
    }
  }
}
