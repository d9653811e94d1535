// SPDX-License-Identifier: GPL-3.0-or-later
package import LiveCore

/// What is so in a session's world, whatever the client believes.
package struct SessionTruth: Hashable, Sendable {
  /// How many sockets the client holds: those it asked for that neither failed nor were closed or dropped.
  package internal(set) var clientSockets = 0
  /// The generation of the socket that the client opened last; `none` before the first.
  package internal(set) var generation = Generation.none
  /// Whether the client's end of that socket is open, the handshake done and told.
  package internal(set) var isOpenAtClient = false
  /// Whether the server's end of that socket is open.
  package internal(set) var isOpenAtServer = false
  /// Whether what either end of that socket sends now arrives at the other without waiting for a fault to end.
  package internal(set) var isCarrying = true
  /// Whether the device has a network, as the client is told.
  package internal(set) var isReachable = true
  /// Whether the app is in front.
  package internal(set) var isInFront = true
  /// Whether the device sleeps: no timer rings and the client is told nothing.
  package internal(set) var isAsleep = false
  /// Whether an attempt begun now would succeed, if nothing changed: the device awake, the way free, the server there.
  package internal(set) var isPossible = true
  /// The tag of the timer that is set; nil when none is.
  package internal(set) var timer: TimerTag?
  /// When it rings, by the client's clock.
  package internal(set) var timerDue = Instant.never
  /// The highest number of the app's messages, and so how many there were.
  package internal(set) var messagesMade: UInt64 = 0
  /// How many of the app's messages the server has taken, each once.
  package internal(set) var messagesTaken: UInt64 = 0
  /// How many the server recognised as doubles.
  package internal(set) var messagesRepeated: UInt64 = 0
  /// How many the server took again as new, because it had forgotten their numbers.
  package internal(set) var messagesTakenAgain: UInt64 = 0
  /// How many of those should not have come again: their acknowledgement had been told to the app when the numbers were
  /// forgotten, or the settings say that nothing is sent twice.
  package internal(set) var messagesTakenUnduly: UInt64 = 0
  /// How many the client gave up and said so.
  package internal(set) var messagesDropped: UInt64 = 0
  /// How many the client told the app that the server has, and the server has not, nor were they given up.
  package internal(set) var messagesLost: UInt64 = 0
  /// Up to which number the client told the app that the server has them.
  package internal(set) var messagesAcknowledged: UInt64 = 0
  /// Where the server's stream is.
  package internal(set) var streamEnd = StreamPosition(epoch: 1, offset: 0)
  /// Where the history that the server still has begins: the place before the oldest message kept.
  package internal(set) var historyStart = StreamPosition(epoch: 1, offset: 0)
  /// Up to where the app got the stream, by messages and by gaps told.
  package internal(set) var streamDelivered: StreamPosition?
  /// How many of the server's messages the app got.
  package internal(set) var messagesDelivered: UInt64 = 0
  /// How many the app got that it had already.
  package internal(set) var messagesDoubled: UInt64 = 0
  /// How many of the server's messages the app did not get and was not told to be missing.
  package internal(set) var messagesSkipped: UInt64 = 0
  /// How many the app was told to be missing.
  package internal(set) var messagesMissed: UInt64 = 0

  /// The beginning of a session.
  package init() {}
}

/// What changes in a session's world.
package enum SessionChange: Hashable, Sendable {
  /// A fault of the schedule begins: its place in the schedule.
  case faultBegan(Int)
  /// A fault of the schedule is over.
  case faultEnded(Int)
  /// The server accepted the socket of that generation.
  case accepted(Generation)
  /// The server's end of that socket is gone.
  case lostAtServer(Generation)
  /// The client's end of that socket is gone.
  case lostAtClient(Generation)
  /// The server published a message.
  case published(StreamPosition, bytes: Int)
  /// The server took a message of the app, for the first time or again.
  case took(MessageNumber, isRepeated: Bool)
  /// The server stopped, and with it every socket it had.
  case serverStopped
  /// The server is there again.
  case serverStarted
  /// The device sleeps, or woke.
  case device(isAsleep: Bool)
  /// Connected and current in truth, or no longer.
  case served(Bool)
}
