// SPDX-License-Identifier: Apache-2.0

/// One event while it is handled: its moment, its random bits, and what is to be done.
struct Turn {
  let now: Instant
  private let word: UInt64
  private(set) var isWordUsed = false
  var effects = LiveEffects(unreserved: ())

  init(now: Instant, word: UInt64) { (self.now, self.word) = (now, word) }

  @inline(never)
  mutating func add(_ effect: LiveEffect) { effects.append(effect) }

  /// The event's random bits. One event decides one wait, so one word is enough.
  mutating func draw() -> UInt64 {
    isWordUsed = true
    return word
  }

  /// A wait from nothing to the longest, evenly.
  mutating func draw(upTo longest: Interval) -> Interval {
    longest > .zero ? longest.share(of: draw()) : .zero
  }
}

/// What the one timer is set to.
@usableFromInline
struct TimerSetting: Hashable, Sendable {
  /// Counts the settings.
  @usableFromInline var number: UInt64 = 0
  /// When it rings.
  @usableFromInline var at = Instant.never

  init() {}

  @inlinable var isSet: Bool { at != .never }
}
