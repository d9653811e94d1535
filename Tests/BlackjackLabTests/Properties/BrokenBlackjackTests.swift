// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackLab
import PropertyTesting
import Testing

/// A fault put in on purpose, what has to notice it, and how soon.
struct BlackjackFault: Sendable, CustomTestStringConvertible {
  let subject: String
  let property: String
  /// Within how many cases, from any seed tried.
  let cases: Int
  /// The arguments of the smallest counterexample, where there is only one.
  let smallest: [String]?

  init(_ subject: String, _ property: Int, within cases: Int, _ smallest: String...) {
    self.subject = subject
    self.property = "blackjack.\(property)"
    self.cases = cases
    self.smallest = smallest.isEmpty ? nil : smallest
  }

  var testDescription: String { "\(subject) is caught by \(property) within \(cases) cases" }

  static let all = [
    BlackjackFault("soft-ace-stays", 1, within: 50, "[10, 10, A]"),
    BlackjackFault("soft-by-ace", 2, within: 50, "[10, 10, A]"),
    BlackjackFault("pair-by-rank", 4, within: 200, "10♠", "J♠"),
    BlackjackFault("dealer-hits-soft-17", 5, within: 2000),
    BlackjackFault("pair-again", 6, within: 500, "[10, 10]", "false"),
    BlackjackFault("ace-first", 7, within: 20, "hard 5 v 2"),
    BlackjackFault("row-off-by-one", 7, within: 100, "soft 13 v 2"),
    BlackjackFault("fallback-forgotten", 8, within: 1000),
    BlackjackFault("fallback-unread", 9, within: 20),
    BlackjackFault("heading-not-counted", 23, within: 100),
    BlackjackFault("name-drops-nodas", 10, within: 50, "6d-nodas"),
    BlackjackFault("capitals-refused", 11, within: 50, "6d", "0", "true"),
    BlackjackFault("last-word-wins", 12, within: 5000, "[\"6d\", \"6d\"]"),
    BlackjackFault("illegal-ignored", 16, within: 20),
    BlackjackFault("late-double", 15, within: 200, "6d: A 10 A; hit"),
    BlackjackFault("no-split-of-tens", 15, within: 100, "6d: tens; stand"),
    BlackjackFault("aces-split-once-more", 15, within: 3000),
    BlackjackFault("double-pays-single", 14, within: 200, "6d: tens; double"),
    BlackjackFault("split-natural", 13, within: 3000),
    BlackjackFault("surrender-takes-all", 13, within: 200, "6d-ls: tens; surrender"),
    BlackjackFault("push-loses", 14, within: 500, "6d: tens; stand"),
    BlackjackFault("natural-beats-natural", 14, within: 300, "6d: A A; stand"),
    BlackjackFault("original-bet-forgotten", 14, within: 2000),
    BlackjackFault("shoe-keeps-card", 18, within: 20),
    BlackjackFault("shuffle-forgotten", 19, within: 100),
    BlackjackFault("natural-not-excluded", 20, within: 300, "6d", "10", "[]"),
    BlackjackFault("stand-off-by-one", 21, within: 20, "6d", "10", "[]"),
    BlackjackFault("das-inverted", 22, within: 300),
  ]
}

@Suite("Broken on purpose, the blackjack core")
struct BrokenBlackjackTests {
  @Test("is caught, and the counterexample is the smallest", arguments: BlackjackFault.all)
  func caught(fault: BlackjackFault) throws {
    let subject = try #require(BlackjackProperties.catalogue.subject(fault.subject))
    let property = try #require(subject.properties.first { $0.id == fault.property })
    for seed in 0..<3 {
      var settings = CheckSettings()
      settings.cases = fault.cases
      settings.seed = UInt64(seed)
      settings.explains = false
      let report = try property.check(settings)
      let counterexample = try #require(report.counterexample, "not caught from seed \(seed)")
      if let smallest = fault.smallest { #expect(counterexample.arguments == smallest) }
    }
  }

  @Test("every subject of the catalogue is held to its property")
  func complete() {
    #expect(BlackjackFault.all.map(\.subject) == BlackjackProperties.catalogue.subjects.map(\.name))
  }
}
