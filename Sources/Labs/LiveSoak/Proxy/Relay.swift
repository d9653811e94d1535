// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc
internal import LiveCore
internal import LiveLab
internal import NIOCore
internal import NIOPosix
internal import WebSocketProtocol

/// One connection: a client, the upstream, and the pipe each way between them.
///
/// Upwards, data pass the network and then the server, which the proxy may play; downwards, the server and then the
/// network.
final class Relay {
  private enum Phase {
    /// Accepted by the proxy; the server does not know of it.
    case waiting
    case connecting
    case open
    /// The proxy plays the server; the upstream is closed.
    case played
    case over
  }

  let number: UInt64
  let core: ProxyCore
  let draws: ChoiceSource?
  private(set) lazy var up = Pipe(.up, of: self)
  private(set) lazy var down = Pipe(.down, of: self)

  private var phase = Phase.waiting
  /// The two ends; each is nil when it is closed.
  private(set) var client: (any Channel)?
  private(set) var upstream: (any Channel)?
  let acceptedAt: Int64
  /// The time from which it may be opened to the server.
  private var opensAt: Int64?
  private var wasBlocked = false
  private var isLateByFault = false
  /// The ways on which a half-open connection loses data.
  private var cutWays: Set<Fault.Direction> = []
  /// True if the server's machine vanished with it and does not know it afterwards.
  private var isAbandoned = false
  /// True if the client's first bytes are answered by a failed TLS handshake.
  private var isInsecure = false
  private var lastActivity: Int64
  private var inspector: WebSocketInspector?

  private lazy var opening = Alarm { [weak self] in self?.tryOpen() }
  private lazy var idle = Alarm { [weak self] in self?.cutIfIdle() }
  /// The end of a connection that is kept for a while because its other end is gone or the proxy closed it.
  private lazy var ending = Alarm { [weak self] in self?.endNow() }
  private lazy var stopping = Alarm { [weak self] in if self?.stopsAfter != nil { self?.close() } }
  private lazy var cutting = Alarm { [weak self] in self?.cutIfOld() }
  /// A draw from 0 to 1 for each fault, if some affect a share of the connections; nil for one that was removed.
  private var lots: [Double?] = []
  /// The conditions of this connection, if a fault spares some, and the number of changes that they are of.
  private var spared: (changes: Int, conditions: [Conditions]) = (-1, [])

  init(_ number: UInt64, _ client: any Channel, of core: ProxyCore, draws: ChoiceSource?) {
    (self.number, self.client, self.core, self.draws) = (number, client, core, draws)
    acceptedAt = core.timers.now
    lastActivity = acceptedAt
  }

  func pipe(_ way: Fault.Direction) -> Pipe { way == .up ? up : down }

  func conditions(_ way: Fault.Direction) -> Conditions {
    guard core.sparesSome else { return core.conditions(way) }
    if spared.changes != core.changes { spared = (core.changes, core.conditions(for: self)) }
    return spared.conditions[Int(way.rawValue)]
  }

  /// The draw for a fault by its index; those of the schedule are drawn together, so that they follow from the seed.
  func lot(_ index: Int) -> Double {
    let wanted = max(index + 1, core.plan.schedule.faults.count)
    while lots.count < wanted { lots.append(draw()) }
    let lot = lots[index] ?? draw()
    lots[index] = lot
    return lot
  }

  private func draw() -> Double { draws?.attempt.random.unit() ?? 0 }

  /// Forgets the draw for a fault, whose place another may get.
  func forget(_ index: Int) {
    if index < lots.count { lots[index] = nil }
  }

  /// True if input is read and held data may continue.
  var isRelaying: Bool { phase == .open || phase == .played }
  var isPlayed: Bool { phase == .played }
  /// True if bytes pass between the ends without special treatment.
  var isPlain: Bool { phase == .open && inspector == nil && cutWays.isEmpty && !isAbandoned }
}

// MARK: Opening

extension Relay {
  func accepted() {
    if core.isStopping { return reset() }
    stopLater()
    setCutClock()
    tryOpen()
  }

  /// Connects to the server as soon as the network and the faults of attempts allow it.
  private func tryOpen() {
    guard phase == .waiting else { return }
    let now = core.timers.now
    if conditions(.up).isUpBlocked || conditions(.down).isDownBlocked {
      if !wasBlocked { for way in Fault.Direction.allCases { core.noteBlocked(way, conditions(way)) } }
      wasBlocked = true
      return
    }
    let conditions = conditions(.up)
    if opensAt == nil { opensAt = acceptedAt &+ timeToOpen(conditions) }
    if wasBlocked {
      wasBlocked = false
      opensAt = max(opensAt ?? now, core.network.moment(ofResending: acceptedAt, from: now, isFirst: true))
    }
    if let opensAt, opensAt > now { return core.timers.set(opening, at: opensAt) }
    isLateByFault = false
    if refuse(conditions, now) { return }
    if let bytes = conditions.handshakeStall, core.isLeft(.handshakeStall) {
      core.note(.handshakeStall)
      down.stallsAfter = bytes
    }
    if conditions.isInsecure, core.isLeft(.insecure) {
      isInsecure = true
      phase = .played
      return readWanted()
    }
    phase = .connecting
    core.connect(self)
  }

  /// The round trips of name resolution, TCP and TLS, plus the delay of a slow server.
  private func timeToOpen(_ conditions: Conditions) -> Int64 {
    var time: Int64 = 0
    if let network = core.plan.network {
      for _ in 0..<2 * max(0, network.roundTripsToOpen) { time &+= up.defaultTransit(network) }
    }
    if let delay = conditions.acceptDelay, core.isLeft(.slowAccept) {
      time &+= delay
      isLateByFault = true
      core.note(.slowAccept)
    }
    return time
  }

  /// Refuses a connection that no server accepts. Where the kernel has accepted it already, it is reset.
  private func refuse(_ conditions: Conditions, _ now: Int64) -> Bool {
    if let after = conditions.nameNotFound, core.isLeft(.nameNotFound) {
      core.note(.nameNotFound)
      phase = .played
      core.timers.set(ending, at: now &+ after.nanoseconds)
      return true
    }
    if conditions.departure != nil { core.note(.restart) }
    let isRefused = conditions.isRefused && core.isLeft(.refused)
    if isRefused { core.note(.refused) }
    guard conditions.departure != nil || isRefused else { return false }
    reset()
    return true
  }

  func connected(_ channel: any Channel) {
    guard phase == .connecting else { return Self.reset(channel) }
    phase = .open
    upstream = channel
    if core.inspectsStreams { inspector = WebSocketInspector(self) }
    setIdleClock()
    readWanted()
  }

  func connectFailed() {
    if phase == .connecting { reset() }
  }

  private func readWanted() {
    up.readIfWanted()
    down.readIfWanted()
  }
}

// MARK: Data

extension Relay {
  /// Takes bytes that one end sent.
  func take(_ bytes: ByteBuffer, _ way: Fault.Direction) {
    guard phase != .over, !cutWays.contains(way) else { return }
    if core.tracksActivity { lastActivity = core.timers.now }
    if way == .up { return up.carry(bytes) }
    if let inspector { inspector.serverSent(bytes) } else { down.carry(bytes) }
  }

  func deliver(_ bytes: ByteBuffer, _ way: Fault.Direction) {
    if way == .down {
      down.target?.writeAndFlush(bytes, promise: nil)
    } else if isAbandoned {
      serverResets()
    } else if phase == .played {
      if isInsecure { failTLS() }
    } else if let inspector {
      inspector.clientSent(bytes)
    } else {
      up.target?.writeAndFlush(bytes, promise: nil)
    }
  }

  func forward(_ bytes: ByteBuffer) { up.target?.writeAndFlush(bytes, promise: nil) }

  /// Handles the end of one end's data.
  func ended(_ way: Fault.Direction) {
    guard phase != .over else { return }
    if phase == .waiting || phase == .connecting { return reset() }
    if !cutWays.isEmpty { return keepDead() }
    if way == .down { inspector?.serverEnded() }
    pipe(way).end()
  }

  /// Handles the loss of the sending end of a way by a reset or an error.
  func failed(_ way: Fault.Direction) {
    guard phase != .over, !pipe(way).isEnded || !pipe(way).isFinished else { return }
    if phase != .open { return reset() }
    if !cutWays.isEmpty { return keepDead() }
    if pipe(way).isBlocked {
      // A reset is not repeated, so the other end never learns of it.
      cutWays = Set(Fault.Direction.allCases)
      dropAll()
      return keepDead()
    }
    pipe(way).reset()
  }

  /// Handles that the receiving end of a way knows its end.
  func finished(_ way: Fault.Direction) {
    if isAbandoned || up.isFinished && down.isFinished { return close() }
    if phase == .played { core.timers.set(ending, at: core.timers.now &+ core.plan.bounds.timeToClose.nanoseconds) }
    if pipe(way).source == nil { close() }
  }

  func closed(_ way: Fault.Direction) {
    if way == .up { client = nil } else { upstream = nil }
    switch phase {
    case .over: removeIfGone()
    case .waiting, .connecting: reset()
    case .played: if way == .up { reset() }
    case .open:
      if isAbandoned, way == .down { return }
      if !cutWays.isEmpty { return keepDead() }
      if !pipe(way).isEnded {
        // If nothing more can be sent to it, its end is that of the socket.
        return pipe(way == .up ? .down : .up).isFinished ? ended(way) : failed(way)
      }
      if pipe(way).isFinished { close() }
    }
  }

  private func keepDead() {
    if ending.at == .max {
      core.timers.set(ending, at: core.timers.now &+ core.plan.bounds.keepsDead.nanoseconds)
    }
    if client == nil && upstream == nil { reset() }
  }

  private func dropAll() {
    up.drop()
    down.drop()
  }
}

// MARK: Ending

extension Relay {
  func reset() { endAll(Self.reset) }

  /// Closes both sockets after all data already written.
  func close() {
    endAll { channel in
      channel.close(mode: .output).assumeIsolated().whenComplete { _ in channel.close(promise: nil) }
    }
    if !isGone { core.timers.set(ending, at: core.timers.now &+ core.plan.bounds.timeToClose.nanoseconds) }
  }

  /// Resets a connection, even one that is being closed.
  func endNow() {
    guard phase == .over else { return reset() }
    for channel in [client, upstream] { if let channel { Self.reset(channel) } }
  }

  private func endAll(_ end: (any Channel) -> Void) {
    guard phase != .over else { return }
    phase = .over
    for alarm in [opening, idle, ending, stopping, cutting] { core.timers.cancel(alarm) }
    inspector?.stop()
    dropAll()
    let channels = [client, upstream]
    for channel in channels { if let channel { end(channel) } }
    removeIfGone()
  }

  private var isGone: Bool { client == nil && upstream == nil }

  private func removeIfGone() {
    guard isGone else { return }
    core.timers.cancel(ending)
    core.remove(self)
  }

  private static func reset(_ channel: any Channel) {
    if let socket = channel as? any SocketOptionProvider {
      _ = socket.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    }
    channel.close(promise: nil)
  }

  /// Closes the upstream; from here on the proxy plays the server.
  private func loseUpstream() {
    phase = .played
    inspector?.stop()
    let channel = upstream
    upstream = nil
    channel?.close(promise: nil)
  }

  /// Answers with the proxy's bytes in the server's place, then closes.
  func play(_ bytes: ByteBuffer) {
    loseUpstream()
    down.carry(bytes)
    down.end()
  }

  /// Closes the connection with a close frame in the server's place, which neither reads nor sends from here on.
  func serverCloses(_ code: CloseCode, later: Int64, after answer: ByteBuffer? = nil) {
    loseUpstream()
    if let answer { down.carry(answer) }
    var frame = ByteBuffer()
    FrameHeader(.close, payloadLength: 2).write(into: &frame)
    frame.writeInteger(code.value)
    down.carry(frame, later: later)
    down.end()
  }

  private func serverResets() {
    loseUpstream()
    isAbandoned = false
    down.reset()
  }

  /// Sends the alert of a TLS server that cannot agree: `handshake_failure` (RFC 8446, section 6).
  private func failTLS() {
    isInsecure = false
    core.note(.insecure)
    play(ByteBuffer(bytes: [0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28]))
  }
}

// MARK: Faults

extension Relay {
  /// Applies a momentary fault; returns whether it took effect.
  func process(_ timed: TimedFault) -> Bool {
    switch timed.fault.kind {
    case .halfOpen:
      guard phase == .open else { return false }
      for way in timed.ways { cut(way) }
      return true
    case .reset:
      guard phase != .over else { return false }
      reset()
      return true
    default:
      guard phase == .open, !cutWays.contains(.down), !isAbandoned, let inspector, inspector.isOpen else {
        return false
      }
      return inspector.process(timed.fault)
    }
  }

  private func cut(_ way: Fault.Direction) {
    cutWays.insert(way)
    pipe(way).drop()
  }

  func began(_ timed: TimedFault, _ index: Int) {
    guard phase != .over else { return }
    switch timed.fault.kind {
    case .restart: serverStops(timed.fault.departure, index)
    case .idleCut: setIdleClock()
    case .timeout: stopLater()
    case .cut: setCutClock()
    default: for way in timed.ways { pipe(way).began(timed.fault.kind) }
    }
  }

  /// Handles other values of a toxic that holds; `kind` is that of the fault before.
  func changed(from kind: Fault.Kind) {
    guard phase != .over else { return }
    stopLater()
    setCutClock()
    for way in Fault.Direction.allCases where phase != .over { pipe(way).ended(kind) }
  }

  func ended(_ kind: Fault.Kind) {
    guard phase != .over else { return }
    let hasLost = up.hasLost || down.hasLost
    if kind == .timeout, hasLost { return close() }
    if kind == .timeout, stopsAfter == nil { core.timers.cancel(stopping) }
    if kind == .cut, hasLost { return reset() }
    if kind == .cut, lifetime == nil { core.timers.cancel(cutting) }
    if kind == .slowAccept, isLateByFault { opensAt = core.timers.now }
    if kind == .latePongs || kind == .noPongs { inspector?.pongsAreFree() }
    tryOpen()
    up.ended(kind)
    if phase != .over { down.ended(kind) }
  }

  private func serverStops(_ how: Fault.Departure, _ index: Int) {
    guard !cutWays.contains(.down), !isAbandoned, phase == .open || phase == .connecting else { return }
    core.note(index)
    switch how {
    case .graceful:
      if let inspector, inspector.isOpen {
        inspector.closeAtBoundary(CloseCode(1012))
      } else if phase == .open, inspector?.isOpening != true {
        down.close(later: 0)
      } else {
        reset()
      }
    case .killed: if phase == .open { serverResets() } else { reset() }
    case .vanished:
      isAbandoned = true
      loseUpstream()
      down.drop()
    }
  }

  private var stopsAfter: Int64? {
    Fault.Direction.allCases.compactMap { conditions($0).stop?.after }.min()
  }

  private func stopLater() {
    if let stopsAfter { core.timers.set(stopping, at: core.timers.now &+ stopsAfter) }
  }

  private func setIdleClock() {
    guard let cut = conditions(.up).idleCut, phase == .open else { return }
    core.timers.set(idle, at: max(core.timers.now &+ 1, lastActivity &+ cut.after))
  }

  private var lifetime: (after: Int64, isClosed: Bool, isFromData: Bool)? {
    conditions(.up).lifetime ?? conditions(.down).lifetime
  }

  private func setCutClock() {
    guard let lifetime, !lifetime.isFromData else { return }
    core.timers.set(cutting, at: max(core.timers.now &+ 1, acceptedAt &+ lifetime.after))
  }

  /// Cuts the connection some time after its bytes.
  func cut(after time: Int64) {
    if cutting.at == .max { core.timers.set(cutting, at: max(core.timers.now &+ 1, core.timers.now &+ time)) }
  }

  private func cutIfOld() {
    guard let lifetime, phase != .over else { return }
    core.note(.cut, conditions(.up).lifetime == nil ? .down : .up)
    if lifetime.isClosed { close() } else { reset() }
  }

  private func cutIfIdle() {
    guard let idleCut = conditions(.up).idleCut, phase == .open, !cutWays.contains(.up) else { return }
    guard lastActivity &+ idleCut.after <= core.timers.now else { return setIdleClock() }
    core.note(.idleCut)
    if idleCut.isSilent { for way in Fault.Direction.allCases { cut(way) } } else { reset() }
  }
}

/// One end of a relay, which hands on its events.
final class RelayHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = Never
  typealias OutboundIn = ByteBuffer

  private let relay: Relay
  /// The way that carries this end's data.
  private let way: Fault.Direction
  private let pipe: Pipe

  init(_ relay: Relay, sends way: Fault.Direction) { (self.relay, self.way, pipe) = (relay, way, relay.pipe(way)) }

  func channelActive(context: ChannelHandlerContext) {
    if way == .up { relay.accepted() }
  }

  func read(context: ChannelHandlerContext) {
    if pipe.mayRead() { context.read() }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { pipe.take(unwrapInboundIn(data)) }

  func channelReadComplete(context: ChannelHandlerContext) { pipe.readComplete() }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    guard context.channel.isWritable else { return }
    let other = relay.pipe(way == .up ? .down : .up)
    other.pump()
    other.readIfWanted()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .inputClosed? = event as? ChannelEvent { relay.ended(way) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { relay.failed(way) }

  func channelInactive(context: ChannelHandlerContext) {
    if way == .down { relay.closed(way) }
  }
}
