// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import LiveCore
internal import LiveLab
internal import LiveSockets
internal import LiveSoak
internal import NIOCore
internal import NIOPosix
internal import WebSocketProtocol

/// Clients that are cut off again and again, and come back each time.
struct Reconnects: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures reconnections per second, without a proxy and through one that cuts every connection.",
    discussion: """
      Clients, server and proxy share two threads. Descriptors and resident memory are compared after a first round of
      each kind, when all buffers have been made, and at the end.
      """)

  @OptionGroup var options: RoundOptions

  /// How many connections a round opens, and how many clients there are at a time.
  private static let (connections, clients) = (10_000, 200)

  /// Clients that wait for a moment at the most, and never give up.
  private static var settings: ConnectionSettings {
    var settings = ConnectionSettings()
    settings.backoff.base = .milliseconds(1)
    settings.backoff.cap = .milliseconds(1)
    settings.backoff.floor = .zero
    settings.backoff.maximumAttempts = 1_000_000
    // How long a server that sends garbage is left alone.
    settings.closeRules.later = .zero
    settings.closeRules.laterSpread = .zero
    settings.heartbeat.interval = nil
    settings.resumesStream = false
    return settings
  }

  /// The faults that cut the connections, each as soon as it is open; nil for the server itself, with no proxy between.
  private static let faults: [(name: String, fault: String?, target: Double)] = [
    ("connect, upgrade, close", nil, 7_000),
    ("closed behind the 101", "accept-then-close code=1001", 3_000),
    ("cut after 200 bytes", "limit-data bytes=200", 3_000),
    ("reset when busy", "busy-cut messages=1 within=1s", 3_000),
    ("garbage behind the 101", "early-garbage", 3_000),
    ("a wrong key", "wrong-accept-key", 3_000),
  ]

  private struct Result {
    let name: String
    let costs: [Cost]
    let target: Double
    let before: Holdings
    let after: Holdings

    var row: String {
      let rates = costs.map { Double(Reconnects.connections) / $0.wall }.sorted()
      let spread =
        "\(rate(1, in: 1 / median(rates))) (\(rate(1, in: 1 / rates[0])) to \(rate(1, in: 1 / rates[rates.count - 1])))"
      let perCPU = rate(Reconnects.connections, in: median(costs.map(\.cpu)))
      let memory = "\(two(before.residentMebibytes)) / \(two(after.residentMebibytes))"
      let limit = "at least \(rate(1, in: 1 / target))"
      return "| \(name) | \(spread) | \(perCPU) | \(before.descriptors) / \(after.descriptors) | \(memory) | \(limit) |"
    }
  }

  func run() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    show(
      "| every connection | a second (spread) | a CPU second | descriptors before / after | MiB before / after "
        + "| target |"
    )
    show("|---|---|---|---|---|---|")
    for (name, fault, target) in Self.faults {
      _ = try await round(fault, on: group)
      let before = try Holdings.now()
      var costs: [Cost] = []
      for _ in 0..<options.rounds { costs.append(try await round(fault, on: group)) }
      show(Result(name: name, costs: costs, target: target, before: before, after: try Holdings.now()).row)
    }
    try await group.shutdownGracefully()
  }

  private func round(_ fault: String?, on group: MultiThreadedEventLoopGroup) async throws -> Cost {
    let server = try SocketServer(WebSocketServerConfiguration(), on: group) { _, _ in
      .accept(fault == nil ? Farewell() : Greeter())
    }
    let address = try await server.listen()
    var (proxy, entry) = (nil as FaultProxy?, address)
    if let fault {
      let made = FaultProxy(
        group: group, listen: try SocketAddress(ipAddress: "127.0.0.1", port: 0), upstream: address,
        schedule: try FaultSchedule(reading: "live/1 for=1h; 0s \(fault) for=1h", onSockets: true))
      entry = try await made.start()
      try await made.begin()
      proxy = made
    }
    let target = try WebSocketAddress(parsing: "ws://127.0.0.1:\(entry.port ?? 0)/")
    let began = (wall: secondsOfWall(), cpu: secondsOfProcess())
    let crowd = try await Crowd(
      Self.clients, to: target, settings: Self.settings, goal: .attempts(Self.connections), on: group)
    try await crowd.tally.reached.futureResult.get()
    let cost = Cost(wall: secondsOfWall() - began.wall, cpu: secondsOfProcess() - began.cpu)
    try await crowd.stop()
    if let proxy {
      // The clients' last attempts may not have got so far.
      let took = try await proxy.counts.reduce(0) { $0 + $1.times }
      guard took + UInt64(Self.clients) >= UInt64(Self.connections) else {
        throw BenchmarkError("\(fault ?? ""): took effect \(took) times in \(Self.connections) attempts")
      }
      try await proxy.stop()
    }
    await server.drop()
    return cost
  }
}

/// Closes each connection at once.
private final class Farewell: WebSocketOwner {
  func opened(_ socket: WebSocketHandler) { socket.close(CloseCode(1001)) }
}

/// Sends a message on each connection at once.
private final class Greeter: WebSocketOwner {
  private static let greeting = ByteBuffer(repeating: UInt8(ascii: "a"), count: 100)

  func opened(_ socket: WebSocketHandler) {
    socket.send(.text(Self.greeting))
    socket.send(.text(Self.greeting))
  }
}
