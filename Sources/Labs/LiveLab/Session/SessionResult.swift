// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore

/// What came of one session.
package struct SessionResult: Hashable, Sendable {
  /// Every time that the client was not served, in order.
  package internal(set) var outages: [Outage] = []
  /// How much time of the client was simulated.
  package internal(set) var duration = Interval.zero
  /// For how much of it the client was connected and current, in truth.
  package internal(set) var served = Interval.zero
  /// How many things happened: events told to the client, frames at the server, and changes of the world.
  package internal(set) var events: UInt64 = 0
  /// How many sockets the client asked for.
  package internal(set) var attempts: UInt64 = 0
  /// How many of them opened.
  package internal(set) var opened: UInt64 = 0
  /// How many pings the client sent.
  package internal(set) var pings: UInt64 = 0
  /// The truth at the end: what was sent, lost and doubled in both directions.
  package internal(set) var truth = SessionTruth()

  /// Whether the session was broken off, because its client made more events than a sound one could.
  package internal(set) var isRunaway = false
  /// What the client showed of itself at the end.
  package internal(set) var status: LiveStatus?

  /// Nothing yet.
  package init() {}

  /// Forgets all, keeping the memory.
  mutating func begin() {
    var empty = SessionResult()
    swap(&empty.outages, &outages)
    empty.outages.removeAll(keepingCapacity: true)
    self = empty
  }
}

/// One time that a client was not served: from the moment that it was no longer connected and current in truth until
/// it was so again.
package struct Outage: Hashable, Sendable {
  /// The fault that began it, as its place in the schedule; -1 where no fault did.
  package internal(set) var fault: Int
  /// When it began.
  package internal(set) var began: Instant
  /// Since when an attempt could have succeeded: nothing hindered one from then until the end of the outage, or of
  /// the session; `never` where something did to the end.
  package internal(set) var possible: Instant
  /// When the client was served again; `never` when it was not before the end of the session.
  package internal(set) var ended: Instant
  /// When the client first said that it was not connected; `never` when it did not, as when a connection outlives it.
  package internal(set) var noticed: Instant
  /// How many sockets the client asked for during it.
  package internal(set) var attempts: Int

  /// How long after it could have been the client was served again; nil when it was not, or never could have been.
  package var timeToReturn: Interval? {
    possible == .never || ended == .never ? nil : ended - possible
  }
}
