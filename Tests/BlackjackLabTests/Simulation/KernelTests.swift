// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import Testing

@testable import BlackjackLab

@Suite("The batched kernel plays the core's rounds")
struct KernelTests {
  /// Twelve games that differ in every rule.
  static let games = [
    "6d", "1d-h17-nodas-d10-ls-bj65", "2d-h17-spl1", "8d-enhc", "inf", "6d-es-rsa-hsa", "8d-obo-ls", "1d-enhc-hsa",
    "4d-h17-d9-es-bj11", "inf-h17-ls-spl2-rsa", "6d-obo-nodas-spl1-bj21", "2d-h17-es-enhc-rsa",
  ]
  static let roundsPerBlock = 400
  static let blocks = 1050

  @Test(
    "ten million rounds of twelve games, dealt the same cards, pay the same as the core's rounds",
    arguments: games.indices)
  func sameAsTheCore(game: Int) throws {
    let rules = try Rules(name: Self.games[game])
    var random = KernelRandom(seed: game)
    // A good chart plays what players play; a senseless one goes where they never go.
    for chart in [ExactAnalysis(rules: rules).chart.chart, random.chart()] {
      let automaton = try RoundAutomaton(rules: rules, chart: chart)
      var kernel = try RoundKernel(automaton: automaton, rules: rules, chart: chart, generator: "taus2")
      var reference = try KernelReference(rules: rules, chart: chart, automaton: automaton, generator: "taus2")
      var differing: [UInt32] = []
      for block in 1...UInt32(Self.blocks) {
        // An odd number of rounds now and then: the seats' quotas differ then.
        let rounds = Self.roundsPerBlock + Int(block % 3) - 1
        let played = try kernel.play(rounds: rounds, seed: block)
        if try played != reference.play(rounds: rounds, seed: block) || played.result.rounds != rounds {
          differing.append(block)
        }
      }
      #expect(differing.isEmpty, "blocks of \(rules)")
    }
  }

  @Test("a block of one round, and of none")
  func smallestBlocks() throws {
    let rules = try Rules(name: "1d")
    let automaton = try RoundAutomaton(rules: rules, chart: .trainer)
    var kernel = try RoundKernel(automaton: automaton, rules: rules, chart: .trainer, generator: "taus2")
    var reference = try KernelReference(rules: rules, chart: .trainer, automaton: automaton, generator: "taus2")
    for seed: UInt32 in 1...200 {
      let played = try kernel.play(rounds: 1, seed: seed)
      #expect(played.result.rounds == 1)
      #expect(try played == reference.play(rounds: 1, seed: seed))
    }
    #expect(try kernel.play(rounds: 0, seed: 1).result.rounds == 0)
  }

  @Test("a block's result does not depend on the blocks that the kernel played before")
  func blocksAreIndependent() throws {
    let rules = try Rules(name: "6d")
    let automaton = try RoundAutomaton(rules: rules, chart: .trainer)
    var used = try RoundKernel(automaton: automaton, rules: rules, chart: .trainer, generator: "mt19937")
    for seed: UInt32 in [7, 3, 9] { _ = try used.play(rounds: 1001, seed: seed) }
    var fresh = try RoundKernel(automaton: automaton, rules: rules, chart: .trainer, generator: "mt19937")
    #expect(try used.play(rounds: 5000, seed: 3) == fresh.play(rounds: 5000, seed: 3))
  }

  @Test("every payoff is one that the rules can pay", arguments: games.indices)
  func payoffsArePossible(game: Int) throws {
    let rules = try Rules(name: Self.games[game])
    var random = KernelRandom(seed: 100 + game)
    let chart = random.chart()
    let automaton = try RoundAutomaton(rules: rules, chart: chart)
    var kernel = try RoundKernel(automaton: automaton, rules: rules, chart: chart, generator: "mt19937")
    let result = try kernel.play(rounds: 100_000, seed: 1).result
    let most = 10 * rules.maximumHands * (rules.doubleAfterSplit ? 2 : 1)
    let halves = rules.surrender == .none ? [rules.naturalPays.tenths] : [rules.naturalPays.tenths, -5]
    for payoff in result.payoffs {
      #expect(
        halves.contains(payoff.tenths) || (payoff.tenths % 10 == 0 && abs(payoff.tenths) <= max(most, 20)),
        "\(payoff) of \(rules)")
    }
    #expect(result.payoffs.count > 4)
  }
}
