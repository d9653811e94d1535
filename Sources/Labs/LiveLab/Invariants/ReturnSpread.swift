// SPDX-License-Identifier: GPL-3.0-or-later
internal import CoreDates
internal import LiveCore
internal import Randomness

/// The times at which many clients return to one server, and whether too many return at the same time.
struct ReturnSpread: Sendable {
  static let size = 32

  /// The waits from the common moment until each client returns, ascending; clients that do not return are left out.
  let waits: [Interval]
  /// The window within which at most `maxAllowed` may return.
  let window: Interval
  let maxAllowed: Int

  /// The most clients that return within one window.
  var maximum: Int {
    var (maximum, first) = (0, 0)
    for last in waits.indices {
      while waits[last] - waits[first] > window { first += 1 }
      maximum = max(maximum, last - first + 1)
    }
    return maximum
  }

  var isSpread: Bool { maximum <= maxAllowed }

  /// Clients that lost one server at the same time. Of 32 clients with waits uniform up to a second, a quarter returns
  /// in any quarter of a second, and more than 24 in one do so less than once in a thousand million herds.
  init(afterLoss waits: [Interval]) {
    (self.waits, window, maxAllowed) = (waits.sorted(), .milliseconds(250), Self.size * 3 / 4)
  }

  /// Clients with one date in `Retry-After`; waits below zero are too early. Of 32 clients with returns uniform over 30
  /// s, 17 return within a second less than once in a million million herds.
  init(afterDate waits: [Interval]) { (self.waits, window, maxAllowed) = (waits.sorted(), .seconds(1), Self.size / 2) }

  /// The waits from the loss to the first attempt of clients of one kind with one schedule but different random
  /// numbers.
  init<Client: ClientUnderTest>(of type: Client.Type, _ schedule: FaultSchedule, seed: UInt32) throws(RandomnessError) {
    var session = try Session<Client, ReturnObserver>(observer: ReturnObserver())
    var waits: [Interval] = []
    for client in 0..<UInt32(Self.size) {
      session.observer = ReturnObserver()
      try session.run(schedule, seed: seed &* UInt32(Self.size) &+ client)
      if let wait = session.observer.wait { waits.append(wait) }
    }
    self.init(afterLoss: waits)
  }

  /// The waits after the date when one server refuses clients of one kind at different times, all with the same date in
  /// `Retry-After`. The first is refused `ahead` seconds before the date, at least 1, and all within `width`
  /// thousandths of that time. With `hinted`, each client loses its network and finds it again before the date.
  init<Client: ClientUnderTest>(
    of type: Client.Type, refusedAhead ahead: Int, width: Int, hinted: Bool, seed: UInt32
  ) throws(RandomnessError) {
    var words = try WordStream(named: SessionRandom.defaultName, seed: seed)
    var waits: [Interval] = []
    for client in 0..<Self.size {
      let late = Int64(words.next(for: client).multipliedFullWidth(by: UInt64(ahead * width)).high)
      var run = DatedClient<Client>(refusedAt: .zero + .milliseconds(late), date: .zero + .seconds(Int64(ahead)))
      if let wait = run.play(hinted: hinted, client, &words) { waits.append(wait) }
    }
    self.init(afterDate: waits)
  }
}

extension ReturnSpread: CustomStringConvertible {
  var description: String { "\(maximum) of \(Self.size) clients return within \(window.inSeconds)" }
}

/// Records how long after its first loss a client asks for a connection again.
private struct ReturnObserver: SessionObserver {
  private var wasOpen = false
  private var lost: Instant?
  private(set) var wait: Interval?

  mutating func step(
    _ event: LiveEvent, effects: LiveEffects, status: LiveStatus, truth: borrowing GroundTruth,
    at moment: SessionMoment
  ) {
    switch event {
    case .opened: wasOpen = true
    case .closed: if wasOpen, lost == nil { lost = moment.world }
    default: break
    }
    guard wait == nil, let lost else { return }
    for case .open in effects { wait = moment.world - lost }
  }
}

/// A client of a server that names a date; both clocks are right.
private struct DatedClient<Client: ClientUnderTest> {
  private var client = ObservedClient<Client, NoObserver>(ConnectionSettings(), observer: NoObserver())
  private let refused: Instant
  private let date: Instant

  init(refusedAt refused: Instant, date: Instant) { (self.refused, self.date) = (refused, date) }

  /// Starts, is refused, and runs until the client asks again; returns the wait after the date, nil for never.
  mutating func play(hinted: Bool, _ number: Int, _ words: inout WordStream) -> Interval? {
    func deliver(_ event: LiveEvent, at now: Instant, _ words: inout WordStream) {
      client.deliver(event, at: SessionMoment(now), word: words.next(for: number))
    }
    deliver(.start, at: refused, &words)
    guard client.truth.attempts > 0 else { return nil }
    deliver(.refused(client.truth.generation, refusal), at: refused, &words)
    if hinted {
      let middle = refused + Interval(nanoseconds: (date - refused).nanoseconds / 2)
      for isReachable in [false, true] where client.truth.attempts == 1 {
        deliver(.network(isReachable: isReachable), at: middle, &words)
      }
      if client.truth.attempts > 1 { return middle - date }
    }
    for _ in 0..<100 {
      guard let tag = client.truth.timer else { return nil }
      let due = client.truth.timerDue
      client.truth.timerFired()
      deliver(.timer(tag), at: due, &words)
      if client.truth.attempts > 1 { return due - date }
    }
    return nil
  }

  /// The answer with its fields as sent: whole seconds.
  private var refusal: Refusal {
    // Midnight at the start of 21 November 2026, UTC.
    let epoch: Int64 = 1_795_219_200
    func text(_ moment: Instant) -> String {
      HTTPDate(unixSeconds: epoch + (moment - .zero).nanoseconds / 1_000_000_000).description
    }
    return Refusal(
      status: 503, retryAfter: text(date), date: text(refused), location: nil, from: "wss://live.example", now: epoch)
  }
}
