// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// The client that ships with one fault put around it: other settings, or events and effects that are changed, left out
/// or repeated.
protocol BrokenVariant: LiveSubject {
  /// The client inside.
  var client: LiveConnection { get set }

  /// The variant around a client.
  init(around client: LiveConnection)

  /// Changes what the client is set to.
  static func change(_ settings: inout ConnectionSettings)

  /// What the client is told in place of an event; nil for nothing.
  mutating func told(_ event: LiveEvent, at now: Instant) -> LiveEvent?

  /// What is done in place of what the client wants after that event; nil for nothing.
  mutating func done(_ effect: LiveEffect, after event: LiveEvent, at now: Instant) -> LiveEffect?
}

extension BrokenVariant {
  init(_ settings: ConnectionSettings) {
    var changed = settings
    Self.change(&changed)
    self.init(around: LiveConnection(changed))
  }

  var status: LiveStatus { client.status }

  static func change(_ settings: inout ConnectionSettings) {}

  func told(_ event: LiveEvent, at now: Instant) -> LiveEvent? { event }

  func done(_ effect: LiveEffect, after event: LiveEvent, at now: Instant) -> LiveEffect? { effect }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    relay(event, at: now, word: word, into: &effects)
  }

  /// Tells the client an event and does what it wants, each through the variant.
  mutating func relay(
    _ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects
  ) -> Bool {
    guard let told = told(event, at: now) else { return false }
    var wanted = LiveEffects()
    let isUsed = client.handle(told, at: now, word: word, into: &wanted)
    for effect in wanted {
      if let done = done(effect, after: told, at: now) { effects.append(done) }
    }
    return isUsed
  }
}

extension LiveEffects {
  /// The generation that is dropped at once, if one is.
  var aborted: Generation? {
    for case .abort(let generation) in self { return generation }
    return nil
  }
}
