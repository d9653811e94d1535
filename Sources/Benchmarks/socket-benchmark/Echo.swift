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
    var results: [Comparison] = []
    show(Comparison.heading)
    for (messages, count) in options.loads {
      for (name, address, target) in [("echo on the event loop", ours, 1.5), ("echo in a task", theirs, nil)] {
        let mine = Side(load: try await EchoLoad(messages, to: address, on: load, upgrades: true), loop: load)
        let other = Side(load: try await EchoLoad(messages, to: plain, on: load, upgrades: false), loop: load)
        let result = try await compare(
          name, messages, count: count, rounds: options.rounds, target: target, ours: mine, yardstick: other)
        show(result.row)
        results.append(result)
        try await mine.load.close()
        try await other.load.close()
      }
    }
    tasks.cancel()
    await server.close()
    try await bare.close()
    try await group.shutdownGracefully()
    try write(results, to: options.output)
  }
}
