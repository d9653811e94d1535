// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import LiveLab
import MonteCarlo
import PropertyTesting
import Reporting
import Scenarios
import Testing

/// The result of a scenario of this lab.
struct Outcome {
  let scenario: Scenario
  let result: ScenarioResult

  init(_ kind: String, _ yaml: String, on context: RunContext = RunContext(workers: 2)) throws {
    scenario = try LiveLabTests.scenario(kind, yaml)
    result = try scenario.run(on: context)
  }

  /// The report as text, each paragraph on one line.
  var text: String { result.document.text(width: 1_000) }
  var data: String { result.data.text }
  var verdicts: [Verdict] { scenario.evaluated(by: result.measurements).map(\.verdict) }

  /// All blocks of the report, those of its parts included.
  var blocks: [ReportBlock] {
    result.document.sections.flatMap(\.blocks).flatMap { block in
      if case .part(_, _, let inner) = block { [block] + inner } else { [block] }
    }
  }

  var figures: [Figure] { blocks.compactMap { if case .figure(let figure) = $0 { figure } else { nil } } }
  var tables: [Table] { blocks.compactMap { if case .table(let table) = $0 { table.table } else { nil } } }

  /// A measurement by its full name, such as `storm.peak[grpc]`.
  subscript(name: String) -> Measurement? { result.measurements.first { $0.measure.fullName == name } }

  /// The measurements of one name, in the order of their labels.
  func values(_ name: String) -> [Double] { result.measurements.filter { $0.measure.name == name }.map(\.estimate) }
}

private var kinds: [any Experiment.Type] { LiveExperiments.experiments.map { $0.runnable } }

/// A scenario of this lab.
func scenario(_ kind: String, _ yaml: String) throws -> Scenario { try scenario(kind, yaml, among: kinds) }

/// The scenario of this lab that is read from what another resolves to, which resolves to the same.
func again(_ first: Scenario) throws -> Scenario { try again(first, among: kinds) }

/// What refuses a scenario of this lab; `accepted` where nothing does.
func refusal(_ kind: String, _ yaml: String) -> String { refusal(kind, yaml, among: kinds) }

/// What a property shows of a mutant.
func counterexample(
  of mutant: String, by property: String, cases: Int, seed: UInt64 = 0
) throws -> Counterexample {
  let properties = try #require(LiveProperties.catalogue.mutant(mutant)).properties
  let property = try #require(properties.first { $0.id == property })
  let settings = CheckSettings(cases: cases, seed: seed, explains: false)
  return try #require(try property.check(settings).counterexample)
}
