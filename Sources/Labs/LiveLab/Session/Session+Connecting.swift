// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension Session {
  /// The client asks for a connection.
  mutating func open(_ generation: Generation) {
    let socket = placeForAnother()
    sockets[socket].isUsed = true
    sockets[socket].isHeld = true
    sockets[socket].generation = generation
    sockets[socket].lastActivity = now
    headCount = max(headCount, upHead(socket) &+ 3)
    current = socket
    seen.truth.clientSockets += 1
    (seen.truth.generation, seen.truth.isOpenAtClient, seen.truth.isOpenAtServer) = (generation, false, false)
    isServiceDirty = true
    result.attempts &+= 1
    if !isServed, !result.outages.isEmpty { result.outages[result.outages.count - 1].attempts += 1 }
    if let (failure, after) = failureAtHand() {
      sockets[socket].lastWord = .failed(failure)
      setControl(.lastWord, on: socket, at: now &+ after)
      return
    }
    setControl(.connectTimeout, on: socket, at: now &+ world.network.connectTimeout.nanoseconds)
    var arrives = now
    for _ in 0..<world.network.roundTripsToOpen { arrives &+= transit(bytes: 0) &+ transit(bytes: 0) }
    arrives &+= transit(bytes: 0)
    if up.append(UpFrame(kind: .hello), to: &sockets[socket].up, sent: now, arrives: arrives) {
      heads[upHead(socket)] = arrives
    }
  }

  /// What an attempt comes to without reaching the server, and after how long.
  private mutating func failureAtHand() -> (ConnectFailure, Int64)? {
    if conditions.isOffline { return (.unreachable, 5_000_000) }
    if conditions.isUpBlocked || conditions.isDownBlocked { return nil }
    if let after = conditions.nameNotFound { return (.nameNotFound, after.nanoseconds) }
    let roundTrip = transit(bytes: 0) &+ transit(bytes: 0)
    if conditions.isCaptive { return (.notWebSocket, 3 &* roundTrip) }
    if conditions.isInsecure { return (.insecure, 2 &* roundTrip) }
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

  /// The client drops a connection: a reset goes out and is not repeated, and what the server said may still be told.
  mutating func abort(_ generation: Generation) {
    guard let socket = place(of: generation), sockets[socket].isHeld else { return }
    loseAtClient(socket)
    if conditions.isUpBlocked || sockets[socket].isCut || sockets[socket].isUpStalled {
      up.removeAll(&sockets[socket].up)
      heads[upHead(socket)] = .max
    } else {
      push(up: UpFrame(kind: .reset), on: socket)
    }
    let wait = random.below(UInt64(max(1, world.phone.lastWords.nanoseconds)))
    sockets[socket].lastWord = .closed(Closure(.client, CloseCode(1006)))
    setControl(.lastWord, on: socket, at: now &+ Int64(wait))
  }

  /// What a frame of the server that ends or begins something means for the seen.truth, before the client is told.
  mutating func learn(_ frame: DownFrame, on socket: Int) {
    guard sockets[socket].isHeld else { return }
    switch frame.kind {
    case .plain: break
    case .opened:
      sockets[socket].isOpened = true
      setControl(.none, on: socket, at: .max)
      watchIdle(socket)
      result.opened &+= 1
      if !settings.resumesStream { (sockets[socket].isResumed, sockets[socket].isCaughtUp) = (true, true) }
      if socket == current { seen.truth.isOpenAtClient = true }
    case .failed:
      loseAtClient(socket)
      sayLast(.closed(Closure(.network, CloseCode(1006))), on: socket, after: 1_000_000)
    case .closed:
      loseAtClient(socket)
      if sockets[socket].control != .lastWord { setControl(.none, on: socket, at: .max) }
    case .resumed:
      sockets[socket].isResumed = true
      if seen.truth.streamDelivered == nil, case .received(_, .resumed(let place)) = frame.event {
        seen.truth.streamDelivered = place
      }
    }
    isServiceDirty = true
  }

  /// The client is told how a connection ended, a little later.
  mutating func sayLast(_ word: Socket.LastWord, on socket: Int, after wait: Int64) {
    sockets[socket].lastWord = word
    setControl(.lastWord, on: socket, at: now &+ wait)
  }

  /// A connection's own clock rang.
  mutating func control(_ socket: Int) {
    heads[upHead(socket) &+ 2] = .max
    let control = sockets[socket].control
    // A phone that sleeps is told when it wakes: `wake` sets the clock again.
    if conditions.isAsleep, control != .idle, control != .serverTimeout { return }
    sockets[socket].control = .none
    switch control {
    case .none: break
    case .connectTimeout: fail(socket, .timedOut)
    case .lastWord: tellLastWord(socket)
    case .idle: lookForIdleness(socket)
    case .sendTimeout: giveUpSending(socket)
    case .serverTimeout: loseAtServer(socket)
    }
    release(socket)
  }

  private mutating func fail(_ socket: Int, _ failure: ConnectFailure) {
    guard sockets[socket].isHeld else { return }
    loseAtClient(socket)
    // As sockets do: an error, and then a close.
    sayLast(.closed(Closure(.network, CloseCode(1006))), on: socket, after: 1_000_000)
    tellRare(.failed(sockets[socket].generation, failure))
  }

  private mutating func tellLastWord(_ socket: Int) {
    switch sockets[socket].lastWord {
    case .none: break
    case .failed(let failure): fail(socket, failure)
    case .closed(let closure):
      loseAtClient(socket)
      tellRare(.closed(sockets[socket].generation, closure))
    }
  }

  private mutating func giveUpSending(_ socket: Int) {
    guard sockets[socket].isHeld else { return }
    guard sockets[socket].isCut || sockets[socket].isUpStalled || sockets[socket].isDownStalled else {
      watchIdle(socket)
      return
    }
    loseAtClient(socket)
    tellRare(.closed(sockets[socket].generation, Closure(.network, CloseCode(1006))))
  }

  // MARK: Proxies that cut idle connections

  mutating func watchIdle(_ socket: Int) {
    guard let cut = conditions.idleCut, sockets[socket].isOpened, sockets[socket].control == .none else { return }
    setControl(.idle, on: socket, at: max(now, sockets[socket].lastActivity &+ cut.after))
  }

  private mutating func lookForIdleness(_ socket: Int) {
    guard let idleCut = conditions.idleCut, sockets[socket].isOpened else { return }
    guard sockets[socket].lastActivity &+ idleCut.after <= now else {
      watchIdle(socket)
      return
    }
    if idleCut.isSilent { cut(socket) } else { reset(socket) }
  }

  /// A connection is reset at both ends; the client is told at once, or as soon as it is awake.
  mutating func reset(_ socket: Int) {
    guard sockets[socket].isUsed, sockets[socket].isHeld else { return }
    let isOpened = sockets[socket].isOpened
    loseAtServer(socket)
    cut(socket)
    sayLast(isOpened ? .closed(Closure(.network, CloseCode(1006))) : .failed(.reset), on: socket, after: 1_000)
  }
}
