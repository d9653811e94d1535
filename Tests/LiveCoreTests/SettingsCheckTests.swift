// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

/// What is wrong with the recommended settings after a change.
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

@Suite("The check of settings")
struct SettingsCheckTests {
  @Test("the recommended settings pass the check, with every named policy")
  func recommended() throws {
    try ConnectionSettings().check()
    for named in Backoff.catalogue {
      var settings = ConnectionSettings()
      settings.backoff = named.policy
      #expect(throws: Never.self, "\(named.name)") { try settings.check() }
    }
  }

  @Test("settings, policies and schedules hold no reference")
  func plainValues() {
    #expect(_isPOD(ConnectionSettings.self))
    #expect(_isPOD(Backoff.self) && _isPOD(CloseRules.self) && _isPOD(RefusalRules.self))
    #expect(_isPOD(AttemptSchedule.self) && _isPOD(StreamCursor.self) && _isPOD(Refusal.self))
  }

  @Test("optional settings may be off")
  func off() throws {
    var settings = ConnectionSettings()
    (settings.heartbeat.interval, settings.suspendedCadence) = (nil, nil)
    (settings.outbox.age, settings.proof.minimumUptime) = (.forever, .forever)
    (settings.hintSpread, settings.backoff.floor, settings.refusalRules.redirectLimit) = (.zero, .zero, 0)
    try settings.check()
  }

  @Test("an error names the setting, what was found and what was expected")
  func message() {
    #expect(
      error { $0.connectTimeout = .milliseconds(130_500) }?.description
        == "connectTimeout: found 130.5 s, expected at least 0.001 s and at most 120 s.")
    #expect(
      error { $0.backoff.base = .seconds(45) }?.description
        == "backoff.base: found 45 s while backoff.cap is 30 s, expected no more than that.")
    #expect(
      error { $0.outbox.age = .zero }?.description
        == "outbox.age: found 0 s, expected at least 0.001 s and no bound above.")
    #expect(
      error { $0.closeTimeout = .forever }?.description
        == "closeTimeout: found for ever, expected at least 0.001 s and at most 120 s.")
  }
}

@Suite("The bounds of settings")
struct SettingsBoundsTests {
  /// A length of time with its least and its greatest value, and how to set it so that nothing else is in its way.
  struct Length: Sendable, CustomTestStringConvertible {
    let field: String
    let minimum: Interval
    let maximum: Interval
    let set: @Sendable (inout ConnectionSettings, Interval) -> Void

    init(
      _ field: String, _ minimum: Interval, _ maximum: Interval,
      _ set: @escaping @Sendable (inout ConnectionSettings, Interval) -> Void
    ) {
      (self.field, self.minimum, self.maximum, self.set) = (field, minimum, maximum, set)
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
    Length("refusalRules.dateSpread", .zero, day) { $0.refusalRules.dateSpread = $1 },
  ]

  /// The field that is beyond its bounds; nil where none is.
  private func refused(_ change: (inout ConnectionSettings) -> Void) -> String? {
    guard case .badSetting(let field, let found, let expected) = error(change) else { return nil }
    #expect(!found.isEmpty && expected.hasPrefix("at least "))
    return field
  }

  @Test("the least and the greatest length pass, and a nanosecond beyond either is refused by name", arguments: lengths)
  func length(of bound: Length) {
    #expect(error { bound.set(&$0, bound.minimum) } == nil)
    #expect(error { bound.set(&$0, bound.maximum) } == nil)
    #expect(refused { bound.set(&$0, bound.minimum - Self.tick) } == bound.field)
    #expect(refused { bound.set(&$0, bound.maximum + Self.tick) } == bound.field)
  }

  @Test("a length that may be forever has a minimum")
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
    let (minimum, maximum) = (bound.range.lowerBound, bound.range.upperBound)
    #expect(error { bound.set(&$0, minimum) } == nil && error { bound.set(&$0, maximum) } == nil)
    #expect(refused { bound.set(&$0, minimum - 1) } == bound.field)
    if maximum < .max { #expect(refused { bound.set(&$0, maximum + 1) } == bound.field) }
  }

  @Test("a factor lies from 1 to 100, a share from 0 to 1")
  func factors() {
    for factor in [1, 1.5, 100.0] { #expect(error { $0.backoff.factor = factor } == nil) }
    for factor in [Double(1).nextDown, Double(100).nextUp, -2, -Double.infinity, .infinity, .nan] {
      #expect(refused { $0.backoff.factor = factor } == "backoff.factor")
    }
    for share in [0, 0.5, 1.0] {
      #expect(error { $0.backoff.jitter = .proportional(share) } == nil)
      #expect(error { $0.backoff.jitter = .cappedProportional(share) } == nil)
      #expect(error { $0.backoff.jitter = .lowered(share) } == nil)
      #expect(refused { $0.suspendedCadence?.spread = share } == nil)
    }
    for share in [Double(0).nextDown, Double(1).nextUp, .nan] {
      #expect(refused { $0.backoff.jitter = .proportional(share) } == "backoff.jitter")
      #expect(refused { $0.backoff.jitter = .cappedProportional(share) } == "backoff.jitter")
      #expect(refused { $0.backoff.jitter = .lowered(share) } == "backoff.jitter")
      #expect(refused { $0.suspendedCadence?.spread = share } == "suspendedCadence.spread")
    }
  }
}

@Suite("Settings that depend on each other")
struct SettingsRelationsTests {
  private static let tick = Interval(nanoseconds: 1)

  private func contradicts(_ change: (inout ConnectionSettings) -> Void) -> [String]? {
    guard let found = error(change) else { return nil }
    guard case .contradiction(let field, _, let other, _, _) = found else { return ["\(found)"] }
    return [field, other]
  }

  @Test("a length that must not exceed another may equal it")
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

  @Test("a length that exceeds another is refused by both names")
  func longer() {
    #expect(contradicts { $0.backoff.base = .seconds(31) } == ["backoff.base", "backoff.cap"])
    #expect(contradicts { $0.backoff.floor = .seconds(31) } == ["backoff.floor", "backoff.cap"])
    #expect(
      contradicts { $0.backoff.jitter = .added(.seconds(2), .seconds(1)) }
        == ["backoff.jitter (least)", "backoff.jitter (most)"])
    #expect(contradicts { $0.heartbeat.pongTimeout = .seconds(31) } == ["heartbeat.pongTimeout", "heartbeat.interval"])
    #expect(contradicts { $0.heartbeat.lateness = .seconds(11) } == ["heartbeat.lateness", "heartbeat.pongTimeout"])
  }

  @Test("a drawn base lies between the base and the cap")
  func drawnBase() {
    let drawn = { (maximum: Interval, settings: inout ConnectionSettings) in
      (settings.backoff.growth, settings.backoff.jitter) = (.drawnBase(upTo: maximum), .none)
    }
    #expect(contradicts { drawn(.seconds(30), &$0) } == nil)
    #expect(contradicts { drawn(.seconds(30) + Self.tick, &$0) } == ["backoff.growth", "backoff.cap"])
    #expect(contradicts { drawn(.seconds(1), &$0) } == nil)
    #expect(contradicts { drawn(.seconds(1) - Self.tick, &$0) } == ["backoff.base", "backoff.growth"])
    for jitter in [.full, .equal, .decorrelated, .fullAboveBase, .proportional(0.1)] as [Backoff.Jitter] {
      #expect(
        contradicts { ($0.backoff.growth, $0.backoff.jitter) = (.drawnBase(upTo: .seconds(5)), jitter) }
          == ["backoff.growth", "backoff.jitter"])
    }
  }

  @Test("a table has 1 to 32 waits of at most a day, and a jitter that needs no base and no cap")
  func table() {
    let day = Interval.seconds(86_400)
    func table(_ waits: [Interval], _ jitter: Backoff.Jitter = .none) -> (inout ConnectionSettings) -> Void {
      { settings in
        (settings.suspendedCadence, settings.backoff) = (nil, Backoff(waits: waits))
        settings.backoff.jitter = jitter
      }
    }
    for waits in [[.zero], [day], Array(repeating: .seconds(1), count: 32)] as [[Interval]] {
      #expect(error(table(waits)) == nil)
    }
    for (waits, message) in [
      ([], "backoff.table (number): found 0, expected at least 1 and at most 32."),
      (Array(repeating: .zero, count: 33), "backoff.table (number): found 33, expected at least 1 and at most 32."),
      ([.zero, .seconds(-1)], "backoff.table: found -1 s, expected at least 0 s and at most 86400 s."),
      ([.zero, .seconds(86_401)], "backoff.cap: found 86401 s, expected at least 0.001 s and at most 86400 s."),
    ] as [([Interval], String)] {
      #expect(error(table(waits))?.description == message)
    }
    let spreads = [.equal, .full, .lowered(0.2), .proportional(0.2), .added(.zero, .seconds(3))] as [Backoff.Jitter]
    for jitter in spreads { #expect(error(table([.zero, .seconds(2)], jitter)) == nil) }
    for jitter in [.decorrelated, .fullAboveBase, .cappedProportional(0.5)] as [Backoff.Jitter] {
      #expect(contradicts(table([.zero, .seconds(2)], jitter)) == ["backoff.jitter", "backoff.growth"])
    }
  }

  @Test("a floor may equal the first wait without a spread, and must be less with one")
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

  @Test("the recommended settings are those of the documentation")
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
