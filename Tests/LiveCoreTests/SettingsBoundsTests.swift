// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("The bounds of settings")
struct SettingsBoundsTests {
  /// A length of time with its least and its greatest value, and how to set it so that nothing else is in its way.
  struct Length: Sendable, CustomTestStringConvertible {
    let field: String
    let least: Interval
    let most: Interval
    let set: @Sendable (inout ConnectionSettings, Interval) -> Void

    init(
      _ field: String, _ least: Interval, _ most: Interval,
      _ set: @escaping @Sendable (inout ConnectionSettings, Interval) -> Void
    ) {
      (self.field, self.least, self.most, self.set) = (field, least, most, set)
    }

    var testDescription: String { field }
  }

  private static let day = Interval.seconds(86_400)
  private static let tick = Interval(nanoseconds: 1)

  static let lengths = [
    Length("backoff.base", .milliseconds(1), day) {
      ($0.backoff.base, $0.backoff.cap, $0.backoff.floor) = ($1, max(.milliseconds(1), min($1, day)), .zero)
      $0.suspendedCadence = nil
    },
    Length("backoff.cap", .milliseconds(1), day) {
      ($0.backoff.base, $0.backoff.cap, $0.backoff.floor) = (.milliseconds(1), $1, .zero)
      $0.suspendedCadence = nil
    },
    Length("backoff.jitter", .zero, day) { $0.backoff.jitter = .added($1, max($1, day)) },
    Length("backoff.jitter", .zero, day) { $0.backoff.jitter = .added(min($1, .zero), $1) },
    Length("heartbeat.interval", .milliseconds(100), day) {
      ($0.heartbeat.interval, $0.heartbeat.pongTimeout, $0.heartbeat.lateness) = ($1, .milliseconds(1), .zero)
    },
    Length("heartbeat.pongTimeout", .milliseconds(1), .seconds(120)) {
      ($0.heartbeat.interval, $0.heartbeat.pongTimeout, $0.heartbeat.lateness) = (nil, $1, .zero)
    },
    Length("heartbeat.lateness", .zero, .seconds(120)) {
      ($0.heartbeat.interval, $0.heartbeat.pongTimeout, $0.heartbeat.lateness) = (nil, .seconds(120), $1)
    },
    Length("connectTimeout", .milliseconds(1), .seconds(120)) { $0.connectTimeout = $1 },
    Length("closeTimeout", .milliseconds(1), .seconds(120)) { $0.closeTimeout = $1 },
    Length("hintSpread", .zero, .seconds(60)) { $0.hintSpread = $1 },
    Length("suspendedCadence.interval", .seconds(1), day) {
      ($0.backoff.base, $0.backoff.cap, $0.backoff.floor) = (.milliseconds(1), .milliseconds(1), .zero)
      $0.suspendedCadence = SlowCadence(every: $1, spread: 0)
    },
    Length("background.disconnect", .zero, day) { $0.background = .disconnect(after: $1) },
    Length("closeRules.later", .zero, day) { $0.closeRules.later = $1 },
    Length("closeRules.laterSpread", .zero, day) { $0.closeRules.laterSpread = $1 },
    Length("refusalRules.longestWait", .zero, .seconds(7 * 86_400)) { $0.refusalRules.longestWait = $1 },
  ]

  private func error(_ change: (inout ConnectionSettings) -> Void) -> LiveError? {
    var settings = ConnectionSettings()
    change(&settings)
    do throws(LiveError) {
      try settings.check()
      return nil
    } catch {
      return error
    }
  }

  /// The field that is beyond its bounds; nil where none is.
  private func refused(_ change: (inout ConnectionSettings) -> Void) -> String? {
    guard case .badSetting(let field, _, _) = error(change) else { return nil }
    return field
  }

  @Test("the least and the greatest length pass, and a nanosecond beyond either is refused by name", arguments: lengths)
  func length(of bound: Length) {
    #expect(error { bound.set(&$0, bound.least) } == nil)
    #expect(error { bound.set(&$0, bound.most) } == nil)
    #expect(refused { bound.set(&$0, bound.least - Self.tick) } == bound.field)
    #expect(refused { bound.set(&$0, bound.most + Self.tick) } == bound.field)
  }

  @Test("what may be for ever has a least length all the same")
  func noGreatest() {
    #expect(error { $0.proof.minimumUptime = .milliseconds(100) } == nil)
    #expect(refused { $0.proof.minimumUptime = .milliseconds(100) - Self.tick } == "proof.minimumUptime")
    #expect(error { $0.outbox.age = .milliseconds(1) } == nil)
    #expect(refused { $0.outbox.age = .milliseconds(1) - Self.tick } == "outbox.age")
    #expect(refused { $0.backoff.floor = .zero - Self.tick } == "backoff.floor")
  }

  /// A count with its least and its greatest value.
  struct Count: Sendable, CustomTestStringConvertible {
    let field: String
    let range: ClosedRange<Int>
    let set: @Sendable (inout ConnectionSettings, Int) -> Void

    var testDescription: String { field }
  }

  static let counts = [
    Count(field: "backoff.maximumAttempts", range: 1...1_000_000) { $0.backoff.maximumAttempts = $1 },
    Count(field: "outbox.count", range: 1...10_000_000) { $0.outbox.count = $1 },
    Count(field: "outbox.bytes", range: 1...(.max)) { $0.outbox.bytes = $1 },
    Count(field: "refusalRules.redirectLimit", range: 0...20) { $0.refusalRules.redirectLimit = $1 },
  ]

  @Test("the least and the greatest count pass, and one beyond either is refused by name", arguments: counts)
  func count(of bound: Count) {
    let (least, most) = (bound.range.lowerBound, bound.range.upperBound)
    #expect(error { bound.set(&$0, least) } == nil && error { bound.set(&$0, most) } == nil)
    #expect(refused { bound.set(&$0, least - 1) } == bound.field)
    if most < .max { #expect(refused { bound.set(&$0, most + 1) } == bound.field) }
  }

  @Test("a factor is from 1 to 100, and shares are from nothing to the whole")
  func factors() {
    for factor in [1, 1.5, 100.0] { #expect(error { $0.backoff.factor = factor } == nil) }
    for factor in [Double(1).nextDown, Double(100).nextUp, -2, -Double.infinity] {
      #expect(refused { $0.backoff.factor = factor } == "backoff.factor")
    }
    for share in [0, 0.5, 1.0] {
      #expect(error { $0.backoff.jitter = .proportional(share) } == nil)
      #expect(error { $0.backoff.jitter = .cappedProportional(share) } == nil)
      #expect(refused { $0.suspendedCadence?.spread = share } == nil)
    }
    for share in [Double(0).nextDown, Double(1).nextUp] {
      #expect(refused { $0.backoff.jitter = .proportional(share) } == "backoff.jitter")
      #expect(refused { $0.backoff.jitter = .cappedProportional(share) } == "backoff.jitter")
      #expect(refused { $0.suspendedCadence?.spread = share } == "suspendedCadence.spread")
    }
  }
}

@Suite("Settings that depend on each other")
struct SettingsRelationsTests {
  private static let tick = Interval(nanoseconds: 1)

  private func contradicts(_ change: (inout ConnectionSettings) -> Void) -> [String]? {
    var settings = ConnectionSettings()
    change(&settings)
    do throws(LiveError) {
      try settings.check()
      return nil
    } catch {
      guard case .contradiction(let field, _, let other, _, _) = error else { return ["\(error)"] }
      return [field, other]
    }
  }

  @Test("what must not be longer may be as long")
  func asLong() {
    #expect(contradicts { ($0.backoff.base, $0.backoff.cap) = (.seconds(9), .seconds(9)) } == nil)
    #expect(contradicts { $0.heartbeat.lateness = $0.heartbeat.pongTimeout } == nil)
    #expect(contradicts { $0.heartbeat.interval = $0.heartbeat.pongTimeout } == nil)
    #expect(contradicts { $0.backoff.jitter = .added(.seconds(1), .seconds(1)) } == nil)
    #expect(contradicts { $0.suspendedCadence = SlowCadence(every: .seconds(60), spread: 0.5) } == nil, "30 s, the cap")
    #expect(
      contradicts { $0.suspendedCadence = SlowCadence(every: .seconds(60) - .milliseconds(1), spread: 0.5) }
        == ["suspendedCadence", "backoff.cap"])
  }

  @Test("a base that is drawn lies between the base and the cap, and needs no room for a spread above the floor")
  func drawnBase() {
    let drawn = { (most: Interval, settings: inout ConnectionSettings) in
      (settings.backoff.growth, settings.backoff.jitter) = (.drawnBase(upTo: most), .none)
    }
    #expect(contradicts { drawn(.seconds(30), &$0) } == nil)
    #expect(contradicts { drawn(.seconds(30) + Self.tick, &$0) } == ["backoff.growth", "backoff.cap"])
    #expect(contradicts { drawn(.seconds(1), &$0) } == nil)
    #expect(contradicts { drawn(.seconds(1) - Self.tick, &$0) } == ["backoff.base", "backoff.growth"])
    for jitter in [.full, .equal, .decorrelated, .fullAboveBase, .proportional(0.1)] as [Backoff.Jitter] {
      #expect(
        contradicts { ($0.backoff.growth, $0.backoff.jitter) = (.phoenix, jitter) }
          == ["backoff.growth", "backoff.jitter"])
    }
  }

  @Test("a floor may be the first wait where nothing is spread, and must be less where something is")
  func floorAndFirstWait() {
    let first = ["backoff.floor", "the longest first wait"]
    #expect(contradicts { ($0.backoff.jitter, $0.backoff.floor) = (.none, .seconds(1)) } == nil)
    #expect(contradicts { ($0.backoff.jitter, $0.backoff.floor) = (.none, .seconds(1) + Self.tick) } == first)
    #expect(contradicts { ($0.backoff.jitter, $0.backoff.floor) = (.equal, .seconds(2)) } == first)
    #expect(contradicts { $0.backoff.floor = .milliseconds(999) } == nil)
    #expect(contradicts { ($0.backoff.jitter, $0.backoff.floor) = (.proportional(0.2), .milliseconds(1_199)) } == nil)
    #expect(contradicts { ($0.backoff.jitter, $0.backoff.floor) = (.proportional(0), .seconds(1)) } == first)
  }

  @Test("without acknowledgements a connection has to be proven within a day")
  func proof() {
    let proof = { (uptime: Interval, settings: inout ConnectionSettings) in
      (settings.proof.minimumUptime, settings.proof.byAcknowledgement) = (uptime, false)
    }
    #expect(contradicts { proof(.seconds(86_400), &$0) } == nil)
    #expect(
      contradicts { proof(.seconds(86_400) + Self.tick, &$0) } == ["proof.minimumUptime", "proof.byAcknowledgement"])
    #expect(contradicts { $0.proof.minimumUptime = .seconds(86_401) } == nil)
  }

  @Test("the recommended settings are those that the documentation names")
  func defaults() {
    let settings = ConnectionSettings()
    #expect(settings.connectTimeout == .seconds(10) && settings.closeTimeout == .seconds(5))
    #expect(settings.suspendedCadence == SlowCadence(every: .seconds(300), spread: 0.5))
    #expect(settings.hintSpread == .seconds(1) && settings.background == .stayConnected)
    #expect(settings.unacknowledged == .sendAgain && settings.resumesStream && settings.isSecure)
    #expect(settings.heartbeat.interval == .seconds(30) && settings.heartbeat.pongTimeout == .seconds(10))
    #expect(settings.heartbeat.lateness == .seconds(1))
    #expect(settings.proof.minimumUptime == .seconds(10) && settings.proof.byAcknowledgement)
    #expect(settings.outbox.count == 1_000 && settings.outbox.bytes == 1_000_000)
    #expect(settings.outbox.age == .seconds(120) && settings.outbox.overflow == .dropOldest)
  }
}
