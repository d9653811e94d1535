// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import LiveLab

/// How many times as fast as in production everything goes in a soak: the schedule of faults, every interval of the
/// client's settings, and the network.
///
/// Both worlds, the real and the simulated, run at that pace. What they find is put back into the client's own time.
struct TimeScale: Hashable, Sendable {
  let factor: Int64

  init(_ factor: Int) { self.factor = Int64(max(1, factor)) }

  /// A length of the client's time as it passes on the machine's clock, and never less than nothing.
  func real(_ interval: Interval) -> Interval {
    interval == .forever ? .forever : Interval(nanoseconds: interval.nanoseconds / factor)
  }

  /// A length of the machine's time as the client's own.
  func own(_ interval: Interval) -> Interval { interval == .forever ? .forever : interval * factor }

  private func own(_ moment: Instant) -> Instant { moment == .never ? .never : .zero + own(moment - .zero) }

  /// The settings with every interval but one at the pace. How late a timer may fire before the client believes that
  /// the device slept is about the machine, which gets no faster; it stays, as far as the pong timeout allows.
  func real(_ settings: ConnectionSettings) -> ConnectionSettings {
    var fast = settings
    fast.backoff = real(settings.backoff)
    fast.heartbeat.interval = settings.heartbeat.interval.map(real)
    fast.heartbeat.pongTimeout = real(settings.heartbeat.pongTimeout)
    fast.heartbeat.lateness = min(settings.heartbeat.lateness, fast.heartbeat.pongTimeout)
    fast.proof.minimumUptime = real(settings.proof.minimumUptime)
    fast.connectTimeout = real(settings.connectTimeout)
    fast.closeTimeout = real(settings.closeTimeout)
    if let cadence = settings.suspendedCadence {
      fast.suspendedCadence = SlowCadence(every: real(cadence.interval), spread: cadence.spread)
    }
    fast.hintSpread = real(settings.hintSpread)
    if case .disconnect(let after) = settings.background { fast.background = .disconnect(after: real(after)) }
    fast.outbox.age = real(settings.outbox.age)
    fast.closeRules.later = real(settings.closeRules.later)
    fast.closeRules.laterSpread = real(settings.closeRules.laterSpread)
    fast.refusalRules.longestWait = real(settings.refusalRules.longestWait)
    fast.refusalRules.dateSpread = real(settings.refusalRules.dateSpread)
    return fast
  }

  /// Phoenix's waits are a table, which no pace changes: see `SoakTrial.check`.
  private func real(_ backoff: Backoff) -> Backoff {
    var fast = backoff
    (fast.base, fast.cap, fast.floor) = (real(backoff.base), real(backoff.cap), real(backoff.floor))
    if case .drawnBase(let most) = backoff.growth { fast.growth = .drawnBase(upTo: real(most)) }
    if case .added(let least, let most) = backoff.jitter { fast.jitter = .added(real(least), real(most)) }
    return fast
  }

  /// The world of a session at the pace.
  func real(_ world: SessionWorld) -> SessionWorld {
    var fast = world
    fast.network.latency = real(world.network.latency)
    fast.network.jitter = real(world.network.jitter)
    fast.network.bytesPerSecond = world.network.bytesPerSecond.multipliedReportingOverflow(by: factor).partialValue
    fast.network.retransmission = real(world.network.retransmission)
    fast.network.firstRetransmission = real(world.network.firstRetransmission)
    fast.network.connectTimeout = real(world.network.connectTimeout)
    fast.network.sendTimeout = real(world.network.sendTimeout)
    fast.server.publishes = world.server.publishes.map(real)
    fast.server.pings = world.server.pings.map(real)
    fast.server.keepsDead = real(world.server.keepsDead)
    fast.server.credentialsTake = real(world.server.credentialsTake)
    fast.phone.sends = world.phone.sends.map(real)
    fast.phone.closeNotificationDelay = real(world.phone.closeNotificationDelay)
    return fast
  }

  /// The schedule at the pace. `Retry-After` counts whole seconds on the wire, so it is rounded up to them; whatever it
  /// is then holds in both worlds.
  func real(_ schedule: FaultSchedule) -> FaultSchedule {
    let faults = schedule.faults.map { timed in
      var faster = timed
      faster.at = .zero + real(timed.at - .zero)
      faster.lasting = real(timed.lasting)
      faster.fault = real(timed.fault)
      return faster
    }
    return FaultSchedule(unchecked: faults, duration: real(schedule.duration), limit: schedule.limit.map(real))
  }

  private func real(_ fault: Fault) -> Fault {
    var values = fault.values
    for (place, parameter) in fault.kind.parameters.enumerated() where values[place] != FaultParameter.none {
      switch parameter.unit {
      case .time:
        values[place] = values[place] / factor
        if parameter.name == "retry-after" { values[place] = Self.wholeSeconds(values[place]) }
      case .count(of: "bytes a second"):
        let (product, isTooMuch) = values[place].multipliedReportingOverflow(by: factor)
        values[place] = isTooMuch ? parameter.range.upperBound : min(product, parameter.range.upperBound)
      case .count, .portion, .word: break
      }
    }
    return Fault(fault.kind, values: values)
  }

  private static func wholeSeconds(_ nanoseconds: Int64) -> Int64 {
    (nanoseconds + 999_999_999) / 1_000_000_000 * 1_000_000_000
  }

  /// A client's result, in its own time.
  func own(_ result: SessionResult) -> SessionResult {
    var slow = result
    slow.duration = own(result.duration)
    for place in slow.outages.indices {
      slow.outages[place].began = own(slow.outages[place].began)
      slow.outages[place].possible = own(slow.outages[place].possible)
      slow.outages[place].ended = own(slow.outages[place].ended)
      slow.outages[place].noticed = own(slow.outages[place].noticed)
    }
    return slow
  }
}
