// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

@Suite("Close codes and what follows from them")
struct CloseRulesTests {
  private func byServer(_ code: UInt16, _ rules: CloseRules = CloseRules()) -> CloseVerdict {
    rules.verdict(on: Closure(.server, CloseCode(code)))
  }

  @Test("only a server's close frame can keep the client away: who closed decides before the code")
  func whoClosed() throws {
    var rules = CloseRules()
    try rules.set(.never, for: 0...UInt16.max)
    for code in [1000, 1002, 1006, 1008, 1015, 3003, 4403] as [UInt16] {
      #expect(rules.verdict(on: Closure(.client, CloseCode(code))) == .reconnect)
      #expect(rules.verdict(on: Closure(.network, CloseCode(code))) == .reconnect)
      #expect(byServer(code, rules) == .never)
    }
  }

  @Test(
    "each code of a server has its verdict",
    arguments: [
      (1000, CloseVerdict.reconnect), (1001, .reconnect), (1002, .never), (1003, .never), (1004, .reconnect),
      (1005, .reconnect), (1006, .reconnect), (1007, .never), (1008, .refreshCredentials), (1009, .never),
      (1010, .never), (1011, .reconnect), (1012, .reconnectLater(.seconds(5))),
      (1013, .reconnectLater(.seconds(5))), (1014, .reconnect), (1015, .reconnect), (1016, .reconnect),
      (2999, .reconnect), (3000, .refreshCredentials), (3003, .never), (3008, .reconnect), (3999, .reconnect),
      (4000, .reconnect), (4999, .reconnect), (0, .reconnect), (65_535, .reconnect),
    ] as [(UInt16, CloseVerdict)])
  func table(code: UInt16, verdict: CloseVerdict) {
    #expect(byServer(code) == verdict)
  }

  @Test("how long to stay away is the app's choice")
  func later() {
    var rules = CloseRules()
    rules.later = .seconds(20)
    #expect(byServer(1012, rules) == .reconnectLater(.seconds(20)))
  }

  @Test("the app rules over ranges of codes, and its later rule goes before its earlier one")
  func ownRules() throws {
    var rules = CloseRules()
    try rules.set(.never, for: 4500...4999)
    try rules.set(.refreshCredentials, for: 4501...4501)
    try rules.set(.never, for: 1000...1000)
    #expect(byServer(4500, rules) == .never && byServer(4999, rules) == .never)
    #expect(byServer(4501, rules) == .refreshCredentials)
    #expect(byServer(1000, rules) == .never)
    #expect(byServer(4499, rules) == .reconnect && byServer(1001, rules) == .reconnect)
  }

  @Test("a fifth rule is refused with what to do instead, and the four stay")
  func tooMany() throws {
    var rules = CloseRules()
    for code in 4001...4004 as ClosedRange<UInt16> { try rules.set(.never, for: code...code) }
    let before = rules
    #expect(throws: LiveError.tooManyCloseRules(limit: 4)) { try rules.set(.never, for: 4005...4005) }
    #expect(rules == before)
    #expect("\(LiveError.tooManyCloseRules(limit: 4))".contains("one rule for their range"))
  }

  @Test("a client may send what the protocol leaves to it, and never the codes that stand for something else")
  func maySend() {
    let allowed = (0...UInt16.max).filter { CloseCode($0).maySend }
    #expect(allowed == Array(1000...1003) + Array(1007...1010) + Array(3000...4999))
  }

  @Test("a close frame may carry only codes that are not reserved")
  func validInFrame() {
    let allowed = (0...UInt16.max).filter { CloseCode($0).isValidInFrame }
    #expect(allowed == Array(1000...1003) + Array(1007...1014) + Array(3000...4999))
    #expect(![CloseCode.noStatus, .abnormal, .insecure].contains { $0.isValidInFrame || $0.maySend })
  }

  @Test("codes are shown with what is known of them")
  func names() {
    #expect("\(CloseCode.abnormal)" == "1006 (abnormal closure)")
    #expect("\(CloseCode(4007))" == "4007 (the app's own)")
    #expect("\(CloseCode(3500))" == "3500 (a library's own)")
    #expect("\(CloseCode(1016))" == "1016 (reserved)")
    #expect("\(CloseCode(999)), \(CloseCode(5000))" == "999 (no close code), 5000 (no close code)")
    #expect(CloseCode(1004).name == nil)
  }
}
