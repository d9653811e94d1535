// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore

extension InvariantWatch {
  /// Takes what the client wants done into the account.
  @inline(__always)
  package mutating func saw(_ effect: LiveEffect, at moment: SessionMoment) {
    if step.isUsual {
      switch effect {
      case .setTimer(let tag, let due) where tag.number > timer.tag && step.timerSettings == 0:
        step.timerSettings = 1
        timer = TimerAccount(isSet: true, tag: tag.number, due: due)
        return
      case .sendPing(let generation, let number) where generation.number == socket.generation:
        socket.pingNumber = number
        if socket.pinged == nil { socket.pinged = moment.client }
        return
      default: break
      }
    }
    noteUnusual(effect)
  }

  /// Takes any effect into the account.
  @inline(never)
  private mutating func noteUnusual(_ effect: LiveEffect) {
    if step.isUsual {
      let settings = step.timerSettings
      leaveUsual()
      step.timerSettings = settings
    }
    if step.isStale { broke(.staleChangesNothing, .effect(effect)) }
    switch effect {
    case .setTimer(let tag, let due): note(tag, due: due)
    case .cancelTimer: timer.isSet = false
    case .sendPing(let generation, let number):
      guard isOpen(generation, effect) else { return }
      socket.pingNumber = number
      if socket.pinged == nil { socket.pinged = now }
    case .sendMessage(let generation, let number):
      guard isOpen(generation, effect) else { return }
      let next = outgoing.next()
      if number.value != next { broke(.sentInOrder, .message(number.value, expected: next)) }
      outgoing.sent(number)
    case .sendPong(let generation, _), .sendResume(let generation, _): _ = isOpen(generation, effect)
    case .statusChanged: step.isAnnounced = true
    case .open, .abort, .sendClose, .refreshCredentials: noteLink(effect)
    case .deliver, .gap, .acknowledged, .dropped: noteMessages(effect)
    }
  }

  private mutating func note(_ tag: TimerTag, due: Instant) {
    step.timerSettings += 1
    if tag.number <= timer.tag || step.timerSettings > 1 { broke(.oneTimer, .tooMany(2, atMost: 1)) }
    if wish.hasEnded, socket.phase != .closing { broke(.nothingAfterClose, .effect(.setTimer(tag, at: due))) }
    timer = TimerAccount(isSet: true, tag: tag.number, due: due)
  }

  /// Whether what is to be sent can be sent.
  private mutating func isOpen(_ generation: Generation, _ effect: LiveEffect) -> Bool {
    if wish.hasEnded { broke(.nothingAfterClose, .effect(effect)) }
    if socket.phase == .open, socket.generation == generation.number { return true }
    broke(.oneSocket, .effect(effect))
    return false
  }

  private mutating func noteLink(_ effect: LiveEffect) {
    switch effect {
    case .open(let generation, let target): noteOpen(generation, target, effect)
    case .abort(let generation):
      guard socket.phase != .none, socket.generation == generation.number else { return }
      if !mayDrop { broke(.droppedForAReason, .effect(effect)) }
      lose()
    case .sendClose(let generation, _):
      guard socket.phase != .none, socket.generation == generation.number else { return }
      if isPongOverdue, event != .stop { broke(.pongTimeoutAborts, .effect(effect)) }
      if !mayDrop { broke(.droppedForAReason, .effect(effect)) }
      (socket.phase, socket.closing) = (.closing, now)
    case .refreshCredentials(let generation):
      if wish.hasEnded { broke(.nothingAfterClose, .effect(effect)) }
      if attempts.hasRefreshed, !attempts.mayBeForgotten { broke(.refreshedOnce, .tooMany(2, atMost: 1)) }
      (attempts.awaitsCredentials, attempts.awaited, attempts.began) = (true, generation, now)
      step.opens = true
    default: break
    }
  }

  private mutating func noteOpen(_ generation: Generation, _ target: OpenTarget, _ effect: LiveEffect) {
    if wish.isStopped || wish.hasEnded { broke(.nothingAfterClose, .effect(effect)) }
    if socket.phase != .none { broke(.oneSocket, .tooMany(2, atMost: 1)) }
    if generation.number <= socket.generation { broke(.oneSocket, .effect(effect)) }
    if attempts.needsCredentials { broke(.refreshedOnce, .wrongCount(0, expected: 1)) }
    if target == .original { (attempts.redirects, attempts.isRedirectSecure) = (0, false) }
    judgeAttempt()
    let number = socket.generation
    socket = SocketAccount()
    (socket.phase, socket.began) = (.opening, now)
    socket.generation = max(number, generation.number)
    // With credentials to fetch, it began when they were asked for.
    if case .credentials = event {} else { attempts.began = now }
    (attempts.isHinted, attempts.awaitsCredentials) = (false, false)
    step.opens = true
  }

  /// Holds an attempt against the rules of when it may come.
  private mutating func judgeAttempt() {
    if now < attempts.notBefore, event != .retry, !step.excusesAttempt {
      broke(.retryAfterHonoured, .tooSoon(now - socket.ended, atLeast: attempts.notBefore - socket.ended))
    }
    guard !step.excusesAttempt, let began = attempts.began else { return }
    let apart = now - began
    if apart < settings.backoff.floor { broke(.attemptFloor, .tooSoon(apart, atLeast: settings.backoff.floor)) }
    guard !attempts.isHinted else { return }
    let wait = now - socket.ended
    if wait < settings.backoff.floor { broke(.attemptFloor, .tooSoon(wait, atLeast: settings.backoff.floor)) }
    attempts.made += 1
    guard attempts.made > settings.backoff.maximumAttempts else { return }
    if wait < settings.suspendedCadence?.waits.lowerBound ?? .forever {
      broke(.attemptLimit, .tooMany(attempts.made, atMost: settings.backoff.maximumAttempts))
    }
  }

  /// Whether a ping has gone unanswered for as long as the settings allow.
  var isPongOverdue: Bool {
    guard socket.phase == .open, let pinged = socket.pinged else { return false }
    return now - pinged >= settings.heartbeat.pongTimeout
  }

  /// Whether the server has not said where it goes on for as long as an attempt may take.
  var isResumeOverdue: Bool {
    settings.resumesStream && !socket.isResumed && now - socket.resuming >= settings.connectTimeout
  }

  /// Whether there is a reason to drop the socket in this step.
  private var mayDrop: Bool {
    switch event {
    case .stop, .networkChanged, .network(isReachable: false), .received(_, .malformed), .app(isInFront: false): true
    case .timer:
      switch socket.phase {
      case .opening: now - socket.began >= settings.connectTimeout || isLeftBehind
      case .open: isPongOverdue || isResumeOverdue || isLeftBehind
      case .closing, .none: true
      }
    case .woke: socket.phase == .opening && now - socket.began >= settings.connectTimeout
    default: socket.phase == .closing
    }
  }

  /// Whether the app has been in the back for as long as the settings keep a connection.
  private var isLeftBehind: Bool {
    guard !wish.isInFront, case .disconnect(let after) = settings.background else { return false }
    return now - wish.backSince >= after
  }

  private mutating func noteMessages(_ effect: LiveEffect) {
    switch effect {
    case .deliver(let position, _):
      step.delivered += 1
      if let position { note(delivered: position) }
    case .gap(_, let last):
      step.gapTold = true
      incoming.last = last
    case .acknowledged(let number):
      if !outgoing.acknowledged(number) { broke(.answeredOnce, .effect(effect)) }
    case .dropped(let number, _):
      if !outgoing.dropped(number) { broke(.answeredOnce, .effect(effect)) }
    default: break
    }
  }

  private mutating func note(delivered position: StreamPosition) {
    if settings.resumesStream, let last = incoming.last, last.epoch == position.epoch, position.offset <= last.offset {
      broke(.deliveredOnce, .message(position.offset, expected: last.offset + 1))
    }
    incoming.last = position
  }
}
