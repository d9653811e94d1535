// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Randomness
internal import Reporting
internal import Scenarios

/// A scenario of the kind `club.stress`, checked and ready to run.
struct StressPlan: ScenarioPlan, Hashable {
  let load: StressSettings

  init(_ map: ScenarioMapping) throws(ReportingError) {
    let random = try map["random"]?.mapping(keys: ["generator", "seed"])
    let seed = UInt64(try random?["seed"]?.integer(in: 0...Int.max) ?? 1)
    let generator = try random?["generator"]?.choice(among: GSLGenerator.names) ?? GSLGenerator.defaultName
    let sizes = (try map["members"]?.integer(in: 0...Int.max), try map["activities"]?.integer(in: 0...Int.max))
    let (weeks, shared) = (try map["weeks"]?.integer(in: 0...Int.max), try map["shared"]?.number())
    do {
      let usual = try StressSettings()
      load = try StressSettings(
        members: sizes.0 ?? usual.members, activities: sizes.1 ?? usual.activities, weeks: weeks ?? usual.weeks,
        sharedNames: shared ?? usual.sharedNames, seed: seed, generator: generator)
    } catch {
      switch error {
      case .badShape(let field, _, let expected):
        let key = field == "shared names" ? "shared" : field
        throw try map.required(key, expected: expected).bad(expected: expected)
      }
    }
  }

  var settings: [JSONMember] {
    [
      JSONMember("members", .integer(load.members)), JSONMember("activities", .integer(load.activities)),
      JSONMember("weeks", .integer(load.weeks)), JSONMember("shared", .number(load.sharedNames)),
      JSONMember("random", ["generator": .string(load.generator), "seed": .unsigned(load.seed)]),
    ]
  }

  var measures: [Measure] { StressMeasure.allCases.map(\.measure) }

  func run(on bench: ScenarioBench) throws -> ScenarioResult {
    let meter = bench.meter(load.activities, "activities")
    defer { meter?.finish() }
    let run = StressRun(load, workers: bench.workers)
    guard let result = try run.run(interrupt: bench.interrupt, progress: { meter?.advance(by: $0) }) else {
      return ScenarioResult(measurements: [], data: ["weeks": .array([])], sections: [], isComplete: false)
    }
    let report = StressReport(result)
    return ScenarioResult(
      measurements: StressMeasure.allCases.map { Measurement($0.measure, .count($0.count(in: result), undecided: 0)) },
      data: report.data, sections: report.reportSections,
      files: [ScenarioResult.File(name: "weeks.csv", content: report.weeks.csv)],
      text: "\(report.heading)\n\n\(report.weeks.text)")
  }
}
