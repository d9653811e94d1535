// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting
internal import Scenarios

/// A chart played, or what it earns computed, under some rules.
struct PlayPlan: ScenarioPlan, Hashable {
  /// How an EV is found.
  enum Method: Hashable, Sendable {
    /// So many rounds are played, determined by that.
    case simulate(rounds: Int, Provenance.Simulation)
    /// It is computed.
    case exact
  }

  /// The rules, one after the other.
  let rules: [NamedRules]
  /// How the player plays.
  let chart: ChartSource
  /// How EVs are found.
  let method: Method

  /// Reads the plan.
  ///
  /// - Throws: `ReportingError` naming file, line, field, the value found and what was expected.
  init(_ map: ScenarioMapping) throws(ReportingError) {
    let isExact = try map["method"]?.choice(among: ["simulate", "exact"]) == "exact"
    chart =
      try map["chart"].map { field throws(ReportingError) in
        try ChartSource(
          field, refusingComposition: isExact ? nil : "a chart: play by the cards themselves needs method exact")
      } ?? .trainer
    let reason = isExact || chart == .exact ? "the analyser knows the fresh shoe only" : nil
    rules = try NamedRules.all(of: map, refusingCutCards: reason)
    guard isExact else {
      let field = try map.required("rounds", expected: "the number of rounds to play, for example 1e8")
      method = .simulate(
        rounds: try field.integer(in: 2...1_000_000_000_000), try Provenance.Simulation(playingFrom: map))
      return
    }
    for field in [map["rounds"], map["random"], map["confidence"]].compactMap(\.self) {
      throw field.bad(expected: "nothing: method exact plays no rounds")
    }
    method = .exact
  }

  var settings: [JSONMember] {
    let head = [JSONMember("rules", NamedRules.setting(rules)), JSONMember("chart", chart.setting)]
    switch method {
    case .exact: return head + [JSONMember("method", "exact")]
    case .simulate(let rounds, let simulation):
      return head + [JSONMember("method", "simulate"), JSONMember("rounds", .integer(rounds))]
        + simulation.playingSettings
    }
  }

  var measures: [Measure] {
    rules.flatMap { named in
      switch method {
      case .exact: exactMeasures(named.label)
      case .simulate(_, let simulation): playedMeasures(named, confidence: simulation.confidence)
      }
    }
  }

  private func exactMeasures(_ label: String) -> [Measure] {
    [
      Measure("ev", of: label, meaning: "what a round earns, computed", unit: "bets", nature: .exact),
      Measure("edge", of: label, meaning: "the house's edge, computed", unit: "bets", nature: .exact),
    ]
      + (chart == .composition
        ? []
        : [
          Measure(
            "deviation", of: label, meaning: "the standard deviation of what a round earns, computed", unit: "bets",
            nature: .exact)
        ])
  }

  private func playedMeasures(_ named: NamedRules, confidence: Double) -> [Measure] {
    let label = named.label
    let played: [Measure] = [
      Measure("ev", of: label, meaning: "what a round earns in the mean", unit: "bets", nature: .mean),
      Measure(
        "edge", of: label, meaning: "the house's edge: the EV with its sign changed", unit: "bets", nature: .mean),
      Measure(
        "deviation", of: label, meaning: "the standard deviation of what a round earns", unit: "bets",
        nature: .interval(confidence: confidence)),
      Measure("rounds.won", of: label, meaning: "rounds that earn something", nature: .proportion),
      Measure("rounds.pushed", of: label, meaning: "rounds that earn and lose nothing", nature: .proportion),
      Measure("rounds.lost", of: label, meaning: "rounds that lose something", nature: .proportion),
    ]
    guard named.hasFreshShoe else { return played }
    return played + [
      Measure("ev.exact", of: label, meaning: "what a round earns, computed", unit: "bets", nature: .exact),
      Measure("ev.difference", of: label, meaning: "the mean minus what is computed", unit: "bets", nature: .mean),
    ]
  }
}
