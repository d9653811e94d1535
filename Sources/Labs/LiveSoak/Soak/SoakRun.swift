// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import LiveCore
internal import LiveLab
internal import LiveSockets
internal import MonteCarlo
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix
internal import WebSocketProtocol

/// Runs real clients through the proxy to the real server, under a schedule, for as long as that is; all of it at the
/// pace of the machine's clock.
///
/// Three event loops: of the clients, of the proxy and of the server. Everything about a client happens on the first,
/// so that there is no lock and no task for a client.
struct SoakRun: Sendable {
  let clients: Int
  let schedule: FaultSchedule
  let settings: ConnectionSettings
  let world: SessionWorld
  /// Of each client its session's seed.
  let seeds: [UInt32]
  let proxySeed: UInt64
  /// How late the machine may fire a timer before a client is blamed.
  let tolerance: Interval
}

/// The outcome of real clients, by the machine's clock.
struct SoakOutcome: Sendable {
  struct Client: Sendable {
    let result: SessionResult
    let breach: Breach?
    let breached: InvariantSet
  }

  let clients: [Client]
  /// How often each fault of the schedule took effect, by its place.
  let effects: [UInt64]
  /// By how much the machine was late, in slots of `LatenessProbe.slot`.
  let lateness: [Interval]
  let isComplete: Bool
  /// Clients whose last socket was not gone in time.
  let unfinished: Int
  /// Connections that the proxy still had when every client was finished and the server was gone.
  let relaysLeft: Int
  /// Descriptors that are open afterwards and were not before.
  var descriptorsLeft: [String] = []

  var duration: Interval { clients.first?.result.duration ?? .zero }
  var openings: UInt64 { clients.reduce(0) { $0 + $1.result.opened } }
}

extension SoakRun {
  /// Throws what binding a port throws.
  func play(interrupt: Interrupt, progress: @escaping @Sendable (Int) -> Void) throws -> SoakOutcome {
    // The runtime opens descriptors of its own when it first waits.
    _ = try Self.wait { try await Task.sleep(for: .milliseconds(1)) }
    let before = Descriptors.open
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 3)
    let outcome = Result { try Self.wait { try await self.play(on: group, interrupt, progress) } }
    try group.syncShutdownGracefully()
    var played = try outcome.get()
    played.descriptorsLeft = Descriptors.left(since: before)
    return played
  }

  /// Waits on a thread that is no event loop's and no task's.
  private static func wait<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    let result = NIOLockedValueBox(Result<Value, any Error>.failure(CancellationError()))
    Task {
      let found: Result<Value, any Error>
      do { found = .success(try await work()) } catch { found = .failure(error) }
      result.withLockedValue { $0 = found }
      done.signal()
    }
    done.wait()
    return try result.withLockedValue { try $0.get() }
  }

  private func play(
    on group: MultiThreadedEventLoopGroup, _ interrupt: Interrupt, _ progress: @escaping @Sendable (Int) -> Void
  ) async throws -> SoakOutcome {
    let (clientsLoop, proxyLoop, serverLoop) = (group.next(), group.next(), group.next())
    let crowd = NIOLockedValueBox<NIOLoopBound<SoakCrowd>?>(nil)
    let server = SoakServer(
      on: serverLoop, clients: clients, world: world.server, closeTimeout: settings.closeTimeout
    ) { client, generation, change in
      let bound = crowd.withLockedValue { $0 }
      clientsLoop.execute { bound?.value.link(of: client, generation, change) }
    }
    let upstream = try await server.start()
    let (faults, places) = faultsOfProxy
    let proxy = FaultProxy(
      group: proxyLoop, listen: try SocketAddress(ipAddress: "127.0.0.1", port: 0), upstream: upstream,
      schedule: faults, seed: proxySeed, network: world.network, bounds: bounds)
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
      loops: [clientsLoop, proxyLoop, serverLoop], epoch: epoch, duration: schedule.duration)
    try await clientsLoop.submit { bound.value.begin() }.get()

    let end = Instant.zero + schedule.duration
    var now = Instant.zero
    var reported = 0
    while now < end, !interrupt.isRaised {
      try await Task.sleep(for: .milliseconds(20))
      now = Self.now(since: epoch)
      let passed = Int(min(now, end).nanoseconds / 1_000_000)
      if passed > reported {
        progress(passed - reported)
        reported = passed
      }
    }
    let isComplete = now >= end
    try await clientsLoop.submit { bound.value.stop() }.get()
    let limit = Self.now(since: epoch) + settings.closeTimeout + .seconds(5)
    while try await clientsLoop.submit({ bound.value.unfinished }).get() > 0, Self.now(since: epoch) < limit {
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
    let effects = schedule.faults.indices.map { place -> UInt64 in
      let atProxy = zip(counts, places).reduce(UInt64(0)) { $0 + ($1.1 == place ? $1.0.times : 0) }
      return atProxy + (closed[place] ?? 0) + (delivered[place] ?? 0)
    }
    return SoakOutcome(
      clients: outcomes, effects: effects, lateness: probe.all, isComplete: isComplete, unfinished: unfinished,
      relaysLeft: relaysLeft)
  }

  private var bounds: FaultProxy.Bounds {
    var bounds = FaultProxy.Bounds()
    bounds.connections = clients * 4 + 100
    bounds.keepsDead = world.server.keepsDead
    return bounds
  }

  static func now(since epoch: NIODeadline) -> Instant {
    Instant(nanoseconds: (NIODeadline.now() - epoch).nanoseconds)
  }

  /// The faults that the proxy plays, and the place of each in the whole schedule. Restarts are the server's own but
  /// for a machine that vanishes; of what happens to a phone the proxy plays what that means for the way.
  private var faultsOfProxy: (FaultSchedule, [Int?]) {
    var (faults, places) = ([TimedFault](), [Int?]())
    for (place, timed) in schedule.faults.enumerated() {
      var played = timed
      switch timed.fault.kind {
      case .restart where timed.fault.departure != .vanished: continue
      case .offline: played.fault = Fault(.blackHole)
      case .networkChange: played.fault = Fault(.halfOpen)
      case let kind where kind.declaration.isOfPhone: continue
      default: break
      }
      faults.append(played)
      places.append(timed.fault.kind == played.fault.kind ? place : nil)
    }
    return (FaultSchedule(unchecked: faults, duration: schedule.duration, limit: nil), places)
  }
}

/// All clients of a soak, and the clock that plays to them what is not the proxy's. Confined to one loop.
final class SoakCrowd {
  private let run: SoakRun
  private let server: SoakServer
  private let epoch: NIODeadline
  private let loop: any EventLoop
  private let faults: SoakFaults
  private var clients: [SoakClient] = []
  private var drivers: [SocketDriver] = []
  /// The random sources of each client's waits between messages.
  private var randoms: [RandomSource] = []
  private(set) var unfinished: Int
  /// To how many clients each fault of the phone was delivered, by its place in the schedule.
  private(set) var delivered: [Int: UInt64] = [:]
  private var isStopped = false
  private let payload: ByteBuffer

  init(_ run: SoakRun, _ server: SoakServer, port: Int, epoch: NIODeadline, on loop: any EventLoop) throws {
    (self.run, self.server, self.epoch, self.loop) = (run, server, epoch, loop)
    faults = SoakFaults(run.schedule, settings: run.settings)
    unfinished = run.clients
    payload = ByteBuffer(repeating: UInt8(ascii: "x"), count: run.world.phone.messageBytes)
    var configuration = WebSocketConfiguration()
    configuration.compresses = false
    configuration.closeTimeout = .nanoseconds(run.settings.closeTimeout.nanoseconds)
    let clock = DriverClock { [epoch] in
      let now = SoakRun.now(since: epoch)
      return (now, now)
    }
    for number in 0..<run.clients {
      let client = SoakClient(
        number, faults, server.truth, tolerance: run.tolerance,
        passBoundaries: { [unowned self] in passDueBoundaries() },
        whenFinished: { [unowned self] in unfinished -= 1 })
      let driver = SocketDriver(
        on: loop, address: try WebSocketAddress(parsing: "ws://127.0.0.1:\(port)/\(number)"), settings: run.settings,
        configuration: configuration, clock: clock, seed: UInt64(run.seeds[number]), observer: client)
      client.driver = driver
      clients.append(client)
      drivers.append(driver)
      let seed = run.seeds[number] &* 0x9E37_79B1 ^ 0x5851_F42D
      randoms.append(try RandomSource(seed: seed == 0 ? 1 : seed))
    }
  }

  private var now: Instant { max(.zero, SoakRun.now(since: epoch)) }

  private func at(_ moment: Instant, _ work: @escaping (SoakCrowd) -> Void) {
    guard moment.nanoseconds < Int64.max / 4 else { return }
    loop.assumeIsolated().scheduleTask(deadline: epoch + .nanoseconds(moment.nanoseconds)) { [weak self] in
      if let self, !self.isStopped { work(self) }
    }
  }

  /// Starts everything. The clients come within a second, and before anything goes wrong: a crowd at the door is not
  /// what is to be measured.
  func begin() {
    let first = run.schedule.faults.first { $0.at > .zero }?.at ?? .zero + run.schedule.duration
    let spread = min(Interval.seconds(1), Interval(nanoseconds: first.nanoseconds / 2))
    for (number, client) in clients.enumerated() {
      let moment = Instant.zero + Interval(nanoseconds: spread.nanoseconds / Int64(run.clients) * Int64(number))
      at(moment) { crowd in
        client.begin()
        crowd.drivers[number].start()
        crowd.sendNext(number)
        crowd.publishNext(number)
      }
    }
    passBoundaries()
  }

  private func sendNext(_ number: Int) {
    guard let mean = run.world.phone.sends else { return }
    at(now + randoms[number].random.waiting(mean)) { crowd in
      crowd.clients[number].send(crowd.payload)
      crowd.sendNext(number)
    }
  }

  private func publishNext(_ number: Int) {
    guard let mean = run.world.server.publishes else { return }
    at(now + randoms[number].random.waiting(mean)) { crowd in
      crowd.server.publish(to: number)
      crowd.clients[number].noteServerSent()
      crowd.publishNext(number)
    }
  }

  func link(of client: Int, _ generation: UInt32, _ change: LinkChange) {
    clients[client].link(generation, change, at: now)
  }

  // MARK: The schedule

  private func passBoundaries() {
    passDueBoundaries()
    at(faults.nextBoundary) { $0.passBoundaries() }
  }

  private func passDueBoundaries() {
    while !isStopped, faults.nextBoundary <= now { passBoundary() }
  }

  private func passBoundary() {
    let now = now
    let boundary = faults.passBoundary(at: now)
    switch boundary {
    case .began(let place): happen(place, begins: true, at: now)
    case .ended(let place): happen(place, begins: false, at: now)
    }
    for client in clients { client.update(at: now) }
    faults.leaveBoundary()
  }

  private func happen(_ place: Int, begins: Bool, at now: Instant) {
    let fault = run.schedule.faults[place].fault
    let server = server
    switch fault.kind {
    case .halfOpen: for client in clients { client.cut(at: now) }
    case .networkChange:
      for client in clients { client.cut(at: now) }
      deliver(.networkChanged, place)
    case .offline: deliver(.network(isReachable: !begins), begins ? place : nil)
    case .background: deliver(.app(isInFront: !begins), begins ? place : nil)
    case .restart where fault.departure != .vanished:
      if begins {
        server.enqueue { await server.stop(fault.departure, place: place) }
      } else {
        if !fault.isSet(1) { server.forget() }
        server.enqueue { _ = try? await server.start() }
      }
    default: break
    }
  }

  private func deliver(_ event: LiveEvent, _ place: Int?) {
    for driver in drivers { driver.deliver(event) }
    if let place { delivered[place, default: 0] += UInt64(drivers.count) }
  }

  // MARK: The end

  func stop() {
    let now = now
    isStopped = true
    for client in clients { client.stop(at: now) }
    for driver in drivers { driver.stop() }
  }

  func outcomes() -> [SoakOutcome.Client] {
    clients.map { client in
      client.end(at: now)
      return SoakOutcome.Client(
        result: client.result, breach: client.checker.breach, breached: client.checker.breached)
    }
  }
}
