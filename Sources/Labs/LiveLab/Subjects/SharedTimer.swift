// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// The one timer, shared between clients that each believe to have it: it is set to what comes first.
struct SharedTimer: Sendable {
  /// What one of them asked for; nil when it asked for nothing.
  struct Wish: Sendable {
    var tag: TimerTag
    var due: Instant
  }

  private var number: UInt64 = 0
  private var due = Instant.never

  /// Whether a ring is of the last setting.
  func isCurrent(_ tag: TimerTag) -> Bool { tag.number == number && due != .never }

  /// Forgets the setting: it rang.
  mutating func rang() { due = .never }

  /// Sets the timer to the earliest of some moments, if it is set to another.
  mutating func set(to earliest: Instant, into effects: inout LiveEffects) {
    guard earliest != due else { return }
    due = earliest
    number += 1
    effects.append(earliest == .never ? .cancelTimer : .setTimer(TimerTag(number), at: earliest))
  }
}

extension SharedTimer.Wish? {
  /// Takes what a client wants of the timer.
  ///
  /// - Returns: Whether the effect was about the timer.
  mutating func take(_ effect: LiveEffect) -> Bool {
    switch effect {
    case .setTimer(let tag, let due): self = SharedTimer.Wish(tag: tag, due: due)
    case .cancelTimer: self = nil
    default: return false
    }
    return true
  }

  /// When it is to ring.
  var due: Instant { self?.due ?? .never }
}
