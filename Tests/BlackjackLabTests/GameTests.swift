// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
@testable import BlackjackLab
import MonteCarlo
import Randomness
import TestSupport
import Testing

extension PayoffTally {
  fileprivate var standardError: Double { standardDeviation / Double(rounds).squareRoot() }
}

extension GameSimulator {
  fileprivate func play(rounds: Int) throws -> PayoffTally { try play(until: .rounds(rounds)).result }
}

@Suite("Whole rounds, played by a chart")
struct GameTests {
  private func simulator(
    _ rules: String, seed: UInt64 = 1, generator: String = "taus2", workers: Workers = 2,
    chart: StrategyChart = .trainer
  ) throws -> GameSimulator {
    try GameSimulator(rules: Rules(name: rules), chart: chart, seed: seed, generator: generator, workers: workers)
  }

  private func exact(_ rules: String) throws -> Double {
    try ExactAnalysis(rules: Rules(name: rules), following: .trainer).gameValue
  }

  @Test(
    "ten million rounds of the trainer's chart earn what the analyser says",
    arguments: ["6d", "6d-spl1", "1d-h17-nodas", "inf-enhc", "8d-bj65-obo", "2d-rsa-hsa"])
  func expectedValue(rules: String) throws {
    let result = try simulator(rules).play(rounds: 10_000_000)
    #expect(result.rounds == 10_000_000)
    #expect(try abs(result.ev - exact(rules)) < 5 * result.standardError, "\(result.ev)")
  }

  @Test("six decks, two hands at most: every payoff as often as it should be")
  func payoffDistribution() throws {
    let rules = try Rules(name: "6d-spl1")
    let exact = ExactPayoffs(of: try ExactAnalysis(rules: rules, following: .trainer))
    let chances = try #require(exact.distribution)
    let result = try simulator("6d-spl1", seed: 2, generator: "mt19937").play(rounds: 10_000_000)
    let counts = Dictionary(uniqueKeysWithValues: result.payoffs.map { ($0.tenths, $0.count) })
    let test = ChiSquareTest(
      observed: chances.map { counts[$0.tenths] ?? 0 }, probabilities: chances.map(\.probability))
    #expect(test.pValue > 1e-4 && test.degreesOfFreedom == chances.count - 1, "\(test)")
    #expect(result.payoffs.map(\.tenths) == chances.map(\.tenths))
    #expect(abs(result.standardDeviation / exact.standardDeviation - 1) < 0.002)
  }

  @Test("a run that is to be precise ends when it is, or when it has played enough")
  func halfWidth() throws {
    let loose = try simulator("6d").play(until: .halfWidth(0.005, confidence: 0.99, atMost: 1 << 40))
    #expect(loose.reason == .settled)
    // Looking at any time costs width: a plain interval would be as narrow after fewer rounds, never after more.
    #expect(2.576 * loose.result.standardError < 0.005)
    #expect(try abs(loose.result.ev - exact("6d")) < 0.005)
    let capped = try simulator("6d").play(until: .halfWidth(0.0001, confidence: 0.99, atMost: 1000))
    #expect(capped.reason == .completed && capped.result.rounds == 1000)
  }

  @Test("a deadline ends a run after whole blocks, and so many rounds give the same bits")
  func deadline() throws {
    let run = try simulator("6d").play(until: .deadline(.milliseconds(20)))
    #expect(run.reason == .deadline)
    #expect(run.result.rounds > 0 && run.result.rounds.isMultiple(of: GameSimulator.roundsPerBlock))
    #expect(try simulator("6d").play(rounds: run.result.rounds) == run.result)
  }

  @Test("a cut card costs a single deck about a tenth of a percent")
  func cutCardEffect() throws {
    let result = try simulator("1d-cut75", seed: 4, chart: .trainer).play(rounds: 16_000_000)
    let loss = try exact("1d") - result.ev
    // 0.113% is the published effect for one deck, at a penetration of its own.
    #expect(abs(loss - 0.00113) < 4 * result.standardError, "\(loss)")
    #expect(loss > 2 * result.standardError, "\(loss)")
  }

  @Test("where only the original bet is lost, having no hole card changes nothing")
  func originalBetsOnly() throws {
    let peek = try simulator("6d", seed: 6).play(rounds: 10_000_000)
    let original = try simulator("6d-obo", seed: 7).play(rounds: 10_000_000)
    let error = (peek.standardError * peek.standardError + original.standardError * original.standardError)
    #expect(abs(peek.ev - original.ev) < 5 * error.squareRoot())
    #expect(try abs(exact("6d") - exact("6d-obo")) < 1e-14)
    #expect(try exact("6d-enhc") < exact("6d") - 0.0005)
  }

  @Test("every kind of generator plays", arguments: ["mt19937", "taus2", "gfsr4", "ranlxs0", "ranlxd1", "cmrg", "mrg"])
  func generators(name: String) throws {
    let result = try simulator("6d", generator: name).play(rounds: 400_000)
    #expect(result.rounds == 400_000)
    #expect(try abs(result.ev - exact("6d")) < 5 * result.standardError)
  }

  @Test("no round, a negative number of them, or a generator that nobody knows is an error")
  func refusals() throws {
    for rounds in [0, -1] {
      #expect(throws: MonteCarloError.self) { try simulator("6d").play(rounds: rounds) }
    }
    #expect(throws: MonteCarloError.self) { try simulator("6d", workers: 0) }
    #expect(throws: RandomnessError.self) { try simulator("6d", generator: "mt19938") }
    #expect(throws: BlackjackError.self) { try simulator("6d", chart: StrategyChart()).play(rounds: 10) }
    #expect(throws: BlackjackError.self) { try simulator("6d-cut75", chart: StrategyChart()).play(rounds: 10) }
  }
}
