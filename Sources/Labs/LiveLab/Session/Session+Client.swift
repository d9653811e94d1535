// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension Session {
  /// Tells the client of an event, and does what it wants done.
  @inline(__always)
  mutating func tell(_ event: LiveEvent) {
    let moment = moment
    witness.saw(event, at: moment)
    effects.removeAll()
    if seen.subject.handle(event, at: moment.client, word: spare, into: &effects) { spare = random.word() }
    if let round = effects.round { carryOut(round, at: moment) }
    if effects.hasOthers { carryOutOthers(at: moment) }
    witness.settled(seen, at: moment)
  }

  /// The same for what is neither a ring of the timer nor a pong: those two are nearly all that the client is told.
  @inline(never)
  mutating func tellRare(_ event: LiveEvent) {
    tell(event)
    if pong.arrives != .max { queuePong() }
  }

  /// Does what the client wants in the heartbeat's usual round, and shows it.
  @inline(__always)
  private mutating func carryOut(_ round: LiveEffects.Round, at moment: SessionMoment) {
    if let ping = round.ping {
      witness.saw(.sendPing(round.generation, ping), at: moment)
      result.pings &+= 1
      sendPing(ping, on: round.generation)
    }
    witness.saw(.setTimer(round.tag, at: round.due), at: moment)
    setTimer(round.tag, round.due)
  }

  /// Does what else the client wants, and shows it.
  @inline(never)
  private mutating func carryOutOthers(at moment: SessionMoment) {
    for place in effects.roundCount..<effects.count {
      let effect = effects[place]
      witness.saw(effect, at: moment)
      switch effect {
      case .setTimer(let tag, let due): setTimer(tag, due)
      case .sendPing(let generation, let number):
        result.pings &+= 1
        sendPing(number, on: generation)
      default:
        if pong.arrives != .max { queuePong() }
        carryOut(effect)
      }
    }
  }

  private mutating func carryOut(_ effect: LiveEffect) {
    switch effect {
    case .open(let generation, _): open(generation)
    case .abort(let generation): abort(generation)
    case .sendClose(let generation, let code):
      send(UpFrame(kind: .close, number: UInt64(code.value)), on: generation)
    case .sendPong(let generation, let number): send(UpFrame(kind: .pong, number: UInt64(number)), on: generation)
    case .sendResume(let generation, let place):
      if let place {
        send(UpFrame(kind: .resume, epoch: place.epoch, number: place.offset), on: generation)
      } else {
        send(UpFrame(kind: .resumeFromNow), on: generation)
      }
    case .sendMessage(let generation, let number):
      send(UpFrame(kind: .message, number: number.value), on: generation, bytes: world.phone.messageBytes)
    case .cancelTimer: cancelTimer()
    case .refreshCredentials(let generation):
      phone.credentialsFor = generation
      set(.credentials, at: now &+ world.server.credentialsTake.nanoseconds)
    case .deliver(let place, _): deliver(place)
    case .gap(_, let upTo): miss(upTo: upTo)
    case .acknowledged(let number): acknowledge(through: number.value)
    case .dropped(let number, _): drop(number.value)
    case .statusChanged: noteStatus()
    case .setTimer, .sendPing: break
    }
  }

  // MARK: The timer

  @inline(__always)
  private mutating func setTimer(_ tag: TimerTag, _ due: Instant) {
    if seen.truth.timer != nil { leaveStaleRing() }
    seen.truth.timer = tag
    seen.truth.timerDue = due
    // A timer set for what is past still rings only when the system comes to it.
    phone.timer = max(clock.world(at: due.nanoseconds), now &+ 1_000)
    if !conditions.isAsleep { heads[0] = phone.timer }
  }

  private mutating func cancelTimer() {
    if seen.truth.timer != nil { leaveStaleRing() }
    seen.truth.timer = nil
    seen.truth.timerDue = .never
    phone.timer = .max
    heads[0] = .max
  }

  /// Now and then a timer that was replaced rings all the same.
  @inline(__always)
  private mutating func leaveStaleRing() {
    coins = coins &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    if coins >> 40 & (world.phone.staleRings &- 1) == 0, rare[Rare.staleRing.rawValue] == .max,
      let tag = seen.truth.timer
    {
      phone.staleTag = tag
      set(.staleRing, at: phone.timer)
    }
  }

  @inline(__always)
  mutating func ring() {
    heads[0] = .max
    guard let tag = seen.truth.timer else { return }
    seen.truth.timer = nil
    seen.truth.timerDue = .never
    phone.timer = .max
    tell(.timer(tag))
    if pong.arrives != .max { hearPong() }
  }

  // MARK: What the app gets and sends

  private mutating func deliver(_ place: StreamPosition?) {
    guard let place else {
      seen.truth.messagesDelivered &+= 1
      return
    }
    if let last = seen.truth.streamDelivered, last.epoch == place.epoch {
      if place.offset <= last.offset {
        seen.truth.messagesDoubled &+= 1
        return
      }
      seen.truth.messagesSkipped &+= place.offset &- last.offset &- 1
    } else if seen.truth.streamDelivered != nil, place.offset > 0 {
      seen.truth.messagesSkipped &+= place.offset &- 1
    }
    seen.truth.messagesDelivered &+= 1
    seen.truth.streamDelivered = place
    noteDelivered()
  }

  private mutating func miss(upTo place: StreamPosition) {
    let last = seen.truth.streamDelivered
    let from = last?.epoch == place.epoch ? last?.offset ?? 0 : 0
    if place.offset > from { seen.truth.messagesMissed &+= place.offset &- from }
    seen.truth.streamDelivered = place
    noteDelivered()
  }

  private mutating func acknowledge(through number: UInt64) {
    while phone.settledThrough < number {
      phone.settledThrough &+= 1
      if !server.taken.contains(phone.settledThrough), !phone.dropped.contains(phone.settledThrough) {
        seen.truth.messagesLost &+= 1
      }
    }
    seen.truth.messagesAcknowledged = max(seen.truth.messagesAcknowledged, number)
  }

  private mutating func drop(_ number: UInt64) {
    seen.truth.messagesDropped &+= 1
    phone.dropped.insert(number)
  }

  mutating func appSends() {
    guard let mean = world.phone.sends else { return }
    set(.appSends, at: now &+ random.waiting(mean).nanoseconds)
    seen.truth.messagesMade &+= 1
    tellRare(.send(MessageNumber(seen.truth.messagesMade), bytes: world.phone.messageBytes))
  }
}
