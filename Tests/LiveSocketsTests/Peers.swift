// SPDX-License-Identifier: Apache-2.0
import Foundation
import LiveCore
import LiveSockets
import NIOCore
import NIOPosix
import Synchronization
import WebSocketProtocol

/// A server that sends every message back, by tasks, for as long as the body runs.
@discardableResult
func withEcho<Result: Sendable>(
  _ configuration: WebSocketServerConfiguration = WebSocketServerConfiguration(),
  _ body: @escaping @Sendable (_ url: String) async throws -> Result
) async throws -> Result {
  try await withServer(configuration) { inbound, outbound, _ in
    for await message in inbound { try await outbound.write(message) }
  } _: {
    try await body($0)
  }
}

/// A server with a handler for each connection, for as long as the body runs.
@discardableResult
func withServer<Result: Sendable>(
  _ configuration: WebSocketServerConfiguration = WebSocketServerConfiguration(),
  _ handler: @escaping @Sendable (WebSocketInbound, WebSocketOutbound, WebSocketContext) async throws -> Void,
  _ body: @escaping @Sendable (_ url: String) async throws -> Result
) async throws -> Result {
  let (addresses, listening) = AsyncStream.makeStream(of: SocketAddress.self)
  return try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      defer { listening.finish() }
      try await WebSocketServer(configuration).run(listening: { listening.yield($0) }, handler: handler)
    }
    for await address in addresses {
      let result = try await body(url(address, isSecure: configuration.certificate != nil))
      group.cancelAll()
      return result
    }
    try await group.waitForAll()
    throw CancellationError()
  }
}

func url(_ address: SocketAddress, isSecure: Bool = false) -> String {
  "\(isSecure ? "wss" : "ws")://\(address.ipAddress ?? ""):\(address.port ?? 0)/"
}

/// The path of a file of the fixtures.
func fixture(_ name: String) -> String {
  Bundle.module.bundleURL.appending(path: "Fixtures/\(name)").path
}

/// A TCP server that answers whatever arrives first by some bytes, and then does nothing more.
final class RawServer: Sendable {
  let url: String
  private let channel: any Channel

  /// `keepsSilent`: whether the connection stays open behind the answer.
  init(answering answer: String, keepsSilent: Bool = true) async throws {
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Answer(answer, keepsSilent: keepsSilent))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    url = "ws://127.0.0.1:\(channel.localAddress?.port ?? 0)/"
  }

  func close() async throws { try await channel.close() }

  private final class Answer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let answer: String
    private let keepsSilent: Bool
    private var hasAnswered = false

    init(_ answer: String, keepsSilent: Bool) { (self.answer, self.keepsSilent) = (answer, keepsSilent) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard !hasAnswered else { return }
      hasAnswered = true
      if !answer.isEmpty { context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil) }
      if !keepsSilent { context.close(promise: nil) }
    }
  }
}

/// An opening request as bytes.
let handshake = Array(
  """
  GET / HTTP/1.1\r
  Host: 127.0.0.1\r
  Upgrade: websocket\r
  Connection: Upgrade\r
  Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
  Sec-WebSocket-Version: 13\r
  \r

  """.utf8)

/// Sends bytes over TCP and returns all that comes back up to the end of the stream, without ending its own before.
func reply(to bytes: [UInt8], from url: String) async throws -> [UInt8] {
  let address = try WebSocketAddress(parsing: url)
  let all = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: [UInt8].self)
  let channel = try await ClientBootstrap(group: all.futureResult.eventLoop)
    .channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Collector(all)) }
    }
    .connect(host: address.host, port: Int(address.port)).get()
  // A peer that has hung up already takes nothing; then the end of the stream is there all the same.
  channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
  return try await all.futureResult.get()
}

private final class Collector: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private var bytes: [UInt8] = []
  private let all: EventLoopPromise<[UInt8]>

  init(_ all: EventLoopPromise<[UInt8]>) { self.all = all }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { bytes += unwrapInboundIn(data).readableBytesView }
  func channelInactive(context: ChannelHandlerContext) { all.succeed(bytes) }
}

/// The loops of the tests.
var loops: any EventLoopGroup { MultiThreadedEventLoopGroup.singleton }

/// An address that nobody listens on: of this machine, and used by no other test.
let deadAddress = "127.77.0.1:4242"

/// Collects what is reported, in order, for a waiting task.
struct Reports<Element: Sendable>: Sendable {
  private let stream: AsyncStream<Element>
  private let continuation: AsyncStream<Element>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func add(_ element: Element) { continuation.yield(element) }

  /// The next that fits; nil where none comes any more.
  func first(where fits: (Element) -> Bool = { _ in true }) async -> Element? {
    for await element in stream where fits(element) { return element }
    return nil
  }
}
