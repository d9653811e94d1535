// SPDX-License-Identifier: Apache-2.0
import LiveCore
import Testing

private func byServer(_ code: UInt16, _ rules: CloseRules = CloseRules()) -> CloseVerdict {
  rules.verdict(on: Closure(.server, CloseCode(code)))
}

@Suite("Close codes")
struct CloseRulesTests {
  @Test("only a server's close frame can keep the client away, whatever the rules for its code")
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
    "each close code of a server has its verdict",
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

  @Test("a fifth rule is refused with advice, and the four stay")
  func tooMany() throws {
    var rules = CloseRules()
    for code in 4001...4004 as ClosedRange<UInt16> { try rules.set(.never, for: code...code) }
    let before = rules
    #expect(throws: LiveError.tooManyCloseRules(limit: 4)) { try rules.set(.never, for: 4005...4005) }
    #expect(rules == before)
    #expect("\(LiveError.tooManyCloseRules(limit: 4))".contains("one rule for their range"))
  }

  @Test("a close frame may carry only codes that are not reserved")
  func validInFrame() {
    let allowed = (0...UInt16.max).filter { CloseCode($0).isValidInFrame }
    #expect(allowed == Array(1000...1003) + Array(1007...1014) + Array(3000...4999))
  }
}

@Suite("An app's own rules for close codes")
struct OwnCloseRulesTests {
  @Test("a rule holds for its range, ends included, and for nothing else")
  func range() throws {
    for (low, high) in [(4100, 4200), (4100, 4100), (0, 0), (.max, .max), (0, .max)] as [(UInt16, UInt16)] {
      var rules = CloseRules()
      try rules.set(.reconnectLater(.seconds(77)), for: low...high)
      for code in [0, 1, low &- 1, low, low &+ 1, high &- 1, high, high &+ 1, 65_534, .max] {
        let expected = low...high ~= code ? .reconnectLater(.seconds(77)) : byServer(code)
        #expect(byServer(code, rules) == expected, "\(code) by \(low)...\(high)")
      }
    }
  }

  @Test("all rules hold, and where they overlap the last one wins")
  func latestFirst() throws {
    for seed in 0..<200 as Range<UInt64> {
      var words = SplitMix64(seed: seed)
      var (rules, model) = (CloseRules(), [(ClosedRange<UInt16>, CloseVerdict)]())
      for _ in 0..<words.below(CloseRules.ownRuleLimit + 1) {
        let low = UInt16(4000 + words.below(20))
        let range = low...(low + UInt16(words.below(10)))
        let verdict: CloseVerdict = .reconnectLater(.seconds(Int64(words.below(1_000))))
        try rules.set(verdict, for: range)
        model.append((range, verdict))
      }
      for code in 3990...4040 as ClosedRange<UInt16> {
        let expected = model.last { $0.0.contains(code) }?.1 ?? .reconnect
        #expect(byServer(code, rules) == expected, "\(code), seed \(seed)")
      }
    }
  }

  @Test("1012 and 1013 ask the client to come later, after a time that the app sets")
  func later() {
    var rules = CloseRules()
    #expect(rules.later == .seconds(5) && rules.laterSpread == .seconds(25), "within 5 to 30 s, as was proposed")
    (rules.later, rules.laterSpread) = (.seconds(8), .seconds(90))
    for code in [1012, 1013] as [UInt16] { #expect(byServer(code, rules) == .reconnectLater(.seconds(8))) }
  }
}
