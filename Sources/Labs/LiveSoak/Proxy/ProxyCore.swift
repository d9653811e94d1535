// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc
internal import LiveCore
internal import LiveLab
internal import LiveSockets
internal import NIOCore
internal import NIOPosix
internal import Randomness
internal import Reporting

/// The state of a proxy on its event loop: the listening socket, the connections, and the faults that hold.
final class ProxyCore {
  let plan: ProxyPlan
  let loop: any EventLoop
  let timers: ProxyTimers
  /// The conditions of each way for connections that no fault spares; a fault of no particular way is in both.
  private var conditions = Fault.Direction.allCases.map { _ in Conditions() }
  /// The connections that are not over, by number.
  private(set) var relays: [UInt64: Relay] = [:]
  /// The network without faults; the default model if the machine's own is used.
  let network: NetworkModel

  private var lastNumber: UInt64 = 0
  /// Nil if nothing is random.
  private let streams: StreamFamily?
  private var cursor = FaultCursor()
  /// The beginning of the schedule, by the timers' clock.
  private var epoch: Int64 = 0
  private lazy var boundary = Alarm { [unowned self] in passBoundaries() }
  /// The faults of the schedule, followed by added ones.
  private var faults: [FaultProxy.Count]
  /// The indices of the faults that hold, by way and kind of fault: at most one, and toxics.
  private var holding = Fault.Direction.allCases.map { _ in [[Int]](repeating: [], count: Fault.Kind.allCases.count) }
  /// The places of toxics that were removed.
  private var freePlaces: [Int] = []

  private(set) var upstream: FaultProxy.Upstream
  private var port: BoundPort?
  private var listener: (any Channel)?
  /// True if a socket listens or soon will.
  private var isListening = false
  private var stopped: EventLoopPromise<Void>?
  private var wantsToAccept = false
  private var isPaused = false
  private var hasReachedBound = false
  private var hasReportedPause = false
  private lazy var resume = Alarm { [unowned self] in
    isPaused = false
    acceptMore()
  }
  private var hasUpstreamFailed = false

  /// True if bytes may pass without inspection.
  private(set) var isQuiet = false
  /// True if a fault holds that affects only a share of the connections, or a toxic.
  private(set) var sparesSome = false
  /// The number of times that a fault began or ended.
  private(set) var changes = 0
  /// True if a fault of the schedule needs to know the protocol of a stream.
  let inspectsStreams: Bool
  let tracksActivity: Bool

  init(_ plan: ProxyPlan, on loop: any EventLoop) {
    (self.plan, self.loop) = (plan, loop)
    timers = ProxyTimers(on: loop, pace: plan.pace, isManual: plan.isManual)
    upstream = plan.upstream
    faults = plan.schedule.faults.map { FaultProxy.Count($0) }
    let kinds = plan.addable.union(plan.schedule.faults.map(\.fault.kind))
    inspectsStreams = !kinds.isDisjoint(with: WebSocketInspector.kinds)
    tracksActivity = kinds.contains(.idleCut)
    network = plan.network ?? NetworkModel()
    let isRandom = !kinds.isEmpty || plan.network != nil
    streams = isRandom ? try? StreamFamily(rootSeed: plan.seed, experiments: ChoiceSource.names) : nil
    noteQuiet()
  }

  func conditions(_ way: Fault.Direction) -> Conditions { conditions[Int(way.rawValue)] }

  /// The conditions of a connection that some faults spare, each way.
  func conditions(for relay: Relay) -> [Conditions] {
    holding.map { kinds in
      var conditions = Conditions()
      for index in kinds.joined() where affects(index, relay) {
        conditions.add(faults[index].fault.fault, at: timers.now)
      }
      return conditions
    }
  }

  /// Returns true if a fault affects a connection, drawn once for each if it affects a share of them.
  private func affects(_ index: Int, _ relay: Relay) -> Bool {
    faults[index].fault.share.map { relay.lot(index) < Double($0) / Double(FaultParameter.whole) } ?? true
  }

  private func noteQuiet() {
    sparesSome = faults.contains { $0.holds && ($0.fault.share != nil || $0.isToxic) }
    changes += 1
    isQuiet = plan.network == nil && !faults.contains(where: \.holds) && !inspectsStreams && !tracksActivity
  }
}

// MARK: The schedule

extension ProxyCore {
  func begin(at moment: NIODeadline?) {
    epoch = moment.map(timers.time) ?? timers.now
    cursor = FaultCursor()
    if cursor.nextBoundary(of: plan.schedule) <= timers.now &- epoch { passBoundaries() } else { setBoundary() }
  }

  var counts: [FaultProxy.Count] { faults.filter { !$0.fault.fault.kind.declaration.isOfPhone && !$0.isToxic } }

  /// Begins a fault now, listed after those of the schedule.
  func add(_ fault: TimedFault) -> FaultProxy.Count? {
    let index = faults.count
    guard index - plan.schedule.faults.count < FaultProxy.maxAdded else { return nil }
    var timed = fault
    // In milliseconds, as reports show it.
    timed.at = .zero + Interval(nanoseconds: max(0, timers.now &- epoch) / 1_000_000 * 1_000_000)
    faults.append(FaultProxy.Count(timed))
    begin(index)
    if !timed.fault.kind.isMoment {
      timers.set(Alarm { [unowned self] in end(index) }, at: timers.now &+ timed.lasting.nanoseconds)
    }
    return faults[index]
  }

  /// Begins a fault beside others of its kind, until it is removed. Returns its place.
  func add(toxic: TimedFault) -> Int {
    let count = FaultProxy.Count(toxic, isToxic: true)
    let index = freePlaces.popLast() ?? faults.count
    if index == faults.count { faults.append(count) } else { faults[index] = count }
    begin(index)
    return index
  }

  func change(toxic index: Int, to timed: TimedFault) {
    let old = faults[index].fault
    plan.report(.ended(old))
    set(index, holds: false)
    faults[index] = FaultProxy.Count(timed, isToxic: true)
    plan.report(.began(timed))
    set(index, holds: true)
    for relay in relays.values { relay.changed(from: old.fault.kind) }
  }

  func remove(toxic index: Int) {
    end(index)
    for relay in relays.values { relay.forget(index) }
    freePlaces.append(index)
  }

  /// Ends all faults of a kind, or all faults, except toxics.
  func end(_ kind: Fault.Kind?) -> [TimedFault] {
    let held = faults.indices.filter { index in
      faults[index].holds && !faults[index].isToxic && (kind == nil || faults[index].fault.fault.kind == kind)
    }
    for index in held { end(index) }
    return held.map { faults[$0].fault }
  }

  var bytesHeld: Int { relays.values.reduce(0) { $0 + $1.up.bytesHeld + $1.down.bytesHeld } }

  private func setBoundary() {
    let next = cursor.nextBoundary(of: plan.schedule)
    if next < .max { return timers.set(boundary, at: epoch &+ next) }
    if plan.isLooped { timers.set(boundary, at: epoch &+ plan.schedule.duration.nanoseconds) }
  }

  private func passBoundaries() {
    guard !isStopping else { return }
    let now = timers.now &- epoch
    if cursor.nextBoundary(of: plan.schedule) == .max, plan.isLooped {
      epoch = epoch &+ plan.schedule.duration.nanoseconds
      cursor = FaultCursor()
      for index in plan.schedule.faults.indices { faults[index].left = faults[index].fault.count ?? .max }
      return setBoundary()
    }
    while cursor.nextBoundary(of: plan.schedule) <= now {
      switch cursor.passBoundary(of: plan.schedule, at: now) {
      case .began(let index): begin(index)
      case .ended(let index): end(index)
      }
    }
    setBoundary()
  }

  private func begin(_ index: Int) {
    let timed = faults[index].fault
    let kind = timed.fault.kind
    guard !kind.declaration.isOfPhone else { return }
    if !faults[index].isToxic {
      for way in timed.ways { if let other = self.index(of: kind, way), !faults[other].isToxic { stop(other) } }
    }
    plan.report(.began(timed))
    if kind.isMoment {
      for relay in relays.values where affects(index, relay) && relay.process(timed) { faults[index].times += 1 }
      return
    }
    set(index, holds: true)
    for relay in relays.values where affects(index, relay) { relay.began(timed, index) }
  }

  /// Ends a fault at its time; the data that it held back continue.
  private func end(_ index: Int) {
    let timed = faults[index].fault
    guard !timed.fault.kind.declaration.isOfPhone else { return }
    stop(index)
    // Another fault of its kind may have replaced it.
    guard faults[index].isToxic || timed.ways.allSatisfy({ self.index(of: timed.fault.kind, $0) == nil }) else {
      return
    }
    for relay in relays.values { relay.ended(timed.fault.kind) }
  }

  /// Stops applying a fault; data already held back stay so.
  private func stop(_ index: Int) {
    guard faults[index].holds else { return }
    plan.report(.ended(faults[index].fault))
    set(index, holds: false)
  }

  private func set(_ index: Int, holds: Bool) {
    let timed = faults[index].fault
    faults[index].holds = holds
    for way in timed.ways.map({ Int($0.rawValue) }) {
      // Toxics are in the conditions of each connection alone.
      if !faults[index].isToxic { conditions[way].set(timed.fault, holds, at: timers.now) }
      let kind = Int(timed.fault.kind.rawValue)
      holding[way][kind].removeAll { $0 == index }
      // Before the toxics.
      if holds { holding[way][kind].insert(index, at: faults[index].isToxic ? holding[way][kind].count : 0) }
    }
    noteQuiet()
    setListening()
  }

  func index(of kind: Fault.Kind, _ way: Fault.Direction) -> Int? {
    holding[Int(way.rawValue)][Int(kind.rawValue)].first
  }

  /// Counts an effect of a fault that holds.
  func note(_ kind: Fault.Kind, _ way: Fault.Direction = .up) {
    if let index = index(of: kind, way) { note(index) }
  }

  func note(_ index: Int) {
    faults[index].times &+= 1
    guard faults[index].fault.count != nil, faults[index].left > 0 else { return }
    faults[index].left -= 1
    // After its effect on the last attempt.
    if faults[index].left == 0 { loop.assumeIsolated().execute { [weak self] in self?.stop(index) } }
  }

  /// Returns true if a fault of attempts holds and, if limited, has attempts left.
  func isLeft(_ kind: Fault.Kind) -> Bool {
    index(of: kind, .up).map { faults[$0].left > 0 } ?? false
  }

  /// Counts the effect of faults that block a way.
  func noteBlocked(_ way: Fault.Direction, _ conditions: Conditions) {
    for kind in Conditions.blockers where conditions.letNothingThrough(kind, way) { note(kind, way) }
  }
}

extension TimedFault {
  var ways: [Fault.Direction] { way.map { [$0] } ?? Fault.Direction.allCases }

  /// True if it refuses every connection. What affects only some of them has to accept them to know.
  fileprivate var refusesAll: Bool {
    guard count == nil, share == nil else { return false }
    return fault.kind == .refused || fault.kind == .restart && fault.departure != .vanished
  }
}

// MARK: The sockets

extension ProxyCore {
  func start(
    announcing announce: (@Sendable (SocketAddress) throws -> Void)?, at moment: NIODeadline?
  ) -> EventLoopFuture<SocketAddress> {
    let core = NIOLoopBound(self, eventLoop: loop)
    return open(plan.listen).flatMapThrowing { address in
      if let announce {
        try announce(address)
        core.value.begin(at: moment)
      }
      return address
    }
  }

  /// Moves to other addresses, which drops all connections; without one to listen on the port is free.
  func move(to listen: SocketAddress?, upstream: FaultProxy.Upstream) -> EventLoopFuture<SocketAddress?> {
    self.upstream = upstream
    hasUpstreamFailed = false
    stopListening()
    port = nil
    for relay in Array(relays.values) { relay.close() }
    guard let listen, !isStopping else { return loop.makeSucceededFuture(nil) }
    return open(listen).map { $0 }
  }

  private func open(_ listen: SocketAddress) -> EventLoopFuture<SocketAddress> {
    do {
      let port = try BoundPort(listen)
      self.port = port
      let address = port.address
      return refusesAll ? loop.makeSucceededFuture(address) : self.listen(on: port).map { address }
    } catch {
      return loop.makeFailedFuture(error)
    }
  }

  /// True if nobody listens: a fault refuses every connection, and the network would not lose its packets before.
  private var refusesAll: Bool {
    guard plan.network == nil, !conditions(.up).isUpBlocked, !conditions(.down).isDownBlocked else { return false }
    return faults.contains { $0.holds && $0.fault.refusesAll }
  }

  private func setListening() {
    guard let port, isListening == refusesAll else { return }
    guard isListening else {
      let core = NIOLoopBound(self, eventLoop: loop)
      return listen(on: port).assumeIsolated().whenFailure { core.value.pauseAccepting($0) }
    }
    for index in faults.indices where faults[index].holds && faults[index].fault.refusesAll { note(index) }
    stopListening()
  }

  private func stopListening() {
    guard isListening else { return }
    isListening = false
    port?.refuse()
    listener?.close(promise: nil)
    listener = nil
  }

  private func listen(on port: BoundPort) -> EventLoopFuture<Void> {
    let handle: CInt
    let backlog: CInt = 1_024
    do { handle = try port.listen(backlog: backlog) } catch { return loop.makeFailedFuture(error) }
    isListening = true
    let bound = NIOLoopBound((core: self, port: port), eventLoop: loop)
    let core = NIOLoopBound(self, eventLoop: loop)
    // Accepted channels are read only when the handler allows it.
    return ServerBootstrap(group: loop, childGroup: loop)
      .serverChannelOption(.backlog, value: backlog)
      .serverChannelOption(.maxMessagesPerRead, value: 16)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptHandler(core.value))
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let relay = core.value.accept(channel)
          try channel.pipeline.syncOperations.addHandler(RelayHandler(relay, sends: .up))
        }
      }
      .withBoundSocket(handle).map { channel in
        let (core, port) = bound.value
        // What happened meanwhile counts.
        if core.isListening, core.port === port, core.listener == nil {
          core.listener = channel
        } else {
          if core.listener == nil { port.refuse() }
          channel.close(promise: nil)
        }
      }
      .flatMapErrorThrowing { error in
        bound.value.core.isListening = false
        throw error
      }
  }

  private func accept(_ channel: any Channel) -> Relay {
    lastNumber += 1
    if hasReportedPause { plan.report(.resumedAccepting) }
    hasReportedPause = false
    let draws = streams.flatMap { try? ChoiceSource($0, connection: lastNumber) }
    let relay = Relay(lastNumber, channel, of: self, draws: draws)
    relays[lastNumber] = relay
    plan.report(.opened(lastNumber, from: channel.remoteAddress?.text ?? ""))
    // Also called for a channel that never becomes active.
    channel.closeFuture.assumeIsolated().whenComplete { _ in relay.closed(.up) }
    return relay
  }

  func remove(_ relay: Relay) {
    if relays.removeValue(forKey: relay.number) != nil {
      plan.report(.closed(relay.number, after: Interval(nanoseconds: timers.now &- relay.acceptedAt)))
    }
    if relays.isEmpty { stopped?.succeed() }
    if wantsToAccept { acceptMore() }
  }

  func stop() -> EventLoopFuture<Void> {
    if let stopped { return stopped.futureResult }
    let stopped = loop.makePromise(of: Void.self)
    self.stopped = stopped
    timers.cancelAll()
    isListening = false
    port?.refuse()
    port = nil
    let listening = listener?.close() ?? loop.makeSucceededVoidFuture()
    for relay in Array(relays.values) { relay.endNow() }
    if relays.isEmpty { stopped.succeed() }
    return listening.flatMapError { [loop] _ in loop.makeSucceededVoidFuture() }.flatMap { stopped.futureResult }
  }

  var isStopping: Bool { stopped != nil }

  /// Returns true if the listening socket may accept another connection.
  func mayAccept() -> Bool {
    wantsToAccept = isPaused || relays.count >= plan.bounds.connections
    if wantsToAccept, !isPaused, !hasReachedBound {
      hasReachedBound = true
      plan.report(.pausedAccepting("\(relays.count) connections are the bound; the next ones wait for one to end"))
    }
    return !wantsToAccept
  }

  private func acceptMore() {
    guard !isPaused, !isStopping, relays.count < plan.bounds.connections else { return }
    wantsToAccept = false
    if isListening { listener?.read() } else { setListening() }
  }

  /// Pauses accepting after an error, such as too many descriptors, which the kernel would report repeatedly.
  func pauseAccepting(_ error: any Error) {
    guard !isPaused, !isStopping else { return }
    (isPaused, wantsToAccept) = (true, true)
    if !hasReportedPause {
      let cause = (error as? IOError).map { SystemCause.message(of: $0.errnoCode) } ?? "\(error)"
      plan.report(.pausedAccepting("\(cause); waiting connections are accepted when others end"))
    }
    hasReportedPause = true
    timers.set(resume, at: timers.now &+ 100_000_000)
  }

  func connect(_ relay: Relay) {
    let bound = NIOLoopBound(relay, eventLoop: loop)
    let bootstrap = ClientBootstrap(group: loop)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .connectTimeout(.nanoseconds(plan.bounds.timeToConnect.nanoseconds))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(RelayHandler(bound.value, sends: .down))
        }
      }
    upstream.connect(bootstrap)
      .assumeIsolated()
      .whenComplete { [weak self] result in
        switch result {
        case .success(let channel):
          relay.connected(channel)
          self?.hasUpstreamFailed = false
        case .failure(let error):
          relay.connectFailed()
          self?.noteUpstreamFailed(error)
        }
      }
  }

  private func noteUpstreamFailed(_ error: any Error) {
    if let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) {
      return pauseAccepting(error)
    }
    let cause =
      switch error {
      case let error as IOError: SystemCause.message(of: error.errnoCode)
      case ChannelError.connectTimeout: "no answer in time"
      default: "\(error)"
      }
    if !hasUpstreamFailed { plan.report(.upstreamFailed(upstream.text, cause)) }
    hasUpstreamFailed = true
  }
}

private final class AcceptHandler: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = Never

  private let core: ProxyCore

  init(_ core: ProxyCore) { self.core = core }

  func read(context: ChannelHandlerContext) {
    if core.mayAccept() { context.read() }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { core.pauseAccepting(error) }
}

/// The random sources of a connection: one for attempts and one for each way, so that the draws of one way do not
/// depend on the traffic of the other.
struct ChoiceSource {
  let attempt: RandomSource
  let up: RandomSource
  let down: RandomSource

  static let names = ["attempt", "up", "down"]

  init(_ family: StreamFamily, connection: UInt64) throws(RandomnessError) {
    let block = Int(connection % UInt64(family.blocksPerExperiment))
    attempt = try RandomSource(seed: family.seed(ordinal: 0, block: block))
    up = try RandomSource(seed: family.seed(ordinal: 1, block: block))
    down = try RandomSource(seed: family.seed(ordinal: 2, block: block))
  }
}

/// A random source shared by several users or stored with others.
final class RandomSource {
  var random: SessionRandom

  init(seed: UInt32) throws(RandomnessError) { random = try SessionRandom(seed: seed) }
}
