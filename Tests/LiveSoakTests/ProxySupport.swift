// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab
import LiveSoak
import NIOCore
import NIOPosix
import Synchronization
import Testing
import WebSocketProtocol

/// One end of a TCP connection, as a test holds it: it sends, and waits for what comes.
final class TestSocket: Sendable {
  enum Event: Sendable {
    case bytes(ByteBuffer)
    /// The other end sends no more.
    case end
    case error(any Error)
    case closed
  }

  /// How a connection ended.
  enum Ending: Equatable { case end, reset, closed, refused }

  let channel: any Channel
  private let stream: AsyncStream<Event>

  init(_ channel: any Channel, _ stream: AsyncStream<Event>) { (self.channel, self.stream) = (channel, stream) }

  static func connect(to address: SocketAddress, on group: any EventLoopGroup) async throws -> TestSocket {
    let (stream, handler) = EventHandler.make()
    let channel = try await ClientBootstrap(group: group)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelInitializer { channel in channel.pipeline.addHandler(handler) }
      .connect(to: address).get()
    return TestSocket(channel, stream)
  }

  func send(_ bytes: ByteBuffer) async throws { try await channel.writeAndFlush(bytes) }

  func send(_ text: String) async throws { try await send(ByteBuffer(string: text)) }

  func endSending() async throws { try await channel.close(mode: .output) }

  func close() async { try? await channel.close() }

  func reset() async throws {
    if let socket = channel as? any SocketOptionProvider {
      try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    }
    await close()
  }

  /// The pieces that arrive until there are `count` bytes.
  func pieces(_ count: Int) async throws -> [ByteBuffer] {
    var (pieces, sum) = ([ByteBuffer](), 0)
    while sum < count {
      switch await next() {
      case .bytes(let bytes):
        pieces.append(bytes)
        sum += bytes.readableBytes
      case let other: throw Unexpected(what: "\(other) after \(sum) of \(count) bytes")
      }
    }
    return pieces
  }

  /// A text of `count` bytes.
  func receive(_ count: Int) async throws -> String {
    try await pieces(count).map { String(buffer: $0) }.joined()
  }

  /// Everything up to the end, and how it ended.
  func rest() async -> (bytes: ByteBuffer, ending: Ending) {
    var all = ByteBuffer()
    while true {
      switch await next() {
      case .bytes(let bytes): all.writeImmutableBuffer(bytes)
      case .end: return (all, .end)
      case .error: return (all, .reset)
      case .closed: return (all, .closed)
      }
    }
  }

  var ending: Ending { get async { await rest().ending } }

  private func next() async -> Event {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next() ?? .closed
  }

  struct Unexpected: Error { let what: String }
}

import Glibc

/// Hands on what a channel hears.
final class EventHandler: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private let events: AsyncStream<TestSocket.Event>.Continuation

  private init(_ events: AsyncStream<TestSocket.Event>.Continuation) { self.events = events }

  static func make() -> (AsyncStream<TestSocket.Event>, EventHandler) {
    let (stream, continuation) = AsyncStream.makeStream(of: TestSocket.Event.self)
    return (stream, EventHandler(continuation))
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { events.yield(.bytes(unwrapInboundIn(data))) }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .inputClosed? = event as? ChannelEvent { events.yield(.end) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { events.yield(.error(error)) }

  func channelInactive(context: ChannelHandlerContext) {
    events.yield(.closed)
    events.finish()
  }
}

/// A server whose connections a test plays itself, in the order in which they come.
final class TestServer: Sendable {
  let address: SocketAddress
  let connections: AsyncStream<TestSocket>
  private let channel: any Channel

  init(on group: any EventLoopGroup) async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: TestSocket.self)
    connections = stream
    channel = try await ServerBootstrap(group: group)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        let (events, handler) = EventHandler.make()
        return channel.pipeline.addHandler(handler).map {
          continuation.yield(TestSocket(channel, events))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    address = try #require(channel.localAddress)
  }

  func accept() async throws -> TestSocket {
    var iterator = connections.makeAsyncIterator()
    return try #require(await iterator.next())
  }

  func stop() async { try? await channel.close() }
}

/// Runs a test, and then what closes everything behind it, also if the test fails.
func run<Rig>(
  _ body: (Rig) async throws -> Void, on rig: Rig, finally close: () async throws -> Void
) async throws {
  let result: Result<Void, any Error>
  do {
    result = .success(try await body(rig))
  } catch {
    result = .failure(error)
  }
  try await close()
  try result.get()
}

/// A proxy before a server, with a clock that stands still unless a test lets it run.
struct ProxyRig {
  let group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
  let server: TestServer
  let proxy: FaultProxy
  let address: SocketAddress

  /// Runs a test with a proxy of those faults, and closes everything behind it. Without an end to its own the schedule
  /// is an hour long.
  static func with(
    _ faults: String, seed: UInt64 = 1, network: NetworkModel? = nil, bounds: FaultProxy.Bounds = .init(),
    begins: Bool = true, isLooped: Bool = false, isOpen: Bool = false,
    announcing announce: (@Sendable (SocketAddress) -> Void)? = nil,
    _ body: (ProxyRig) async throws -> Void
  ) async throws {
    let group = MultiThreadedEventLoopGroup.singleton
    let server = try await TestServer(on: group)
    let text = faults.hasPrefix("live/1") ? faults : "live/1 for=1h" + (faults.isEmpty ? "" : "; " + faults)
    let proxy = FaultProxy(
      group: group, listen: try SocketAddress(ipAddress: "127.0.0.1", port: 0), upstream: .address(server.address),
      schedule: try FaultSchedule(reading: text, onSockets: true), seed: seed, network: network, bounds: bounds,
      isLooped: isLooped, addable: isOpen ? Set(Fault.Kind.allCases) : [], isManual: true)
    let rig = ProxyRig(server: server, proxy: proxy, address: try await proxy.start(announcing: announce))
    if begins { try await proxy.begin() }
    try await proxy.advance(by: .zero)
    try await run(body, on: rig) {
      try await proxy.stop()
      await server.stop()
    }
  }

  /// How a connection ends that is refused, or reset at once, maybe before the client has it.
  func attempt() async throws -> TestSocket.Ending {
    do {
      return try await connect().ending
    } catch let error as IOError where error.errnoCode == ECONNRESET {
      return .reset
    } catch let error as IOError where error.errnoCode == ECONNREFUSED {
      return .refused
    }
  }

  func connect() async throws -> TestSocket { try await TestSocket.connect(to: address, on: group) }

  /// A client and the server's end of its connection.
  func pair() async throws -> (client: TestSocket, server: TestSocket) {
    let client = try await connect()
    return (client, try await server.accept())
  }

  /// A WebSocket whose handshake is done.
  func webSocket() async throws -> (client: TestSocket, server: TestSocket) {
    let (client, server) = try await pair()
    try await client.send(Self.request)
    _ = try await server.receive(Self.request.utf8.count)
    try await server.send(Self.answer)
    _ = try await client.receive(Self.answer.utf8.count)
    return (client, server)
  }

  static let request =
    "GET /live HTTP/1.1\r\nHost: example.org\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
  static let answer =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"

  static func frame(_ opcode: Opcode, _ text: String, masked: Bool = false) -> ByteBuffer {
    var bytes = ByteBuffer()
    // A key of zeros leaves the payload unchanged.
    FrameHeader(opcode, payloadLength: text.utf8.count, mask: masked ? MaskKey(0) : nil).write(into: &bytes)
    bytes.writeString(text)
    return bytes
  }

  /// Lets the clock run in small steps until something is done.
  func whileAdvancing<Value: Sendable>(
    by seconds: Double, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let isDone = Flag()
    let task = Task {
      defer { isDone.set() }
      return try await body()
    }
    while !isDone.isSet { try await advance(seconds) }
    return try await task.value
  }

  private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
  }

  func advance(_ seconds: Double) async throws { try await proxy.advance(by: Interval(seconds: seconds)) }

  /// How often the faults of the schedule took effect.
  var times: [UInt64] { get async throws { try await proxy.counts.map(\.times) } }

  /// Waits until a fault took effect so often: what a client sent is where the proxy wants it.
  func waitForEffects(_ count: UInt64, of index: Int = 0) async throws {
    while try await times[index] < count { await Task.yield() }
  }

  func waitForConnections(_ count: Int) async throws {
    while try await proxy.connections != count { await Task.yield() }
  }
}
