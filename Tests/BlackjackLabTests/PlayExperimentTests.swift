// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
@testable import BlackjackLab
import MonteCarlo
import Reporting
import Scenarios
import TestSupport
import Testing

@Suite("Whole rounds, played and computed")
struct PlayExperimentTests {
  private static let played = """
    name: Games
    kind: blackjack.play
    rules: [inf, 1d-cut75]
    random: {generator: taus2, seed: 4}
    rounds: 1200000
    thresholds:
      - ev[inf] in -0.02..0.01 at 0.999
      - ev.difference in -0.01..0.01 at 0.999

    """

  @Test("the chart of the rules is played unless another one is named, and the report says which")
  func whichChart() throws {
    func text(_ keys: String) throws -> (ev: Measurement.Value, text: String) {
      let (_, result) = try outcome(
        of: "name: x\nkind: blackjack.play\nrules: 8d-h17-das-ls\nmethod: exact\n\(keys)")
      return (try result.value("ev[8d-h17-das-ls]"), result.document.text(width: 1_000))
    }
    let (usual, words) = try text("")
    let rules = try Rules(name: "8d-h17-das-ls")
    let own = try ExactAnalysis(rules: rules, following: ExactAnalysis(rules: rules).chart.chart).gameValue
    #expect(usual == .exact(own) && abs(own - -0.005_547_80) < 5e-9)
    #expect(words.contains("The chart of the rules under 8d-h17-das-ls:"))
    let (trainer, named) = try text("chart: trainer\n")
    #expect(trainer == .exact(try ExactAnalysis(rules: rules, following: .trainer).gameValue))
    #expect(named.contains("The trainer's chart (made for 4 to 8 decks, S17, DAS, no surrender) under 8d-h17-das-ls:"))
  }

  @Test("the shares of rounds won, pushed and lost make a whole, and the edge is the EV with its sign changed")
  func shares() throws {
    let (_, result) = try outcome(of: Self.played)
    let counts = try ["won", "pushed", "lost"].map { name -> Int in
      guard case .proportion(let count, 1_200_000) = try result.value("rounds.\(name)[inf]") else { return 0 }
      return count
    }
    #expect(counts.reduce(0, +) == 1_200_000 && counts.allSatisfy { $0 > 50_000 })
    guard case .mean(let ev, let deviation, 1_200_000) = try result.value("ev[inf]"),
      case .mean(let edge, deviation, 1_200_000) = try result.value("edge[inf]")
    else { return #expect(Bool(false), "\(result.measurements)") }
    #expect(edge == -ev)
  }

  @Test("the standard deviation's interval holds the exact one, and so does the mean's")
  func exactBeside() throws {
    let (_, result) = try outcome(of: Self.played)
    let rules = try Rules(name: "inf")
    let analysis = try ExactAnalysis(rules: rules, following: ExactAnalysis(rules: rules).chart.chart)
    let payoffs = ExactPayoffs(of: analysis)
    guard case .interval(_, let low, let high, 0.999, _) = try result.value("deviation[inf]"),
      case .mean(let difference, let deviation, let rounds) = try result.value("ev.difference[inf]")
    else { return #expect(Bool(false), "\(result.measurements)") }
    #expect((low...high).contains(payoffs.standardDeviation) && high - low < 0.02)
    #expect(abs(difference) < 4 * deviation / Double(rounds).squareRoot())
    #expect(try result.value("ev.exact[inf]") == .exact(analysis.gameValue))
    #expect(!result.measurements.contains { $0.measure.fullName == "ev.exact[1d-cut75]" })
  }

  @Test("two rounds decide nothing, however alike they are")
  func twoRounds() throws {
    for seed in 1...6 {
      let (scenario, result) = try outcome(
        of: "name: x\nkind: blackjack.play\nrules: inf\nrounds: 2\nrandom: {seed: \(seed)}\n"
          + "thresholds: [ev >= 0 at 0.999, deviation <= 3 at 0.999, rounds.lost > 1% at 0.999]\n")
      let verdicts = scenario.evaluated(by: result.measurements).map(\.verdict)
      #expect(verdicts.prefix(2) == [.undecided, .undecided], "seed \(seed)")
    }
  }

  @Test("what is computed needs no confidence, and composition has no distribution")
  func exact() throws {
    let (_, chart) = try outcome(of: "name: x\nkind: blackjack.play\nrules: inf\nmethod: exact\n")
    #expect(chart.measurements.map(\.measure.name) == ["ev", "edge", "deviation"])
    #expect(chart.document.sections.map(\.id) == ["earnings", "payoffs"])
    let (scenario, best) = try outcome(
      of: "name: x\nkind: blackjack.play\nrules: inf\nmethod: exact\nchart: composition\n"
        + "thresholds: ['ev in -0.00511735..-0.00511733']\n")
    #expect(best.measurements.map(\.measure.name) == ["ev", "edge"])
    #expect(best.document.sections.map(\.id) == ["earnings"])
    #expect(scenario.evaluated(by: best.measurements).map(\.verdict) == [.holds])
  }

  @Test("payoffs are drawn with simulated and exact chances side by side, which agree")
  func payoffs() throws {
    let (_, result) = try outcome(of: Self.played)
    let figures = result.figures(of: "payoffs")
    #expect(figures.map(\.id) == ["payoffs-inf", "payoffs-1d-cut75"])
    let infinite = try #require(figures.first)
    let simulated = try #require(infinite.series.first { $0.name == "simulated" })
    let exact = try #require(infinite.series.first { $0.name == "exact" })
    #expect(abs(simulated.points.map(\.y).reduce(0, +) - 1) < 1e-12)
    #expect(abs(exact.points.map(\.y).reduce(0, +) - 1) < 1e-9)
    let outside = exact.points.filter { point in
      simulated.points.first { $0.x == point.x }?.interval.map { !$0.contains(point.y) } ?? true
    }
    #expect(outside.isEmpty)
  }

  @Test("the convergence doubles from block to block and ends with everything")
  func course() throws {
    let (_, result) = try outcome(of: Self.played)
    let figure = try #require(result.figures(of: "convergence").first)
    let points = try #require(figure.series.first).points
    #expect(points.map(\.x) == [262_144, 524_288, 1_048_576, 1_200_000])
    let widths = points.compactMap(\.interval).map { $0.upperBound - $0.lowerBound }
    #expect(zip(widths, widths.dropFirst()).allSatisfy { $0 > $1 })
  }

  @Test("payoffs kept apart by when they were played merge by the law of tallies")
  func growing() {
    func tally(_ block: Int, _ tenths: Int) -> GrowingTally {
      var payoffs = PayoffTally()
      payoffs.add(tenths, times: block + 1)
      return GrowingTally(block: block, payoffs)
    }
    let samples = [tally(0, -10), tally(1, 15), tally(2, 0), tally(3, 20), tally(9, -5)]
    #expect(mergeLawViolation(among: samples, empty: GrowingTally()) { $0.merge($1) } == nil)
    let course = samples.reduce(GrowingTally()) { $0.merged(with: $1) }.course
    #expect(course.map(\.rounds) == [1, 3, 10, 20])
  }
}
