// SPDX-License-Identifier: Apache-2.0

/// One connection that comes back: what happens goes in, what is to be done comes out.
///
/// A value without a clock, a socket or randomness of its own. Each event comes with its moment and with 64 random bits
/// to spare; each answer is a list of effects for the holder of the socket and the one timer. The same events give the
/// same effects, so what is proven of it in simulated hours holds for the app that runs it on real sockets.
///
/// - Every attempt has a generation. What is reported of another than the present one changes nothing, and so does the
///   firing of a timer that was set again since.
/// - An attempt is counted once. The count is forgotten when a connection has proved itself, not when it opens.
/// - Every state has an exit: an event that is certain to come, or a deadline.
/// - `closed` is for good.
public struct LiveConnection: Sendable {
  /// Where the connection is.
  public internal(set) var state: ConnectionState {
    @inlinable get { present }
    set { present = newValue }
  }
  /// The memory of `state`: the heartbeat's round, which is inlined where it is used, cannot set that.
  @usableFromInline var present = ConnectionState.disconnected
  @usableFromInline var timer = TimerSetting()
  /// The earliest deadline besides the heartbeat's, while connected.
  @usableFromInline var sideDeadline = Instant.never
  /// How it behaves. A change counts from the next event on.
  public var settings: ConnectionSettings
  /// The attempts made since the connection last proved itself.
  public internal(set) var attempts = AttemptSchedule()
  /// The messages that wait to be sent or acknowledged.
  public internal(set) var outbox: Outbox
  /// How far the app has got in the server's stream.
  private var cursor = StreamCursor()
  private var generation = Generation.none
  /// When the last attempt began; nil before the first.
  private var lastAttempt: Instant?
  /// Before this the server wants to be left alone.
  private var notBefore = Instant.zero
  /// When what is open is closed because the app is not in front.
  private var backgroundDeadline = Instant.never
  @usableFromInline var lastProblem: Problem?
  var isReachable = true
  private var isInFront = true
  /// Whether the next attempt begins by fetching credentials.
  private var needsCredentials = false
  /// Whether credentials have been fetched since the connection last proved itself.
  private var hasRefreshed = false
  /// How many redirects in a row led to the present attempt.
  private var redirects: UInt32 = 0
  /// Whether one of them led to a secure address, which none may leave any more.
  private var isRedirectSecure = false

  /// A connection that has not been started; `ConnectionSettings.check` reports settings that make no sense.
  public init(_ settings: ConnectionSettings = ConnectionSettings()) {
    self.settings = settings
    outbox = Outbox(settings.outbox)
  }

  /// Handles an event and adds what is to be done.
  ///
  /// The heartbeat's usual round, of which an hour of a connection consists, is inlined where this is called.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - now: When: not before the event before it.
  ///   - word: 64 random bits that nothing else has used.
  ///   - effects: Where to add what is to be done, in order. The caller empties it.
  /// - Returns: Whether `word` was used: then the next event needs another.
  @discardableResult
  @inlinable @inline(__always)
  public mutating func handle(
    _ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects
  ) -> Bool {
    switch event {
    case .timer(let tag): if sendPingIfNothingElseIsDue(tag, at: now, into: &effects) { return false }
    case .received(let generation, .pong(let number)):
      if takePong(number, of: generation, into: &effects) { return false }
    default: break
    }
    return take(event, at: now, word: word, into: &effects)
  }

  /// Handles an event and returns what is to be done, in order, with randomness from a generator.
  public mutating func handle<R: RandomNumberGenerator>(
    _ event: LiveEvent, at now: Instant, using random: inout R
  ) -> [LiveEffect] {
    var effects = LiveEffects()
    handle(event, at: now, word: random.next(), into: &effects)
    return Array(effects)
  }

  /// Takes in what is not of the heartbeat's usual round.
  @usableFromInline @inline(never)
  mutating func take(
    _ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects
  ) -> Bool {
    switch event {
    case .timer(let tag) where !timer.isSet || tag.number != timer.number: return false
    case .received(let generation, .message(let position, let bytes)):
      takeMessage(position, bytes: bytes, of: generation, into: &effects)
      return false
    default: break
    }
    var turn = Turn(now: now, word: word)
    swap(&turn.effects, &effects)
    let before = status
    dispatch(event, &turn)
    if status != before { turn.add(.statusChanged) }
    rearm(&turn)
    swap(&turn.effects, &effects)
    return turn.isWordUsed
  }

  private mutating func dispatch(_ event: LiveEvent, _ turn: inout Turn) {
    switch event {
    case .start: start(&turn)
    case .stop: end(.stopped, &turn)
    case .retry: retryNow(&turn)
    case .send(let number, let bytes): send(number, bytes: bytes, &turn)
    case .network(let isReachable): networkBecame(reachable: isReachable, &turn)
    case .networkChanged: networkChanged(&turn)
    case .app(let isInFront): appBecame(inFront: isInFront, &turn)
    case .woke: woke(&turn)
    case .opened(let generation): opened(generation, &turn)
    // A socket that reports an error when it is open already has ended, whether or not it says so again by `closed`.
    case .failed(let generation, let failure): if hasEnded(generation) { lose(.failed(failure), &turn) }
    case .refused(let generation, let refusal): refused(generation, refusal, &turn)
    case .received(let generation, let frame): received(frame, of: generation, &turn)
    case .closed(let generation, let closure): closed(generation, closure, &turn)
    case .timer: timerFired(&turn)
    case .credentials(let generation, let isFresh): credentials(generation, isFresh: isFresh, &turn)
    }
  }
}

extension LiveConnection {
  /// The state for the interface: made of the state whenever it is asked for, so that the two cannot disagree.
  ///
  /// Inlined, so that a look after each event reads the few fields it wants; otherwise the whole connection
  /// would be copied to be asked.
  @inlinable public var status: LiveStatus {
    @inline(__always) get {
      let (attempt, queued) = (Int(attempts.attempts), outbox.count)
      switch state {
      case .disconnected:
        return LiveStatus(.disconnected, attempt: attempt, lastProblem: lastProblem, queued: queued)
      case .connecting:
        return LiveStatus(.connecting, attempt: attempt, lastProblem: lastProblem, queued: queued)
      case .connected(let link):
        return LiveStatus(
          .connected, attempt: attempt, lastProblem: lastProblem, health: link.isDoubtful ? .doubtful : .good,
          isCurrent: link.isCurrent, queued: queued)
      case .waiting(let waiting):
        return LiveStatus(.waiting, attempt: attempt, nextTry: waiting.due, lastProblem: lastProblem, queued: queued)
      case .suspended(let suspended):
        return LiveStatus(
          .suspended, attempt: attempt, nextTry: suspended.due, lastProblem: lastProblem, queued: queued)
      case .closed: return LiveStatus(.closed, attempt: attempt, lastProblem: lastProblem, queued: queued)
      }
    }
  }
}

extension LiveConnection {
  /// The usual firing of the timer: a ping is due, and nothing else.
  @inlinable @inline(__always)
  mutating func sendPingIfNothingElseIsDue(
    _ tag: TimerTag, at now: Instant, into effects: inout LiveEffects
  ) -> Bool {
    guard timer.isSet, tag.number == timer.number, case .connected(var link) = present, link.pongDeadline == nil,
      now >= link.nextPing, now < sideDeadline, let interval = settings.heartbeat.interval
    else { return false }
    link.ping &+= 1
    link.pongDeadline = now + settings.heartbeat.pongTimeout
    link.nextPing = now + interval
    present = .connected(link)
    timer.number &+= 1
    timer.at = min(sideDeadline, heartbeatDeadline(link))
    effects.append(.sendPing(link.generation, link.ping))
    effects.append(.setTimer(TimerTag(timer.number), at: timer.at))
    return true
  }

  /// The usual pong: the answer to the last ping, in good time.
  ///
  /// Only the answer to the last ping counts. A frame that was under way, or a pong that lay in a buffer while the
  /// device slept, says nothing of whether the server hears us now.
  @inlinable @inline(__always)
  mutating func takePong(
    _ number: UInt32, of generation: Generation, into effects: inout LiveEffects
  ) -> Bool {
    guard case .connected(var link) = present, link.generation == generation else { return true }
    guard !link.isDoubtful else { return false }
    guard number == link.ping, link.pongDeadline != nil else { return true }
    link.pongDeadline = nil
    present = .connected(link)
    let due = min(sideDeadline, link.nextPing)
    if due != timer.at {
      timer.number &+= 1
      timer.at = due
      effects.append(.setTimer(TimerTag(timer.number), at: due))
    }
    return true
  }

  /// When the heartbeat has to be looked at: a ping is due, an answer begins to be late, or is given up.
  ///
  /// An answer that takes more than half of its time is a reason for doubt.
  @inlinable @inline(__always)
  func heartbeatDeadline(_ link: Connected) -> Instant {
    guard let deadline = link.pongDeadline else { return link.nextPing }
    guard !link.isDoubtful else { return deadline }
    return Instant(nanoseconds: deadline.nanoseconds &- settings.heartbeat.pongTimeout.nanoseconds / 2)
  }

  private mutating func pong(_ number: UInt32, _ link: inout Connected) {
    guard number == link.ping, link.pongDeadline != nil else { return }
    link.pongDeadline = nil
    (link.isDoubtful, link.isAskedAgain) = (false, false)
  }

  /// Sends a ping now, with its whole time for the answer.
  private mutating func ping(_ link: inout Connected, _ turn: inout Turn) {
    guard let interval = settings.heartbeat.interval else { return }
    link.ping &+= 1
    link.isAskedAgain = false
    link.pongDeadline = turn.now + settings.heartbeat.pongTimeout
    link.nextPing = turn.now + interval
    turn.add(.sendPing(link.generation, link.ping))
  }

  /// Asks whether the link still lives, since something happened that might have killed it. A question that is already
  /// asked is not asked again, or hints in a row would put off the answer for ever.
  private mutating func probe(_ link: inout Connected, _ turn: inout Turn) {
    guard link.pongDeadline == nil else { return }
    ping(&link, &turn)
  }

  /// Asks again after a sleep, in which neither deadlines nor pongs mean anything, and until the answer comes there is
  /// doubt.
  private mutating func probeAfterSleep(_ link: inout Connected, _ turn: inout Turn) {
    ping(&link, &turn)
    link.isDoubtful = link.pongDeadline != nil
    if !link.isProven { link.proofDeadline = turn.now + settings.proof.minimumUptime }
    if link.resumeDeadline != .never { link.resumeDeadline = turn.now + settings.connectTimeout }
  }
}

extension LiveConnection {
  /// The timer fired: does what is due. Where nothing is, it fired too soon and is set again.
  private mutating func timerFired(_ turn: inout Turn) {
    let lateness = turn.now - timer.at
    timer.at = .never
    outbox.expire(at: turn.now, into: &turn.effects)
    switch state {
    case .disconnected: break
    case .connecting(let attempt):
      guard attempt.deadline <= turn.now else { break }
      if !attempt.awaitsCredentials { turn.add(.abort(attempt.generation)) }
      lose(attempt.awaitsCredentials ? .credentials : .connectTimeout, &turn)
    case .connected(var link):
      if hasSlept(link, lateness, at: turn.now) {
        probeAfterSleep(&link, &turn)
        link.isAskedAgain = lateness < settings.heartbeat.pongTimeout
        state = .connected(link)
      } else {
        check(link, &turn)
      }
    case .waiting(let waiting):
      if let due = waiting.due, due <= turn.now { connect(&turn) }
    case .suspended(let suspended):
      if let due = suspended.due, due <= turn.now { connect(&turn) }
    case .closed(let ended):
      if ended.closing != nil, ended.deadline <= turn.now { dropClosing(&turn) }
    }
    if backgroundDeadline <= turn.now { leaveForBackground(&turn) }
  }

  /// Whether a timer that fired late slept with the device, even where that is not reported, and the link is to be
  /// asked before it is believed dead: its answer may lie in a buffer. After a lateness that may be no sleep it is
  /// asked once, since where timers are always late a dead link would never be found else.
  private func hasSlept(_ link: Connected, _ lateness: Interval, at now: Instant) -> Bool {
    if lateness >= settings.heartbeat.pongTimeout { return true }
    guard lateness > settings.heartbeat.lateness, !link.isAskedAgain else { return false }
    return link.pongDeadline.map { $0 <= now } ?? false || link.resumeDeadline <= now
  }

  private mutating func check(_ before: Connected, _ turn: inout Turn) {
    var link = before
    if let deadline = link.pongDeadline, deadline <= turn.now { return drop(link, .pongTimeout, &turn) }
    if link.resumeDeadline <= turn.now { return drop(link, .resumeTimeout, &turn) }
    if link.proofDeadline <= turn.now { prove(&link) }
    if heartbeatDeadline(link) <= turn.now {
      if link.pongDeadline == nil { ping(&link, &turn) } else { link.isDoubtful = true }
    }
    state = .connected(link)
  }

  /// Sets the timer to the earliest deadline, where that is another than before.
  private mutating func rearm(_ turn: inout Turn) {
    let due = earliestDeadline()
    guard due != timer.at else { return }
    timer.at = due
    guard due != .never else { return turn.add(.cancelTimer) }
    timer.number &+= 1
    turn.add(.setTimer(TimerTag(timer.number), at: due))
  }

  private mutating func earliestDeadline() -> Instant {
    let expiry = outbox.nextExpiry ?? .never
    switch state {
    case .disconnected: return expiry
    case .connecting(let attempt): return min(attempt.deadline, backgroundDeadline, expiry)
    case .connected(let link):
      sideDeadline = min(min(link.proofDeadline, link.resumeDeadline), min(backgroundDeadline, expiry))
      return min(sideDeadline, heartbeatDeadline(link))
    case .waiting(let waiting): return min(waiting.due ?? .never, expiry)
    case .suspended(let suspended): return min(suspended.due ?? .never, expiry)
    case .closed(let ended): return ended.closing == nil ? .never : ended.deadline
    }
  }
}

extension LiveConnection {
  private mutating func start(_ turn: inout Turn) {
    guard case .disconnected = state else { return }
    guard mayAttempt else {
      state = .waiting(Waiting(due: nil, isCounted: true))
      return
    }
    connect(&turn)
  }

  private mutating func connect(_ turn: inout Turn) {
    (redirects, isRedirectSecure) = (0, false)
    open(.original, &turn)
  }

  /// Begins an attempt of a generation of its own, with fresh credentials first where they are needed.
  private mutating func open(_ target: OpenTarget, _ turn: inout Turn) {
    generation = generation.next
    lastAttempt = turn.now
    state = .connecting(
      Connecting(
        generation: generation, deadline: turn.now + settings.connectTimeout, awaitsCredentials: needsCredentials))
    turn.add(needsCredentials ? .refreshCredentials(generation) : .open(generation, target))
  }

  private mutating func credentials(_ generation: Generation, isFresh: Bool, _ turn: inout Turn) {
    guard case .connecting(var attempt) = state, attempt.generation == generation, attempt.awaitsCredentials else {
      return
    }
    needsCredentials = false
    guard isFresh else {
      lastProblem = .credentials
      return end(.unauthorised, &turn)
    }
    hasRefreshed = true
    attempt.awaitsCredentials = false
    attempt.deadline = turn.now + settings.connectTimeout
    state = .connecting(attempt)
    turn.add(.open(generation, .original))
  }

  private mutating func opened(_ generation: Generation, _ turn: inout Turn) {
    guard isOpening(generation) else { return }
    let now = turn.now
    (redirects, isRedirectSecure, notBefore) = (0, false, .zero)
    state = .connected(
      Connected(
        generation: generation, ping: 0, nextPing: settings.heartbeat.interval.map { now + $0 } ?? .never,
        pongDeadline: nil,
        proofDeadline: now + settings.proof.minimumUptime,
        resumeDeadline: settings.resumesStream ? now + settings.connectTimeout : .never, isDoubtful: false,
        isProven: false, isCurrent: !settings.resumesStream))
    begin(generation, &turn)
  }

  private mutating func refused(_ generation: Generation, _ refusal: Refusal, _ turn: inout Turn) {
    guard isOpening(generation) else { return }
    let problem = Problem.refused(status: refusal.status)
    let verdict = settings.refusalRules.verdict(
      on: refusal, isSecure: settings.isSecure || isRedirectSecure, redirects: Int(redirects))
    switch verdict {
    case .retry: lose(problem, &turn)
    case .retryAfter(let wait):
      // Its own part of the spread belongs to the moment, so that no hint brings it back to the one that all were
      // given.
      let moment = turn.now + wait + turn.draw(upTo: settings.refusalRules.spread(after: refusal))
      lose(problem, notBefore: moment, &turn)
    case .refreshCredentials:
      lastProblem = problem
      guard !hasRefreshed else { return end(.unauthorised, &turn) }
      needsCredentials = true
      connect(&turn)
    case .redirect:
      redirects += 1
      isRedirectSecure = isRedirectSecure || refusal.redirect == .secure
      open(.redirected, &turn)
    case .never:
      lastProblem = problem
      end(300...399 ~= refusal.status ? .badRedirect : .refused(refusal.status), &turn)
    }
  }

  private func isOpening(_ generation: Generation) -> Bool {
    guard case .connecting(let attempt) = state else { return false }
    return attempt.generation == generation && !attempt.awaitsCredentials
  }
}

extension LiveConnection {
  private mutating func closed(_ generation: Generation, _ closure: Closure, _ turn: inout Turn) {
    guard hasEnded(generation) else { return }
    let problem = Problem.closed(closure)
    switch settings.closeRules.verdict(on: closure) {
    case .reconnect: lose(problem, &turn)
    case .reconnectLater(let wait):
      lose(problem, notBefore: turn.now + wait, spread: settings.closeRules.laterSpread, &turn)
    case .refreshCredentials:
      guard !hasRefreshed else {
        lastProblem = problem
        return end(.unauthorised, &turn)
      }
      needsCredentials = true
      lose(problem, &turn)
    case .never:
      lastProblem = problem
      end(.closed(closure.code), &turn)
    }
  }

  /// Takes in that a socket is gone, and returns whether it is the one that counts, so that something follows from it.
  /// What was being closed for good just is.
  private mutating func hasEnded(_ generation: Generation) -> Bool {
    switch state {
    case .connecting: return isOpening(generation)
    case .connected(let link): return link.generation == generation
    case .closed(var ended) where ended.closing == generation:
      ended.closing = nil
      state = .closed(ended)
      return false
    case .disconnected, .waiting, .suspended, .closed: return false
    }
  }

  /// The server broke the protocol: says so, and does not wait for an answer (RFC 6455, section 7.1.7). Stays away for
  /// a while, since a server that resumes a stream and then talks nonsense would be met again at once.
  private mutating func malformed(_ code: CloseCode, _ link: Connected, _ turn: inout Turn) {
    turn.add(.sendClose(link.generation, code))
    turn.add(.abort(link.generation))
    let rules = settings.closeRules
    lose(.malformed(code), notBefore: turn.now + rules.later, spread: rules.laterSpread, &turn)
  }

  /// Gives up an open connection. A dead link answers no closing handshake, so there is none.
  private mutating func drop(_ link: Connected, _ problem: Problem, _ turn: inout Turn) {
    turn.add(.abort(link.generation))
    lose(problem, &turn)
  }

  /// The attempt failed or the connection broke: waits for the next attempt, if there is one. Not before the moment
  /// that the server named, and spread over so long from then on, where it told many the same and the usual wait is
  /// shorter.
  private mutating func lose(
    _ problem: Problem, notBefore earliest: Instant = .zero, spread: Interval = .zero, _ turn: inout Turn
  ) {
    lastProblem = problem
    notBefore = max(notBefore, earliest)
    broke(&turn)
    guard mayAttempt else {
      state = .waiting(Waiting(due: nil, isCounted: false))
      return
    }
    guard let wait = attempts.next(settings.backoff, word: turn.draw()) else { return suspend(&turn) }
    // The server's wish comes on top: if all came back when it ends, all would come back at one moment.
    let due = max(turn.now, notBefore) + max(wait, turn.draw(upTo: spread))
    state = .waiting(Waiting(due: due, isCounted: true))
  }

  private mutating func suspend(_ turn: inout Turn) {
    let due = settings.suspendedCadence.map { $0.next(after: turn.now, notBefore: notBefore, word: turn.draw()) }
    state = .suspended(Suspended(due: due))
  }

  /// Closes for good. What is open gets a closing handshake; what is being opened is dropped.
  private mutating func end(_ reason: Ended.Reason, _ turn: inout Turn) {
    var ended = Ended(reason: reason, closing: nil, deadline: .never)
    switch state {
    case .closed: return
    case .connecting(let attempt) where reason == .stopped && !attempt.awaitsCredentials:
      turn.add(.abort(attempt.generation))
    case .connected(let link) where reason == .stopped:
      turn.add(.sendClose(link.generation, CloseCode(1000)))
      ended.closing = link.generation
      ended.deadline = turn.now + settings.closeTimeout
    case .disconnected, .connecting, .connected, .waiting, .suspended: break
    }
    state = .closed(ended)
    backgroundDeadline = .never
    outbox.close(into: &turn.effects)
  }

  /// The answer to the close frame did not come in time.
  private mutating func dropClosing(_ turn: inout Turn) {
    guard case .closed(var ended) = state, let generation = ended.closing else { return }
    turn.add(.abort(generation))
    ended.closing = nil
    state = .closed(ended)
  }
}

extension LiveConnection {
  private var mayAttempt: Bool { isReachable && (isInFront || settings.background == .stayConnected) }

  private mutating func networkBecame(reachable: Bool, _ turn: inout Turn) {
    guard reachable != isReachable else { return }
    isReachable = reachable
    switch state {
    case .connected(var link):
      // A short loss may leave the link alive, a long one does not: the answer to a ping tells.
      probe(&link, &turn)
      link.isDoubtful = link.isDoubtful || (!reachable && link.pongDeadline != nil)
      state = .connected(link)
    case .connecting where !reachable:
      lastProblem = .offline
      cutAttempt(&turn)
    case .waiting where !reachable, .suspended where !reachable:
      lastProblem = .offline
      holdAttempts()
    default: hint(&turn)
    }
  }

  private mutating func networkChanged(_ turn: inout Turn) {
    switch state {
    case .disconnected, .closed: return
    case .connected(let link):
      turn.add(.abort(link.generation))
      lastProblem = .networkChanged
      broke(&turn)
      state = .waiting(Waiting(due: nil, isCounted: false))
    case .connecting: cutAttempt(&turn)
    case .waiting, .suspended: break
    }
    hint(&turn)
  }

  private mutating func appBecame(inFront: Bool, _ turn: inout Turn) {
    guard inFront != isInFront else { return }
    isInFront = inFront
    if case .closed = state { return }
    guard inFront else {
      if case .disconnect(let wait) = settings.background { backgroundDeadline = turn.now + wait }
      return holdAttempts()
    }
    backgroundDeadline = .never
    if case .connected(var link) = state {
      probe(&link, &turn)
      state = .connected(link)
    } else {
      hint(&turn)
    }
  }

  private mutating func woke(_ turn: inout Turn) {
    switch state {
    case .connected(var link):
      probeAfterSleep(&link, &turn)
      state = .connected(link)
    case .connecting(let attempt) where attempt.deadline <= turn.now:
      // Its time ran while nobody could answer, so it is made again and not counted twice.
      cutAttempt(&turn)
      hint(&turn)
    default: hint(&turn)
    }
  }

  /// Somebody asked for it: at once, even before the server's wish to be left alone is over. One person's finger is no
  /// storm, and is kept to the least wait between two attempts.
  private mutating func retryNow(_ turn: inout Turn) {
    if case .connected(var link) = state {
      probe(&link, &turn)
      state = .connected(link)
    }
    guard mayAttempt else { return }
    bringForward(to: turn.now, &turn)
    if case .waiting(let waiting) = state, let due = waiting.due, due <= turn.now { connect(&turn) }
  }

  /// Things may have turned for the better: the next attempt comes within the hint's spread, if attempts are made at
  /// all, and not before the server wants it.
  private mutating func hint(_ turn: inout Turn) {
    switch state {
    case .waiting, .suspended:
      guard mayAttempt else { return }
      bringForward(to: max(turn.now, notBefore) + turn.draw(upTo: settings.hintSpread), &turn)
    case .disconnected, .connecting, .connected, .closed: return
    }
  }

  /// Lets the next attempt come at `moment`, unless it comes sooner anyway; not closer to the last one than the
  /// backoff's floor. Out of suspension, a new round of attempts begins.
  private mutating func bringForward(to moment: Instant, _ turn: inout Turn) {
    let due = max(moment, lastAttempt.map { $0 + settings.backoff.floor } ?? .zero)
    switch state {
    case .waiting(var waiting):
      if !waiting.isCounted { countAttempt(&turn) }
      waiting.isCounted = true
      waiting.due = min(waiting.due ?? .never, due)
      state = .waiting(waiting)
    case .suspended:
      attempts.reset()
      countAttempt(&turn)
      state = .waiting(Waiting(due: due, isCounted: true))
    case .disconnected, .connecting, .connected, .closed: return
    }
  }

  /// Counts an attempt that comes by a hint instead of after its wait.
  private mutating func countAttempt(_ turn: inout Turn) {
    if attempts.next(settings.backoff, word: turn.draw()) != nil { return }
    attempts.reset()
    _ = attempts.next(settings.backoff, word: turn.draw())
  }

  /// Drops the attempt under way. It is not spent: the next one is the same again.
  private mutating func cutAttempt(_ turn: inout Turn) {
    guard case .connecting(let attempt) = state else { return }
    if !attempt.awaitsCredentials { turn.add(.abort(attempt.generation)) }
    state = .waiting(Waiting(due: nil, isCounted: true))
  }

  private mutating func holdAttempts() {
    guard !mayAttempt else { return }
    switch state {
    case .waiting(var waiting):
      waiting.due = nil
      state = .waiting(waiting)
    case .suspended(var suspended):
      suspended.due = nil
      state = .suspended(suspended)
    case .disconnected, .connecting, .connected, .closed: return
    }
  }

  /// The app has been out of sight for as long as a connection is kept then.
  private mutating func leaveForBackground(_ turn: inout Turn) {
    backgroundDeadline = .never
    switch state {
    case .connecting: cutAttempt(&turn)
    case .connected(let link):
      // The app may be frozen any moment, so nobody waits for the answer to a close frame.
      turn.add(.abort(link.generation))
      broke(&turn)
      state = .waiting(Waiting(due: nil, isCounted: false))
    case .disconnected, .waiting, .suspended, .closed: return
    }
  }
}

extension LiveConnection {
  /// The place in the server's stream up to which the app has everything, or knows what it misses; nil before the
  /// first.
  public var position: StreamPosition? { cursor.position }

  private mutating func send(_ number: MessageNumber, bytes: Int, _ turn: inout Turn) {
    if case .closed = state { return turn.add(.dropped(number, .closed)) }
    outbox.limits = settings.outbox
    outbox.enqueue(number, bytes: bytes, at: turn.now, into: &turn.effects)
    if case .connected(let link) = state, link.isCurrent { flush(link.generation, &turn) }
  }

  /// Begins an open connection. Where a stream is resumed, the app's own messages wait for that.
  private mutating func begin(_ generation: Generation, _ turn: inout Turn) {
    if settings.resumesStream {
      turn.add(.sendResume(generation, after: position))
    } else {
      flush(generation, &turn)
    }
  }

  private mutating func received(_ frame: ServerFrame, of generation: Generation, _ turn: inout Turn) {
    guard case .connected(var link) = state, link.generation == generation else { return }
    switch frame {
    case .ping(let number): turn.add(.sendPong(generation, number))
    case .pong(let number): pong(number, &link)
    case .message: break  // Handed over by `takeMessage` already.
    case .acknowledged(let number):
      guard let last = outbox.acknowledge(through: number) else { break }
      turn.add(.acknowledged(through: last))
      if settings.proof.byAcknowledgement { prove(&link) }
    case .resumed(let start): resumed(after: start, &link, &turn)
    case .malformed(let code): return malformed(code, link, &turn)
    }
    state = .connected(link)
  }

  /// Hands a message over, once. One that comes before the stream is resumed is handed over like any other: it may have
  /// arrived in the same packet as the end of the handshake.
  private mutating func takeMessage(
    _ position: StreamPosition?, bytes: Int, of generation: Generation, into effects: inout LiveEffects
  ) {
    guard case .connected(let link) = state, link.generation == generation else { return }
    if let position, settings.resumesStream {
      switch cursor.accept(position) {
      case .deliver: break
      case .duplicate: return
      case .gap(let gap): effects.append(.gap(after: gap.after, upTo: gap.upTo))
      }
    }
    effects.append(.deliver(position, bytes: bytes))
  }

  /// The server's first answer to the wish to go on; others mean nothing.
  private mutating func resumed(after start: StreamPosition, _ link: inout Connected, _ turn: inout Turn) {
    guard !link.isCurrent else { return }
    if let gap = cursor.resumed(after: start) { turn.add(.gap(after: gap.after, upTo: gap.upTo)) }
    link.isCurrent = true
    link.resumeDeadline = .never
    flush(link.generation, &turn)
  }

  private mutating func flush(_ generation: Generation, _ turn: inout Turn) {
    outbox.expire(at: turn.now, into: &turn.effects)
    while let number = outbox.nextToSend() { turn.add(.sendMessage(generation, number)) }
  }

  /// The connection has shown that it works: the attempts that led to it are forgotten, and only now. That the stream
  /// is resumed shows little: a server that resumes and closes at once would be met again and again without end.
  private mutating func prove(_ link: inout Connected) {
    link.proofDeadline = .never
    guard !link.isProven else { return }
    link.isProven = true
    attempts.reset()
    lastProblem = nil
    hasRefreshed = false
  }

  private mutating func broke(_ turn: inout Turn) {
    outbox.connectionBroke(settings.unacknowledged, into: &turn.effects)
  }
}

/// One event while it is handled: its moment, its random bits, and what is to be done.
private struct Turn {
  let now: Instant
  private let word: UInt64
  private(set) var isWordUsed = false
  var effects = LiveEffects(unreserved: ())

  init(now: Instant, word: UInt64) { (self.now, self.word) = (now, word) }

  @inline(never)
  mutating func add(_ effect: LiveEffect) { effects.append(effect) }

  /// The event's random bits. One event decides one wait, so one word is enough.
  mutating func draw() -> UInt64 {
    isWordUsed = true
    return word
  }

  /// A wait from nothing to the longest, evenly.
  mutating func draw(upTo longest: Interval) -> Interval { longest > .zero ? longest.share(of: draw()) : .zero }
}

@usableFromInline
struct TimerSetting: Hashable, Sendable {
  @usableFromInline var number: UInt64 = 0
  @usableFromInline var at = Instant.never

  init() {}

  @inlinable var isSet: Bool { at != .never }
}
