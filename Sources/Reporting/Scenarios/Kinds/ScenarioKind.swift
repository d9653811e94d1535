// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting

/// A kind of scenario, as a lab brings it: a name, the keys it knows, and how a file becomes a plan.
package struct ScenarioKind: Sendable {
  /// What scenario files call it, for example `blackjack-chart`.
  package let name: String
  /// What it does, in a line.
  package let summary: String
  /// The keys it knows beside `name`, `kind` and `thresholds`.
  package let keys: [String]
  /// Reads the keys strictly.
  /// The experiment, where the kind is one.
  package let experiment: (any Experiment.Type)?
  package let read: @Sendable (ScenarioMapping) throws(ReportingError) -> any ScenarioPlan

  /// A kind of scenario.
  ///
  /// - Parameters:
  ///   - name: what scenario files call it.
  ///   - summary: what it does, in a line.
  ///   - keys: the keys it knows beside the common ones.
  ///   - read: makes the plan, or throws what is wrong with file, line, field, found and expected.
  package init(
    _ name: String, summary: String, keys: [String],
    read: @escaping @Sendable (ScenarioMapping) throws(ReportingError) -> any ScenarioPlan
  ) {
    (self.name, self.summary, self.keys, self.read) = (name, summary, keys, read)
    experiment = nil
  }

  /// The kind that an experiment is.
  package init(_ type: (some Experiment).Type) {
    (name, summary, keys) = (type.kind, type.summary, type.parameters.map(\.key))
    experiment = type
    read = { map throws(ReportingError) in throw map.place.bad(expected: "an experiment") }
  }
}
