// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// A client in a story, with a watch on it.
struct StoryRun<Subject: LiveSubject> {
  private var subject: Subject
  private(set) var watch = InvariantWatch()
  private let story: LiveStory
  private var effects = LiveEffects()
  private var words: UInt64 = 0
  private var now = Instant.zero

  private var timer: (tag: TimerTag, due: Instant)?
  private var oldTimer: TimerTag?
  private var generation = Generation.none
  private enum Phase { case none, opening, open, closing }
  private var phase = Phase.none
  private var awaiting: Generation?
  private var ping: UInt32 = 0
  private var made: UInt64 = 0
  private var sent: UInt64 = 0
  private var stream = StreamPosition(epoch: 1, offset: 0)

  /// Tells a client a story, to its end and an hour more.
  init(_ story: LiveStory, _ settings: ConnectionSettings) {
    subject = Subject(settings)
    self.story = story
    watch.began(settings)
    tell(.start)
    for step in story.steps {
      if step.happening == .sleeps {
        now = now + .milliseconds(Int64(step.after))
        tell(.woke)
      } else {
        pass(.milliseconds(Int64(step.after)))
        happen(step.happening)
      }
    }
    pass(.seconds(3_600))
    watch.closeBooks(at: SessionMoment(world: now, client: now))
  }

  /// Lets time pass, in which the timer rings.
  private mutating func pass(_ interval: Interval) {
    let end = now + interval
    var rings = 0
    while let ring = timer, ring.due <= end, rings < 10_000 {
      now = max(now, ring.due)
      timer = nil
      tell(.timer(ring.tag))
      rings += 1
    }
    now = end
  }

  private mutating func tell(_ event: LiveEvent) {
    let moment = SessionMoment(world: now, client: now)
    watch.saw(event, at: moment)
    effects.removeAll()
    _ = subject.handle(event, at: now, word: story.word(words), into: &effects)
    words += 1
    for effect in effects {
      watch.saw(effect, at: moment)
      carryOut(effect)
    }
    watch.settle(subject.status)
  }

  private mutating func carryOut(_ effect: LiveEffect) {
    switch effect {
    case .open(let opened, _): (generation, phase, awaiting) = (opened, .opening, nil)
    case .abort(let dropped): if dropped == generation { phase = .none }
    case .sendClose(let closing, _): if closing == generation { phase = .closing }
    case .sendPing(_, let number): ping = number
    case .sendMessage(_, let number): sent = max(sent, number.value)
    case .setTimer(let tag, let due):
      oldTimer = timer?.tag ?? oldTimer
      timer = (tag, due)
    case .cancelTimer:
      oldTimer = timer?.tag ?? oldTimer
      timer = nil
    case .refreshCredentials(let asked): awaiting = asked
    case .sendPong, .sendResume, .deliver, .gap, .acknowledged, .dropped, .statusChanged: break
    }
  }

  private mutating func happen(_ happening: LiveStory.Happening) {
    switch happening {
    case .opens, .fails, .refuses, .redirects, .credentials: answer(happening)
    case .pong: receive(.pong(ping))
    case .oldPong: receive(.pong(ping &- 1))
    case .ping: receive(.ping(7))
    case .message(let ahead):
      guard phase == .open else { return }
      stream = StreamPosition(epoch: stream.epoch, offset: stream.offset + UInt64(1 + ahead))
      receive(.message(stream, bytes: 10))
    case .repeated: if stream.offset > 0 { receive(.message(stream, bytes: 10)) }
    case .newEpoch: stream = StreamPosition(epoch: stream.epoch + 1, offset: 0)
    case .acknowledges: receive(.acknowledged(through: MessageNumber(sent)))
    case .resumes(let behind):
      let offset = stream.offset - min(stream.offset, UInt64(behind))
      receive(.resumed(after: StreamPosition(epoch: stream.epoch, offset: offset)))
    case .garbage: receive(.malformed(CloseCode(1002)))
    case .closes, .breaks, .closeAnswered: end(happening)
    case .oldNews(let kind): if generation.number > 1 { tell(oldNews(kind, Generation(generation.number - 1))) }
    case .oldTimer: if let oldTimer { tell(.timer(oldTimer)) }
    case .silence, .sleeps: break
    case .sends:
      made += 1
      tell(.send(MessageNumber(made), bytes: 20))
    case .retries: tell(.retry)
    case .stops: tell(.stop)
    case .front(let isInFront): tell(.app(isInFront: isInFront))
    case .network(let isReachable): tell(.network(isReachable: isReachable))
    case .changes: tell(.networkChanged)
    }
  }

  /// An answer to what the client asked for.
  private mutating func answer(_ happening: LiveStory.Happening) {
    if case .credentials(let isFresh) = happening {
      guard let awaiting else { return }
      self.awaiting = nil
      return tell(.credentials(awaiting, isFresh: isFresh))
    }
    guard phase == .opening else { return }
    phase = happening == .opens ? .open : .none
    switch happening {
    case .opens: tell(.opened(generation))
    case .refuses(let status, let retryAfter):
      let wait = retryAfter.map { Interval.seconds(Int64($0)) }
      tell(.refused(generation, Refusal(status: status, retryAfter: wait)))
    case .redirects(let redirect): tell(.refused(generation, Refusal(status: 307, redirect: redirect)))
    default: tell(.failed(generation, .connectionRefused))
    }
  }

  private mutating func receive(_ frame: ServerFrame) {
    if phase == .open { tell(.received(generation, frame)) }
  }

  private mutating func end(_ happening: LiveStory.Happening) {
    switch (happening, phase) {
    case (.closes(let code), .open):
      phase = .none
      tell(.closed(generation, Closure(.server, CloseCode(code))))
    case (.breaks, .open), (.breaks, .closing):
      phase = .none
      tell(.closed(generation, Closure(.network, CloseCode(1006))))
    case (.closeAnswered, .closing):
      phase = .none
      tell(.closed(generation, Closure(.client, CloseCode(1000))))
    default: break
    }
  }

  private func oldNews(_ kind: Int, _ old: Generation) -> LiveEvent {
    switch kind {
    case 0: .opened(old)
    case 1: .failed(old, .reset)
    case 2: .closed(old, Closure(.network, CloseCode(1006)))
    case 3: .received(old, .message(StreamPosition(epoch: stream.epoch, offset: stream.offset + 1), bytes: 10))
    default: .received(old, .pong(ping))
    }
  }
}
