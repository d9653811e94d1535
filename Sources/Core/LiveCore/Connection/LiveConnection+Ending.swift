// SPDX-License-Identifier: Apache-2.0

extension LiveConnection {
  mutating func closed(_ generation: Generation, _ closure: Closure, _ turn: inout Turn) {
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

  /// Takes in that a socket is gone.
  ///
  /// - Returns: Whether it is the one that counts, so that something follows from it. What was being closed for good
  ///   just is.
  mutating func hasEnded(_ generation: Generation) -> Bool {
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
  mutating func malformed(_ code: CloseCode, _ link: Connected, _ turn: inout Turn) {
    turn.add(.sendClose(link.generation, code))
    turn.add(.abort(link.generation))
    let rules = settings.closeRules
    lose(.malformed(code), notBefore: turn.now + rules.later, spread: rules.laterSpread, &turn)
  }

  /// Gives up an open connection. A dead link answers no closing handshake, so there is none.
  mutating func drop(_ link: Connected, _ problem: Problem, _ turn: inout Turn) {
    turn.add(.abort(link.generation))
    lose(problem, &turn)
  }

  /// The attempt failed or the connection broke: waits for the next attempt, if there is one. Not before the moment
  /// that the server named, and spread over so long from then on, where it told many the same and the usual wait is
  /// shorter.
  mutating func lose(
    _ problem: Problem, notBefore earliest: Instant = .zero, spread: Interval = .zero, _ turn: inout Turn
  ) {
    lastProblem = problem
    notBefore = max(notBefore, earliest)
    broke(&turn)
    guard mayAttempt else {
      state = .waiting(Waiting(since: turn.now, due: nil, isCounted: false))
      return
    }
    guard let wait = attempts.next(settings.backoff, word: turn.draw()) else { return suspend(&turn) }
    // The server's wish comes on top: if all came back when it ends, all would come back at one moment.
    let due = max(turn.now, notBefore) + max(wait, turn.draw(upTo: spread))
    state = .waiting(Waiting(since: turn.now, due: due, isCounted: true))
  }

  private mutating func suspend(_ turn: inout Turn) {
    let due = settings.suspendedCadence.map { $0.next(after: turn.now, notBefore: notBefore, word: turn.draw()) }
    state = .suspended(Suspended(since: turn.now, due: due))
  }

  mutating func stop(_ turn: inout Turn) { end(.stopped, &turn) }

  /// Closes for good. What is open gets a closing handshake; what is being opened is dropped.
  mutating func end(_ reason: Ended.Reason, _ turn: inout Turn) {
    var ended = Ended(reason: reason, since: turn.now, closing: nil, deadline: .never)
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
  mutating func dropClosing(_ turn: inout Turn) {
    guard case .closed(var ended) = state, let generation = ended.closing else { return }
    turn.add(.abort(generation))
    ended.closing = nil
    state = .closed(ended)
  }
}
