// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import ExperimentTestSupport
import Reporting
import Scenarios
import Testing

@Suite("One hand, simulated and exact")
struct HandExperimentTests {
  private func result(_ cards: String, _ upcard: String, _ rules: String, rounds: Int) throws -> ScenarioResult {
    try outcome(
      "hand",
      "cards: '\(cards)'\nupcard: \(upcard)\nrules: \(rules)\nrounds: \(rounds)\nconfidence: 0.99999\n"
        + "random: {generator: taus2, seed: 11}"
    ).result
  }

  @Test(
    "every action's exact value lies in its simulated interval",
    arguments: [
      "6d", "6d-ls-enhc", "2d-es", "6d-es-enhc", "1d-h17-ls-obo", "inf-ls", "8d-enhc-rsa-hsa",
      "6d-es10-rescue", "2d-charlie5-rescue-enhc", "8d-bb1", "1d-bb1-spl1-charlie6",
      "inf-bb1-rescue",
    ],
    ["10,6", "8,8", "5,4,7", "A,A,2,2"])
  func agree(rules: String, cards: String) throws {
    for upcard in ["A", "10", "6"] {
      let result = try result(cards, upcard, rules, rounds: 200_000)
      let values = result.measurements.filter { $0.measure.name == "value" }
      #expect(values.count >= (cards.count > 4 ? 2 : 3))
      for value in values {
        let action = try #require(value.measure.label)
        let interval = value.interval(at: 0.99999)
        let exact = try result.measurement("value.exact[\(action)]").estimate
        #expect(
          (interval.lowerBound - 1e-12)...(interval.upperBound + 1e-12) ~= exact,
          "\(action) of \(cards) against \(upcard) under \(rules)")
      }
    }
  }

  @Test("the best action is that of the exact values, however little was played")
  func best() throws {
    for (cards, upcard, best) in [("A,7", "9", "hit"), ("10,3,6", "6", "stand"), ("10,3,3", "10", "hit")] {
      let result = try result(cards, upcard, "inf", rounds: 100)
      #expect(result.document.text().contains("Best: \(best), "), "\(result.document.text())")
      #expect(result.data.text.contains("\"best\": \"\(best)\""))
    }
  }

  @Test("--why gives the chance to bust, the dealer's outcomes and what the two best actions paid")
  func why() throws {
    let result = try result("10,6", "10", "inf\nwhy: true", rounds: 10_000)
    // Eight of thirteen ranks bust a hard 16.
    #expect(result.document.text().contains("One more card busts the hand in 61.54% of cases."))
    let why = result.data["why"]
    let dealer = ["17", "18", "19", "20", "21", "bust", "natural"].map { why["dealer"][$0].double }
    #expect(abs(dealer.reduce(0, +) - 1) < 1e-12 && dealer.last == 0)
    // A 16 that stands wins where the dealer busts, and loses elsewhere.
    #expect(abs(2 * dealer[5] - 1 - (try result.measurement("value.composition[stand]").estimate)) < 1e-12)
    for action in ["hit", "stand"] { #expect(why["paid"][action].members.reduce(0) { $0 + $1.value.double } == 10_000) }
    #expect(result.figures(of: "measures").count == 2)
  }

  @Test(
    "a split assumes the better of splitting again or not; --resplit always is the other convention")
  func resplit() throws {
    let best = try result("10,10", "10", "6d-s17-das", rounds: 100).document.text(width: 200)
    #expect(best.contains("10,10 (hard 20) against 10 under 6d-s17-das") || best.contains("under 6d-s17-das"))
    #expect(best.contains("Best: stand, 0.507098 bets better than"))
    #expect(best.contains("Split again wherever the rules allow it (--resplit always), the split is worth -0.363392."))
    let always = try result("10,10", "10", "6d-s17-das\nresplit: always", rounds: 100).document.text(width: 200)
    #expect(always.contains("-0.363392") && !always.contains("(--resplit always)"))
  }

  @Test(
    "two decks without a deck of seen cards are one deck, for every action", arguments: [("8,8", "10"), ("5,6", "A")])
  func seen(cards: String, upcard: String) throws {
    let deck = CardValue.allCases.flatMap { Array(repeating: $0.description, count: $0 == .ten ? 16 : 4) }
    let seen = "\nseen: '\(deck.joined(separator: ","))'"
    let (one, two) = (
      try result(cards, upcard, "1d-s17-das", rounds: 100),
      try result(cards, upcard, "2d-s17-das" + seen, rounds: 20_000)
    )
    for action in ["stand", "hit", "double", "split"] where cards == "8,8" || action != "split" {
      let name = "value.composition[\(action)]"
      #expect(try one.measurement(name) == two.measurement(name), "\(action)")
      let simulated = try two.measurement("value[\(action)]").interval(at: 0.999)
      #expect(try simulated.contains(two.measurement("value.exact[\(action)]").estimate), "\(action)")
    }
    #expect(two.document.text(width: 400).contains("The shoe lacks 52 cards: A,A,A,A,2,"))
  }

  @Test(
    "a shoe without all cards of a value, or with one of them, values every action",
    arguments: [
      ("9,7", "A", "A,A,A", ["stand", "hit", "double"]), ("8,8", "9", "8,8", ["stand", "hit", "double", "split"]),
      ("9,7", "2", "10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10", ["stand", "hit", "double"]),
      ("A,A", "10", "2,2,2,2,3,3,3,3,A", ["stand", "hit", "double", "split"]),
    ])
  func emptied(cards: String, upcard: String, seen: String, actions: [String]) throws {
    let result = try result(cards, upcard, "1d-s17\nseen: '\(seen)'", rounds: 20_000)
    for action in actions {
      let exact = try result.measurement("value.exact[\(action)]").estimate
      #expect(try result.measurement("value[\(action)]").interval(at: 0.99999).contains(exact), "\(action): \(exact)")
      #expect(try result.measurement("value.composition[\(action)]").estimate.isFinite, "\(action)")
    }
  }

  @Test(
    "seen cards that the shoe cannot lack are refused",
    arguments: [
      ("1d", "9,X", "seen: found '9,X', expected one card or more"),
      ("inf", "9", "1 to 8 decks: an infinite shoe is the same after any card"),
      ("1d", "6,6,6,6", "with the hand they are 5 of the card 6, and 1d has 4"),
      ("1d", "10,10,10,10,10,10,10,10,10,10,9,9,9,8,8,8,8,7,7,7,7", "points together, and a round may need 150"),
    ])
  func refusedSeen(rules: String, seen: String, problem: String) {
    let text = refusal("hand", "cards: '10,6'\nupcard: 9\nrules: \(rules)\nseen: '\(seen)'")
    #expect(text.contains(problem), "\(text)")
  }

  @Test(
    "a hand that cannot be dealt or leaves nothing to decide is refused",
    arguments: [
      ("A,10", "9", "a natural is paid at once"), ("10,6,6", "9", "it is bust with 22"),
      ("10,6,5", "9", "21 stands, without a decision"), ("A,A,A,A", "A", "it needs 5 of the card A, and 1d has 4"),
      ("A", "9", "two cards or more"), ("A,X", "9", "two cards or more"), ("A,7", "9,9", "a card: A, 2 to 10"),
      ("10,6", "10'\nrules: '6d-cut75", "'blackjack chart' takes 6d-cut75"),
    ])
  func refused(cards: String, upcard: String, problem: String) {
    let rules = upcard.contains("rules") ? "" : "rules: 1d\n"
    let text = refusal("hand", "cards: '\(cards)'\nupcard: '\(upcard)'\n\(rules)")
    #expect(text.contains(problem), "\(text)")
  }
}
