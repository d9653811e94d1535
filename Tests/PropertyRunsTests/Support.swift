// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import PropertyTesting
import Reporting
import Scenarios
import Specimens

@testable import PropertyRuns

/// The specimens, whose outcomes are known, run in this process.
enum SpecimenSource: PropertySource {
  static let catalogues = Catalogues([Specimens.catalogue])
  static var worker: [String]? { nil }
}

let specimens = SpecimenSource.catalogues

/// A scenario of specimens, which stores nothing unless its keys name a store.
func scenario(_ yaml: String, kind: String = "properties.check") throws -> Scenario {
  let store = kind == "properties.check" && !yaml.contains("store:") ? "store: none\n" : ""
  let document = try ScenarioDocument(yaml: "name: Specimens\nkind: \(kind)\n\(yaml)\n\(store)", file: "s.yaml")
  return try Scenario(
    document,
    kinds: [PropertiesCheck<SpecimenSource>.self, PropertiesMutants<SpecimenSource>.self])
}

extension ScenarioResult {
  /// What was found of a measure.
  func value(_ name: String) -> Scenarios.Measurement.Value? {
    measurements.first { $0.measure.fullName == name }?.value
  }

  /// Everything that ends in `result.json`.
  var determined: String { JSONValue.array(measurements.map(\.json) + [data]).text }

  /// All blocks, those within blocks included.
  var blocks: [ReportBlock] { document.sections.flatMap(\.blocks).flatMap(\.unfolded) }
}

extension ReportBlock {
  fileprivate var unfolded: [ReportBlock] {
    switch self {
    case .details(_, let blocks), .part(_, _, let blocks): [self] + blocks.flatMap(\.unfolded)
    default: [self]
    }
  }
}
