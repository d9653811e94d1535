// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackLab
import MonteCarlo
import Reporting
import Scenarios
import Testing

@Suite("One hand, simulated and exact") struct HandExperimentTests {
  private func result(_ cards: String, _ upcard: String, _ rules: String, rounds: Int) throws -> ScenarioResult {
    let yaml = """
      name: A hand
      kind: blackjack.hand
      cards: '\(cards)'
      upcard: \(upcard)
      rules: \(rules)
      rounds: \(rounds)
      random: {generator: taus2, seed: 11}
      confidence: 0.99999

      """
    let (scenario, result) = try outcome(of: yaml, on: ScenarioBench(workers: 1))
    #expect(result.measurements.map(\.measure) == scenario.plan.measures)
    return result
  }

  @Test(
    "every action's exact value lies in its simulated interval",
    arguments: ["6d", "6d-ls-enhc", "2d-es", "6d-es-enhc", "1d-h17-ls-obo", "inf-ls", "8d-enhc-rsa-hsa"],
    ["10,6", "8,8"])
  func agree(rules: String, cards: String) throws {
    for upcard in ["A", "10", "6"] {
      let result = try result(cards, upcard, rules, rounds: 200_000)
      let values = result.measurements.filter { $0.measure.name == "value" }
      #expect(values.count >= 3)
      for value in values {
        let action = try #require(value.measure.label)
        guard case .interval(_, let low, let high, 0.99999, _) = value.value,
          case .exact(let exact) = try result.value("value.exact[\(action)]")
        else { return #expect(Bool(false), "\(value)") }
        #expect((low - 1e-12)...(high + 1e-12) ~= exact, "\(action) of \(cards) against \(upcard) under \(rules)")
      }
    }
  }

  @Test("the best action is marked: computed, or simulated and certain, or the best so far") func best() throws {
    for (cards, upcard, rounds, best, sentence) in [
      ("A,7", "9", 100, "\"hit\"", "Best: hit, "), ("10,3,6", "6", 20_000, "\"stand\"", "Best: stand, "),
      ("10,3,3", "10", 100, "null", "Not certain yet: so far "),
    ] {
      let result = try result(cards, upcard, "inf", rounds: rounds)
      #expect(result.document.text().contains(sentence), "\(result.document.text())")
      #expect(result.data.text.contains("\"best\": \(best)"))
    }
  }

  @Test(
    "a split is worth what the better of splitting again and not is worth; --resplit always is the other convention")
  func resplit() throws {
    let best = try result("10,10", "10", "6d-s17-das", rounds: 100).document.text(width: 200)
    #expect(best.contains("10,10 (hard 20) against 10 under 6d-s17-das") || best.contains("under 6d-s17-das"))
    #expect(best.contains("Best: stand, 0.507055 bets better than"))
    #expect(best.contains("split again wherever the rules allow it (--resplit always), the split is worth -0.363392."))
    let always = try result("10,10", "10", "6d-s17-das\nresplit: always", rounds: 100).document.text(width: 200)
    #expect(always.contains("-0.363392") && !always.contains("(--resplit always)"))
  }

  @Test("a third card leaves nothing but to stand and to hit, and nothing to compute") func threeCards() throws {
    let result = try result("5,5,6", "10", "6d-ls", rounds: 1000)
    #expect(result.measurements.map(\.measure.fullName) == ["value[stand]", "value[hit]"])
  }

  @Test(
    "a hand that cannot be dealt or leaves nothing to decide is refused",
    arguments: [
      ("A,10", "9", "a natural is paid at once"), ("10,6,6", "9", "it is bust with 22"),
      ("10,6,5", "9", "21 stands by itself"), ("A,A,A,A", "A", "it needs 5 of the card A, and 1d has 4"),
      ("A", "9", "two cards or more"), ("A,X", "9", "two cards or more"), ("A,7", "9,9", "a card: A, 2 to 10"),
    ])
  func refused(cards: String, upcard: String, problem: String) {
    let yaml = "name: x\nkind: blackjack.hand\ncards: '\(cards)'\nupcard: '\(upcard)'\nrules: 1d\n"
    let error = #expect(throws: ReportingError.self) {
      try Scenario(ScenarioDocument(yaml: yaml, file: "s.yaml"), kinds: Blackjack.experiments)
    }
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
  }
}
