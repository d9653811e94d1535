// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension Session {
  /// A frame of the client arrives at the server.
  @inline(__always)
  mutating func serve(_ frame: UpFrame, on socket: Int) {
    if frame.kind == .ping, sockets[socket].isAtServer, conditions.pongDelay == 0, !conditions.isWithoutPongs {
      let number = UInt32(truncatingIfNeeded: frame.number)
      push(down: .received(sockets[socket].generation, .pong(number)), .plain, on: socket)
    } else {
      serveRare(frame, on: socket)
    }
  }

  @inline(never)
  private mutating func serveRare(_ frame: UpFrame, on socket: Int) {
    if frame.kind == .hello {
      answerHandshake(socket)
      return
    }
    guard sockets[socket].isAtServer else {
      // Nobody knows this connection any more: a reset, unless the server's system still holds it.
      if frame.kind != .reset, !sockets[socket].isMute, sockets[socket].isHeld {
        push(down: .closed(sockets[socket].generation, Closure(.network, CloseCode(1006))), .closed, on: socket)
      }
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
    guard !conditions.isWithoutPongs else { return }
    late.append(
      UInt32(truncatingIfNeeded: frame.number), of: sockets[socket].generation, at: now &+ conditions.pongDelay)
    set(.latePong, at: late.next)
  }

  mutating func sendLatePong() {
    let (generation, number) = late.removeFirst()
    set(.latePong, at: late.next)
    guard let socket = place(of: generation), sockets[socket].isAtServer else { return }
    push(down: .received(generation, .pong(number)), .plain, on: socket)
  }

  // MARK: The handshake

  private mutating func answerHandshake(_ socket: Int) {
    let generation = sockets[socket].generation
    if conditions.departure != nil || conditions.isRefused {
      push(down: .failed(generation, .connectionRefused), .failed, on: socket)
      return
    }
    if let refusal = refusalAtHand() {
      push(down: .refused(generation, refusal), .failed, on: socket)
      return
    }
    sockets[socket].isAtServer = true
    sockets[socket].isSubscribed = !settings.resumesStream
    if socket == current { seen.truth.isOpenAtServer = true }
    isServiceDirty = true
    witness.saw(.accepted(generation), at: moment)
    push(down: .opened(generation), .opened, on: socket)
    turnOut(socket, isResumed: false)
  }

  /// Closes a connection that was accepted only to be closed, when it has come so far.
  private mutating func turnOut(_ socket: Int, isResumed: Bool) {
    guard let fault = conditions.acceptThenClose, (fault.resumes && settings.resumesStream) == isResumed else { return }
    close(socket, fault.code, delay: fault.after.nanoseconds)
  }

  private mutating func refusalAtHand() -> Refusal? {
    if let refusal = conditions.refusal { return refusal }
    if let redirect = conditions.redirect { return Refusal(status: 307, redirect: redirect) }
    if let expired = conditions.expired, phone.credentialsSince <= expired.since { return Refusal(status: 401) }
    if let shedding = conditions.shedding, random.happens(shedding.share) {
      return Refusal(status: 503, retryAfter: shedding.retryAfter)
    }
    return nil
  }

  /// The server says good-bye and hears no more of this connection.
  mutating func close(_ socket: Int, _ code: CloseCode, delay: Int64) {
    guard sockets[socket].isAtServer else { return }
    push(
      down: .closed(sockets[socket].generation, Closure(.server, code)), .closed, on: socket, delay: delay)
    sockets[socket].isMute = true
    loseAtServer(socket)
  }

  // MARK: The stream

  mutating func publish() {
    guard let mean = world.server.publishes else { return }
    set(.publishes, at: now &+ random.waiting(mean).nanoseconds)
    guard conditions.departure == nil else { return }
    let end = StreamPosition(epoch: seen.truth.streamEnd.epoch, offset: seen.truth.streamEnd.offset &+ 1)
    seen.truth.streamEnd = end
    if end.offset > seen.truth.historyStart.offset &+ world.server.history {
      seen.truth.historyStart = StreamPosition(epoch: end.epoch, offset: end.offset &- world.server.history)
    }
    let bytes = world.server.messageBytes
    witness.saw(.published(end, bytes: bytes), at: moment)
    let place = settings.resumesStream ? end : nil
    for socket in 0..<8 where sockets[socket].isSubscribed {
      push(down: .received(sockets[socket].generation, .message(place, bytes: bytes)), .plain, on: socket, bytes: bytes)
    }
  }

  /// The client wants the stream from a place on. What the server no longer has is left out, and the answer says so.
  private mutating func resume(after asked: StreamPosition?, on socket: Int) {
    let end = seen.truth.streamEnd
    var start = end
    if let asked {
      let isKnown = asked.epoch == end.epoch && asked.offset <= end.offset
      start = isKnown && asked.offset >= seen.truth.historyStart.offset ? asked : seen.truth.historyStart
    }
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

  /// A message of the app: numbers come in order, so what is not above the highest is a double.
  private mutating func take(_ number: UInt64, on socket: Int) {
    let isRepeated = number <= server.takenThrough
    if isRepeated {
      seen.truth.messagesRepeated &+= 1
    } else {
      server.takenThrough = number
      takeAsNew(number)
    }
    witness.saw(.took(MessageNumber(number), isRepeated: isRepeated), at: moment)
    let through = MessageNumber(server.takenThrough)
    push(down: .received(sockets[socket].generation, .acknowledged(through: through)), .plain, on: socket)
  }

  /// Takes what the server does not know, or knows no more.
  private mutating func takeAsNew(_ number: UInt64) {
    guard server.taken.contains(number) else {
      server.taken.insert(number)
      seen.truth.messagesTaken &+= 1
      return
    }
    seen.truth.messagesTakenAgain &+= 1
    if number <= server.settledWhenForgotten || settings.unacknowledged == .drop {
      seen.truth.messagesTakenUnduly &+= 1
    }
  }

  mutating func pingClients() {
    guard let interval = world.server.pings else { return }
    set(.serverPings, at: now &+ interval.nanoseconds)
    server.ping &+= 1
    for socket in 0..<8 where sockets[socket].isAtServer {
      push(down: .received(sockets[socket].generation, .ping(server.ping)), .plain, on: socket)
    }
  }

  // MARK: Coming and going

  mutating func stopServer(_ how: Fault.Departure) {
    witness.saw(.serverStopped, at: moment)
    for socket in 0..<8 where sockets[socket].isUsed {
      switch how {
      case .graceful: close(socket, CloseCode(1012), delay: 0)
      case .killed:
        if sockets[socket].isAtServer {
          push(down: .closed(sockets[socket].generation, Closure(.network, CloseCode(1006))), .closed, on: socket)
        }
        loseAtServer(socket)
      case .vanished:
        down.removeAll(&sockets[socket].down)
        heads[upHead(socket) &+ 1] = .max
        sockets[socket].isDownStalled = false
        loseAtServer(socket)
      }
    }
  }

  mutating func startServer(keepsHistory: Bool, keepsNumbers: Bool) {
    if !keepsHistory {
      seen.truth.streamEnd = StreamPosition(epoch: seen.truth.streamEnd.epoch &+ 1, offset: 0)
      seen.truth.historyStart = seen.truth.streamEnd
    }
    if !keepsNumbers { server.forgetNumbers(settledThrough: phone.settledThrough) }
    witness.saw(.serverStarted, at: moment)
  }
}
