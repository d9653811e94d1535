// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension InvariantWatch {
  /// What time alone does: an open link proves itself, or should long have been given up; an attempt, or the wait for
  /// one, has taken too long. A step that follows a sleep is judged by what comes after it.
  mutating func passTime() {
    switch socket.phase {
    case .open:
      if !socket.isProven {
        // The timer that tells of it rings when the system comes to it, and something else may come before.
        if since(socket.proving) > settings.proof.minimumUptime { prove() }
        if now - socket.proving >= settings.proof.minimumUptime { socket.isUncertain = true }
      }
      judgeSilence()
    case .opening:
      let taken = since(socket.began)
      if taken > settings.connectTimeout { broke(.connectTimeout, .tooLate(taken, atMost: settings.connectTimeout)) }
    case .closing:
      let taken = since(socket.closing)
      if taken > settings.closeTimeout { broke(.everyStartEnds, .tooLate(taken, atMost: settings.closeTimeout)) }
    case .none:
      guard isExpected, let longest = longestIdle else { return }
      let idle = since(wish.idleSince)
      if idle > longest { broke(.alwaysAnExit, .tooLate(idle, atMost: longest)) }
    }
  }

  /// Whether a link has been silent for too long that was asked and did not answer, or that is dead in truth. That
  /// nobody asks is no breach while it lives, since nothing came of it.
  mutating func judgeSilence() {
    guard socket.phase == .open, let interval = settings.heartbeat.interval else { return }
    guard let dead = socket.pinged ?? wish.unserved else { return }
    let most = interval + settings.heartbeat.pongTimeout
    let silence = since(socket.pinged == nil ? max(socket.heard, dead) : socket.heard)
    if silence > most { broke(.halfOpenNoticed, .tooLate(silence, atMost: most)) }
  }

  /// How long it is since a moment, or since the device last woke.
  ///
  /// Less a millisecond: a timer rings when the system comes to it.
  private func since(_ moment: Instant) -> Interval { now - max(moment, wish.awoke) - .milliseconds(1) }

  /// Whether an attempt should come by itself.
  var isExpected: Bool {
    wish.isStarted && !wish.isStopped && !wish.hasEnded && mayAttempt && !attempts.awaitsCredentials
  }

  /// Whether attempts are to be made at present.
  var mayAttempt: Bool { wish.isReachable && (wish.isInFront || settings.background == .stayConnected) }

  /// The longest that the client may be without a socket; nil where the attempts are used up and only a hint helps.
  private var longestIdle: Interval? {
    longestWait.map { max(.zero, attempts.notBefore - wish.idleSince) + $0 }
  }

  /// The same where the server asks for nothing.
  static func longestWait(_ settings: ConnectionSettings) -> Interval? {
    guard let cadence = settings.suspendedCadence else { return nil }
    // Waits are spread beyond the cap by less than itself, or by a few seconds.
    let longest = max(settings.backoff.cap * 2 + .seconds(10), cadence.waits.upperBound)
    return longest + settings.hintSpread + settings.backoff.floor
  }

  mutating func prove() {
    (socket.isProven, step.isProof) = (true, true)
    attempts.made = 0
    (attempts.hasRefreshed, attempts.mayBeForgotten) = (false, false)
  }

  /// Takes an event into the account, before the client is told.
  mutating func note(_ event: LiveEvent) {
    switch event {
    case .timer(let tag):
      step.isStale = !timer.isSet || tag.number != timer.tag
      if !step.isStale {
        timer.isSet = false
        if step.isAwakening { noteWoke() } else if isRungBySleep { excuseSilence() }
      }
    case .received(let generation, let frame):
      step.isStale = !holds(generation, .open) && !holds(generation, .closing)
      if !step.isStale { note(frame) }
    case .opened(let generation):
      step.isStale = !holds(generation, .opening)
      if !step.isStale { noteOpened() }
    case .failed(let generation, _):
      step.isStale = !holds(generation, .opening)
      if !step.isStale { lose() }
    case .refused(let generation, let refusal):
      step.isStale = !holds(generation, .opening)
      if !step.isStale { note(refusal) }
    case .closed(let generation, let closure):
      step.isStale = generation.number != socket.generation || socket.phase == .none
      if !step.isStale { note(closure) }
    case .credentials(let generation, let isFresh):
      step.isStale = !attempts.awaitsCredentials || generation != attempts.awaited
      if !step.isStale { noteCredentials(isFresh) }
    default: noteWish(event)
    }
  }

  private func holds(_ generation: Generation, _ phase: SocketAccount.Phase) -> Bool {
    socket.phase == phase && socket.generation == generation.number
  }

  private mutating func noteWish(_ event: LiveEvent) {
    switch event {
    case .start:
      wish.isStarted = true
      wish.idleSince = now
      step.excusesAttempt = true
    case .stop: (wish.isStopped, wish.mayEnd) = (true, true)
    case .retry:
      // One person's finger is no storm, so it may come before the server wants it.
      attempts.notBefore = .zero
      hint()
    case .network(let isReachable):
      if isReachable, !wish.isReachable { hint() }
      wish.isReachable = isReachable
    case .networkChanged: hint()
    case .woke:
      noteWoke()
      hint()
    case .app(let isInFront):
      if isInFront, !wish.isInFront { hint() }
      if !isInFront, wish.isInFront { wish.backSince = now }
      wish.isInFront = isInFront
    case .send(let number, _): outgoing.made(number)
    default: break
    }
  }

  /// Somebody has reason to believe that an attempt is worth while.
  private mutating func hint() {
    (attempts.isHinted, step.isHint) = (true, true)
    attempts.made = 0
    wish.idleSince = now
  }

  /// Whether the timer that rings was kept from ringing in good time by a sleep.
  private var isRungBySleep: Bool { wish.awoke > timer.due && now - timer.due > settings.heartbeat.lateness }

  /// What is overdue on the link may have arrived while nobody could read it: it is to be asked for anew, once.
  private mutating func excuseSilence() {
    guard socket.phase == .open, !socket.isExcused, isPongOverdue || isResumeOverdue else { return }
    socket.isExcused = true
    if isPongOverdue { socket.pinged = now }
    if isResumeOverdue { socket.resuming = now }
  }

  /// No timer ran while the device slept: what was due then is due from now on.
  private mutating func noteWoke() {
    (socket.heard, socket.isExcused) = (now, false)
    (socket.resuming, wish.awoke) = (now, now)
    if socket.pinged != nil { socket.pinged = now }
    if !socket.isProven { (socket.isUncertain, socket.proving) = (true, now) }
    wish.idleSince = now
  }

  private mutating func noteOpened() {
    socket.phase = .open
    (socket.opened, socket.proving, socket.heard, socket.resuming) = (now, now, now, now)
    attempts.notBefore = .zero
  }

  private mutating func note(_ frame: ServerFrame) {
    socket.heard = now
    step.isFirstFrame = !socket.framesSeen
    socket.framesSeen = true
    guard socket.phase == .open else { return }
    switch frame {
    case .pong(let number): if number == socket.pingNumber { (socket.pinged, socket.isExcused) = (nil, false) }
    case .message(let position, _): expect(position)
    case .acknowledged(let number): if outgoing.isNews(number) { acknowledge() }
    case .resumed(let start):
      guard settings.resumesStream, !socket.isResumed else { return }
      socket.isResumed = true
      expect(resumedAfter: start)
    case .malformed: attempts.notBefore = now + settings.closeRules.later
    case .ping: break
    }
  }

  /// The application behind the socket has answered.
  private mutating func acknowledge() {
    if settings.proof.byAcknowledgement, !socket.isProven { prove() }
  }

  /// What is missing is to be told where the stream goes on further than it was left.
  private mutating func expect(resumedAfter start: StreamPosition) {
    guard settings.resumesStream else { return }
    guard let last = incoming.last else {
      incoming.last = start
      return
    }
    step.toDeliver = 0
    step.wantsGap = start.epoch != last.epoch || start.offset > last.offset
  }

  /// What is to become of a message that arrived: it is the next, known, or too far on.
  private mutating func expect(_ position: StreamPosition?) {
    guard settings.resumesStream, let position else {
      step.toDeliver = 1
      return
    }
    guard let last = incoming.last, last.epoch == position.epoch else {
      (step.toDeliver, step.wantsGap) = (1, incoming.last != nil)
      return
    }
    step.toDeliver = position.offset > last.offset ? 1 : 0
    step.wantsGap = position.offset > last.offset + 1
  }

  private mutating func note(_ refusal: Refusal) {
    lose()
    switch settings.refusalRules.verdict(
      on: refusal, isSecure: settings.isSecure || attempts.isRedirectSecure, redirects: attempts.redirects)
    {
    case .retry: break
    case .retryAfter(let interval): attempts.notBefore = now + interval
    case .refreshCredentials: refuseCredentials()
    case .redirect:
      attempts.redirects += 1
      attempts.isRedirectSecure = attempts.isRedirectSecure || refusal.redirect == .secure
      step.excusesAttempt = true
    case .never: (step.mustEnd, wish.mayEnd) = (true, true)
    }
  }

  private mutating func note(_ closure: Closure) {
    let wasClosing = socket.phase == .closing
    lose()
    guard !wasClosing else { return }
    switch settings.closeRules.verdict(on: closure) {
    case .reconnect: break
    case .reconnectLater(let interval): attempts.notBefore = now + interval
    case .refreshCredentials: refuseCredentials()
    case .never: (step.mustEnd, wish.mayEnd) = (true, true)
    }
  }

  /// The server does not take the credentials: fresh ones are fetched once, and then it means it.
  private mutating func refuseCredentials() {
    attempts.needsCredentials = true
    if attempts.hasRefreshed { (step.mustEnd, wish.mayEnd) = (!attempts.mayBeForgotten, true) }
  }

  private mutating func noteCredentials(_ isFresh: Bool) {
    attempts.awaitsCredentials = false
    step.excusesAttempt = true
    wish.idleSince = now
    (attempts.needsCredentials, attempts.hasRefreshed, attempts.mayBeForgotten) = (!isFresh, isFresh, false)
    if !isFresh { (step.mustEnd, wish.mayEnd) = (true, true) }
  }

  /// The socket is gone.
  mutating func lose() {
    attempts.followsProven = socket.isProven
    if socket.isUncertain { (attempts.made, attempts.mayBeForgotten) = (0, true) }
    socket.phase = .none
    socket.pinged = nil
    socket.ended = now
    wish.idleSince = now
    outgoing.connectionEnded()
  }
}
