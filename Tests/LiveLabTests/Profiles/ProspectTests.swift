// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import Testing

@testable import LiveLab

@Suite("Profiles that cannot succeed")
struct ProspectTests {
  private func prospect(
    _ faults: String, limit: String = "30s", always: String = "[]",
    change: (inout ConnectionSettings) -> Void = { _ in }
  ) throws -> Prospect {
    let yaml = " - {name: own, limit: \(limit), always: \(always), faults: [\(faults)]}"
    var settings = ConnectionSettings()
    change(&settings)
    return try #require(try ProfileReading.profiles(yaml).first).prospect(under: settings)
  }

  private func why(_ prospect: Prospect) -> String {
    switch prospect {
    case .possible: "possible"
    case .doubtful(let why): "doubtful: \(why)"
    case .cannotSucceed(let why): why
    }
  }

  @Test("every built-in profile can succeed", arguments: OutageProfile.all)
  func builtIn(profile: OutageProfile) {
    #expect(profile.prospect(under: ConnectionSettings()) == .possible)
  }

  @Test("what blocks to the end of the session cannot succeed")
  func endless() throws {
    let said = "holds to the end of the session, and no attempt succeeds meanwhile"
    #expect(
      why(try prospect("{kind: restart, lasting: forever, how: killed}")) == "restart how=killed history=kept \(said)")
    #expect(why(try prospect("reset, {kind: refusal, lasting: forever, status: 403}")) == "refusal status=403 \(said)")
    #expect(
      why(try prospect("reset", always: "[captive-portal]"))
        == "captive-portal holds for the whole session, and no attempt succeeds meanwhile")
    #expect(try prospect("reset", always: "[no-pongs]") == .possible)
  }

  @Test("a refusal that a client meets for certain and may not outlive")
  func forGood() throws {
    let said = "after which the client stays closed, as it must"
    #expect(
      why(try prospect("reset, {kind: refusal, lasting: 10s, status: 403}"))
        == "the handshake is answered by 403, \(said)")
    #expect(why(try prospect("{kind: close, code: 1002}")) == "the server closes by 1002, \(said)")
    #expect(why(try prospect("reset, {kind: redirect, lasting: 10s, to: plain}")).contains("redirected"))
    #expect(
      why(try prospect("reset, {kind: expired-credentials, lasting: 10s, refreshable: no}")).contains("credentials"))
    #expect(try prospect("reset, {kind: redirect, lasting: 10s, to: plain}") { $0.isSecure = false } == .possible)
    #expect(try prospect("reset, {kind: expired-credentials, lasting: 10s}") == .possible)
  }

  @Test("one that it may never meet proves nothing")
  func perhaps() throws {
    // Over before the first attempt must come; before the loss is noticed; in half of the outages only; no loss at all.
    #expect(try prospect("reset, {kind: refusal, lasting: 500ms, status: 403}") == .possible)
    #expect(try prospect("half-open, {kind: refusal, lasting: 20s, status: 403}") == .possible)
    #expect(try prospect("reset, {kind: refusal, lasting: 10s, status: 403, chance: 50%}") == .possible)
    #expect(try prospect("{kind: refusal, lasting: 10s, status: 403}") == .possible)
  }

  @Test("a wait that the server asks for, longer than its refusals and the limit together")
  func forcedWait() throws {
    let refusals = "reset, {kind: refusal, lasting: 5s..10s, status: 503, retry-after: 60s..90s}"
    #expect(
      why(try prospect(refusals))
        == "the server asks the client to stay away for at least 1m, which is over 50s after its refusals are at the "
        + "earliest, and the limit is 30s")
    #expect(try prospect(refusals, limit: "50s") == .possible)
    #expect(try prospect(refusals) { $0.refusalRules.longestWait = .seconds(20) } == .possible)
    #expect(
      why(try prospect("reset, {kind: shedding, lasting: 10s, share: 100%, retry-after: 1m}")).contains("stay away"))
    #expect(try prospect("reset, {kind: shedding, lasting: 10s, share: 99%, retry-after: 1m}") == .possible)
  }

  @Test("an outage that outlasts all attempts, without a sign when it is over")
  func exhausted() throws {
    // Detected within 40 s, ten waits of 1, 2, 4, 8, 16 and five times 30 s, ten attempts of 10 s: 321 s.
    let hole = "{kind: black-hole, lasting: 6m}"
    let none: (inout ConnectionSettings) -> Void = { $0.suspendedCadence = nil }
    #expect(
      why(try prospect(hole, change: none))
        == "black-hole lasts for 6m at the least, and the client's attempts are used up after 5m21s at the latest; "
        + "none comes afterwards without a hint")
    #expect(why(try prospect(hole)).hasSuffix("then one comes every 5m or so, and the limit is 30s"))
    #expect(why(try prospect(hole)).hasPrefix("doubtful: "))
    #expect(try prospect(hole, limit: "450s") == .possible)
    #expect(try prospect("{kind: offline, lasting: 6m}", change: none) == .possible)
    #expect(try prospect("{kind: black-hole, lasting: 5m..6m}", change: none) == .possible)
    #expect(try prospect(hole) { $0.backoff.maximumAttempts = .max } == .possible)
  }
}
