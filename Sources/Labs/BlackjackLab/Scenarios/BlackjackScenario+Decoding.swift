// SPDX-License-Identifier: GPL-3.0-or-later
internal import BlackjackCore
internal import Foundation
internal import Randomness
public import Reporting

extension BlackjackScenario {
  private static let keys = [
    "name", "kind", "rules", "random", "confidence", "indifference", "estimator", "method", "chart", "rounds",
    "expectations",
  ]

  /// Reads a scenario strictly.
  ///
  /// - Parameter document: the file's document; files it names are looked for beside it.
  /// - Throws: `ReportingError` naming file, line, field, the value found and what was expected.
  public init(_ document: ScenarioDocument) throws(ReportingError) {
    let map = try document.root.mapping(keys: Self.keys)
    name = try map.required("name", expected: "what to call the scenario").string()
    let kindName = try map.required("kind", expected: "what to run").choice(among: Kind.allCases.map(\.rawValue))
    kind = Kind(rawValue: kindName) ?? .chart
    let methodName = try map["method"]?.choice(among: Method.allCases.map(\.rawValue))
    method = methodName.flatMap(Method.init) ?? .simulate
    chart = try map["chart"].map(Self.chart) ?? .trainer
    rounds = try map["rounds"]?.integer(in: 1...1_000_000_000_000) ?? 0
    simulation = try Self.simulation(map)
    try Self.refuseContradictions(in: map, kind: kind, method: method, chart: chart)
    let ownRules = try map["rules"].map(Self.rules) ?? []
    var expectations: [Expectation] = []
    let expected = try map.required("expectations", expected: "what must come out")
    for member in expected.members {
      expectations.append(try Self.expectation(member, of: kind, defaultRules: ownRules))
    }
    if expectations.isEmpty { throw expected.bad(expected: "at least one expectation") }
    self.expectations = expectations
    if method == .exact, let field = map["method"],
      let cut = (ownRules + expectations.flatMap(\.rules)).first(where: { $0.dealing != .freshShoe })
    {
      throw field.bad(expected: "simulate for \(cut.name): the analyser knows the fresh shoe only")
    }
    rules = (ownRules + expectations.flatMap(\.rules)).reduce(into: []) { unique, next in
      if !unique.contains(next) { unique.append(next) }
    }
  }

  /// Keys that cannot stand together, refused by name.
  private static func refuseContradictions(
    in map: ScenarioMapping, kind: Kind, method: Method, chart: ChartSource
  ) throws(ReportingError) {
    if let field = map["chart"] {
      if kind == .chart {
        throw field.bad(expected: "nothing: the chart that must come out belongs to expectations")
      }
      if chart == .composition && (kind != .play || method != .exact) {
        throw field.bad(expected: "composition only in a blackjack-play with method exact")
      }
    }
    if kind != .play {
      for field in [map["method"], map["rounds"]].compactMap(\.self) {
        throw field.bad(expected: "nothing: the key is for blackjack-play")
      }
    } else if method == .simulate {
      _ = try map.required("rounds", expected: "the number of rounds to play, for example 1e8")
    } else if let field = map["rounds"] {
      throw field.bad(expected: "nothing: method exact plays no rounds")
    }
  }

  private static func rules(_ field: ScenarioField) throws(ReportingError) -> [Rules] {
    var all: [Rules] = []
    for member in field.members {
      all.append(try member.parsed(expected: "rules such as 6d-s17-das") { try Rules(name: $0) })
    }
    guard !all.isEmpty else { throw field.bad(expected: "at least one rule name such as 6d-s17-das") }
    return all
  }

  private static func chart(_ field: ScenarioField) throws(ReportingError) -> ChartSource {
    let text = try field.string(expected: "trainer, exact, composition or a file ending in .csv")
    switch text {
    case "trainer": return .trainer
    case "exact": return .exact
    case "composition": return .composition
    case _ where text.hasSuffix(".csv"):
      let folder = URL(fileURLWithPath: field.file).deletingLastPathComponent()
      return .file(text.hasPrefix("/") ? text : folder.appendingPathComponent(text).standardizedFileURL.path)
    default:
      let nearest = Spelling.nearest(to: text, among: ["trainer", "exact", "composition"])
      let hint = nearest.map { " (did you mean '\($0)'?)" } ?? ""
      throw field.bad(expected: "trainer, exact, composition or a file ending in .csv\(hint)")
    }
  }

  private static func simulation(_ map: ScenarioMapping) throws(ReportingError) -> Provenance.Simulation {
    let random = try map["random"]?.mapping(keys: ["generator", "seed"])
    let generator = try random?["generator"]?.choice(among: GSLGenerator.names)
    let seed = try random?["seed"]?.integer(in: 0...Int.max)
    let indifference = map["indifference"]
    if let field = indifference, try field.number() <= 0 { throw field.bad(expected: "a number of bets above 0") }
    return Provenance.Simulation(
      seed: UInt64(seed ?? 1), generator: generator ?? "mt19937",
      estimator: try map["estimator"]?.choice(among: ["plain", "paired", "conditional"]) ?? "conditional",
      confidence: try map["confidence"]?.probability() ?? 0.999,
      indifference: try indifference?.number() ?? 0.0005)
  }

  private static func expectation(
    _ field: ScenarioField, of kind: Kind, defaultRules: [Rules]
  ) throws(ReportingError) -> Expectation {
    let map = try field.mapping(keys: ["rules", "chart", "ev", "source"])
    let rules = try map["rules"].map(Self.rules) ?? defaultRules
    switch kind {
    case .chart:
      if let ev = map["ev"] { throw ev.bad(expected: "nothing: an EV is for blackjack-play") }
      _ = try map.required("chart", expected: "the chart that must come out: trainer, exact or a file")
    case .play:
      if let chart = map["chart"] { throw chart.bad(expected: "nothing: name the chart to play beside 'kind'") }
      _ = try map.required(
        "ev", expected: "the interval that the EV must lie in, for example {low: -0.0045, high: -0.004}")
    case .verify:
      for other in [map["ev"], map["chart"]].compactMap(\.self) {
        throw other.bad(expected: "nothing: a verification expects that the chart holds")
      }
    }
    guard !rules.isEmpty else {
      throw .missingKey(file: field.file, line: field.line, field: "rules", expected: "rules such as 6d-s17-das")
    }
    let chart = try map["chart"].map(Self.chart)
    if chart == .composition, let found = map["chart"] { throw found.bad(expected: "trainer, exact or a file") }
    return Expectation(
      rules: rules, chart: chart, ev: try map["ev"].map(Self.interval), source: try map["source"]?.string())
  }

  private static func interval(_ field: ScenarioField) throws(ReportingError) -> ClosedRange<Double> {
    let map = try field.mapping(keys: ["low", "high"])
    let low = try map.required("low", expected: "a number of bets").number()
    let highField = try map.required("high", expected: "a number of bets")
    let high = try highField.number()
    guard low <= high else { throw highField.bad(expected: "at least the low end, \(NumberFormat.shortest(low))") }
    return low...high
  }
}
