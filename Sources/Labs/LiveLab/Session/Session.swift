// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore
public import Randomness

/// One client against one server over one way, under a schedule of faults, in virtual time.
///
/// A value is made once and run again and again; after the first few runs it allocates nothing. What a run does follows
/// from the settings, the world, the schedule and the seed alone.
///
/// It is a loop over whatever happens next, of very few things: the client's one timer, the head of each direction of
/// each connection, which both keep their order as TCP does, and the next of what is infrequent.
public struct Session<Subject: LiveSubject, Observer: SessionObserver>: ~Copyable {
  let settings: ConnectionSettings
  let world: SessionWorld
  public var observer: Observer
  /// What came of the last run.
  public private(set) var result = SessionResult()

  private var seen: SessionView<Subject>
  private var random: SessionRandom
  private var spare: UInt64 = 0
  private var coins: UInt64 = 0
  private var effects = LiveEffects()
  private var now: Int64 = 0
  private var end: Int64 = 0
  private var events: UInt64 = 0
  private var clock = SkewedClock()
  var conditions = Conditions()

  /// When each thing happens next: 0 the client's timer, 1 the next of what is infrequent, then of each connection the
  /// way up, the way down and its own clock.
  private var heads = InlineArray<26, Int64>(repeating: .max)
  private var headCount = 2
  /// By `Infrequent`.
  private var infrequent = InlineArray<8, Int64>(repeating: .max)
  private var sockets = InlineArray<8, Socket>(repeating: Socket())
  /// The place of the connection that the client opened last.
  private var current = -1
  private var up = FramePool<UpFrame>()
  private var down = FramePool<DownFrame>()
  /// Pongs that the server holds back.
  private var late = FrameQueue()
  private var server = ServerState()
  private var phone = PhoneState()
  private var faults = FaultCursor()
  private var isServed = false
  private var isServiceDirty = false
  /// How long the way takes to carry the smallest packet, of 60 bytes, in nanoseconds.
  var packetTime: Int64 = 0
  /// Two thirds of the way's mean jitter, as `SessionRandom.halfWaiting` wants it.
  private let jitterStep: Int64

  /// Throws what `SessionRandom.init(seed:generator:)` throws.
  public init(
    settings: ConnectionSettings = ConnectionSettings(), world: SessionWorld = SessionWorld(), observer: Observer,
    generator: String = SessionRandom.defaultName
  ) throws(RandomnessError) {
    (self.settings, self.world, self.observer) = (settings, world, observer)
    seen = SessionView(Subject(settings))
    jitterStep = world.network.jitterStep
    random = try SessionRandom(seed: 1, generator: generator)
  }

  /// Runs one session.
  ///
  /// It draws from a stream made from the seed by a step of its own, so that the schedule can be drawn from the seed
  /// itself, and a schedule written down gives the same session as one drawn.
  public mutating func run(_ schedule: borrowing FaultSchedule, seed: UInt32) throws(RandomnessError) {
    // Odd, so that different seeds stay different; 0 would be the generator's default seed.
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
    observer.ended(seen, at: moment)
  }

  private var moment: SessionMoment {
    SessionMoment(world: Instant(nanoseconds: now), client: Instant(nanoseconds: clock.reading(at: now)))
  }

  private mutating func play(_ schedule: borrowing FaultSchedule) {
    while true {
      var (next, at) = (0, heads[0])
      if heads[1] < at { (next, at) = (1, heads[1]) }
      for place in 2..<headCount where heads[place] < at { (next, at) = (place, heads[place]) }
      if at > end {
        now = end
        break
      }
      if at > now { now = at }
      events &+= 1
      if next == 0 {
        timerFires()
      } else if next == 1 {
        handleInfrequent(schedule)
      } else {
        let (socket, part) = (next &- 2).quotientAndRemainder(dividingBy: 3)
        switch part {
        case 0: arriveAtServer(socket)
        case 1: arriveAtClient(socket)
        default: control(socket)
        }
      }
      if isServiceDirty { updateService(schedule) }
      if events > world.mostEvents { break }
    }
  }

  private mutating func begin(_ schedule: borrowing FaultSchedule) {
    now = 0
    end = schedule.duration.nanoseconds
    (events, current, headCount) = (0, -1, 2)
    for place in 0..<26 { heads[place] = .max }
    for place in 0..<8 { infrequent[place] = .max }
    for place in 0..<8 { sockets[place] = Socket() }
    up.removeAll()
    down.removeAll()
    clock = SkewedClock()
    conditions = Conditions()
    packetTime = timeToCarry(bytes: 60)
    late = FrameQueue()
    server.begin()
    phone.begin()
    faults = FaultCursor()
    (isServed, isServiceDirty) = (false, false)
    result.begin()
    spare = random.word()
    coins = random.word()
    seen = SessionView(Subject(settings))
    effects.removeAll()
    if let mean = world.phone.sends { set(.appSends, at: random.waiting(mean).nanoseconds) }
    if let mean = world.server.publishes { set(.publishes, at: random.waiting(mean).nanoseconds) }
    if let interval = world.server.pings { set(.serverPings, at: interval.nanoseconds) }
    setNextBoundary(schedule)
    beginOutage(schedule)
    observer.began(settings)
    deliverOnSlowPath(.start)
  }

  private mutating func stop() {
    for kind in [Infrequent.faults, .appSends, .publishes, .serverPings] { set(kind, at: .max) }
    phone.isStopped = true
    deliverOnSlowPath(.stop)
  }

  private mutating func finish() {
    result.duration = Interval(nanoseconds: now)
    result.events = events
    result.isRunaway = events > world.mostEvents
    result.truth = seen.truth
    result.status = seen.subject.status
    if !isServed { result.outages.finish(at: Instant(nanoseconds: end)) }
  }
}

// MARK: What is delivered to the client and what it wants done

extension Session {
  @inline(__always)
  private mutating func deliver(_ event: LiveEvent) {
    let moment = moment
    observer.saw(event, at: moment)
    effects.removeAll()
    if seen.subject.handle(event, at: moment.client, word: spare, into: &effects) { spare = random.word() }
    if let round = effects.round { carryOut(round, at: moment) }
    if effects.hasOthers { carryOutOthers(at: moment) }
    observer.settled(seen, at: moment)
  }

  /// The same for what is neither the timer nor a pong, which are nearly all: kept out of line.
  @inline(never)
  private mutating func deliverOnSlowPath(_ event: LiveEvent) {
    deliver(event)
  }

  /// What the client wants in the heartbeat's usual round.
  @inline(__always)
  private mutating func carryOut(_ round: LiveEffects.Round, at moment: SessionMoment) {
    if let ping = round.ping {
      observer.saw(.sendPing(round.generation, ping), at: moment)
      result.pings &+= 1
      sendPing(ping, on: round.generation)
    }
    observer.saw(.setTimer(round.tag, at: round.due), at: moment)
    setTimer(round.tag, round.due)
  }

  @inline(never)
  private mutating func carryOutOthers(at moment: SessionMoment) {
    for place in effects.roundCount..<effects.count {
      let effect = effects[place]
      observer.saw(effect, at: moment)
      switch effect {
      case .setTimer(let tag, let due): setTimer(tag, due)
      case .sendPing(let generation, let number):
        result.pings &+= 1
        sendPing(number, on: generation)
      default: carryOut(effect)
      }
    }
  }

  private mutating func carryOut(_ effect: LiveEffect) {
    switch effect {
    case .open(let generation, _): open(generation)
    case .abort(let generation): abort(generation)
    case .sendClose(let generation, let code): send(UpFrame(kind: .close, number: UInt64(code.value)), on: generation)
    case .sendPong(let generation, let number): send(UpFrame(kind: .pong, number: UInt64(number)), on: generation)
    case .sendResume(let generation, let place):
      let frame = place.map { UpFrame(kind: .resume, epoch: $0.epoch, number: $0.offset) }
      send(frame ?? UpFrame(kind: .resumeFromNow), on: generation)
    case .sendMessage(let generation, let number):
      send(UpFrame(kind: .message, number: number.value), on: generation, bytes: world.phone.messageBytes)
    case .cancelTimer: cancelTimer()
    case .refreshCredentials(let generation):
      phone.credentialsFor = generation
      set(.credentials, at: now &+ world.server.credentialsTake.nanoseconds)
    case .deliver(let place, _): if seen.truth.noteDelivered(place) { noteDelivered() }
    case .gap(_, let upTo):
      seen.truth.noteMissed(upTo: upTo)
      noteDelivered()
    case .acknowledged(let number):
      seen.truth.messagesLost &+= server.messages.settle(through: number.value, dropped: phone.dropped)
    case .dropped(let number, _):
      seen.truth.messagesDropped &+= 1
      phone.dropped.insert(number.value)
    case .statusChanged: noteStatus()
    case .setTimer, .sendPing: break
    }
  }

  @inline(__always)
  private mutating func setTimer(_ tag: TimerTag, _ due: Instant) {
    if seen.truth.timer != nil { leaveStaleTimer() }
    seen.truth.timer = tag
    seen.truth.timerDue = due
    // A timer set for what is past still fires only when the system comes to it.
    phone.timer = max(clock.world(at: due.nanoseconds), now &+ 1_000)
    if !conditions.isAsleep { heads[0] = phone.timer }
  }

  private mutating func cancelTimer() {
    if seen.truth.timer != nil { leaveStaleTimer() }
    seen.truth.timer = nil
    seen.truth.timerDue = .never
    phone.timer = .max
    heads[0] = .max
  }

  /// Now and then a timer that was replaced fires all the same.
  @inline(__always)
  private mutating func leaveStaleTimer() {
    coins = coins &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    if coins >> 40 & (world.phone.staleTimers &- 1) == 0, infrequent[Infrequent.staleTimer.rawValue] == .max,
      let tag = seen.truth.timer
    {
      phone.staleTag = tag
      set(.staleTimer, at: phone.timer)
    }
  }

  @inline(__always)
  private mutating func timerFires() {
    heads[0] = .max
    guard let tag = seen.truth.timer else { return }
    seen.truth.timer = nil
    seen.truth.timerDue = .never
    phone.timer = .max
    deliver(.timer(tag))
  }

  private mutating func appSends() {
    guard let mean = world.phone.sends else { return }
    set(.appSends, at: now &+ random.waiting(mean).nanoseconds)
    seen.truth.messagesMade &+= 1
    deliverOnSlowPath(.send(MessageNumber(seen.truth.messagesMade), bytes: world.phone.messageBytes))
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
    headCount = max(headCount, upHead(socket) &+ 3)
    current = socket
    seen.truth.clientSockets += 1
    isServiceDirty = true
    result.attempts &+= 1
    if !isServed { result.outages.noteAttempt() }
    if let (failure, after) = failureAtHand() { return notifyClose(.failed(failure), on: socket, after: after) }
    setControl(.connectTimeout, on: socket, at: now &+ world.network.connectTimeout.nanoseconds)
    var arrives = now
    for _ in 0...2 &* world.network.roundTripsToOpen { arrives &+= transit(bytes: 0) }
    pushArriving(UpFrame(kind: .hello), on: socket, at: arrives)
  }

  /// How an attempt fails without reaching the server, and after how long.
  private mutating func failureAtHand() -> (ConnectFailure, Int64)? {
    if conditions.isOffline {
      tookEffect(.offline)
      return (.unreachable, 5_000_000)
    }
    if conditions.isBlocked { return nil }
    if let after = conditions.nameNotFound {
      tookEffect(.nameNotFound)
      return (.nameNotFound, after.nanoseconds)
    }
    let roundTrip = transit(bytes: 0) &+ transit(bytes: 0)
    if conditions.isCaptive {
      tookEffect(.captivePortal)
      return (.notWebSocket, 3 &* roundTrip)
    }
    if conditions.isInsecure {
      tookEffect(.insecure)
      return (.insecure, 2 &* roundTrip)
    }
    return nil
  }

  /// A free place, or that of the connection that matters least: a client that hoards connections loses its oldest.
  private mutating func placeForAnother() -> Int {
    for place in 0..<8 where !sockets[place].isUsed { return place }
    var oldest = 0
    for place in 1..<8 where rank(place) < rank(oldest) { oldest = place }
    loseAtServer(oldest)
    loseAtClient(oldest)
    clear(oldest)
    return oldest
  }

  private mutating func rank(_ place: Int) -> UInt64 {
    UInt64(sockets[place].generation.number) &+ (sockets[place].isHeld ? 1 << 40 : 0)
  }

  /// The client drops a connection: a reset goes out and is not repeated, and a close notification may still come.
  private mutating func abort(_ generation: Generation) {
    guard let socket = place(of: generation), sockets[socket].isHeld else { return }
    loseAtClient(socket)
    if conditions.isUpBlocked || sockets[socket].isCut || sockets[socket].isUpStalled {
      up.removeAll(&sockets[socket].up)
      heads[upHead(socket)] = .max
    } else {
      push(up: UpFrame(kind: .reset), on: socket)
    }
    let wait = random.below(UInt64(max(1, world.phone.closeNotificationDelay.nanoseconds)))
    notifyClose(.closed(Closure(.client, CloseCode(1006))), on: socket, after: Int64(wait))
  }

  /// What a frame of the server that ends or begins something means for the ground truth, before it is delivered.
  private mutating func learn(_ frame: DownFrame, on socket: Int) {
    guard sockets[socket].isHeld else { return }
    switch frame.kind {
    case .plain: break
    case .opened:
      sockets[socket].isOpened = true
      setControl(.none, on: socket, at: .max)
      setIdleClock(socket)
      result.opened &+= 1
      if !settings.resumesStream { (sockets[socket].isResumed, sockets[socket].isCaughtUp) = (true, true) }
    case .failed:
      loseAtClient(socket)
      notifyClose(.closed(.lost), on: socket, after: 1_000_000)
    case .closed:
      loseAtClient(socket)
      if sockets[socket].control != .closeNotification { setControl(.none, on: socket, at: .max) }
    case .resumed:
      sockets[socket].isResumed = true
      if seen.truth.streamDelivered == nil, case .received(_, .resumed(let place)) = frame.event {
        seen.truth.streamDelivered = place
      }
    }
    isServiceDirty = true
  }

  /// The client learns a little later how a connection ended.
  private mutating func notifyClose(_ word: Socket.CloseNotification, on socket: Int, after wait: Int64) {
    sockets[socket].closeNotification = word
    setControl(.closeNotification, on: socket, at: now &+ wait)
  }

  private mutating func control(_ socket: Int) {
    heads[upHead(socket) &+ 2] = .max
    let control = sockets[socket].control
    // Where the phone sleeps `wake` sets the clock again.
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
    // As sockets do: an error, and then a close.
    notifyClose(.closed(.lost), on: socket, after: 1_000_000)
    deliverOnSlowPath(.failed(sockets[socket].generation, failure))
  }

  private mutating func deliverCloseNotification(_ socket: Int) {
    switch sockets[socket].closeNotification {
    case .none: break
    case .failed(let failure): fail(socket, failure)
    case .closed(let closure):
      loseAtClient(socket)
      deliverOnSlowPath(.closed(sockets[socket].generation, closure))
    }
  }

  private mutating func giveUpSending(_ socket: Int) {
    guard sockets[socket].isHeld else { return }
    guard sockets[socket].isCut || sockets[socket].isUpStalled || sockets[socket].isDownStalled else {
      return setIdleClock(socket)
    }
    loseAtClient(socket)
    deliverOnSlowPath(.closed(sockets[socket].generation, .lost))
  }

  private mutating func setIdleClock(_ socket: Int) {
    guard let cut = conditions.idleCut, sockets[socket].isOpened, sockets[socket].control == .none else { return }
    setControl(.idle, on: socket, at: max(now, sockets[socket].lastActivity &+ cut.after))
  }

  private mutating func cutIfIdle(_ socket: Int) {
    guard let idleCut = conditions.idleCut, sockets[socket].isOpened else { return }
    guard sockets[socket].lastActivity &+ idleCut.after <= now else { return setIdleClock(socket) }
    tookEffect(.idleCut)
    if idleCut.isSilent { cut(socket) } else { reset(socket) }
  }

  /// A connection is reset at both ends; the client learns of it at once, or as soon as it is awake.
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
  @inline(__always)
  private func upHead(_ socket: Int) -> Int { 2 &+ 3 &* socket }

  @inline(__always)
  private mutating func place(of generation: Generation) -> Int? {
    if current >= 0, sockets[current].isUsed, sockets[current].generation == generation { return current }
    for place in 0..<8 where sockets[place].isUsed && sockets[place].generation == generation { return place }
    return nil
  }

  @inline(__always)
  mutating func transit(bytes: Int) -> Int64 {
    let usual = world.network.latency.nanoseconds &+ random.halfWaiting(step: jitterStep)
    if conditions.isPlain && bytes == 0 { return usual }
    return usual &+ hardship(bytes: bytes)
  }

  /// What faults and size add to a frame's time.
  @inline(never)
  private mutating func hardship(bytes: Int) -> Int64 {
    var extra: Int64 = 0
    if let latency = conditions.latency {
      extra &+= latency.added &+ Int64(random.unit() * Double(latency.jitter))
      if extra > 0 { tookEffect(.latency) }
    }
    if let rate = conditions.bytesPerSecond, rate < world.network.bytesPerSecond { tookEffect(.bandwidth) }
    // A frame without contents is a packet of 60 bytes all the same.
    extra &+= bytes <= 60 ? packetTime : timeToCarry(bytes: bytes)
    if conditions.loss > 0 || conditions.burst != nil {
      var wait = world.network.retransmission.nanoseconds
      var lost = 0
      while lost < 24, losesPacket() {
        extra &+= wait
        wait = min(wait &* 2, NetworkModel.longestRetransmission)
        lost += 1
      }
    }
    return extra
  }

  /// How long the way takes to carry so many bytes, in nanoseconds.
  mutating func timeToCarry(bytes: Int) -> Int64 {
    let rate = min(conditions.bytesPerSecond ?? .max, max(1, world.network.bytesPerSecond))
    return Int64(Double(bytes) / Double(rate) * 1e9)
  }

  private mutating func losesPacket() -> Bool {
    let isLost = random.happens(conditions.loss)
    let isLostInBurst = conditions.burst?.losesPacket(using: &random) ?? false
    if isLost { tookEffect(.loss) }
    if isLostInBurst { tookEffect(.burstLoss) }
    return isLost || isLostInBurst
  }

  /// The client sends a frame; into nothing where it holds no such connection.
  @inline(__always)
  private mutating func send(_ frame: UpFrame, on generation: Generation, bytes: Int = 0) {
    guard let socket = place(of: generation), sockets[socket].isHeld else { return }
    push(up: frame, on: socket, bytes: bytes)
  }

  @inline(__always)
  private mutating func push(up frame: UpFrame, on socket: Int, bytes: Int = 0) {
    if sockets[socket].isCut { return loseForGood(socket) }
    pushArriving(frame, on: socket, at: now &+ transit(bytes: bytes))
  }

  /// The client sends a ping: nearly all that ever goes up.
  ///
  /// Where nothing can come between the ping and the server, which is nearly always, the server's answer is sent at
  /// once and the ping's arrival is only counted. Nothing can when the way is free and ahead of the ping empty, the
  /// server answers at once, and neither a fault nor the connection's own clock is nearer than the ping's arrival.
  @inline(__always)
  private mutating func sendPing(_ number: UInt32, on generation: Generation) {
    guard current >= 0, sockets[current].generation == generation, sockets[current].isHeld,
      sockets[current].isAtServer, !sockets[current].isCut, sockets[current].up.isEmpty, !conditions.delaysPings
    else { return send(UpFrame(kind: .ping, number: UInt64(number)), on: generation) }
    let arrives = max(now &+ transit(bytes: 0), sockets[current].up.lastArrival)
    if arrives >= heads[1] || arrives >= heads[upHead(current) &+ 2] || arrives > end {
      pushArriving(UpFrame(kind: .ping, number: UInt64(number)), on: current, at: arrives)
      return
    }
    sockets[current].up.lastArrival = arrives
    sockets[current].lastActivity = arrives
    events &+= 1
    let frame = DownFrame(kind: .plain, event: .received(generation, .pong(number)))
    pushArriving(frame, on: current, sent: arrives, at: arrives &+ transit(bytes: 0))
  }

  @inline(__always)
  private mutating func pushArriving(_ frame: UpFrame, on socket: Int, at arrival: Int64) {
    sockets[socket].lastActivity = now
    if up.append(frame, to: &sockets[socket].up, sent: now, arrives: arrival) {
      heads[upHead(socket)] = up.arrival(sockets[socket].up)
    }
  }

  @inline(__always)
  private mutating func pushArriving(_ frame: DownFrame, on socket: Int, sent: Int64, at arrival: Int64) {
    if down.append(frame, to: &sockets[socket].down, sent: sent, arrives: arrival) {
      heads[upHead(socket) &+ 1] = down.arrival(sockets[socket].down)
    }
  }

  /// The server sends a frame, `delay` from now.
  @inline(__always)
  private mutating func push(
    down event: LiveEvent, _ kind: DownFrame.Kind, on socket: Int, bytes: Int = 0, delay: Int64 = 0
  ) {
    if sockets[socket].isCut { return }
    sockets[socket].lastActivity = now
    let sent = now &+ delay
    pushArriving(DownFrame(kind: kind, event: event), on: socket, sent: sent, at: sent &+ transit(bytes: bytes))
  }

  private mutating func pushLoss(on socket: Int) {
    push(down: .closed(sockets[socket].generation, .lost), .closed, on: socket)
  }

  /// What is sent on a connection that died is never acknowledged, and in the end the kernel notices.
  private mutating func loseForGood(_ socket: Int) {
    guard sockets[socket].control == .none || sockets[socket].control == .idle else { return }
    setControl(.sendTimeout, on: socket, at: now &+ world.network.sendTimeout.nanoseconds)
  }

  @inline(__always)
  private mutating func arriveAtServer(_ socket: Int) {
    if conditions.isUpBlocked {
      holdBack(.up)
      sockets[socket].isUpStalled = true
      heads[upHead(socket)] = .max
      stall(socket)
      return
    }
    let frame = up.removeFirst(&sockets[socket].up)
    heads[upHead(socket)] = up.arrival(sockets[socket].up)
    if sockets[socket].isUpStalled {
      sockets[socket].isUpStalled = false
      isServiceDirty = true
    }
    serve(frame, on: socket)
  }

  @inline(__always)
  private mutating func arriveAtClient(_ socket: Int) {
    if conditions.isDownBlocked || conditions.isAsleep {
      holdBack(.down)
      sockets[socket].isDownStalled = true
      heads[upHead(socket) &+ 1] = .max
      stall(socket)
      return
    }
    let frame = down.removeFirst(&sockets[socket].down)
    heads[upHead(socket) &+ 1] = down.arrival(sockets[socket].down)
    if sockets[socket].isDownStalled {
      sockets[socket].isDownStalled = false
      isServiceDirty = true
    }
    if frame.kind != .plain { learn(frame, on: socket) }
    if case .received(let generation, .pong(let number)) = frame.event {
      deliver(.received(generation, .pong(number)))
    } else {
      deliverOnSlowPath(frame.event)
    }
    if !sockets[socket].isHeld { release(socket) }
  }

  @inline(__always)
  private mutating func tookEffect(_ kind: Fault.Kind) { result.effective |= 1 << UInt64(kind.rawValue) }

  /// Something is kept from going on in that direction: which faults keep it.
  @inline(never)
  private mutating func holdBack(_ direction: Fault.Direction) {
    if conditions.isBlackHole { tookEffect(.blackHole) }
    if conditions.partition == direction { tookEffect(.partition) }
    if conditions.isOffline { tookEffect(.offline) }
    if conditions.isAllLost { tookEffect(.loss) }
    if conditions.isAllLostInBursts { tookEffect(.burstLoss) }
    if conditions.departure == .vanished { tookEffect(.restart) }
  }

  private mutating func stall(_ socket: Int) {
    isServiceDirty = true
    if sockets[socket].isOpened, !conditions.isAsleep { loseForGood(socket) }
  }

  /// The way is free again: what waited goes on with the next retransmission. Or the phone just woke: what it received
  /// in its sleep is there at once.
  private mutating func releaseStalled(isAwakened: Bool = false) {
    for socket in 0..<8 where sockets[socket].isUsed {
      if sockets[socket].isUpStalled, !conditions.isUpBlocked, !sockets[socket].up.isEmpty {
        let isFirst = !sockets[socket].isAtServer
        heads[upHead(socket)] = retransmitted(up.sent(sockets[socket].up), isFirst: isFirst)
      }
      if sockets[socket].isDownStalled, !conditions.isDownBlocked, !conditions.isAsleep, !sockets[socket].down.isEmpty {
        heads[upHead(socket) &+ 1] =
          isAwakened
          ? max(now &+ 1_000, down.arrival(sockets[socket].down))
          : retransmitted(down.sent(sockets[socket].down), isFirst: false)
      }
    }
  }

  private mutating func retransmitted(_ sent: Int64, isFirst: Bool) -> Int64 {
    world.network.moment(ofResending: sent, from: now, isFirst: isFirst) &+ transit(bytes: 0)
  }

  /// A connection dies and neither end learns of it.
  private mutating func cut(_ socket: Int) {
    guard sockets[socket].isUsed, !sockets[socket].isCut else { return }
    sockets[socket].isCut = true
    up.removeAll(&sockets[socket].up)
    down.removeAll(&sockets[socket].down)
    heads[upHead(socket)] = .max
    heads[upHead(socket) &+ 1] = .max
    isServiceDirty = true
    if !sockets[socket].isHeld { leaveToServer(socket) }
  }

  private mutating func loseAtServer(_ socket: Int) {
    guard sockets[socket].isAtServer else { return }
    sockets[socket].isAtServer = false
    sockets[socket].isSubscribed = false
    isServiceDirty = true
    observer.saw(.lostAtServer(sockets[socket].generation), at: moment)
  }

  /// The client's end is gone, by its own wish or because it is notified.
  private mutating func loseAtClient(_ socket: Int) {
    guard sockets[socket].isHeld else { return }
    sockets[socket].isHeld = false
    sockets[socket].isOpened = false
    seen.truth.clientSockets -= 1
    isServiceDirty = true
    observer.saw(.lostAtClient(sockets[socket].generation), at: moment)
  }

  /// Frees the place of a connection that neither end needs.
  private mutating func release(_ socket: Int) {
    guard sockets[socket].isUsed, !sockets[socket].isHeld, sockets[socket].control != .closeNotification else { return }
    if sockets[socket].isAtServer {
      if sockets[socket].control == .none { leaveToServer(socket) }
      return
    }
    clear(socket)
  }

  /// The server goes on with a connection whose client is gone, until it notices.
  private mutating func leaveToServer(_ socket: Int) {
    guard sockets[socket].control != .closeNotification else { return }
    setControl(.serverTimeout, on: socket, at: now &+ world.server.keepsDead.nanoseconds)
  }

  private mutating func clear(_ socket: Int) {
    up.removeAll(&sockets[socket].up)
    down.removeAll(&sockets[socket].down)
    sockets[socket] = Socket()
    for part in 0..<3 { heads[upHead(socket) &+ part] = .max }
    if current == socket { current = -1 }
    while headCount > 2, !sockets[(headCount - 5) / 3].isUsed { headCount -= 3 }
  }

  private mutating func setControl(_ control: Socket.Control, on socket: Int, at moment: Int64) {
    sockets[socket].control = control
    heads[upHead(socket) &+ 2] = control == .none ? .max : moment
  }
}

// MARK: The server

extension Session {
  @inline(__always)
  private mutating func serve(_ frame: UpFrame, on socket: Int) {
    if frame.kind == .ping, sockets[socket].isAtServer, conditions.pongDelay == 0, !conditions.isWithoutPongs {
      let number = UInt32(truncatingIfNeeded: frame.number)
      push(down: .received(sockets[socket].generation, .pong(number)), .plain, on: socket)
    } else {
      serveOnSlowPath(frame, on: socket)
    }
  }

  @inline(never)
  private mutating func serveOnSlowPath(_ frame: UpFrame, on socket: Int) {
    if frame.kind == .hello { return answerHandshake(socket) }
    guard sockets[socket].isAtServer else {
      // The server does not know this connection: a reset, unless the server's system still holds it.
      if frame.kind != .reset, !sockets[socket].isMute, sockets[socket].isHeld { pushLoss(on: socket) }
      release(socket)
      return
    }
    switch frame.kind {
    case .hello, .pong: break
    case .ping: answerPingLate(frame, on: socket)
    case .resume: resume(after: StreamPosition(epoch: frame.epoch, offset: frame.number), on: socket)
    case .resumeFromNow: resume(after: nil, on: socket)
    case .message: take(frame.number, on: socket)
    case .close:
      let code = CloseCode(UInt16(truncatingIfNeeded: frame.number))
      push(down: .closed(sockets[socket].generation, Closure(.client, code)), .closed, on: socket)
      loseAtServer(socket)
    case .reset:
      loseAtServer(socket)
      release(socket)
    }
  }

  private mutating func answerPingLate(_ frame: UpFrame, on socket: Int) {
    guard !conditions.isWithoutPongs else { return tookEffect(.noPongs) }
    tookEffect(.latePongs)
    let pong = LiveEvent.received(sockets[socket].generation, .pong(UInt32(truncatingIfNeeded: frame.number)))
    let held = DownFrame(kind: .plain, event: pong)
    _ = down.append(held, to: &late, sent: now, arrives: now &+ conditions.pongDelay)
    set(.latePong, at: down.arrival(late))
  }

  private mutating func sendLatePong() {
    let pong = down.removeFirst(&late)
    set(.latePong, at: down.arrival(late))
    guard let generation = pong.event.generation, let socket = place(of: generation), sockets[socket].isAtServer else {
      return
    }
    push(down: pong.event, .plain, on: socket)
  }

  private mutating func answerHandshake(_ socket: Int) {
    let generation = sockets[socket].generation
    if conditions.departure != nil || conditions.isRefused {
      tookEffect(conditions.departure != nil ? .restart : .refused)
      return push(down: .failed(generation, .connectionRefused), .failed, on: socket)
    }
    if let refusal = refusalAtHand() { return push(down: .refused(generation, refusal), .failed, on: socket) }
    sockets[socket].isAtServer = true
    sockets[socket].isSubscribed = !settings.resumesStream
    isServiceDirty = true
    observer.saw(.accepted(generation), at: moment)
    push(down: .opened(generation), .opened, on: socket)
    turnOut(socket, isResumed: false)
  }

  /// Closes a connection that was accepted only to be closed, when it has come so far.
  private mutating func turnOut(_ socket: Int, isResumed: Bool) {
    guard let fault = conditions.acceptThenClose, (fault.resumes && settings.resumesStream) == isResumed else { return }
    tookEffect(.acceptThenClose)
    close(socket, fault.code, delay: fault.after)
  }

  private mutating func refusalAtHand() -> Refusal? {
    if let refusal = conditions.refusal {
      tookEffect(.refusal)
      return refusal
    }
    if let redirect = conditions.redirect {
      tookEffect(.redirect)
      return Refusal(status: 307, redirect: redirect)
    }
    if let expired = conditions.expired, phone.credentialsSince <= expired.since {
      tookEffect(.expiredCredentials)
      return Refusal(status: 401)
    }
    if let shedding = conditions.shedding, random.happens(shedding.share) {
      tookEffect(.shedding)
      return Refusal(status: 503, retryAfter: shedding.retryAfter)
    }
    return nil
  }

  /// The server sends a close frame and neither reads nor sends on this connection any more.
  private mutating func close(_ socket: Int, _ code: CloseCode, delay: Int64) {
    guard sockets[socket].isAtServer else { return }
    push(down: .closed(sockets[socket].generation, Closure(.server, code)), .closed, on: socket, delay: delay)
    sockets[socket].isMute = true
    loseAtServer(socket)
  }

  private mutating func publish() {
    guard let mean = world.server.publishes else { return }
    set(.publishes, at: now &+ random.waiting(mean).nanoseconds)
    guard conditions.departure == nil else { return }
    let end = seen.truth.notePublished(keeping: world.server.history)
    let bytes = world.server.messageBytes
    observer.saw(.published(end, bytes: bytes), at: moment)
    let place = settings.resumesStream ? end : nil
    for socket in 0..<8 where sockets[socket].isSubscribed {
      push(down: .received(sockets[socket].generation, .message(place, bytes: bytes)), .plain, on: socket, bytes: bytes)
    }
  }

  /// The client wants the stream from a place on. What the server no longer has is left out, and the answer says so.
  private mutating func resume(after asked: StreamPosition?, on socket: Int) {
    let end = seen.truth.streamEnd
    let start = seen.truth.streamGoesOn(after: asked)
    let generation = sockets[socket].generation
    sockets[socket].isSubscribed = true
    sockets[socket].target = end
    push(down: .received(generation, .resumed(after: start)), .resumed, on: socket)
    let bytes = world.server.messageBytes
    var offset = start.offset
    while offset < end.offset {
      offset &+= 1
      let place = StreamPosition(epoch: end.epoch, offset: offset)
      push(down: .received(generation, .message(place, bytes: bytes)), .plain, on: socket, bytes: bytes)
    }
    turnOut(socket, isResumed: true)
  }

  private mutating func take(_ number: UInt64, on socket: Int) {
    let mayComeAgain = settings.unacknowledged == .sendAgain
    let (isRepeated, isUndue) = server.messages.take(number, mayComeAgain: mayComeAgain)
    if isUndue { seen.truth.messagesTakenUnduly &+= 1 }
    observer.saw(.took(MessageNumber(number), isRepeated: isRepeated), at: moment)
    let through = MessageNumber(server.messages.through)
    push(down: .received(sockets[socket].generation, .acknowledged(through: through)), .plain, on: socket)
  }

  private mutating func pingClients() {
    guard let interval = world.server.pings else { return }
    set(.serverPings, at: now &+ interval.nanoseconds)
    server.ping &+= 1
    for socket in 0..<8 where sockets[socket].isAtServer {
      push(down: .received(sockets[socket].generation, .ping(server.ping)), .plain, on: socket)
    }
  }

  private mutating func stopServer(_ how: Fault.Departure) {
    observer.saw(.serverStopped, at: moment)
    for socket in 0..<8 where sockets[socket].isUsed {
      if sockets[socket].isAtServer { tookEffect(.restart) }
      switch how {
      case .graceful: close(socket, CloseCode(1012), delay: 0)
      case .killed:
        if sockets[socket].isAtServer { pushLoss(on: socket) }
        loseAtServer(socket)
      case .vanished:
        down.removeAll(&sockets[socket].down)
        heads[upHead(socket) &+ 1] = .max
        sockets[socket].isDownStalled = false
        loseAtServer(socket)
      }
    }
  }

  private mutating func startServer(keepsHistory: Bool, keepsNumbers: Bool) {
    if !keepsHistory { seen.truth.noteHistoryLost() }
    if !keepsNumbers { server.messages.forgetNumbers() }
    observer.saw(.serverStarted, at: moment)
  }
}

// MARK: Faults and the device

extension Session {
  @inline(__always)
  private mutating func set(_ kind: Infrequent, at moment: Int64) {
    infrequent[kind.rawValue] = moment
    var next = infrequent[0]
    for place in 1..<8 { next = min(next, infrequent[place]) }
    heads[1] = next
  }

  @inline(never)
  private mutating func handleInfrequent(_ schedule: borrowing FaultSchedule) {
    // Without branches, which nothing could foretell, and with the one after it, so that nothing is read again behind
    // what is written.
    var (place, at, following) = (0, infrequent[0], Int64.max)
    for other in 1..<8 {
      let moment = infrequent[other]
      let isSooner = moment < at
      following = min(following, isSooner ? at : moment)
      place = isSooner ? other : place
      at = isSooner ? moment : at
    }
    guard let kind = Infrequent(rawValue: place) else { return }
    infrequent[place] = .max
    heads[1] = following
    let isOfPhone = kind == .appSends || kind == .credentials || kind == .staleTimer
    if conditions.isAsleep, isOfPhone {
      phone.pending |= 1 << UInt8(place)
      return
    }
    switch kind {
    case .faults: passBoundary(schedule)
    case .appSends: appSends()
    case .publishes: publish()
    case .serverPings: pingClients()
    case .credentials: answerCredentials()
    case .staleTimer: deliverOnSlowPath(.timer(phone.staleTag))
    case .latePong: sendLatePong()
    case .woke: if !conditions.isAsleep { deliverWoke() }
    }
  }

  private mutating func answerCredentials() {
    // The way to the source of credentials is the same: until it is free, the request is repeated.
    if conditions.isBlocked {
      holdBack(conditions.isUpBlocked ? .up : .down)
      set(.credentials, at: now &+ 1_000_000_000)
      return
    }
    let isFresh = conditions.expired?.isRefreshable ?? true
    if isFresh { phone.credentialsSince = max(now, 1) }
    deliverOnSlowPath(.credentials(phone.credentialsFor, isFresh: isFresh))
  }

  private mutating func setNextBoundary(_ schedule: borrowing FaultSchedule) {
    set(.faults, at: faults.nextBoundary(of: schedule))
  }

  private mutating func passBoundary(_ schedule: borrowing FaultSchedule) {
    switch faults.passBoundary(of: schedule, at: now) {
    case .began(let place):
      observer.saw(.faultBegan(place), at: moment)
      let fault = schedule.faults[place].fault
      if fault.kind.isMoment { happen(fault) } else { set(fault, holds: true) }
    case .ended(let place):
      observer.saw(.faultEnded(place), at: moment)
      set(schedule.faults[place].fault, holds: false)
    }
    isServiceDirty = true
    setNextBoundary(schedule)
  }

  private mutating func set(_ fault: Fault, holds: Bool) {
    conditions.set(fault, holds, at: now)
    packetTime = timeToCarry(bytes: 60)
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
      phone.timer = seen.truth.timer == nil ? .max : max(now, clock.world(at: seen.truth.timerDue.nanoseconds))
      if !conditions.isAsleep { heads[0] = phone.timer }
      if clock.millionths != 0 { tookEffect(.clockSkew) }
    default: break
    }
    if !holds, fault.kind != .sleep { releaseStalled() }
  }

  private mutating func happen(_ fault: Fault) {
    for socket in 0..<8 where sockets[socket].isUsed {
      let generation = sockets[socket].generation
      // What was cut or never got to the server is not touched again; a reset and a new network reach both ends.
      let isTouched = fault.kind == .reset ? sockets[socket].isHeld : sockets[socket].isAtServer
      if isTouched, !sockets[socket].isCut { tookEffect(fault.kind) }
      switch fault.kind {
      case .halfOpen: if sockets[socket].isAtServer { cut(socket) }
      case .reset: reset(socket)
      case .close: close(socket, fault.closeCode, delay: fault[1])
      case .garbage where sockets[socket].isAtServer:
        push(down: .received(generation, .malformed(fault.closeCode)), .plain, on: socket)
      case .enormousFrame where sockets[socket].isAtServer:
        push(down: .received(generation, .malformed(CloseCode(1009))), .plain, on: socket, bytes: Int(fault[0]))
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
    heads[0] = .max
    tookEffect(.sleep)
    seen.truth.isAsleep = true
    observer.saw(.device(isAsleep: true), at: moment)
  }

  /// The phone wakes: what was due happens, and the client learns of the waking before it or behind it.
  private mutating func wake() {
    seen.truth.isAsleep = false
    observer.saw(.device(isAsleep: false), at: moment)
    heads[0] = phone.timer
    for place in 0..<8 where phone.pending >> UInt8(place) & 1 == 1 {
      if let kind = Infrequent(rawValue: place) { set(kind, at: now &+ 500_000) }
    }
    phone.pending = 0
    for socket in 0..<8 where sockets[socket].control != .none && heads[upHead(socket) &+ 2] == .max {
      heads[upHead(socket) &+ 2] = now &+ 200_000
    }
    releaseStalled(isAwakened: true)
    if random.word() & 1 == 0 { deliverWoke() } else { set(.woke, at: now &+ 1_000_000) }
  }

  private mutating func deliverWoke() {
    deliverOnSlowPath(.woke)
    reportDevice()
  }

  /// Delivers what the phone knows and the client does not.
  private mutating func reportDevice() {
    if conditions.isAsleep { return }
    if phone.hasPendingNetworkChange {
      phone.hasPendingNetworkChange = false
      tookEffect(.networkChange)
      deliverOnSlowPath(.networkChanged)
    }
    let isReachable = !conditions.isOffline
    if phone.reportedReachable != isReachable {
      phone.reportedReachable = isReachable
      if !isReachable { tookEffect(.offline) }
      deliverOnSlowPath(.network(isReachable: isReachable))
    }
    let isInFront = !conditions.isInBackground
    if phone.reportedInFront != isInFront {
      phone.reportedInFront = isInFront
      if !isInFront { tookEffect(.background) }
      deliverOnSlowPath(.app(isInFront: isInFront))
    }
  }
}

// MARK: Whether the client is served

extension Session {
  /// Whether the client is in sync, and whether an attempt could succeed, after something changed.
  @inline(never)
  private mutating func updateService(_ schedule: borrowing FaultSchedule) {
    isServiceDirty = false
    if phone.isStopped { return }
    notePossible()
    let isServed = isCarrying && sockets[current].isCurrent(delivered: seen.truth.streamDelivered)
    if isServed != self.isServed {
      self.isServed = isServed
      observer.saw(.served(isServed), at: moment)
      if isServed {
        result.outages.end(at: Instant(nanoseconds: now))
      } else {
        beginOutage(schedule)
      }
    }
    faults.leaveBoundary()
  }

  private var isCarrying: Bool {
    guard current >= 0, !conditions.isBlocked, !conditions.isAsleep else { return false }
    return sockets[current].isCarrying
  }

  private mutating func notePossible() {
    let isPossible = conditions.letAttemptsSucceed(under: settings)
    guard isPossible != seen.truth.isPossible else { return }
    seen.truth.isPossible = isPossible
    if !isServed { result.outages.note(isPossible: isPossible, at: Instant(nanoseconds: now)) }
  }

  private mutating func beginOutage(_ schedule: borrowing FaultSchedule) {
    result.outages.begin(
      by: faults.cause(in: schedule, at: now), at: Instant(nanoseconds: now), isPossible: seen.truth.isPossible,
      isNoticed: seen.subject.status.phase != .connected)
  }

  /// The client's status changed: whether it has noticed the outage.
  private mutating func noteStatus() {
    guard !isServed, !phone.isStopped, seen.subject.status.phase != .connected else { return }
    result.outages.noteNoticed(at: Instant(nanoseconds: now))
  }

  private mutating func noteDelivered() {
    if current >= 0, !sockets[current].isCaughtUp { isServiceDirty = true }
  }
}

extension Closure {
  /// As a socket reports a connection that ended without a close frame.
  fileprivate static let lost = Closure(.network, CloseCode(1006))
}
