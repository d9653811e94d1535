// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Reporting

extension BlackjackScenario {
  /// Runs the scenario under its rules, one after the other, and checks every expectation.
  ///
  /// - Parameter trials: the lab.
  /// - Returns: the expectations checked before the lab was interrupted, if it was.
  /// - Throws: what a chart file or the lab finds wrong: `ReportingError`, `BlackjackError`, `CertificationError`.
  public func run(in trials: BlackjackTrials) throws -> ScenarioOutcome {
    var checks: [ScenarioOutcome.Check] = []
    var charts: [ChartResult] = []
    for rules in rules where !trials.interrupt.isRaised {
      let expected = expectations.filter { $0.rules.contains(rules) }
      let found: [ScenarioOutcome.Check]
      switch kind {
      case .chart:
        let chart = try trials.simulatedChart(rules, simulation)
        charts.append(chart)
        found = try check(chart, expected, in: trials)
      case .play: found = try checkGame(rules, expected, in: trials)
      case .verify: found = [try checkTrial(rules, in: trials)]
      }
      if !trials.interrupt.isRaised { checks += found }
    }
    return ScenarioOutcome(scenario: self, checks: checks, charts: charts)
  }

  private func check(
    _ result: ChartResult, _ expected: [Expectation], in trials: BlackjackTrials
  ) throws -> [ScenarioOutcome.Check] {
    try expected.compactMap { expectation in
      guard let source = expectation.chart else { return nil }
      let chart = try Self.read(source, rules: result.provenance.rules, in: trials)
      let different = result.cells.filter { !Self.matches($0, chart) }
      var found = "\(result.cells.count - different.count) cells match, \(result.count(of: .certified)) certified"
      var holds = different.isEmpty
      if source == .exact {
        let trial = try trials.verification(of: result.chart, named: "simulated", by: result)
        found += ", \(trial.cells.count - trial.surprises.count) with the exact values inside their intervals"
        holds = holds && trial.witnessesAgree
      }
      let names = different.prefix(5).map(\.key.description).joined(separator: ", ")
      return ScenarioOutcome.Check(
        rules: result.provenance.rules, subject: "chart", found: found + (names.isEmpty ? "" : "; not \(names)"),
        expected: source.name, source: expectation.source ?? "", holds: holds)
    }
  }

  /// Whether a decided cell says what a chart says, or finds it as good as what it says itself.
  private static func matches(_ cell: ChartCell, _ chart: StrategyChart) -> Bool {
    let expected = chart[cell.key]?.action
    switch cell.verdict {
    case .certified, .exact: return cell.decision.action == expected
    case .indifferent: return cell.decision.action == expected || cell.runnerUp == expected
    case .undecided: return false
    }
  }

  private func checkGame(
    _ rules: Rules, _ expected: [Expectation], in trials: BlackjackTrials
  ) throws -> [ScenarioOutcome.Check] {
    let evidence = try evidence(rules, in: trials)
    return expected.compactMap { expectation in
      guard let interval = expectation.ev else { return nil }
      let found: String
      let holds: Bool
      switch evidence {
      case .played(let result, _, _, _, let measured):
        found =
          "\(Self.percent(result.ev)) (\(Self.percent(measured.lowerBound)) to \(Self.percent(measured.upperBound)))"
        holds = measured.overlaps(interval)
      case .computed(let ev, _, _):
        found = Self.percent(ev)
        holds = interval.contains(ev)
      }
      return ScenarioOutcome.Check(
        rules: rules, subject: "EV, \(chart.name) chart", found: found,
        expected: "\(Self.percent(interval.lowerBound)) to \(Self.percent(interval.upperBound))",
        source: expectation.source ?? "", holds: holds)
    }
  }

  private func evidence(_ rules: Rules, in trials: BlackjackTrials) throws -> GameReport.Evidence {
    if chart == .composition {
      return .computed(ev: ExactAnalysis(rules: rules).gameValue, standardDeviation: nil, chances: nil)
    }
    let player = try Self.read(chart, rules: rules, in: trials)
    return switch method {
    case .exact:
      .computed(
        ev: try ExactChartValue(chart: player, rules: rules).gameValue, standardDeviation: nil, chances: nil)
    case .simulate: try trials.playedGame(rules, by: player, rounds: rounds, simulation)
    }
  }

  private func checkTrial(_ rules: Rules, in trials: BlackjackTrials) throws -> ScenarioOutcome.Check {
    let chart = try Self.read(chart, rules: rules, in: trials)
    let verification = try trials.verification(rules, of: chart, named: self.chart.name, simulation)
    return ScenarioOutcome.Check(
      rules: rules, subject: "\(self.chart.name) chart on trial", found: VerificationReport(verification).verdict,
      expected: "no cell wrong, witnesses agree", holds: verification.holds)
  }

  private static func read(
    _ source: ChartSource, rules: Rules, in trials: BlackjackTrials
  ) throws -> StrategyChart {
    switch source {
    case .trainer: .trainer
    case .exact, .composition: try trials.exactChart(rules).chart
    case .file(let path): try StrategyChart(csv: TextFile.read(path))
    }
  }

  private static func percent(_ bets: Double) -> String { NumberFormat.signed(bets * 100, decimals: 6) + "%" }
}
