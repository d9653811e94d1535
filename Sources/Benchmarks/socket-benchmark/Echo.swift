// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import LiveSockets
internal import NIOCore
internal import NIOPosix

/// Our server's echo next to a server that sends back every byte without reading it.
struct Echo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures an echo of WebSocket messages next to a plain echo of the same bytes.",
    discussion: """
      Both answer the same load in turns, each on a thread of its own. The ratio is that of the processor's seconds of
      the server; the plain echo parses, unmasks and writes no frame.
      """)

  @OptionGroup var options: RoundOptions

  func run() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 3)
    let loops = Array(group.makeIterator())
    let (load, near, far) = (loops[0], loops[1], loops[2])
    let bare = try await BareEcho.listen(on: far)
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
    guard let theirs = await addresses.first(where: { _ in true }), let plain = bare.localAddress else {
      throw BenchmarkError("a server listens nowhere")
    }
    try await options.compare(
      [("echo on the event loop", ours, 1.5), ("echo in a task", theirs, nil)], upgrade: true, with: plain, on: load)
    tasks.cancel()
    await server.close()
    try await bare.close()
    try await group.shutdownGracefully()
  }
}
