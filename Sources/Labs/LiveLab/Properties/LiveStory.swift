// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import PropertyTesting
internal import Randomness

/// A series of events of a client in any possible order, without a network between: old events, missing answers and
/// coinciding times are as likely as any others.
struct LiveStory: Sendable, CustomStringConvertible {
  /// An event; one that is impossible at its time is skipped.
  enum Event: Hashable, Sendable {
    case opens, fails, silence
    case refuses(status: UInt16, retryAfter: Int?)
    case redirects(Redirect)
    case credentials(isFresh: Bool)
    case pong, oldPong, ping, message(ahead: Int), repeated, newEpoch, acknowledges, resumes(behind: Int), garbage
    case closes(UInt16), breaks, closeAnswered
    /// A late event of an earlier generation or an old timer.
    case oldNews(Int), oldTimer
    case sends, retries, stops
    case front(Bool), network(Bool), changes, sleeps
  }

  /// An event, with its delay in milliseconds after the one before.
  struct Step: Hashable, Sendable, CustomStringConvertible {
    let after: Int
    let event: Event

    var description: String { after == 0 ? "\(event)" : "+\(after) ms \(event)" }
  }

  /// The seed of the random words; 0 makes all of them 0.
  let seed: Int
  let steps: [Step]

  var description: String {
    "seed \(seed): " + (steps.isEmpty ? "a start alone" : steps.map(\.description).joined(separator: ", "))
  }

  /// Stories of up to thirty events; the simplest is only a start.
  static func any() -> Gen<LiveStory> {
    let after = Gen<Int>.oneOf(
      .just(0), .integers(in: 0...100), .integers(in: 0...3_000), .elements(of: [5_000, 10_000, 20_000, 30_000]),
      .integers(in: 0...400_000))
    let step = zip(after, event).map(Step.init)
    return zip(Gen<Int>.integers(in: 0...9), Gen<[Step]>.arrays(of: step, count: 0...30)).map(LiveStory.init)
  }

  private static let answers: [Event] = [
    .opens, .fails, .silence, .refuses(status: 401, retryAfter: nil), .refuses(status: 503, retryAfter: 60),
    .refuses(status: 429, retryAfter: nil), .refuses(status: 404, retryAfter: nil), .redirects(.secure),
    .redirects(.plain), .credentials(isFresh: true), .credentials(isFresh: false),
  ]

  private static let frames: [Event] = [
    .pong, .oldPong, .ping, .message(ahead: 0), .message(ahead: 2), .repeated, .newEpoch, .acknowledges,
    .resumes(behind: 0), .resumes(behind: 1), .garbage,
  ]

  private static let ends: [Event] = [
    .breaks, .closes(1000), .closes(1001), .closes(1012), .closes(3000), .closes(4004), .closeAnswered,
  ]

  private static let device: [Event] = [
    .sends, .retries, .front(false), .front(true), .network(false), .network(true), .changes, .sleeps,
  ]

  static let allEvents =
    answers + frames + ends + device + [.stops, .oldTimer] + (0...4).map { Event.oldNews($0) }

  /// Messages are sent as often as connections are opened, since their order shows only if several wait for one.
  private static let event: Gen<Event> = {
    let old = Gen<Event>.oneOf(Gen<Int>.integers(in: 0...4).map { Event.oldNews($0) }, .just(.oldTimer))
    return .oneOf(weighted: [
      (8, .just(.opens)), (3, .just(.resumes(behind: 0))), (4, .just(.pong)), (6, .elements(of: answers)),
      (6, .elements(of: frames)), (4, .elements(of: ends)), (3, old), (6, .elements(of: device)), (8, .just(.sends)),
      (1, .just(.stops)),
    ])
  }()
}

/// Settings of stories: the recommended ones with some lower limits, so that few events reach them.
struct StoryLimits: Sendable, CustomStringConvertible {
  let attempts: Int
  let messages: Int
  let resumesStream: Bool
  let dropsUncertain: Bool
  let background: BackgroundPolicy

  var description: String {
    var parts = ["\(attempts) attempts", "\(messages) messages"]
    if !resumesStream { parts.append("no stream") }
    if dropsUncertain { parts.append("uncertain ones dropped") }
    if background != .stayConnected { parts.append("\(background)") }
    return parts.joined(separator: ", ")
  }

  var settings: ConnectionSettings {
    var settings = ConnectionSettings()
    settings.backoff.maximumAttempts = attempts
    settings.outbox.count = messages
    settings.resumesStream = resumesStream
    settings.unacknowledged = dropsUncertain ? .drop : .sendAgain
    settings.background = background
    return settings
  }

  static func any() -> Gen<StoryLimits> {
    zip(
      Gen<Int>.integers(in: 1...10), Gen<Int>.integers(in: 1...5), Gen<Bool>.booleans().map { !$0 },
      Gen<Bool>.booleans(),
      Gen<BackgroundPolicy>.elements(of: [.stayConnected, .makeNoAttempts, .disconnect(after: .seconds(10))])
    ).map(StoryLimits.init)
  }
}

/// A story and its limits, drawn together because they shrink together: for example, without a stream to resume a
/// shorter story is enough.
struct LimitedStory: Sendable, CustomStringConvertible {
  let story: LiveStory
  let limits: StoryLimits

  var description: String { "\(story) under \(limits)" }

  /// Generated stories under generated limits, and the simple ones, to which all others shrink if possible.
  static func any() -> Gen<LimitedStory> {
    let drawn = zip(LiveStory.any(), StoryLimits.any()).map(LimitedStory.init)
    let simple = SimpleStories.all.map { (weight: 1, generator: Gen.just($0)) }
    // One case in twenty is simple.
    return .oneOf(weighted: simple + [(19 * simple.count, drawn)])
  }
}

/// The stories of up to three events under round limits, which are counterexamples if possible. `SimpleSchedules`
/// explains why they are tried in their own order.
enum SimpleStories {
  /// All of them, simplest first: only a start, one event, two, three.
  static let all =
    stories([[]], everywhere) + stories(ones, everywhere) + stories(twos, everywhere)
    + stories(threes, [(1, false), (2, false)])

  /// Limits, narrowest first: the number of attempts and messages, and whether a stream is resumed.
  private typealias Bound = (count: Int, resumesStream: Bool)
  private static let everywhere: [Bound] = [(1, true), (1, false), (2, true), (2, false)]

  private static let ones = [0, 10_000, 30_000].flatMap { after in
    LiveStory.allEvents.map { [LiveStory.Step(after: after, event: $0)] }
  }

  private static let twos = [0, 10_000].flatMap { after in
    common.flatMap { first in
      common.map { [LiveStory.Step(after: 0, event: first), LiveStory.Step(after: after, event: $0)] }
    }
  }

  private static let threes = commonest.flatMap { first in
    commonest.flatMap { second in
      commonest.map { third in [first, second, third].map { LiveStory.Step(after: 0, event: $0) } }
    }
  }

  private static let commonest: [LiveStory.Event] = [
    .opens, .breaks, .resumes(behind: 0), .sends, .acknowledges, .message(ahead: 0), .retries, .stops,
  ]

  private static let common =
    commonest + [.fails, .refuses(status: 503, retryAfter: 60), .closes(1012), .pong, .network(false), .sleeps]

  /// The stories of one length: for each limit, all of them.
  private static func stories(_ stories: [[LiveStory.Step]], _ bounds: [Bound]) -> [LimitedStory] {
    bounds.flatMap { bound in
      let limits = StoryLimits(
        attempts: bound.count, messages: bound.count, resumesStream: bound.resumesStream, dropsUncertain: false,
        background: .stayConnected)
      return stories.map { LimitedStory(story: LiveStory(seed: 0, steps: $0), limits: limits) }
    }
  }
}

/// A client in a story, checked at every step.
struct StoryRun<Client: ClientUnderTest> {
  private var client: ObservedClient<Client, InvariantChecker>
  private let story: LiveStory
  private let resumesStream: Bool
  private var words: RandomWords?
  private var now = Instant.zero
  private var stream = StreamPosition(epoch: 1, offset: 0)

  var breach: Breach? { client.observer.breach }

  /// Plays a story to its end and for another hour.
  init(_ story: LiveStory, _ settings: ConnectionSettings) {
    client = ObservedClient(settings, observer: InvariantChecker())
    (self.story, resumesStream) = (story, settings.resumesStream)
    words = story.seed == 0 ? nil : try? RandomWords(seed: UInt32(story.seed))
    client.begin(settings)
    deliver(.start)
    for step in story.steps {
      if step.event == .sleeps {
        now = now + .milliseconds(Int64(step.after))
        deliver(.woke)
      } else {
        pass(.milliseconds(Int64(step.after)))
        process(step.event)
      }
    }
    pass(.seconds(3_600))
    client.end(at: SessionMoment(now))
  }

  /// Advances the time, with the timer firing when due.
  private mutating func pass(_ interval: Interval) {
    let end = now + interval
    var timersFired = 0
    while let tag = client.truth.timer, client.truth.timerDue <= end, timersFired < 10_000 {
      now = max(now, client.truth.timerDue)
      client.truth.timerFired()
      deliver(.timer(tag))
      timersFired += 1
    }
    now = end
  }

  private mutating func deliver(_ event: LiveEvent) {
    client.deliver(event, at: SessionMoment(now), word: words?.next() ?? 0)
  }

  private mutating func process(_ event: LiveStory.Event) {
    let truth = client.truth
    let generation = truth.generation
    switch event {
    case .opens: answer(.opened(generation), leadsTo: .open)
    case .fails: answer(.failed(generation, .connectionRefused))
    case .refuses(let status, let retryAfter):
      let wait = retryAfter.map { Interval.seconds(Int64($0)) }
      answer(.refused(generation, Refusal(status: status, retryAfter: wait)))
    case .redirects(let redirect): answer(.refused(generation, Refusal(status: 307, redirect: redirect)))
    case .credentials(let isFresh):
      guard truth.credentialsFor.number > generation.number else { return }
      client.truth.credentialsFor = .none
      deliver(.credentials(truth.credentialsFor, isFresh: isFresh))
    case .pong: receive(.pong(truth.lastPing))
    case .oldPong: receive(.pong(truth.lastPing &- 1))
    case .ping: receive(.ping(7))
    case .message(let ahead):
      guard truth.phase == .open else { return }
      stream = StreamPosition(epoch: stream.epoch, offset: stream.offset + UInt64(1 + ahead))
      receive(message(at: stream))
    case .repeated: if stream.offset > 0 { receive(message(at: stream)) }
    case .newEpoch: stream = StreamPosition(epoch: stream.epoch + 1, offset: 0)
    case .acknowledges: receive(.acknowledged(through: MessageNumber(truth.lastSent)))
    case .resumes(let behind):
      let offset = stream.offset - min(stream.offset, UInt64(behind))
      receive(.resumed(after: StreamPosition(epoch: stream.epoch, offset: offset)))
    case .garbage: receive(.malformed(CloseCode(1002)))
    case .closes(let code): end(Closure(.server, CloseCode(code)), in: [.open])
    case .breaks: end(Closure(.network, CloseCode(1006)), in: [.open, .closing])
    case .closeAnswered: end(Closure(.client, CloseCode(1000)), in: [.closing])
    case .oldNews(let kind): if generation.number > 1 { deliver(oldNews(kind, Generation(generation.number - 1))) }
    case .oldTimer: if let tag = truth.replacedTimer { deliver(.timer(tag)) }
    case .silence, .sleeps: break
    case .sends: deliver(.send(client.truth.nextMessage(), bytes: 20))
    case .retries: deliver(.retry)
    case .stops: deliver(.stop)
    case .front(let isInFront): deliver(.app(isInFront: isInFront))
    case .network(let isReachable): deliver(.network(isReachable: isReachable))
    case .changes: deliver(.networkChanged)
    }
  }

  private mutating func answer(_ event: LiveEvent, leadsTo next: GroundTruth.Phase = .none) {
    guard client.truth.phase == .opening else { return }
    client.truth.phase = next
    deliver(event)
  }

  private mutating func receive(_ frame: ServerFrame) {
    if client.truth.phase == .open { deliver(.received(client.truth.generation, frame)) }
  }

  private mutating func end(_ closure: Closure, in phases: [GroundTruth.Phase]) {
    guard phases.contains(client.truth.phase) else { return }
    client.truth.phase = .none
    deliver(.closed(client.truth.generation, closure))
  }

  /// A message of the stream; without a stream to resume it has no position.
  private func message(at index: StreamPosition) -> ServerFrame { .message(resumesStream ? index : nil, bytes: 10) }

  private func oldNews(_ kind: Int, _ old: Generation) -> LiveEvent {
    switch kind {
    case 0: .opened(old)
    case 1: .failed(old, .reset)
    case 2: .closed(old, Closure(.network, CloseCode(1006)))
    case 3: .received(old, message(at: StreamPosition(epoch: stream.epoch, offset: stream.offset + 1)))
    default: .received(old, .pong(client.truth.lastPing))
    }
  }
}
