// SPDX-License-Identifier: GPL-3.0-or-later
internal import MonteCarlo
internal import PropertyTesting
internal import Reporting
package import Scenarios

/// The results of the properties for the mutants, and the smallest counterexamples of statements that are not promised.
struct MutationFindings: Sendable {
  /// Each mutant that was tested, with the core that it is a variant of.
  let findings: [(core: String, finding: FaultFinding)]
  /// The statements that are known not to hold, with the shortest counterexample where one was found.
  let examples: [(property: Property, counterexample: Counterexample?)]
  private let seeds: Int

  /// Tests every mutant, several at a time; after an interruption the result has those tested until then.
  init(_ catalogues: [PropertyCatalogue], settings: CheckSettings, seeds: Int, on context: RunContext) throws {
    self.seeds = seeds
    let mutants = catalogues.flatMap { one in one.mutants.map { (core: one.core, mutant: $0) } }
    let outcomes = try context.results(of: mutants.map(\.mutant), "mutants") {
      try FaultFinding($0, settings: settings, seeds: seeds, interrupt: context.interrupt).outcome
    }
    findings = zip(mutants, outcomes).map { ($0.core, FaultFinding($0.mutant, $1, seeds: seeds)) }
    var examples: [(property: Property, counterexample: Counterexample?)] = []
    do {
      for property in catalogues.flatMap(\.notPromised) {
        let example = try property.shortestCounterexample(
          settings, seeds: (0..<UInt64(seeds)).map { settings.seed &+ $0 }, interrupt: context.interrupt)
        examples.append((property, example))
      }
    } catch is Abandoned {
      // The counterexamples found before the interruption remain.
    }
    self.examples = examples
  }

  private var missed: [String] { findings.filter { $0.finding.property == nil }.map(\.finding.mutant.name) }

  static let rows: [MeasureRow<MutationFindings>] = [
    .count("faults.missed", "Mutants that no property caught") { $0.missed.count },
    .count("faults.unrefuted", "Statements known not to hold of which no counterexample was found") {
      $0.examples.count { $0.counterexample == nil }
    },
  ]

  /// The measure of each mutant.
  private static let cases = MeasureRow<FaultFinding>.count(
    "mutant.cases", "Cases until a property catches it: the median over the seeds", unit: "cases", \.medianCases)

  static func measures(of catalogues: [PropertyCatalogue]) -> [Measure] {
    rows.measures() + catalogues.flatMap(\.mutants).map { cases.measure(of: $0.name) }
  }

  var measurements: [Measurement] {
    Self.rows.measurements(in: self)
      + findings.compactMap { Self.cases.measurement(of: $0.finding.mutant.name, in: $0.finding) }
  }

  // MARK: Report

  var section: ReportSection {
    let caught = findings.count - missed.count
    let sentence =
      "A mutant is the code under test with one fault put in on purpose. The properties caught \(caught) of "
      + "\(findings.count)" + (missed.isEmpty ? "." : "; nothing catches \(missed.joined(separator: ", ")).")
    var blocks: [ReportBlock] = [.paragraph(sentence)]
    for core in cores {
      blocks.append(.part(core.title, [.table(core.table)]))
    }
    return ReportSection(id: "mutants", title: "Mutants and what caught them", blocks: blocks + replays + notPromised)
  }

  private var cores: [(title: String, table: Table)] {
    var cores: [String] = []
    for (core, _) in findings where cores.last != core { cores.append(core) }
    return cores.map { core in
      let ours = findings.filter { $0.core == core }
      let caught = ours.count { $0.finding.property != nil }
      let title =
        "\(core): \(caught) of \(ours.count) mutants caught; cases: median of \(NumberFormat.counted(seeds, "seed"))"
      return (title, table(ours))
    }
  }

  private func table(_ findings: [(core: String, finding: FaultFinding)]) -> Table {
    Table(columns: FaultFinding.headings, numbers: ["cases"], rows: findings.map(\.finding.row))
  }

  /// The commands that replay counterexamples which only a token can show.
  private var replays: [ReportBlock] {
    let codes = findings.compactMap { _, finding in
      Self.command(finding).map { ReportBlock.code($0, label: finding.mutant.name) }
    }
    return codes.isEmpty ? [] : [.details(summary: "Commands that run these counterexamples again", codes)]
  }

  /// The command that replays a counterexample without printable arguments; `nil` for others.
  private static func command(_ finding: FaultFinding) -> String? {
    guard let property = finding.property, property.isShownByToken, let example = finding.counterexample else {
      return nil
    }
    let token = ReplayToken(property: property.id, choices: example.choices)
    return ShellLine.text(["assay", "properties", "replay", "\(token)", "--mutant", finding.mutant.name])
  }

  /// The statements that do not hold; empty if no catalogue has any.
  private var notPromised: [ReportBlock] {
    if examples.isEmpty { return [] }
    let table = Table(
      ["id", "what does not hold", "smallest counterexample"],
      rows: examples.map { property, counterexample in
        let example = counterexample.map {
          property.named($0.arguments).joined(separator: "; ") + ": " + $0.failure.text
        }
        return [property.id, property.sentence, example ?? "none found"]
      })
    return [
      .part(
        "Not promised, with the smallest counterexample",
        [
          .paragraph("One might expect these statements to hold; they do not, and nothing promises that they should."),
          .table(table),
        ])
    ]
  }

  // MARK: Data

  var members: [JSONMember] {
    [
      JSONMember("faults", .array(mutants)),
      JSONMember("notPromised", .array(examples.map { Self.json($0.property, $0.counterexample) })),
    ]
  }

  private var mutants: [JSONValue] {
    findings.map { core, finding in
      [
        "mutant": .string(finding.mutant.name), "core": .string(core), "fault": .string(finding.mutant.fault),
        "caughtBy": finding.property.flatMap { property in
          finding.counterexample.map { Self.json(property, $0) }
        } ?? .null,
        "replay": Self.command(finding).map(JSONValue.string) ?? .null,
      ]
    }
  }

  private static func json(_ property: Property, _ example: Counterexample?) -> JSONValue {
    [
      "property": .string(property.id),
      "arguments": example.map { .array(property.named($0.arguments).map(JSONValue.string)) } ?? .null,
      "message": example.map { .string($0.failure.text) } ?? .null,
    ]
  }
}

/// Mutation testing of the properties: which catch each mutant, after how many cases, and the smallest case.
struct PropertiesMutants<Source: PropertySource>: Experiment {
  static var isDrawn: Bool { false }
  static var kind: String { "properties.mutants" }
  static var summary: String {
    "Mutation testing: which property catches each mutant, after how many cases, by which minimal counterexample."
  }
  static var discussion: String { "Example: assay properties mutants \(Source.example) --seeds 5" }

  var patterns = ["*"]
  var cases = 2000
  var seeds = 3
  var seed: UInt64 = 1
  var caseLimit = PropertiesCheck<Source>.defaultCaseLimit

  init() {}

  static var parameters: [Parameter<Self>] {
    [
      Parameter(
        "properties", \.patterns, Source.pattern.list(), "The properties: ids, groups, or ids with * in them.",
        example: Source.example, form: .positional),
      Parameter(
        "cases", \.cases, .count(1...1_000_000_000), "The maximum number of cases of each property, from each seed.",
        example: "10k"),
      Parameter(
        "seeds", \.seeds, .count(1...1000), "The number of seeds; the cases are the median over them.", example: "11"),
      .random(seed: \.seed),
      Parameter(
        "case-limit", \.caseLimit, .duration(PropertiesCheck<Source>.lengths),
        "The time after which the process of a case is ended.", example: "2s"),
    ]
  }

  static var defaultThresholds: [String] { ["faults.missed == 0", "faults.unrefuted == 0"] }

  var measures: [Measure] { MutationFindings.measures(of: catalogues) }

  private var catalogues: [PropertyCatalogue] {
    (try? Source.catalogues.catalogues(of: Source.catalogues.chosen(patterns, mutant: nil))) ?? []
  }

  func run(on context: RunContext) throws -> ScenarioResult {
    let settings = CheckSettings(cases: cases, caseLimit: caseLimit, seed: seed)
    let found = try MutationFindings(catalogues, settings: settings, seeds: seeds, on: context)
    let isComplete = !context.interrupt.isRaised
    return ScenarioResult(
      measurements: isComplete ? found.measurements : [], data: .object(found.members),
      document: Document([found.section]), isComplete: isComplete)
  }
}

package enum PropertyExperiments<Source: PropertySource> {
  package static var all: [any Experiment.Type] { [PropertiesCheck<Source>.self, PropertiesMutants<Source>.self] }
}
