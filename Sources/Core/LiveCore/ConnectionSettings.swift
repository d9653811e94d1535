// SPDX-License-Identifier: Apache-2.0

/// The settings of a connection: all its numbers and policies, as plain values.
public struct ConnectionSettings: Hashable, Sendable {
  /// The waits between attempts, and the number of attempts.
  public var backoff = Backoff()
  /// The detection of a dead link.
  public var heartbeat = Heartbeat()
  /// The conditions under which a connection counts as proven, so that its attempts are forgotten.
  public var proof = Proof()
  /// The longest duration of an attempt. The kernel's own limit is over two minutes.
  public var connectTimeout = Interval.seconds(10)
  /// The longest wait for the answer to a close frame.
  public var closeTimeout = Interval.seconds(5)
  /// The waits between attempts of a suspended connection; `nil` to wait for a hint.
  public var suspendedCadence: SlowCadence? = SlowCadence(every: .seconds(300))
  /// The longest delay of the attempt after a hint (network back, app in front), drawn uniformly.
  public var hintSpread = Interval.seconds(1)
  /// The behaviour while the app is not in front.
  public var background = BackgroundPolicy.stayConnected
  /// The limits of the messages that wait.
  public var outbox = OutboxLimits()
  /// The treatment of messages that were sent and not acknowledged when the connection broke.
  public var unacknowledged = UnacknowledgedPolicy.sendAgain
  /// True if the server speaks the sequence protocol, so that a stream is resumed after a reconnection.
  public var resumesStream = true
  /// The consequences of close codes.
  public var closeRules = CloseRules()
  /// The consequences of refusals.
  public var refusalRules = RefusalRules()
  /// True if the address is `wss`; a redirect may then not lead to `ws`.
  public var isSecure = true

  /// The recommended settings.
  public init() {}
}

/// The detection of a dead link by pings.
public struct Heartbeat: Hashable, Sendable {
  /// The interval between pings; `nil` sends none.
  public var interval: Interval? = .seconds(30)
  /// The longest wait for a pong; then the link is dropped.
  public var pongTimeout = Interval.seconds(10)
  /// A timer that fires later than by this may have slept with the device: a link whose deadline has passed is then
  /// pinged once more before it is dropped.
  public var lateness = Interval.seconds(1)

  /// A ping every 30 s, with 10 s for the answer.
  public init() {}
}

/// The conditions under which a connection counts as proven; one of them is enough.
public struct Proof: Hashable, Sendable {
  /// The time that it must stay open.
  public var minimumUptime = Interval.seconds(10)
  /// True if an acknowledged message proves it. A resumed stream does not: a server that resumes and closes at once
  /// would be proven each time.
  public var byAcknowledgement = true

  /// Proven by ten seconds of uptime, or by an acknowledgement.
  public init() {}
}

/// The behaviour of a connection while the app is not in front.
public enum BackgroundPolicy: Hashable, Sendable {
  /// The same as in front.
  case stayConnected
  /// An open connection stays open, and no attempt is made.
  case makeNoAttempts
  /// An open connection is closed after this interval, and no attempt is made.
  case disconnect(after: Interval)
}

/// The limits of the messages that wait to be sent or acknowledged.
public struct OutboxLimits: Hashable, Sendable {
  /// The largest number of messages.
  public var count = 1_000
  /// The largest number of bytes of all messages together.
  public var bytes = 1_000_000
  /// The largest age; older messages are dropped instead of sent.
  public var age = Interval.seconds(120)
  /// The messages that are dropped when there are too many.
  public var overflow = Overflow.dropOldest

  /// The messages that are dropped when there are too many.
  public enum Overflow: UInt8, Hashable, Sendable, CaseIterable {
    /// The oldest unsent message.
    case dropOldest
    /// The new message.
    case dropNewest
  }

  /// A thousand messages, a megabyte, two minutes.
  public init() {}
}

/// The treatment of messages that were sent and not acknowledged when the connection broke.
public enum UnacknowledgedPolicy: UInt8, Hashable, Sendable, CaseIterable {
  /// They are sent again; the server recognises duplicates by their numbers. No message is lost.
  case sendAgain
  /// They are dropped. No message is duplicated, even by a server that does not know the numbers.
  case drop
}

extension ConnectionSettings {
  /// Checks all settings; throws a `LiveError` for the first one that is out of bounds or contradicts another.
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
        field: "suspendedCadence", found: "\(cadence.interval.words), at least \(shortest.words)",
        other: "backoff.cap", otherFound: backoff.cap.words,
        expected: "no shorter wait after the last attempt than before it")
    }
  }
}

extension Backoff {
  /// Checks the policy; throws a `LiveError` for the first part that is out of bounds or contradicts another.
  public func check() throws(LiveError) {
    let day = Interval.seconds(86_400)
    try Bounds.within(base, .milliseconds(1), day, "backoff.base")
    try Bounds.within(cap, .milliseconds(1), day, "backoff.cap")
    try Bounds.within(floor, .zero, day, "backoff.floor")
    try Bounds.within(factor, 1, 100, "backoff.factor")
    if let maximumAttempts { try Bounds.within(maximumAttempts, 1, 1_000_000, "backoff.maximumAttempts") }
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
        expected: "less; otherwise every client waits for the floor first and nothing is spread")
    }
  }

  private func checkJitter() throws(LiveError) {
    switch jitter {
    case .none, .equal, .full, .decorrelated, .fullAboveBase: break
    case .lowered(let share), .proportional(let share), .cappedProportional(let share):
      try Bounds.within(share, 0, 1, "backoff.jitter")
    case .added(let minimum, let maximum):
      try Bounds.within(minimum, .zero, .seconds(86_400), "backoff.jitter")
      try Bounds.within(maximum, .zero, .seconds(86_400), "backoff.jitter")
      try Bounds.ordered(minimum, maximum, "backoff.jitter (least)", "backoff.jitter (most)")
    }
  }

  private func checkGrowth() throws(LiveError) {
    switch (growth, jitter) {
    case (.geometric, _): return
    case (.drawnBase(let maximum), .none):
      try Bounds.ordered(base, maximum, "backoff.base", "backoff.growth")
      try Bounds.ordered(maximum, cap, "backoff.growth", "backoff.cap")
    // Each wait draws one random word: a base that is drawn from it cannot be spread again.
    case (.drawnBase, _):
      throw .contradiction(
        field: "backoff.growth", found: "\(growth)", other: "backoff.jitter", otherFound: "\(jitter)",
        expected: "no jitter where the base is drawn")
    case (.table, .decorrelated), (.table, .fullAboveBase), (.table, .cappedProportional):
      throw .contradiction(
        field: "backoff.jitter", found: "\(jitter)", other: "backoff.growth", otherFound: "a table of waits",
        expected: "a jitter without base and cap: none, equal, full, a share or a length of time")
    case (.table, _):
      try Bounds.within(table.count, 1, Waits.limit, "backoff.table (number)")
      for wait in table.all { try Bounds.within(wait, .zero, .seconds(86_400), "backoff.table") }
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
  /// Checks the bounds: if connections were proven at once, a server that accepts and closes would never suspend one.
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
    _ value: Value, _ minimum: Value, _ maximum: Value, _ field: String
  ) throws(LiveError) {
    guard value >= minimum, value <= maximum else {
      let bound = (maximum as? Interval) == .forever ? "no bound above" : "at most \(words(maximum))"
      throw .badSetting(field: field, found: words(value), expected: "at least \(words(minimum)) and \(bound)")
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
  /// The interval as text: `1.5 s`.
  var words: String {
    if self == .forever { return "for ever" }
    let whole = nanoseconds / 1_000_000_000
    return whole * 1_000_000_000 == nanoseconds ? "\(whole) s" : "\(seconds) s"
  }
}

/// An error in the settings or the use of a connection.
public enum LiveError: Error, Hashable, Sendable {
  /// A setting out of bounds: `field` names it, such as `backoff.factor`.
  case badSetting(field: String, found: String, expected: String)
  /// Two settings that contradict each other; `expected` states the relation that they need.
  case contradiction(field: String, found: String, other: String, otherFound: String, expected: String)
  /// Too many close rules added by the app.
  case tooManyCloseRules(limit: Int)
}

extension LiveError: CustomStringConvertible {
  /// One sentence: the field, the value found, and the value expected.
  public var description: String {
    switch self {
    case .badSetting(let field, let found, let expected):
      "\(field): found \(found), expected \(expected)."
    case .contradiction(let field, let found, let other, let otherFound, let expected):
      "\(field): found \(found) while \(other) is \(otherFound), expected \(expected)."
    case .tooManyCloseRules(let limit):
      "closeRules: expected at most \(limit) rules of the app; give neighbouring codes one rule for their range."
    }
  }
}
