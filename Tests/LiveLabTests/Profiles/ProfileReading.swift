// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Scenarios
import Testing

@testable import LiveLab

/// Reads profiles as a scenario does.
enum ProfileReading {
  /// A plan that is nothing but its profiles.
  private struct Plan: ScenarioPlan {
    let profiles: [OutageProfile]
    var settings: [JSONMember] { [JSONMember("profiles", .array(profiles.map(\.settings)))] }
    var measures: [Measure] { [] }

    func run(on bench: ScenarioBench) throws -> ScenarioResult {
      ScenarioResult(measurements: [], data: .null, sections: [], isComplete: false)
    }
  }

  static func scenario(_ yaml: String) throws -> Scenario {
    let kind = ScenarioKind("profiles", summary: "profiles", keys: ["profiles"]) { map throws(ReportingError) in
      Plan(profiles: try ProfileReader.profiles(map["profiles"]))
    }
    let document = try ScenarioDocument(yaml: "name: Profiles\nkind: profiles\n\(yaml)\n", file: "s.yaml")
    return try Scenario(document, kinds: [kind])
  }

  static func profiles(_ scenario: Scenario) throws -> [OutageProfile] {
    try #require(scenario.plan as? Plan).profiles
  }

  static func profiles(_ yaml: String) throws -> [OutageProfile] { try profiles(scenario("profiles:\n\(yaml)")) }

  /// What is said of profiles that are refused.
  static func problem(_ yaml: String) -> String {
    do {
      _ = try profiles(yaml)
      return "read"
    } catch {
      return "\(error)"
    }
  }
}
