// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import MonteCarlo
internal import Reporting
internal import Scenarios

extension PlayPlan {
  func run(on bench: ScenarioBench) throws -> ScenarioResult {
    let trials = BlackjackTrials(on: bench)
    var findings: [GameFindings] = []
    for named in rules where !bench.interrupt.isRaised { findings.append(try self.findings(named, in: trials)) }
    return ScenarioResult(
      measurements: measures.found(in: findings.map { ($0.named.label, $0.values) }),
      data: ["games": .array(findings.map(\.json))], sections: GameSections(findings).all,
      text: Self.text(of: findings),
      isComplete: findings.count == rules.count && findings.allSatisfy { $0.isComplete(under: method) })
  }

  private func findings(_ named: NamedRules, in trials: BlackjackTrials) throws -> GameFindings {
    if chart == .composition {
      let ev = ExactAnalysis(rules: named.rules).gameValue
      return GameFindings(
        named: named, chart: chart.name, evidence: .computed(ev: ev, standardDeviation: nil, chances: nil))
    }
    let player = try chart.chart(for: named.rules, in: trials)
    switch method {
    case .exact:
      return GameFindings(named: named, chart: chart.name, evidence: try trials.exactGame(named.rules, by: player))
    case .simulate(let rounds, let simulation):
      let game = try trials.game(named.rules, by: player, until: .rounds(rounds), simulation)
      // What is computed takes a second, and nobody waits for it who has just asked for an end.
      let exact =
        named.hasFreshShoe && !trials.interrupt.isRaised ? try trials.exactGame(named.rules, by: player) : nil
      return GameFindings(
        named: named, chart: chart.name, evidence: game.evidence, course: game.course, exact: exact)
    }
  }

  /// The report of a single game; a line for each of several.
  private static func text(of findings: [GameFindings]) -> String {
    if findings.count == 1, let only = findings.first { return only.report.rendered(as: .text) ?? "" }
    return findings.isEmpty ? "" : GameSections(findings).summary(decimals: 6).text
  }
}

/// What a chart earns under some rules.
struct GameFindings {
  /// Under which rules.
  let named: NamedRules
  /// What was found, with the chart's name.
  let report: GameReport
  /// For rounds played: the results after 1, 2, 4, 8 … blocks, and after all of them.
  let course: [GameResult]
  /// Beside rounds played, what is computed; `nil` where it cannot be.
  let exact: (ev: Double, standardDeviation: Double?, chances: [(tenths: Int, probability: Double)]?)?

  init(
    named: NamedRules, chart: String, evidence: GameReport.Evidence, course: [GameResult] = [],
    exact: GameReport.Evidence? = nil
  ) {
    (self.named, self.course) = (named, course)
    report = GameReport(rules: named.rules, chart: chart, evidence: evidence)
    if case .computed(let ev, let standardDeviation, let chances) = exact {
      self.exact = (ev, standardDeviation, chances)
    } else {
      self.exact = nil
    }
  }

  /// The rounds played with the interval's confidence; `nil` where the EV is computed.
  var played: (result: GameResult, confidence: Double, interval: ClosedRange<Double>)? {
    guard case .played(let result, _, _, let confidence, let interval) = report.evidence else { return nil }
    return (result, confidence, interval)
  }

  /// Whether everything was done that was asked for.
  func isComplete(under method: PlayPlan.Method) -> Bool {
    guard case .simulate(let rounds, _) = method else { return true }
    return played?.result.rounds == rounds
  }

  /// What was found, by the names of the measures.
  var values: [String: Measurement.Value] {
    switch report.evidence {
    case .computed(let ev, let standardDeviation, _):
      var values: [String: Measurement.Value] = ["ev": .exact(ev), "edge": .exact(-ev)]
      values["deviation"] = standardDeviation.map { .exact($0) }
      return values
    case .played(let result, _, _, let confidence, _):
      guard result.rounds > 1 else { return [:] }
      func mean(_ value: Double) -> Measurement.Value {
        .mean(value, standardDeviation: result.standardDeviation, samples: result.rounds)
      }
      func share(_ isWanted: (Int) -> Bool) -> Measurement.Value {
        let count = result.payoffs.filter { isWanted($0.tenths) }.reduce(0) { $0 + $1.count }
        return .proportion(successes: count, trials: result.rounds)
      }
      var values = [
        "ev": mean(result.ev), "edge": mean(-result.ev), "rounds.won": share { $0 > 0 },
        "rounds.pushed": share { $0 == 0 }, "rounds.lost": share { $0 < 0 },
      ]
      values["deviation"] = result.deviationInterval(at: confidence).map {
        .interval(
          result.standardDeviation, low: $0.lowerBound, high: $0.upperBound, confidence: confidence,
          samples: result.rounds)
      }
      if let exact {
        values["ev.exact"] = .exact(exact.ev)
        values["ev.difference"] = mean(result.ev - exact.ev)
      }
      return values
    }
  }

  /// The game's report, and what is computed beside rounds played.
  var json: JSONValue {
    .object([
      JSONMember("rules", .string(named.label)), JSONMember("game", report.json),
      JSONMember(
        "exact",
        exact.map { exact in
          [
            "ev": .fixed(exact.ev, decimals: 12),
            "standardDeviation": exact.standardDeviation.map { .fixed($0, decimals: 12) } ?? .null,
          ]
        } ?? .null),
    ])
  }
}
