// SPDX-License-Identifier: GPL-3.0-or-later
internal import NIOCore
internal import NIOPosix
internal import WebSocketProtocol

/// The messages of one load, as sent and as returned.
struct EchoMessages {
  let words: String
  /// The number of messages in flight on each connection.
  let window: Int
  let connections: Int
  /// A window of masked frames.
  let requests: ByteBuffer
  let requestBytes: Int

  init(bytes: Int, window: Int, connections: Int) {
    let payload = ByteBuffer(bytes: (0..<bytes).map { UInt8(truncatingIfNeeded: 97 + $0 % 26) })
    var writer = MessageWriter(role: .client)
    var frames = ByteBuffer()
    for _ in 0..<window { writer.write(.binary(payload), into: &frames) }
    (self.window, self.connections) = (window, connections)
    (requests, requestBytes) = (frames, frames.readableBytes / window)
    let size = bytes < 1_024 ? "\(bytes) B" : "\(bytes / 1_024) KiB"
    words = "\(size), \(window) under way on each of \(connections)"
    self.payload = payload
  }

  private let payload: ByteBuffer

  /// The reply of a WebSocket server.
  var reply: ByteBuffer {
    var writer = MessageWriter(role: .server)
    var frame = ByteBuffer()
    writer.write(.binary(payload), into: &frame)
    return frame
  }
}

/// Connections to one server that send a window of messages, and another message for each that returns. They count
/// bytes without parsing, so that their cost is the same for both servers.
final class EchoLoad: Sendable {
  private let clients: NIOLoopBound<[EchoClient]>
  private let loop: any EventLoop

  /// Connects. With `upgrades`, every connection performs the opening handshake, and replies are expected as server
  /// frames; without, as the bytes that were sent.
  init(_ messages: EchoMessages, to address: SocketAddress, on loop: any EventLoop, upgrades: Bool) async throws {
    self.loop = loop
    clients = try await loop.submit {
      NIOLoopBound(
        (0..<messages.connections).map { _ in EchoClient(messages, upgrades: upgrades, on: loop) }, eventLoop: loop)
    }.get()
    let clients = clients
    for number in 0..<messages.connections {
      _ = try await ClientBootstrap(group: loop)
        .channelOption(.socketOption(.tcp_nodelay), value: 1)
        .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 64 << 10))
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(clients.value[number])
          }
        }
        .connect(to: address).get()
    }
    try await everyClient { $0.opened }
  }

  /// Sends a number of messages over each connection, and waits until all of them have returned. Comparing the bytes of
  /// the replies takes time.
  func round(messagesOfEach count: Int, comparing: Bool = false) async throws {
    try await everyClient { $0.begin(count, comparing: comparing) }
  }

  func close() async throws { try await everyClient { $0.close() } }

  private func everyClient(_ action: @escaping @Sendable (EchoClient) -> EventLoopFuture<Void>) async throws {
    try await loop.flatSubmit { [clients, loop] in
      EventLoopFuture.andAllSucceed(clients.value.map(action), on: loop)
    }.get()
  }
}

private final class EchoClient: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let messages: EchoMessages
  /// The bytes expected repeatedly: one message of a server, or the bytes that were sent.
  private let expected: ByteBuffer
  private let replyBytes: Int
  private let upgrades: Bool
  private let loop: any EventLoop
  private let isOpen: EventLoopPromise<Void>
  private var isDone: EventLoopPromise<Void>?
  private var context: ChannelHandlerContext?
  private var head = ByteBuffer()
  private var isUpgraded = false
  private var isComparing = false
  private var (unsent, unanswered) = (0, 0)
  /// The number of bytes of an incomplete reply, and the position in `expected`.
  private var (partial, index) = (0, 0)
  private var failure: BenchmarkError?
  private var isClosing = false

  init(_ messages: EchoMessages, upgrades: Bool, on loop: any EventLoop) {
    (self.messages, self.upgrades, self.loop) = (messages, upgrades, loop)
    expected = upgrades ? messages.reply : messages.requests
    replyBytes = upgrades ? messages.reply.readableBytes : messages.requestBytes
    isOpen = loop.makePromise()
  }

  var opened: EventLoopFuture<Void> { isOpen.futureResult }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func channelActive(context: ChannelHandlerContext) {
    guard upgrades else {
      isUpgraded = true
      return isOpen.succeed()
    }
    let request = """
      GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
      Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
      """
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
  }

  func begin(_ count: Int, comparing: Bool) -> EventLoopFuture<Void> {
    let promise = loop.makePromise(of: Void.self)
    (isDone, isComparing) = (promise, comparing)
    (unsent, unanswered, index) = (count, count, 0)
    if let context, failure == nil {
      send(messages.window, context)
    } else {
      promise.fail(failure ?? BenchmarkError("it was never connected"))
    }
    return promise.futureResult
  }

  func close() -> EventLoopFuture<Void> {
    isClosing = true
    return context?.close() ?? loop.makeSucceededVoidFuture()
  }

  private func send(_ wanted: Int, _ context: ChannelHandlerContext) {
    let count = min(wanted, unsent)
    guard count > 0, let frames = messages.requests.getSlice(at: 0, length: count * messages.requestBytes) else {
      return
    }
    unsent -= count
    context.writeAndFlush(wrapOutboundOut(frames), promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    guard isUpgraded else { return readHead(&bytes, context) }
    if isComparing, !isAsExpected(bytes) { return fail("a reply differs from what was sent", context) }
    partial += bytes.readableBytes
    let replies = partial / replyBytes
    partial -= replies * replyBytes
    unanswered -= replies
    guard unanswered >= 0 else { return fail("more came back than was sent", context) }
    if unanswered == 0 {
      isDone?.succeed()
      isDone = nil
    } else {
      send(replies, context)
    }
  }

  private func isAsExpected(_ bytes: ByteBuffer) -> Bool {
    // The frames of a window have different masks, so the bytes can only be compared with one frame in flight.
    guard upgrades || messages.window == 1 else { return true }
    for byte in bytes.readableBytesView {
      guard expected.getInteger(at: expected.readerIndex + index, as: UInt8.self) == byte else { return false }
      index = index + 1 == replyBytes ? 0 : index + 1
    }
    return true
  }

  private func readHead(_ bytes: inout ByteBuffer, _ context: ChannelHandlerContext) {
    head.writeBuffer(&bytes)
    let text = String(buffer: head)
    guard text.hasSuffix("\r\n\r\n") else { return }
    guard text.hasPrefix("HTTP/1.1 101 ") else { return fail("the handshake was answered by: \(text)", context) }
    isUpgraded = true
    isOpen.succeed()
  }

  func channelInactive(context: ChannelHandlerContext) { if !isClosing { fail("a connection was closed", context) } }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { fail("\(error)", context) }

  private func fail(_ problem: String, _ context: ChannelHandlerContext) {
    let failure = BenchmarkError(problem)
    self.failure = failure
    isOpen.fail(failure)
    isDone?.fail(failure)
    isDone = nil
    context.close(promise: nil)
  }
}
