// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
public import MonteCarlo

/// What the sessions of one profile add up to: whole numbers only, so that who ran which session leaves no trace.
public struct ProfileTally: MergeableTally, Hashable {
  /// How many sessions were run.
  public var sessions = 0
  /// Outages from which the client was back in time, of those that can be judged.
  public var success = ClusteredShare()
  /// How long after it could have been the client was back, in the outages that can be judged.
  public var returns = ReturnTimes()
  /// The same by cause: by the place of the fault's kind in `Fault.Kind.allCases`, the last for none.
  public var causes = [CauseTally](repeating: CauseTally(), count: OutageCause.count)
  /// Outages in which no attempt could have succeeded before the session was over.
  public var hopeless = 0
  /// Outages that began so late that their limit was not over before the session was.
  public var late = 0
  /// Sessions with an outage from which the client was not back in time.
  public var troubledSessions = 0
  /// Sessions in which an invariant was broken.
  public var brokenSessions = 0
  /// By invariant: sessions in which it was broken.
  public var breaches = [Int](repeating: 0, count: Invariant.allCases.count)
  /// The first sessions that failed.
  public var failures = FailureList()
  /// What else was counted.
  public var counts = SessionCounts()

  /// No session.
  public init() {}

  /// Adds what another tally holds.
  public mutating func merge(_ other: ProfileTally) {
    sessions += other.sessions
    success.merge(other.success)
    returns.merge(other.returns)
    for index in causes.indices { causes[index].merge(other.causes[index]) }
    hopeless += other.hopeless
    late += other.late
    troubledSessions += other.troubledSessions
    brokenSessions += other.brokenSessions
    for index in breaches.indices { breaches[index] += other.breaches[index] }
    failures.merge(other.failures)
    counts.merge(other.counts)
  }
}

/// What is counted of the outages that began by one cause.
public struct CauseTally: MergeableTally, Hashable {
  /// Outages from which the client was back in time, of those that can be judged.
  public var success = ClusteredShare()
  /// How long after it could have been the client was back, in units of `ReturnTimes`, where it came back at all.
  public var times = LatencyHistogram()

  /// No outage.
  public init() {}

  /// Adds what another tally holds.
  public mutating func merge(_ other: CauseTally) {
    success.merge(other.success)
    times.merge(other.times)
  }
}

/// How much was simulated, and what became of the messages.
public struct SessionCounts: MergeableTally, Hashable {
  /// Milliseconds of clients' time.
  public var milliseconds = 0
  /// Milliseconds of them in which the client was connected and current.
  public var servedMilliseconds = 0
  /// Things that happened.
  public var events = 0
  /// Sockets that clients asked for.
  public var attempts = 0
  /// Sockets that opened.
  public var opened = 0
  /// The app's messages.
  public var messages = 0
  /// Those of them that the client gave up and said so.
  public var dropped = 0
  /// The server's messages that the app got.
  public var delivered = 0
  /// Those that the app was told to be missing.
  public var missed = 0
  /// Those that it got again, or that were kept from it without a word.
  public var wronged = 0

  /// Nothing.
  public init() {}

  /// Hours of clients' time.
  public var hours: Double { Double(milliseconds) / 3_600_000 }

  /// Adds what another session holds.
  public mutating func merge(_ other: SessionCounts) {
    milliseconds += other.milliseconds
    servedMilliseconds += other.servedMilliseconds
    events += other.events
    attempts += other.attempts
    opened += other.opened
    messages += other.messages
    dropped += other.dropped
    delivered += other.delivered
    missed += other.missed
    wronged += other.wronged
  }

  mutating func add(_ result: borrowing SessionResult) {
    let end = Instant.zero + result.duration
    let away = result.outages.reduce(Interval.zero) { sum, outage in
      outage.began >= end ? sum : sum + (min(end, outage.ended) - outage.began)
    }
    milliseconds += Int(result.duration.nanoseconds / 1_000_000)
    servedMilliseconds += Int((result.duration - away).nanoseconds / 1_000_000)
    events += Int(result.events)
    attempts += Int(result.attempts)
    opened += Int(result.opened)
    messages += Int(result.truth.messagesMade)
    dropped += Int(result.truth.messagesDropped)
    delivered += Int(result.truth.messagesDelivered)
    missed += Int(result.truth.messagesMissed)
    wronged += Int(result.truth.messagesDoubled + result.truth.messagesSkipped)
  }
}
