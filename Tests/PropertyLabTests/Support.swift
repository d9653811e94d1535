// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import PropertyTesting
import Reporting
import Scenarios

@testable import PropertyLab

/// The specimens, whose outcomes are known.
let specimens = Catalogues([Specimens.catalogue])

/// A scenario of specimens, judged in this process.
///
/// - Parameters:
///   - yaml: the keys beside `name` and `kind`, a line each.
///   - store: where counterexamples are stored.
/// - Returns: the scenario, read and checked.
/// - Throws: what is wrong with it.
func scenario(_ yaml: String, store: ExampleStore? = nil) throws -> Scenario {
  let document = try ScenarioDocument(yaml: "name: Specimens\nkind: properties\n\(yaml)\n", file: "s.yaml")
  return try Scenario(document, kinds: PropertyScenarios.kinds(catalogues: specimens, worker: nil, store: store))
}

extension ScenarioResult {
  /// What was found of a measure.
  func value(_ name: String) -> Scenarios.Measurement.Value? {
    measurements.first { $0.measure.fullName == name }?.value
  }

  /// Everything that ends in `result.json`.
  var determined: String { JSONValue.array(measurements.map(\.json) + [data]).text }

  /// All blocks, those within blocks included.
  var blocks: [ReportBlock] { sections.flatMap(\.blocks).flatMap(\.unfolded) }
}

extension ReportBlock {
  /// The block and those within it.
  var unfolded: [ReportBlock] {
    switch self {
    case .details(_, let blocks), .part(_, _, let blocks): [self] + blocks.flatMap(\.unfolded)
    default: [self]
    }
  }
}

/// A folder of a test's own.
struct TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("assay-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// The names of everything in a folder of it, sorted.
  func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.appendingPathComponent(folder).path).sorted()
  }

  /// Removes it.
  func remove() { try? FileManager.default.removeItem(at: url) }
}
