// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import PropertyTesting
import Reporting
import Scenarios
import TestSupport
import Testing

@testable import PropertyRuns

@Suite("The experiments properties.check and properties.mutants")
struct PropertiesCheckTests {
  private func result(_ yaml: String, workers: Int = 1) throws -> ScenarioResult {
    try scenario(yaml).plan.run(on: RunContext(workers: workers))
  }

  @Test("every default is written out, and reading that gives the same scenario")
  func resolved() throws {
    let bare = try scenario("")
    #expect(bare.resolved.contains("cases: 10000\n") && bare.resolved.contains("mutant: none\n"))
    #expect(bare.resolved.contains("case-limit: 10s\n") && bare.resolved.contains("in-process: false\n"))
    for yaml in [
      "", "properties: [specimen.h*, specimen.fails]\ncases: 1e3\nsearch: swarm\ntime: 5m",
      "mutant: specimen-broken\nrandom: {seed: 7}", "mutants: {cases: 10, seeds: 3}",
      "in-process: true\ncase-limit: 1s", "case-limit: 250ms\nstore: here\nretry: true",
      "guided: true\ncorpus: none", "for: 10m",
    ] {
      let one = try scenario(yaml)
      let again = try Scenario(
        ScenarioDocument(yaml: one.resolved, file: "again.yaml"),
        kinds: [PropertiesCheck<SpecimenSource>.self])
      #expect(again.resolved == one.resolved && again.digest == one.digest)
    }
  }

  @Test(
    "a bad value is refused at its place, with what is known instead",
    arguments: [
      ("properties: [specimen.holds, specimen.fail]", "s.yaml:3: properties[2]: unknown property 'specimen.fail'"),
      ("properties: specimen.fail", "did you mean 'specimen.fails'?"),
      ("properties: []", "an id with * in it, or a group of properties: specimen (8)"),
      ("cases: 0", "s.yaml:3: cases: found '0', expected a whole number, 1 to"),
      ("search: targt", "(did you mean 'target'?)"), ("random: {generator: taus2}", "random.generator: unknown key"),
      ("random: {seed: -1}", "random.seed: found '-1'"), ("times: 5m", "times: unknown key"),
      ("time: 5x", "s.yaml:3: time: found '5x', expected a length of time"),
      ("mutant: specimen-brokn", "did you mean 'specimen-broken'?"),
      ("mutants: {seeds: 0}", "mutants.seeds: found '0'"), ("mutants: {depth: 1}", "mutants.depth: unknown key"),
      (
        "mutant: specimen-broken\nmutants: {cases: 1}",
        "s.yaml:4: mutants.cases: found '1', expected 0 with a mutant: mutants are tested one by one or all"
      ),
      (
        "mutant: specimen-broken\nproperties: specimen.fails",
        "s.yaml:4: properties: found 'specimen.fails', expected properties that test the mutant 'specimen-broken'"
      ),
      ("retry: true\nstore: none", "s.yaml:3: retry: found 'true', expected a store and no mutant"),
      ("for: 1s\ntime: 2s", "s.yaml:3: for: found '1s', expected one of the two"),
      ("guided: true\nsearch: swarm", "s.yaml:4: search: found 'swarm', expected uniform in a guided search"),
      ("thresholds: ['property.failing[specimen.hold] == 0']", "did you mean 'property.failing[specimen.holds]'?"),
      ("thresholds: [properties.failling == 0]", "did you mean 'properties.failing'?"),
      ("thresholds: [faults.missed == 0]", "which is not measured"),
    ])
  func refused(yaml: String, problem: String) throws {
    let error = try #require(throws: ReportingError.self) { try scenario(yaml) }
    #expect(error.description.contains(problem), "\(error)")
  }

  @Test("failing, passing and undecided properties are counted, in all and for each")
  func measured() throws {
    let one = try scenario("properties: [specimen.holds, specimen.fails, specimen.empty]\ncases: 300")
    let result = try one.plan.run(on: RunContext(workers: 1))
    #expect(result.isComplete)
    #expect(result.value("properties.failing") == .count(1, undecided: 1))
    #expect(result.value("properties.undecided") == .count(1, undecided: 0))
    #expect(result.value("properties.tested") == .count(2, undecided: 0))
    #expect(result.value("property.failing[specimen.holds]") == .count(0, undecided: 0))
    #expect(result.value("property.failing[specimen.fails]") == .count(1, undecided: 0))
    #expect(result.value("property.failing[specimen.empty]") == .count(0, undecided: 1))
    #expect(result.value("property.discarded[specimen.empty]") == .exact(1))
    #expect(result.value("property.discarded[specimen.holds]") == .exact(0))
    #expect(result.value("coverage.failing") == .count(0, undecided: 0))
    #expect(Set(result.measurements.map(\.measure)) == Set(one.plan.measures))
    #expect(result.cases.map(\.group) == ["Specimens", "Specimens", "Specimens"])
    let verdict =
      "FAILS: 1 of 3 properties does not hold: specimen.fails; 1 of 3 properties is undecided: specimen.empty; "
      + "300 cases passed."
    #expect(result.document.text(width: 1000).contains(verdict))
  }

  @Test("thresholds evaluate the counts: an undecided property leaves the number of failures open")
  func evaluated() throws {
    func verdicts(_ yaml: String) throws -> [Verdict] {
      let one = try scenario(yaml + "\ncases: 100")
      return one.evaluated(by: try one.plan.run(on: RunContext(workers: 2)).measurements).map(\.verdict)
    }
    let all = "thresholds: [properties.failing == 0, properties.undecided == 0, cases.passed >= 100]"
    #expect(try verdicts("properties: specimen.holds\n\(all)") == [.holds, .holds, .holds])
    #expect(try verdicts("properties: specimen.fails\n\(all)") == [.fails, .holds, .fails])
    #expect(try verdicts("properties: specimen.empty\n\(all)") == [.undecided, .fails, .fails])
    #expect(try verdicts("properties: specimen.fails") == [.fails, .holds], "the default thresholds")
    let each = "thresholds: [property.failing == 0]"
    #expect(try verdicts("properties: [specimen.holds, specimen.fails]\n\(each)") == [.holds, .fails])
  }

  @Test("the same scenario has the same result at any number of workers and with any stored examples")
  func sameAtAnyNumberOfWorkers() throws {
    let folder = try TemporaryFolder()
    let yaml =
      "properties: [specimen.holds, specimen.fails, specimen.empty]\ncases: 20k\nmutants: {cases: 2000}\n"
      + "store: \(folder.path)"
    let one = try result(yaml)
    for workers in [2, 4] {
      let other = try result(yaml, workers: workers)
      #expect(other.determined == one.determined)
      #expect(other.document == one.document)
    }
    #expect(try folder.names(in: "specimen.fails").count == 1, "new counterexamples are stored all the same")
    #expect(try result(yaml + "\nrandom: {seed: 2}").determined != one.determined)
  }

  @Test("mutants are caught or missed by the chosen properties")
  func mutants() throws {
    let caught = try result("properties: specimen.holds\ncases: 10\nmutants: {cases: 50, seeds: 2}")
    #expect(caught.value("faults.missed") == .count(0, undecided: 0))
    #expect(caught.data.text.contains("\"caughtBy\": {"))
    let missed = try scenario(
      "properties: specimen.fails\ncases: 10\nmutants: {cases: 2000}\nthresholds: [faults.missed == 0]")
    let result = try missed.plan.run(on: RunContext(workers: 1))
    #expect(result.value("faults.missed") == .count(1, undecided: 0))
    #expect(missed.evaluated(by: result.measurements).map(\.verdict) == [.fails])
    let text = result.document.text(width: 1000)
    #expect(text.contains("The properties caught 0 of 1; nothing catches specimen-broken."))
    let tables = result.blocks.compactMap { if case .table(let table) = $0 { table.table } else { nil } }
    #expect(tables.last?.rows == [["specimen-broken", "Nothing holds.", "nothing", "", ""]])
  }

  @Test("after an interruption, untested properties have no verdict")
  func interrupted() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    let one = try scenario(
      "properties: [specimen.holds, specimen.fails]\ncases: 100\nthresholds: [property.failing == 0]")
    let result = try one.plan.run(on: RunContext(workers: 1, interrupt: interrupt))
    #expect(!result.isComplete)
    #expect(result.value("properties.failing") == .count(0, undecided: 2))
    #expect(result.value("cases.passed") == .count(0, undecided: 200))
    #expect(result.document.text().contains("STOPPED: 2 of 2 properties were not begun; 0 cases passed."))
    #expect(one.evaluated(by: result.measurements).map(\.verdict) == [.undecided, .undecided])
  }

  // MARK: The report

  @Test("failures come first and in full, then undecided properties, then a table of all, then the details")
  func order() throws {
    let result = try result("properties: [specimen.holds, specimen.empty, specimen.fails]\ncases: 100")
    let blocks = try #require(result.document.sections.first).blocks
    let kinds = blocks.map { block in
      switch block {
      case .paragraph: "paragraph"
      case .part(let title, let verdict, _): "\(title.prefix(14)) \(verdict?.rawValue ?? "none")"
      case .table(let table): "table of \(table.table.rows.count)"
      case .details(let summary, _): "behind \(summary.prefix(14))"
      default: "other"
      }
    }
    #expect(
      kinds == [
        "paragraph", "paragraph", "specimen.fails fails", "specimen.empty undecided", "table of 3",
        "behind specimen.holds",
      ])
  }
}
