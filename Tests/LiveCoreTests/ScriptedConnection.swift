// SPDX-License-Identifier: Apache-2.0
public import LiveCore
import Testing

/// Drives a connection by a script and prints what it wants done, in short words.
///
/// After every event it expects what holds whatever happens: at most one socket, nothing asked of one that is not open,
/// at most one change of the timer, by its own tag, and none that changes nothing, `statusChanged` exactly when
/// the status is another, a deadline or a hint that leads out of every state, and nothing that hangs on random bits
/// which are said to be unused.
struct ScriptedConnection {
  private(set) var connection: LiveConnection
  private(set) var now: Instant
  /// The random bits of every event: the middle of whatever is spread.
  var word: UInt64 = 1 << 63
  private(set) var timer: (tag: TimerTag, at: Instant)?
  private(set) var socket: UInt32?
  private(set) var usedWord = false
  private var lastTag = TimerTag(0)

  /// Waits without jitter and no stream to resume, so that scripts are short; then whatever `change` wants.
  init(_ change: (inout ConnectionSettings) -> Void = { _ in }) {
    now = .zero
    var settings = ConnectionSettings()
    settings.backoff.jitter = .none
    settings.resumesStream = false
    change(&settings)
    connection = LiveConnection(settings)
  }

  /// Started, and not open yet.
  static func connecting(_ change: (inout ConnectionSettings) -> Void = { _ in }) -> ScriptedConnection {
    var live = ScriptedConnection(change)
    live.does(.start)
    return live
  }

  /// Why it is closed for good; nil where it is not.
  var reason: Ended.Reason? {
    guard case .closed(let ended) = connection.state else { return nil }
    return ended.reason
  }

  /// Started and opened at once.
  static func connected(_ change: (inout ConnectionSettings) -> Void = { _ in }) -> ScriptedConnection {
    var live = connecting(change)
    live.does(.opened(Generation(1)))
    return live
  }

  /// Connected, and broken by the network at the same moment.
  static func waiting(_ change: (inout ConnectionSettings) -> Void = { _ in }) -> ScriptedConnection {
    var live = connected(change)
    live.does(.closed(Generation(1), Closure(.network, CloseCode(1006))))
    return live
  }

  /// Broken at the start, and opened again a second later.
  static func reopened(_ change: (inout ConnectionSettings) -> Void = { _ in }) -> ScriptedConnection {
    var live = waiting(change)
    live.wait(1)
    live.does(.opened(Generation(2)))
    return live
  }

  /// All attempts failed.
  static func suspended(_ change: (inout ConnectionSettings) -> Void = { _ in }) -> ScriptedConnection {
    var live = connecting(change)
    live.failUntilSuspended()
    return live
  }

  var status: LiveStatus { connection.status }
  var phase: LiveStatus.Phase { connection.status.phase }

  /// Something happens now.
  ///
  /// - Returns: What is to be done, in short words; `statusChanged` is checked, and left out.
  @discardableResult
  mutating func does(_ event: LiveEvent, _ location: SourceLocation = #_sourceLocation) -> String {
    var effects = LiveEffects()
    let before = connection.status
    let wasOver = isOver
    if let ended = end(event), ended.number == socket { socket = nil }
    var twin = connection
    usedWord = connection.handle(event, at: now, word: word, into: &effects)
    if !usedWord {
      var same = LiveEffects()
      twin.handle(event, at: now, word: ~word, into: &same)
      #expect(
        Array(same) == Array(effects) && twin.state == connection.state, "bits not used", sourceLocation: location)
    }
    #expect(effects.contains(.statusChanged) == (before != connection.status), sourceLocation: location)
    for effect in effects { check(effect, wasOver, location) }
    #expect(effects.filter(isTimer).count <= 1, "at most one change of the timer", sourceLocation: location)
    #expect(timer != nil || needsNoTimer, "no way out of \(connection.state)", sourceLocation: location)
    return effects.filter { $0 != .statusChanged }.map(words).joined(separator: ", ")
  }

  /// Time passes, and the timer fires when it is due.
  ///
  /// - Returns: What is to be done, each time that it fires.
  @discardableResult
  mutating func wait(_ seconds: Double, _ location: SourceLocation = #_sourceLocation) -> String {
    let until = now + Interval(seconds: seconds)
    var fired: [String] = []
    while let timer, timer.at <= until, fired.count < 10_000 {
      now = max(now, timer.at)
      self.timer = nil
      fired.append(does(.timer(timer.tag), location))
    }
    now = until
    return fired.joined(separator: "; ")
  }

  /// The timer fires now, whenever it was due.
  mutating func fireNow(_ tag: TimerTag, _ location: SourceLocation = #_sourceLocation) -> String {
    timer = nil
    return does(.timer(tag), location)
  }

  /// Time passes while no timer fires, as on a device that sleeps.
  mutating func freeze(_ seconds: Double) { now = now + Interval(seconds: seconds) }

  /// The app has other wishes from now on.
  mutating func change(_ change: (inout ConnectionSettings) -> Void) { change(&connection.settings) }

  /// Lets every attempt fail until no more come.
  mutating func failUntilSuspended(_ location: SourceLocation = #_sourceLocation) {
    for _ in 0..<100 where phase != .suspended {
      if let socket { does(.failed(Generation(socket), .connectionRefused), location) } else { wait(30, location) }
    }
  }

  private var isOver: Bool {
    guard case .closed(let ended) = connection.state else { return false }
    return ended.closing == nil
  }

  private var needsNoTimer: Bool {
    switch connection.state {
    case .disconnected: true
    case .connecting: false
    case .connected: connection.settings.heartbeat.interval == nil
    case .waiting(let waiting): waiting.due == nil
    case .suspended(let suspended): suspended.due == nil
    case .closed(let ended): ended.closing == nil
    }
  }

  private func end(_ event: LiveEvent) -> Generation? {
    switch event {
    case .failed(let generation, _), .refused(let generation, _), .closed(let generation, _): generation
    default: nil
    }
  }

  private func isTimer(_ effect: LiveEffect) -> Bool {
    switch effect {
    case .setTimer, .cancelTimer: true
    default: false
    }
  }

  private mutating func check(_ effect: LiveEffect, _ wasOver: Bool, _ location: SourceLocation) {
    switch effect {
    case .dropped: return
    case .open(let generation, _):
      #expect(socket == nil, "a second socket", sourceLocation: location)
      socket = generation.number
    case .abort(let generation):
      #expect(socket == generation.number, "nothing to drop", sourceLocation: location)
      socket = nil
    case .sendClose(let generation, _), .sendPing(let generation, _), .sendPong(let generation, _),
      .sendResume(let generation, _), .sendMessage(let generation, _):
      #expect(socket == generation.number, "no socket to send on", sourceLocation: location)
    case .setTimer(let tag, let moment):
      #expect(timer?.at != moment, "the timer was set to that already", sourceLocation: location)
      #expect(tag.number > lastTag.number, "a tag for two settings", sourceLocation: location)
      (timer, lastTag) = ((tag, moment), tag)
    case .cancelTimer:
      #expect(timer != nil, "no timer to cancel", sourceLocation: location)
      timer = nil
    case .refreshCredentials, .deliver, .gap, .acknowledged, .statusChanged: break
    }
    #expect(!wasOver, "\(effect) after the end", sourceLocation: location)
  }

  private func words(_ effect: LiveEffect) -> String {
    switch effect {
    case .open(let generation, let target): "open \(generation.number)" + (target == .redirected ? " redirected" : "")
    case .abort(let generation): "abort \(generation.number)"
    case .sendClose(let generation, let code): "close \(generation.number) with \(code.value)"
    case .sendPing(_, let number): "ping \(number)"
    case .sendPong(_, let number): "pong \(number)"
    case .sendResume(_, let position): "resume" + (position.map { " after " + words($0) } ?? "")
    case .sendMessage(_, let number): "send \(number.value)"
    case .setTimer(_, let moment): "timer \(seconds(moment))"
    case .cancelTimer: "no timer"
    case .refreshCredentials(let generation): "credentials \(generation.number)"
    case .deliver(let position, _): "deliver" + (position.map { " " + words($0) } ?? "")
    case .gap(let first, let last): "gap \(first.map(words) ?? "")…\(words(last))"
    case .acknowledged(let number): "acknowledged \(number.value)"
    case .dropped(let number, let reason): "dropped \(number.value) \(reason)"
    case .statusChanged: "status"
    }
  }

  private func words(_ position: StreamPosition) -> String { "\(position.epoch)/\(position.offset)" }

  private func seconds(_ moment: Instant) -> String {
    let milliseconds = (moment - .zero).nanoseconds / 1_000_000
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)" : "\(Double(milliseconds) / 1_000)"
  }
}

/// What happens to a connection step by step, and what is to be done then, in short words.
struct Script: Sendable, CustomTestStringConvertible {
  /// Words of which only the beginning, the end or some in the middle are expected have `*` in place of the others;
  /// without any, whatever is to be done is right.
  enum Step: Sendable {
    case on(LiveEvent, String? = nil)
    case wait(Double, String? = nil)
    case asleep(Double)
    case fails
    case word(UInt64)
    case change(@Sendable (inout ConnectionSettings) -> Void)
    case shows(@Sendable (ScriptedConnection) -> Bool)
  }

  let testDescription: String
  private let beginning: ScriptedConnection
  private let steps: [Step]
  private let location: SourceLocation

  init(
    _ title: String, _ beginning: ScriptedConnection, _ steps: Step..., location: SourceLocation = #_sourceLocation
  ) {
    (testDescription, self.beginning, self.steps, self.location) = (title, beginning, steps, location)
  }

  func play() {
    var live = beginning
    for (index, step) in steps.enumerated() {
      func expect(_ found: String, _ expected: String?) {
        guard let expected else { return }
        let isRight =
          switch (expected.hasPrefix("*"), expected.hasSuffix("*")) {
          case (true, true): found.contains(expected.dropFirst().dropLast())
          case (true, false): found.hasSuffix(expected.dropFirst())
          case (false, true): found.hasPrefix(expected.dropLast())
          case (false, false): found == expected
          }
        #expect(isRight, "step \(index + 1): '\(found)', expected '\(expected)'", sourceLocation: location)
      }
      switch step {
      case .on(let event, let expected): expect(live.does(event, location), expected)
      case .wait(let seconds, let expected): expect(live.wait(seconds, location), expected)
      case .asleep(let seconds): live.freeze(seconds)
      case .fails: live.failUntilSuspended(location)
      case .word(let word): live.word = word
      case .change(let change): live.change(change)
      case .shows(let isShown): #expect(isShown(live), "step \(index + 1): \(live.status)", sourceLocation: location)
      }
    }
  }
}

/// Lists scripts one by one, so that each is its own statement to the compiler.
@resultBuilder
enum Scripts {
  static func buildBlock(_ scripts: Script...) -> [Script] { scripts }
}

@Suite("A connection, event by event")
struct ScriptTests {
  private static let attempts = OpeningTests.scripts + ConnectionRefusalTests.scripts + ReconnectionTests.scripts
  private static let links = HeartbeatTests.scripts + LateTimerTests.scripts + ContinuityTests.scripts
  private static let hints = HintTests.scripts + CountingTests.scripts + OpenHintTests.scripts + WishTests.scripts

  @Test("wants what the script expects", arguments: attempts + links + hints + ClosingTests.scripts)
  func plays(script: Script) { script.play() }
}

extension Generation: ExpressibleByIntegerLiteral {
  /// So that scripts can write a number.
  public init(integerLiteral number: UInt32) { self.init(number) }
}

extension CloseCode: ExpressibleByIntegerLiteral {
  /// So that scripts can write a number.
  public init(integerLiteral value: UInt16) { self.init(value) }
}

extension MessageNumber: ExpressibleByIntegerLiteral {
  /// So that scripts can write a number.
  public init(integerLiteral value: UInt64) { self.init(value) }
}

/// Reproducible words for tests. Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }

  /// A number from 0 up to but not including the bound.
  mutating func below(_ bound: UInt64) -> UInt64 { next() % bound }

  /// A number from 0 up to but not including the bound.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
