// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// The attempts are forgotten as soon as a socket opens.
struct ResetsOnOpen: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }
  static func change(_ settings: inout ConnectionSettings) { settings.proof.minimumUptime = .zero }
}

/// The attempts are never forgotten.
struct NeverResets: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }
  static func change(_ settings: inout ConnectionSettings) {
    settings.proof.minimumUptime = .forever
    settings.proof.byAcknowledgement = false
  }
}

/// The error and the close that follows it both count: half as many attempts, and waits that grow twice as fast.
struct CountsTwice: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }
  static func change(_ settings: inout ConnectionSettings) {
    settings.backoff.maximumAttempts = (settings.backoff.maximumAttempts + 1) / 2
    settings.backoff.factor *= settings.backoff.factor
  }
}

/// Attempts without an end.
struct NeverSuspends: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }
  static func change(_ settings: inout ConnectionSettings) { settings.backoff.maximumAttempts = 1 << 20 }
}

/// Nothing keeps two attempts apart.
struct ForgetsTheFloor: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }
  static func change(_ settings: inout ConnectionSettings) { settings.backoff.floor = .zero }
}

/// Everybody waits equally long.
struct KnowsNoJitter: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }
  static func change(_ settings: inout ConnectionSettings) { settings.backoff.jitter = .none }
}

/// A refused token is tried again and again.
struct LoopsOnToken: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }
  func told(_ event: LiveEvent, at now: Instant) -> LiveEvent? {
    if case .refused(let generation, let refusal) = event, refusal.status == 401 {
      return .failed(generation, .reset)
    }
    return event
  }
}

/// What the server says of when to come back is not read.
struct IgnoresRetryAfter: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }
  func told(_ event: LiveEvent, at now: Instant) -> LiveEvent? {
    if case .refused(let generation, let refusal) = event {
      return .refused(generation, Refusal(status: refusal.status, redirect: refusal.redirect))
    }
    return event
  }
}

/// All come when the date comes that `Retry-After` names.
struct MeetsAtTheDate: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }
  static func change(_ settings: inout ConnectionSettings) { settings.refusalRules.dateSpread = .zero }
}

/// An answer that is not 101 is no event: the attempt ends by its timeout only, and whoever asks sees it go on.
struct MissesRefusals: BrokenVariant {
  var client: LiveConnection
  init(around client: LiveConnection) { self.client = client }
  func told(_ event: LiveEvent, at now: Instant) -> LiveEvent? {
    if case .refused = event { return nil }
    return event
  }
}

/// An attempt that was dropped keeps the lock on connecting.
struct LeaksTheLock: BrokenVariant {
  var client: LiveConnection
  private var isLocked = false
  init(around client: LiveConnection) { self.client = client }

  mutating func told(_ event: LiveEvent, at now: Instant) -> LiveEvent? {
    switch event {
    case .opened, .failed, .refused: isLocked = false
    default: break
    }
    return event
  }

  mutating func done(_ effect: LiveEffect, after event: LiveEvent, at now: Instant) -> LiveEffect? {
    guard case .open = effect else { return effect }
    if isLocked { return nil }
    isLocked = true
    return effect
  }
}
