// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

/// Says each thing twice that becomes of the app's messages.
private struct AnswersAgain: Disguise {
  mutating func wanted(_ effects: [LiveEffect], after event: LiveEvent) -> [LiveEffect] {
    effects.flatMap { if case .acknowledged = $0 { [$0, $0] } else { [$0] } }
  }
}

/// Keeps every third message of the server from the app.
struct LosesSome: Disguise {
  mutating func wanted(_ effects: [LiveEffect], after event: LiveEvent) -> [LiveEffect] {
    effects.filter { if case .deliver(let place?, _) = $0 { place.offset % 3 != 0 } else { true } }
  }
}

/// Gives every message of the server to the app twice.
struct DeliversAgain: Disguise {
  mutating func wanted(_ effects: [LiveEffect], after event: LiveEvent) -> [LiveEffect] {
    effects.flatMap { if case .deliver = $0 { [$0, $0] } else { [$0] } }
  }
}

/// Sends its messages as if the connection before the present one were open.
private struct SendsOnTheLast: Disguise {
  mutating func wanted(_ effects: [LiveEffect], after event: LiveEvent) -> [LiveEffect] {
    effects.map {
      guard case .sendMessage(let generation, let number) = $0 else { return $0 }
      return .sendMessage(Generation(generation.number - 1), number)
    }
  }
}

/// Closes the connection because the app sends something.
private struct ClosesForNothing: Disguise {
  private var open: Generation?
  mutating func wanted(_ effects: [LiveEffect], after event: LiveEvent) -> [LiveEffect] {
    if case .opened(let generation) = event { open = generation }
    guard case .send = event, let open else { return effects }
    return effects + [.sendClose(open, CloseCode(1_000))]
  }
}

/// Pings on when the app has closed the connection and that is done.
private struct PingsAfterTheEnd: Disguise {
  mutating func wanted(_ effects: [LiveEffect], after event: LiveEvent) -> [LiveEffect] {
    guard case .closed(let generation, let closure) = event, closure.origin == .client else { return effects }
    return effects + [.sendPing(generation, 9_999)]
  }
}

/// Sets its timer once more when the app has closed the connection and that is done.
private struct WakesAfterTheEnd: Disguise {
  mutating func wanted(_ effects: [LiveEffect], after event: LiveEvent) -> [LiveEffect] {
    guard case .closed(_, let closure) = event, closure.origin == .client else { return effects }
    return effects + [.setTimer(TimerTag(1 << 40), at: .zero + .seconds(86_400))]
  }
}

/// Asks for fresh credentials twice.
private struct RefreshesAgain: Disguise {
  mutating func wanted(_ effects: [LiveEffect], after event: LiveEvent) -> [LiveEffect] {
    guard case .credentials(let generation, isFresh: true) = event else { return effects }
    return effects + [.refreshCredentials(generation)]
  }
}

/// Leaves the wait for the answer of a connection that is being opened without its timer.
private struct SetsNoTimer: Disguise {
  mutating func wanted(_ effects: [LiveEffect], after event: LiveEvent) -> [LiveEffect] {
    effects.filter { if case .setTimer = $0 { false } else { true } }
  }
}

/// Never says that a message was given up.
private struct DropsInSilence: Disguise {
  mutating func wanted(_ effects: [LiveEffect], after event: LiveEvent) -> [LiveEffect] {
    effects.filter { if case .dropped = $0 { false } else { true } }
  }
}

@Suite("A client in a disguise")
struct DisguisedClientTests {
  private func watch<Cloak: Disguise>(
    _ type: Cloak.Type, _ schedule: String, sends: Interval? = nil
  ) throws -> InvariantChecker {
    var world = SessionWorld()
    if let sends { (world.phone.sends, world.server.publishes) = (sends, sends) }
    return try checked(Disguised<Cloak>.self, FaultSchedule(reading: schedule), seeds: 1...10, world: world)
  }

  /// A lie, a schedule in which it is told, and the part of the status that is wrong.
  static let lies: [(any Disguise.Type, String, Breach.StatusField)] = [
    (ShowsAPastTry.self, "live/1 for=5m; 1m refused for=30s; 1m reset", .nextTry),
    (ShowsATryWhenOpen.self, "live/1 for=5m", .nextTry),
    (FeelsWellAlways.self, "live/1 for=5m; 1m no-pongs for=2m", .health),
    (FeelsWellBeforeItIsOpen.self, "live/1 for=5m", .health), (FeelsNothing.self, "live/1 for=5m", .health),
    (ClaimsToBeCurrent.self, "live/1 for=5m", .isCurrent),
    (HidesItsQueue.self, "live/1 for=5m; 1m offline for=1m", .queued),
  ]

  @Test("is found to lie about the part of the status that is wrong, and of nothing else", arguments: lies)
  func lied(lie: any Disguise.Type, schedule: String, field: Breach.StatusField) throws {
    func watched<Cloak: Disguise>(_ type: Cloak.Type) throws -> InvariantChecker {
      try watch(type, schedule, sends: .seconds(2))
    }
    let found = try watched(lie)
    #expect(found.breach?.finding == .status(field))
    #expect(found.breached.all == [.statusTrue])
  }

  @Test("is found to be in another state than it shows")
  func phases() throws {
    let connecting = try watch(ClaimsToConnect.self, "live/1 for=5m")
    #expect(connecting.breach?.finding == .phase(.connecting, expected: .connected))
    let idle = try watch(SuspendedTooSoon.self, "live/1 for=5m; 1m refused for=2m; 1m reset")
    #expect(idle.breach?.finding == .wrongCount(3, expected: 10))
    #expect(idle.breached.all == [.countedOnce])
    let stuck = try watch(HidesItsNextTry.self, "live/1 for=5m; 1m refused for=30s; 1m reset")
    #expect(stuck.breach?.finding == .nothing && stuck.breached.all == [.alwaysAnExit])
  }

  @Test("is found to count attempts by twos, or to forget them")
  func attempts() throws {
    let schedule = "live/1 for=5m; 1m refused for=2m; 1m reset"
    #expect(try watch(CountsTwice.self, schedule).breach?.finding == .wrongCount(2, expected: 1))
    #expect(try watch(ForgetsAttempts.self, schedule).breach?.finding == .wrongCount(1, expected: 2))
    #expect(try watch(ForgetsAttempts.self, schedule).breached.all == [.countedOnce])
  }

  private func broken<Cloak: Disguise>(_ type: Cloak.Type, _ schedule: String = "live/1 for=5m") throws -> [Invariant] {
    try watch(type, schedule, sends: .seconds(2)).breached.all
  }

  @Test("is found to lose, double and hide messages, each by the one invariant that forbids it")
  func messages() throws {
    #expect(try broken(AnswersAgain.self) == [.answeredOnce])
    #expect(try broken(DeliversAgain.self) == [.deliveredOnce])
    #expect(try broken(LosesSome.self) == [.messagesDelivered])
    #expect(try broken(DropsInSilence.self, "live/1 for=5m; 1m offline for=200s").contains(.statusTrue))
    #expect(try broken(SendsOnTheLast.self) == [.oneSocket])
  }

  @Test("is found to drop a link for nothing, to refresh in circles and to go on after its end")
  func links() throws {
    #expect(
      try watch(ClosesForNothing.self, "live/1 for=5m", sends: .seconds(9)).breach?.invariant == .droppedForAReason)
    let expired = "live/1 for=5m; 0s expired-credentials for=1m"
    #expect(try watch(RefreshesAgain.self, expired).breach?.invariant == .refreshedOnce)
    #expect(try watch(PingsAfterTheEnd.self, "live/1 for=5m").breach?.invariant == .nothingAfterClose)
    #expect(try watch(WakesAfterTheEnd.self, "live/1 for=5m").breached.contains(.nothingAfterClose))
    #expect(try watch(SetsNoTimer.self, "live/1 for=5m; 0s black-hole for=2m").breached.contains(.connectTimeout))
  }

  @Test("of no kind is not accused")
  func none() throws {
    struct Plain: Disguise {}
    #expect(try broken(Plain.self, "live/1 for=5m; 1m refused for=2m; 1m reset").isEmpty)
  }
}

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

struct ClaimsToConnect: Disguise {
  func shown(_ status: LiveStatus) -> LiveStatus {
    status.phase == .connected ? status.with(.connecting) : status
  }
}

struct HidesItsNextTry: Disguise {
  func shown(_ status: LiveStatus) -> LiveStatus { status.with(nextTry: .some(nil)) }
}

struct ShowsAPastTry: Disguise {
  func shown(_ status: LiveStatus) -> LiveStatus {
    status.nextTry == nil ? status : status.with(nextTry: .some(.zero + .seconds(1)))
  }
}

struct ShowsATryWhenOpen: Disguise {
  func shown(_ status: LiveStatus) -> LiveStatus {
    status.phase == .connected ? status.with(nextTry: .some(.zero + .seconds(86_400))) : status
  }
}

struct FeelsWellAlways: Disguise {
  func shown(_ status: LiveStatus) -> LiveStatus { status.health == .doubtful ? status.with(health: .good) : status }
}

struct FeelsWellBeforeItIsOpen: Disguise {
  func shown(_ status: LiveStatus) -> LiveStatus { status.phase == .connecting ? status.with(health: .good) : status }
}

struct FeelsNothing: Disguise {
  func shown(_ status: LiveStatus) -> LiveStatus { status.with(health: LiveStatus.Health.none) }
}

struct ClaimsToBeCurrent: Disguise {
  func shown(_ status: LiveStatus) -> LiveStatus { status.phase == .connected ? status.with(isCurrent: true) : status }
}

struct HidesItsQueue: Disguise {
  func shown(_ status: LiveStatus) -> LiveStatus { status.with(queued: 0) }
}

struct CountsTwice: Disguise {
  func shown(_ status: LiveStatus) -> LiveStatus { status.with(attempt: 2 * status.attempt) }
}

struct ForgetsAttempts: Disguise {
  func shown(_ status: LiveStatus) -> LiveStatus { status.attempt > 2 ? status.with(attempt: 1) : status }
}

struct SuspendedTooSoon: Disguise {
  func shown(_ status: LiveStatus) -> LiveStatus {
    status.phase == .waiting && status.attempt == 3 ? status.with(.suspended) : status
  }
}
