// SPDX-License-Identifier: Apache-2.0

extension LiveConnection {
  /// The usual ring of the timer: a ping is due, and nothing else.
  ///
  /// - Returns: Whether that was it, and all is done.
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
    effects.append(
      LiveEffects.Round(generation: link.generation, ping: link.ping, tag: TimerTag(timer.number), due: timer.at))
    return true
  }

  /// The usual pong: the answer to the last ping, in good time.
  ///
  /// Only the answer to the last ping counts. A frame that was under way, or a pong that lay in a buffer while the
  /// device slept, says nothing of whether the server hears us now.
  ///
  /// - Returns: Whether that was it, and all is done.
  @inlinable @inline(__always)
  mutating func takePong(
    _ number: UInt32, of generation: Generation, at now: Instant, into effects: inout LiveEffects
  ) -> Bool {
    guard case .connected(var link) = present, link.generation == generation else { return true }
    guard !link.isDoubtful else { return false }
    link.lastHeard = now
    let isAnswer = number == link.ping && link.pongDeadline != nil
    if isAnswer { link.pongDeadline = nil }
    present = .connected(link)
    if isAnswer {
      let due = min(sideDeadline, link.nextPing)
      if due != timer.at {
        timer.number &+= 1
        timer.at = due
        effects.append(
          LiveEffects.Round(generation: generation, ping: nil, tag: TimerTag(timer.number), due: due))
      }
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

  /// Takes a pong after doubt.
  mutating func pong(_ number: UInt32, _ link: inout Connected) {
    guard number == link.ping, link.pongDeadline != nil else { return }
    link.pongDeadline = nil
    (link.isDoubtful, link.isAskedAnew) = (false, false)
  }

  /// Sends a ping now, with its whole time for the answer.
  mutating func ping(_ link: inout Connected, _ turn: inout Turn) {
    guard let interval = settings.heartbeat.interval else { return }
    link.ping &+= 1
    link.isAskedAnew = false
    link.pongDeadline = turn.now + settings.heartbeat.pongTimeout
    link.nextPing = turn.now + interval
    turn.add(.sendPing(link.generation, link.ping))
  }

  /// Asks whether the link still lives, since something happened that might have killed it. A question that is already
  /// asked is not asked again, or hints in a row would put off the answer for ever.
  mutating func probe(_ link: inout Connected, _ turn: inout Turn) {
    guard link.pongDeadline == nil else { return }
    ping(&link, &turn)
  }

  /// Asks anew after a sleep, in which neither deadlines nor pongs mean anything, and until the answer comes there is
  /// doubt.
  mutating func probeAfterSleep(_ link: inout Connected, _ turn: inout Turn) {
    ping(&link, &turn)
    link.isDoubtful = link.pongDeadline != nil
    if !link.isProven { link.proofDeadline = turn.now + settings.proof.minimumUptime }
    if link.resumeDeadline != .never { link.resumeDeadline = turn.now + settings.connectTimeout }
  }
}
