// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Sampling
import Scenarios

extension SampledExperiment {
  /// A scenario as a file `test.yaml` has it, whose keys begin in line 3.
  static func scenario(_ yaml: String = "") throws -> Scenario {
    try Scenario(
      ScenarioDocument(yaml: "name: A test\nkind: \(kind)\n" + yaml, file: "test.yaml"), kinds: [runnable])
  }

  /// The result of such a scenario.
  static func run(_ yaml: String = "", workers: Int = 2) throws -> ScenarioResult {
    try scenario(yaml).run(on: RunContext(workers: workers))
  }
}
