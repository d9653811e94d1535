// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting
internal import Reporting

/// How a scenario lets its properties meet the broken subjects.
struct FaultTrial {
  /// The cores of the scenario's properties, each with these properties alone.
  let catalogues: [PropertyCatalogue]
  /// How many cases of each property at most, from each seed.
  let cases: Int
  /// From how many seeds, the scenario's being the first.
  let seeds: Int

  /// Reads `true`, `false` or a mapping with the keys `cases` and `seeds`; `nil` where broken subjects are not to be
  /// tried.
  ///
  /// - Parameters:
  ///   - field: the value; `nil` where there is none.
  ///   - chosen: the scenario's properties.
  ///   - all: the catalogues that they come from.
  /// - Throws: `ReportingError` for anything else.
  init?(_ field: ScenarioField?, of chosen: [Catalogues.Chosen], in all: Catalogues) throws(ReportingError) {
    guard let field else { return nil }
    if field.isMapping {
      let map = try field.mapping(keys: ["cases", "seeds"])
      cases = try map["cases"]?.integer(in: 1...1_000_000_000) ?? Self.usualCases
      seeds = try map["seeds"]?.integer(in: 1...1000) ?? Self.usualSeeds
    } else {
      if try field.choice(among: ["true", "false"]) == "false" { return nil }
      (cases, seeds) = (Self.usualCases, Self.usualSeeds)
    }
    let ids = Set(chosen.map(\.property.id))
    catalogues = all.all.filter { one in one.properties.contains { ids.contains($0.id) } }.map { $0.keeping(ids) }
  }

  private static let usualCases = 2000
  private static let usualSeeds = 1

  /// The value in full.
  var setting: JSONValue { ["cases": .integer(cases), "seeds": .integer(seeds)] }
}
