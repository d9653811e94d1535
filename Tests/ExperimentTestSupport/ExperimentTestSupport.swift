// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Reporting
package import Scenarios
internal import Testing

/// A scenario as a file `test.yaml` has it, whose keys begin in line 3.
package func scenario(_ kind: String, _ yaml: String = "", among kinds: [any Experiment.Type]) throws -> Scenario {
  try Scenario(ScenarioDocument(yaml: "name: a test\nkind: \(kind)\n\(yaml)\n", file: "test.yaml"), kinds: kinds)
}

/// The same of one experiment.
package func scenario<E: Experiment>(_ yaml: String, of type: E.Type) throws -> Scenario {
  try scenario(E.kind, yaml, among: [type])
}

/// The result of a scenario, and its estimates by the full names of what is measured.
package func outcome(
  _ kind: String, _ yaml: String = "", among kinds: [any Experiment.Type]
) throws -> (result: ScenarioResult, found: [String: Double]) {
  let result = try scenario(kind, yaml, among: kinds).plan.run(on: RunContext(workers: 2))
  return (result, result.measurements.reduce(into: [:]) { $0[$1.measure.fullName] = $1.estimate })
}

/// What refuses a scenario; `accepted` where nothing does.
package func refusal(_ kind: String, _ yaml: String, among kinds: [any Experiment.Type]) -> String {
  do {
    _ = try scenario(kind, yaml, among: kinds)
    return "accepted"
  } catch {
    return "\(error)"
  }
}

/// The same of one experiment.
package func refusal<E: Experiment>(_ yaml: String, of type: E.Type) -> String {
  refusal(E.kind, yaml, among: [type])
}

/// The scenario that is read from what a scenario resolves to, which resolves to the same.
package func again(_ first: Scenario, among kinds: [any Experiment.Type]) throws -> Scenario {
  let again = try Scenario(ScenarioDocument(yaml: first.resolved, file: "again.yaml"), kinds: kinds)
  #expect(again.resolved == first.resolved && again.digest == first.digest)
  return again
}

/// The experiment of that scenario.
package func again<E: Experiment>(_ first: Scenario, as type: E.Type) throws -> E {
  try #require(again(first, among: [type]).plan as? E)
}

/// An experiment as options give it.
package func typed<E: Experiment>(_ options: [String: [String]], as type: E.Type) throws -> E {
  var fields: [String: ScenarioField] = [:]
  for parameter in E.parameters {
    if let texts = options[parameter.key] {
      fields[parameter.key] = ScenarioField(option: parameter.spelling, texts)
    }
  }
  return try E(fields, at: ScenarioField(option: E.kind, []))
}

extension RunContext {
  /// A context that is interrupted before anything is played.
  package static var interrupted: RunContext {
    let interrupt = Interrupt()
    interrupt.raise()
    return RunContext(workers: 1, interrupt: interrupt)
  }
}
