// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
package import MonteCarlo

/// What the sessions of one profile add up to: whole numbers only, so that who ran which session leaves no trace.
package struct ProfileTally: MergeableTally, Hashable {
  /// How many sessions were run.
  package var sessions = 0
  /// Outages from which the client was back in time, of those that can be judged.
  package var success = ClusteredShare()
  /// How long after it could have been the client was back, in the outages that can be judged.
  package var returns = ReturnTimes()
  /// The same by cause: by the place of the fault's kind in `Fault.Kind.allCases`, the last for none.
  package var causes = [CauseTally](repeating: CauseTally(), count: OutageCause.count)
  /// Outages in which no attempt could have succeeded before the session was over.
  package var hopeless = 0
  /// Outages that began so late that their limit was not over before the session was.
  package var late = 0
  /// Outages that the open connection outlived: no attempt was made, and none was needed.
  package var outlived = 0
  /// Sessions with an outage from which the client was not back in time.
  package var troubledSessions = 0
  /// Sessions that were cut short because the client went round in circles: far more happened than ever should.
  package var runaways = 0
  /// Sessions in which an invariant was broken.
  package var brokenSessions = 0
  /// By invariant: sessions in which it was broken.
  package var breaches = [Int](repeating: 0, count: Invariant.allCases.count)
  /// The first sessions that failed.
  package var failures = FailureList()
  /// What else was counted.
  package var counts = SessionCounts()

  /// No session.
  package init() {}

  /// Adds what another tally holds.
  package mutating func merge(_ other: ProfileTally) {
    sessions += other.sessions
    success.merge(other.success)
    returns.merge(other.returns)
    for index in causes.indices { causes[index].merge(other.causes[index]) }
    hopeless += other.hopeless
    late += other.late
    outlived += other.outlived
    troubledSessions += other.troubledSessions
    runaways += other.runaways
    brokenSessions += other.brokenSessions
    for index in breaches.indices { breaches[index] += other.breaches[index] }
    failures.merge(other.failures)
    counts.merge(other.counts)
  }
}

/// What is counted of the outages that began by one cause.
package struct CauseTally: MergeableTally, Hashable {
  /// Outages from which the client was back in time, of those that can be judged.
  package var success = ClusteredShare()
  /// How long after it could have been the client was back, in units of `ReturnTimes`, where it came back at all.
  package var times = LatencyHistogram()

  /// No outage.
  package init() {}

  /// Adds what another tally holds.
  package mutating func merge(_ other: CauseTally) {
    success.merge(other.success)
    times.merge(other.times)
  }
}

/// How much was simulated, and what became of the messages.
package struct SessionCounts: MergeableTally, Hashable {
  /// Milliseconds of clients' time.
  package var milliseconds = 0
  /// Milliseconds of them in which the client was connected and current.
  package var servedMilliseconds = 0
  /// Things that happened.
  package var events = 0
  /// Sockets that clients asked for.
  package var attempts = 0
  /// Sockets that opened.
  package var opened = 0
  /// The app's messages.
  package var messages = 0
  /// Those of them that the client gave up and said so.
  package var dropped = 0
  /// The server's messages that the app got.
  package var delivered = 0
  /// Those that the app was told to be missing.
  package var missed = 0
  /// Those that it got again, or that were kept from it without a word.
  package var wronged = 0

  /// Nothing.
  package init() {}

  /// Hours of clients' time.
  package var hours: Double { Double(milliseconds) / 3_600_000 }

  /// Adds what another session holds.
  package mutating func merge(_ other: SessionCounts) {
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
