// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import Randomness
internal import Reporting
internal import Scenarios

/// A scenario of the kind `club.feed`, checked and ready to run.
struct FeedPlan: ScenarioPlan {
  let setting: FeedSetting
  let seasons: Int
  /// How many seasons all faults together have.
  let together: Int
  let seed: UInt64
  let generator: String
  /// Of the intervals that tables and figures show; thresholds state their own.
  let confidence: Double

  init(_ map: ScenarioMapping) throws(ReportingError) {
    setting = try FeedSettingReader(map).setting()
    seasons = try map["seasons"]?.integer(in: 2...100_000) ?? 10
    together = try map["together"]?.integer(in: seasons...100_000) ?? seasons
    confidence = try map["confidence"]?.probability() ?? 0.99
    let random = try map["random"]?.mapping(keys: ["generator", "seed"])
    seed = UInt64(try random?["seed"]?.integer(in: 0...Int.max) ?? 1)
    generator = try random?["generator"]?.choice(among: GSLGenerator.names) ?? GSLGenerator.defaultName
  }

  var settings: [JSONMember] {
    let (club, service) = (setting.club, setting.service)
    return [
      JSONMember(
        "club",
        [
          "members": .integer(club.members), "weeks": .integer(club.weeks), "rides": .number(club.activitiesPerWeek),
        ]),
      JSONMember(
        "service",
        [
          "order": .string(service.order.rawValue), "depth": .integer(service.depth),
          "window": .integer(service.perQuarterHour), "day": .integer(service.perDay),
          "latency": .integer(service.latency),
        ]),
      JSONMember("fetch", .object(fetch)),
      JSONMember("faults", setting.faults.faults.isEmpty ? .string("none") : .object(faults)),
      JSONMember("seasons", .integer(seasons)), JSONMember("together", .integer(together)),
      JSONMember("random", ["generator": .string(generator), "seed": .unsigned(seed)]),
      JSONMember("confidence", .number(confidence)),
    ]
  }

  private var fetch: [JSONMember] {
    [JSONMember("every", .integer(setting.interval)), JSONMember("page", .integer(setting.perPage))]
      + (setting.pages.map { [JSONMember("pages", .integer($0))] } ?? [])
  }

  private var faults: [JSONMember] {
    setting.faults.faults.map { fault in
      JSONMember(
        fault.kind.rawValue,
        .object([JSONMember("rate", .number(fault.rate)), JSONMember(fault.kind.unit, .number(fault.size))]))
    }
  }

  var measures: [Measure] { FeedMeasure.all(of: FeedVariant.all(of: setting.faults)).map(\.measure) }

  func run(on bench: ScenarioBench) throws -> ScenarioResult {
    let trial = try FeedTrial(
      setting, seasons: seasons, together: together, seed: seed, generator: generator)
    let meter = bench.meter(trial.runs, "seasons")
    defer { meter?.finish() }
    let result = try trial.run(
      workers: bench.workers, confidence: confidence, interrupt: bench.interrupt,
      progress: { meter?.advance(by: $0) })
    guard let result else {
      return ScenarioResult(measurements: [], data: ["variants": .array([])], sections: [], isComplete: false)
    }
    let report = FeedReport(result)
    return ScenarioResult(
      measurements: FeedMeasure.all(of: trial.variants).compactMap { $0.found(in: result) },
      data: report.json, sections: report.reportSections,
      files: [ScenarioResult.File(name: "ledger.csv", content: report.csv)], text: report.text,
      isComplete: result.findings.allSatisfy { $0.seasons == trial.seasons(of: $0.variant) })
  }
}
