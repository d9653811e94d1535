// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// An error and the close that follows it both plan an attempt: from the first failure on there are two clients in one,
/// each with sockets and a timer of its own.
struct DoubledClient: LiveSubject {
  private var first: LiveConnection
  private var second: LiveConnection
  private var isDoubled = false
  private var timer = SharedTimer()
  private var wishes: [SharedTimer.Wish?] = [nil, nil]

  init(_ settings: ConnectionSettings) { (first, second) = (LiveConnection(settings), LiveConnection(settings)) }

  var status: LiveStatus { first.status }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    if case .timer(let tag) = event {
      guard timer.isCurrent(tag) else { return false }
      timer.rang()
      for place in wishes.indices {
        guard let wish = wishes[place], wish.due <= now else { continue }
        wishes[place] = nil
        tell(place, .timer(wish.tag), at: now, word: word &* UInt64(2 * place + 1), into: &effects)
      }
    } else if let number = event.generation?.number {
      tell(number % 2 == 1 ? 0 : 1, event.renumbered { ($0 + 1) / 2 }, at: now, word: word, into: &effects)
      if event.isFailure, !isDoubled {
        isDoubled = true
        tell(1, .start, at: now, word: word, into: &effects)
      }
    } else {
      tell(0, event, at: now, word: word, into: &effects)
      if isDoubled { tell(1, event, at: now, word: word, into: &effects) }
    }
    timer.set(to: min(wishes[0].due, wishes[1].due), into: &effects)
    return true
  }

  private mutating func tell(
    _ place: Int, _ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects
  ) {
    var wanted = LiveEffects()
    if place == 0 {
      first.handle(event, at: now, word: word, into: &wanted)
    } else {
      second.handle(event, at: now, word: word, into: &wanted)
    }
    for effect in wanted where !wishes[place].take(effect) {
      effects.append(effect.renumbered { 2 * $0 - (place == 0 ? 1 : 0) })
    }
  }
}

extension LiveEvent {
  /// The generation that it belongs to, if it belongs to one.
  var generation: Generation? {
    switch self {
    case .opened(let generation), .failed(let generation, _), .refused(let generation, _),
      .received(let generation, _), .closed(let generation, _), .credentials(let generation, _):
      generation
    case .start, .stop, .retry, .send, .network, .networkChanged, .app, .woke, .timer: nil
    }
  }

  /// Whether it is the end of a socket, or of the attempt to open one.
  var isFailure: Bool {
    switch self {
    case .failed, .refused, .closed: true
    default: false
    }
  }

  /// The same of another generation.
  func renumbered(_ change: (UInt32) -> UInt32) -> LiveEvent {
    func new(_ old: Generation) -> Generation { Generation(change(old.number)) }
    return switch self {
    case .opened(let old): .opened(new(old))
    case .failed(let old, let failure): .failed(new(old), failure)
    case .refused(let old, let refusal): .refused(new(old), refusal)
    case .received(let old, let frame): .received(new(old), frame)
    case .closed(let old, let closure): .closed(new(old), closure)
    case .credentials(let old, let isFresh): .credentials(new(old), isFresh: isFresh)
    case .start, .stop, .retry, .send, .network, .networkChanged, .app, .woke, .timer: self
    }
  }
}

extension LiveEffect {
  /// The same of another generation.
  func renumbered(_ change: (UInt32) -> UInt32) -> LiveEffect {
    func new(_ old: Generation) -> Generation { Generation(change(old.number)) }
    return switch self {
    case .open(let old, let target): .open(new(old), target)
    case .abort(let old): .abort(new(old))
    case .sendClose(let old, let code): .sendClose(new(old), code)
    case .sendPing(let old, let number): .sendPing(new(old), number)
    case .sendPong(let old, let number): .sendPong(new(old), number)
    case .sendResume(let old, let position): .sendResume(new(old), after: position)
    case .sendMessage(let old, let number): .sendMessage(new(old), number)
    case .refreshCredentials(let old): .refreshCredentials(new(old))
    case .setTimer, .cancelTimer, .deliver, .gap, .acknowledged, .dropped, .statusChanged: self
    }
  }
}
