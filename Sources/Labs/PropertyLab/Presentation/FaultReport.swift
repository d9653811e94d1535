// SPDX-License-Identifier: GPL-3.0-or-later
package import MonteCarlo
package import PropertyTesting
package import Reporting

/// What the properties make of the broken subjects, and the smallest counterexamples of what is not promised.
package struct FaultReport: Sendable {
  /// What was made of each broken subject that was tried, with the core it is a variant of.
  package let findings: [(core: String, finding: FaultFinding)]
  /// The statements that are known not to hold, with the shortest counterexample where one was found.
  package let examples: [(property: Property, counterexample: Counterexample?)]
  private let seeds: Int

  /// Tries every broken subject, several at a time.
  ///
  /// - Parameters:
  ///   - catalogues: the cores with their subjects.
  ///   - settings: how much each property is tested from each seed at most.
  ///   - seeds: from how many seeds.
  ///   - jobs: how many subjects are tried at the same time; it never changes what is found.
  ///   - interrupt: ends it early, with the subjects tried until then.
  ///   - meter: told of every subject tried.
  /// - Throws: what is wrong with the settings.
  package init(
    _ catalogues: [PropertyCatalogue], settings: CheckSettings, seeds: Int, jobs: Int, interrupt: Interrupt,
    meter: ProgressMeter? = nil
  ) throws {
    self.seeds = seeds
    let subjects = catalogues.flatMap { one in one.mutants.map { (core: one.core, subject: $0) } }
    let run = try BlockRunner(workers: jobs).run(
      blocks: 0..<subjects.count, into: Found(), interrupt: interrupt,
      makeScratch: { () throws(any Error) -> Void in },
      body: { (index, _: inout Void) throws(any Error) -> Found in
        defer { meter?.advance(by: 1) }
        return Found(findings: [index: try FaultFinding(subjects[index].subject, settings: settings, seeds: seeds)])
      })
    findings = subjects.indices.compactMap { index in
      run.tally.findings[index].map { (subjects[index].core, $0) }
    }
    examples = try catalogues.flatMap(\.notPromised).map { property in
      (property, try property.shortestCounterexample(settings, seeds: (0..<UInt64(seeds)).map { settings.seed &+ $0 }))
    }
  }

  private struct Found: MergeableTally {
    var findings: [Int: FaultFinding] = [:]

    mutating func merge(_ other: Found) { findings.merge(other.findings) { mine, _ in mine } }
  }

  /// What no property notices, and what is said not to hold but does.
  package var unnoticed: [String] { missed + unrefuted }

  /// The broken subjects that no property notices.
  package var missed: [String] { findings.filter { $0.finding.property == nil }.map(\.finding.subject.name) }

  /// The statements said not to hold of which no counterexample was found.
  package var unrefuted: [String] { examples.filter { $0.counterexample == nil }.map(\.property.id) }

  /// The report in a format; `nil` for one that it does not have.
  package func rendered(as format: ReportFormat) -> String? {
    switch format {
    case .text: sections(\.text) { $0 + ":\n\n" }
    case .markdown: sections(\.markdown) { "## \($0)\n\n" }
    case .csv: table(findings).csv
    case .json, .svg, .png, .junit: nil
    }
  }

  private func sections(_ render: (Table) -> String, title: (String) -> String) -> String {
    var parts = tables.map { title($0.heading) + render($0.table) }
    if !examples.isEmpty {
      parts.append(title("Not promised, with the smallest counterexample") + render(exampleTable))
    }
    return parts.joined(separator: "\n")
  }

  /// A table a core, under how many of its subjects were caught.
  var tables: [(heading: String, table: Table)] {
    var cores: [String] = []
    for (core, _) in findings where cores.last != core { cores.append(core) }
    return cores.map { core in
      let ours = findings.filter { $0.core == core }
      let caught = ours.count { $0.finding.property != nil }
      let from = "cases: median of \(seeds) seeds"
      return ("\(core): \(caught) of \(ours.count) broken subjects caught; \(from)", table(ours))
    }
  }

  private func table(_ findings: [(core: String, finding: FaultFinding)]) -> Table {
    var table = Table(FaultFinding.headings.map { Table.Column($0, $0 == "cases" ? .right : .left) })
    for (_, finding) in findings {
      var row = finding.row
      if let command = Self.command(finding) { row[row.count - 1] += "; " + command }
      table.add(row)
    }
    return table
  }

  /// The command that tries a counterexample again, where nothing else shows it.
  private static func command(_ finding: FaultFinding) -> String? {
    guard let property = finding.property, property.isShownByToken, let example = finding.counterexample else {
      return nil
    }
    let token = ReplayToken(property: property.id, tape: example.tape)
    return "assay properties replay \(token) --subject \(finding.subject.name)"
  }

  /// What is not promised, with its counterexamples.
  var exampleTable: Table {
    var table = Table(["id", "what does not hold", "smallest counterexample"].map { Table.Column($0) })
    for (property, counterexample) in examples {
      let example = counterexample.map {
        property.named($0.arguments).joined(separator: "; ") + ": " + $0.failure.message
      }
      table.add([property.id, property.sentence, example ?? "none found"])
    }
    return table
  }
}
