// SPDX-License-Identifier: Apache-2.0

/// One connection that comes back: what happens goes in, what is to be done comes out.
///
/// A value without a clock, a socket or randomness of its own. Each event comes with its moment and with 64 random bits
/// to spare; each answer is a list of effects for whoever holds the socket and the one timer. The same events give the
/// same effects, so what is proven of it in simulated hours holds for the app that runs it on real sockets.
///
/// - Every attempt has a generation. What is reported of another than the present one changes nothing, and so does the
///   ring of a timer that was set anew since.
/// - An attempt is counted once. The count is forgotten when a connection has proved itself, not when it opens.
/// - Every state has an exit: an event that is certain to come, or a deadline.
/// - `closed` is for good.
public struct LiveConnection: Sendable {
  /// Where the connection is.
  public internal(set) var state: ConnectionState {
    @inlinable get { present }
    set { present = newValue }
  }
  /// The memory of `state`: the heartbeat's round, which is inlined where it is used, cannot set that.
  @usableFromInline var present = ConnectionState.disconnected
  /// The one timer, as it was last asked for.
  @usableFromInline var timer = TimerSetting()
  /// The earliest deadline besides the heartbeat's, while connected.
  @usableFromInline var sideDeadline = Instant.never
  /// How it behaves. A change counts from the next event on.
  public var settings: ConnectionSettings
  /// The attempts made since the connection last proved itself.
  public internal(set) var attempts = AttemptSchedule()
  /// The messages that wait to be sent or acknowledged.
  public internal(set) var outbox: Outbox
  /// How far the app has got in the server's stream.
  var cursor = StreamCursor()
  /// The last attempt to connect.
  var generation = Generation.none
  /// When the last attempt began; nil before the first.
  var lastAttempt: Instant?
  /// Before this the server wants to be left alone.
  var notBefore = Instant.zero
  /// When what is open is closed because the app is not in front.
  var backgroundDeadline = Instant.never
  /// What went wrong last, since the connection proved itself.
  @usableFromInline var lastProblem: Problem?
  var isReachable = true
  var isInFront = true
  /// Whether the next attempt begins by fetching credentials.
  var needsCredentials = false
  /// Whether credentials have been fetched since the connection last proved itself.
  var hasRefreshed = false
  /// How many redirects in a row led to the present attempt.
  var redirects: UInt32 = 0
  /// Whether one of them led to a secure address, which none may leave any more.
  var isRedirectSecure = false

  /// A connection that has not been started.
  ///
  /// - Parameter settings: How it behaves; `ConnectionSettings.check` tells whether they make sense.
  public init(_ settings: ConnectionSettings = ConnectionSettings()) {
    self.settings = settings
    outbox = Outbox(settings.outbox)
  }

  /// Takes in what happened and says what is to be done.
  ///
  /// The heartbeat's usual round, of which an hour of a connection consists, is inlined where this is called.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - now: When: not before the event before it.
  ///   - word: 64 random bits that nothing else has used.
  ///   - effects: Where to add what is to be done, in order. The caller empties it.
  /// - Returns: Whether `word` was used: then the next event needs another.
  @discardableResult
  @inlinable @inline(__always)
  public mutating func handle(
    _ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects
  ) -> Bool {
    switch event {
    case .timer(let tag):
      if sendPingIfNothingElseIsDue(tag, at: now, into: &effects) { return false }
    case .received(let generation, .pong(let number)):
      if takePong(number, of: generation, at: now, into: &effects) { return false }
    default: break
    }
    return take(event, at: now, word: word, into: &effects)
  }

  /// Takes in what happened and says what is to be done, with randomness from a generator.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - now: When: not before the event before it.
  ///   - random: Where waits get their spread from.
  /// - Returns: What is to be done, in order.
  public mutating func handle<R: RandomNumberGenerator>(
    _ event: LiveEvent, at now: Instant, using random: inout R
  ) -> [LiveEffect] {
    var effects = LiveEffects()
    handle(event, at: now, word: random.next(), into: &effects)
    return Array(effects)
  }

  /// Takes in what is not of the heartbeat's usual round.
  @usableFromInline @inline(never)
  mutating func take(
    _ event: LiveEvent, at now: Instant, word: UInt64, into effects: inout LiveEffects
  ) -> Bool {
    switch event {
    case .timer(let tag) where !timer.isSet || tag.number != timer.number: return false
    case .received(let generation, .message(let position, let bytes)):
      takeMessage(position, bytes: bytes, of: generation, at: now, into: &effects)
      return false
    default: break
    }
    var turn = Turn(now: now, word: word)
    swap(&turn.effects, &effects)
    let before = status
    dispatch(event, &turn)
    if status != before { turn.add(.statusChanged) }
    rearm(&turn)
    swap(&turn.effects, &effects)
    return turn.isWordUsed
  }

  private mutating func dispatch(_ event: LiveEvent, _ turn: inout Turn) {
    switch event {
    case .start: start(&turn)
    case .stop: stop(&turn)
    case .retry: retryNow(&turn)
    case .send(let number, let bytes): send(number, bytes: bytes, &turn)
    case .network(let isReachable): networkBecame(reachable: isReachable, &turn)
    case .networkChanged: networkChanged(&turn)
    case .app(let isInFront): appBecame(inFront: isInFront, &turn)
    case .woke: woke(&turn)
    case .opened(let generation): opened(generation, &turn)
    case .failed(let generation, let failure): failed(generation, failure, &turn)
    case .refused(let generation, let refusal): refused(generation, refusal, &turn)
    case .received(let generation, let frame): received(frame, of: generation, &turn)
    case .closed(let generation, let closure): closed(generation, closure, &turn)
    case .timer: rang(&turn)
    case .credentials(let generation, let isFresh): credentials(generation, isFresh: isFresh, &turn)
    }
  }
}
