// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import MonteCarlo

/// A client on its way to an attempt.
struct StormClient {
  /// Its attempts.
  var attempts = AttemptSchedule()
  /// When its next attempt comes, in nanoseconds since the outage's begin.
  var moment: Int64
  /// Its number.
  let number: Int32
  /// Whether its attempts have been used up, so that it is suspended.
  var isSuspended = false
}

/// What the clients of a storm do, each by itself: the rules that both halves of a storm share. The waits are those of
/// the schedule that ships.
struct StormCourse: Sendable {
  let policy: Backoff
  let bins: StormBins
  /// When the server is back, in nanoseconds since the outage's begin.
  let restart: Int64
  /// When nobody watches any longer.
  let end: Int64
  let isLimited: Bool

  private let noticed: UInt64
  private let failing: Int64
  private let cadence: SlowCadence?
  private let wish: Int64

  init(_ policy: Backoff, _ settings: StormSettings) {
    self.policy = policy
    bins = StormBins(settings)
    restart = settings.outage.nanoseconds
    end = (settings.outage + settings.watched).nanoseconds
    isLimited = settings.capacity > 0
    noticed = UInt64(settings.noticed.nanoseconds)
    failing = settings.failing.nanoseconds
    cadence = settings.suspendedCadence
    wish = Self.wish(settings)
  }

  /// Plays clients up to their first attempt at a server that is back. As long as it is down they do not meet, so each
  /// is played by itself.
  ///
  /// - Parameters:
  ///   - clients: Their numbers.
  ///   - words: Of which their waits are made.
  ///   - tally: Is told of what they do.
  ///   - pending: Gets those that the server may shed; where its capacity is not limited nobody waits.
  func play<Words: StormWords & ~Copyable>(
    _ clients: Range<Int>, words: inout Words, tally: inout StormTally, pending: inout [StormClient]
  ) {
    tally.clients += clients.count
    for number in clients {
      let dropped = Int64(words.next(for: number).multipliedFullWidth(by: noticed).high)
      var client = StormClient(moment: 0, number: Int32(number))
      next(&client, failed: dropped, notBefore: dropped, words: &words, tally: &tally)
      while client.moment < restart {
        tally.attempt(at: client.moment)
        let failed = client.moment + failing
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

  /// What a client does that was shed.
  @inline(__always)
  func shed<Words: StormWords & ~Copyable>(
    _ client: inout StormClient, words: inout Words, tally: inout StormTally
  ) {
    tally.shed += 1
    let failed = client.moment + failing
    next(&client, failed: failed, notBefore: failed + wish, words: &words, tally: &tally)
  }

  /// Sets a client's next moment, beyond the end for never. As the connection that ships does, it waits as long as the
  /// policy says after whatever the server wished; suspended, it keeps its cadence, in which that wish counts too.
  @inline(__always)
  private func next<Words: StormWords & ~Copyable>(
    _ client: inout StormClient, failed: Int64, notBefore: Int64, words: inout Words,
    tally: inout StormTally
  ) {
    let word = words.next(for: Int(client.number))
    if let wait = client.attempts.next(policy, word: word) {
      client.moment = later(notBefore, by: wait.nanoseconds)
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
    let (now, wished) = (Instant(nanoseconds: failed), Instant(nanoseconds: notBefore))
    client.moment = min(end, cadence.next(after: now, notBefore: wished, word: word).nanoseconds)
  }

  private func later(_ moment: Int64, by wait: Int64) -> Int64 { wait < end - moment ? moment + wait : end }

  /// What the server's answer to a shed client adds to its wait, by the rules that ship.
  private static func wish(_ settings: StormSettings) -> Int64 {
    guard case .unavailable(let retryAfter) = settings.shedding else { return 0 }
    let refusal = Refusal(status: 503, retryAfter: retryAfter)
    guard case .retryAfter(let wish) = settings.refusalRules.verdict(on: refusal, isSecure: true, redirects: 0) else {
      return 0
    }
    return wish.nanoseconds
  }
}

/// The outage as a block of clients lives through it.
struct StormBlock: MergeableTally {
  var tally: StormTally
  /// Those that come to the returned server, by block.
  var pending: [Int: [StormClient]] = [:]

  mutating func merge(_ other: StormBlock) {
    tally.merge(other.tally)
    pending.merge(other.pending) { first, _ in first }
  }
}
