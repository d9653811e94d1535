// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension InvariantWatch {
  /// An event of the heartbeat's usual round, in little room.
  struct Beat: Sendable {
    /// The generation of a pong; nil for a ring of the timer.
    var pong: Generation?
    /// Of the pong, or of the timer's tag.
    var number: UInt64 = 0

    /// What the client was told.
    var event: LiveEvent {
      guard let pong else { return .timer(TimerTag(number)) }
      return .received(pong, .pong(UInt32(truncatingIfNeeded: number)))
    }
  }

  /// What the step at hand did.
  struct StepAccount: Sendable {
    /// Whether it is of the heartbeat's usual round, so far: then nothing else here counts.
    var isUsual = false
    /// Whether what happened belongs to an earlier generation or an old timer.
    var isStale = false
    /// Whether an attempt may follow at once: the first, a redirect, fresh credentials.
    var excusesAttempt = false
    /// Whether the timer that rang has overslept, or the device says that it woke.
    var isAwakening = false
    var opens = false
    var timerSettings = 0
    var delivered = 0
    /// How often the message at hand is to be delivered; nil where none is.
    var toDeliver: Int?
    var wantsGap = false
    var gapTold = false
    var isFirstFrame = false
    var isAnnounced = false
    /// Whether the server's word is to end it for good in this step.
    var mustEnd = false
    /// Whether something gives reason to try again, and a new round of attempts with it.
    var isHint = false
    /// Whether the connection proved itself in this step.
    var isProof = false
  }

  /// The socket that the client holds.
  struct SocketAccount: Sendable {
    enum Phase: UInt8, Sendable { case none, opening, open, closing }
    var phase = Phase.none
    var generation: UInt32 = 0
    var began = Instant.zero
    var opened = Instant.zero
    var heard = Instant.zero
    /// When the oldest unanswered ping was sent, or since when its answer is awaited anew; nil when none is.
    var pinged: Instant?
    var pingNumber: UInt32 = 0
    /// Whether its silence was excused by a short sleep since it was last heard to answer.
    var isExcused = false
    var isProven = false
    /// Since when its uptime counts as proof.
    var proving = Instant.zero
    var isResumed = false
    /// Since when the answer to the wish to resume is awaited.
    var resuming = Instant.zero
    /// Whether the uptime that proves it cannot be told for certain, since the device slept or the moment is the same.
    var isUncertain = false
    var framesSeen = false
    /// When the closing handshake began.
    var closing = Instant.zero
    /// When the last one came to its end.
    var ended = Instant.zero
  }

  /// The one timer.
  struct TimerAccount: Sendable {
    var isSet = false
    var tag: UInt64 = 0
    var due = Instant.never
  }

  /// The attempts since a connection proved itself.
  struct AttemptAccount: Sendable {
    var made = 0
    /// When the last began.
    var began: Instant?
    var redirects = 0
    var isRedirectSecure = false
    /// Whether the server does not take the credentials, and no fresh ones have come since.
    var needsCredentials = false
    /// Whether fresh ones have come since a connection last proved itself.
    var hasRefreshed = false
    /// Whether a connection came since of which it cannot be told whether it proved itself.
    var mayBeForgotten = false
    var awaitsCredentials = false
    /// For which generation they are fetched.
    var awaited = Generation.none
    /// Before when none may come: the server asked for it.
    var notBefore = Instant.zero
    /// Whether a hint came since the last attempt.
    var isHinted = false
    /// Whether the last connection had proved itself when it ended, and no attempt was made since.
    var followsProven = false
  }

  /// What the app and the device want.
  struct WishAccount: Sendable {
    var isStarted = false
    var isStopped = false
    var mayEnd = false
    var hasEnded = false
    var isReachable = true
    var isInFront = true
    /// Since when the client should be connected and has no socket.
    var idleSince = Instant.zero
    /// When the device last woke.
    var awoke = Instant.zero
    /// Since when the server and the app reach each other no longer, in truth; nil while they do.
    var unserved: Instant? = .zero
    /// When the app went to the back.
    var backSince = Instant.zero
  }

  /// The stream of the server's messages as the app gets it.
  struct IncomingAccount: Sendable {
    var last: StreamPosition?
  }
}
