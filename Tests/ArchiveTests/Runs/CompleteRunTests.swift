// SPDX-License-Identifier: GPL-3.0-or-later
import Archive
import Foundation
import Pages
import Reporting
import Scenarios
import Testing

@Suite("A complete run")
struct CompleteRunTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  @Test("is a folder with everything in it and nothing else")
  func folder() throws {
    defer { place.remove() }
    let run = try place.run()
    #expect(run.folder == (try place.folder.path))
    #expect(run.folder.hasSuffix("/runs/count-\(run.document.digest)"))
    #expect(
      try place.contents().keys.sorted()
        == ["counts.csv", "junit.xml", "report.html", "result.json", "run.json", "scenario.yaml"])
    #expect(run.document.judgement == .holds)
    #expect(run.report == "\(run.folder)/report.html")
  }

  @Test("gives the same bytes of result.json and junit.xml with one worker and with four")
  func workers() throws {
    defer { place.remove() }
    let first = try place.run(workers: 1)
    let (result, cases) = (try place.read(.result), try place.read(.junit))
    try FileManager.default.removeItem(atPath: first.folder)
    let second = try place.run(workers: 4)
    #expect(try place.read(.result) == result)
    #expect(try place.read(.junit) == cases)
    #expect(second.record.workers == 4)
    #expect(result.hasPrefix("{\n  \"schema\": \"assay.result/1\",\n"))
  }

  @Test("does not change its result when a comment moves the thresholds")
  func comment() throws {
    defer { place.remove() }
    let first = try place.run()
    let second = try place.run("# A comment.\n\n" + Workplace.yaml)
    #expect(second.folder == first.folder)
    #expect(second.remarks.allSatisfy { !$0.contains("REPRODUCIBLE") })
    #expect(second.document.thresholds[0].line == first.document.thresholds[0].line + 2)
  }

  @Test("keeps the scenario as resolved, which is the same scenario")
  func scenario() throws {
    defer { place.remove() }
    let run = try place.run()
    let kept = try Scenario(
      ScenarioDocument(contentsOf: "\(run.folder)/scenario.yaml"), kinds: [CountingPlan.kind(.init())])
    #expect(kept.digest == run.document.digest)
    #expect(try place.read(.scenario).contains("draws: 10000"))
  }

  @Test("records when, where and how fast it was")
  func record() throws {
    defer { place.remove() }
    let run = try place.run(workers: 2)
    let file = try RunFile(contentsOf: "\(run.folder)/run.json")
    #expect(file.latest == run.record)
    #expect(file.previous == nil)
    #expect(file.completed == run.record)
    let record = file.latest
    #expect(record.status == .complete)
    #expect(record.command == "assay run Scenarios/count.yaml")
    #expect(record.gsl == "2.7.1")
    #expect(record.assay == Version.current)
    #expect(record.process == Int(getpid()))
    #expect(try #require(record.ended) >= record.started)
    #expect(try #require(record.wallSeconds) > 0)
    #expect(try #require(record.cpuSeconds) >= 0)
    #expect(record.machine.cores == ProcessInfo.processInfo.activeProcessorCount)
    #expect(["x86_64", "aarch64"].contains(record.machine.architecture))
    #expect(record.files == ["scenario.yaml", "counts.csv", "report.html", "junit.xml", "result.json", "run.json"])
  }

  @Test("shows verdict, thresholds, facts and command on its page, and figures as tables without gnuplot")
  func page() throws {
    defer { place.remove() }
    let run = try place.run()
    let page = try place.read(.report)
    for text in ["ones.share in 0.4..0.6 at 0.99", "a fair coin", "assay run Scenarios/count.yaml", "2.7.1"] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(run.remarks == ["Figures are shown as tables: gnuplot was not found; Debian's package is gnuplot-nox."])
    #expect(page.contains("gnuplot was not found"))
  }

  @Test(
    "draws its figures into the page and as files",
    .enabled(if: Gnuplot.find(environment: ProcessInfo.processInfo.environment) != nil, "gnuplot is not installed"))
  func figures() throws {
    defer { place.remove() }
    let gnuplot = Gnuplot.find(environment: ProcessInfo.processInfo.environment)
    let run = try ScenarioRunner(
      root: place.root, command: "assay run", bench: ScenarioBench(workers: 1), gnuplot: gnuplot, gsl: "2.7.1"
    ).run(place.scenario())
    #expect(run.record.files.contains("figures/ones.svg"))
    #expect(try TextFile.read("\(run.folder)/figures/ones.svg").contains("<svg"))
    #expect(run.remarks.isEmpty)
    // The next run has no gnuplot, so no figures either: what only the first one wrote goes.
    try place.run()
    #expect(try place.contents()["figures/ones.svg"] == nil)
  }

  @Test("may not bring a file that takes the place of the run's own, or lies elsewhere")
  func names() throws {
    defer { place.remove() }
    for name in ["result.json", "../elsewhere", ".hidden", "", "a/b"] {
      let files = [ScenarioResult.File(name: name, content: "x")]
      #expect(throws: ArchiveError.reservedName(name: name, folder: try place.folder.path)) {
        try place.run(Workplace.yaml, .init(files: files))
      }
    }
    #expect(try place.contents()["result.json"] == nil)
  }
}
