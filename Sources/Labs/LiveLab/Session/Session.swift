// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore
public import Randomness

/// One client, one server and the network between them, under a schedule of faults, in virtual time.
///
/// A value runs one session after another. A run depends only on the settings, the world, the schedule and the seed.
///
/// It is a loop over the next event of a few sources (`Agenda`): the client's timer, the clocks of server and phone,
/// and the first frame of each direction of each connection, in which frames keep their order as in TCP.
public struct Session<Client: ClientUnderTest, Observer: SessionObserver>: ~Copyable {
  let settings: ConnectionSettings
  let world: SessionWorld
  public private(set) var result = SessionResult()

  private var client: ObservedClient<Client, Observer>
  private var random: SessionRandom
  /// The next random bits for the client.
  private var nextWord: UInt64 = 0
  /// The replaced timers before the next one that fires nevertheless.
  private var timersUntilStale: Int64 = 0
  private var now: Int64 = 0
  private var end: Int64 = 0
  private var events: UInt64 = 0
  private var clock = SkewedClock()
  var conditions = Conditions()
  private var agenda = Agenda()
  private var sockets = InlineArray<8, Socket>(repeating: Socket())
  /// The index of the connection that the client opened last.
  private var current: Int?
  /// Pongs that the server delays.
  private var late = FrameQueue<LiveEvent>()
  private var server = ServerState()
  private var phone = PhoneState()
  private var faults = FaultCursor()
  private var isServiceDirty = false
  /// Two thirds of the mean jitter, the argument of `SessionRandom.halfWaiting`.
  private let jitterStep: Int64

  /// Throws the errors of `SessionRandom.init(seed:generator:)`.
  public init(
    settings: ConnectionSettings = ConnectionSettings(), world: SessionWorld = SessionWorld(), observer: Observer,
    generator: String = SessionRandom.defaultName
  ) throws(RandomnessError) {
    (self.settings, self.world) = (settings, world)
    client = ObservedClient(settings, observer: observer)
    jitterStep = world.network.jitterStep
    random = try SessionRandom(seed: 1, generator: generator)
  }

  public var observer: Observer {
    get { client.observer }
    set { client.observer = newValue }
  }

  /// Runs one session.
  ///
  /// Its random stream is made from the seed by an additional step, so that the schedule can be drawn from the seed
  /// itself, and a written schedule gives the same session as a drawn one.
  public mutating func run(_ schedule: borrowing FaultSchedule, seed: UInt32) throws(RandomnessError) {
    // The multiplier is odd, so that different seeds stay different; 0 would be the generator's default seed.
    let own = seed &* 0x9E37_79B1 ^ 0x5851_F42D
    try random.reseed(own == 0 ? 1 : own)
    begin(schedule)
    play(schedule)
    finish()
    if world.phone.stopsAtEnd {
      end = now &+ (settings.closeTimeout + .seconds(60)).nanoseconds
      stop()
      play(schedule)
    }
    client.end(at: moment)
  }

  private var moment: SessionMoment {
    SessionMoment(world: Instant(nanoseconds: now), client: Instant(nanoseconds: clock.reading(at: now)))
  }

  private mutating func play(_ schedule: borrowing FaultSchedule) {
    while events <= world.maxEvents {
      let (index, at) = agenda.next
      if at > end {
        now = end
        break
      }
      now = max(now, at)
      events &+= 1
      if let lane = Agenda.Lane(rawValue: index) {
        agenda[lane] = .max
        process(lane, schedule)
      } else {
        let (socket, part) = (index &- Agenda.lanes).quotientAndRemainder(dividingBy: 3)
        switch part {
        case 0: arriveAtServer(socket)
        case 1: arriveAtClient(socket)
        default: control(socket)
        }
      }
      if isServiceDirty { updateService(schedule) }
    }
  }

  private mutating func begin(_ schedule: borrowing FaultSchedule) {
    (now, end, events, current) = (0, schedule.duration.nanoseconds, 0, nil)
    (agenda, clock, conditions, faults) = (Agenda(), SkewedClock(), Conditions(), FaultCursor())
    (server, phone, late) = (ServerState(), PhoneState(), FrameQueue())
    for index in 0..<8 { sockets[index] = Socket() }
    isServiceDirty = false
    result = SessionResult()
    nextWord = random.word()
    timersUntilStale = random.failures(untilOneIn: world.phone.staleTimers)
    if let mean = world.phone.sends { agenda[.appSends] = random.waiting(mean).nanoseconds }
    if let mean = world.server.publishes { agenda[.publishes] = random.waiting(mean).nanoseconds }
    if let interval = world.server.pings { agenda[.serverPings] = interval.nanoseconds }
    agenda[.faults] = faults.nextBoundary(of: schedule)
    client.begin(settings, cause: faults.cause(in: schedule, at: now))
    deliver(.start)
  }

  private mutating func stop() {
    for lane in [Agenda.Lane.faults, .appSends, .publishes, .serverPings] { agenda[lane] = .max }
    client.truth.isStopped = true
    deliver(.stop)
  }

  private mutating func finish() {
    client.truth.finish(at: Instant(nanoseconds: end))
    result.duration = Interval(nanoseconds: now)
    result.events = events
    result.isRunaway = events > world.maxEvents
    result.truth = client.truth
    result.status = client.status
  }
}

// MARK: Events and effects of the client

extension Session {
  private mutating func deliver(_ event: LiveEvent) {
    let moment = moment
    if client.handle(event, at: moment, word: nextWord) { nextWord = random.word() }
    for index in client.effects.indices {
      let effect = client.effects[index]
      let replaced = client.truth.timer
      client.truth.note(effect)
      carryOut(effect, replacing: replaced)
    }
    client.endStep(event, at: moment)
  }

  /// Carries out the part of an effect that is not in the ground truth. `replaced` is the timer that was set before.
  private mutating func carryOut(_ effect: LiveEffect, replacing replaced: TimerTag?) {
    switch effect {
    case .setTimer(_, let due):
      if let replaced { leaveStaleTimer(replaced) }
      // A timer set for the past fires a little later.
      phone.timer = max(clock.world(at: due.nanoseconds), now &+ 1_000)
      if !conditions.isAsleep { agenda[.timer] = phone.timer }
    case .cancelTimer:
      if let replaced { leaveStaleTimer(replaced) }
      phone.timer = .max
      agenda[.timer] = .max
    case .sendPing(let generation, let number): send(UpFrame(kind: .ping, number: UInt64(number)), on: generation)
    case .open(let generation, _): open(generation)
    case .abort(let generation): abort(generation)
    case .sendClose(let generation, let code): send(UpFrame(kind: .close, number: UInt64(code.value)), on: generation)
    case .sendPong(let generation, let number): send(UpFrame(kind: .pong, number: UInt64(number)), on: generation)
    case .sendResume(let generation, let position):
      let frame = position.map { UpFrame(kind: .resume, epoch: $0.epoch, number: $0.offset) }
      send(frame ?? UpFrame(kind: .resumeFromNow), on: generation)
    case .sendMessage(let generation, let number):
      send(UpFrame(kind: .message, number: number.value), on: generation, bytes: world.phone.messageBytes)
    case .refreshCredentials: agenda[.credentials] = now &+ world.server.credentialsTake.nanoseconds
    case .deliver, .gap: if let current, !sockets[current].isCaughtUp { isServiceDirty = true }
    case .acknowledged(let number):
      client.truth.messagesLost &+= server.messages.settle(through: number.value, dropped: client.truth.dropped)
    case .dropped, .statusChanged: break
    }
  }

  /// Sometimes lets a replaced timer fire nevertheless.
  private mutating func leaveStaleTimer(_ tag: TimerTag) {
    timersUntilStale &-= 1
    guard timersUntilStale < 0 else { return }
    timersUntilStale = random.failures(untilOneIn: world.phone.staleTimers)
    guard agenda[.staleTimer] == .max else { return }
    phone.staleTag = tag
    agenda[.staleTimer] = phone.timer
  }

  private mutating func timerFires() {
    guard let tag = client.truth.timer else { return }
    client.truth.timerFired()
    phone.timer = .max
    deliver(.timer(tag))
  }

  private mutating func appSends() {
    guard let mean = world.phone.sends else { return }
    agenda[.appSends] = now &+ random.waiting(mean).nanoseconds
    deliver(.send(client.truth.nextMessage(), bytes: world.phone.messageBytes))
  }
}

// MARK: Connecting and closing

extension Session {
  private mutating func open(_ generation: Generation) {
    let socket = placeForAnother()
    sockets[socket].isUsed = true
    sockets[socket].isHeld = true
    sockets[socket].generation = generation
    sockets[socket].lastActivity = now
    current = socket
    client.truth.clientSockets += 1
    isServiceDirty = true
    if let (failure, after) = failureAtHand() { return notifyClose(.failed(failure), on: socket, after: after) }
    setControl(.connectTimeout, on: socket, at: now &+ world.network.connectTimeout.nanoseconds)
    var arrives = now
    for _ in 0...2 &* world.network.roundTripsToOpen { arrives &+= transit(bytes: 0) }
    push(up: UpFrame(kind: .hello), on: socket, at: arrives)
  }

  /// The failure of an attempt that does not reach the server, with its delay; nil without one.
  private mutating func failureAtHand() -> (ConnectFailure, Int64)? {
    if conditions.isOffline {
      markEffective(.offline)
      return (.unreachable, 5_000_000)
    }
    if conditions.isBlocked { return nil }
    if let after = conditions.nameNotFound {
      markEffective(.nameNotFound)
      return (.nameNotFound, after.nanoseconds)
    }
    let roundTrip = transit(bytes: 0) &+ transit(bytes: 0)
    if conditions.isCaptive {
      markEffective(.captivePortal)
      return (.notWebSocket, 3 &* roundTrip)
    }
    if conditions.isInsecure {
      markEffective(.insecure)
      return (.insecure, 2 &* roundTrip)
    }
    return nil
  }

  /// The index of a free connection, or of the least important one: a client that hoards connections loses its oldest.
  private mutating func placeForAnother() -> Int {
    for index in 0..<8 where !sockets[index].isUsed { return index }
    var oldest = 0
    for index in 1..<8 where rank(index) < rank(oldest) { oldest = index }
    loseAtServer(oldest)
    loseAtClient(oldest)
    clear(oldest)
    return oldest
  }

  private mutating func rank(_ index: Int) -> UInt64 {
    UInt64(sockets[index].generation.number) &+ (sockets[index].isHeld ? 1 << 40 : 0)
  }

  /// Drops a connection for the client: a reset is sent once, and a close notification may still come.
  private mutating func abort(_ generation: Generation) {
    guard let socket = index(of: generation), sockets[socket].isHeld else { return }
    loseAtClient(socket)
    if conditions.isUpBlocked || sockets[socket].isCut || sockets[socket].isUpStalled {
      sockets[socket].up.removeAll()
      agenda[up: socket] = .max
    } else {
      sockets[socket].up.removeUnsent()
      push(up: UpFrame(kind: .reset), on: socket)
    }
    let wait = random.below(UInt64(max(1, world.phone.closeNotificationDelay.nanoseconds)))
    notifyClose(.closed(Closure(.client, CloseCode(1006))), on: socket, after: Int64(wait))
  }

  /// Records in the ground truth, before its delivery, an event from the server that begins or ends something.
  private mutating func recordEvent(_ event: LiveEvent, on socket: Int) {
    guard client.truth.recordEvent(event, on: &sockets[socket], at: moment, seenBy: &client.observer) else { return }
    isServiceDirty = true
    switch event {
    case .opened:
      setControl(.none, on: socket, at: .max)
      setIdleClock(socket)
      if !settings.resumesStream { (sockets[socket].isResumed, sockets[socket].isCaughtUp) = (true, true) }
    case .failed, .refused: notifyClose(.closed(.lost), on: socket, after: 1_000_000)
    case .closed: if sockets[socket].control != .closeNotification { setControl(.none, on: socket, at: .max) }
    default: break
    }
  }

  /// Notifies the client a little later how a connection ended.
  private mutating func notifyClose(_ word: Socket.CloseNotification, on socket: Int, after wait: Int64) {
    sockets[socket].closeNotification = word
    setControl(.closeNotification, on: socket, at: now &+ wait)
  }

  private mutating func control(_ socket: Int) {
    agenda[clock: socket] = .max
    let control = sockets[socket].control
    // During a sleep `wake` sets the clock again.
    if conditions.isAsleep, control != .idle, control != .serverTimeout { return }
    sockets[socket].control = .none
    switch control {
    case .none: break
    case .connectTimeout: fail(socket, .timedOut)
    case .closeNotification: deliverCloseNotification(socket)
    case .idle: cutIfIdle(socket)
    case .sendTimeout: giveUpSending(socket)
    case .serverTimeout: loseAtServer(socket)
    }
    release(socket)
  }

  private mutating func fail(_ socket: Int, _ failure: ConnectFailure) {
    guard sockets[socket].isHeld else { return }
    loseAtClient(socket)
    // As sockets do: first an error, then a close.
    notifyClose(.closed(.lost), on: socket, after: 1_000_000)
    deliver(.failed(sockets[socket].generation, failure))
  }

  private mutating func deliverCloseNotification(_ socket: Int) {
    switch sockets[socket].closeNotification {
    case .none: break
    case .failed(let failure): fail(socket, failure)
    case .closed(let closure):
      loseAtClient(socket)
      deliver(.closed(sockets[socket].generation, closure))
    }
  }

  private mutating func giveUpSending(_ socket: Int) {
    guard sockets[socket].isHeld else { return }
    guard sockets[socket].isCut || sockets[socket].isUpStalled || sockets[socket].isDownStalled else {
      return setIdleClock(socket)
    }
    loseAtClient(socket)
    deliver(.closed(sockets[socket].generation, .lost))
  }

  private mutating func setIdleClock(_ socket: Int) {
    guard let cut = conditions.idleCut, sockets[socket].isOpened, sockets[socket].control == .none else { return }
    setControl(.idle, on: socket, at: max(now, sockets[socket].lastActivity &+ cut.after))
  }

  private mutating func cutIfIdle(_ socket: Int) {
    guard let idleCut = conditions.idleCut, sockets[socket].isOpened else { return }
    guard sockets[socket].lastActivity &+ idleCut.after <= now else { return setIdleClock(socket) }
    markEffective(.idleCut)
    if idleCut.isSilent { cut(socket) } else { reset(socket) }
  }

  /// Resets a connection at both ends; the client learns of it at once, or when it wakes.
  private mutating func reset(_ socket: Int) {
    guard sockets[socket].isUsed, sockets[socket].isHeld else { return }
    let isOpened = sockets[socket].isOpened
    loseAtServer(socket)
    cut(socket)
    notifyClose(isOpened ? .closed(.lost) : .failed(.reset), on: socket, after: 1_000)
  }
}

// MARK: The network

extension Session {
  private mutating func index(of generation: Generation) -> Int? {
    if let current, sockets[current].isUsed, sockets[current].generation == generation { return current }
    for index in 0..<8 where sockets[index].isUsed && sockets[index].generation == generation { return index }
    return nil
  }

  mutating func transit(bytes: Int) -> Int64 {
    let `default` = world.network.latency.nanoseconds &+ random.halfWaiting(step: jitterStep)
    if conditions.isPlain && bytes == 0 { return `default` }
    return `default` &+ faultDelay(bytes: bytes)
  }

  /// The delay of a frame due to faults and its size.
  private mutating func faultDelay(bytes: Int) -> Int64 {
    var extra: Int64 = 0
    if let latency = conditions.latency {
      extra &+= latency.added &+ Int64(random.unit() * Double(latency.jitter))
      if extra > 0 { markEffective(.latency) }
    }
    if let rate = conditions.bytesPerSecond, rate < world.network.bytesPerSecond { markEffective(.bandwidth) }
    // A frame without contents is a packet of 60 bytes.
    extra &+= timeToCarry(bytes: max(60, bytes))
    if conditions.loss > 0 || conditions.burst != nil {
      let network = world.network
      extra &+= network.timeLost { losesPacket() }
    }
    return extra
  }

  /// The bytes a second that the network carries.
  private var rate: Int64 { min(conditions.bytesPerSecond ?? .max, max(1, world.network.bytesPerSecond)) }

  /// The time to transmit a number of bytes, in nanoseconds.
  private func timeToCarry(bytes: Int) -> Int64 { Int64(Double(bytes) / Double(rate) * 1e9) }

  /// A message that takes longer than a second is transmitted in parts of a second, and those behind it wait.
  private func part(of bytes: Int) -> Int { bytes == 0 ? 0 : min(bytes, Int(rate)) }

  private mutating func losesPacket() -> Bool {
    let isLost = random.happens(conditions.loss)
    let isLostInBurst = conditions.burst?.losesPacket(using: &random) ?? false
    if isLost { markEffective(.loss) }
    if isLostInBurst { markEffective(.burstLoss) }
    return isLost || isLostInBurst
  }

  /// Sends a frame of the client; does nothing if the client does not hold the connection.
  private mutating func send(_ frame: UpFrame, on generation: Generation, bytes: Int = 0) {
    guard let socket = index(of: generation), sockets[socket].isHeld else { return }
    push(up: frame, on: socket, bytes: bytes)
  }

  private mutating func push(up frame: UpFrame, on socket: Int, bytes: Int = 0) {
    if sockets[socket].isCut { return scheduleSendTimeout(socket) }
    let part = part(of: bytes)
    push(up: frame, on: socket, at: now &+ transit(bytes: part), left: bytes &- part)
  }

  private mutating func push(up frame: UpFrame, on socket: Int, at arrival: Int64, left: Int = 0) {
    sockets[socket].lastActivity = now
    sockets[socket].up.append(frame, sent: now, arrives: arrival, left: left)
    // A stalled way resumes when its fault is over.
    if sockets[socket].up.count == 1 { agenda[up: socket] = sockets[socket].up.arrival }
  }

  /// Sends a frame of the server, after `delay`; a message may come `inParts`.
  private mutating func push(
    down event: LiveEvent, on socket: Int, bytes: Int = 0, inParts: Bool = false, delay: Int64 = 0
  ) {
    if sockets[socket].isCut { return }
    sockets[socket].lastActivity = now
    let sent = now &+ delay
    let part = inParts ? part(of: bytes) : bytes
    sockets[socket].down.append(event, sent: sent, arrives: sent &+ transit(bytes: part), left: bytes &- part)
    if sockets[socket].down.count == 1 { agenda[down: socket] = sockets[socket].down.arrival }
  }

  private mutating func pushLoss(on socket: Int) {
    sockets[socket].down.removeUnsent()
    push(down: .closed(sockets[socket].generation, .lost), on: socket)
  }

  /// Sets the kernel's timeout: packets on a dead connection are never acknowledged.
  private mutating func scheduleSendTimeout(_ socket: Int) {
    guard sockets[socket].control == .none || sockets[socket].control == .idle else { return }
    setControl(.sendTimeout, on: socket, at: now &+ world.network.sendTimeout.nanoseconds)
  }

  private mutating func arriveAtServer(_ socket: Int) {
    // A part of a message that is not acknowledged is followed by no other.
    let isLong = sockets[socket].up.left > 0
    if conditions.isUpBlocked || isLong && (conditions.isDownBlocked || conditions.isAsleep) {
      holdBack(.up)
      sockets[socket].isUpStalled = true
      agenda[up: socket] = .max
      stall(socket)
      return
    }
    if sockets[socket].isUpStalled {
      sockets[socket].isUpStalled = false
      isServiceDirty = true
    }
    if isLong { return partArrivesAtServer(socket) }
    let frame = sockets[socket].up.removeFirst()
    if sockets[socket].up.left > 0 { sockets[socket].up.start(sent: now, arrives: now &+ Self.partTime) }
    agenda[up: socket] = sockets[socket].up.arrival
    serve(frame, on: socket)
  }

  /// The time of a part that another one follows, in nanoseconds.
  private static var partTime: Int64 { 1_000_000_000 }

  /// A part of a message is acknowledged, so that the next one leaves, and the client learns of that.
  private mutating func partArrivesAtServer(_ socket: Int) {
    let (frame, generation) = (sockets[socket].up.first, sockets[socket].generation)
    guard sockets[socket].isAtServer, sockets[socket].isHeld else {
      sockets[socket].up.removeUnsent()
      agenda[up: socket] = .max
      return serve(frame, on: socket)
    }
    let part = part(of: sockets[socket].up.left)
    sockets[socket].up.carry(part, sent: now, arrives: now &+ timeToCarry(bytes: part))
    agenda[up: socket] = sockets[socket].up.arrival
    sockets[socket].lastActivity = now
    deliver(.sending(generation, MessageNumber(frame.number), isWhole: sockets[socket].up.left == 0))
  }

  private mutating func arriveAtClient(_ socket: Int) {
    if conditions.isDownBlocked || conditions.isAsleep {
      holdBack(.down)
      sockets[socket].isDownStalled = true
      agenda[down: socket] = .max
      stall(socket)
      return
    }
    if sockets[socket].isDownStalled {
      sockets[socket].isDownStalled = false
      isServiceDirty = true
    }
    if sockets[socket].down.left > 0 { return partArrivesAtClient(socket) }
    let event = sockets[socket].down.removeFirst()
    if sockets[socket].down.left > 0 { sockets[socket].down.start(sent: now, arrives: now &+ Self.partTime) }
    agenda[down: socket] = sockets[socket].down.arrival
    recordEvent(event, on: socket)
    deliver(event)
    if !sockets[socket].isHeld { release(socket) }
  }

  private mutating func partArrivesAtClient(_ socket: Int) {
    let part = part(of: sockets[socket].down.left)
    sockets[socket].down.carry(part, sent: now, arrives: now &+ timeToCarry(bytes: part))
    agenda[down: socket] = sockets[socket].down.arrival
    sockets[socket].lastActivity = now
    deliver(.moved(sockets[socket].generation))
    if !sockets[socket].isHeld { release(socket) }
  }

  private mutating func markEffective(_ kind: Fault.Kind) { result.effective |= 1 << UInt64(kind.rawValue) }

  /// Records the effect of the faults that hold back frames in a direction.
  private mutating func holdBack(_ direction: Fault.Direction) {
    for kind in Conditions.blockers where conditions.letNothingThrough(kind, direction) { markEffective(kind) }
  }

  private mutating func stall(_ socket: Int) {
    isServiceDirty = true
    if sockets[socket].isOpened, !conditions.isAsleep { scheduleSendTimeout(socket) }
  }

  /// Lets waiting frames continue with the next retransmission, after a fault has ended. If the phone just woke, the
  /// frames that it received in its sleep arrive at once.
  private mutating func releaseStalled(isAwakened: Bool = false) {
    for socket in 0..<8 where sockets[socket].isUsed {
      if sockets[socket].isUpStalled, !conditions.isUpBlocked, !sockets[socket].up.isEmpty {
        let isFirst = !sockets[socket].isAtServer
        agenda[up: socket] = retransmitted(sockets[socket].up.sent, isFirst: isFirst)
      }
      if sockets[socket].isDownStalled, !conditions.isDownBlocked, !conditions.isAsleep, !sockets[socket].down.isEmpty {
        agenda[down: socket] =
          isAwakened
          ? max(now &+ 1_000, sockets[socket].down.arrival)
          : retransmitted(sockets[socket].down.sent, isFirst: false)
      }
    }
  }

  private mutating func retransmitted(_ sent: Int64, isFirst: Bool) -> Int64 {
    world.network.moment(ofResending: sent, from: now, isFirst: isFirst) &+ transit(bytes: 0)
  }

  /// Kills a connection without notice to either end.
  private mutating func cut(_ socket: Int) {
    guard sockets[socket].isUsed, !sockets[socket].isCut else { return }
    sockets[socket].isCut = true
    sockets[socket].up.removeAll()
    sockets[socket].down.removeAll()
    agenda[up: socket] = .max
    agenda[down: socket] = .max
    isServiceDirty = true
    if !sockets[socket].isHeld { leaveToServer(socket) }
  }

  private mutating func loseAtServer(_ socket: Int) {
    guard sockets[socket].isAtServer else { return }
    sockets[socket].isAtServer = false
    sockets[socket].isSubscribed = false
    isServiceDirty = true
    client.observer.observe(.lostAtServer(sockets[socket].generation), at: moment)
  }

  private mutating func loseAtClient(_ socket: Int) {
    if client.truth.lose(&sockets[socket], at: moment, seenBy: &client.observer) { isServiceDirty = true }
  }

  /// Frees the slot of a connection that neither end needs.
  private mutating func release(_ socket: Int) {
    guard sockets[socket].isUsed, !sockets[socket].isHeld, sockets[socket].control != .closeNotification else { return }
    if sockets[socket].isAtServer {
      if sockets[socket].control == .none { leaveToServer(socket) }
      return
    }
    clear(socket)
  }

  /// Leaves a connection without a client to the server, until it notices.
  private mutating func leaveToServer(_ socket: Int) {
    guard sockets[socket].control != .closeNotification else { return }
    setControl(.serverTimeout, on: socket, at: now &+ world.server.keepsDead.nanoseconds)
  }

  private mutating func clear(_ socket: Int) {
    sockets[socket] = Socket()
    agenda.clear(socket)
    if current == socket { current = nil }
  }

  private mutating func setControl(_ control: Socket.Control, on socket: Int, at moment: Int64) {
    sockets[socket].control = control
    agenda[clock: socket] = control == .none ? .max : moment
  }
}

// MARK: The server

extension Session {
  private mutating func serve(_ frame: UpFrame, on socket: Int) {
    if frame.kind == .hello { return answerHandshake(socket) }
    guard sockets[socket].isAtServer else {
      // The server does not know this connection: it resets it, unless its system still holds it.
      if frame.kind != .reset, !sockets[socket].isMute, sockets[socket].isHeld { pushLoss(on: socket) }
      release(socket)
      return
    }
    switch frame.kind {
    case .hello, .pong: break
    case .ping: answerPing(UInt32(truncatingIfNeeded: frame.number), on: socket)
    case .resume: resume(after: StreamPosition(epoch: frame.epoch, offset: frame.number), on: socket)
    case .resumeFromNow: resume(after: nil, on: socket)
    case .message: take(frame.number, on: socket)
    case .close:
      let code = CloseCode(UInt16(truncatingIfNeeded: frame.number))
      push(down: .closed(sockets[socket].generation, Closure(.client, code)), on: socket)
      loseAtServer(socket)
    case .reset:
      loseAtServer(socket)
      release(socket)
    }
  }

  private mutating func answerPing(_ number: UInt32, on socket: Int) {
    let pong = LiveEvent.received(sockets[socket].generation, .pong(number))
    if conditions.isWithoutPongs {
      markEffective(.noPongs)
    } else if conditions.pongDelay > 0 {
      markEffective(.latePongs)
      late.append(pong, sent: now, arrives: now &+ conditions.pongDelay)
      agenda[.latePong] = late.arrival
    } else {
      push(down: pong, on: socket)
    }
  }

  private mutating func sendLatePong() {
    let pong = late.removeFirst()
    agenda[.latePong] = late.arrival
    if let generation = pong.generation, let socket = index(of: generation), sockets[socket].isAtServer {
      push(down: pong, on: socket)
    }
  }

  private mutating func answerHandshake(_ socket: Int) {
    let generation = sockets[socket].generation
    if conditions.departure != nil || conditions.isRefused {
      markEffective(conditions.departure != nil ? .restart : .refused)
      return push(down: .failed(generation, .connectionRefused), on: socket)
    }
    if let refusal = refusalAtHand() { return push(down: .refused(generation, refusal), on: socket) }
    sockets[socket].isAtServer = true
    sockets[socket].isSubscribed = !settings.resumesStream
    isServiceDirty = true
    client.observer.observe(.accepted(generation), at: moment)
    push(down: .opened(generation), on: socket)
    closeAfterAccept(socket, isResumed: false)
  }

  /// Closes a connection at the stage for which it was accepted.
  private mutating func closeAfterAccept(_ socket: Int, isResumed: Bool) {
    guard let fault = conditions.acceptThenClose, (fault.resumes && settings.resumesStream) == isResumed else { return }
    markEffective(.acceptThenClose)
    close(socket, fault.code, delay: fault.after)
  }

  private mutating func refusalAtHand() -> Refusal? {
    if let refusal = conditions.refusal {
      markEffective(.refusal)
      return refusal
    }
    if let redirect = conditions.redirect {
      markEffective(.redirect)
      return Refusal(status: 307, redirect: redirect)
    }
    if let expired = conditions.expired, phone.credentialsSince <= expired.since {
      markEffective(.expiredCredentials)
      return Refusal(status: 401)
    }
    if let shedding = conditions.shedding, random.happens(shedding.share) {
      markEffective(.shedding)
      return Refusal(status: 503, retryAfter: shedding.retryAfter)
    }
    return nil
  }

  /// Sends a close frame of the server, which neither reads nor sends on this connection any more.
  private mutating func close(_ socket: Int, _ code: CloseCode, delay: Int64) {
    guard sockets[socket].isAtServer else { return }
    push(down: .closed(sockets[socket].generation, Closure(.server, code)), on: socket, delay: delay)
    sockets[socket].isMute = true
    loseAtServer(socket)
  }

  private mutating func publish() {
    guard let mean = world.server.publishes else { return }
    agenda[.publishes] = now &+ random.waiting(mean).nanoseconds
    guard conditions.departure == nil else { return }
    let end = client.truth.notePublished(keeping: world.server.history)
    let bytes = world.server.messageBytes
    client.observer.observe(.published(end, bytes: bytes), at: moment)
    let position = settings.resumesStream ? end : nil
    for socket in 0..<8 where sockets[socket].isSubscribed {
      push(
        down: .received(sockets[socket].generation, .message(position, bytes: bytes)), on: socket, bytes: bytes,
        inParts: true)
    }
  }

  /// Resumes the stream after a position. Messages that the server no longer has are skipped, and the answer says so.
  private mutating func resume(after asked: StreamPosition?, on socket: Int) {
    let end = client.truth.streamEnd
    let start = client.truth.streamGoesOn(after: asked)
    let generation = sockets[socket].generation
    sockets[socket].isSubscribed = true
    sockets[socket].target = end
    push(down: .received(generation, .resumed(after: start)), on: socket)
    let bytes = world.server.messageBytes
    var offset = start.offset
    while offset < end.offset {
      offset &+= 1
      let position = StreamPosition(epoch: end.epoch, offset: offset)
      push(down: .received(generation, .message(position, bytes: bytes)), on: socket, bytes: bytes, inParts: true)
    }
    closeAfterAccept(socket, isResumed: true)
  }

  private mutating func take(_ number: UInt64, on socket: Int) {
    let isRepeated = server.messages.take(number, mayComeAgain: settings.unacknowledged == .sendAgain)
    client.truth.messagesTakenUnduly = server.messages.duplicatesAccepted
    client.observer.observe(.took(MessageNumber(number), isRepeated: isRepeated), at: moment)
    let through = MessageNumber(server.messages.through)
    push(down: .received(sockets[socket].generation, .acknowledged(through: through)), on: socket)
  }

  private mutating func pingClients() {
    guard let interval = world.server.pings else { return }
    agenda[.serverPings] = now &+ interval.nanoseconds
    server.ping &+= 1
    for socket in 0..<8 where sockets[socket].isAtServer {
      push(down: .received(sockets[socket].generation, .ping(server.ping)), on: socket)
    }
  }

  private mutating func stopServer(_ how: Fault.Departure) {
    client.observer.observe(.serverStopped, at: moment)
    for socket in 0..<8 where sockets[socket].isUsed {
      if sockets[socket].isAtServer { markEffective(.restart) }
      switch how {
      case .graceful: close(socket, CloseCode(1012), delay: 0)
      case .killed:
        if sockets[socket].isAtServer { pushLoss(on: socket) }
        loseAtServer(socket)
      case .vanished:
        sockets[socket].down.removeAll()
        agenda[down: socket] = .max
        sockets[socket].isDownStalled = false
        loseAtServer(socket)
      }
    }
  }

  private mutating func startServer(keepsHistory: Bool, keepsNumbers: Bool) {
    if !keepsHistory { client.truth.noteHistoryLost() }
    if !keepsNumbers { server.messages.forgetNumbers() }
    client.observer.observe(.serverStarted, at: moment)
  }
}

// MARK: Faults and the device

extension Session {
  private mutating func process(_ lane: Agenda.Lane, _ schedule: borrowing FaultSchedule) {
    if conditions.isAsleep, lane.isOfPhone {
      phone.pending.insert(lane)
      return
    }
    switch lane {
    case .timer: timerFires()
    case .faults: passBoundary(schedule)
    case .appSends: appSends()
    case .publishes: publish()
    case .serverPings: pingClients()
    case .credentials: answerCredentials()
    case .staleTimer: deliver(.timer(phone.staleTag))
    case .latePong: sendLatePong()
    case .woke: if !conditions.isAsleep { deliverWoke() }
    }
  }

  private mutating func answerCredentials() {
    // The source of credentials is behind the same network: the request is repeated until it gets through.
    if conditions.isBlocked {
      holdBack(conditions.isUpBlocked ? .up : .down)
      agenda[.credentials] = now &+ 1_000_000_000
      return
    }
    let isFresh = conditions.expired?.isRefreshable ?? true
    if isFresh { phone.credentialsSince = max(now, 1) }
    deliver(.credentials(client.truth.credentialsFor, isFresh: isFresh))
  }

  private mutating func passBoundary(_ schedule: borrowing FaultSchedule) {
    switch faults.passBoundary(of: schedule, at: now) {
    case .began(let index):
      client.observer.observe(.faultBegan(index), at: moment)
      let fault = schedule.faults[index].fault
      if fault.kind.isMoment { process(fault) } else { set(fault, holds: true) }
    case .ended(let index):
      client.observer.observe(.faultEnded(index), at: moment)
      set(schedule.faults[index].fault, holds: false)
    }
    isServiceDirty = true
    agenda[.faults] = faults.nextBoundary(of: schedule)
  }

  private mutating func set(_ fault: Fault, holds: Bool) {
    conditions.set(fault, holds, at: now)
    switch fault.kind {
    case .restart:
      if holds {
        stopServer(fault.departure)
      } else {
        startServer(keepsHistory: fault.isSet(1), keepsNumbers: fault.isSet(2))
      }
    case .idleCut: if holds { for socket in 0..<8 { setIdleClock(socket) } }
    case .sleep: if holds { fallAsleep() } else { wake() }
    case .offline, .background: reportDevice()
    case .clockSkew:
      clock.set(millionths: holds ? fault[0] : 0, at: now)
      phone.timer = client.truth.timer == nil ? .max : max(now, clock.world(at: client.truth.timerDue.nanoseconds))
      if !conditions.isAsleep { agenda[.timer] = phone.timer }
      if clock.millionths != 0 { markEffective(.clockSkew) }
    default: break
    }
    if !holds, fault.kind != .sleep { releaseStalled() }
  }

  private mutating func process(_ fault: Fault) {
    for socket in 0..<8 where sockets[socket].isUsed {
      let generation = sockets[socket].generation
      // Connections that were cut or never reached the server stay as they are; other ones end on both sides.
      let isTouched = fault.kind == .reset ? sockets[socket].isHeld : sockets[socket].isAtServer
      if isTouched, !sockets[socket].isCut { markEffective(fault.kind) }
      switch fault.kind {
      case .halfOpen: if sockets[socket].isAtServer { cut(socket) }
      case .reset: reset(socket)
      case .close: close(socket, fault.closeCode, delay: fault[1])
      case .garbage where sockets[socket].isAtServer:
        push(down: .received(generation, .malformed(fault.closeCode)), on: socket)
      case .enormousFrame where sockets[socket].isAtServer:
        push(down: .received(generation, .malformed(CloseCode(1009))), on: socket, bytes: Int(fault[0]))
      case .networkChange: cut(socket)
      default: break
      }
    }
    if fault.kind == .networkChange {
      phone.hasPendingNetworkChange = true
      reportDevice()
    }
  }

  private mutating func fallAsleep() {
    agenda[.timer] = .max
    markEffective(.sleep)
    client.truth.isAsleep = true
    client.observer.observe(.device(isAsleep: true), at: moment)
  }

  /// Wakes the phone: overdue events happen, and the client learns of the waking before or after them.
  private mutating func wake() {
    client.truth.isAsleep = false
    client.observer.observe(.device(isAsleep: false), at: moment)
    agenda[.timer] = phone.timer
    for lane in phone.pending { agenda[lane] = now &+ 500_000 }
    phone.pending = []
    for socket in 0..<8 where sockets[socket].control != .none && agenda[clock: socket] == .max {
      agenda[clock: socket] = now &+ 200_000
    }
    releaseStalled(isAwakened: true)
    if random.word() & 1 == 0 { deliverWoke() } else { agenda[.woke] = now &+ 1_000_000 }
  }

  private mutating func deliverWoke() {
    deliver(.woke)
    reportDevice()
  }

  /// Delivers news of the device that the client does not have yet.
  private mutating func reportDevice() {
    if conditions.isAsleep { return }
    if phone.hasPendingNetworkChange {
      phone.hasPendingNetworkChange = false
      markEffective(.networkChange)
      deliver(.networkChanged)
    }
    let isReachable = !conditions.isOffline
    if phone.reportedReachable != isReachable {
      phone.reportedReachable = isReachable
      if !isReachable { markEffective(.offline) }
      deliver(.network(isReachable: isReachable))
    }
    let isInFront = !conditions.isInBackground
    if phone.reportedInFront != isInFront {
      phone.reportedInFront = isInFront
      if !isInFront { markEffective(.background) }
      deliver(.app(isInFront: isInFront))
    }
  }
}

// MARK: Whether the client is served

extension Session {
  /// Updates whether the client is in sync and whether an attempt could succeed, after a change.
  private mutating func updateService(_ schedule: borrowing FaultSchedule) {
    isServiceDirty = false
    if client.truth.isStopped { return }
    var isServed = false
    if let current, !conditions.isBlocked, !conditions.isAsleep, sockets[current].isCarrying {
      isServed = sockets[current].isCurrent(delivered: client.truth.streamDelivered)
    }
    client.truth.update(
      isServed: isServed, isPossible: conditions.letAttemptsSucceed(under: settings),
      cause: faults.cause(in: schedule, at: now), client.status, at: moment, seenBy: &client.observer)
    faults.leaveBoundary()
  }
}

extension Closure {
  /// The report of a socket about a connection that ended without a close frame.
  fileprivate static let lost = Closure(.network, CloseCode(1006))
}
