// SPDX-License-Identifier: Apache-2.0

/// How a connection behaves: every number and policy it follows. Plain values throughout.
public struct ConnectionSettings: Hashable, Sendable {
  /// How long to wait between attempts, and how many there are.
  public var backoff = Backoff()
  /// How a dead link is noticed.
  public var heartbeat = Heartbeat()
  /// When a connection counts as proven, so that its attempts are forgotten.
  public var proof = Proof()
  /// How long an attempt may take. The kernel's own limit is over two minutes.
  public var connectTimeout = Interval.seconds(10)
  /// How long the answer to a close frame may take.
  public var closeTimeout = Interval.seconds(5)
  /// After the last attempt: how often one is made all the same; nil for only on a hint.
  public var suspendedCadence: SlowCadence? = SlowCadence(every: .seconds(300))
  /// After a hint (network back, app in front) the attempt comes within this, spread evenly.
  public var hintSpread = Interval.seconds(1)
  /// What the connection does while the app is not in front.
  public var background = BackgroundPolicy.stayConnected
  /// How many messages wait, at the most.
  public var outbox = OutboxLimits()
  /// What is done with messages that were sent and not acknowledged when the connection broke.
  public var unacknowledged = UnacknowledgedPolicy.sendAgain
  /// Whether the server speaks the sequence protocol, so that a stream is resumed after a reconnection.
  public var resumesStream = true
  /// What follows from a close code.
  public var closeRules = CloseRules()
  /// What follows from a refusal.
  public var refusalRules = RefusalRules()
  /// Whether the address is `wss`: then a redirect may not lead to `ws`.
  public var isSecure = true

  /// The settings that are recommended.
  public init() {}
}

/// How a dead link is noticed.
public struct Heartbeat: Hashable, Sendable {
  /// A ping is sent when so much time has passed since the last; nil sends none.
  public var interval: Interval? = .seconds(30)
  /// An answer is expected within this; then the link is dropped.
  public var pongTimeout = Interval.seconds(10)
  /// A timer that fires later than by this has slept with the device: then a link whose time is over is asked once more
  /// before it is dropped.
  public var lateness = Interval.seconds(1)

  /// A ping every 30 s, answered within 10.
  public init() {}
}

/// When a connection counts as proven. Either is enough.
public struct Proof: Hashable, Sendable {
  /// When it has stayed open for so long.
  public var minimumUptime = Interval.seconds(10)
  /// When the application behind it has acknowledged a message. That it resumed the stream is not enough: a server that
  /// resumes and closes at once would prove itself each time.
  public var byAcknowledgement = true

  /// Ten seconds, or an acknowledgement.
  public init() {}
}

/// What a connection does while the app is not in front.
public enum BackgroundPolicy: Hashable, Sendable {
  /// Nothing else than in front.
  case stayConnected
  /// What is open stays open, and no attempt is made.
  case makeNoAttempts
  /// What is open is closed after so long, and no attempt is made.
  case disconnect(after: Interval)
}

/// How many messages wait to be sent or acknowledged, at the most.
public struct OutboxLimits: Hashable, Sendable {
  /// How many messages.
  public var count = 1_000
  /// How many bytes in all.
  public var bytes = 1_000_000
  /// How old; what waited longer is dropped instead of sent.
  public var age = Interval.seconds(120)
  /// What goes when there are too many.
  public var overflow = Overflow.dropOldest

  /// What goes when there are too many.
  public enum Overflow: UInt8, Hashable, Sendable, CaseIterable {
    /// The one that waited longest and was not sent yet.
    case dropOldest
    /// The new one.
    case dropNewest
  }

  /// A thousand messages, a megabyte, two minutes.
  public init() {}
}

/// What is done with messages that were sent and not acknowledged when the connection broke.
public enum UnacknowledgedPolicy: UInt8, Hashable, Sendable, CaseIterable {
  /// They are sent again; the server recognises doubles by their numbers. Nothing is lost.
  case sendAgain
  /// They are dropped. Nothing is doubled, even by a server that knows no numbers.
  case drop
}
