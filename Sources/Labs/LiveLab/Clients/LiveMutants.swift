// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore

/// A fault in the shipped client: other settings, or events and effects that are changed, dropped or repeated.
protocol ClientMutation: Sendable {
  init()

  static func change(_ settings: inout ConnectionSettings)

  /// The event to deliver in place of another; nil for none.
  mutating func delivered(_ event: LiveEvent) -> LiveEvent?

  /// The effect to carry out in place of one that the client wants after its last event; nil for none.
  mutating func done(_ effect: LiveEffect, by client: LiveConnection, at now: Instant) -> LiveEffect?

  mutating func handle(_ turn: Turn, by client: inout LiveConnection, into effects: inout LiveEffects) -> Bool

  func status(of client: LiveConnection) -> LiveStatus
}

extension ClientMutation {
  static func change(_ settings: inout ConnectionSettings) {}

  func delivered(_ event: LiveEvent) -> LiveEvent? { event }

  func done(_ effect: LiveEffect, by client: LiveConnection, at now: Instant) -> LiveEffect? { effect }

  mutating func handle(_ turn: Turn, by client: inout LiveConnection, into effects: inout LiveEffects) -> Bool {
    relay(turn, to: &client, into: &effects)
  }

  func status(of client: LiveConnection) -> LiveStatus { client.status }

  /// Delivers an event and carries out the client's effects, each through the mutation.
  mutating func relay(_ turn: Turn, to client: inout LiveConnection, into effects: inout LiveEffects) -> Bool {
    guard let event = delivered(turn.event) else { return false }
    let (wanted, isUsed) = turn.with(event).play(on: &client)
    for effect in wanted {
      if let done = done(effect, by: client, at: turn.now) { effects.append(done) }
    }
    return isUsed
  }
}

/// An event to deliver to a client, with its time and random bits.
struct Turn {
  var event: LiveEvent
  let now: Instant
  let word: UInt64

  func with(_ event: LiveEvent) -> Turn { Turn(event: event, now: now, word: word) }

  /// The client's effects, and whether it used the random bits.
  func play(on client: inout LiveConnection) -> (wanted: LiveEffects, isUsed: Bool) {
    var wanted = LiveEffects()
    let isUsed = client.handle(event, at: now, word: word, into: &wanted)
    return (wanted, isUsed)
  }
}

/// The shipped client with a mutation around it.
struct Mutated<Mutation: ClientMutation>: ClientUnderTest {
  private var client: LiveConnection
  private var mutation = Mutation()

  init(_ settings: ConnectionSettings) {
    var changed = settings
    Mutation.change(&changed)
    client = LiveConnection(changed)
  }

  var status: LiveStatus { mutation.status(of: client) }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    mutation.handle(Turn(event: event, now: now, word: word), by: &client, into: &effects)
  }
}

// MARK: The mutants

extension LiveVariant {
  private init<Mutation: ClientMutation>(
    _ name: String, _ fault: String, _ mutation: Mutation.Type, caughtBy property: Int = 1, within cases: Int,
    _ smallest: String...
  ) {
    self.init(name, fault, Mutated<Mutation>.self, caughtBy: property, within: cases, smallest: smallest)
  }

  /// All mutants; their smallest counterexamples do not depend on the seed.
  static let mutants = attempts + links + timers + messages

  private static let attempts = [
    LiveVariant(
      "live-resets-on-open", "the attempts are forgotten when a socket opens", ResetsOnOpen.self, within: 50,
      "live/1 for=16m; 1m reset, seed 1"),
    LiveVariant(
      "live-never-resets", "the attempts are never forgotten", NeverResets.self, within: 50,
      "live/1 for=17m; 1m no-pongs for=1m, seed 1"),
    LiveVariant(
      "live-counts-twice", "an error and the close that follows it count as two attempts", CountsTwice.self,
      within: 100, "live/1 for=17m; 1m restart for=1m how=killed history=kept, seed 1"),
    LiveVariant(
      "live-never-suspends", "attempts never end", NeverSuspends.self, within: 200,
      "live/1 for=21m; 1m black-hole for=5m, seed 1"),
    LiveVariant(
      "live-forgets-the-floor", "two attempts may follow without a pause", ForgetsTheFloor.self, within: 200,
      "live/1 for=15m10s; 0s accept-then-close for=10s code=1011 after=0s resumes=no, seed 1"),
    LiveVariant(
      "live-knows-no-jitter", "every client waits equally long", KnowsNoJitter.self, caughtBy: 3, within: 5,
      "live/1 for=16m; 1m reset", "1"),
    LiveVariant(
      "live-loops-on-token", "a refused token is tried again and again", LoopsOnToken.self, within: 1000,
      "live/1 for=15m10s; 0s refusal for=10s status=401, seed 1"),
    LiveVariant(
      "live-ignores-retry-after", "`Retry-After` is not read", IgnoresRetryAfter.self, within: 1000,
      "live/1 for=15m10s; 0s refusal for=10s status=503 retry-after=1m, seed 1"),
    LiveVariant(
      "live-meets-at-the-date", "all clients come at the date of `Retry-After`", MeetsAtTheDate.self,
      caughtBy: 12, within: 5, "1", "0", "false", "1"),
    LiveVariant(
      "live-misses-refusals", "an answer other than 101 gives no event, and the attempt goes on", MissesRefusals.self,
      within: 500, "live/1 for=15m10s; 0s refusal for=10s status=401, seed 1"),
    LiveVariant(
      "live-leaks-the-lock", "an attempt that was dropped keeps the lock on connecting", LeaksTheLock.self,
      within: 100, "live/1 for=15m; 0s network-change, seed 1"),
  ]

  private static let links = [
    LiveVariant(
      "live-sends-no-pings", "a dead link is detected by luck", SendsNoPings.self, within: 100,
      "live/1 for=16m; 1m half-open, seed 1"),
    LiveVariant(
      "live-waits-for-the-kernel", "an attempt may take over two minutes", WaitsForTheKernel.self, within: 200,
      "live/1 for=15m10s; 0s black-hole for=10s, seed 1"),
    LiveVariant(
      "live-closes-politely", "a link without a pong is asked to close", ClosesPolitely.self, within: 100,
      "live/1 for=16m; 1m half-open, seed 1"),
    LiveVariant(
      "live-own-close-is-final", "its own close with 1000 counts as the server's",
      TakesItsOwnCloseForFinal.self, within: 100, "live/1 for=16m; 1m half-open, seed 1"),
    LiveVariant(
      "live-leaves-orphans", "a dropped socket stays open, and its events count", LeavesOrphans.self,
      within: 20, "live/1 for=16m; 1m half-open, seed 1"),
    LiveVariant(
      "live-drops-with-handshake", "a message directly after the handshake is lost",
      DropsWhatCameWithTheHandshake.self, within: 5, "live/1 for=15m, seed 1"),
    LiveVariant(
      "live-hears-no-bytes", "a pong is due although the bytes before it are arriving", HearsNoBytes.self,
      caughtBy: 13, within: 10, ".down", "100", "14"),
    LiveVariant(
      "live-forgets-the-queue", "a pong is due before its ping has left behind a message", ForgetsTheQueue.self,
      caughtBy: 13, within: 10, ".up", "100", "11"),
    LiveVariant(
      "live-doubles-itself", "an error and the close that follows it both plan an attempt", DoubledClient.self,
      within: 20, smallest: ["live/1 for=15m, seed 1"]),
  ]

  private static let timers = [
    LiveVariant(
      "live-keeps-connect-timeouts", "the timeout of one attempt closes a later one's connection",
      KeepsAnOldTimer<OldConnectTimeout>.self, within: 500, "live/1 for=15m; 0s reset, seed 1"),
    LiveVariant(
      "live-keeps-heartbeats", "the pong of an earlier connection is awaited on the next",
      KeepsAnOldTimer<OldHeartbeat>.self, within: 1000, "live/1 for=1m1s; 1m half-open, seed 1"),
    LiveVariant(
      "live-believes-old-deadlines", "after a sleep, a deadline that passed in it kills the link",
      BelievesOldDeadlines.self, within: 300, "live/1 for=17m10s; 1m half-open; 1m10s sleep for=1m, seed 1"),
    LiveVariant(
      "live-reuses-timer-tags", "a replaced timer fires as the current one",
      ReusesTimerTags.self, within: 5, "live/1 for=15m, seed 1"),
    LiveVariant(
      "live-returns-from-the-dead", "a stop between two attempts does not stop the next", ReturnsFromTheDead.self,
      within: 1000, "live/1 for=1m1s; 1m garbage code=1002, seed 1"),
  ]

  private static let messages = [
    LiveVariant(
      "live-flushes-backwards", "the queue is sent newest first", FlushesBackwards.self, caughtBy: 2, within: 500,
      "seed 0: sends, sends, opens under 2 attempts, 2 messages, no stream"),
    LiveVariant(
      "live-forgets-the-unacknowledged", "unacknowledged messages are lost with the connection",
      ForgetsTheUnacknowledged.self, within: 1000, "live/1 for=20m; 0s idle-cut for=5m after=10s silent=yes, seed 1"),
    LiveVariant(
      "live-queues-without-end", "the queue has no bounds", QueuesWithoutEnd.self, caughtBy: 2, within: 100,
      "seed 0: sends, sends under 1 attempts, 1 messages"),
    LiveVariant(
      "live-listens-again", "each connection adds a listener, and none is taken away", ListensAgain.self, within: 50,
      "live/1 for=21m; 1m offline for=5m, seed 1"),
    LiveVariant(
      "live-hides-gaps", "gaps in the stream are not reported", KeepsQuietAboutGaps.self, within: 300,
      "live/1 for=16m10s; 1m restart for=10s how=killed history=lost, seed 1"),
    LiveVariant(
      "live-answers-twice", "the outcome of a message is reported at the answer and again at the end",
      AnswersTwice.self, within: 10, "live/1 for=15m, seed 1"),
    LiveVariant(
      "live-shows-the-past", "the status says connected while the link is opened again", ShowsThePast.self,
      within: 50, "live/1 for=16m; 1m reset, seed 1"),
    LiveVariant(
      "live-announces-nothing", "changes of the status are not announced", AnnouncesNothing.self, within: 5,
      "live/1 for=15m, seed 1"),
  ]
}

// MARK: Attempts

private struct ResetsOnOpen: ClientMutation {
  static func change(_ settings: inout ConnectionSettings) { settings.proof.minimumUptime = .zero }
}

private struct NeverResets: ClientMutation {
  static func change(_ settings: inout ConnectionSettings) {
    settings.proof.minimumUptime = .forever
    settings.proof.byAcknowledgement = false
  }
}

/// Half as many attempts, and waits that grow twice as fast.
private struct CountsTwice: ClientMutation {
  static func change(_ settings: inout ConnectionSettings) {
    settings.backoff.maximumAttempts = settings.backoff.maximumAttempts.map { ($0 + 1) / 2 }
    settings.backoff.factor *= settings.backoff.factor
  }
}

private struct NeverSuspends: ClientMutation {
  static func change(_ settings: inout ConnectionSettings) { settings.backoff.maximumAttempts = nil }
}

private struct ForgetsTheFloor: ClientMutation {
  static func change(_ settings: inout ConnectionSettings) { settings.backoff.floor = .zero }
}

private struct KnowsNoJitter: ClientMutation {
  static func change(_ settings: inout ConnectionSettings) { settings.backoff.jitter = .none }
}

private struct LoopsOnToken: ClientMutation {
  func delivered(_ event: LiveEvent) -> LiveEvent? {
    guard case .refused(let generation, let refusal) = event, refusal.status == 401 else { return event }
    return .failed(generation, .reset)
  }
}

private struct IgnoresRetryAfter: ClientMutation {
  func delivered(_ event: LiveEvent) -> LiveEvent? {
    guard case .refused(let generation, let refusal) = event else { return event }
    return .refused(generation, Refusal(status: refusal.status, redirect: refusal.redirect))
  }
}

private struct MeetsAtTheDate: ClientMutation {
  static func change(_ settings: inout ConnectionSettings) { settings.refusalRules.dateSpread = .zero }
}

private struct MissesRefusals: ClientMutation {
  func delivered(_ event: LiveEvent) -> LiveEvent? { if case .refused = event { nil } else { event } }
}

private struct LeaksTheLock: ClientMutation {
  var isLocked = false

  mutating func delivered(_ event: LiveEvent) -> LiveEvent? {
    switch event {
    case .opened, .failed, .refused: isLocked = false
    default: break
    }
    return event
  }

  mutating func done(_ effect: LiveEffect, by client: LiveConnection, at now: Instant) -> LiveEffect? {
    guard case .open = effect else { return effect }
    if isLocked { return nil }
    isLocked = true
    return effect
  }
}

// MARK: Links

private struct SendsNoPings: ClientMutation {
  static func change(_ settings: inout ConnectionSettings) { settings.heartbeat.interval = nil }
}

private struct WaitsForTheKernel: ClientMutation {
  static func change(_ settings: inout ConnectionSettings) { settings.connectTimeout = .seconds(127) }
}

private struct HearsNoBytes: ClientMutation {
  func delivered(_ event: LiveEvent) -> LiveEvent? { if case .moved = event { nil } else { event } }
}

private struct ForgetsTheQueue: ClientMutation {
  func delivered(_ event: LiveEvent) -> LiveEvent? { if case .sending = event { nil } else { event } }
}

private struct ClosesPolitely: ClientMutation {
  func done(_ effect: LiveEffect, by client: LiveConnection, at now: Instant) -> LiveEffect? {
    guard case .abort(let generation) = effect, client.status.lastProblem == .pongTimeout else { return effect }
    return .sendClose(generation, CloseCode(1000))
  }
}

private struct TakesItsOwnCloseForFinal: ClientMutation {
  mutating func handle(_ turn: Turn, by client: inout LiveConnection, into effects: inout LiveEffects) -> Bool {
    let isUsed = relay(turn, to: &client, into: &effects)
    let hasAborted = effects.contains { if case .abort = $0 { true } else { false } }
    if hasAborted, client.status.lastProblem == .pongTimeout {
      _ = relay(turn.with(.stop), to: &client, into: &effects)
    }
    return isUsed
  }
}

/// A dropped link stays open, and its events count as those of the current connection.
private struct LeavesOrphans: ClientMutation {
  var generation = Generation.none
  var isConnected = false

  mutating func handle(_ turn: Turn, by client: inout LiveConnection, into effects: inout LiveEffects) -> Bool {
    isConnected = client.status.phase == .connected
    return relay(turn, to: &client, into: &effects)
  }

  func delivered(_ event: LiveEvent) -> LiveEvent? {
    guard case .received(let from, let frame) = event, from != generation, isConnected else { return event }
    return .received(generation, frame)
  }

  mutating func done(_ effect: LiveEffect, by client: LiveConnection, at now: Instant) -> LiveEffect? {
    switch effect {
    case .open(let opened, _): generation = opened
    case .abort: return nil
    default: break
    }
    return effect
  }
}

private struct DropsWhatCameWithTheHandshake: ClientMutation {
  var isFresh = false

  mutating func delivered(_ event: LiveEvent) -> LiveEvent? {
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

/// From the first failure on, two clients with separate sockets and timers run in place of one.
private struct DoubledClient: ClientUnderTest {
  private var clients: [LiveConnection]
  private var isDoubled = false
  private var timer = SharedTimer()
  private var wishes: [SharedTimer.Wish?] = [nil, nil]

  init(_ settings: ConnectionSettings) { clients = [LiveConnection(settings), LiveConnection(settings)] }

  var status: LiveStatus { clients[0].status }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    if case .timer(let tag) = event {
      guard timer.isCurrent(tag) else { return false }
      timer.hasFired()
      for index in wishes.indices {
        guard let wish = wishes[index], wish.due <= now else { continue }
        wishes[index] = nil
        deliver(.timer(wish.tag), to: index, at: now, word: word &* UInt64(2 * index + 1), into: &effects)
      }
    } else if let number = event.generation?.number {
      deliver(event.renumbered { ($0 + 1) / 2 }, to: number % 2 == 1 ? 0 : 1, at: now, word: word, into: &effects)
      if event.isFailure, !isDoubled {
        isDoubled = true
        deliver(.start, to: 1, at: now, word: word, into: &effects)
      }
    } else {
      deliver(event, to: 0, at: now, word: word, into: &effects)
      if isDoubled { deliver(event, to: 1, at: now, word: word, into: &effects) }
    }
    timer.set(to: min(wishes[0].due, wishes[1].due), into: &effects)
    return true
  }

  private mutating func deliver(
    _ event: LiveEvent, to index: Int, at now: Instant, word: UInt64, into effects: inout LiveEffects
  ) {
    var wanted = LiveEffects()
    clients[index].handle(event, at: now, word: word, into: &wanted)
    for effect in wanted where !wishes[index].take(effect) {
      effects.append(effect.renumbered { 2 * $0 - (index == 0 ? 1 : 0) })
    }
  }
}

extension LiveEvent {
  public var generation: Generation? {
    switch self {
    case .opened(let generation), .failed(let generation, _), .refused(let generation, _),
      .received(let generation, _), .moved(let generation), .sending(let generation, _, _), .closed(let generation, _),
      .credentials(let generation, _):
      generation
    case .start, .stop, .retry, .send, .network, .networkChanged, .app, .woke, .timer: nil
    }
  }

  fileprivate var isFailure: Bool {
    switch self {
    case .failed, .refused, .closed: true
    default: false
    }
  }

  fileprivate func renumbered(_ change: (UInt32) -> UInt32) -> LiveEvent {
    func new(_ old: Generation) -> Generation { Generation(change(old.number)) }
    return switch self {
    case .opened(let old): .opened(new(old))
    case .failed(let old, let failure): .failed(new(old), failure)
    case .refused(let old, let refusal): .refused(new(old), refusal)
    case .received(let old, let frame): .received(new(old), frame)
    case .moved(let old): .moved(new(old))
    case .sending(let old, let number, let isWhole): .sending(new(old), number, isWhole: isWhole)
    case .closed(let old, let closure): .closed(new(old), closure)
    case .credentials(let old, let isFresh): .credentials(new(old), isFresh: isFresh)
    case .start, .stop, .retry, .send, .network, .networkChanged, .app, .woke, .timer: self
    }
  }
}

extension LiveEffect {
  fileprivate func renumbered(_ change: (UInt32) -> UInt32) -> LiveEffect {
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

// MARK: Timers

/// One timer shared by clients that each assume to own it; it is set to the earliest time.
private struct SharedTimer: Sendable {
  struct Wish: Sendable {
    var tag: TimerTag
    var due: Instant
  }

  private var number: UInt64 = 0
  private var due = Instant.never

  func isCurrent(_ tag: TimerTag) -> Bool { tag.number == number && due != .never }

  mutating func hasFired() { due = .never }

  mutating func set(to earliest: Instant, into effects: inout LiveEffects) {
    guard earliest != due else { return }
    due = earliest
    number += 1
    effects.append(earliest == .never ? .cancelTimer : .setTimer(TimerTag(number), at: earliest))
  }
}

extension SharedTimer.Wish? {
  /// Takes over a client's effect on the timer; returns whether it was one.
  fileprivate mutating func take(_ effect: LiveEffect) -> Bool {
    switch effect {
    case .setTimer(let tag, let due): self = SharedTimer.Wish(tag: tag, due: due)
    case .cancelTimer: self = nil
    default: return false
    }
    return true
  }

  fileprivate var due: Instant { self?.due ?? .never }
}

/// The events that set and stop a timer that the client forgets to stop.
private protocol OldTimer: Sendable {
  init()
  var due: Instant { get set }
  mutating func note(_ event: LiveEvent)
  mutating func note(_ effect: LiveEffect, _ settings: ConnectionSettings, at now: Instant)
}

/// A timer that the client forgets to stop; when it fires, it ends the open connection.
private struct KeepsAnOldTimer<Old: OldTimer>: ClientMutation {
  var timer = SharedTimer()
  var wish: SharedTimer.Wish?
  var old = Old()

  mutating func handle(_ turn: Turn, by client: inout LiveConnection, into effects: inout LiveEffects) -> Bool {
    old.note(turn.event)
    var next: LiveEvent? = turn.event
    if case .timer(let tag) = turn.event {
      guard timer.isCurrent(tag) else { return false }
      timer.hasFired()
      next = nil
      if old.due <= turn.now {
        old.due = .never
        if case .connected(let link) = client.state {
          effects.append(.abort(link.generation))
          next = .closed(link.generation, Closure(.network, CloseCode(1006)))
        }
      } else if let due = wish, due.due <= turn.now {
        wish = nil
        next = .timer(due.tag)
      }
    }
    let isUsed = next.map { relay(turn.with($0), to: &client, into: &effects) } ?? false
    timer.set(to: min(wish.due, old.due), into: &effects)
    return isUsed
  }

  mutating func done(_ effect: LiveEffect, by client: LiveConnection, at now: Instant) -> LiveEffect? {
    if wish.take(effect) { return nil }
    old.note(effect, client.settings, at: now)
    return effect
  }
}

/// The connect timeout of an attempt keeps running after the attempt has failed.
private struct OldConnectTimeout: OldTimer {
  var due = Instant.never
  private var began = Generation.none

  mutating func note(_ event: LiveEvent) {
    // Only the opening of its own attempt stops it, and by then another may have replaced that attempt.
    if case .opened(let generation) = event, generation == began { due = .never }
  }

  mutating func note(_ effect: LiveEffect, _ settings: ConnectionSettings, at now: Instant) {
    guard case .open(let generation, _) = effect, due == .never else { return }
    (began, due) = (generation, now + settings.connectTimeout)
  }
}

private struct OldHeartbeat: OldTimer {
  var due = Instant.never
  private var pinged = Generation.none

  mutating func note(_ event: LiveEvent) {
    if case .received(let generation, .pong) = event, generation == pinged { due = .never }
  }

  mutating func note(_ effect: LiveEffect, _ settings: ConnectionSettings, at now: Instant) {
    guard case .sendPing(let generation, _) = effect else { return }
    (pinged, due) = (generation, now + settings.heartbeat.pongTimeout)
  }
}

/// Timers due during a sleep fire before the client learns that the device woke.
private struct BelievesOldDeadlines: ClientMutation {
  var pinged: Instant?

  mutating func handle(_ turn: Turn, by client: inout LiveConnection, into effects: inout LiveEffects) -> Bool {
    if case .received(_, .pong) = turn.event { pinged = nil }
    let timeout = client.settings.heartbeat.pongTimeout
    if turn.event == .woke, let pinged, turn.now - pinged >= timeout, case .connected(let link) = client.state {
      self.pinged = nil
      // The old deadline's effect: the link is given up as if it had been closed.
      effects.append(.abort(link.generation))
      let closed = LiveEvent.closed(link.generation, Closure(.network, CloseCode(1006)))
      return relay(turn.with(closed), to: &client, into: &effects)
    }
    return relay(turn, to: &client, into: &effects)
  }

  mutating func done(_ effect: LiveEffect, by client: LiveConnection, at now: Instant) -> LiveEffect? {
    if case .sendPing = effect { pinged = now }
    return effect
  }
}

private struct ReturnsFromTheDead: ClientMutation {
  var undead: LiveConnection?

  mutating func handle(_ turn: Turn, by client: inout LiveConnection, into effects: inout LiveEffects) -> Bool {
    if turn.event == .stop, client.status.phase == .waiting { undead = client }
    if case .timer = turn.event, let waiting = undead { (client, undead) = (waiting, nil) }
    return relay(turn, to: &client, into: &effects)
  }

  func done(_ effect: LiveEffect, by client: LiveConnection, at now: Instant) -> LiveEffect? {
    effect == .cancelTimer && undead != nil ? nil : effect
  }
}

private struct ReusesTimerTags: ClientMutation {
  var tag: TimerTag?

  func delivered(_ event: LiveEvent) -> LiveEvent? {
    if case .timer = event { tag.map { .timer($0) } } else { event }
  }

  mutating func done(_ effect: LiveEffect, by client: LiveConnection, at now: Instant) -> LiveEffect? {
    guard case .setTimer(let tag, let due) = effect else { return effect }
    self.tag = tag
    return .setTimer(TimerTag(1), at: due)
  }
}

// MARK: Messages

private struct FlushesBackwards: ClientMutation {
  mutating func handle(_ turn: Turn, by client: inout LiveConnection, into effects: inout LiveEffects) -> Bool {
    func isMessage(_ effect: LiveEffect) -> Bool { if case .sendMessage = effect { true } else { false } }
    let (wanted, isUsed) = turn.play(on: &client)
    var messages = wanted.filter(isMessage)
    for effect in wanted { effects.append(isMessage(effect) ? messages.popLast() ?? effect : effect) }
    return isUsed
  }
}

private struct ForgetsTheUnacknowledged: ClientMutation {
  static func change(_ settings: inout ConnectionSettings) { settings.unacknowledged = .drop }

  func done(_ effect: LiveEffect, by client: LiveConnection, at now: Instant) -> LiveEffect? {
    if case .dropped(_, .uncertain) = effect { nil } else { effect }
  }
}

private struct QueuesWithoutEnd: ClientMutation {
  static func change(_ settings: inout ConnectionSettings) {
    (settings.outbox.count, settings.outbox.bytes, settings.outbox.age) = (.max, .max, .forever)
  }
}

private struct KeepsQuietAboutGaps: ClientMutation {
  func done(_ effect: LiveEffect, by client: LiveConnection, at now: Instant) -> LiveEffect? {
    if case .gap = effect { nil } else { effect }
  }
}

private struct ListensAgain: ClientMutation {
  var listeners = 0

  mutating func handle(_ turn: Turn, by client: inout LiveConnection, into effects: inout LiveEffects) -> Bool {
    if case .opened = turn.event { listeners += 1 }
    let (wanted, isUsed) = turn.play(on: &client)
    for effect in wanted {
      effects.append(effect)
      guard case .deliver = effect else { continue }
      for _ in 0..<max(0, listeners - 1) { effects.append(effect) }
    }
    return isUsed
  }
}

private struct AnswersTwice: ClientMutation {
  var answered: LiveEffect?

  mutating func handle(_ turn: Turn, by client: inout LiveConnection, into effects: inout LiveEffects) -> Bool {
    let wasOpen = client.status.phase == .connected
    let isUsed = relay(turn, to: &client, into: &effects)
    if wasOpen, client.status.phase != .connected, let again = answered {
      effects.append(again)
      answered = nil
    }
    return isUsed
  }

  mutating func done(_ effect: LiveEffect, by client: LiveConnection, at now: Instant) -> LiveEffect? {
    if case .acknowledged = effect { answered = effect }
    return effect
  }
}

private struct ShowsThePast: ClientMutation {
  var connected: LiveStatus?

  func status(of client: LiveConnection) -> LiveStatus {
    let now = client.status
    return now.phase == .waiting || now.phase == .connecting ? connected ?? now : now
  }

  mutating func handle(_ turn: Turn, by client: inout LiveConnection, into effects: inout LiveEffects) -> Bool {
    let isUsed = relay(turn, to: &client, into: &effects)
    if client.status.phase == .connected { connected = client.status }
    return isUsed
  }
}

private struct AnnouncesNothing: ClientMutation {
  func done(_ effect: LiveEffect, by client: LiveConnection, at now: Instant) -> LiveEffect? {
    effect == .statusChanged ? nil : effect
  }
}

/// A client that a session can run: the shipped one or a mutant.
public struct LiveVariant: Sendable {
  /// The name on the command line, such as `live-resets-on-open`.
  public let name: String
  /// The fault in one line; for the shipped client, its description.
  public let fault: String
  let type: any ClientUnderTest.Type
  /// The number of the property that must catch it; `within` is the number of cases allowed.
  let caughtBy: Int
  let cases: Int
  /// The arguments of the smallest counterexample.
  let smallest: [String]

  init(
    _ name: String, _ fault: String, _ type: any ClientUnderTest.Type, caughtBy property: Int = 1, within cases: Int,
    smallest: [String]
  ) {
    (self.name, self.fault, self.type, self.smallest) = (name, fault, type, smallest)
    (caughtBy, self.cases) = (property, cases)
  }

  public static let production = LiveVariant(
    "production", "the shipped client", LiveConnection.self, within: 0, smallest: [])

  public static let all = [production] + mutants
}
