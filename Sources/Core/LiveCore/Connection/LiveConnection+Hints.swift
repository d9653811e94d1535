// SPDX-License-Identifier: Apache-2.0

extension LiveConnection {
  /// Whether attempts are made at present.
  var mayAttempt: Bool { isReachable && (isInFront || settings.background == .stayConnected) }

  mutating func networkBecame(reachable: Bool, _ turn: inout Turn) {
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

  mutating func networkChanged(_ turn: inout Turn) {
    switch state {
    case .disconnected, .closed: return
    case .connected(let link):
      turn.add(.abort(link.generation))
      lastProblem = .networkChanged
      broke(&turn)
      state = .waiting(Waiting(since: turn.now, due: nil, isCounted: false))
    case .connecting: cutAttempt(&turn)
    case .waiting, .suspended: break
    }
    hint(&turn)
  }

  mutating func appBecame(inFront: Bool, _ turn: inout Turn) {
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

  mutating func woke(_ turn: inout Turn) {
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
  mutating func retryNow(_ turn: inout Turn) {
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
      state = .waiting(Waiting(since: turn.now, due: due, isCounted: true))
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
    state = .waiting(Waiting(since: turn.now, due: nil, isCounted: true))
  }

  /// Makes no attempt by itself for the time being.
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
  mutating func leaveForBackground(_ turn: inout Turn) {
    backgroundDeadline = .never
    switch state {
    case .connecting: cutAttempt(&turn)
    case .connected(let link):
      // The app may be frozen any moment, so nobody waits for the answer to a close frame.
      turn.add(.abort(link.generation))
      broke(&turn)
      state = .waiting(Waiting(since: turn.now, due: nil, isCounted: false))
    case .disconnected, .waiting, .suspended, .closed: return
    }
  }
}
