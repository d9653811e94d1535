// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import PropertyTesting
import Reporting
import Scenarios
import Testing

@testable import PropertyLab

@Suite("Scenarios that put properties on trial")
struct PropertiesPlanTests {
  @Test("every default is written out, and reading that gives the same scenario")
  func resolved() throws {
    let bare = try scenario("")
    #expect(bare.resolved.contains("cases: 10000\n") && bare.resolved.contains("subject: none\n"))
    #expect(bare.resolved.contains("isolation: false\n") && bare.resolved.contains("faults: false\n"))
    for one in [
      bare, try scenario("properties: [specimen.h*, specimen.fails]\ncases: 1e3\nsearch: swarm\nfaults: true"),
      try scenario("subject: specimen-broken\nrandom: {generator: taus2, seed: 7}"),
      try scenario("faults: {cases: 10, seeds: 3}"),
    ] {
      let document = try ScenarioDocument(yaml: one.resolved, file: "again.yaml")
      let kinds = PropertyScenarios.kinds(catalogues: specimens, worker: nil, store: nil)
      let again = try Scenario(document, kinds: kinds)
      #expect(again.resolved == one.resolved && again.digest == one.digest)
    }
  }

  @Test("with a worker cases are isolated unless the scenario says otherwise, and the limit of a case is written out")
  func isolated() throws {
    let kinds = PropertyScenarios.kinds(catalogues: specimens, worker: ["/no/such/worker"], store: nil)
    func resolved(_ yaml: String) throws -> String {
      try Scenario(ScenarioDocument(yaml: "name: S\nkind: properties\n\(yaml)", file: "s.yaml"), kinds: kinds).resolved
    }
    #expect(try resolved("").contains("isolation: true\ncase-limit: 10s\n"))
    #expect(try resolved("case-limit: 250ms").contains("case-limit: 250ms\n"))
    #expect(try !resolved("isolation: false").contains("case-limit"))
  }

  @Test(
    "what a key does not mean is refused at its place, with what it could mean",
    arguments: [
      ("properties: [specimen.holds, specimen.fail]", "s.yaml:3: properties[2]: found 'specimen.fail'"),
      ("properties: specimen.fail", "did you mean 'specimen.fails'?"), ("properties: []", "at least one id or group"),
      ("cases: 0", "s.yaml:3: cases: found '0', expected a whole number, 1 to"),
      ("search: targt", "(did you mean 'target'?)"), ("random: {generator: mt19936}", "random.generator: found"),
      ("random: {seed: -1}", "random.seed: found '-1'"), ("time: 5m", "time: unknown key"),
      ("subject: specimen-brokn", "(did you mean 'specimen-broken'?)"), ("faults: maybe", "one of true, false"),
      ("faults: {seeds: 0}", "faults.seeds: found '0'"), ("faults: {depth: 1}", "faults.depth: unknown key"),
      ("subject: specimen-broken\nfaults: true", "s.yaml:4: faults: found 'true', expected false, or no 'subject'"),
      ("isolation: true", "expected false: nothing here starts processes of their own"),
      ("case-limit: 1s", "expected no such key without isolation"),
      ("thresholds: [property.failing[specimen.hold] == 0]", "did you mean 'property.failing[specimen.holds]'?"),
      ("thresholds: [properties.failling == 0]", "did you mean 'properties.failing'?"),
      ("thresholds: [faults.missed == 0]", "which is not measured"),
    ])
  func refused(yaml: String, problem: String) throws {
    let error = try #require(throws: ReportingError.self) { try scenario(yaml) }
    #expect(error.description.contains(problem), "\(error)")
  }

  @Test("what fails, holds and cannot be judged is counted, for all properties and for each")
  func measured() throws {
    let one = try scenario("properties: [specimen.holds, specimen.fails, specimen.empty]\ncases: 300")
    let result = try one.plan.run(on: ScenarioBench(workers: 1))
    #expect(result.isComplete)
    #expect(result.value("properties.failing") == .count(1, undecided: 1))
    #expect(result.value("properties.unjudged") == .count(1, undecided: 0))
    #expect(result.value("properties.tested") == .count(2, undecided: 0))
    #expect(result.value("property.failing[specimen.holds]") == .count(0, undecided: 0))
    #expect(result.value("property.failing[specimen.fails]") == .count(1, undecided: 0))
    #expect(result.value("property.failing[specimen.empty]") == .count(0, undecided: 1))
    #expect(result.value("property.discarded[specimen.empty]") == .exact(1))
    #expect(result.value("property.discarded[specimen.holds]") == .exact(0))
    #expect(result.value("coverage.unmet") == .count(0, undecided: 0))
    #expect(Set(result.measurements.map(\.measure)) == Set(one.plan.measures))
    #expect(result.cases.map(\.group) == ["Specimens", "Specimens", "Specimens"])
    #expect(result.text.contains("FAILS: 1 of 3 fail: specimen.fails; 1 of 3 could not be judged: specimen.empty"))
  }

  @Test("thresholds judge the counts: a property that cannot be judged leaves open whether one fails")
  func judged() throws {
    func judgements(_ yaml: String) throws -> [Judgement] {
      let one = try scenario(yaml + "\ncases: 100")
      return one.judged(by: try one.plan.run(on: ScenarioBench(workers: 2)).measurements).map(\.judgement)
    }
    let all = "thresholds: [properties.failing == 0, properties.unjudged == 0, cases.passed >= 100]"
    #expect(try judgements("properties: specimen.holds\n\(all)") == [.holds, .holds, .holds])
    #expect(try judgements("properties: specimen.fails\n\(all)") == [.fails, .holds, .fails])
    #expect(try judgements("properties: specimen.empty\n\(all)") == [.undecided, .fails, .fails])
    let each = "thresholds: [property.failing == 0]"
    #expect(try judgements("properties: [specimen.holds, specimen.fails]\n\(each)") == [.holds, .fails])
  }

  @Test("the same scenario has the same result at any number of workers, whatever was stored before")
  func sameAtAnyNumberOfWorkers() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let store = ExampleStore(folder: folder.url.path)
    let yaml = "properties: [specimen.holds, specimen.fails, specimen.empty]\ncases: 20k\nfaults: true"
    let one = try scenario(yaml, store: store).plan.run(on: ScenarioBench(workers: 1))
    for workers in [2, 4] {
      let other = try scenario(yaml, store: store).plan.run(on: ScenarioBench(workers: workers))
      #expect(other.determined == one.determined)
      #expect(other.sections == one.sections)
    }
    #expect(try folder.names(in: "specimen.fails").count == 1, "new counterexamples are stored all the same")
    let elsewhere = try scenario(yaml + "\nrandom: {seed: 2}").plan.run(on: ScenarioBench(workers: 1))
    #expect(elsewhere.determined != one.determined)
  }

  @Test("broken subjects are caught by the scenario's properties or missed")
  func faults() throws {
    let caught = try scenario("properties: specimen.holds\ncases: 10\nfaults: {cases: 50, seeds: 2}")
      .plan.run(on: ScenarioBench(workers: 1))
    #expect(caught.value("faults.missed") == .count(0, undecided: 0))
    #expect(caught.data.text.contains("\"caughtBy\": {"))
    let missed = try scenario("properties: specimen.fails\ncases: 10\nfaults: true\nthresholds: [faults.missed == 0]")
    let result = try missed.plan.run(on: ScenarioBench(workers: 1))
    #expect(result.value("faults.missed") == .count(1, undecided: 0))
    #expect(missed.judged(by: result.measurements).map(\.judgement) == [.fails])
    #expect(result.text.hasSuffix("0 of 1 broken subjects caught; noticed by nothing: specimen-broken.\n"))
  }

  @Test("after an interruption nothing is claimed of what was not tested")
  func interrupted() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    let one = try scenario(
      "properties: [specimen.holds, specimen.fails]\ncases: 100\nthresholds: [property.failing == 0]")
    let result = try one.plan.run(on: ScenarioBench(workers: 1, interrupt: interrupt))
    #expect(!result.isComplete)
    #expect(result.value("properties.failing") == .count(0, undecided: 2))
    #expect(result.value("cases.passed") == .count(0, undecided: 200))
    #expect(one.judged(by: result.measurements).map(\.judgement) == [.undecided, .undecided])
  }
}
