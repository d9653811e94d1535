// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting

/// What a scenario's file asks for, checked and ready to run.
package protocol ScenarioPlan: Sendable {
  /// Every key of the kind with the value it has, defaults included, in the order that people read them. Reading them
  /// again gives the same plan, so nothing in them depends on where a file lies.
  var settings: [JSONMember] { get }

  /// What the run will measure, known before it starts: what thresholds may name.
  var measures: [Measure] { get }

  /// Runs the plan.
  ///
  /// - Parameter bench: the workers, the interrupt and the progress display.
  /// - Returns: what was found; where the bench was interrupted, what is known until then.
  /// - Throws: what is wrong with the input that only running can find: errors are values with a description for
  ///   people.
  func run(on bench: ScenarioBench) throws -> ScenarioResult
}
