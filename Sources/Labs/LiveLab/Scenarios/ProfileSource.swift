// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// What a scenario says of its profiles, to be written down again.
enum ProfileSource {
  /// The value of `profiles:`, once it was read and found right; the names of all built-in profiles where there is none.
  static func json(_ field: ScenarioField?) throws(ReportingError) -> JSONValue {
    guard let field else { return .array(OutageProfile.names.map { .string($0) }) }
    return try value(field)
  }

  /// Keys in the order in which people read them.
  private static let keys: [String] = {
    let first = ["profile", "name", "meaning", "kind", "limit", "session", "first", "outages", "pause", "times", "gap"]
    let parameters =
      ProfileTemplate.all.flatMap { $0.parameters.map(\.name) }
      + Fault.Kind.allCases.flatMap { kind in
        kind.parameters.flatMap { [$0.name, "\(kind.rawValue)-\($0.name)"] }
      }
    let rest = ["at", "after", "chance", "lasting"] + parameters + ["always", "faults"]
    return rest.reduce(into: first) { keys, key in if !keys.contains(key) { keys.append(key) } }
  }()

  private static func value(_ field: ScenarioField) throws(ReportingError) -> JSONValue {
    if field.isList {
      var members: [JSONValue] = []
      for member in field.members { members.append(try value(member)) }
      return .array(members)
    }
    guard field.isMapping else { return .string(try field.string()) }
    let map = try field.mapping(keys: keys)
    var members: [JSONMember] = []
    for key in keys {
      if let member = map[key] { members.append(JSONMember(key, try value(member))) }
    }
    return .object(members)
  }
}
