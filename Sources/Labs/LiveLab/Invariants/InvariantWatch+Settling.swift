// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension InvariantWatch {
  /// Judges the step as a whole, by the status that the client shows after it.
  mutating func settle(_ status: LiveStatus) {
    if step.isUsual { leaveUsual() }
    if step.toDeliver != nil || step.delivered > 0 { judgeDelivery() }
    if step.isFirstFrame, socket.phase == .open, case .received(_, .resumed) = event, !status.isCurrent {
      broke(.firstMessage, .wrongCount(0, expected: 1))
    }
    let isChanged = status != shown
    if isChanged { judgeChange(to: status) }
    if status.phase == .closed { judgeEnd() } else { judgeGoingOn(status) }
    judgeTruth(of: status)
    if isChanged { shown = status }
    // Whoever waits or sleeps has given up asking, and an answer that comes all the same is old news.
    if attempts.awaitsCredentials, status.phase != .connecting {
      attempts.awaitsCredentials = false
      wish.idleSince = now
    }
  }

  /// The step is more than one of the usual round.
  mutating func leaveUsual() {
    event = beat.event
    step = StepAccount()
  }

  private mutating func judgeDelivery() {
    let expected = socket.phase == .open ? step.toDeliver ?? 0 : step.delivered
    if step.delivered < expected {
      broke(step.isFirstFrame ? .firstMessage : .messagesDelivered, .wrongCount(step.delivered, expected: expected))
    } else if step.delivered > expected {
      broke(.deliveredOnce, .wrongCount(step.delivered, expected: expected))
    }
    if step.wantsGap, !step.gapTold { broke(.messagesDelivered, .wrongCount(0, expected: 1)) }
  }

  private mutating func judgeChange(to status: LiveStatus) {
    guard let before = shown else { return }
    if step.isStale { broke(.staleChangesNothing, .phase(status.phase, expected: before.phase)) }
    if !step.isAnnounced { broke(.statusTrue, .status(.announcement)) }
    let (attempt, last) = (status.attempt, before.attempt)
    guard attempt != last else { return }
    if attempt > last + 1 { broke(.countedOnce, .wrongCount(attempt, expected: last + 1)) }
    guard attempt < last else { return }
    let isNewRound = attempt == 1 && last >= settings.backoff.maximumAttempts && step.isHint
    let isProof = step.isProof || socket.isProven || socket.isUncertain || attempts.followsProven
    if !isNewRound && !isProof { broke(.countedOnce, .wrongCount(attempt, expected: last)) }
  }

  /// What is so once it is closed for good.
  private mutating func judgeEnd() {
    if !wish.hasEnded, !wish.mayEnd { broke(.endsForAReason, .phase(.closed, expected: shown?.phase ?? .disconnected)) }
    wish.hasEnded = true
    if socket.phase == .closing { return }
    if socket.phase != .none { broke(.everyStartEnds, .tooMany(1, atMost: 0)) }
    if timer.isSet { broke(.everyStartEnds, .tooMany(1, atMost: 0)) }
    if outgoing.waiting > 0 { broke(.everyStartEnds, .tooMany(outgoing.waiting, atMost: 0)) }
  }

  /// What is so until then.
  private mutating func judgeGoingOn(_ status: LiveStatus) {
    if wish.hasEnded || step.mustEnd || wish.isStopped {
      broke(.endsForAReason, .phase(status.phase, expected: .closed))
    }
    if step.opens, attempts.followsProven {
      if status.attempt > 1 { broke(.resetWhenProven, .wrongCount(status.attempt, expected: 1)) }
      attempts.followsProven = false
    }
    if status.phase == .suspended, status.attempt < settings.backoff.maximumAttempts {
      broke(.countedOnce, .wrongCount(status.attempt, expected: settings.backoff.maximumAttempts))
    }
    guard wish.isStarted else { return }
    if socket.phase == .none {
      let waitsForHint = status.phase == .suspended && settings.suspendedCadence == nil
      let isMoving = attempts.awaitsCredentials ? timer.isSet : status.nextTry != nil
      if mayAttempt, !waitsForHint, !isMoving { broke(.alwaysAnExit, .nothing) }
    }
  }

  /// Holds what is shown against what is so.
  private mutating func judgeTruth(of status: LiveStatus) {
    let isIdle = status.phase == .waiting || status.phase == .suspended
    switch socket.phase {
    case .open: expect(.connected, status)
    case .opening: expect(.connecting, status)
    case .closing: expect(.closed, status)
    case .none:
      if attempts.awaitsCredentials, status.phase == .connecting { break }
      if !wish.isStarted { expect(.disconnected, status) } else if !isIdle, !wish.hasEnded { expect(.waiting, status) }
    }
    if let next = status.nextTry, !isIdle || (next < now && next > wish.awoke) || !timer.isSet || timer.due > next {
      broke(.statusTrue, .status(.nextTry))
    }
    if (status.health == .none) != (socket.phase != .open) || isHealthFeigned(status) {
      broke(.statusTrue, .status(.health))
    }
    let isCurrent = socket.phase == .open && (socket.isResumed || !settings.resumesStream)
    if status.isCurrent != isCurrent { broke(.statusTrue, .status(.isCurrent)) }
    if status.queued != outgoing.waiting { broke(.statusTrue, .status(.queued)) }
    if status.queued > settings.outbox.count {
      broke(.queueBounds, .tooMany(status.queued, atMost: settings.outbox.count))
    }
  }

  private mutating func expect(_ phase: LiveStatus.Phase, _ status: LiveStatus) {
    if status.phase != phase { broke(.statusTrue, .phase(status.phase, expected: phase)) }
  }

  /// Whether the link is called good although the answer to a ping is more than half of its time late.
  private func isHealthFeigned(_ status: LiveStatus) -> Bool {
    guard status.health == .good, let pinged = socket.pinged else { return false }
    return now - pinged > Interval(nanoseconds: settings.heartbeat.pongTimeout.nanoseconds / 2 + 1)
  }
}
