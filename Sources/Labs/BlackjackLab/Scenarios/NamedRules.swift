// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Reporting

/// Rules under the name that a scenario gives them, which labels what is measured under them.
struct NamedRules: Hashable, Sendable {
  /// The name as the scenario writes it, in lower case: `6d-s17-das` where `6d` would do.
  let label: String
  /// What it means.
  let rules: Rules

  /// Whose shoe the exact analyser knows.
  var hasFreshShoe: Bool { rules.dealing == .freshShoe }

  private init(_ field: ScenarioField) throws(ReportingError) {
    rules = try field.parsed(expected: "rules such as 6d-s17-das") { try Rules(name: $0) }
    label = try field.string().lowercased()
  }

  /// The rules that a scenario names, one or a list.
  ///
  /// - Parameters:
  ///   - map: the scenario.
  ///   - reason: why rules with a cut card cannot stand here; `nil` where they can.
  /// - Returns: the rules in their order.
  /// - Throws: `ReportingError` for no rules, rules named twice, and rules that cannot stand here.
  static func all(of map: ScenarioMapping, refusingCutCards reason: String?) throws(ReportingError) -> [NamedRules] {
    let field = try map.required("rules", expected: "rules such as 6d-s17-das")
    var all: [NamedRules] = []
    for member in field.members {
      let next = try NamedRules(member)
      if let reason, !next.hasFreshShoe { throw member.bad(expected: "rules without a cut card: \(reason)") }
      if let same = all.first(where: { $0.rules == next.rules }) {
        throw member.bad(expected: "each rules once: '\(same.label)' are the same")
      }
      all.append(next)
    }
    guard !all.isEmpty else { throw field.bad(expected: "at least one rule name such as 6d-s17-das") }
    return all
  }

  /// Those among some rules that a field names, one or a list, by any of their names.
  ///
  /// - Throws: `ReportingError` where a name means none of them.
  static func some(of all: [NamedRules], in field: ScenarioField) throws(ReportingError) -> [NamedRules] {
    var some: [NamedRules] = []
    for member in field.members {
      let named = try NamedRules(member)
      guard let known = all.first(where: { $0.rules == named.rules }) else {
        throw member.bad(expected: "one of the scenario's rules: \(all.map(\.label).joined(separator: ", "))")
      }
      if !some.contains(known) { some.append(known) }
    }
    guard !some.isEmpty else { throw field.bad(expected: "at least one of the scenario's rules") }
    return some
  }

  /// The names as a setting of a scenario.
  static func setting(_ rules: [NamedRules]) -> JSONValue { .array(rules.map { .string($0.label) }) }
}
