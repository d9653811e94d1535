// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// No pings of its own: a dead link is noticed by luck.
struct SendsNoPings: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }
  static func change(_ settings: inout ConnectionSettings) { settings.heartbeat.interval = nil }
}

/// The kernel's patience with an attempt: over two minutes.
struct WaitsForTheKernel: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }
  static func change(_ settings: inout ConnectionSettings) { settings.connectTimeout = .seconds(127) }
}

/// A link without a pong is asked to close, politely.
struct ClosesPolitely: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }
  func done(_ effect: LiveEffect, after event: LiveEvent, at now: Instant) -> LiveEffect? {
    if case .abort(let generation) = effect, client.status.lastProblem == .pongTimeout {
      return .sendClose(generation, CloseCode(1000))
    }
    return effect
  }
}

/// Its own close with 1000 is taken for the server's last word.
struct TakesItsOwnCloseForFinal: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    let isUsed = relay(event, at: now, word: word, into: &effects)
    if effects.aborted != nil, client.status.lastProblem == .pongTimeout {
      _ = relay(.stop, at: now, word: word, into: &effects)
    }
    return isUsed
  }
}

/// What is dropped stays open, and what comes through it is taken for the present connection's.
struct LeavesOrphans: BrokenVariant {
  var client: LiveConnection
  private var generation = Generation.none
  init(around client: LiveConnection) { self.client = client }

  func told(_ event: LiveEvent, at now: Instant) -> LiveEvent? {
    if case .received(let from, let frame) = event, from != generation, client.status.phase == .connected {
      return .received(generation, frame)
    }
    return event
  }

  mutating func done(_ effect: LiveEffect, after event: LiveEvent, at now: Instant) -> LiveEffect? {
    switch effect {
    case .open(let opened, _): generation = opened
    case .abort: return nil
    default: break
    }
    return effect
  }
}

/// What comes in the same moment as the end of the handshake is lost.
struct DropsWhatCameWithTheHandshake: BrokenVariant {
  var client: LiveConnection
  private var isFresh = false
  init(around client: LiveConnection) { self.client = client }

  mutating func told(_ event: LiveEvent, at now: Instant) -> LiveEvent? {
    switch event {
    case .opened: isFresh = true
    case .received:
      defer { isFresh = false }
      return isFresh ? nil : event
    default: break
    }
    return event
  }
}

/// Timers that were due in a sleep ring before anybody says that the device woke.
struct BelievesOldDeadlines: BrokenVariant {
  var client: LiveConnection
  private var pinged: Instant?
  init(around client: LiveConnection) { self.client = client }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    if case .received(_, .pong) = event { pinged = nil }
    let timeout = client.settings.heartbeat.pongTimeout
    if event == .woke, let pinged, now - pinged >= timeout, let generation {
      self.pinged = nil
      // What the old deadline stands for: the link is given up as if somebody had closed it.
      effects.append(.abort(generation))
      return relay(.closed(generation, Closure(.network, CloseCode(1006))), at: now, word: word, into: &effects)
    }
    return relay(event, at: now, word: word, into: &effects)
  }

  mutating func done(_ effect: LiveEffect, after event: LiveEvent, at now: Instant) -> LiveEffect? {
    if case .sendPing = effect { pinged = now }
    return effect
  }

  private var generation: Generation? {
    if case .connected(let link) = client.state { return link.generation }
    return nil
  }
}
