// SPDX-License-Identifier: GPL-3.0-or-later
package import BlackjackCore
package import MonteCarlo
internal import Statistics

/// Everything that commands and scenarios ask of the lab, with the workers, the interrupt and the progress they share.
package struct BlackjackTrials: Sendable {
  /// How many workers share a simulation; results do not depend on it.
  package let workers: Int
  /// Looked at after every block.
  package let interrupt: Interrupt
  /// Makes the progress display of one simulation, given its rounds where they are known; `nil` where none is wanted.
  package let meter: @Sendable (_ mostRounds: Int?) -> ProgressMeter?

  /// A lab at work.
  package init(
    workers: Int, interrupt: Interrupt = Interrupt(),
    meter: @escaping @Sendable (_ mostRounds: Int?) -> ProgressMeter? = { _ in nil }
  ) {
    self.workers = workers
    self.interrupt = interrupt
    self.meter = meter
  }

  /// The chart that simulation makes from the rules.
  ///
  /// - Throws: `CertificationError` for what cannot be certified; errors of the generator and of the runner.
  package func simulatedChart(_ rules: Rules, _ simulation: Provenance.Simulation) throws -> ChartResult {
    let maker = try ChartMaker(rules: rules, simulation: simulation, workers: workers)
    let meter = meter(nil)
    defer { meter?.finish() }
    var samples = 0
    return try maker.make(interrupt: interrupt) { progress in
      meter?.advance(by: progress.samples - samples)
      meter?.say("\(progress.decided) of \(ChartCellKey.all.count) cells decided")
      samples = progress.samples
    }
  }

  /// The chart that the exact analyser makes.
  ///
  /// - Throws: `CertificationError.needsFreshShoe` for a game with a cut card.
  package func exactChart(_ rules: Rules) throws(CertificationError) -> ChartResult {
    guard rules.dealing == .freshShoe else { throw .needsFreshShoe(rules) }
    return ExactAnalysis(rules: rules).chart
  }

  /// What a chart earns over so many rounds; fewer where it is interrupted.
  ///
  /// - Throws: `BlackjackError` where the chart has no answer; errors of the generator and of the runner.
  package func playedGame(
    _ rules: Rules, by chart: StrategyChart, rounds: Int, _ simulation: Provenance.Simulation
  ) throws -> GameReport.Evidence {
    try playedGame(rules, by: chart, until: .rounds(rounds), simulation).evidence
  }

  /// What a chart earns until a rule says to stop, and why it stopped.
  ///
  /// - Parameters:
  ///   - rules: the game.
  ///   - chart: how the player plays.
  ///   - rule: when to stop; a half-width is in bets.
  ///   - simulation: what determines the rounds.
  /// - Returns: the payoffs with their interval, and the reason.
  /// - Throws: `BlackjackError` where the chart has no answer; errors of the generator and of the runner.
  package func playedGame(
    _ rules: Rules, by chart: StrategyChart, until rule: StoppingRule, _ simulation: Provenance.Simulation
  ) throws -> (evidence: GameReport.Evidence, reason: StopReason) {
    let game = try game(rules, by: chart, until: rule, simulation)
    return (game.evidence, game.reason)
  }

  /// As `playedGame`, with the results on the way: after 1, 2, 4, 8 … blocks of rounds, and after all of them.
  func game(
    _ rules: Rules, by chart: StrategyChart, until rule: StoppingRule, _ simulation: Provenance.Simulation
  ) throws -> (evidence: GameReport.Evidence, reason: StopReason, course: [GameResult]) {
    let meter = if case .rounds(let rounds) = rule { meter(rounds) } else { meter(nil) }
    defer { meter?.finish() }
    let simulator = try GameSimulator(
      rules: rules, chart: chart, seed: simulation.seed, generator: simulation.generator, workers: workers)
    let run = try simulator.play(until: rule, interrupt: interrupt) { meter?.advance(by: $0) }
    let normal = try NormalInterval(
      mean: run.result.ev, standardError: run.result.standardError, confidence: simulation.confidence)
    let evidence = GameReport.Evidence.played(
      run.result, seed: simulation.seed, generator: simulation.generator, confidence: simulation.confidence,
      interval: run.interval ?? normal.lower...normal.upper)
    return (evidence, run.reason, run.course)
  }

  /// What a chart earns, computed.
  ///
  /// - Throws: `BlackjackError` where the chart has no answer.
  package func exactGame(_ rules: Rules, by chart: StrategyChart) throws(BlackjackError) -> GameReport.Evidence {
    let value = try ExactAnalysis(rules: rules, following: chart)
    let payoffs = ExactPayoffs(of: value)
    return .computed(
      ev: value.gameValue, standardDeviation: payoffs.standardDeviation,
      chances: payoffs.distribution?.map { ($0.tenths, $0.probability) })
  }

  /// Every action's value of one hand, from both witnesses.
  ///
  /// - Parameters:
  ///   - rules: the rules, with a fresh shoe.
  ///   - cards: two or more; the analyser values hands of two.
  ///   - upcard: the dealer's.
  ///   - samples: how many times to play each action.
  ///   - simulation: what determines the randomness and the intervals.
  /// - Returns: the values, side by side.
  /// - Throws: `BlackjackError` for a hand without a decision; errors of the generator and of the runner.
  package func hand(
    _ rules: Rules, _ cards: [CardValue], against upcard: CardValue, samples: Int, _ simulation: Provenance.Simulation
  ) throws -> HandReport {
    let chart = try exactChart(rules).chart
    let analysis = ExactAnalysis(rules: rules)
    let simulator = try HandSimulator(
      rules: rules, cards: cards, against: upcard, following: chart, simulation: simulation, workers: workers)
    let meter = meter(nil)
    defer { meter?.finish() }
    let estimate = try simulator.play(samples: samples, interrupt: interrupt) { meter?.advance(by: $0) }
    guard cards.count == 2 else {
      return HandReport(rules: rules, cards: cards, upcard: upcard, estimate: estimate)
    }
    let following = try ExactAnalysis(rules: rules, following: chart)
    return HandReport(
      rules: rules, cards: cards, upcard: upcard, exact: analysis.values(cards[0], cards[1], against: upcard),
      exactByChart: following.values(cards[0], cards[1], against: upcard), estimate: estimate)
  }

  /// The trial of a chart before both witnesses.
  ///
  /// - Throws: as `simulatedChart` and `exactGame`.
  package func verification(
    _ rules: Rules, of chart: StrategyChart, named name: String, _ simulation: Provenance.Simulation
  ) throws -> Verification {
    try verification(of: chart, named: name, by: simulatedChart(rules, simulation))
  }

  /// The trial of a chart before the analyser and a simulated chart that is there already.
  ///
  /// - Throws: `BlackjackError` where a chart has no answer.
  package func verification(
    of chart: StrategyChart, named name: String, by simulated: ChartResult
  ) throws(BlackjackError) -> Verification {
    try Verification(of: chart, named: name, against: simulated)
  }
}
