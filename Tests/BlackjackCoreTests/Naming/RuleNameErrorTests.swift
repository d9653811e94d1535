// SPDX-License-Identifier: Apache-2.0

import BlackjackCore
import Testing

@Suite("Rule names that are refused") struct RuleNameErrorTests {
  @Test(
    "A misspelt token is named, and the only one that is a letter away suggested",
    arguments: [
      ("6d-h18", "h18", "h17"), ("6d-daz", "daz", "das"), ("6d-nodass", "nodass", "nodas"), ("6d-peak", "peak", "peek"),
      ("6d-enhcc", "enhcc", "enhc"), ("6d-bj23", "bj23", "bj21"), ("info", "info", "inf"), ("6d-rsaa", "rsaa", "rsa"),
      ("6-das", "6", "6d"),
    ])
  func suggestions(name: String, token: String, suggestion: String) throws {
    let error = blackjackError { _ = try Rules(name: name) }
    guard case .unknownRule(token, name, let found) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found == suggestion)
    #expect(error?.description.contains("'\(token)'") == true)
    #expect(error?.description.contains("did you mean '\(suggestion)'?") == true)
  }

  @Test(
    "A token like nothing known, or as near to several, gets no suggestion but the list of all",
    arguments: [
      "quarterly", "x", "1234567", "♠♥", "spl0", "spl4", "charlie4", "charlie", "d12", "17", "nodesss", "cut",
    ])
  func noSuggestion(token: String) throws {
    let error = blackjackError { _ = try Rules(name: "6d-\(token)") }
    #expect(error == .unknownRule(token: token, name: "6d-\(token)", suggestion: nil))
    #expect(error?.description.hasPrefix("unknown rule '\(token)' in '6d-\(token)'. Known: 1d to 8d or inf, ") == true)
  }

  @Test("A name must say how many decks", arguments: ["s17", "das-h17", "cut75"])
  func noDecks(name: String) throws {
    let error = blackjackError { _ = try Rules(name: name) }
    #expect(error == .outOfRange(what: "decks in '\(name)'", found: "none", expected: "a token 1d to 8d, or inf"))
  }

  @Test("An empty token is refused", arguments: ["", "-", "6d-", "-6d", "6d--h17", "---"])
  func emptyTokens(name: String) throws {
    let error = blackjackError { _ = try Rules(name: name) }
    #expect(error == .unknownRule(token: "", name: name, suggestion: nil))
  }

  @Test(
    "A rule that is not supported is named", arguments: ["ins", "insurance", "csm", "sidebet"])
  func unsupported(token: String) {
    guard case .unsupportedRule(token, _) = blackjackError({ _ = try Rules(name: "6d-\(token)") }) else {
      Issue.record("\(token)")
      return
    }
  }

  @Test(
    "A number of decks outside 1 to 8 is refused with the number",
    arguments: [("0d", "0"), ("9d", "9"), ("10d", "10"), ("999d", "999"), ("000d", "0")])
  func decksOutOfRange(name: String, found: String) throws {
    let error = blackjackError { _ = try Rules(name: name) }
    #expect(error == .outOfRange(what: "decks", found: found, expected: "1 to 8, or inf"))
  }

  @Test(
    "A cut card lies between 10 and 95 percent",
    arguments: [("cut0", "0%"), ("cut9", "9%"), ("cut96", "96%"), ("cut200", "200%")])
  func cutOutOfRange(token: String, found: String) throws {
    let error = blackjackError { _ = try Rules(name: "6d-\(token)") }
    #expect(error == .outOfRange(what: "cut card", found: found, expected: "10 to 95 percent of the shoe dealt"))
  }

  @Test(
    "A rule that is stated twice, or in two ways, is refused with both tokens",
    arguments: [
      ("s17", "h17"), ("h17", "h17"), ("das", "nodas"), ("spl1", "spl3"), ("rsa", "rsa"), ("hsa", "hsa"), ("doa", "d9"),
      ("d9", "d10"), ("ls", "es"), ("peek", "enhc"), ("enhc", "obo"), ("bj32", "bj65"), ("bj11", "bj21"),
      ("cut50", "cut75"), ("6d", "8d"), ("6d", "inf"), ("inf", "inf"),
    ])
  func repeated(first: String, second: String) throws {
    let decks = first == "6d" || first == "inf" ? "hsa" : "6d"
    let name = "\(first)-\(decks)-\(second)"
    let error = blackjackError { _ = try Rules(name: name) }
    #expect(error == .repeatedRule(first: first, second: second, name: name))
    #expect(error?.description == "'\(first)' and '\(second)' in '\(name)' are about the same rule; keep one.")
  }

  @Test(
    "Contradictory rules are refused by name",
    arguments: [("6d-rsa-spl1", "rsa", "spl1"), ("inf-cut75", "cut75", "inf")])
  func contradictions(name: String, first: String, second: String) throws {
    let error = blackjackError { _ = try Rules(name: name) }
    guard case .contradictoryRules(first, second, let why) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description == "'\(first)' contradicts '\(second)': \(why); leave one of them out.")
  }

  @Test("Only resplit aces without a resplit contradict themselves: 38400 of 46080 games hold together")
  func howMany() {
    let refused = RulesSpace.tails.filter { (try? Rules(name: (["6d"] + $0).joined(separator: "-"))) == nil }
    #expect(RulesSpace.tails.count == 46_080)
    #expect(refused.allSatisfy { $0.contains("rsa") && $0.contains("spl1") })
    #expect(RulesSpace.all.count == 38_400)
  }

  @Test(
    "Extreme numbers given in code are refused as well",
    arguments: [Int.min, -1, 0, 9, Int.max])
  func extremes(number: Int) throws {
    #expect(throws: BlackjackError.self) { try Rules(decks: .finite(number)) }
    #expect(throws: BlackjackError.self) { try Rules(decks: .finite(6), maximumHands: number) }
    guard number != 0 else { return }
    #expect(throws: BlackjackError.self) { try Rules(decks: .finite(6), charlieCards: number) }
    #expect(throws: BlackjackError.self) { try Rules(decks: .finite(6), dealing: .cutCard(percent: number)) }
  }

  @Test("A very long name is an error like any other")
  func long() throws {
    #expect(throws: BlackjackError.self) { try Rules(name: String(repeating: "6d-", count: 10_000)) }
    #expect(throws: BlackjackError.self) { try Rules(name: "6d-" + String(repeating: "9", count: 5_000)) }
  }
}
