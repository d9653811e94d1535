// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// What waits is sent with the newest first.
struct FlushesBackwards: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    var wanted = LiveEffects()
    let isUsed = client.handle(event, at: now, word: word, into: &wanted)
    let messages = wanted.filter(\.isMessage)
    var place = messages.count
    for effect in wanted {
      if effect.isMessage { place -= 1 }
      effects.append(effect.isMessage ? messages[place] : effect)
    }
    return isUsed
  }
}

/// What was sent and not acknowledged is forgotten with the connection, and nobody is told.
struct ForgetsTheUnacknowledged: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }
  static func change(_ settings: inout ConnectionSettings) { settings.unacknowledged = .drop }
  func done(_ effect: LiveEffect, after event: LiveEvent, at now: Instant) -> LiveEffect? {
    if case .dropped(_, .uncertain) = effect { return nil }
    return effect
  }
}

/// A queue without bounds.
struct QueuesWithoutEnd: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }
  static func change(_ settings: inout ConnectionSettings) {
    settings.outbox.count = .max
    settings.outbox.bytes = .max
    settings.outbox.age = .forever
  }
}

/// A hole in the stream is passed over.
struct KeepsQuietAboutGaps: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }
  func done(_ effect: LiveEffect, after event: LiveEvent, at now: Instant) -> LiveEffect? {
    if case .gap = effect { return nil }
    return effect
  }
}

/// Each connection adds a listener, and none is ever taken away: what arrives after the first is handed over again.
struct ListensAgain: BrokenVariant {
  var client: LiveConnection
  private var listeners = 0
  init(around client: LiveConnection) { self.client = client }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    if case .opened = event { listeners += 1 }
    var wanted = LiveEffects()
    let isUsed = client.handle(event, at: now, word: word, into: &wanted)
    for effect in wanted {
      effects.append(effect)
      guard case .deliver = effect else { continue }
      for _ in 0..<max(0, listeners - 1) { effects.append(effect) }
    }
    return isUsed
  }
}

/// What becomes of a message is told at the answer, and again when the connection ends.
struct AnswersTwice: BrokenVariant {
  var client: LiveConnection
  private var answered: LiveEffect?
  init(around client: LiveConnection) { self.client = client }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    let wasOpen = client.status.phase == .connected
    let isUsed = relay(event, at: now, word: word, into: &effects)
    if wasOpen, client.status.phase != .connected, let again = answered {
      effects.append(again)
      answered = nil
    }
    return isUsed
  }

  mutating func done(_ effect: LiveEffect, after event: LiveEvent, at now: Instant) -> LiveEffect? {
    if case .acknowledged = effect { answered = effect }
    return effect
  }
}

/// The status is called up to date while the link is being opened again.
struct ShowsThePast: BrokenVariant {
  var client: LiveConnection
  private var connected: LiveStatus?
  init(around client: LiveConnection) { self.client = client }

  var status: LiveStatus {
    let now = client.status
    return now.phase == .waiting || now.phase == .connecting ? connected ?? now : now
  }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    let isUsed = relay(event, at: now, word: word, into: &effects)
    if client.status.phase == .connected { connected = client.status }
    return isUsed
  }
}

/// Changes of the status are not announced.
struct AnnouncesNothing: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }
  func done(_ effect: LiveEffect, after event: LiveEvent, at now: Instant) -> LiveEffect? {
    effect == .statusChanged ? nil : effect
  }
}

extension LiveEffect {
  /// Whether a message is to be sent.
  var isMessage: Bool {
    if case .sendMessage = self { return true }
    return false
  }
}
