// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import BlackjackLab
import ExperimentTestSupport
import MonteCarlo
import Reporting
import Scenarios
import TestSupport
import Testing

@Suite("Whole rounds, played and computed")
struct PlayExperimentTests {
  private static let yaml = "rules: [inf, 1d-cut75]\nrandom: {generator: taus2, seed: 4}\nrounds: 1200000"
  private static let played = Result { try outcome("play", yaml) }

  @Test("the chart of the rules is played unless another one is named, and the report names it")
  func whichChart() throws {
    let rules = "rules: 8d-h17-das-ls\nrounds: 2\n"
    let (own, trainer) = (try outcome("play", rules), try outcome("play", rules + "chart: trainer"))
    let evs = try [own, trainer].map { try #require($0.found["ev.exact[8d-h17-das-ls]"]) }
    #expect(abs(evs[0] - -0.005_547_80) < 5e-9 && evs[1] < evs[0])
    #expect(own.result.document.text(width: 1_000).contains("The chart of the rules under 8d-h17-das-ls:"))
    #expect(
      trainer.result.document.text(width: 1_000).contains(
        "The trainer's chart (made for 4 to 8 decks, S17, DAS, no surrender) under 8d-h17-das-ls:"))
  }

  @Test(
    "the trainer's chart earns what the analyser computes, under many rules and with every kind of generator",
    arguments: [
      ("6d", "taus2", 10_000_000), ("6d-spl1", "mt19937", 10_000_000), ("1d-h17-nodas", "taus2", 10_000_000),
      ("inf-enhc", "taus2", 10_000_000), ("8d-bj65-obo", "mt19937", 10_000_000), ("2d-rsa-hsa", "taus2", 10_000_000),
      ("6d", "gfsr4", 400_000), ("6d", "ranlxs0", 400_000), ("6d", "ranlxd1", 400_000), ("6d", "cmrg", 400_000),
      ("6d", "mrg", 400_000),
    ])
  func games(rules: String, generator: String, rounds: Int) throws {
    let difference = try outcome(
      "play", "rules: \(rules)\nchart: trainer\nrounds: \(rounds)\nrandom: {generator: \(generator)}"
    ).result.mean("ev.difference[\(rules)]")
    #expect(abs(difference.value) < 5 * difference.error)
  }

  @Test("a cut card costs a single deck about a tenth of a percent")
  func cutCard() throws {
    let ev = try outcome(
      "play", "rules: 1d-cut75\nchart: trainer\nrounds: 16M\nrandom: {generator: taus2, seed: 4}"
    ).result.mean("ev[1d-cut75]")
    let loss = try exactEV("1d") - ev.value
    // 0.113% is the published effect for one deck, at its own penetration.
    #expect(abs(loss - 0.00113) < 4 * ev.error && loss > 2 * ev.error, "\(loss)")
  }

  @Test("a deadline ends a run after whole blocks, and the same number of rounds gives the same payoffs")
  func deadline() throws {
    let chart = "rules: 6d\nchart: trainer\n"
    let (ended, found) = try outcome("play", chart + "deadline: 20ms")
    let rounds = try #require(found["rounds[6d]"])
    #expect(rounds > 0 && Int(rounds).isMultiple(of: 262_144))
    #expect(try outcome("play", chart + "rounds: \(Int(rounds))").result.data == ended.data)
  }

  @Test("a run ends after whole batches, the same under all rules, as soon as its thresholds are decided")
  func ending() throws {
    let scenario = try scenario(
      "blackjack.play", "rules: [inf, 6d]\nrounds: 8M\nthresholds: [ev in -0.02..0.01 at 0.99]",
      among: Blackjack.kinds)
    let measurements = try scenario.run(on: RunContext(workers: 2)).measurements
    #expect(scenario.evaluated(by: measurements).allSatisfy { $0.verdict == .holds })
    let rounds = measurements.filter { $0.measure.name == "rounds" }.map(\.estimate)
    #expect(rounds.count == 2 && rounds[0] == rounds[1] && rounds[0] < 8e6)
    #expect(Int(rounds[0]).isMultiple(of: 262_144))
  }

  @Test("rounds are won, pushed or lost, and the edge is the EV with its sign changed")
  func shares() throws {
    let (result, found) = try Self.played.get()
    let shares = ["won", "pushed", "lost"].compactMap { found["rounds.\($0)[inf]"] }
    #expect(abs(shares.reduce(0, +) - 1) < 1e-12 && shares.allSatisfy { $0 > 0.04 })
    let (ev, edge) = (try result.mean("ev[inf]"), try result.mean("edge[inf]"))
    #expect(edge.value == -ev.value && edge.error == ev.error)
  }

  @Test("the intervals of the standard deviation and of the mean contain the exact values")
  func exactBeside() throws {
    let (result, found) = try Self.played.get()
    let exact = try outcome("play", "rules: inf\nmethod: exact").found
    let deviation = try result.measurement("deviation[inf]").interval(at: 0.999)
    #expect(deviation.contains(exact["deviation[inf]"] ?? .nan))
    #expect(deviation.upperBound - deviation.lowerBound < 0.02)
    let difference = try result.mean("ev.difference[inf]")
    #expect(abs(difference.value) < 4 * difference.error)
    #expect(found["ev.exact[inf]"] == exact["ev[inf]"] && found["ev.exact[1d-cut75]"] == nil)
  }

  @Test(
    "under rules of some tables rounds have the exact mean and deviation",
    arguments: ["6d-es10-rescue-bj75", "1d-d11-charlie5-rescue", "2d-d9-bb1-charlie6", "8d-spl1-bb1-rescue"])
  func tableRules(name: String) throws {
    let result = try outcome("play", "rules: \(name)\nrounds: 4M\nrandom: {generator: taus2, seed: 9}").result
    let exact = try outcome("play", "rules: \(name)\nmethod: exact").found
    let difference = try result.mean("ev.difference[\(name)]")
    #expect(abs(difference.value) < 4 * difference.error)
    let deviation = try result.measurement("deviation[\(name)]").interval(at: 0.999)
    #expect(deviation.contains(exact["deviation[\(name)]"] ?? .nan))
  }

  @Test("two rounds leave thresholds on means and deviations undecided, however alike the rounds are")
  func twoRounds() throws {
    for seed in 1...6 {
      let scenario = try scenario(
        "blackjack.play",
        "rules: inf\nrounds: 2\nrandom: {seed: \(seed)}\nthresholds: [ev >= 0 at 0.999, deviation <= 3 at 0.999]",
        among: Blackjack.kinds)
      let verdicts = scenario.evaluated(by: try scenario.plan.run(on: RunContext(workers: 1)).measurements)
      #expect(verdicts.map(\.verdict) == [.undecided, .undecided], "seed \(seed)")
    }
  }

  @Test("computed values have no confidence, and play by composition has no distribution of payoffs")
  func exact() throws {
    let chart = try outcome("play", "rules: inf\nmethod: exact").result
    #expect(chart.measurements.map(\.measure.name) == ["ev", "edge", "deviation"])
    #expect(chart.document.text().contains("The payoffs of a round"))
    #expect(!chart.document.text().contains("How the estimate converged"))
    let (best, found) = try outcome("play", "rules: inf\nmethod: exact\nchart: composition")
    #expect(best.measurements.map(\.measure.name) == ["ev", "edge"])
    #expect(best.document.text().contains("Nothing is drawn: method exact plays no rounds."))
    #expect(!best.document.text().contains("The payoffs of a round"))
    #expect(found["ev[inf]"].map { abs($0 - -0.005_117_34) < 1e-8 } == true)
  }

  @Test("payoffs are drawn with simulated and exact chances next to each other, which agree")
  func payoffs() throws {
    let figures = try Self.played.get().result.figures(of: "measures").filter { $0.id.hasPrefix("payoffs") }
    #expect(figures.map(\.id) == ["payoffs-inf", "payoffs-1d-cut75"])
    let infinite = try #require(figures.first)
    let simulated = try #require(infinite.series.first { $0.name == "simulated" }).points
    let exact = try #require(infinite.series.first { $0.name == "exact" }).points
    let counts = exact.map { point in
      Int((1_200_000 * (simulated.first { $0.x == point.x }?.y ?? 0)).rounded())
    }
    #expect(counts.reduce(0, +) == 1_200_000)
    #expect(ChiSquareTest(observed: counts, probabilities: exact.map(\.y)).pValue > 1e-4)
    #expect(simulated.allSatisfy { $0.interval?.contains($0.y) == true })
  }

  @Test("the convergence doubles from stage to stage and ends with all rounds")
  func course() throws {
    let (result, _) = try Self.played.get()
    let figure = result.figures(of: "measures").first { $0.id.hasPrefix("convergence") }
    let points = try #require(figure?.series.first).points
    #expect(points.map(\.x) == [262_144, 524_288, 1_048_576, 1_200_000])
    let widths = points.compactMap(\.interval).map { $0.upperBound - $0.lowerBound }
    #expect(zip(widths, widths.dropFirst()).allSatisfy { $0 > $1 })
  }
}

@Suite("The exact chances of what a round pays")
struct PayoffChanceTests {
  /// Payoffs in bets with their chances, and the mean and the deviation that are found without them.
  private func chances(
    _ rules: String, chart: String = "chart: trainer"
  ) throws -> (chances: [(bets: Double, chance: Double)], ev: Double, deviation: Double) {
    let (result, found) = try outcome("play", "rules: \(rules)\nmethod: exact\n\(chart)")
    let chances = try result.data["games"][0]["chances"].members.map {
      (bets: try #require(Double($0.key)), chance: $0.value.double)
    }
    return (chances, found["ev[\(rules)]"] ?? .nan, found["deviation[\(rules)]"] ?? .nan)
  }

  @Test("six decks and two hands by the trainer's chart have ten payoffs and a standard deviation of 1.146391462572")
  func trainerTwoHands() throws {
    let expected = [
      (-4, 0.000197803), (-3, 0.001710943), (-2, 0.042643194), (-1, 0.434165478), (0, 0.087887007), (1, 0.326320040),
      (1.5, 0.045322988), (2, 0.059181286), (3, 0.002175592), (4, 0.000395670),
    ]
    let found = try chances("6d-spl1")
    #expect(found.chances.map(\.bets) == expected.map(\.0))
    for (one, known) in zip(found.chances, expected) { #expect(abs(one.chance - known.1) <= 0.51e-9, "\(known.0)") }
    #expect(abs(found.deviation - 1.146_391_462_572) < 1e-12)
  }

  @Test(
    "they sum to one and have the mean and the deviation that are found without them, eight bets either way at most",
    arguments: ["inf", "inf-rsa-hsa-enhc"])
  func sums(rules: String) throws {
    let found = try chances(rules)
    let mean = found.chances.reduce(0) { $0 + $1.chance * $1.bets }
    let square = found.chances.reduce(0) { $0 + $1.chance * $1.bets * $1.bets }
    #expect(abs(found.chances.reduce(0) { $0 + $1.chance } - 1) < 1e-13)
    #expect(abs(mean - found.ev) < 1e-13)
    #expect(abs((square - mean * mean).squareRoot() - found.deviation) < 1e-13)
    #expect(found.chances.first?.bets == -8 && found.chances.last?.bets == 8)
  }

  @Test("a surrender loses half a bet in exactly the rounds in which the chart surrenders")
  func surrender() throws {
    var chart = StrategyChart.trainer
    chart[ChartCellKey(try #require(ChartRow.hard(16)), against: .ten)] = StrategyChart.Cell(.surrender, else: .hit)
    let found = try chances("inf-ls", chart: "chart:\n" + written(chart))
    // 10,6 or 9,7, a ten, and a second card of the dealer that is no ace.
    let hands = 2 * (4.0 * 1 + 1 * 1) / 169
    #expect(found.chances.contains { $0.bets == -0.5 && abs($0.chance - hands * 4 / 13 * 12 / 13) < 1e-15 })
  }
}
