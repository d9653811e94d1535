// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension Session {
  /// Whether the client is served, and whether an attempt could succeed, looked at again after something changed.
  @inline(never)
  mutating func judgeService(_ schedule: borrowing FaultSchedule) {
    isServiceDirty = false
    // The books are closed.
    if phone.isStopped { return }
    let isCarrying = isCarrying()
    seen.truth.isCarrying = isCarrying
    notePossible()
    let isServed = isCarrying && isCurrentAtClient()
    if isServed != self.isServed {
      self.isServed = isServed
      witness.saw(.served(isServed), at: moment)
      if isServed {
        servedSince = now
        endOutage()
      } else {
        result.served = result.served + Interval(nanoseconds: now &- servedSince)
        beginOutage(schedule)
      }
    }
    faults.inHand = -1
  }

  private mutating func isCarrying() -> Bool {
    guard current >= 0, !conditions.isUpBlocked, !conditions.isDownBlocked, !conditions.isAsleep else { return false }
    return !sockets[current].isCut && !sockets[current].isUpStalled && !sockets[current].isDownStalled
  }

  private mutating func isCurrentAtClient() -> Bool {
    guard sockets[current].isHeld, sockets[current].isOpened, sockets[current].isAtServer else { return false }
    if !sockets[current].isCaughtUp, sockets[current].isResumed {
      let target = sockets[current].target
      guard let place = seen.truth.streamDelivered else { return false }
      sockets[current].isCaughtUp = place.epoch == target.epoch && place.offset >= target.offset
    }
    return sockets[current].isCaughtUp
  }

  private mutating func notePossible() {
    let isKeptBack = settings.background != .stayConnected && conditions.isInBackground
    let isPossible = conditions.blocks == 0 && !isKeptBack && !conditions.isAsleep
    guard isPossible != seen.truth.isPossible else { return }
    seen.truth.isPossible = isPossible
    let last = result.outages.count - 1
    if !isServed, last >= 0 { result.outages[last].possible = isPossible ? Instant(nanoseconds: now) : .never }
  }

  /// The client is not served from now on.
  mutating func beginOutage(_ schedule: borrowing FaultSchedule) {
    let instant = Instant(nanoseconds: now)
    result.outages.append(
      Outage(
        fault: cause(schedule), began: instant, possible: seen.truth.isPossible ? instant : .never, ended: .never,
        noticed: seen.subject.status.phase == .connected ? .never : instant, attempts: 0))
  }

  private mutating func endOutage() {
    let last = result.outages.count - 1
    let instant = Instant(nanoseconds: now)
    result.outages[last].ended = instant
    // A connection that outlived what hindered new ones was back before one could have been made.
    if result.outages[last].possible == .never { result.outages[last].possible = instant }
  }

  /// The client says that something changed: whether it has noticed the outage.
  mutating func noteStatus() {
    let last = result.outages.count - 1
    guard !isServed, !phone.isStopped, last >= 0, result.outages[last].noticed == .never else { return }
    if seen.subject.status.phase != .connected { result.outages[last].noticed = Instant(nanoseconds: now) }
  }

  /// More of the stream is with the app.
  mutating func noteDelivered() {
    if current >= 0, !sockets[current].isCaughtUp { isServiceDirty = true }
  }

  /// Which fault it was: the one that begins or ends now, or else the last of those that hold and can break a
  /// connection, or else the last that began, within two minutes.
  private mutating func cause(_ schedule: borrowing FaultSchedule) -> Int {
    if faults.inHand >= 0 { return faults.inHand }
    for index in stride(from: faults.count - 1, through: 0, by: -1) {
      let place = Int(faults.holding[index])
      if schedule.faults[place].fault.breaks { return place }
    }
    guard faults.lastBegun >= 0 else { return -1 }
    let timed = schedule.faults[faults.lastBegun]
    return now &- timed.end.nanoseconds <= 120_000_000_000 ? faults.lastBegun : -1
  }
}
