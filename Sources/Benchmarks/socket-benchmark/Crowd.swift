// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import LiveCore
internal import LiveLab
internal import LiveSoak
internal import LiveSockets
internal import NIOCore
internal import NIOPosix
internal import Synchronization
internal import WebSocketProtocol

/// Thousands of sessions, with both ends in one process.
struct Sessions: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Holds thousands of sessions, clients and server in one process, and measures their use of resources.",
    discussion: "Every client pings each second. All have to stay connected, and every ping has to be answered.")

  func run() async throws {
    let (sessions, seconds) = (4_000, 10)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    let server = try SocketServer(WebSocketServerConfiguration(), on: group) { _, _ in .accept(EchoOwner()) }
    let port = try await server.listen().port ?? 0
    var settings = ConnectionSettings()
    settings.heartbeat.interval = .seconds(1)
    settings.resumesStream = false
    let before = try Holdings.now()
    let began = secondsOfWall()
    let crowd = try await Crowd(
      sessions, to: try WebSocketAddress(parsing: "ws://127.0.0.1:\(port)/"), settings: settings,
      goal: .connected(sessions), on: group)
    let tally = crowd.tally
    try await tally.reached.futureResult.get()
    let connected = secondsOfWall() - began
    let processor = secondsOfProcess()
    try await Task.sleep(for: .seconds(seconds))
    let share = (secondsOfProcess() - processor) / Double(seconds)
    let held = try Holdings.now()
    let attempts = tally.attempts.load(ordering: .relaxed)
    guard attempts == sessions, tally.connected.load(ordering: .relaxed) == sessions else {
      throw BenchmarkError("\(attempts - sessions) of \(sessions) sessions broke")
    }
    try await crowd.stop()
    await server.close()
    let (pings, pongs) = (tally.pings.load(ordering: .relaxed), tally.pongs.load(ordering: .relaxed))
    let after = try Holdings.now()
    // The pings of the last moment may still be in flight.
    guard pings > 0, pings - pongs <= sessions else { throw BenchmarkError("\(pings) pings, and \(pongs) pongs") }
    try await group.shutdownGracefully()
    show(
      "| sessions | connected in | KiB each, both ends | of one processor | pings | pongs "
        + "| descriptors before / held / after |"
    )
    show("|---|---|---|---|---|---|---|")
    let kibibytesEach = (held.residentMebibytes - before.residentMebibytes) * 1_024 / Double(sessions)
    let descriptors = [before, held, after].map { String($0.descriptors) }.joined(separator: " / ")
    show(
      "| \(sessions) | \(two(connected)) s | \(two(kibibytesEach)) | \(two(share * 100))% | \(pings)"
        + " | \(pongs) | \(descriptors) |")
  }
}

/// Clients that are disconnected repeatedly and reconnect each time.
struct Reconnects: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures reconnections per second, without a proxy and through one that cuts every connection.",
    discussion: """
      Clients, server and proxy share two threads. Descriptors and resident memory are compared after a first round of
      each kind, when all buffers have been made, and at the end.
      """)

  @OptionGroup var options: RoundOptions

  /// The number of connections that a round opens, and the number of concurrent clients.
  private static let (connections, clients) = (10_000, 200)

  /// The settings of clients that wait at most a millisecond and never give up.
  private static var settings: ConnectionSettings {
    var settings = ConnectionSettings()
    settings.backoff.base = .milliseconds(1)
    settings.backoff.cap = .milliseconds(1)
    settings.backoff.floor = .zero
    settings.backoff.maximumAttempts = nil
    // The time to stay away from a server that sends garbage.
    settings.closeRules.later = .zero
    settings.closeRules.laterSpread = .zero
    settings.heartbeat.interval = nil
    settings.resumesStream = false
    return settings
  }

  /// The faults that cut the connections, each when it opens; `nil` for the server itself, without a proxy.
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
        group: group, listen: try SocketAddress(ipAddress: "127.0.0.1", port: 0), upstream: .address(address),
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
      // The clients' last attempts may not have reached the proxy's fault.
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

/// Closes each connection immediately.
private final class Farewell: WebSocketOwner {
  func opened(_ socket: WebSocketHandler) { socket.close(CloseCode(1001)) }
}

/// Sends a message on each connection immediately.
private final class Greeter: WebSocketOwner {
  private static let greeting = ByteBuffer(repeating: UInt8(ascii: "a"), count: 100)

  func opened(_ socket: WebSocketHandler) {
    socket.send(.text(Self.greeting))
    socket.send(.text(Self.greeting))
  }
}

/// Many clients, distributed over the loops of a group.
struct Crowd {
  let tally: Tally
  private let drivers: [NIOLoopBound<[SocketDriver]>]

  /// The condition of `Tally.reached`: a number of attempts, or a number of concurrently connected clients.
  enum Goal { case attempts(Int), connected(Int) }

  /// Starts the clients.
  init(
    _ count: Int, to address: WebSocketAddress, settings: ConnectionSettings, goal: Goal,
    on group: MultiThreadedEventLoopGroup
  ) async throws {
    let loops = Array(group.makeIterator())
    let tally = Tally(count, goal, on: loops[0])
    var configuration = WebSocketConfiguration()
    configuration.compresses = false
    var drivers: [NIOLoopBound<[SocketDriver]>] = []
    for (number, loop) in loops.enumerated() {
      let share = (count + number) / loops.count
      drivers.append(
        try await loop.submit { [configuration] in
          let observer = Observer(tally)
          let made = (0..<share).map { _ in
            SocketDriver(
              on: loop, address: address, settings: settings, configuration: configuration, observer: observer)
          }
          for driver in made { driver.start() }
          return NIOLoopBound(made, eventLoop: loop)
        }.get())
    }
    (self.tally, self.drivers) = (tally, drivers)
  }

  /// Stops all clients, and waits until their last sockets are closed.
  func stop() async throws {
    for some in drivers { some.eventLoop.execute { for driver in some.value { driver.shutDown() } } }
    try await tally.finished.futureResult.get()
  }

  /// The counts of the clients on all loops.
  final class Tally: Sendable {
    let attempts = Atomic(0)
    let connected = Atomic(0)
    let pings = Atomic(0)
    let pongs = Atomic(0)
    let reached: EventLoopPromise<Void>
    fileprivate let present: Atomic<Int>
    fileprivate let finished: EventLoopPromise<Void>
    fileprivate let goal: Goal

    fileprivate init(_ count: Int, _ goal: Goal, on loop: any EventLoop) {
      self.goal = goal
      present = Atomic(count)
      (reached, finished) = (loop.makePromise(), loop.makePromise())
    }
  }

  private final class Observer: SocketDriverObserver {
    private let tally: Tally

    init(_ tally: Tally) { self.tally = tally }

    func willHandle(_ event: LiveEvent, at moment: Instant) {
      switch event {
      case .opened:
        let connected = tally.connected.add(1, ordering: .relaxed).newValue
        if case .connected(connected) = tally.goal { tally.reached.succeed() }
      case .closed: tally.connected.subtract(1, ordering: .relaxed)
      case .received(_, .pong): tally.pongs.add(1, ordering: .relaxed)
      default: break
      }
    }

    func didPerform(_ effect: LiveEffect, at moment: Instant) {
      switch effect {
      case .open:
        let attempts = tally.attempts.add(1, ordering: .relaxed).newValue
        if case .attempts(attempts) = tally.goal { tally.reached.succeed() }
      case .sendPing: tally.pings.add(1, ordering: .relaxed)
      default: break
      }
    }

    func finished(_ driver: SocketDriver) {
      if tally.present.subtract(1, ordering: .relaxed).newValue == 0 { tally.finished.succeed() }
    }
  }
}
