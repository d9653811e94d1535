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
  /// The behaviour while the app is not in front.
  public var background = BackgroundPolicy.stayConnected
  /// How many messages wait, at the most.
  public var outbox = OutboxLimits()
  /// The treatment of messages that were sent and not acknowledged when the connection broke.
  public var unacknowledged = UnacknowledgedPolicy.sendAgain
  /// Whether the server speaks the sequence protocol, so that a stream is resumed after a reconnection.
  public var resumesStream = true
  /// The consequences of close codes.
  public var closeRules = CloseRules()
  /// The consequences of refusals.
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

/// The behaviour of a connection while the app is not in front.
public enum BackgroundPolicy: Hashable, Sendable {
  /// Nothing else than in front.
  case stayConnected
  /// An open connection stays open, and no attempt is made.
  case makeNoAttempts
  /// An open connection is closed after so long, and no attempt is made.
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
  /// The messages that are dropped when there are too many.
  public var overflow = Overflow.dropOldest

  /// The messages that are dropped when there are too many.
  public enum Overflow: UInt8, Hashable, Sendable, CaseIterable {
    /// The one that waited longest and was not sent yet.
    case dropOldest
    /// The new one.
    case dropNewest
  }

  /// A thousand messages, a megabyte, two minutes.
  public init() {}
}

/// The treatment of messages that were sent and not acknowledged when the connection broke.
public enum UnacknowledgedPolicy: UInt8, Hashable, Sendable, CaseIterable {
  /// They are sent again; the server recognises duplicates by their numbers. Nothing is lost.
  case sendAgain
  /// They are dropped. Nothing is doubled, even by a server that knows no numbers.
  case drop
}

extension ConnectionSettings {
  /// Throws a `LiveError` for the first setting that no connection could follow, or that contradicts another.
  public func check() throws(LiveError) {
    try backoff.check()
    try heartbeat.check()
    try proof.check()
    try Bounds.within(connectTimeout, .milliseconds(1), .seconds(120), "connectTimeout")
    try Bounds.within(closeTimeout, .milliseconds(1), .seconds(120), "closeTimeout")
    try Bounds.within(hintSpread, .zero, .seconds(60), "hintSpread")
    if let suspendedCadence { try check(suspendedCadence) }
    if case .disconnect(let after) = background {
      try Bounds.within(after, .zero, .seconds(86_400), "background.disconnect")
    }
    try outbox.check()
    try Bounds.within(closeRules.later, .zero, .seconds(86_400), "closeRules.later")
    try Bounds.within(closeRules.laterSpread, .zero, .seconds(86_400), "closeRules.laterSpread")
    try Bounds.within(refusalRules.longestWait, .zero, .seconds(7 * 86_400), "refusalRules.longestWait")
    try Bounds.within(refusalRules.dateSpread, .zero, .seconds(86_400), "refusalRules.dateSpread")
    try Bounds.within(refusalRules.redirectLimit, 0, 20, "refusalRules.redirectLimit")
  }

  private func check(_ cadence: SlowCadence) throws(LiveError) {
    try Bounds.within(cadence.interval, .seconds(1), .seconds(86_400), "suspendedCadence.interval")
    try Bounds.within(cadence.spread, 0, 1, "suspendedCadence.spread")
    let shortest = cadence.waits.lowerBound
    guard shortest >= backoff.cap else {
      throw .contradiction(
        field: "suspendedCadence", found: "\(cadence.interval.words), at the least \(shortest.words)",
        other: "backoff.cap", otherFound: backoff.cap.words,
        expected: "no shorter wait after the last attempt than before it")
    }
  }
}

extension Backoff {
  /// Throws a `LiveError` for the first part that no waits can be made of, or that contradicts another.
  public func check() throws(LiveError) {
    let day = Interval.seconds(86_400)
    try Bounds.within(base, .milliseconds(1), day, "backoff.base")
    try Bounds.within(cap, .milliseconds(1), day, "backoff.cap")
    try Bounds.within(floor, .zero, day, "backoff.floor")
    try Bounds.within(factor, 1, 100, "backoff.factor")
    try Bounds.within(maximumAttempts, 1, 1_000_000, "backoff.maximumAttempts")
    try Bounds.ordered(base, cap, "backoff.base", "backoff.cap")
    try Bounds.ordered(floor, cap, "backoff.floor", "backoff.cap")
    try checkJitter()
    try checkGrowth()
    try checkFloor()
  }

  private func checkFloor() throws(LiveError) {
    guard growth == .geometric else { return }
    var unbounded = self
    unbounded.floor = .zero
    let longest = unbounded.waits(before: 0).upperBound
    guard jitter == .none ? floor <= longest : floor < longest else {
      throw .contradiction(
        field: "backoff.floor", found: floor.words, other: "the longest first wait", otherFound: longest.words,
        expected: "less, else the first wait is the floor for everyone and nothing is spread")
    }
  }

  private func checkJitter() throws(LiveError) {
    switch jitter {
    case .none, .equal, .full, .decorrelated, .fullAboveBase: break
    case .proportional(let share), .cappedProportional(let share): try Bounds.within(share, 0, 1, "backoff.jitter")
    case .added(let least, let most):
      try Bounds.within(least, .zero, .seconds(86_400), "backoff.jitter")
      try Bounds.within(most, .zero, .seconds(86_400), "backoff.jitter")
      try Bounds.ordered(least, most, "backoff.jitter (least)", "backoff.jitter (most)")
    }
  }

  /// Only one word is drawn for each wait: what the growth draws cannot be spread once more.
  private func checkGrowth() throws(LiveError) {
    if case .drawnBase(let most) = growth {
      try Bounds.ordered(base, most, "backoff.base", "backoff.growth")
      try Bounds.ordered(most, cap, "backoff.growth", "backoff.cap")
    }
    guard growth == .geometric || jitter == .none else {
      throw .contradiction(
        field: "backoff.growth", found: "\(growth)", other: "backoff.jitter", otherFound: "\(jitter)",
        expected: "jitter only where growth is geometric")
    }
  }
}

extension Heartbeat {
  func check() throws(LiveError) {
    try Bounds.within(pongTimeout, .milliseconds(1), .seconds(120), "heartbeat.pongTimeout")
    try Bounds.within(lateness, .zero, .seconds(120), "heartbeat.lateness")
    try Bounds.ordered(lateness, pongTimeout, "heartbeat.lateness", "heartbeat.pongTimeout")
    guard let interval else { return }
    try Bounds.within(interval, .milliseconds(100), .seconds(86_400), "heartbeat.interval")
    try Bounds.ordered(pongTimeout, interval, "heartbeat.pongTimeout", "heartbeat.interval")
  }
}

extension Proof {
  /// A connection that counts as proven at once is never suspended by a server that accepts and closes.
  func check() throws(LiveError) {
    try Bounds.within(minimumUptime, .milliseconds(100), .forever, "proof.minimumUptime")
    guard byAcknowledgement || minimumUptime <= .seconds(86_400) else {
      throw .contradiction(
        field: "proof.minimumUptime", found: minimumUptime.words, other: "proof.byAcknowledgement", otherFound: "false",
        expected: "at most 86400 s where nothing else proves a connection")
    }
  }
}

extension OutboxLimits {
  func check() throws(LiveError) {
    try Bounds.within(count, 1, 10_000_000, "outbox.count")
    try Bounds.within(bytes, 1, .max, "outbox.bytes")
    try Bounds.within(age, .milliseconds(1), .forever, "outbox.age")
  }
}

private enum Bounds {
  static func within<Value: Comparable>(
    _ value: Value, _ least: Value, _ most: Value, _ field: String
  ) throws(LiveError) {
    guard value >= least, value <= most else {
      let bound = (most as? Interval) == .forever ? "no bound above" : "at most \(words(most))"
      throw .badSetting(field: field, found: words(value), expected: "at least \(words(least)) and \(bound)")
    }
  }

  static func ordered(_ small: Interval, _ great: Interval, _ field: String, _ other: String) throws(LiveError) {
    guard small <= great else {
      throw .contradiction(
        field: field, found: small.words, other: other, otherFound: great.words, expected: "no more than that")
    }
  }

  private static func words(_ value: some Comparable) -> String { (value as? Interval)?.words ?? "\(value)" }
}

extension Interval {
  /// The length for a message: `1.5 s`.
  var words: String {
    if self == .forever { return "for ever" }
    let whole = nanoseconds / 1_000_000_000
    return whole * 1_000_000_000 == nanoseconds ? "\(whole) s" : "\(seconds) s"
  }
}

/// An error in the settings or the use of a connection, with what a person needs to mend it.
public enum LiveError: Error, Hashable, Sendable {
  /// A setting that no connection could follow: `field` names it, such as `backoff.factor`.
  case badSetting(field: String, found: String, expected: String)
  /// Two settings that cannot both hold; `expected` says which relation they need.
  case contradiction(field: String, found: String, other: String, otherFound: String, expected: String)
  /// More rules of its own for close codes than an app may have.
  case tooManyCloseRules(limit: Int)
}

extension LiveError: CustomStringConvertible {
  /// One sentence: where, what was found, and what was expected.
  public var description: String {
    switch self {
    case .badSetting(let field, let found, let expected):
      "\(field): found \(found), expected \(expected)."
    case .contradiction(let field, let found, let other, let otherFound, let expected):
      "\(field): found \(found) while \(other) is \(otherFound), expected \(expected)."
    case .tooManyCloseRules(let limit):
      "closeRules: expected at most \(limit) rules of the app's own; give neighbouring codes one rule for their range."
    }
  }
}
