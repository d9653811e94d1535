// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import PropertyTesting
internal import Reporting
internal import Scenarios
internal import SeededWords

/// The source of the experiments' properties.
package protocol PropertySource: Sendable {
  static var catalogues: Catalogues { get }
  /// The executable and the arguments that make it run cases for another process, as `WorkerHost` does; `nil` if cases
  /// run in this process.
  static var worker: [String]? { get }
}

extension PropertySource {
  /// An existing group, for examples.
  static var example: String { catalogues.groups.first ?? "GROUP" }

  static var pattern: ValueType<String> {
    let groups = catalogues.groups.isEmpty ? "" : ", or a group of properties: \(catalogues.groupList)"
    return name(
      "id", expected: "an id that 'assay properties list' shows, an id with * in it\(groups)", words: catalogues.names
    ) {
      _ = try catalogues.chosen([$0], mutant: nil)
    }
  }

  static var mutant: ValueType<String> {
    name("name", expected: "the name of a mutant that 'assay properties list' shows", words: catalogues.mutants) {
      _ = try catalogues.chosen([], mutant: $0)
    }
  }

  private static func name(
    _ name: String, expected: String, words: [String], refusing check: @escaping @Sendable (String) throws -> Void
  ) -> ValueType<String> {
    ValueType(
      name, expected: expected, words: words,
      read: { field throws(ReportingError) in
        let text = try field.string(expected: expected)
        do {
          try check(text)
        } catch {
          throw .refused(
            file: field.file, line: field.line, field: field.path,
            problem: Spelling.excerpt("\(error)", maximum: 1000))
        }
        return text
      }, write: { .string($0) })
  }
}

/// Every property chosen, tested by drawn cases, and on demand every mutant tested by the properties.
///
/// Runs do not depend on earlier ones unless requested: stored cases, which earlier runs found, are tried first with
/// `retry` only.
struct PropertiesCheck<Source: PropertySource>: Experiment {
  static var isDrawn: Bool { false }
  var isTimed: Bool { time != nil || campaign != nil }
  static var kind: String { "properties.check" }
  static var summary: String {
    "Tests properties of the code under test on random cases, and shrinks failures to their simplest case."
  }
  static var discussion: String {
    """
    Example: assay properties check \(Source.example) --cases 1M --seed 7
    Example: assay properties check --time 1m
    Example: assay properties check --guided --for 10m

    All properties together take minutes with the default number of cases. After ten seconds the progress is shown on \
    the error stream, even if that is no terminal. --time limits how long they take.

    A property that fails is shown with its simplest case and the command that runs it again. A property is undecided \
    when its generators produce nothing, or a case does not end.
    """
  }

  var patterns = ["*"]
  var cases = 10_000
  var time: Duration?
  var search = SearchMode.uniform
  var seed: UInt64 = 1
  /// `nil` for the code that ships.
  var mutant: String?
  /// The most cases of each property that test a mutant, for each seed.
  var mutantCases = 0
  var mutantSeeds = 1
  var runsInProcess = false
  var caseLimit = Self.defaultCaseLimit
  /// The number of different faults of each property to search.
  var failures = 1
  /// `nil` to store nothing.
  var store: String? = ExampleStore.defaultFolder
  var retries = false
  var isGuided = false
  /// The duration of a campaign; `nil` for a check of a number of cases.
  var campaign: Duration?
  /// `nil` for no stored corpus.
  var corpus: String? = CorpusStore.defaultFolder

  init() {}

  static var parameters: [Parameter<Self>] {
    [
      Parameter(
        "properties", \.patterns, Source.pattern.list(), "The properties: ids, groups, or ids with * in them.",
        example: Source.example, form: .positional),
      Parameter(
        "cases", \.cases, .count(1...CheckSettings.maxCases), "The number of cases of each property that must pass.",
        example: "1M"),
      Parameter(
        "time", \.time, ValueType.duration(lengths).optional,
        "The time limit of all properties together; the number of cases cannot be reproduced.", example: "5m"),
      Parameter("search", \.search, .choice, "The strategy that looks for failing cases.", example: "target"),
      .random(seed: \.seed),
      Parameter(
        "mutant", \.mutant, Source.mutant.or("none"),
        "The mutant to test instead of the code that ships; its failing cases are not stored.", example: "NAME"),
      Parameter(
        "mutants.cases", \.mutantCases, .count(0...1_000_000_000),
        "The maximum number of cases of each property that test a mutant, from each seed; 0 tests no mutants.",
        example: "2k", option: "mutant-cases"),
      Parameter(
        "mutants.seeds", \.mutantSeeds, .count(1...1000), "The number of seeds for mutants.", example: "3",
        option: "mutant-seeds", when: { $0.mutantCases > 0 }),
      Parameter(
        "in-process", \.runsInProcess, .flag,
        "Run cases in this process instead of workers: a case that traps or hangs then ends everything."),
      Parameter(
        "case-limit", \.caseLimit, .duration(lengths),
        "The time after which the process of a case is terminated.", example: "2s"),
      Parameter(
        "failures", \.failures, .count(1...100),
        "The number of different faults to look for in each property, distinguished by their places.", example: "5"),
      Parameter(
        "store", \.store, ValueType.text("folder", expected: "a folder").or("none"),
        "The folder where failing cases are stored.", example: "examples"),
      Parameter("retry", \.retries, .flag, "Try the stored cases first."),
      Parameter(
        "guided", \.isGuided, .flag,
        "Search from the stored corpus, guided by instrumented code, and report the edges reached."),
      Parameter(
        "for", \.campaign, ValueType.duration(lengths).optional,
        "The duration of a guided campaign, which continues the last one by another seed, with as many cases as fit.",
        example: "10m"),
      Parameter(
        "corpus", \.corpus, ValueType.text("folder", expected: "a folder").or("none"),
        "The folder of the cases that together reach every known edge.", example: "corpus",
        when: { $0.isGuided || $0.campaign != nil }),
    ]
  }

  static var defaultThresholds: [String] { ["properties.failing == 0", "properties.undecided == 0"] }

  static var lengths: ClosedRange<Duration> { Duration.milliseconds(1)...Duration.seconds(86_400 * 366) }
  static var defaultCaseLimit: Duration { .seconds(10) }

  func check() throws(ParameterError) {
    if let mutant, chosen.isEmpty {
      throw ParameterError("properties", expected: "properties that test the mutant '\(mutant)'")
    }
    if mutant != nil, mutantCases > 0 {
      throw ParameterError("mutants.cases", "mutant", expected: "0 with a mutant: mutants are tested one by one or all")
    }
    if mutantCases > 0, catalogues.allSatisfy(\.mutants.isEmpty) {
      throw ParameterError("mutants.cases", "properties", expected: "0: these properties have no mutants")
    }
    if time != nil, campaign != nil {
      throw ParameterError("for", "time", expected: "one of the two: a campaign has no number of cases to end with")
    }
    if isGuided || campaign != nil, search != .uniform {
      throw ParameterError("search", "guided", "for", expected: "uniform in a guided search")
    }
    if retries, store == nil || mutant != nil {
      throw ParameterError("retry", "store", "mutant", expected: "a store and no mutant")
    }
  }

  private var chosen: [Catalogues.Chosen] { (try? Source.catalogues.chosen(patterns, mutant: mutant)) ?? [] }

  private var catalogues: [PropertyCatalogue] { Source.catalogues.catalogues(of: chosen) }
}

// MARK: Measures

/// The findings of a run until its end or an interruption.
struct PropertyFindings: Sendable {
  let results: [PropertyResult]
  let wanted: Int
  /// The number of cases of each property that must pass.
  let cases: Int
  /// `nil` if no mutants were tested, or not all.
  let mutants: MutationFindings?

  fileprivate var failing: Int { results.count { $0.verdict == .fails } }
  fileprivate var undecided: Int { results.count { $0.verdict == .undecided } }
  fileprivate var cut: [PropertyResult] { results.filter(\.wasCutShort) }
  /// The number of properties not begun, or interrupted before a case failed.
  fileprivate var open: Int { wanted - results.count + cut.count }
  fileprivate var claims: [CoverageFinding] { results.compactMap(\.report).flatMap(\.coverage) }

  static let rows: [MeasureRow<PropertyFindings>] = [
    .count(
      "properties.failing",
      "Properties with a counterexample, or with too few relevant cases; open while one is undecided",
      undecided: { $0.undecided + $0.open }, { $0.failing }),
    .count(
      "properties.undecided", "Properties that are undecided: nothing to draw, or a case that does not end",
      undecided: { $0.open }, { $0.undecided }),
    .count(
      "properties.tested", "Properties that were decided", undecided: { $0.open },
      { $0.results.count - $0.undecided - $0.cut.count }),
    .count(
      "cases.passed", "Cases that passed, of all properties together",
      undecided: { found in
        (found.wanted - found.results.count) * found.cases + found.cut.reduce(0) { $0 + found.cases - $1.passed }
      }, { $0.results.reduce(0) { $0 + $1.passed } }),
    .exact("cases.discarded", "The share of all drawn cases that were discarded") {
      PropertyResult.discardedShare(of: $0.results.compactMap(\.report))
    },
    .count(
      "coverage.failing",
      "Coverage claims that fail: too few cases were of their kind; open while undecided",
      undecided: { $0.claims.count { $0.verdict == .undecided } }, { $0.claims.count { $0.verdict == .fails } }),
  ]

  /// The measures of each property.
  static let each: [MeasureRow<PropertyResult>] = [
    .count(
      "property.failing", "1 if it fails, else 0",
      undecided: { $0.verdict == .undecided || $0.wasCutShort ? 1 : 0 }, { $0.verdict == .fails ? 1 : 0 }),
    .exact("property.discarded", "The share of its cases that were discarded") {
      $0.report.map { PropertyResult.discardedShare(of: [$0]) }
    },
    .count("property.passed", "Its cases that passed", unit: "cases", \.passed),
  ]

  var measurements: [Measurement] {
    Self.rows.measurements(in: self) + (mutants?.measurements ?? [])
      + Self.each.flatMap { row in results.compactMap { row.measurement(of: $0.id, in: $0) } }
  }
}

extension PropertiesCheck {
  var measures: [Measure] {
    let ids = chosen.map(\.property.id)
    return PropertyFindings.rows.measures() + (mutantCases > 0 ? MutationFindings.measures(of: catalogues) : [])
      + PropertyFindings.each.flatMap { row in ids.map { row.measure(of: $0) } }
  }
}

// MARK: Running

extension PropertiesCheck {
  func run(on context: RunContext) throws -> ScenarioResult {
    let results = try tested(on: context)
    let mutants = context.interrupt.isRaised ? nil : try testedMutants(on: context)
    let isComplete = !context.interrupt.isRaised
    let found = PropertyFindings(
      results: results, wanted: chosen.count, cases: wantedCases, mutants: isComplete ? mutants : nil)
    var data = [JSONMember("properties", .array(results.map(\.repeatableJSON)))]
    data += found.mutants?.members ?? []
    return ScenarioResult(
      measurements: found.measurements, data: .object(data),
      document: PropertyDocument(found: found, origin: origin).document,
      cases: results.map { $0.testCase(origin: [origin]) }, isComplete: isComplete)
  }

  /// Tests one property after the other; time that one does not use is for the later ones.
  private func tested(on context: RunContext) throws -> [PropertyResult] {
    let time = time ?? campaign
    var settings = settings(cases: wantedCases)
    (settings.jobs, settings.failures) = (context.workers.count, failures)
    settings.isGuided = isGuided || campaign != nil
    try settings.validate()
    // A mutant fails on purpose, so its cases are no examples of bugs to fix.
    let store = mutant == nil ? store.map { ExampleStore(folder: $0) } : nil
    try store?.checkWritable()
    let chosen = chosen
    let meter = context.meter(time == nil ? cases * chosen.count : nil, "cases")
    defer { meter?.finish() }
    let worker = runsInProcess ? nil : Source.worker
    let session = PropertySession(
      bench: try PropertyBench(
        worker: worker, caseLimit: caseLimit, jobs: context.workers.count, interrupt: context.interrupt, meter: meter),
      settings: settings, store: store,
      corpus: settings.isGuided && mutant == nil ? corpus.map { CorpusStore(folder: $0) } : nil,
      isCampaign: campaign != nil, retriesExamples: retries, replayOptions: replayOptions(worker))
    let start = ContinuousClock.now
    var results: [PropertyResult] = []
    for (index, one) in chosen.enumerated() where !context.interrupt.isRaised {
      let left = time.map { max(.milliseconds(1), $0 - (ContinuousClock.now - start)) / (chosen.count - index) }
      let began = ContinuousClock.now
      var result = session.result(of: one, within: left)
      result.seconds = (ContinuousClock.now - began) / .seconds(1)
      results.append(result)
    }
    return results
  }

  private func testedMutants(on context: RunContext) throws -> MutationFindings? {
    guard mutantCases > 0 else { return nil }
    return try MutationFindings(catalogues, settings: settings(cases: mutantCases), seeds: mutantSeeds, on: context)
  }

  private var wantedCases: Int { campaign == nil ? cases : CheckSettings.maxCases }

  private func settings(cases: Int) -> CheckSettings {
    CheckSettings(cases: cases, caseLimit: caseLimit, seed: seed, search: search)
  }

  private func replayOptions(_ worker: [String]?) -> [String] {
    (worker == nil ? ["--in-process"] : [])
      + (caseLimit == Self.defaultCaseLimit ? [] : ["--case-limit", TimeSpan.text(caseLimit)])
  }

  /// The origin of the cases.
  private var origin: String {
    let drawn = "drawn with \(MersenneTwister.name), seed \(seed)"
    if let campaign {
      return
        "\(drawn) (1 more for each earlier campaign of a property), as many cases as fit into "
        + TimeSpan.text(campaign)
    }
    return "\(drawn), search \(search.rawValue), \(NumberFormat.grouped(cases)) cases wanted"
  }
}
