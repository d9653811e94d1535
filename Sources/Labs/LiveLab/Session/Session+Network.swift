// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension Session {
  @inline(__always)
  func upHead(_ socket: Int) -> Int { 2 &+ 3 &* socket }

  /// The place of the connection of a generation, where either end or its last word still needs one.
  @inline(__always)
  mutating func place(of generation: Generation) -> Int? {
    if current >= 0, sockets[current].isUsed, sockets[current].generation == generation { return current }
    for place in 0..<8 where sockets[place].isUsed && sockets[place].generation == generation { return place }
    return nil
  }

  // MARK: Packets

  /// How long a frame takes.
  @inline(__always)
  mutating func transit(bytes: Int) -> Int64 {
    let usual = world.network.latency.nanoseconds &+ random.halfWaiting(step: jitterStep)
    if conditions.isPlain && bytes == 0 { return usual }
    return usual &+ hardship(bytes: bytes, retransmission: world.network.retransmission.nanoseconds)
  }

  /// What faults and size add to a frame's time.
  @inline(never)
  private mutating func hardship(bytes: Int, retransmission: Int64) -> Int64 {
    var extra: Int64 = 0
    if let latency = conditions.latency {
      extra &+= latency.added &+ Int64(random.unit() * Double(latency.jitter))
    }
    // A frame without contents is a packet of 60 bytes all the same.
    extra &+= bytes <= 60 ? packetTime : timeToCarry(bytes: bytes)
    if conditions.loss > 0 || conditions.burst != nil {
      var wait = retransmission
      var lost = 0
      while lost < 24, losesPacket() {
        extra &+= wait
        wait = min(wait &* 2, 60_000_000_000)
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
    return (conditions.burst?.losesPacket(using: &random) ?? false) || isLost
  }

  /// The client sends a frame; into nothing where it holds no such connection.
  @inline(__always)
  mutating func send(_ frame: UpFrame, on generation: Generation, bytes: Int = 0) {
    guard let socket = place(of: generation), sockets[socket].isHeld else { return }
    push(up: frame, on: socket, bytes: bytes)
  }

  @inline(__always)
  mutating func push(up frame: UpFrame, on socket: Int, bytes: Int = 0) {
    if sockets[socket].isCut {
      loseForGood(socket)
      return
    }
    pushArriving(frame, on: socket, at: now &+ transit(bytes: bytes))
  }

  /// The client sends a ping: most of all that ever happens.
  ///
  /// Where nothing can come between the ping and the server, which is nearly always, the server's answer is on its way
  /// at once, and the ping's arrival is counted without being waited for. Nothing can when the way is free and ahead of
  /// the ping empty, the server answers at once, and none of the rare things is nearer than the ping's arrival.
  @inline(__always)
  mutating func sendPing(_ number: UInt32, on generation: Generation) {
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
    pong = PongAtHand(number: number, sent: arrives, arrives: arrives &+ transit(bytes: 0))
    if !sockets[current].down.isEmpty { queuePong() }
  }

  /// The pong at hand waits its turn like every other frame.
  @inline(never)
  mutating func queuePong() {
    let frame = DownFrame(kind: .plain, event: .received(sockets[current].generation, .pong(pong.number)))
    if down.append(frame, to: &sockets[current].down, sent: pong.sent, arrives: pong.arrives) {
      heads[upHead(current) &+ 1] = down.arrival(sockets[current].down)
    }
    pong.arrives = .max
  }

  /// The pong at hand arrives, without waiting its turn where nothing can come before it: nearly always.
  @inline(__always)
  mutating func hearPong() {
    let arrives = max(pong.arrives, sockets[current].down.lastArrival)
    guard !isServiceDirty, !sockets[current].isDownStalled, arrives <= end, events < world.mostEvents else {
      return queuePong()
    }
    for place in 0..<headCount where heads[place] <= arrives { return queuePong() }
    sockets[current].down.lastArrival = arrives
    pong.arrives = .max
    now = arrives
    events &+= 1
    let socket = current
    tell(.received(sockets[socket].generation, .pong(pong.number)))
    if pong.arrives != .max { queuePong() }
    if !sockets[socket].isHeld { release(socket) }
  }

  private mutating func pushArriving(_ frame: UpFrame, on socket: Int, at arrival: Int64) {
    sockets[socket].lastActivity = now
    if up.append(frame, to: &sockets[socket].up, sent: now, arrives: arrival) {
      heads[upHead(socket)] = up.arrival(sockets[socket].up)
    }
  }

  /// The server sends a frame, `delay` from now.
  @inline(__always)
  mutating func push(
    down event: LiveEvent, _ kind: DownFrame.Kind, on socket: Int, bytes: Int = 0, delay: Int64 = 0
  ) {
    if sockets[socket].isCut { return }
    sockets[socket].lastActivity = now
    let sent = now &+ delay
    let arrives = sent &+ transit(bytes: bytes)
    if down.append(DownFrame(kind: kind, event: event), to: &sockets[socket].down, sent: sent, arrives: arrives) {
      heads[upHead(socket) &+ 1] = down.arrival(sockets[socket].down)
    }
  }

  /// What is sent on a connection that died is never acknowledged, and in the end the kernel notices.
  private mutating func loseForGood(_ socket: Int) {
    guard sockets[socket].control == .none || sockets[socket].control == .idle else { return }
    setControl(.sendTimeout, on: socket, at: now &+ world.network.sendTimeout.nanoseconds)
  }

  @inline(__always)
  mutating func arriveAtServer(_ socket: Int) {
    if conditions.isUpBlocked {
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
  mutating func arriveAtClient(_ socket: Int) {
    if conditions.isDownBlocked || conditions.isAsleep {
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
      tell(.received(generation, .pong(number)))
      if pong.arrives != .max { queuePong() }
    } else {
      tellRare(frame.event)
    }
    if !sockets[socket].isHeld { release(socket) }
  }

  private mutating func stall(_ socket: Int) {
    isServiceDirty = true
    if sockets[socket].isOpened, !conditions.isAsleep { loseForGood(socket) }
  }

  /// The way is free again, or the phone awake: what waited goes on with the next retransmission.
  ///
  /// - Parameter isAwakened: Whether the phone just woke: what it received in its sleep is there at once.
  mutating func releaseStalled(isAwakened: Bool = false) {
    for socket in 0..<8 where sockets[socket].isUsed {
      if sockets[socket].isUpStalled, !conditions.isUpBlocked, !sockets[socket].up.isEmpty {
        let first = sockets[socket].isAtServer ? world.network.retransmission : world.network.firstRetransmission
        heads[upHead(socket)] = retransmitted(up.sent(sockets[socket].up), first.nanoseconds)
      }
      if sockets[socket].isDownStalled, !conditions.isDownBlocked, !conditions.isAsleep, !sockets[socket].down.isEmpty {
        heads[upHead(socket) &+ 1] =
          isAwakened
          ? max(now &+ 1_000, down.arrival(sockets[socket].down))
          : retransmitted(down.sent(sockets[socket].down), world.network.retransmission.nanoseconds)
      }
    }
  }

  /// When a packet that was sent then, and again after each doubled wait, first gets through from now on.
  private mutating func retransmitted(_ sent: Int64, _ first: Int64) -> Int64 {
    var moment = sent
    var wait = max(first, 1_000_000)
    while moment < now {
      moment &+= wait
      wait = min(wait &* 2, 60_000_000_000)
    }
    return moment &+ transit(bytes: 0)
  }

  // MARK: Ends

  /// A connection dies and nobody is told.
  mutating func cut(_ socket: Int) {
    guard sockets[socket].isUsed, !sockets[socket].isCut else { return }
    sockets[socket].isCut = true
    up.removeAll(&sockets[socket].up)
    down.removeAll(&sockets[socket].down)
    heads[upHead(socket)] = .max
    heads[upHead(socket) &+ 1] = .max
    isServiceDirty = true
    if !sockets[socket].isHeld { leaveToServer(socket) }
  }

  /// The server's end is gone.
  mutating func loseAtServer(_ socket: Int) {
    guard sockets[socket].isAtServer else { return }
    sockets[socket].isAtServer = false
    sockets[socket].isSubscribed = false
    if socket == current { seen.truth.isOpenAtServer = false }
    isServiceDirty = true
    witness.saw(.lostAtServer(sockets[socket].generation), at: moment)
  }

  /// The client's end is gone, by its own wish or because it is told so.
  mutating func loseAtClient(_ socket: Int) {
    guard sockets[socket].isHeld else { return }
    sockets[socket].isHeld = false
    sockets[socket].isOpened = false
    seen.truth.clientSockets -= 1
    if socket == current { seen.truth.isOpenAtClient = false }
    isServiceDirty = true
    witness.saw(.lostAtClient(sockets[socket].generation), at: moment)
  }

  /// A connection that nobody needs any more leaves its place.
  mutating func release(_ socket: Int) {
    guard sockets[socket].isUsed, !sockets[socket].isHeld, sockets[socket].control != .lastWord else { return }
    if sockets[socket].isAtServer {
      if sockets[socket].control == .none { leaveToServer(socket) }
      return
    }
    clear(socket)
  }

  /// The server goes on with a connection whose client is gone, until it notices.
  private mutating func leaveToServer(_ socket: Int) {
    guard sockets[socket].control != .lastWord else { return }
    setControl(.serverTimeout, on: socket, at: now &+ world.server.keepsDead.nanoseconds)
  }

  mutating func clear(_ socket: Int) {
    up.removeAll(&sockets[socket].up)
    down.removeAll(&sockets[socket].down)
    sockets[socket] = Socket()
    for part in 0..<3 { heads[upHead(socket) &+ part] = .max }
    if current == socket { current = -1 }
    while headCount > 2, !sockets[(headCount - 5) / 3].isUsed { headCount -= 3 }
  }

  mutating func setControl(_ control: Socket.Control, on socket: Int, at moment: Int64) {
    sockets[socket].control = control
    heads[upHead(socket) &+ 2] = control == .none ? .max : moment
  }
}
