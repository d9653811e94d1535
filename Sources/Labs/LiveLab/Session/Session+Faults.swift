// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension Session {
  @inline(__always)
  mutating func set(_ kind: Rare, at moment: Int64) {
    rare[kind.rawValue] = moment
    var next = rare[0]
    for place in 1..<8 { next = min(next, rare[place]) }
    heads[1] = next
  }

  /// The next of the rare things happens.
  @inline(never)
  mutating func happenRare(_ schedule: borrowing FaultSchedule) {
    // Without branches, which nothing could foretell, and with the one after it, so that nothing is read again behind
    // what is written.
    var (place, at, following) = (0, rare[0], Int64.max)
    for other in 1..<8 {
      let moment = rare[other]
      let isSooner = moment < at
      following = min(following, isSooner ? at : moment)
      place = isSooner ? other : place
      at = isSooner ? moment : at
    }
    guard let kind = Rare(rawValue: place) else { return }
    rare[place] = .max
    heads[1] = following
    let isOfPhone = kind == .appSends || kind == .credentials || kind == .staleRing
    if conditions.isAsleep, isOfPhone {
      phone.owes |= 1 << UInt8(place)
      return
    }
    switch kind {
    case .faults: passBoundary(schedule)
    case .appSends: appSends()
    case .publishes: publish()
    case .serverPings: pingClients()
    case .credentials: answerCredentials()
    case .staleRing: tellRare(.timer(phone.staleTag))
    case .latePong: sendLatePong()
    case .woke: if !conditions.isAsleep { tellWoke() }
    }
  }

  private mutating func answerCredentials() {
    // The way to whoever gives credentials is the same: until it is free, whoever asks goes on asking.
    if conditions.isUpBlocked || conditions.isDownBlocked {
      set(.credentials, at: now &+ 1_000_000_000)
      return
    }
    let isFresh = conditions.expired?.isRefreshable ?? true
    if isFresh { phone.credentialsSince = max(now, 1) }
    tellRare(.credentials(phone.credentialsFor, isFresh: isFresh))
  }

  // MARK: Beginnings and ends of faults

  mutating func setNextBoundary(_ schedule: borrowing FaultSchedule) {
    let isLast = faults.next >= schedule.faults.count
    let begins = isLast ? Int64.max : schedule.faults[faults.next].at.nanoseconds
    set(.faults, at: min(begins, nextEnd(schedule).at))
  }

  private mutating func nextEnd(_ schedule: borrowing FaultSchedule) -> (at: Int64, place: Int) {
    var found = (at: Int64.max, place: -1)
    for index in 0..<faults.count {
      let place = Int(faults.holding[index])
      let end = schedule.faults[place].end.nanoseconds
      if end < found.at { found = (end, place) }
    }
    return found
  }

  private mutating func passBoundary(_ schedule: borrowing FaultSchedule) {
    let (end, ending) = nextEnd(schedule)
    if end <= now {
      faults.release(ending)
      faults.inHand = ending
      witness.saw(.faultEnded(ending), at: moment)
      hold(schedule.faults[ending].fault, false)
    } else {
      let place = faults.next
      faults.next += 1
      faults.inHand = place
      faults.lastBegun = place
      witness.saw(.faultBegan(place), at: moment)
      let timed = schedule.faults[place]
      if timed.fault.kind.isMoment {
        strike(timed.fault)
      } else {
        faults.hold(place)
        hold(timed.fault, true)
      }
    }
    isServiceDirty = true
    setNextBoundary(schedule)
  }

  /// A fault begins to hold, or is over.
  private mutating func hold(_ fault: Fault, _ holds: Bool) {
    conditions.set(fault, holds, at: now)
    packetTime = timeToCarry(bytes: 60)
    switch fault {
    case .restart(let how, let keepsHistory, let keepsNumbers):
      if holds { stopServer(how) } else { startServer(keepsHistory: keepsHistory, keepsNumbers: keepsNumbers) }
    case .idleCut: if holds { for socket in 0..<8 { watchIdle(socket) } }
    case .sleep: if holds { fallAsleep() } else { wake() }
    case .offline, .background: tellPhone()
    case .clockSkew(let millionths):
      clock.set(millionths: holds ? Int64(millionths) : 0, at: now)
      phone.timer = seen.truth.timer == nil ? .max : max(now, clock.world(at: seen.truth.timerDue.nanoseconds))
      if !conditions.isAsleep { heads[0] = phone.timer }
    default: break
    }
    if !holds, fault != .sleep { releaseStalled() }
  }

  /// A fault of one moment.
  private mutating func strike(_ fault: Fault) {
    for socket in 0..<8 where sockets[socket].isUsed {
      let generation = sockets[socket].generation
      switch fault {
      case .halfOpen: if sockets[socket].isAtServer { cut(socket) }
      case .reset: reset(socket)
      case .close(let code, let delay): close(socket, code, delay: delay.nanoseconds)
      case .garbage(let code) where sockets[socket].isAtServer:
        push(down: .received(generation, .malformed(code)), .plain, on: socket)
      case .enormousFrame(let bytes) where sockets[socket].isAtServer:
        let event = LiveEvent.received(generation, .malformed(CloseCode(1009)))
        push(down: event, .plain, on: socket, bytes: Int(bytes))
      case .networkChange: cut(socket)
      default: break
      }
    }
    if fault == .networkChange {
      phone.owesNetworkChange = true
      tellPhone()
    }
  }

  // MARK: The phone

  private mutating func fallAsleep() {
    heads[0] = .max
    seen.truth.isAsleep = true
    witness.saw(.device(isAsleep: true), at: moment)
  }

  /// The phone wakes: what was due rings, and the client is told before it or behind it.
  private mutating func wake() {
    seen.truth.isAsleep = false
    witness.saw(.device(isAsleep: false), at: moment)
    heads[0] = phone.timer
    for place in 0..<8 where phone.owes >> UInt8(place) & 1 == 1 {
      if let kind = Rare(rawValue: place) { set(kind, at: now &+ 500_000) }
    }
    phone.owes = 0
    for socket in 0..<8 where sockets[socket].control != .none && heads[upHead(socket) &+ 2] == .max {
      heads[upHead(socket) &+ 2] = now &+ 200_000
    }
    releaseStalled(isAwakened: true)
    if random.word() & 1 == 0 { tellWoke() } else { set(.woke, at: now &+ 1_000_000) }
  }

  private mutating func tellWoke() {
    tellRare(.woke)
    tellPhone()
  }

  /// Tells the client what the phone knows and it does not.
  private mutating func tellPhone() {
    if conditions.isAsleep { return }
    if phone.owesNetworkChange {
      phone.owesNetworkChange = false
      tellRare(.networkChanged)
    }
    let isReachable = !conditions.isOffline
    if phone.toldReachable != isReachable {
      phone.toldReachable = isReachable
      seen.truth.isReachable = isReachable
      tellRare(.network(isReachable: isReachable))
    }
    let isInFront = !conditions.isInBackground
    if phone.toldInFront != isInFront {
      phone.toldInFront = isInFront
      seen.truth.isInFront = isInFront
      tellRare(.app(isInFront: isInFront))
    }
  }
}
