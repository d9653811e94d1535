// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import MonteCarlo
internal import Randomness

/// Where the clients of a storm get their random words.
protocol StormWords: ~Copyable { mutating func next(for client: Int) -> UInt64 }

/// Words of one stream, for whichever client comes next.
extension WordStream: StormWords {
  @inline(__always)
  mutating func next(for client: Int) -> UInt64 { UInt64(next()) << 32 | UInt64(next()) }
}

struct StormClient {
  var attempts = AttemptSchedule()
  /// When its next attempt comes, in nanoseconds since the outage began.
  var moment: Int64
  let number: Int32
  /// Whether its attempts are exhausted, so that it tries at the slow cadence.
  var isSuspended = false
}

/// The behaviour of a storm's clients, each by itself: the rules that both halves of a storm share. The waits are those
/// of the schedule that ships.
struct StormClientModel: Sendable {
  let policy: Backoff
  /// When the server is back, in nanoseconds since the outage began.
  let restart: Int64
  let end: Int64
  let isLimited: Bool

  private let detectionWindow: UInt64
  private let attemptTimeout: Int64
  private let cadence: SlowCadence?
  private let retryAfter: Int64

  init(_ policy: Backoff, _ settings: StormSettings) {
    self.policy = policy
    restart = settings.outage.nanoseconds
    end = (settings.outage + settings.horizon).nanoseconds
    isLimited = settings.capacity != nil
    detectionWindow = UInt64(settings.detectionWindow.nanoseconds)
    attemptTimeout = settings.attemptTimeout.nanoseconds
    cadence = settings.suspendedCadence
    retryAfter = settings.wait.nanoseconds
  }

  /// Plays clients up to their first attempt at a server that is back. As long as it is down they do not meet, so each
  /// is played by itself. Those that the server may shed are appended to `pending`; where its capacity is not limited
  /// nobody waits.
  func play<Words: StormWords & ~Copyable>(
    _ clients: Range<Int>, words: inout Words, tally: inout StormTally, pending: inout [StormClient]
  ) {
    tally.clients += clients.count
    for number in clients {
      let dropped = Int64(words.next(for: number).multipliedFullWidth(by: detectionWindow).high)
      var client = StormClient(moment: 0, number: Int32(number))
      next(&client, failed: dropped, notBefore: dropped, words: &words, tally: &tally)
      while client.moment < restart {
        tally.attempt(at: client.moment)
        let failed = client.moment + attemptTimeout
        next(&client, failed: failed, notBefore: failed, words: &words, tally: &tally)
      }
      guard client.moment < end else { continue }
      if isLimited {
        pending.append(client)
      } else {
        tally.attempt(at: client.moment)
        tally.accept(at: client.moment)
      }
    }
  }

  @inline(__always)
  func shed<Words: StormWords & ~Copyable>(
    _ client: inout StormClient, words: inout Words, tally: inout StormTally
  ) {
    tally.shed += 1
    let failed = client.moment + attemptTimeout
    next(&client, failed: failed, notBefore: failed + retryAfter, words: &words, tally: &tally)
  }

  /// Sets a client's next moment, beyond the end for never. As the connection that ships does, it waits as long as the
  /// policy says after whatever the server asked for; suspended, it keeps its cadence, in which that counts too.
  @inline(__always)
  private func next<Words: StormWords & ~Copyable>(
    _ client: inout StormClient, failed: Int64, notBefore: Int64, words: inout Words,
    tally: inout StormTally
  ) {
    let word = words.next(for: Int(client.number))
    if let wait = client.attempts.next(policy, word: word) {
      client.moment = wait.nanoseconds < end - notBefore ? notBefore + wait.nanoseconds : end
      return
    }
    if !client.isSuspended {
      client.isSuspended = true
      tally.gaveUp += 1
    }
    guard let cadence else {
      client.moment = end
      return
    }
    let (now, earliest) = (Instant(nanoseconds: failed), Instant(nanoseconds: notBefore))
    client.moment = min(end, cadence.next(after: now, notBefore: earliest, word: word).nanoseconds)
  }
}

/// The returned server and the clients that come to it, in the order of time.
struct StormServer {
  private let model: StormClientModel
  private var bucket: TokenBucket
  private var clients: [StormClient]
  private var queue: CalendarQueue

  init(_ model: StormClientModel, _ settings: StormSettings, _ clients: [StormClient]) {
    (self.model, self.clients) = (model, clients)
    bucket = TokenBucket(settings, fullAt: model.restart)
    queue = CalendarQueue(clients: clients.count, beginning: model.restart, least: settings.attemptTimeout.nanoseconds)
    for (place, client) in clients.enumerated() { queue.insert(Int32(place), at: client.moment) }
  }

  /// Plays until all are back, have given up, or the horizon is reached.
  ///
  /// - Throws: `Abandoned` where it is interrupted.
  mutating func run<Words: StormWords & ~Copyable>(
    words: inout Words, tally: inout StormTally, interrupt: Interrupt?
  ) throws(Abandoned) {
    var day: [CalendarQueue.Entry] = []
    while queue.takeDay(into: &day) {
      try interrupt?.check()
      for entry in day {
        tally.attempt(at: entry.moment)
        if bucket.take(at: entry.moment) {
          tally.accept(at: entry.moment)
          continue
        }
        let place = Int(entry.client)
        model.shed(&clients[place], words: &words, tally: &tally)
        if clients[place].moment < model.end { queue.insert(entry.client, at: clients[place].moment) }
      }
    }
  }
}

/// The remaining capacity of a server: tokens that come at a steady rate, up to a depth, one for each handshake. Whole
/// numbers throughout: a rate of one a second gains a billionth of a token in a nanosecond.
struct TokenBucket {
  private let rate: Int64
  private let depth: Int64
  /// The time that fills an empty bucket, so that no product overflows.
  private let filling: Int64
  private var level: Int64
  private var moment: Int64

  init(_ settings: StormSettings, fullAt moment: Int64) {
    rate = Int64(settings.capacity ?? 0)
    depth = settings.depth
    filling = settings.burst.nanoseconds
    (level, self.moment) = (depth, moment)
  }

  /// Takes a token where there is one; `now` is no sooner than before.
  mutating func take(at now: Int64) -> Bool {
    let passed = now - moment
    level = passed >= filling ? depth : min(depth, level + passed * rate)
    moment = now
    guard level >= StormSettings.token else { return false }
    level -= StormSettings.token
    return true
  }
}

/// Up to a million pending attempts, at most one of each client, in the order of their moments.
///
/// A ring of days, each a list of the clients that are due in it, linked through an array; what lies beyond the ring
/// waits aside until the year has come round. Putting one in costs two memory accesses, whatever is in the queue, and
/// taking a day sorts only that day's.
/// Source: Brown, "Calendar queues: a fast O(1) priority queue implementation for the simulation event set problem",
/// Communications of the ACM 31 (1988).
struct CalendarQueue {
  /// A client and when it is due, in nanoseconds.
  struct Entry {
    let moment: Int64
    let client: Int32
  }

  /// When a client is due, and who else is due on its day: side by side, since both are read together.
  private struct Place {
    var moment: Int64 = 0
    var next = CalendarQueue.none
  }

  /// A day has 2 to the power of this many nanoseconds.
  private let dayBits: Int64
  private var heads: [Int32]
  private var places: [Place]
  private var beyond: [Int32] = []
  private var day: Int64
  private var pending = 0

  /// An empty queue.
  ///
  /// - Parameters:
  ///   - clients: How many clients there are.
  ///   - beginning: Nothing is due sooner, in nanoseconds, 0 or more.
  ///   - least: Nothing is put in that is due sooner than this after the moment of the entry taken last; at least 1 ms.
  init(clients: Int, beginning: Int64, least: Int64) {
    // Days no longer than that, so that nothing is put into a day that was taken already; a millisecond at the most, so
    // that a day's clients are sorted within the processor's cache even when a million come within a moment.
    dayBits = min(20, Int64(63 - max(1, least).leadingZeroBitCount))
    heads = Array(repeating: Self.none, count: Self.daysInYear)
    places = Array(repeating: Place(), count: clients)
    day = beginning >> dayBits
  }

  mutating func insert(_ client: Int32, at moment: Int64) {
    pending += 1
    places[Int(client)].moment = moment
    place(client, moment)
  }

  /// Takes all that is due on the next day that has anything, in order, clients of one moment by their numbers, in
  /// place of what was in `entries`. Returns whether there was anything.
  mutating func takeDay(into entries: inout [Entry]) -> Bool {
    entries.removeAll(keepingCapacity: true)
    guard pending > 0 else { return false }
    while entries.isEmpty {
      let slot = Int(day & Self.mask)
      var client = heads[slot]
      heads[slot] = Self.none
      while client != Self.none {
        let place = places[Int(client)]
        entries.append(Entry(moment: place.moment, client: client))
        client = place.next
      }
      day += 1
      if day & Self.mask == 0 { turnTheYear() }
    }
    entries.sort { ($0.moment, $0.client) < ($1.moment, $1.client) }
    pending -= entries.count
    return true
  }

  private mutating func turnTheYear() {
    let waiting = beyond
    beyond.removeAll(keepingCapacity: true)
    for client in waiting { place(client, places[Int(client)].moment) }
  }

  /// The ring holds the days up to the end of this year, and no other: a day's place is its number within the year.
  private mutating func place(_ client: Int32, _ moment: Int64) {
    let due = max(moment >> dayBits, day)
    guard due | Self.mask == day | Self.mask else { return beyond.append(client) }
    let slot = Int(due & Self.mask)
    places[Int(client)].next = heads[slot]
    heads[slot] = client
  }

  private static let none: Int32 = -1
  private static let daysInYear = 1 << 18
  private static let mask = Int64(daysInYear - 1)
}
