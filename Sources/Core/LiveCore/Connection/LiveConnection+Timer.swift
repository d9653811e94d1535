// SPDX-License-Identifier: Apache-2.0

extension LiveConnection {
  /// The timer rang: does what is due. Where nothing is, it rang too soon and is set again.
  mutating func rang(_ turn: inout Turn) {
    let rungLate = turn.now - timer.at
    timer.at = .never
    outbox.expire(at: turn.now, into: &turn.effects)
    switch state {
    case .disconnected: break
    case .connecting(let attempt):
      guard attempt.deadline <= turn.now else { break }
      if !attempt.awaitsCredentials { turn.add(.abort(attempt.generation)) }
      lose(attempt.awaitsCredentials ? .credentials : .connectTimeout, &turn)
    case .connected(var link):
      if hasSlept(link, rungLate, at: turn.now) {
        probeAfterSleep(&link, &turn)
        link.isAskedAnew = rungLate < settings.heartbeat.pongTimeout
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

  /// Whether a timer that rang late slept with the device, even where nobody says so, and the link is to be asked
  /// before it is believed dead: its answer may lie in a buffer. After a lateness that may be no sleep it is asked
  /// once, since where timers are always late a dead link would never be found else.
  private func hasSlept(_ link: Connected, _ rungLate: Interval, at now: Instant) -> Bool {
    if rungLate >= settings.heartbeat.pongTimeout { return true }
    guard rungLate > settings.heartbeat.lateness, !link.isAskedAnew else { return false }
    return link.pongDeadline.map { $0 <= now } ?? false || link.resumeDeadline <= now
  }

  /// Does what is due on an open connection.
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
  mutating func rearm(_ turn: inout Turn) {
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
