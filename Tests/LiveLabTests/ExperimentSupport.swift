// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import PropertyTesting
import Reporting
import Scenarios
import Testing

@testable import LiveLab

/// A scenario of an experiment, as a file has it; its keys begin in line 3.
func scenario<E: Experiment>(_ yaml: String, of type: E.Type) throws -> Scenario {
  let text = "name: a test\nkind: \(type.kind)\n\(yaml)\n"
  return try Scenario(ScenarioDocument(yaml: text, file: "test.yaml"), kinds: [type])
}

/// The experiment of a scenario, read again from what the scenario resolves to, which resolves to the same.
func again<E: Experiment>(_ first: Scenario, as type: E.Type) throws -> E {
  let again = try Scenario(ScenarioDocument(yaml: first.resolved, file: "again.yaml"), kinds: [type])
  #expect(again.resolved == first.resolved && again.digest == first.digest)
  return try #require(again.plan as? E)
}

/// What refuses a scenario; `accepted` where nothing does.
func refusal<E: Experiment>(_ yaml: String, of type: E.Type) -> String {
  do {
    _ = try scenario(yaml, of: type)
    return "accepted"
  } catch {
    return "\(error)"
  }
}

/// An experiment as options give it.
func typed<E: Experiment>(_ options: [String: [String]], as type: E.Type) throws -> E {
  var fields: [String: ScenarioField] = [:]
  for parameter in E.parameters {
    if let texts = options[parameter.key] {
      fields[parameter.key] = ScenarioField(option: parameter.spelling, texts)
    }
  }
  return try E(fields, at: ScenarioField(option: E.kind, []))
}

extension LiveVariant {
  static func named(_ name: String) throws -> LiveVariant { try #require(all.first { $0.name == name }) }
}

/// What a property shows of a mutant.
func counterexample(
  of mutant: String, by property: String, cases: Int, seed: UInt64 = 0
) throws -> Counterexample {
  let properties = try #require(LiveProperties.catalogue.mutant(mutant)).properties
  let property = try #require(properties.first { $0.id == property })
  let settings = CheckSettings(cases: cases, seed: seed, explains: false)
  return try #require(try property.check(settings).counterexample)
}

extension SimulationTrial {
  init(
    _ profiles: [OutageProfile], subject: String = "production", sessions: Int = 600, end: RunEnd = .all,
    seed: UInt64 = 3
  ) throws {
    self.init()
    (self.profiles, self.subject) = (profiles, try LiveVariant.named(subject))
    (self.sessions, self.end, self.seed) = (sessions, end, seed)
  }

  init(
    _ names: [String], subject: String = "production", sessions: Int = 600, end: RunEnd = .all, seed: UInt64 = 3
  ) throws {
    try self.init(
      names.map { try OutageProfile.named($0) }, subject: subject, sessions: sessions, end: end, seed: seed)
  }
}

extension StormComparison {
  init(_ settings: StormSettings, policies: [String]? = nil) {
    self.init()
    (self.settings, storms) = (settings, 1)
    if let policies { self.policies = policies.compactMap { NamedPolicy(catalogued: $0) } }
  }
}
