// SPDX-License-Identifier: Apache-2.0
import LiveCore
import LiveSockets
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing
import WebSocketProtocol

@Suite("The driver of a connection on an event loop", .timeLimit(.minutes(15))) struct SocketDriverTests {
  @Test("a thousand reconnects to servers that refuse, reset, stall and close leave no socket behind")
  func descriptors() async throws {
    let count = Atomic<Int>(0)
    let server = try SocketServer(WebSocketServerConfiguration(), on: loops) { _, _ in
      switch count.wrappingAdd(1, ordering: .relaxed).oldValue % 5 {
      case 0: .refuse(status: 503)
      case 1: .reset
      case 2: .stall
      case 3: .accept(Closing(CloseCode(1001)))
      default: .accept(Closing(nil))
      }
    }
    let address = try await server.listen()
    var settings = LiveClientTests.hasty
    settings.backoff.base = .milliseconds(1)
    settings.backoff.cap = .milliseconds(1)
    settings.backoff.maximumAttempts = nil
    settings.suspendedCadence = nil
    settings.connectTimeout = .milliseconds(5)
    settings.resumesStream = false
    let observers = try await start(20, at: url(address), settings)
    for observer in observers { await observer.attempts(50) }
    for observer in observers { observer.stop() }
    for observer in observers { await observer.isFinished() }
    await server.close()
    #expect(server.counts.present == 0)
    #expect(server.counts.opened > 0)
    #expect(try sockets(withPort: address.port ?? 0) == 0)
  }

  @Test("an attempt that is aborted under way closes its socket")
  func abortInFlight() async throws {
    let server = try SocketServer(WebSocketServerConfiguration(), on: loops) { _, _ in .accept(Ending(nil)) }
    let address = try await server.listen()
    for _ in 0..<50 {
      let observer = try #require(try await start(1, at: url(address), ConnectionSettings()).first)
      observer.stop()
      await observer.isFinished()
    }
    await server.close()
    #expect(try sockets(withPort: address.port ?? 0) == 0)
  }

  @Test("a jump of the clock counts as a sleep, and the client pings")
  func jumpOfTheClock() async throws {
    let server = try SocketServer(WebSocketServerConfiguration(), on: loops) { _, _ in .accept(Ending(nil)) }
    let address = try await server.listen()
    let slept = Atomic<Int64>(0)
    let system = DriverClock.system
    let clock = DriverClock {
      let (total, awake) = system.now()
      return (total + Interval(nanoseconds: slept.load(ordering: .relaxed)), awake)
    }
    var settings = LiveClientTests.hasty
    settings.resumesStream = false
    let observer = try #require(try await start(1, at: url(address), settings, clock: clock).first)
    _ = await observer.events.first { $0 == .opened(Generation(1)) }
    slept.store(3_600_000_000_000, ordering: .relaxed)
    observer.send("anything")
    #expect(await observer.events.first { $0 == .woke } != nil)
    #expect(await observer.events.first { $0 == .received(Generation(1), .pong(1)) } != nil)
    observer.stop()
    await observer.isFinished()
    await server.close()
  }

  @Test("Retry-After is honoured")
  func retryAfter() async throws {
    let server = try SocketServer(WebSocketServerConfiguration(), on: loops) { _, _ in
      .refuse(status: 503, headers: [("Retry-After", "3600")])
    }
    let address = try await server.listen()
    let observer = try #require(try await start(1, at: url(address), LiveClientTests.hasty).first)
    let refused = await observer.events.first { if case .refused = $0 { true } else { false } }
    #expect(refused == .refused(Generation(1), Refusal(status: 503, retryAfter: .seconds(3_600))))
    let next = await observer.nextTry()
    #expect(next >= .seconds(3_500))
    observer.stop()
    await observer.isFinished()
    #expect(server.counts.accepted == 1)
    await server.close()
  }

  @Test("a close code may end the client, and a message that breaks the stream protocol is answered by 1007")
  func closeCodes() async throws {
    let closures = Reports<WebSocketClosure>()
    let server = try SocketServer(WebSocketServerConfiguration(), on: loops) { request, _ in
      request.path == "/nonsense" ? .accept(Babbling(closures)) : .accept(Closing(CloseCode(1008)))
    }
    let address = try await server.listen()
    let unwanted = try #require(try await start(1, at: url(address), LiveClientTests.hasty).first)
    await unwanted.isFinished()
    #expect(await unwanted.state() == .unauthorised)
    let observer = try #require(try await start(1, at: url(address) + "nonsense", LiveClientTests.hasty).first)
    #expect(await closures.first() == WebSocketClosure(.remote, CloseCode(1007)))
    observer.stop()
    await observer.isFinished()
    await server.close()
  }

  @Test("a part of a message, in either direction, restarts the time for the pong behind it")
  func parts() async throws {
    let peers = Reports<any Channel>()
    let listener = try await ServerBootstrap(group: loops)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Piecemeal(peers)) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    var settings = LiveClientTests.hasty
    settings.resumesStream = false
    (settings.heartbeat.interval, settings.heartbeat.pongTimeout) = (.milliseconds(10), .seconds(3_600))
    let address = "ws://127.0.0.1:\(listener.localAddress?.port ?? 0)/"
    let observer = try #require(try await start(1, at: address, settings).first)
    let peer = try #require(await peers.first())
    #expect(await observer.events.first { $0 == .moved(Generation(1)) } != nil)
    observer.send(String(repeating: "up", count: 1 << 18))
    #expect(await observer.events.first { $0 == .moved(Generation(1)) } != nil)
    try await peer.writeAndFlush(ByteBuffer(bytes: Array("lo".utf8) + [0x8a, 1] + Array("1".utf8)))
    #expect(await observer.events.first { $0 == .received(Generation(1), .message(nil, bytes: 5)) } != nil)
    #expect(await observer.events.first { $0 == .received(Generation(1), .pong(1)) } != nil)
    observer.stop()
    await observer.isFinished()
    try await listener.close()
  }

  private func start(
    _ count: Int, at url: String, _ settings: ConnectionSettings, clock: DriverClock = .system
  ) async throws -> [Observer] {
    let address = try WebSocketAddress(parsing: url)
    let tls = try address.isSecure ? WebSocketConfiguration().clientTLS() : nil
    var observers: [Observer] = []
    for _ in 0..<count {
      let loop = loops.next()
      let observer = Observer(loop)
      observers.append(observer)
      try await loop.submit {
        let driver = SocketDriver(
          on: loop, address: address, settings: settings, tls: tls, clock: clock, observer: observer)
        observer.driver = driver
        driver.start()
      }.get()
    }
    return observers
  }
}

/// Reports what a driver does.
// Unchecked, since the driver is touched on its loop alone.
private final class Observer: SocketDriverObserver, @unchecked Sendable {
  let events = Reports<LiveEvent>()
  private let opens = Reports<Int>()
  private let finishedOnce: EventLoopPromise<Void>
  private let loop: any EventLoop
  private var count = 0
  var driver: SocketDriver?

  init(_ loop: any EventLoop) {
    self.loop = loop
    finishedOnce = loop.makePromise()
  }

  func willHandle(_ event: LiveEvent, at moment: Instant) { events.add(event) }

  func didPerform(_ effect: LiveEffect, at moment: Instant) {
    guard case .open = effect else { return }
    count += 1
    opens.add(count)
  }

  func finished(_ driver: SocketDriver) { finishedOnce.succeed() }

  func attempts(_ wanted: Int) async { _ = await opens.first { $0 == wanted } }
  func isFinished() async { try? await finishedOnce.futureResult.get() }
  func stop() { loop.execute { self.driver?.stop() } }
  func send(_ text: String) { loop.execute { self.driver?.send(ByteBuffer(string: text)) } }

  func nextTry() async -> Interval {
    let wait = try? await loop.submit { () -> Interval? in
      guard let driver = self.driver, let next = driver.connection.status.nextTry else { return nil }
      return next - driver.now
    }.get()
    return (wait ?? nil) ?? .zero
  }

  func state() async -> Ended.Reason? {
    let reason = try? await loop.submit { () -> Ended.Reason? in
      guard case .closed(let ended) = self.driver?.connection.state else { return nil }
      return ended.reason
    }.get()
    return reason ?? nil
  }
}

/// A connection that is closed as soon as it is open: with a code, or by a reset.
private final class Closing: WebSocketOwner {
  private let code: CloseCode?

  init(_ code: CloseCode?) { self.code = code }

  func opened(_ socket: WebSocketHandler) {
    if let code { socket.close(code) } else { socket.abort() }
  }
}

/// A server that agrees to the handshake and answers the first ping by the beginning of a message; a test goes on.
private final class Piecemeal: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer
  private let peers: Reports<any Channel>
  private var requests = OpeningRequest.Reader(limit: 4_096)
  private var arrived = ByteBuffer()
  private var isOpen = false
  private var hasBegun = false

  init(_ peers: Reports<any Channel>) { self.peers = peers }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var (bytes, answer) = (unwrapInboundIn(data), ByteBuffer())
    if isOpen {
      guard !hasBegun else { return }
      hasBegun = true
      answer.writeBytes([0x81, 5] + Array("hel".utf8))
      peers.add(context.channel)
    } else {
      arrived.writeBuffer(&bytes)
      guard let request = try? requests.read(from: &arrived) else { return }
      isOpen = true
      OpeningResponse(accepting: request, request.agreement(subprotocols: [], compresses: false)).write(into: &answer)
    }
    context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
  }
}

/// A connection that breaks the stream protocol.
private final class Babbling: WebSocketOwner {
  private let reports: Reports<WebSocketClosure>

  init(_ reports: Reports<WebSocketClosure>) { self.reports = reports }

  func opened(_ socket: WebSocketHandler) { socket.send(.text(ByteBuffer(string: "hello there"))) }

  func ended(_ end: SocketEnd, of socket: WebSocketHandler) {
    if case .closed(let closure) = end { reports.add(closure) }
  }
}
