// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// What came of one session.
struct SessionResult: Hashable, Sendable {
  /// Every time that the client was not in sync, in order.
  var outages: [Outage] = []
  /// How much time of the client was simulated.
  var duration = Interval.zero
  /// For how much of it the client was in sync, in truth.
  var served = Interval.zero
  /// Events delivered to the client, frames at the server, and changes of the world.
  var events: UInt64 = 0
  /// How many sockets the client asked for.
  var attempts: UInt64 = 0
  /// How many of them opened.
  var opened: UInt64 = 0
  var pings: UInt64 = 0
  var truth = SessionTruth()
  /// Whether the session was aborted as a livelock of its client.
  var isRunaway = false
  /// At the end.
  var status: LiveStatus?

  /// Forgets all, keeping the memory.
  mutating func begin() {
    var empty = SessionResult()
    swap(&empty.outages, &outages)
    empty.outages.removeAll(keepingCapacity: true)
    self = empty
  }
}

/// One time that a client was not in sync, in truth.
struct Outage: Hashable, Sendable {
  /// The fault that began it, as its place in the schedule; -1 where no fault did.
  var fault: Int
  var began: Instant
  /// Since when an attempt could have succeeded: nothing hindered one from then until the end of the outage, or of
  /// the session; `never` where something did to the end.
  var possible: Instant
  /// When the client was in sync again; `never` when it was not before the end of the session.
  var ended: Instant
  /// When the client first said that it was not connected; `never` when it did not, as when a connection outlives it.
  var noticed: Instant
  /// How many sockets the client asked for during it.
  var attempts: Int

  /// How long after it could have been the client was in sync; nil when it was not, or never could have been.
  var timeToReturn: Interval? {
    possible == .never || ended == .never ? nil : ended - possible
  }
}

/// What is so in a session's world, whatever the client believes.
struct SessionTruth: Hashable, Sendable {
  /// How many sockets the client holds: those it asked for that neither failed nor were closed or dropped.
  var clientSockets = 0
  var isAsleep = false
  /// Whether an attempt begun now would succeed, if nothing changed: the device awake, the way free, the server there.
  var isPossible = true
  /// The tag of the timer that is set; nil when none is.
  var timer: TimerTag?
  /// By the client's clock.
  var timerDue = Instant.never

  // Messages of the app.

  /// The highest number, and so how many there were.
  var messagesMade: UInt64 = 0
  /// How many the server has taken, each once.
  var messagesTaken: UInt64 = 0
  /// How many the server recognised as duplicates.
  var messagesRepeated: UInt64 = 0
  /// How many the server took again as new, because it had forgotten their numbers.
  var messagesTakenAgain: UInt64 = 0
  /// How many of those should not have come again: they had been acknowledged to the app when the numbers were
  /// forgotten, or the settings say that nothing is sent twice.
  var messagesTakenUnduly: UInt64 = 0
  /// How many the client gave up and said so.
  var messagesDropped: UInt64 = 0
  /// How many the client acknowledged to the app that the server has not and that were not given up.
  var messagesLost: UInt64 = 0

  // Messages of the server's stream.

  var streamEnd = StreamPosition(epoch: 1, offset: 0)
  /// The place before the oldest message that the server keeps.
  var historyStart = StreamPosition(epoch: 1, offset: 0)
  /// Up to where the app got the stream, by messages and by gaps reported.
  var streamDelivered: StreamPosition?
  /// How many the app got.
  var messagesDelivered: UInt64 = 0
  /// How many the app got that it had already.
  var messagesDoubled: UInt64 = 0
  /// How many the app did not get and that were not reported to be missing.
  var messagesSkipped: UInt64 = 0
  /// How many were reported to be missing.
  var messagesMissed: UInt64 = 0
}
