// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("The check of settings")
struct SettingsCheckTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    let field: String
    let change: @Sendable (inout ConnectionSettings) -> Void

    init(_ field: String, _ change: @escaping @Sendable (inout ConnectionSettings) -> Void) {
      (self.field, self.change) = (field, change)
    }

    var testDescription: String { field }
  }

  static let impossible = [
    Mistake("backoff.base") { $0.backoff.base = .zero },
    Mistake("backoff.base") { $0.backoff.base = .seconds(-1) },
    Mistake("backoff.cap") { $0.backoff.cap = .forever },
    Mistake("backoff.floor") { $0.backoff.floor = .milliseconds(-1) },
    Mistake("backoff.factor") { $0.backoff.factor = .nan },
    Mistake("backoff.factor") { $0.backoff.factor = .infinity },
    Mistake("backoff.factor") { $0.backoff.factor = 0.5 },
    Mistake("backoff.maximumAttempts") { $0.backoff.maximumAttempts = 0 },
    Mistake("backoff.maximumAttempts") { $0.backoff.maximumAttempts = .max },
    Mistake("backoff.jitter") { $0.backoff.jitter = .proportional(1.5) },
    Mistake("backoff.jitter") { $0.backoff.jitter = .cappedProportional(.nan) },
    Mistake("backoff.jitter") { $0.backoff.jitter = .added(.seconds(-1), .seconds(1)) },
    Mistake("heartbeat.interval") { $0.heartbeat.interval = .zero },
    Mistake("heartbeat.pongTimeout") { $0.heartbeat.pongTimeout = .zero },
    Mistake("heartbeat.lateness") { $0.heartbeat.lateness = .seconds(-1) },
    Mistake("proof.minimumUptime") { $0.proof.minimumUptime = .zero },
    Mistake("connectTimeout") { $0.connectTimeout = .zero },
    Mistake("connectTimeout") { $0.connectTimeout = .seconds(130) },
    Mistake("closeTimeout") { $0.closeTimeout = .forever },
    Mistake("hintSpread") { $0.hintSpread = .seconds(-1) },
    Mistake("suspendedCadence.interval") { $0.suspendedCadence = SlowCadence(every: .zero) },
    Mistake("suspendedCadence.spread") { $0.suspendedCadence?.spread = 1.5 },
    Mistake("suspendedCadence.spread") { $0.suspendedCadence?.spread = .nan },
    Mistake("background.disconnect") { $0.background = .disconnect(after: .seconds(-1)) },
    Mistake("outbox.count") { $0.outbox.count = 0 },
    Mistake("outbox.bytes") { $0.outbox.bytes = -1 },
    Mistake("outbox.age") { $0.outbox.age = .zero },
    Mistake("closeRules.later") { $0.closeRules.later = .forever },
    Mistake("closeRules.laterSpread") { $0.closeRules.laterSpread = .seconds(-1) },
    Mistake("refusalRules.longestWait") { $0.refusalRules.longestWait = .seconds(-1) },
    Mistake("refusalRules.dateSpread") { $0.refusalRules.dateSpread = .seconds(-1) },
    Mistake("refusalRules.redirectLimit") { $0.refusalRules.redirectLimit = -1 },
  ]

  static let contradictory = [
    Mistake("backoff.base") { $0.backoff.base = .seconds(31) },
    Mistake("backoff.floor") { $0.backoff.floor = .seconds(31) },
    Mistake("backoff.floor") { $0.backoff.floor = .seconds(1) },
    Mistake("backoff.jitter (least)") { $0.backoff.jitter = .added(.seconds(2), .seconds(1)) },
    Mistake("backoff.growth") { $0.backoff.growth = .drawnBase(upTo: .seconds(5)) },
    Mistake("backoff.base") { ($0.backoff.growth, $0.backoff.jitter) = (.drawnBase(upTo: .milliseconds(5)), .none) },
    Mistake("heartbeat.pongTimeout") { $0.heartbeat.pongTimeout = .seconds(31) },
    Mistake("heartbeat.lateness") { $0.heartbeat.lateness = .seconds(11) },
    Mistake("proof.minimumUptime") { ($0.proof.minimumUptime, $0.proof.byAcknowledgement) = (.forever, false) },
    Mistake("suspendedCadence") { $0.suspendedCadence = SlowCadence(every: .seconds(20), spread: 0) },
    Mistake("suspendedCadence") { $0.suspendedCadence = SlowCadence(every: .seconds(300), spread: 0.95) },
  ]

  private func error(of mistake: Mistake) -> LiveError? {
    var settings = ConnectionSettings()
    mistake.change(&settings)
    do throws(LiveError) {
      try settings.check()
      return nil
    } catch {
      return error
    }
  }

  @Test("a setting that no connection could follow is refused by its name", arguments: impossible)
  func refused(mistake: Mistake) {
    guard case .badSetting(let field, let found, let expected) = error(of: mistake) else {
      Issue.record("\(mistake.field) passed")
      return
    }
    #expect(field == mistake.field)
    #expect(!found.isEmpty && expected.hasPrefix("at least "))
  }

  @Test("two settings that cannot both hold are refused by both names", arguments: contradictory)
  func contradiction(mistake: Mistake) {
    guard case .contradiction(let field, _, let other, _, _) = error(of: mistake) else {
      Issue.record("\(mistake.field) passed")
      return
    }
    #expect(field == mistake.field && other != field)
  }

  @Test("the recommended settings pass, and so do they with each named policy")
  func recommended() throws {
    try ConnectionSettings().check()
    for named in Backoff.catalogue {
      var settings = ConnectionSettings()
      settings.backoff = named.policy
      #expect(throws: Never.self, "\(named.name)") { try settings.check() }
    }
  }

  @Test("settings, their policies and a schedule hold no reference, so that copying one costs no count")
  func plainValues() {
    #expect(_isPOD(ConnectionSettings.self))
    #expect(_isPOD(Backoff.self) && _isPOD(CloseRules.self) && _isPOD(RefusalRules.self))
    #expect(_isPOD(AttemptSchedule.self) && _isPOD(StreamCursor.self) && _isPOD(Refusal.self))
  }

  @Test("what may be switched off may be switched off")
  func off() throws {
    var settings = ConnectionSettings()
    (settings.heartbeat.interval, settings.suspendedCadence) = (nil, nil)
    (settings.outbox.age, settings.proof.minimumUptime) = (.forever, .forever)
    (settings.hintSpread, settings.backoff.floor, settings.refusalRules.redirectLimit) = (.zero, .zero, 0)
    try settings.check()
  }

  @Test("a message says where, what was found and what was expected")
  func message() {
    #expect(
      error(of: Mistake("") { $0.connectTimeout = .milliseconds(130_500) })?.description
        == "connectTimeout: found 130.5 s, expected at least 0.001 s and at most 120 s.")
    #expect(
      error(of: Mistake("") { $0.backoff.base = .seconds(45) })?.description
        == "backoff.base: found 45 s while backoff.cap is 30 s, expected no more than that.")
    #expect(
      error(of: Mistake("") { $0.outbox.age = .zero })?.description
        == "outbox.age: found 0 s, expected at least 0.001 s and no bound above.")
  }

  @Test("what has no end is said in words")
  func endless() {
    #expect(
      error(of: Mistake("") { $0.closeTimeout = .forever })?.description
        == "closeTimeout: found for ever, expected at least 0.001 s and at most 120 s.")
  }
}
