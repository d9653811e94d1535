// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Scenarios
import Testing

@Suite("A scenario is read with its kind's keys and its thresholds")
struct ScenarioTests {
  private static let measures = [
    Measure("heads", meaning: "How many heads", kind: .proportion),
    Measure("ev", of: "6d", meaning: "What a round brings", unit: "bets", kind: .mean),
    Measure("ev", of: "8d", meaning: "What a round brings", unit: "bets", kind: .mean),
    Measure("regret", of: "6d", meaning: "The cost", kind: .interval(confidence: 0.999)),
    Measure("regret", of: "8d", meaning: "The cost", kind: .interval(confidence: 0.999)),
    Measure("chart.mismatches", meaning: "Cells that differ", kind: .count),
    Measure("wait", meaning: "How long it takes", unit: "s", kind: .exact),
  ]
  private func scenario(_ yaml: String, file: String = "Scenarios/coin.yaml") throws -> Scenario {
    try CoinToss.$given.withValue(Self.measures) {
      try Scenario(
        ScenarioDocument(yaml: yaml, file: file), kinds: [CoinToss.self, Nothing.self])
    }
  }

  private func problem(_ yaml: String) -> String {
    do {
      _ = try scenario(yaml, file: "c.yaml")
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  private func problem(ofThreshold text: String) -> String {
    problem("name: Coins\nkind: coin-toss\nthresholds:\n  - heads > 0.4 at 0.99\n  - '\(text)'\n")
  }

  private static let whole = """
    name: "Coins: fair ones"
    kind: coin-toss
    thresholds:
      - heads in 49%..51% at 0.99
      - {threshold: chart.mismatches==0, source: the manual}
      - ev >= -0.1 at 0.99

    """

  @Test("every part of the file is read: name, kind, parameters, thresholds with their lines and sources")
  func whole() throws {
    let scenario = try scenario(Self.whole)
    #expect(scenario.name == "Coins: fair ones")
    #expect(scenario.slug == "coin")
    #expect(scenario.kind == "coin-toss")
    #expect((scenario.plan as? CoinToss)?.rounds == 100)
    #expect(scenario.thresholds.map(\.line) == [4, 5, 6])
    #expect(scenario.thresholds.map(\.source) == ["", "the manual", ""])
  }

  @Test("the resolved scenario states defaults, and reads back as itself with the same digest")
  func resolved() throws {
    let scenario = try scenario(Self.whole)
    #expect(
      scenario.resolved == """
        name: "Coins: fair ones"
        kind: coin-toss
        rounds: 100
        thresholds:
          - heads in 49%..51% at 0.99
          - threshold: chart.mismatches == 0
            source: the manual
          - ev >= -0.1 at 0.99

        """)
    let again = try self.scenario(scenario.resolved, file: "elsewhere/other.yaml")
    #expect(again.resolved == scenario.resolved)
    #expect(again.digest == scenario.digest)
    #expect(scenario.digest.count == 8 && scenario.digest.allSatisfy(\.isHexDigit))
    #expect(try self.scenario(Self.whole + "rounds: 101\n").digest != scenario.digest)
    #expect(try self.scenario("# A comment.\n" + Self.whole + "rounds: 100\n").digest == scenario.digest)
  }

  @Test("an unknown kind lists the kinds, an unknown key suggests the closest key of the kind")
  func unknown() {
    #expect(
      problem("name: x\nkind: coin-tos\n")
        == "c.yaml:2: kind: found 'coin-tos', expected one of coin-toss, blackjack.chart (did you mean 'coin-toss'?).")
    #expect(problem("name: x\n") == "c.yaml:1: kind: found nothing, expected one of coin-toss, blackjack.chart.")
    #expect(
      problem("name: x\nkind: coin-toss\nround: 5\n")
        == "c.yaml:3: round: unknown key; did you mean 'rounds'? Known here: name, kind, thresholds, rounds.")
    #expect(problem("kind: coin-toss\n").contains("name: found nothing, expected what to call the scenario"))
    let long = problem("name: \(String(repeating: "x", count: 201))\nkind: coin-toss\n")
    #expect(long.contains("…' (201 bytes), expected a name of at most 200 characters") && long.count < 300, "\(long)")
    #expect(problem("- a\n").contains("document: found a list, expected a mapping"))
  }

  @Test("a scenario may have no thresholds; an empty list of them is refused")
  func exploring() throws {
    let scenario = try scenario("name: x\nkind: coin-toss\n")
    #expect(Verdict.all(scenario.evaluated(by: []).map(\.verdict)) == .unasked)
    #expect(try self.scenario(scenario.resolved).thresholds.isEmpty)
    #expect(problem("name: x\nkind: coin-toss\nthresholds: []\n").contains("expected at least one threshold"))
  }

  @Test("a threshold that an error proposes is accepted")
  func proposals() {
    var proposed = 0
    for measure in Self.measures {
      for name in [measure.fullName, measure.name] {
        for condition in [">= 0.5", "<= 0", "> 1", "< 100%", "== 0.5", "!= 1", "in 0.2..0.2", "in 0..1", "<= 5s"] {
          for confidence in ["", " at 0.9", " at 0.99", " at 0.9999"] {
            let text = name + " " + condition + confidence
            let found = problem(ofThreshold: text)
            var again: String?
            if let match = found.firstMatch(of: /expected '([^']+ at [0-9.]+)' or the like/) {
              again = String(match.1)
            } else if let match = found.firstMatch(of: /expected at most ([0-9.]*[0-9])/) {
              again = name + " " + condition + " at " + match.1
            } else if found.contains("expected no confidence: ") {
              again = name + " " + condition
            }
            guard let again else { continue }
            proposed += 1
            #expect(problem(ofThreshold: again) == "no error", "\(text): \(found)")
          }
        }
      }
    }
    #expect(proposed > 30)
  }

  @Test(
    "a threshold that cannot be is refused with its place and the way out",
    arguments: [
      (
        "head > 0.4 at 0.99", "found 'head', which is not measured, expected one of heads, ev, regret, chart.mismatches"
      ),
      ("chart.mismatch == 0", "(did you mean 'chart.mismatches'?)"),
      ("ev[6dd] > 1 at 0.9", "found 'ev[6dd]', which is not measured, expected one of ev[6d], ev[8d] (did you mean"),
      ("wait <= 5", "found '5', expected a length of time with its unit, '5s' or '5ms': wait is one"),
      ("chart.mismatches <= 5s", "found '5s', expected a mere number"),
      ("heads > 0.4", "found no confidence, expected 'heads > 0.4 at 0.99' or the like: heads is sampled."),
      ("chart.mismatches == 0 at 0.99", "found 'at 0.99', expected no confidence: chart.mismatches is counted"),
      ("heads == 0.5 at 0.99", "no number of samples shows that heads is 0.5"),
      ("ev[6d] in 1..1 at 0.99", "found '1..1', expected an interval of some width"),
      ("heads >= 95 at 0.99", "found '95', expected a share from 0 to 1 or in percent"),
      ("heads >= 100% at 0.99", "no number of samples shows that heads is 1"),
      ("heads <= 0 at 0.99", "no number of samples shows that heads is 0"),
      (
        "regret[6d] < 1 at 0.9999",
        "found 'at 0.9999', expected at most 0.999: the interval of regret[6d] holds at 0.999"
      ),
      (
        "regret < 1 at 0.999", "expected at most 0.998: the interval of regret[6d] holds at 0.999, whose error 2 labels"
      ),
      ("heads >> 1", "found '>>' at column 7 of 'heads >> 1', expected one of >= <= > < == != in"),
    ])
  func refused(text: String, expected: String) {
    let found = problem(ofThreshold: text)
    #expect(found.hasPrefix("c.yaml:5: thresholds[2]: found "), "\(found)")
    #expect(found.contains(expected), "\(found)")
  }

  @Test("a mapping without a threshold, or with an unknown key, is refused")
  func mappings() {
    #expect(
      problem("name: x\nkind: coin-toss\nthresholds:\n  - {sauce: me}\n").contains("thresholds[1].sauce: unknown key"))
    #expect(
      problem("name: x\nkind: coin-toss\nthresholds:\n  - {source: me}\n")
        .contains("thresholds[1].threshold: found nothing"))
  }

  @Test("a name without a label is evaluated for each label, and the labels share the error")
  func labels() throws {
    let scenario = try scenario(Self.whole)
    let measurements = Self.measures.dropFirst().prefix(2).map {
      Measurement($0, .mean(0, standardDeviation: 1, samples: 10_000))
    }
    let evaluated = scenario.evaluated(by: measurements)
    #expect(evaluated.map(\.measurement) == ["heads", "chart.mismatches", "ev[6d]", "ev[8d]"])
    #expect(evaluated.map(\.verdict) == [.undecided, .undecided, .holds, .holds])
    #expect(evaluated[2].text == "ev[6d] >= -0.1 at 0.99")
    #expect(abs(evaluated[2].errorProbability - 0.005) < 1e-12)
    #expect(evaluated[0].found == "nothing: the run ended before it was measured")
    #expect(evaluated[1].source == "the manual" && evaluated[1].line == 5)
  }
}
