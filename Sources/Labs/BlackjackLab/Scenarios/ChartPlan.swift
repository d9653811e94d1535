// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting
internal import Scenarios

/// Charts made by simulation under some rules, and the charts to compare them with.
struct ChartPlan: ScenarioPlan, Hashable {
  /// A chart to compare with, under some of the rules.
  struct Comparison: Hashable, Sendable {
    /// Which chart.
    let source: ChartSource
    /// Under which rules.
    let rules: [NamedRules]
  }

  /// The rules, one after the other.
  let rules: [NamedRules]
  /// What determines the simulation.
  let simulation: Provenance.Simulation
  /// What the charts are compared with.
  let against: [Comparison]

  /// Reads the plan.
  ///
  /// - Throws: `ReportingError` naming file, line, field, the value found and what was expected.
  init(_ map: ScenarioMapping) throws(ReportingError) {
    rules = try NamedRules.all(of: map, refusingCutCards: "a chart is made for a fresh shoe every round")
    simulation = try Provenance.Simulation(certifyingFrom: map)
    var against: [Comparison] = []
    for member in map["against"]?.members ?? [] {
      let next = try Self.comparison(member, of: rules)
      guard !against.contains(where: { $0.source.name == next.source.name }) else {
        throw member.bad(expected: "each chart once: '\(next.source.name)' was named before")
      }
      against.append(next)
    }
    self.against = map["against"] == nil ? [Comparison(source: .exact, rules: rules)] : against
  }

  /// Reads a chart's name or cells, or a mapping of it with the rules that it is for.
  private static func comparison(
    _ field: ScenarioField, of rules: [NamedRules]
  ) throws(ReportingError) -> Comparison {
    let reason = "trainer, exact or a file: play by the cards themselves is no chart to compare with"
    guard field.isMapping else {
      return Comparison(source: try ChartSource(field, refusingComposition: reason), rules: rules)
    }
    let map = try field.mapping(keys: ["chart", "rules"])
    let chart = try map.required("chart", expected: "the chart to compare with: trainer, exact or a file")
    return Comparison(
      source: try ChartSource(chart, refusingComposition: reason),
      rules: try map["rules"].map { field throws(ReportingError) in try NamedRules.some(of: rules, in: field) }
        ?? rules)
  }

  var settings: [JSONMember] {
    [JSONMember("rules", NamedRules.setting(rules))] + simulation.certifyingSettings
      + [
        JSONMember(
          "against",
          .array(against.map { ["chart": $0.source.setting, "rules": NamedRules.setting($0.rules)] }))
      ]
  }

  var measures: [Measure] { rules.flatMap(measures) }

  private func measures(of named: NamedRules) -> [Measure] {
    let chart: [Measure] = [
      Measure(
        "chart.certified", of: named.label, meaning: "cells whose action is certainly the best", unit: "cells",
        nature: .count),
      Measure(
        "chart.indifferent", of: named.label,
        meaning: "cells whose two best actions certainly differ by less than the indifference", unit: "cells",
        nature: .count),
      Measure(
        "chart.undecided", of: named.label, meaning: "cells of which neither can be said", unit: "cells",
        nature: .count),
      Measure(
        "margin.least", of: named.label, meaning: "how much better the best action is in the closest cell",
        unit: "bets", nature: .interval(confidence: simulation.confidence)),
      Measure(
        "rounds", of: named.label, meaning: "rounds played from a cell on, each with every action under trial",
        unit: "rounds", nature: .count),
    ]
    let comparisons = against.filter { $0.rules.contains(named) }.flatMap { comparison -> [Measure] in
      let name = comparison.source.name
      let mismatches = Measure(
        "\(name).mismatches", of: named.label,
        meaning: "decided cells where the \(name) chart does something else, indifferent cells apart", unit: "cells",
        nature: .count)
      return [mismatches] + (comparison.source == .exact ? [.exactOutside(named.label)] : [])
    }
    return chart + comparisons
  }
}

extension Measure {
  /// How many exact values contradict the simulation.
  static func exactOutside(_ label: String) -> Measure {
    Measure(
      "exact.outside", of: label, meaning: "exact values of actions outside their simulated intervals", unit: "values",
      nature: .count)
  }
}
