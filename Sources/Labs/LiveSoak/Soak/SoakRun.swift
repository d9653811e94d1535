// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import LiveLab
internal import LiveSockets
internal import MonteCarlo
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix
internal import WebSocketProtocol

/// Runs real clients through the proxy to the real server, for the length of a schedule by the clients' clock.
///
/// There are three event loops: of the clients, of the proxy and of the server. Everything about a client happens on
/// the first, so that there are no locks and no tasks per client.
struct SoakRun: Sendable {
  let clients: Int
  let schedule: FaultSchedule
  let settings: ConnectionSettings
  let world: SessionWorld
  let pace: TimeScale
  /// The seed of each client's session.
  let seeds: [UInt32]
  let proxySeed: UInt64
  /// How late a timer may fire by the machine's clock before an invariant counts as broken.
  let tolerance: Interval
}

/// The results of real clients, in their own time.
struct SoakOutcome: Sendable {
  struct Client: Sendable {
    let result: SessionResult
    let breach: Breach?
    let breached: InvariantSet
  }

  let clients: [Client]
  /// The number of times that each fault of the schedule took effect, by index.
  let effects: [UInt64]
  /// The lateness of the machine by its own clock, in slots of `LatenessProbe.slot`.
  let lateness: [Interval]
  let isComplete: Bool
  /// Clients whose last socket was not closed in time.
  let unfinished: Int
  /// Connections still at the proxy after every client was finished and the server was gone.
  let relaysLeft: Int
  /// Descriptors open afterwards that were not open before.
  var descriptorsLeft: [String] = []

  var duration: Interval { clients.first?.result.duration ?? .zero }
  var openings: UInt64 { clients.reduce(0) { $0 + $1.result.opened } }
}

extension SoakRun {
  /// Throws the error of binding a port.
  func play(interrupt: Interrupt, progress: @escaping @Sendable (Int) -> Void) throws -> SoakOutcome {
    // The runtime opens its own descriptors when it first waits.
    let ready = MultiThreadedEventLoopGroup.singleton.any().makeFutureWithTask {
      try await Task.sleep(for: .milliseconds(1))
    }
    try ready.wait()
    let before = Descriptors.open
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 3)
    let outcome = Result {
      try group.any().makeFutureWithTask { try await play(on: group, interrupt, progress) }.wait()
    }
    try group.syncShutdownGracefully()
    var played = try outcome.get()
    played.descriptorsLeft = Descriptors.left(since: before)
    return played
  }

  private func play(
    on group: MultiThreadedEventLoopGroup, _ interrupt: Interrupt, _ progress: @escaping @Sendable (Int) -> Void
  ) async throws -> SoakOutcome {
    let (clientsLoop, proxyLoop, serverLoop) = (group.next(), group.next(), group.next())
    let crowd = NIOLockedValueBox<NIOLoopBound<SoakCrowd>?>(nil)
    let server = SoakServer(self, on: serverLoop) { client, generation, isAtServer in
      let bound = crowd.withLockedValue { $0 }
      clientsLoop.execute { bound?.value.link(of: client, generation, isAtServer: isAtServer) }
    }
    let upstream = try await server.start()
    let (faults, indices) = faultsOfProxy
    let proxy = FaultProxy(
      group: proxyLoop, listen: try SocketAddress(ipAddress: "127.0.0.1", port: 0), upstream: .address(upstream),
      schedule: faults, seed: proxySeed, network: world.network, bounds: bounds, pace: pace.factor)
    let address: SocketAddress
    do {
      address = try await proxy.start()
    } catch {
      _ = await server.close()
      throw error
    }
    let port = address.port ?? 0
    let epoch = NIODeadline.now() + .milliseconds(50)
    let bound = try await clientsLoop.submit {
      let bound = NIOLoopBound(
        try SoakCrowd(self, server, port: port, epoch: epoch, on: clientsLoop), eventLoop: clientsLoop)
      crowd.withLockedValue { $0 = bound }
      return bound
    }.get()
    try await proxy.begin(at: epoch)
    let probe = LatenessProbe(
      loops: [clientsLoop, proxyLoop, serverLoop], epoch: epoch, duration: pace.real(schedule.duration))
    try await clientsLoop.submit { bound.value.begin() }.get()

    let duration = pace.real(schedule.duration)
    var (passed, reported) = (Interval.zero, 0)
    while passed < duration, !interrupt.isRaised {
      try await Task.sleep(for: .milliseconds(20))
      passed = Interval(nanoseconds: (NIODeadline.now() - epoch).nanoseconds)
      let milliseconds = Int(min(passed, duration).nanoseconds / 1_000_000)
      if milliseconds > reported {
        progress(milliseconds - reported)
        reported = milliseconds
      }
    }
    try await clientsLoop.submit { bound.value.stop() }.get()
    let limit = NIODeadline.now() + .nanoseconds(pace.real(settings.closeTimeout).nanoseconds) + .seconds(5)
    while try await clientsLoop.submit({ bound.value.unfinished }).get() > 0, NIODeadline.now() < limit {
      try await Task.sleep(for: .milliseconds(10))
    }
    let unfinished = try await clientsLoop.submit { bound.value.unfinished }.get()
    let counts = try await proxy.counts
    let closed = await server.close()
    let delivered = try await clientsLoop.submit { bound.value.delivered }.get()
    try await proxy.stop()
    let relaysLeft = try await proxy.connections
    let outcomes = try await clientsLoop.submit { bound.value.outcomes() }.get()
    crowd.withLockedValue { $0 = nil }
    let effects = schedule.faults.indices.map { index -> UInt64 in
      let atProxy = zip(counts, indices).reduce(UInt64(0)) { $0 + ($1.1 == index ? $1.0.times : 0) }
      return atProxy + (closed[index] ?? 0) + (delivered[index] ?? 0)
    }
    return SoakOutcome(
      clients: outcomes, effects: effects, lateness: probe.all, isComplete: passed >= duration,
      unfinished: unfinished, relaysLeft: relaysLeft)
  }

  private var bounds: FaultProxy.Bounds {
    var bounds = FaultProxy.Bounds()
    bounds.connections = clients * 4 + 100
    bounds.keepsDead = world.server.keepsDead
    // The machine does not run faster.
    bounds.timeToRequest = pace.own(bounds.timeToRequest)
    bounds.timeToClose = pace.own(bounds.timeToClose)
    return bounds
  }

  /// The faults that the proxy plays, with the index of each in the whole schedule. The server plays restarts itself,
  /// except those of a machine that vanishes.
  private var faultsOfProxy: (FaultSchedule, [Int?]) {
    var (faults, indices) = ([TimedFault](), [Int?]())
    for (index, timed) in schedule.faults.enumerated() {
      if timed.fault.kind == .restart, timed.fault.departure != .vanished { continue }
      let played = timed.onTheWay
      if played.fault.kind.declaration.isOfPhone { continue }
      faults.append(played)
      indices.append(timed.fault.kind == played.fault.kind ? index : nil)
    }
    return (FaultSchedule(unchecked: faults, duration: schedule.duration, limit: nil), indices)
  }
}

/// All clients of a soak, their clock, and the faults that the proxy does not play. Confined to one loop.
final class SoakCrowd {
  let run: SoakRun
  let server: SoakServer
  let loop: any EventLoop
  let clock: DriverClock
  /// The faults that hold, as the clients meet them.
  private(set) var conditions = Conditions()
  private var cursor = FaultCursor()
  private let epoch: NIODeadline
  private var clients: [SoakClient] = []
  var unfinished: Int
  /// The number of clients that each fault was delivered to, by index.
  private(set) var delivered: [Int: UInt64] = [:]
  private var isStopped = false
  private let payload: ByteBuffer

  init(_ run: SoakRun, _ server: SoakServer, port: Int, epoch: NIODeadline, on loop: any EventLoop) throws {
    (self.run, self.server, self.epoch, self.loop) = (run, server, epoch, loop)
    unfinished = run.clients
    payload = ByteBuffer(repeating: UInt8(ascii: "x"), count: run.world.phone.messageBytes)
    let pace = run.pace
    clock = DriverClock(pace: pace.factor) {
      let now = Instant.zero + pace.own(Interval(nanoseconds: (NIODeadline.now() - epoch).nanoseconds))
      return (now, now)
    }
    for number in 0..<run.clients { clients.append(try SoakClient(number, in: self, port: port)) }
  }

  private var now: Instant { max(.zero, clock.now().total) }

  var isPossible: Bool { conditions.letAttemptsSucceed(under: run.settings) }

  func cause(at now: Instant) -> Int? { cursor.cause(in: run.schedule, at: now.nanoseconds) }

  private func at(_ moment: Instant, _ work: @escaping (SoakCrowd) -> Void) {
    guard moment.nanoseconds < Int64.max / 4 else { return }
    let deadline = epoch + .nanoseconds(run.pace.real(moment - .zero).nanoseconds)
    loop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
      if let self, !self.isStopped { work(self) }
    }
  }

  /// Starts the run. The clients connect within a second, before the first fault, so that the start does not overload
  /// the machine.
  func begin() {
    let first = run.schedule.faults.first { $0.at > .zero }?.at ?? .zero + run.schedule.duration
    let spread = min(run.pace.own(.seconds(1)), Interval(nanoseconds: first.nanoseconds / 2))
    for client in clients {
      at(.zero + Interval(nanoseconds: spread.nanoseconds / Int64(run.clients) * Int64(client.number))) { crowd in
        client.start()
        crowd.sendNext(client)
        crowd.publishNext(client)
      }
    }
    passBoundaries()
  }

  private func sendNext(_ client: SoakClient) {
    guard let mean = run.world.phone.sends else { return }
    at(now + client.random.random.waiting(mean)) { crowd in
      client.send(crowd.payload)
      crowd.sendNext(client)
    }
  }

  private func publishNext(_ client: SoakClient) {
    guard let mean = run.world.server.publishes else { return }
    at(now + client.random.random.waiting(mean)) { crowd in
      crowd.server.publish(to: client.number)
      client.noteServerSent()
      crowd.publishNext(client)
    }
  }

  func link(of client: Int, _ generation: UInt32, isAtServer: Bool) {
    clients[client].link(generation, isAtServer: isAtServer, at: now)
  }

  // MARK: The schedule

  private var nextBoundary: Instant { Instant(nanoseconds: cursor.nextBoundary(of: run.schedule)) }

  private func passBoundaries() {
    passDueBoundaries()
    at(nextBoundary) { $0.passBoundaries() }
  }

  func passDueBoundaries() {
    while !isStopped, nextBoundary <= now { passBoundary(at: now) }
  }

  private func passBoundary(at now: Instant) {
    switch cursor.passBoundary(of: run.schedule, at: now.nanoseconds) {
    case .began(let index): process(index, begins: true, at: now)
    case .ended(let index): process(index, begins: false, at: now)
    }
    for client in clients { client.update(at: now) }
    cursor.leaveBoundary()
  }

  private func process(_ index: Int, begins: Bool, at now: Instant) {
    let fault = run.schedule.faults[index].fault
    if !fault.kind.isMoment { conditions.set(fault, begins, at: now.nanoseconds) }
    let server = server
    switch fault.kind {
    case .halfOpen: for client in clients { client.cut(at: now) }
    case .networkChange:
      for client in clients { client.cut(at: now) }
      deliver(.networkChanged, index)
    case .offline: deliver(.network(isReachable: !begins), begins ? index : nil)
    case .background: deliver(.app(isInFront: !begins), begins ? index : nil)
    case .restart where fault.departure != .vanished:
      if begins {
        server.enqueue { await server.stop(fault.departure, index: index) }
      } else {
        if !fault.isSet(1) { server.forget() }
        server.enqueue { _ = try? await server.start() }
      }
    default: break
    }
  }

  private func deliver(_ event: LiveEvent, _ index: Int?) {
    for client in clients { client.driver?.deliver(event) }
    if let index { delivered[index, default: 0] += UInt64(clients.count) }
  }

  // MARK: The end

  func stop() {
    isStopped = true
    let now = now
    for client in clients { client.stop(at: now) }
  }

  func outcomes() -> [SoakOutcome.Client] { clients.map { $0.end(at: now) } }
}
