// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// The replaced design in its usual form: callbacks for open, message, error and close, one timer, and a wait that
/// doubles.
///
/// It looked right: exponential backoff, a cap, ten attempts, some jitter. But it reset the attempts on every connect,
/// so it never gave up and never backed off; the jitter was a tenth, so a restarted server met all clients at once; and
/// a dead link was noticed only by luck, since there were no pings and no attempt had a timeout.
struct LegacyClient: ClientUnderTest {
  private enum Phase { case idle, connecting, open, waiting, gaveUp, closed }

  private let settings: ConnectionSettings
  private var phase = Phase.idle
  private var task = Generation.none
  private var timer = TimerTag(0)
  private var due: Instant?
  private var attempts = 0
  private var problem: Problem?
  private var isResumed = false
  private var outbox: Outbox
  private var stream = StreamCursor()

  init(_ settings: ConnectionSettings) {
    self.settings = settings
    outbox = Outbox(settings.outbox)
  }

  var status: LiveStatus {
    let isCurrent = phase == .open && (isResumed || !settings.resumesStream)
    return LiveStatus(
      shownPhase, attempt: attempts, nextTry: due, lastProblem: problem, health: phase == .open ? .good : .none,
      isCurrent: isCurrent, queued: outbox.count)
  }

  private var shownPhase: LiveStatus.Phase {
    switch phase {
    case .idle: .disconnected
    case .connecting: .connecting
    case .open: .connected
    case .waiting: .waiting
    case .gaveUp: .suspended
    case .closed: .closed
    }
  }

  mutating func handle(_ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects) -> Bool {
    let shown = status
    let drawn = due
    switch event {
    case .start: if phase == .idle { connect(into: &effects) }
    case .stop: stop(into: &effects)
    case .retry: retry(into: &effects)
    case .send(let number, let bytes): send(number, bytes: bytes, at: now, into: &effects)
    case .timer(let tag):
      guard due != nil, tag == timer else { break }
      due = nil
      connect(into: &effects)
    case .opened(let generation): if generation == task, phase == .connecting { onOpen(into: &effects) }
    case .received(let generation, let frame):
      if generation == task, phase == .open { onFrame(frame, at: now, word: word, into: &effects) }
    case .failed(let generation, let failure): onEnd(generation, .failed(failure), at: now, word: word, into: &effects)
    case .refused(let generation, let refusal):
      onEnd(generation, .refused(status: refusal.status), at: now, word: word, into: &effects)
    case .closed(let generation, let closure): onEnd(generation, .closed(closure), at: now, word: word, into: &effects)
    case .network, .networkChanged, .app, .woke, .moved, .sending, .credentials: break
    }
    if status != shown { effects.append(.statusChanged) }
    return due != nil && due != drawn
  }

  private mutating func connect(into effects: inout LiveEffects) {
    (phase, task) = (.connecting, task.next)
    effects.append(.open(task, .original))
  }

  private mutating func stop(into effects: inout LiveEffects) {
    if phase == .connecting || phase == .open { effects.append(.abort(task)) }
    cancelTimer(into: &effects)
    outbox.close(into: &effects)
    phase = .closed
  }

  private mutating func retry(into effects: inout LiveEffects) {
    guard phase == .waiting || phase == .gaveUp else { return }
    if phase == .gaveUp { attempts = 1 }
    cancelTimer(into: &effects)
    connect(into: &effects)
  }

  private mutating func cancelTimer(into effects: inout LiveEffects) {
    if due != nil { effects.append(.cancelTimer) }
    due = nil
  }

  private mutating func send(_ number: MessageNumber, bytes: Int, at now: Instant, into effects: inout LiveEffects) {
    if phase == .closed { return effects.append(.dropped(number, .closed)) }
    outbox.enqueue(number, bytes: bytes, at: now, into: &effects)
    if phase == .open { flush(into: &effects) }
  }

  private mutating func flush(into effects: inout LiveEffects) {
    while let number = outbox.nextToSend() { effects.append(.sendMessage(task, number)) }
  }

  // MARK: Callbacks

  private mutating func onOpen(into effects: inout LiveEffects) {
    // The design's assumption: an open connection works.
    (phase, attempts, problem, isResumed) = (.open, 0, nil, false)
    if settings.resumesStream { effects.append(.sendResume(task, after: stream.position)) }
    flush(into: &effects)
  }

  private mutating func onFrame(_ frame: ServerFrame, at now: Instant, word: UInt64, into effects: inout LiveEffects) {
    switch frame {
    case .ping(let number): effects.append(.sendPong(task, number))
    case .pong: break
    case .message(let position, let bytes): onMessage(position, bytes: bytes, into: &effects)
    case .acknowledged(let number):
      if let last = outbox.acknowledge(through: number) { effects.append(.acknowledged(through: last)) }
    case .resumed(let start):
      guard !isResumed else { break }
      isResumed = true
      if let gap = stream.resumed(after: start) { effects.append(.gap(after: gap.after, upTo: gap.upTo)) }
    case .malformed(let code):
      effects.append(.abort(task))
      onEnd(task, .malformed(code), at: now, word: word, into: &effects)
    }
  }

  private mutating func onMessage(_ position: StreamPosition?, bytes: Int, into effects: inout LiveEffects) {
    if let position, settings.resumesStream {
      switch stream.accept(position) {
      case .deliver: break
      case .duplicate: return
      case .gap(let gap): effects.append(.gap(after: gap.after, upTo: gap.upTo))
      }
    }
    effects.append(.deliver(position, bytes: bytes))
  }

  /// Handles errors and closes alike: another attempt after base · 2^attempts ± 10%, unless there were ten.
  private mutating func onEnd(
    _ generation: Generation, _ problem: Problem, at now: Instant, word: UInt64, into effects: inout LiveEffects
  ) {
    guard generation == task, phase == .connecting || phase == .open else { return }
    self.problem = problem
    outbox.connectionBroke(settings.unacknowledged, into: &effects)
    guard attempts < settings.backoff.maximumAttempts ?? .max else {
      phase = .gaveUp
      return
    }
    var wait = settings.backoff.base
    for _ in 0..<attempts where wait < settings.backoff.cap { wait = wait * 2 }
    let share = Double(word >> 11) * 0x1p-53
    let moment = now + Interval(seconds: min(wait, settings.backoff.cap).seconds * (0.9 + 0.2 * share))
    attempts += 1
    timer = TimerTag(timer.number + 1)
    (phase, due) = (.waiting, moment)
    effects.append(.setTimer(timer, at: moment))
  }
}
