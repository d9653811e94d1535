// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// A variant with a timer of its own beside the client's, which it forgets to stop, and which ends what is open then.
protocol KeepsAnOldTimer: BrokenVariant {
  var timer: SharedTimer { get set }
  var wish: SharedTimer.Wish? { get set }
  /// When the old timer rings.
  var old: Instant { get set }
  /// What an event or an effect does to the old timer.
  mutating func note(_ event: LiveEvent, at now: Instant)
  mutating func note(_ effect: LiveEffect, at now: Instant)
}

extension KeepsAnOldTimer {
  func note(_ event: LiveEvent, at now: Instant) {}

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    note(event, at: now)
    var isUsed = false
    if case .timer(let tag) = event {
      guard timer.isCurrent(tag) else { return false }
      timer.rang()
      if old <= now {
        old = .never
        isUsed = cut(at: now, word: word, into: &effects)
      } else if let due = wish, due.due <= now {
        wish = nil
        isUsed = pass(.timer(due.tag), at: now, word: word, into: &effects)
      }
    } else {
      isUsed = pass(event, at: now, word: word, into: &effects)
    }
    timer.set(to: min(wish.due, old), into: &effects)
    return isUsed
  }

  /// Ends what is open, whichever it is.
  private mutating func cut(at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    guard case .connected(let link) = client.state else { return false }
    effects.append(.abort(link.generation))
    return pass(
      .closed(link.generation, Closure(.network, CloseCode(1006))), at: now, word: word, into: &effects)
  }

  private mutating func pass(
    _ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects
  ) -> Bool {
    var wanted = LiveEffects()
    let isUsed = client.handle(event, at: now, word: word, into: &wanted)
    for effect in wanted where !wish.take(effect) {
      note(effect, at: now)
      effects.append(effect)
    }
    return isUsed
  }
}

/// The connect timeout of an attempt goes on after the attempt has failed, and closes what a later one opened.
struct KeepsConnectTimeouts: KeepsAnOldTimer {
  var client: LiveConnection
  var timer = SharedTimer()
  var wish: SharedTimer.Wish?
  var old = Instant.never
  init(around client: LiveConnection) { self.client = client }

  mutating func note(_ event: LiveEvent, at now: Instant) {
    // Only what opens the attempt it was set for stops it, and by then another may have replaced that one.
    if case .opened(let generation) = event, generation == began { old = .never }
  }

  mutating func note(_ effect: LiveEffect, at now: Instant) {
    guard case .open(let generation, _) = effect, old == .never else { return }
    (began, old) = (generation, now + client.settings.connectTimeout)
  }

  private var began = Generation.none
}

/// The answer to a ping of an earlier connection is waited for on the next one.
struct KeepsHeartbeats: KeepsAnOldTimer {
  var client: LiveConnection
  var timer = SharedTimer()
  var wish: SharedTimer.Wish?
  var old = Instant.never
  private var pinged = Generation.none
  init(around client: LiveConnection) { self.client = client }

  mutating func note(_ event: LiveEvent, at now: Instant) {
    if case .received(let generation, .pong) = event, generation == pinged { old = .never }
  }

  mutating func note(_ effect: LiveEffect, at now: Instant) {
    guard case .sendPing(let generation, _) = effect else { return }
    (pinged, old) = (generation, now + client.settings.heartbeat.pongTimeout)
  }
}

/// A stop between two attempts does not stop the timer of the next.
struct ReturnsFromTheDead: BrokenVariant {
  var client: LiveConnection
  private var undead: LiveConnection?
  init(around client: LiveConnection) { self.client = client }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    if event == .stop, client.status.phase == .waiting { undead = client }
    if case .timer = event, let waiting = undead {
      client = waiting
      undead = nil
    }
    return relay(event, at: now, word: word, into: &effects)
  }

  func done(_ effect: LiveEffect, after event: LiveEvent, at now: Instant) -> LiveEffect? {
    effect == .cancelTimer && undead != nil ? nil : effect
  }
}

/// Every setting of the timer has the same tag, so that the late ring of one is taken for the ring of another.
struct ReusesTimerTags: BrokenVariant {
  var client: LiveConnection
  private var tag: TimerTag?
  init(around client: LiveConnection) { self.client = client }

  func told(_ event: LiveEvent, at now: Instant) -> LiveEvent? {
    if case .timer = event { return tag.map { .timer($0) } }
    return event
  }

  mutating func done(_ effect: LiveEffect, after event: LiveEvent, at now: Instant) -> LiveEffect? {
    guard case .setTimer(let tag, let due) = effect else { return effect }
    self.tag = tag
    return .setTimer(TimerTag(1), at: due)
  }
}
