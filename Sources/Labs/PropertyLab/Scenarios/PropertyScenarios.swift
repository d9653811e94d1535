// SPDX-License-Identifier: GPL-3.0-or-later
package import PropertyTesting
internal import Reporting
package import Scenarios

/// The kind of scenario that puts properties on trial.
package enum PropertyScenarios {
  /// `properties`: every property chosen is tested, and on demand meets every broken subject.
  ///
  /// What comes out depends on the scenario alone: stored examples are not tried again, since they are what earlier
  /// runs happened to find, and there is no key for a time limit, since how many cases fit into a time depends on the
  /// machine. New counterexamples are stored all the same, for `assay properties check`.
  ///
  /// - Parameters:
  ///   - catalogues: the properties that there are.
  ///   - worker: the executable and the arguments that make it judge cases for another process; `nil` where there is
  ///     none, so that cases are judged in this process.
  ///   - store: where new counterexamples are stored; `nil` to store none.
  /// - Returns: the kind, for `Scenario(_:kinds:)`.
  package static func kinds(
    catalogues: Catalogues, worker: [String]?, store: ExampleStore? = ExampleStore()
  ) -> [ScenarioKind] {
    [
      ScenarioKind(
        "properties",
        summary: "Tests what is claimed of the cores, and finds out which claims notice which broken variants.",
        keys: ["properties", "cases", "search", "random", "subject", "faults", "isolation", "case-limit"],
        read: { map throws(ReportingError) in
          try PropertiesPlan(map, catalogues: catalogues, worker: worker, store: store)
        })
    ]
  }
}
