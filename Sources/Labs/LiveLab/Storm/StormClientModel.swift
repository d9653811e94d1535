// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import MonteCarlo
internal import Randomness

/// The source of random words for the clients of a storm.
protocol StormWords: ~Copyable { mutating func next(for client: Int) -> UInt64 }

/// Words of one stream, for any client.
extension WordStream: StormWords {
  @inline(__always)
  mutating func next(for client: Int) -> UInt64 { UInt64(next()) << 32 | UInt64(next()) }
}

struct StormClient {
  var attempts = AttemptSchedule()
  /// The time of its next attempt, in nanoseconds since the outage began.
  var moment: Int64
  let number: Int32
  /// True if its attempts are exhausted, so that it tries at the slow cadence.
  var isSuspended = false
}

/// The behaviour of a single client of a storm: the rules that both halves of a storm share. The waits are those of the
/// shipped schedule.
struct StormClientModel: Sendable {
  let policy: Backoff
  /// The time of the server's return, in nanoseconds since the outage began.
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

  /// Plays clients up to their first attempt at the returned server. While it is down they do not influence each other,
  /// so each is played alone. Clients that the server may shed are appended to `pending`; with unlimited capacity none
  /// waits.
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

  /// Sets a client's next attempt, beyond the end for never. Like the shipped connection, it adds the policy's wait to
  /// the time that the server asked for; a suspended client keeps its cadence, which includes that time.
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
///
/// A shed attempt is never followed by another within the attempt timeout, so all attempts of a window of that length
/// are known at its beginning, and are sorted once.
struct StormServer {
  private let model: StormClientModel
  private let width: Int64
  private var bucket: TokenBucket
  private var clients: [StormClient]
  /// The clients due in each window, with their times.
  private var windows: [Int64: [(moment: Int64, index: Int)]] = [:]

  init(_ model: StormClientModel, _ settings: StormSettings, _ clients: [StormClient]) {
    (self.model, self.clients) = (model, clients)
    bucket = TokenBucket(settings, fullAt: model.restart)
    width = max(1, settings.attemptTimeout.nanoseconds)
    for index in clients.indices { wait(index) }
  }

  private mutating func wait(_ index: Int) {
    let moment = clients[index].moment
    windows[moment / width, default: []].append((moment, index))
  }

  /// Plays until all clients are back or have given up, or to the horizon.
  ///
  /// - Throws: `Abandoned` if it is interrupted.
  mutating func run<Words: StormWords & ~Copyable>(
    words: inout Words, tally: inout StormTally, interrupt: Interrupt?
  ) throws(Abandoned) {
    var window = model.restart / width
    while !windows.isEmpty {
      try interrupt?.check()
      for (moment, index) in (windows.removeValue(forKey: window) ?? []).sorted(by: <) {
        tally.attempt(at: moment)
        if bucket.take(at: moment) {
          tally.accept(at: moment)
          continue
        }
        model.shed(&clients[index], words: &words, tally: &tally)
        if clients[index].moment < model.end { wait(index) }
      }
      window += 1
    }
  }
}

/// The remaining capacity of a server: tokens that arrive at a steady rate, up to a depth, one for each handshake.
/// Integers throughout: a rate of one per second gains a billionth of a token per nanosecond.
struct TokenBucket {
  private let rate: Int64
  private let depth: Int64
  /// The time to fill an empty bucket, so that no product overflows.
  private let filling: Int64
  private var level: Int64
  private var moment: Int64

  init(_ settings: StormSettings, fullAt moment: Int64) {
    rate = Int64(settings.capacity ?? 0)
    depth = settings.depth
    filling = settings.burst.nanoseconds
    (level, self.moment) = (depth, moment)
  }

  /// Takes a token if there is one; `now` never decreases.
  mutating func take(at now: Int64) -> Bool {
    let passed = now - moment
    level = passed >= filling ? depth : min(depth, level + passed * rate)
    moment = now
    guard level >= StormSettings.token else { return false }
    level -= StormSettings.token
    return true
  }
}
