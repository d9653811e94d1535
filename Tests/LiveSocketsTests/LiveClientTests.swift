// SPDX-License-Identifier: Apache-2.0
import Foundation
import LiveCore
import LiveSockets
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing
import WebSocketProtocol

@Suite("The reconnecting client over real sockets", .timeLimit(.minutes(15))) struct LiveClientTests {
  /// Waits of milliseconds, so that tests are quick.
  static var hasty: ConnectionSettings {
    var settings = ConnectionSettings()
    settings.backoff.base = .milliseconds(5)
    settings.backoff.cap = .milliseconds(20)
    settings.backoff.floor = .milliseconds(1)
    settings.backoff.maximumAttempts = 1_000
    return settings
  }

  @Test("after restarts of the server the client is back, and no message is lost or duplicated in either direction")
  func restarts() async throws {
    let taken = Mutex<[UInt64]>([])
    let stream = StreamHistory()
    let identities = Mutex<Set<[String]>>([])
    let answer: @Sendable (OpeningRequest) -> HandshakeAnswer = { request in
      identities.withLock { _ = $0.insert(request.fields["Live-Client"]) }
      return .accept(
        stream.reader { event in
          // What was taken already comes again where its acknowledgement was lost.
          guard case .took(let number) = event else { return }
          taken.withLock { if number.value > ($0.last ?? 0) { $0.append(number.value) } }
        })
    }
    var configuration = WebSocketServerConfiguration()
    // An address that no other test uses, so that the port stays free between two lives.
    configuration.host = "127.77.0.2"
    var server = try SocketServer(configuration, on: loops) { request, _ in answer(request) }
    let address = try await server.listen()
    configuration.port = address.port ?? 0
    let client = try LiveClient(url: url(address), settings: Self.hasty)
    async let running = client.run()
    var messages = client.messages.makeAsyncIterator()
    var received: [UInt64] = []
    for life in 0..<5 {
      _ = await client.statuses.first { $0.isCurrent }
      for number in 0..<20 {
        try await client.send(.text("mine \(life * 20 + number)"))
        stream.publish(ByteBuffer(string: "theirs"))
      }
      while received.count < (life + 1) * 20, let arrival = await messages.next() {
        if case .message(_, let index?) = arrival { received.append(index.offset) }
        if case .gap = arrival { Issue.record("a gap: \(arrival)") }
      }
      // Half of the time the machine fails: no close frame, and answers under way are lost.
      if life.isMultiple(of: 2) { await server.drop() } else { await server.close(CloseCode(1001)) }
      // While the server is down.
      stream.publish(ByteBuffer(string: "missed"))
      server = try SocketServer(configuration, on: loops) { request, _ in answer(request) }
      _ = try await server.listen()
    }
    let last = stream.end.offset
    while received.last != last, let arrival = await messages.next() {
      if case .message(_, let index?) = arrival { received.append(index.offset) }
    }
    // The outbox is empty when everything was acknowledged.
    _ = await client.statuses.first { $0.isCurrent && $0.queued == 0 }
    client.stop()
    #expect(try await running == .stopped)
    await server.close()
    #expect(received == Array((received.first ?? 1)...last))
    #expect(taken.withLock { $0 } == Array(1...100))
    // By its one name a server recognises what it has taken already.
    #expect(identities.withLock { $0.map(\.count) } == [1])
    #expect(try sockets(withPort: configuration.port) == 0)
  }

  @Test("without the stream protocol messages are delivered as they are, and a sent one counts as acknowledged")
  func foreign() async throws {
    try await withEcho { url in
      var settings = Self.hasty
      settings.resumesStream = false
      let client = try LiveClient(url: url, settings: settings)
      async let running = client.run()
      #expect(try await client.send(.text("hello")) == MessageNumber(1))
      #expect(try await client.send(.binary(ByteBuffer(bytes: [0, 255]))) == MessageNumber(2))
      var messages: [WebSocketMessage] = []
      var acknowledged = MessageNumber(0)
      for await arrival in client.messages {
        if case .message(let message, nil) = arrival { messages.append(message) }
        if case .acknowledged(let number) = arrival { acknowledged = number }
        if messages.count == 2, acknowledged == MessageNumber(2) { break }
      }
      #expect(messages == [.text("hello"), .binary(ByteBuffer(bytes: [0, 255]))])
      client.stop()
      #expect(try await running == .stopped)
    }
  }

  @Test("a message that was cut while it was being sent is reported as not sent")
  func cut() async throws {
    let server = try SocketServer(WebSocketServerConfiguration(), on: loops) { _, _ in .accept(Deaf()) }
    let address = try await server.listen()
    var settings = Self.hasty
    (settings.resumesStream, settings.unacknowledged, settings.outbox.bytes) = (false, .drop, 1 << 27)
    let client = try LiveClient(url: url(address), settings: settings)
    async let running = client.run()
    _ = await client.statuses.first { $0.phase == .connected }
    // More than the buffers of both ends hold, and nothing that compresses.
    var random = SplitMix64(seed: 1)
    let block = (0..<1 << 20).map { _ in UInt8.random(in: 0...255, using: &random) }
    var bytes = ByteBuffer()
    for _ in 0..<64 { bytes.writeBytes(block) }
    let number = try await client.send(.binary(bytes))
    await server.drop()
    var outcome: LiveClient.Arrival?
    for await arrival in client.messages where outcome == nil {
      switch arrival {
      case .dropped, .acknowledged:
        outcome = arrival
        client.stop()
      default: break
      }
    }
    #expect(outcome == .dropped(number, .cut))
    #expect(try await running == .stopped)
    await server.close()
  }

  @Test("a cancelled run closes with a close frame and returns")
  func cancellation() async throws {
    let closures = Reports<WebSocketClosure>()
    let server = try SocketServer(WebSocketServerConfiguration(), on: loops) { _, _ in .accept(Ending(closures)) }
    let address = try await server.listen()
    var settings = Self.hasty
    settings.resumesStream = false
    let client = try LiveClient(url: url(address), settings: settings)
    let running = Task { try await client.run() }
    _ = await client.statuses.first { $0.phase == .connected }
    running.cancel()
    #expect(try await running.value == .stopped)
    #expect(await closures.first() == WebSocketClosure(.remote, CloseCode(1000)))
    #expect(client.status.phase == .closed)
    for await _ in client.messages {}
    for await status in client.statuses { #expect(status.phase == .closed) }
    await server.close()
  }

  @Test("a good redirect is followed, a bad one ends the run")
  func redirect() async throws {
    let target = try SocketServer(WebSocketServerConfiguration(), on: loops) { _, _ in .accept(Ending(nil)) }
    let end = try await target.listen()
    let server = try SocketServer(WebSocketServerConfiguration(), on: loops) { request, _ in
      request.path == "/bad"
        ? .refuse(status: 301, headers: [("Location", "mailto:nobody")])
        : .refuse(status: 307, headers: [("Location", "http://127.0.0.1:\(end.port ?? 0)/there")])
    }
    let address = try await server.listen()
    var settings = Self.hasty
    settings.resumesStream = false
    let client = try LiveClient(url: url(address), settings: settings)
    async let running = client.run()
    _ = await client.statuses.first { $0.phase == .connected }
    #expect(target.counts.opened == 1)
    client.stop()
    #expect(try await running == .stopped)
    for await arrival in client.messages { Issue.record("a redirect that is followed is no failure: \(arrival)") }
    let lost = try LiveClient(url: url(address) + "bad", settings: settings)
    #expect(try await lost.run() == .badRedirect)
    guard case .failed(let error) = await lost.messages.first(where: { _ in true }) else {
      Issue.record("expected a failure")
      return
    }
    #expect(error.description.contains("status 301 and a redirect to 'mailto:nobody'; that is no address of"))
    await server.close()
    await target.close()
  }

  @Test("a subprotocol is offered to a server that requires one")
  func subprotocol() async throws {
    let server = try SocketServer(WebSocketServerConfiguration(), on: loops) { request, _ in
      request.subprotocols == ["graphql-transport-ws", "mqtt"] ? .accept(Ending(nil)) : .refuse(status: 400)
    }
    let address = try await server.listen()
    var (settings, configuration) = (Self.hasty, WebSocketConfiguration())
    settings.resumesStream = false
    configuration.subprotocols = ["graphql-transport-ws", "mqtt"]
    let client = try LiveClient(url: url(address), settings: settings, configuration: configuration)
    async let running = client.run()
    _ = await client.statuses.first { $0.phase == .connected }
    client.stop()
    #expect(try await running == .stopped)
    let without = try LiveClient(url: url(address), settings: settings)
    #expect(try await without.run() == .refused(400))
    await server.close()
  }

  @Test("refused credentials are refreshed once")
  func credentials() async throws {
    let server = try SocketServer(WebSocketServerConfiguration(), on: loops) { request, _ in
      request.fields["Authorization"] == ["fresh"] ? .accept(Ending(nil)) : .refuse(status: 401)
    }
    let address = try await server.listen()
    var settings = Self.hasty
    settings.resumesStream = false
    let client = try LiveClient(url: url(address), settings: settings) { [("Authorization", "fresh")] }
    async let running = client.run()
    _ = await client.statuses.first { $0.phase == .connected }
    client.stop()
    #expect(try await running == .stopped)
    let wrong = try LiveClient(url: url(address), settings: settings) { [("Authorization", "stale")] }
    #expect(try await wrong.run() == .unauthorised)
    let without = try LiveClient(url: url(address), settings: settings)
    #expect(try await without.run() == .unauthorised)
    await server.close()
  }

  @Test("unread messages are dropped, the oldest first, and reported")
  func overflow() async throws {
    let stream = StreamHistory()
    let server = try SocketServer(WebSocketServerConfiguration(), on: loops) { _, _ in
      .accept(
        stream.reader { event in
          if case .took(MessageNumber(1)) = event {
            for _ in 0..<100 { stream.publish(ByteBuffer(string: "message")) }
          }
        })
    }
    let address = try await server.listen()
    var configuration = WebSocketConfiguration()
    configuration.inboundBufferBytes = 1_000
    let client = try LiveClient(url: url(address), settings: Self.hasty, configuration: configuration)
    async let running = client.run()
    _ = await client.statuses.first { $0.isCurrent }
    // The first is acknowledged before the messages that it calls forth, the second behind them.
    for _ in 0..<2 {
      try await client.send(.text("publish"))
      _ = await client.statuses.first { $0.isCurrent && $0.queued == 0 }
    }
    var messages = client.messages.makeAsyncIterator()
    guard case .overflow(let lost) = await messages.next() else {
      Issue.record("expected an overflow first")
      return
    }
    var read = 0
    while case .message = await messages.next() { read += 1 }
    #expect(lost + read == 101)
    #expect(read < 20)
    client.stop()
    #expect(try await running == .stopped)
    await server.close()
  }
}

/// A connection that only reports its end.
final class Ending: WebSocketOwner {
  private let reports: Reports<WebSocketClosure>?

  init(_ reports: Reports<WebSocketClosure>?) { self.reports = reports }

  func ended(_ end: SocketEnd, of socket: WebSocketHandler) {
    if case .closed(let closure) = end { reports?.add(closure) }
  }
}

/// A connection that never reads.
private final class Deaf: WebSocketOwner {
  func opened(_ socket: WebSocketHandler) { socket.pause() }
}
