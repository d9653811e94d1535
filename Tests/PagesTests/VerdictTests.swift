// SPDX-License-Identifier: GPL-3.0-or-later
import Scenarios
import Testing

@testable import Pages

@Suite("The top of a page")
struct VerdictTests {
  static func thresholds(_ judgements: [Judgement], risk: Double = 0) -> [JudgedThreshold] {
    judgements.map {
      JudgedThreshold(
        text: "x == 0", measurement: "x", source: "", line: 1, judgement: $0, found: "0", errorProbability: risk)
    }
  }

  @Test(
    "the sentence counts what holds, fails and is undecided",
    arguments: [
      ([.holds], "The threshold holds."),
      ([.holds, .holds], "All 2 thresholds hold."),
      ([.undecided], "The threshold is undecided."),
      ([.fails, .fails, .fails], "All 3 thresholds fail."),
      ([.holds, .fails], "Of 2 thresholds, 1 fails and 1 holds."),
      ([.undecided, .holds, .fails, .undecided], "Of 4 thresholds, 1 fails, 2 are undecided and 1 holds."),
      ([], "The scenario sets no thresholds, so nothing was judged."),
    ] as [([Judgement], String)])
  func sentence(judgements: [Judgement], expected: String) {
    let verdict = Verdict(judgement: .all(judgements), thresholds: Self.thresholds(judgements))
    #expect(verdict.sentence == expected)
  }

  @Test("a run that is not complete has no verdict, whatever its thresholds came to so far")
  func incomplete() {
    let verdict = Verdict(judgement: nil, thresholds: Self.thresholds([.holds]))
    #expect(verdict.sentence == "The run is not complete, so there is no verdict.")
    #expect(Verdict.word(for: nil) == "incomplete")
  }

  @Test("the error probabilities are summed into one bound, never rounded down")
  func risk() {
    let risky = Verdict(judgement: .holds, thresholds: Self.thresholds([.holds, .holds, .holds], risk: 0.001))
    #expect(risky.risk.contains("at most 0.003: the sum"))
    let exact = Verdict(judgement: .holds, thresholds: Self.thresholds([.holds]))
    #expect(exact.risk == "All of it is computed or counted: chance has no part in these judgements.")
    #expect(Verdict(judgement: .holds, thresholds: []).risk.isEmpty)
  }

  @Test(
    "a bound has two digits and lies above the number",
    arguments: [
      (0.01 + 0.02, "at most 0.03"), (0.010_01, "at most 0.011"), (0.5, "at most 0.5"), (0.123, "at most 0.13"),
      (0.000_012_3, "at most 0.000013"), (1e-12, "below 0.0000001"), (1.2, "not bounded by anything below 1"),
    ])
  func bound(probability: Double, expected: String) {
    #expect(Verdict.bound(probability) == expected)
  }
}
