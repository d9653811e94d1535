// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackLab
import PropertyTesting
import PropertyTestingHost
import Testing

/// The faults that are put into the blackjack core on purpose, each with the property that notices it.
private enum Planted {
  static let all: [PlantedFault] = [
    fault("soft-ace-stays", 1, within: 50, "[10, 10, A]"),
    fault("soft-by-ace", 2, within: 50, "[10, 10, A]"),
    fault("pair-by-rank", 4, within: 200, "10♠", "J♠"),
    fault("dealer-hits-soft-17", 5, within: 2000),
    fault("pair-again", 6, within: 500, "[10, 10]", "false"),
    fault("ace-first", 7, within: 20, "hard 5 v 2"),
    fault("row-off-by-one", 7, within: 100, "soft 13 v 2"),
    fault("fallback-forgotten", 8, within: 1000),
    fault("fallback-unread", 9, within: 20),
    fault("heading-not-counted", 23, within: 100),
    fault("name-drops-nodas", 10, within: 50, "6d-nodas"),
    fault("capitals-refused", 11, within: 50, "6d", "0", "true"),
    fault("last-word-wins", 12, within: 5000, "[\"6d\", \"6d\"]"),
    fault("illegal-ignored", 16, within: 20),
    fault("late-double", 15, within: 200, "6d: A 10 A; hit"),
    fault("no-split-of-tens", 15, within: 100, "6d: tens; stand"),
    fault("aces-split-once-more", 15, within: 3000),
    fault("double-pays-single", 14, within: 200, "6d: tens; double"),
    fault("split-natural", 13, within: 3000),
    fault("surrender-takes-all", 13, within: 200, "6d-ls: tens; surrender"),
    fault("push-loses", 14, within: 500, "6d: tens; stand"),
    fault("natural-beats-natural", 14, within: 300, "6d: A A; stand"),
    fault("original-bet-forgotten", 14, within: 2000),
    fault("shoe-keeps-card", 18, within: 20),
    fault("shuffle-forgotten", 19, within: 100),
    fault("natural-not-excluded", 20, within: 300, "6d", "10", "[]"),
    fault("stand-off-by-one", 21, within: 20, "6d", "10", "[]"),
    fault("das-inverted", 22, within: 300),
  ]

  private static func fault(_ subject: String, _ property: Int, within cases: Int, _ smallest: String...)
    -> PlantedFault
  {
    PlantedFault(subject, caughtBy: "blackjack.\(property)", within: cases, smallest: smallest)
  }
}

@Suite("Broken on purpose, the blackjack core")
struct BrokenBlackjackTests {
  @Test("is caught, and the counterexample is the smallest", arguments: Planted.all)
  func caught(fault: PlantedFault) throws {
    try fault.expectCaught(in: BlackjackProperties.catalogue)
  }

  @Test("every subject of the catalogue is held to its property")
  func complete() {
    #expect(Planted.all.map(\.subject) == BlackjackProperties.catalogue.subjects.map(\.name))
  }
}
