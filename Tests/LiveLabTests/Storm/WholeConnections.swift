// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Randomness
import Testing

@testable import LiveLab

/// Random words that remember who got which.
struct RememberedWords: ~Copyable, StormWords {
  private var source: WordStream
  private(set) var given: [[UInt64]]

  init(seed: UInt32, clients: Int) throws {
    source = try WordStream(seed: seed)
    given = Array(repeating: [], count: clients)
  }

  mutating func next(for client: Int) -> UInt64 {
    let word = source.next(for: client)
    given[client].append(word)
    return word
  }
}

/// A storm of whole connections, event by event, which knows nothing of the fast path but its counters and its bucket.
struct WholeConnections {
  private struct Client {
    var connection: LiveConnection
    var words: ArraySlice<UInt64>
    var generation = Generation.none
    var isSuspended = false
  }

  private struct Due {
    let moment: Int64
    let client: Int
    let event: LiveEvent
  }

  private(set) var tally: StormTally
  private var clients: [Client] = []
  private var due: [Due] = []
  private var bucket: TokenBucket
  private let settings: StormSettings
  private var effects = LiveEffects()
  /// The connections are a minute old when the server goes down.
  private let begin: Int64 = 60_000_000_000

  /// Connections that get the words, the first of which says when a client notices.
  init(_ policy: Backoff, _ settings: StormSettings, words: [[UInt64]]) {
    self.settings = settings
    tally = StormTally(settings)
    tally.clients = words.count
    bucket = TokenBucket(settings, fullAt: settings.outage.nanoseconds)
    var behaviour = ConnectionSettings()
    behaviour.backoff = policy
    behaviour.suspendedCadence = settings.suspendedCadence
    behaviour.heartbeat.interval = nil
    behaviour.resumesStream = false
    clients = words.map { Client(connection: LiveConnection(behaviour), words: $0.dropFirst()) }
    for (client, words) in words.enumerated() {
      handle(.start, client, at: -begin)
      handle(.opened(clients[client].generation), client, at: -begin)
      let noticed = words[0].multipliedFullWidth(by: UInt64(settings.detectionWindow.nanoseconds)).high
      let closure = Closure(.network, CloseCode(1006))
      add(Int64(noticed), client, .closed(clients[client].generation, closure))
    }
  }

  /// Plays to the end of the watch.
  mutating func run() {
    let end = (settings.outage + settings.horizon).nanoseconds
    while let first = due.popLast(), first.moment < end { handle(first.event, first.client, at: first.moment) }
  }

  /// Words that nobody has asked for.
  var wordsLeft: Int { clients.reduce(0) { $0 + $1.words.count } }

  private mutating func handle(_ event: LiveEvent, _ client: Int, at moment: Int64) {
    let now = Instant(nanoseconds: moment + begin)
    effects.removeAll()
    let isUsed = clients[client].connection.handle(
      event, at: now, word: clients[client].words.first ?? 0, into: &effects)
    if isUsed { clients[client].words = clients[client].words.dropFirst() }
    for effect in effects {
      switch effect {
      case .setTimer(let tag, let at): add(at.nanoseconds - begin, client, .timer(tag))
      case .open(let generation, _):
        clients[client].generation = generation
        if moment >= 0 { attempt(generation, client, at: moment) }
      default: break
      }
    }
    if clients[client].connection.status.phase == .suspended, !clients[client].isSuspended {
      clients[client].isSuspended = true
      tally.gaveUp += 1
    }
  }

  private mutating func attempt(_ generation: Generation, _ client: Int, at moment: Int64) {
    tally.attempt(at: moment)
    let failed = moment + settings.attemptTimeout.nanoseconds
    guard moment >= settings.outage.nanoseconds else {
      return add(failed, client, .failed(generation, .connectionRefused))
    }
    if settings.capacity == nil || bucket.take(at: moment) {
      tally.accept(at: moment)
      return add(moment, client, .opened(generation))
    }
    tally.shed += 1
    switch settings.shed {
    case .refused: add(failed, client, .failed(generation, .connectionRefused))
    case .unavailable:
      add(failed, client, .refused(generation, Refusal(status: 503, retryAfter: settings.retryAfter)))
    }
  }

  /// Latest first, so that the next is taken from the end.
  private mutating func add(_ moment: Int64, _ client: Int, _ event: LiveEvent) {
    var (low, high) = (0, due.count)
    while low < high {
      let middle = (low + high) / 2
      if (due[middle].moment, due[middle].client) > (moment, client) { low = middle + 1 } else { high = middle }
    }
    due.insert(Due(moment: moment, client: client, event: event), at: low)
  }
}

@Suite("The storm's client model and whole connections")
struct WholeConnectionsTests {
  /// A 503 stands where there is a `retryAfter`, without the header where it is below zero.
  static let conditions: [(policy: String, capacity: Int?, retryAfter: Interval?, cadence: SlowCadence?)] = [
    ("full-jitter", nil, nil, nil), ("full-jitter", 5, nil, `default`),
    ("full-jitter", 5, .seconds(-1), SlowCadence(every: .seconds(300), spread: 0)),
    ("full-jitter", 5, .seconds(20), `default`), ("equal-jitter", 5, .seconds(400), `default`),
    ("decorrelated-jitter", 10, nil, SlowCadence(every: .seconds(60), spread: 1)),
    ("exponential", 20, nil, `default`),
    ("grpc", 5, nil, nil), ("phoenix", nil, nil, `default`), ("reconnecting-websocket", 5, nil, nil),
  ]

  private static let `default` = StormSettings().suspendedCadence

  @Test("agree exactly when they draw the same words", arguments: conditions.indices)
  func agree(index: Int) throws {
    let condition = Self.conditions[index]
    var settings = StormSettings()
    (settings.clients, settings.capacity) = (400, condition.capacity)
    settings.shed = condition.retryAfter == nil ? .refused : .unavailable
    settings.retryAfter = condition.retryAfter.flatMap { $0 < .zero ? nil : $0 }
    settings.cadence = condition.cadence?.interval
    settings.cadenceSpread = condition.cadence?.spread ?? 0
    settings.burst = .seconds(1)
    let policy = try #require(Backoff.named(condition.policy))
    var words = try RememberedWords(seed: UInt32(index + 1), clients: settings.clients)

    let model = StormClientModel(policy, settings)
    var (tally, pending) = (StormTally(settings), [StormClient]())
    model.play(0..<settings.clients, words: &words, tally: &tally, pending: &pending)
    if model.isLimited {
      var server = StormServer(model, settings, pending)
      try server.run(words: &words, tally: &tally, interrupt: nil)
    }

    var whole = WholeConnections(policy, settings, words: words.given)
    whole.run()
    #expect(whole.tally == tally)
    #expect(whole.wordsLeft == 0)
    #expect(tally.back > 0)
    #expect(condition.capacity == nil || tally.shed > 0)
  }
}
