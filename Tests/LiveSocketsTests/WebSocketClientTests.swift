// SPDX-License-Identifier: Apache-2.0
import Foundation
import LiveCore
import LiveSockets
import NIOCore
import Testing
import WebSocketProtocol

@Suite("A WebSocket over loopback", .timeLimit(.minutes(15))) struct WebSocketClientTests {
  @Test(
    "messages of sizes around the boundaries of frames and buffers are echoed unchanged", arguments: [true, false])
  func echo(compresses: Bool) async throws {
    var server = WebSocketServerConfiguration()
    server.connection.compresses = compresses
    var client = WebSocketConfiguration()
    // The other half of this test keeps the loops busy, for long under a sanitizer.
    client.handshakeTimeout = .seconds(50)
    let closure = try await withEcho(server) { [client] url in
      try await WebSocketClient.connect(url: url, configuration: client) { inbound, outbound, _ in
        var replies = inbound.makeAsyncIterator()
        for size in [0, 1, 125, 126, 127, 65_535, 65_536, 65_537, 300_000, 1 << 20] {
          let text = WebSocketMessage.text(String(repeating: "é", count: size / 2))
          let bytes = WebSocketMessage.binary(ByteBuffer(bytes: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }))
          for message in [text, bytes] {
            try await outbound.write(message)
            #expect(await replies.next() == message, "\(size) bytes")
          }
        }
      }
    }
    #expect(closure == WebSocketClosure(.local, CloseCode(1000)))
  }

  @Test("many messages in flight are echoed in order")
  func order() async throws {
    let received = try await withEcho { url in
      var received: [String] = []
      _ = try await WebSocketClient.connect(url: url) { inbound, outbound, _ in
        try await withThrowingTaskGroup { group in
          group.addTask { for number in 0..<2_000 { try await outbound.write(.text("\(number)")) } }
          for await case .text(let text) in inbound {
            received.append(text)
            if received.count == 2_000 { break }
          }
          try await group.waitForAll()
        }
      }
      return received
    }
    #expect(received == (0..<2_000).map { "\($0)" })
  }

  @Test("the peer's close frame is the result", arguments: [1000, 1001, 1012, 3000, 4321] as [UInt16])
  func serverCloses(code: UInt16) async throws {
    let closure = try await withServer { inbound, outbound, _ in
      outbound.close(CloseCode(code), reason: "that is all")
      for await _ in inbound {}
    } _: { url in
      try await WebSocketClient.connect(url: url) { inbound, _, _ in for await _ in inbound {} }
    }
    #expect(closure == WebSocketClosure(.remote, CloseCode(code), reason: "that is all"))
  }

  @Test("the client's close frame ends the server's handler, and later writes fail")
  func clientCloses() async throws {
    let reports = Reports<Int>()
    let closure = try await withServer { inbound, _, _ in
      var count = 0
      for await _ in inbound { count += 1 }
      reports.add(count)
    } _: { url in
      let closure = try await WebSocketClient.connect(url: url) { _, outbound, _ in
        try await outbound.write(.text("one"))
        outbound.close(CloseCode(4000), reason: "done")
        await #expect(throws: WebSocketError.self) { try await outbound.write(.text("late")) }
      }
      #expect(await reports.first() == 1)
      return closure
    }
    #expect(closure == WebSocketClosure(.local, CloseCode(4000), reason: "done"))
  }

  @Test("a handler that throws closes with 1011, and the error is rethrown")
  func handlerThrows() async throws {
    struct Failure: Error {}
    try await withServer { _, _, _ in
      throw Failure()
    } _: { url in
      let closure = try await WebSocketClient.connect(url: url) { inbound, _, _ in for await _ in inbound {} }
      #expect(closure == WebSocketClosure(.remote, CloseCode(1011)))
      await #expect(throws: Failure.self) {
        try await WebSocketClient.connect(url: url) { _, _, _ in throw Failure() }
      }
    }
  }

  @Test("a message over the limit closes with 1009, also by the reader's own limit")
  func tooBig() async throws {
    var server = WebSocketServerConfiguration()
    server.connection.maximumMessageBytes = 1_000
    try await withEcho(server) { url in
      let closure = try await WebSocketClient.connect(url: url) { inbound, outbound, _ in
        try await outbound.write(.text(String(repeating: "x", count: 1_001)))
        for await _ in inbound {}
      }
      #expect(closure.origin == .remote)
      #expect(closure.code == CloseCode(1009))
      let own = try await WebSocketClient.connect(url: url) { inbound, outbound, _ in
        try await outbound.write(.text("12345"))
        for await _ in inbound.messages(maxSize: 4) { Issue.record("a message beyond the limit was handed over") }
      }
      #expect(own.origin == .local)
      #expect(own.code == CloseCode(1009))
    }
  }

  @Test(
    "a protocol violation is answered by a close frame with its code, and the end of the stream",
    arguments: [
      ([0x81, 0x01, 0x61], 1002), ([0x83, 0x80, 0, 0, 0, 0], 1002), ([0x81, 0x81, 0, 0, 0, 0, 0xFF], 1007),
      ([0x81, 0xFF, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0], 1009),
    ] as [([UInt8], UInt16)])
  func violation(frame: [UInt8], code: UInt16) async throws {
    try await withEcho { url in
      let reply = try await reply(to: handshake + frame, from: url)
      #expect(reply.starts(with: Array("HTTP/1.1 101".utf8)))
      let head = try #require(reply.firstRange(of: Array("\r\n\r\n".utf8)))
      let close = reply[head.upperBound...]
      #expect(close.first == 0x88)
      #expect(close.dropFirst(2).prefix(2) == [UInt8(code >> 8), UInt8(code & 0xFF)])
    }
  }

  @Test(
    "a close frame in one packet with a message takes effect after the message")
  func packedClose() async throws {
    try await withEcho { url in
      let frames: [UInt8] = [0x82, 0x81, 0, 0, 0, 0, 9, 0x88, 0x82, 0, 0, 0, 0, 0x0F, 0xA1]
      let reply = try await reply(to: handshake + frames, from: url)
      let head = try #require(reply.firstRange(of: Array("\r\n\r\n".utf8)))
      #expect(reply[head.upperBound...].suffix(4) == [0x88, 0x02, 0x0F, 0xA1])
    }
  }

  @Test("a server pings a silent peer, and drops one that does not answer")
  func keepAlive() async throws {
    var configuration = WebSocketServerConfiguration()
    configuration.connection.keepAlive = .milliseconds(20)
    try await withEcho(configuration) { url in
      let reply = try await reply(to: handshake, from: url)
      #expect(reply.suffix(2) == [0x89, 0])
    }
  }

  @Test("a long message is seen to move while it is sent, which keeps its connection alive")
  func movesParts() async throws {
    let moves = Reports<Void>()
    var configuration = WebSocketServerConfiguration()
    configuration.connection.compresses = false
    let server = try SocketServer(configuration, on: loops) { _, _ in .accept(Sending(moves)) }
    let address = try await server.listen()
    _ = try await WebSocketClient.connect(url: url(address)) { inbound, _, _ in
      let message = await inbound.first { _ in true }
      #expect(message == .binary(ByteBuffer(repeating: 7, count: 1 << 20)))
    }
    #expect(await moves.first() != nil)
    await server.close()
  }

  @Test("a peer whose handshake is too slow or too long is dropped")
  func endlessHandshake() async throws {
    var configuration = WebSocketServerConfiguration()
    configuration.connection.handshakeTimeout = .milliseconds(20)
    try await withEcho(configuration) { url in
      // On a busy machine the time is over, and the connection reset, before the client knows that it is open.
      let silence = try? await reply(to: Array(handshake.dropLast(2)), from: url)
      #expect(silence?.isEmpty != false)
    }
    try await withEcho { url in
      let endless = handshake.dropLast(2) + Array("X: ".utf8) + Array(repeating: UInt8(ascii: "x"), count: 20_000)
      let refusal = try await reply(to: Array(endless), from: url)
      #expect(refusal.starts(with: Array("HTTP/1.1 431".utf8)))
    }
  }

  @Test("a write waits while the peer reads nothing, and can be cancelled")
  func cancelledWrite() async throws {
    let stuck = Reports<Bool>()
    let server = try SocketServer(WebSocketServerConfiguration(), on: loops) { _, _ in .accept(Deaf()) }
    let address = try await server.listen()
    var configuration = WebSocketConfiguration()
    configuration.closeTimeout = .milliseconds(50)
    let closure = try await WebSocketClient.connect(url: url(address), configuration: configuration) { _, outbound, _ in
      let writing = Task {
        let block = WebSocketMessage.binary(ByteBuffer(repeating: 1, count: 1 << 20))
        while true {
          try await outbound.write(block)
          stuck.add(true)
        }
      }
      // More than any kernel buffers: it goes on until it is cancelled.
      for _ in 0..<2 { _ = await stuck.first() }
      writing.cancel()
      await #expect(throws: CancellationError.self) { try await writing.value }
    }
    // The peer does not read, so it does not answer the close frame either.
    #expect(closure == WebSocketClosure(.local, CloseCode(1006), reason: "the close frame was not answered"))
    await server.drop()
  }

  @Test("a lost connection has close code 1006")
  func connectionLost() async throws {
    let server = try SocketServer(WebSocketServerConfiguration(), on: loops) { _, socket in
      .accept(Aborting())
    }
    let address = try await server.listen()
    let closure = try await WebSocketClient.connect(url: url(address)) { inbound, outbound, _ in
      try await outbound.write(.text("go"))
      for await _ in inbound {}
    }
    #expect(closure.origin == .network)
    #expect(closure.code == CloseCode(1006))
    await server.close()
    #expect(server.counts.present == 0)
  }

  @Test("a cancelled client closes with 1001 and returns")
  func cancellation() async throws {
    let opened = Reports<Bool>()
    try await withEcho { url in
      let task = Task {
        try await WebSocketClient.connect(url: url) { inbound, _, _ in
          opened.add(true)
          for await _ in inbound {}
        }
      }
      _ = await opened.first()
      task.cancel()
      let closure = try await task.value
      #expect(closure == WebSocketClosure(.local, CloseCode(1001)))
    }
  }

  @Test("a cancelled attempt drops its socket")
  func cancelledAttempt() async throws {
    let server = try await RawServer(answering: "")
    let task = Task { try await WebSocketClient.connect(url: server.url) { _, _, _ in } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await server.close()
  }

  @Test("a reader that lags makes the peer wait, within bounded memory")
  func backpressure() async throws {
    let written = Reports<Int>()
    let size = 10_000
    try await withServer { inbound, outbound, _ in
      // Ends when the client closes: by then it was stuck, since nobody read 1 GB.
      var count = 0
      do {
        for _ in 0..<100_000 {
          try await outbound.write(.binary(ByteBuffer(repeating: 7, count: size)))
          count += 1
        }
      } catch {
        written.add(count)
      }
    } _: { url in
      let lagging = Reports<Bool>()
      var configuration = WebSocketConfiguration()
      configuration.inboundBufferBytes = 50_000
      let read = try await WebSocketClient.connect(url: url, configuration: configuration) { inbound, _, _ in
        var reader = inbound.makeAsyncIterator()
        for _ in 0..<10 { #expect(await reader.next() != nil) }
        lagging.add(true)
      }
      #expect(read.code == CloseCode(1000))
      let count = try #require(await written.first())
      // Two kernels' buffers, two channels', and the queue: megabytes, and what was read while it closed.
      #expect(count < 50_000)
    }
  }

  @Test("TLS accepts the right name under a trusted authority", arguments: ["127.0.0.1", "localhost"])
  func secure(host: String) async throws {
    try await withEcho(Self.secureServer("good")) { url in
      let url = url.replacing("127.0.0.1", with: host)
      let closure = try await WebSocketClient.connect(url: url, configuration: Self.trusting) { inbound, outbound, _ in
        try await outbound.write(.text("hello"))
        for await message in inbound {
          #expect(message == .text("hello"))
          return
        }
      }
      #expect(closure == WebSocketClosure(.local, CloseCode(1000)))
    }
  }

  @Test(
    "TLS refuses an expired certificate and a wrong name with the reason",
    arguments: [("expired", "expired"), ("wrong-name", "another name")])
  func badCertificate(name: String, words: String) async throws {
    try await withEcho(Self.secureServer(name)) { url in
      let error = await failure(to: url, Self.trusting)
      #expect(error?.code == .connect(.insecure))
      #expect(error?.description.contains(words) == true)
    }
  }

  @Test("TLS refuses an unknown authority and a plain server")
  func untrusted() async throws {
    try await withEcho(Self.secureServer("good")) { url in
      let error = await failure(to: url)
      #expect(error?.code == .connect(.insecure))
      #expect(error?.description.contains("no authority") == true)
    }
    try await withEcho { url in
      #expect(await failure(to: url.replacing("ws:", with: "wss:"), Self.trusting)?.code == .connect(.insecure))
    }
  }

  @Test("a failure to open a WebSocket is reported by its kind")
  func failures() async throws {
    #expect(await failure(to: "ws://\(deadAddress)/")?.code == .connect(.connectionRefused))
    #expect(await failure(to: "ws://nowhere.invalid/")?.code == .connect(.nameNotFound))
    for (answer, keepsSilent, code) in [
      ("", true, .connect(.timedOut)), ("", false, .connect(.reset)),
      ("nonsense\r\n\r\n", true, .connect(.notWebSocket)),
      ("HTTP/1.1 101 Yes\r\n\r\n", true, .connect(.notWebSocket)),
      ("HTTP/1.1 403 No\r\n\r\n", true, .refused(status: 403)),
    ] as [(String, Bool, WebSocketError.Code)] {
      var configuration = WebSocketConfiguration()
      if code == .connect(.timedOut) { configuration.handshakeTimeout = .milliseconds(50) }
      let server = try await RawServer(answering: answer, keepsSilent: keepsSilent)
      #expect(await failure(to: server.url, configuration)?.code == code)
      try await server.close()
    }
  }

  @Test(
    "a refusal names its status, the address of a redirect, and advice that fits",
    arguments: [
      ("200 OK", "status 200; a web page answers there, and no WebSocket; check the address and its path."),
      ("302 Found\r\nLocation: /new", "status 302 and a redirect to '/new'; it is not followed; connect to that"),
      ("302 Found", "status 302; check the address, and what the server requires"),
      ("400 Bad Request", "status 400; check the address, and what the server requires, such as a header field or"),
      ("404 Not Found", "status 404; check the path."), ("503 Busy", "status 503; try again later"),
    ])
  func refusal(answer: String, sentence: String) async throws {
    let server = try await RawServer(answering: "HTTP/1.1 \(answer)\r\nContent-Length: 0\r\n\r\n")
    let error = try #require(await failure(to: server.url))
    #expect(error.description.contains(sentence), "\(error)")
    try await server.close()
  }

  @Test("connections beyond the limit are closed at once; the others stay")
  func tooMany() async throws {
    var configuration = WebSocketServerConfiguration()
    configuration.maximumConnections = 1
    try await withEcho(configuration) { url in
      _ = try await WebSocketClient.connect(url: url) { inbound, outbound, _ in
        #expect(await failure(to: url) != nil)
        try await outbound.write(.text("still here"))
        var reader = inbound.makeAsyncIterator()
        #expect(await reader.next() == .text("still here"))
      }
    }
  }

  @Test("a port in use, a bad certificate and bad settings are errors before anything is open")
  func badInput() async throws {
    try await withEcho { url in
      var configuration = WebSocketServerConfiguration()
      configuration.port = Int(url.split(separator: ":").last?.dropLast() ?? "") ?? 0
      let server = WebSocketServer(configuration)
      await #expect { try await server.run { _, _, _ in } } throws: { error in
        (error as? WebSocketError)?.code == .cannotListen && "\(error)".contains("in use")
      }
    }
    for (certificate, key) in [("README.md", "server.key"), ("nowhere.pem", "server.key"), ("good.pem", "good.pem")] {
      var configuration = WebSocketServerConfiguration()
      configuration.certificate = ServerCertificate(certificatePath: fixture(certificate), keyPath: fixture(key))
      let server = WebSocketServer(configuration)
      await #expect("\(certificate) \(key)") { try await server.run { _, _, _ in } } throws: { error in
        (error as? WebSocketError)?.code == .badCertificate
      }
    }
    var configuration = WebSocketConfiguration()
    configuration.closeTimeout = .zero
    #expect(throws: WebSocketError.self) { try configuration.check() }
    configuration = WebSocketConfiguration()
    configuration.subprotocols = ["two words"]
    #expect(throws: WebSocketError.self) { try configuration.check() }
    #expect(await failure(to: "http//nowhere")?.code == .badAddress)
  }

  /// Why no connection can be opened; nil where one can.
  private func failure(
    to url: String, _ configuration: WebSocketConfiguration = WebSocketConfiguration()
  ) async -> WebSocketError? {
    await #expect(throws: WebSocketError.self) {
      try await WebSocketClient.connect(url: url, configuration: configuration) { _, _, _ in }
    }
  }

  private static func secureServer(_ name: String) -> WebSocketServerConfiguration {
    var configuration = WebSocketServerConfiguration()
    configuration.certificate = ServerCertificate(
      certificatePath: fixture("\(name).pem"), keyPath: fixture("server.key"))
    return configuration
  }

  private static var trusting: WebSocketConfiguration {
    var configuration = WebSocketConfiguration()
    configuration.trust = .file(path: fixture("authority.pem"))
    return configuration
  }
}

/// A connection that reads nothing.
private final class Deaf: WebSocketOwner {
  func opened(_ socket: WebSocketHandler) { socket.pause() }
}

/// A connection that is reset as soon as something arrives.
private final class Aborting: WebSocketOwner {
  func received(_ incoming: Incoming, on socket: WebSocketHandler) { socket.abort() }
}

/// A connection that sends a long message at once, and reports that a part of it left.
private final class Sending: WebSocketOwner {
  private let moves: Reports<Void>

  init(_ moves: Reports<Void>) { self.moves = moves }

  func opened(_ socket: WebSocketHandler) { socket.send(.binary(ByteBuffer(repeating: 7, count: 1 << 20))) }

  func moved(_ socket: WebSocketHandler) { moves.add(()) }
}
