// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import LiveLab
internal import LiveSoak
internal import LiveSockets
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket

/// Our server's echo next to a server that returns every byte without parsing it.
struct Echo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures an echo of WebSocket messages next to a plain echo of the same bytes.",
    discussion: """
      Both answer the same load in turns, each on its own thread. The ratio is that of the processor's seconds of
      the server; the plain echo parses, unmasks and writes no frame.
      """)

  @OptionGroup var options: RoundOptions

  func run() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 3)
    let loops = Array(group.makeIterator())
    let (load, near, far) = (loops[0], loops[1], loops[2])
    let bare = try await BareEcho.listen(on: far)
    let library = try await LibraryEcho.listen(on: near)
    var configuration = WebSocketServerConfiguration()
    configuration.connection.compresses = false
    let server = try SocketServer(configuration, on: near) { _, _ in .accept(EchoOwner()) }
    let ours = try await server.listen()
    let (addresses, announce) = AsyncStream.makeStream(of: SocketAddress.self)
    let tasks = Task { [configuration] in
      try await WebSocketServer(configuration).run(listening: { announce.yield($0) }) { inbound, outbound, _ in
        for await message in inbound { try await outbound.write(message) }
      }
    }
    guard let theirs = await addresses.first(where: { _ in true }), let plain = bare.localAddress,
      let nio = library.localAddress
    else {
      throw BenchmarkError("a server listens nowhere")
    }
    try await options.compare(
      [
        ("echo on the event loop", ours, 3), ("echo by NIOWebSocket, a frame at a time", nio, nil),
        ("echo in a task", theirs, nil),
      ], upgrade: true, with: plain, on: load)
    tasks.cancel()
    await server.close()
    try await bare.close()
    try await library.close()
    try await group.shutdownGracefully()
  }
}

/// The fault proxy without a fault next to a minimal relay.
struct Relay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures the proxy without faults next to a plain relay.",
    discussion: """
      Both relay the same load to the same plain echo in turns. The ratio is that of the processor's seconds of the
      relay, which has its own thread.
      """)

  @OptionGroup var options: RoundOptions

  func run() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let loops = Array(group.makeIterator())
    // The echo runs on the load's thread, so that its time is not counted.
    let (load, relays) = (loops[0], loops[1])
    let echo = try await BareEcho.listen(on: load)
    guard let upstream = echo.localAddress else { throw BenchmarkError("the echo listens nowhere") }
    let proxy = FaultProxy(
      group: relays, listen: try SocketAddress(ipAddress: "127.0.0.1", port: 0), upstream: .address(upstream),
      schedule: FaultSchedule())
    let ours = try await proxy.start()
    let relay = try await PlainRelay.listen(on: relays, upstream: upstream)
    guard let plain = relay.localAddress else { throw BenchmarkError("the relay listens nowhere") }
    try await options.compare([("relay", ours, 1.3)], upgrade: false, with: plain, on: load)
    try await proxy.stop()
    try await relay.close()
    try await echo.close()
    try await group.shutdownGracefully()
  }
}

/// The amount of measurement.
struct RoundOptions: ParsableArguments {
  @Option(help: "How many rounds of each side, in turns.")
  var rounds = 7

  func validate() throws {
    guard rounds > 0 else { throw ValidationError("--rounds: found \(rounds), expected a number from 1.") }
  }

  private static let loads: [(bytes: Int, window: Int, connections: Int, count: Int)] = [
    (125, 1, 32, 2_000), (125, 32, 8, 40_000), (4_096, 8, 8, 10_000), (65_536, 2, 4, 1_500),
  ]

  /// Lets each side and a yardstick return every load in turns, and shows the ratios.
  func compare(
    _ sides: [(name: String, address: SocketAddress, target: Double?)], upgrade: Bool, with yardstick: SocketAddress,
    on loop: any EventLoop
  ) async throws {
    show(Comparison.heading)
    for (bytes, window, connections, count) in Self.loads {
      let messages = EchoMessages(bytes: bytes, window: window, connections: connections)
      for side in sides {
        let ours = Side(load: try await EchoLoad(messages, to: side.address, on: loop, upgrades: upgrade), loop: loop)
        let other = Side(load: try await EchoLoad(messages, to: yardstick, on: loop, upgrades: false), loop: loop)
        for side in [ours, other] {
          try await side.load.round(messagesOfEach: max(messages.window, min(count, 200)), comparing: true)
        }
        var costs: (ours: [Cost], yardstick: [Cost]) = ([], [])
        // The order changes from round to round.
        for number in 0..<rounds {
          if number.isMultiple(of: 2) { costs.ours.append(try await ours.round(messagesOfEach: count)) }
          costs.yardstick.append(try await other.round(messagesOfEach: count))
          if !number.isMultiple(of: 2) { costs.ours.append(try await ours.round(messagesOfEach: count)) }
        }
        let result = Comparison(
          name: side.name, load: messages.words, count: count * messages.connections, ours: costs.ours,
          yardstick: costs.yardstick, target: side.target)
        show(result.row)
        try await ours.load.close()
        try await other.load.close()
      }
    }
  }
}

/// Measures a side of an echo or a relay in rounds over persistent connections. The process's processor time without
/// that of the load's thread belongs to the measured side.
private struct Side {
  let load: EchoLoad
  let loop: any EventLoop

  func round(messagesOfEach count: Int) async throws -> Cost {
    let began = (wall: secondsOfWall(), process: secondsOfProcess(), load: try await loop.secondsOfThread())
    try await load.round(messagesOfEach: count)
    let (wall, process) = (secondsOfWall() - began.wall, secondsOfProcess() - began.process)
    return Cost(wall: wall, cpu: process - (try await loop.secondsOfThread() - began.load))
  }
}

/// An echo by the frames and the handshake of `NIOWebSocket`, without fragments, UTF-8 or control frames.
enum LibraryEcho {
  static func listen(on loop: any EventLoop) async throws -> any Channel {
    try await plainListener(on: loop)
      .childChannelInitializer { channel in
        let upgrader = NIOWebSocketServerUpgrader(
          maxFrameSize: 1 << 20,
          shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
          upgradePipelineHandler: { channel, _ in
            channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Handler()) }
          })
        return channel.pipeline.configureHTTPServerPipeline(
          withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let frame = unwrapInboundIn(data)
      guard frame.opcode == .text || frame.opcode == .binary else { return }
      let reply = WebSocketFrame(fin: frame.fin, opcode: frame.opcode, data: frame.unmaskedData)
      context.write(wrapOutboundOut(reply), promise: nil)
    }
    func channelReadComplete(context: ChannelHandlerContext) { context.flush() }
  }
}

/// A minimal server on swift-nio that returns every byte.
enum BareEcho {
  static func listen(on loop: any EventLoop) async throws -> any Channel {
    try await plainListener(on: loop)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Handler()) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.write(data, promise: nil) }
    func channelReadComplete(context: ChannelHandlerContext) { context.flush() }
  }
}

/// A minimal relay: it opens a connection to the upstream for each incoming one, passes bytes in both directions, and
/// reads from one side no more than the other accepts.
enum PlainRelay {
  static func listen(on loop: any EventLoop, upstream: SocketAddress) async throws -> any Channel {
    try await plainListener(on: loop)
      .childChannelOption(.autoRead, value: false)
      .childChannelInitializer { near in
        ClientBootstrap(group: near.eventLoop)
          .channelOption(.autoRead, value: false)
          .channelOption(.socketOption(.tcp_nodelay), value: 1)
          .connect(to: upstream)
          .flatMapThrowing { far in
            try near.pipeline.syncOperations.addHandler(Half(to: far))
            try far.pipeline.syncOperations.addHandler(Half(to: near))
            far.read()
          }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  private final class Half: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let other: any Channel

    init(to other: any Channel) { self.other = other }

    func channelActive(context: ChannelHandlerContext) { context.read() }
    func channelRead(context: ChannelHandlerContext, data: NIOAny) { other.write(unwrapInboundIn(data), promise: nil) }
    func channelReadComplete(context: ChannelHandlerContext) {
      other.flush()
      if other.isWritable { context.read() }
    }
    func channelWritabilityChanged(context: ChannelHandlerContext) {
      if context.channel.isWritable { other.read() }
    }
    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}

private func plainListener(on loop: any EventLoop) -> ServerBootstrap {
  ServerBootstrap(group: loop)
    .serverChannelOption(.backlog, value: 4_096)
    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
    .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
}
