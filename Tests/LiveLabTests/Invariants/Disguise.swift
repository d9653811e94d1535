// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import LiveLab

/// A fault that is put on the client that ships: it changes what the client shows, or what it wants done.
protocol Disguise: Sendable {
  init()
  /// What is shown in place of a status.
  func shown(_ status: LiveStatus) -> LiveStatus
  /// What is wanted in place of what the client wants after an event.
  mutating func wanted(_ effects: [LiveEffect], after event: LiveEvent) -> [LiveEffect]
}

extension Disguise {
  func shown(_ status: LiveStatus) -> LiveStatus { status }
  mutating func wanted(_ effects: [LiveEffect], after event: LiveEvent) -> [LiveEffect] { effects }
}

/// The client that ships, in a disguise.
struct Disguised<Cloak: Disguise>: LiveSubject {
  private var client: LiveConnection
  private var cloak = Cloak()

  init(_ settings: ConnectionSettings) { client = LiveConnection(settings) }

  var status: LiveStatus { cloak.shown(client.status) }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    var wanted = LiveEffects()
    let isUsed = client.handle(event, at: now, word: word, into: &wanted)
    for effect in cloak.wanted(Array(wanted), after: event) { effects.append(effect) }
    return isUsed
  }
}

/// Shows a status that differs in one part.
protocol Lie: Disguise {}

extension LiveStatus {
  func with(
    _ phase: Phase? = nil, attempt: Int? = nil, nextTry: Instant?? = .none, health: Health? = nil,
    isCurrent: Bool? = nil, queued: Int? = nil
  ) -> LiveStatus {
    LiveStatus(
      phase ?? self.phase, attempt: attempt ?? self.attempt, nextTry: nextTry ?? self.nextTry,
      lastProblem: lastProblem, health: health ?? self.health, isCurrent: isCurrent ?? self.isCurrent,
      queued: queued ?? self.queued)
  }
}

struct ClaimsToConnect: Lie {
  func shown(_ status: LiveStatus) -> LiveStatus {
    status.phase == .connected ? status.with(.connecting) : status
  }
}

struct ClaimsToBeWaiting: Lie {
  func shown(_ status: LiveStatus) -> LiveStatus {
    status.phase == .disconnected ? status.with(.waiting) : status
  }
}

struct HidesItsNextTry: Lie {
  func shown(_ status: LiveStatus) -> LiveStatus { status.with(nextTry: .some(nil)) }
}

struct ShowsAPastTry: Lie {
  func shown(_ status: LiveStatus) -> LiveStatus {
    status.nextTry == nil ? status : status.with(nextTry: .some(.zero + .seconds(1)))
  }
}

struct ShowsATryWhenOpen: Lie {
  func shown(_ status: LiveStatus) -> LiveStatus {
    status.phase == .connected ? status.with(nextTry: .some(.zero + .seconds(86_400))) : status
  }
}

struct FeelsWellAlways: Lie {
  func shown(_ status: LiveStatus) -> LiveStatus { status.health == .doubtful ? status.with(health: .good) : status }
}

struct FeelsWellBeforeItIsOpen: Lie {
  func shown(_ status: LiveStatus) -> LiveStatus { status.phase == .connecting ? status.with(health: .good) : status }
}

struct FeelsNothing: Lie {
  func shown(_ status: LiveStatus) -> LiveStatus { status.with(health: LiveStatus.Health.none) }
}

struct ClaimsToBeCurrent: Lie {
  func shown(_ status: LiveStatus) -> LiveStatus { status.phase == .connected ? status.with(isCurrent: true) : status }
}

struct HidesItsQueue: Lie {
  func shown(_ status: LiveStatus) -> LiveStatus { status.with(queued: 0) }
}

struct CountsTwice: Lie {
  func shown(_ status: LiveStatus) -> LiveStatus { status.with(attempt: 2 * status.attempt) }
}

struct ForgetsAttempts: Lie {
  func shown(_ status: LiveStatus) -> LiveStatus { status.attempt > 2 ? status.with(attempt: 1) : status }
}

struct SuspendedTooSoon: Lie {
  func shown(_ status: LiveStatus) -> LiveStatus {
    status.phase == .waiting && status.attempt == 3 ? status.with(.suspended) : status
  }
}
