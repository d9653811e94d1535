// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import MonteCarlo
import PropertyTesting
import Reporting
import Scenarios
import TestSupport
import Testing

@testable import PropertyRuns

@Suite("Testing properties with and without stored examples")
struct PropertySessionTests {
  private func result(
    of id: String, store: ExampleStore?, retriesExamples: Bool, seed: UInt64 = 1
  ) throws -> PropertyResult {
    let settings = CheckSettings(cases: 200, seed: seed)
    let bench = try PropertyBench(worker: nil, caseLimit: .seconds(60), jobs: 1, interrupt: Interrupt())
    let session = PropertySession(
      bench: bench, settings: settings, store: store, retriesExamples: retriesExamples,
      replayOptions: ["--in-process"])
    return session.result(of: try specimens.property(id, mutant: nil))
  }

  @Test("stored examples are tried first only on request; otherwise they change nothing and are kept")
  func retries() throws {
    let folder = try TemporaryFolder()
    let store = ExampleStore(folder: folder.path)
    let found = try result(of: "specimen.fails", store: store, retriesExamples: false)
    let again = try result(of: "specimen.fails", store: store, retriesExamples: true, seed: 2)
    #expect(again.remarks.contains { $0.hasPrefix("still fails: ") })
    #expect(again.report?.counterexample?.casesUntilFound == 0)
    let repeated = try result(of: "specimen.fails", store: store, retriesExamples: false)
    #expect(repeated.repeatableJSON == found.repeatableJSON)
    #expect(try folder.names(in: "specimen.fails").count == 1)
  }

  @Test("the data have the same keys for every outcome, and name the arguments of the counterexample")
  func data() throws {
    func members(_ id: String) throws -> [JSONMember] {
      let result = try result(of: id, store: nil, retriesExamples: false)
      guard case .object(let members) = result.repeatableJSON else { return [] }
      return members
    }
    let (failing, holding) = (try members("specimen.fails"), try members("specimen.holds"))
    #expect(failing.map(\.key) == holding.map(\.key) && failing.count == 16)
    #expect(failing.first { $0.key == "outcome" }?.value == "falsified")
    #expect(holding.first { $0.key == "outcome" }?.value == "held")
    guard case .object(let counterexample) = failing.first(where: { $0.key == "counterexample" })?.value else {
      Issue.record("there should be a counterexample")
      return
    }
    #expect(counterexample.first?.value == .array([["name": "numbers", "value": "[501]"]]))
  }

  @Test("a property without cases is undecided, and a failure that cannot be stored is a warning")
  func undecided() throws {
    #expect(try result(of: "specimen.empty", store: nil, retriesExamples: false).verdict == .undecided)
    let nowhere = ExampleStore(folder: "/dev/null")
    let found = try result(of: "specimen.fails", store: nowhere, retriesExamples: false)
    #expect(found.verdict == .fails)
    #expect(found.remarks.first?.hasPrefix("warning: stored examples: cannot write") == true)
  }

  @Test("a generator that throws leaves its property undecided; one that draws from elsewhere fails without a replay")
  func generators() throws {
    struct Oops: Error {}
    let catalogue = PropertyCatalogue(
      core: "Generators",
      properties: [
        Property("generator.throws", "Anything", Gen<Int>({ _ in throw Oops() })) { _ in },
        Property("generator.dice", "It is below 50", Gen({ _ in Int.random(in: 0..<1_000_000) })) { $0 < 50 },
      ])
    let session = PropertySession(
      bench: try PropertyBench(worker: nil, caseLimit: .seconds(60), jobs: 1, interrupt: Interrupt()),
      settings: CheckSettings(), store: nil, retriesExamples: false, replayOptions: [])
    let catalogues = Catalogues([catalogue])
    let throwing = session.result(of: try catalogues.property("generator.throws", mutant: nil))
    #expect(throwing.verdict == .undecided && throwing.report?.choices == nil)
    #expect(throwing.summary.hasPrefix("A generator failed: Oops(). It was drawing case 1"))
    let dice = session.result(of: try catalogues.property("generator.dice", mutant: nil))
    #expect(dice.verdict == .fails && dice.report?.choices == nil && dice.report?.flaky?.redrawn != nil)
  }

  @Test("a command that shows the failure follows its message in a text, and stands alone in a document")
  func command() throws {
    let catalogue = PropertyCatalogue(
      core: "Commands",
      properties: [
        Property("shown.1", "It holds", Gen.just(1)) { _ in throw Failure("no", origin: "here", command: "show 1") }
      ])
    let session = PropertySession(
      bench: try PropertyBench(worker: nil, caseLimit: .seconds(60), jobs: 1, interrupt: Interrupt()),
      settings: CheckSettings(), store: nil, retriesExamples: false, replayOptions: [])
    let result = session.result(of: try Catalogues([catalogue]).property("shown.1", mutant: nil))
    #expect(result.text.contains("\n  argument 1: 1\n  failure: no; show 1\n  at here\n"), "\(result.text)")
    let findings = PropertyFindings(results: [result], wanted: 1, cases: 1, mutants: nil)
    let document = PropertyDocument(found: findings, origin: "given").document.text(width: 1000)
    let shown = "\nIt fails with: no (at here)\n\nThe command that reproduces it:\nshow 1\n"
    #expect(document.contains(shown), "\(document)")
    let runs = try #require(result.text.split(separator: "\n").first { $0.hasSuffix(" to explain it") })
    #expect(document.contains("\n\(runs.dropFirst(2))\n"), "both forms have the same words")
  }

  @Test("a campaign continues with a new seed, and remarks on errors in its corpus")
  func campaigns() throws {
    let folder = try TemporaryFolder()
    func result(in index: String) throws -> PropertyResult {
      var settings = CheckSettings(cases: 200, seed: 8)
      settings.isGuided = true
      var session = PropertySession(
        bench: try PropertyBench(worker: nil, caseLimit: .seconds(60), jobs: 1, interrupt: Interrupt()),
        settings: settings, store: nil, retriesExamples: false, replayOptions: [])
      (session.corpus, session.isCampaign) = (CorpusStore(folder: index), true)
      return session.result(of: try specimens.property("specimen.holds", mutant: nil))
    }
    let seeds = try (0..<3).map { _ in try result(in: folder.path + "/corpus").report?.settings.seed }
    #expect(seeds == [8, 9, 10])
    #expect(CorpusStore(folder: folder.path + "/corpus").contents(of: "specimen.holds").campaigns == 3)
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path + "/corpus")
    let linked = try result(in: link)
    #expect(linked.verdict == .holds && linked.report?.settings.seed == 8)
    #expect(linked.remarks.first?.contains("link: found a link, expected a folder") == true)
    guard case .object(let members) = linked.repeatableJSON else { return }
    #expect(members.contains { $0.key == "guided" })
  }

  @Test("a test case has its reason, its source and its replay command")
  func testCase() throws {
    let found = try result(of: "specimen.fails", store: nil, retriesExamples: false)
    let one = found.testCase(origin: ["seed 1"])
    #expect(one.name == "specimen.fails: No list holds a number above 500" && one.group == "Specimens")
    guard case .failed(let message, let details) = one.outcome else {
      Issue.record("it should fail")
      return
    }
    #expect(message == found.summary)
    #expect(details.contains("replay: assay properties replay specimen.fails:1:") && details.hasSuffix("  seed 1\n"))
    let holding = try result(of: "specimen.holds", store: nil, retriesExamples: false)
    #expect(holding.testCase().outcome == .passed)
  }
}
