// SPDX-License-Identifier: GPL-3.0-or-later
import LiveCore
import PropertyTesting
import Scenarios
import Testing

@testable import LiveLab

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
