// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Pages
import Reporting
import Scenarios
import Testing

@testable import Archive

@Suite("A complete run")
struct CompleteRunTests {
  let location: Workplace

  init() throws { location = try Workplace() }

  @Test("leaves a folder with exactly the documented files")
  func folder() throws {
    let run = try location.run()
    #expect(run.folder == (try location.folder.path))
    #expect(run.folder.hasSuffix("/runs/count-\(run.document.digest)"))
    #expect(
      try location.contents().keys.sorted()
        == [
          "counts.csv", "figures/ones.svg", "junit.xml", "report.html", "result.json", "run.json", "scenario.yaml",
        ])
    #expect(run.document.verdict == .holds)
    #expect(run.report == "\(run.folder)/report.html")
  }

  @Test("gives the same bytes of result.json with one worker and with four, and the same junit.xml but for times")
  func workers() throws {
    let first = try location.run(workers: 1)
    func cases() throws -> String { try location.read(.junit).replacing(#/ time(stamp)?="[^"]*"/#, with: "") }
    let (result, once) = (try location.read(.result), try cases())
    try FileManager.default.removeItem(atPath: first.folder)
    let second = try location.run(workers: 4)
    #expect(try location.read(.result) == result)
    #expect(try cases() == once)
    #expect(second.record.workers == 4)
    #expect(result.hasPrefix("{\n  \"schema\": \"assay.result/1\",\n"))
  }

  @Test("has the same result when a comment moves the thresholds to other lines")
  func comment() throws {
    let first = try location.run()
    let second = try location.run("# A comment.\n\n" + Workplace.yaml)
    #expect(second.folder == first.folder)
    #expect(second.remarks.allSatisfy { !$0.contains("REPRODUCIBLE") })
    #expect(second.document.thresholds[0].line == first.document.thresholds[0].line + 2)
  }

  @Test("keeps the resolved scenario, which reads back as the same scenario")
  func scenario() throws {
    let run = try location.run()
    let kept = try Scenario(
      ScenarioDocument(contentsOf: "\(run.folder)/scenario.yaml"), kinds: [CountingPlan.self])
    #expect(kept.digest == run.document.digest)
    #expect(try location.read(.scenario).contains("draws: 10000"))
  }

  @Test("records when, where and how fast it was")
  func record() throws {
    let run = try location.run(workers: 2)
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
    #expect(
      record.files
        == ["scenario.yaml", "counts.csv", "figures/ones.svg", "report.html", "junit.xml", "result.json", "run.json"])
  }

  @Test("shows thresholds, facts, command and figures on its page, and writes the figures as files")
  func page() throws {
    let run = try location.run()
    let page = try location.read(.report)
    for text in [
      "ones.share in 0.4..0.6 at 0.99", "a fair coin", "assay run Scenarios/count.yaml", "2.7.1",
      "class=\"assay-figure\"",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(try TextFile.read("\(run.folder)/figures/ones.svg").contains("<svg"))
    #expect(run.remarks.isEmpty)
  }

  @Test("refuses further files that replace the run's own or lie outside its folder")
  func names() throws {
    for name in ["result.json", "../elsewhere", ".hidden", "", "a/b"] {
      let files = [ScenarioResult.File(name: name, content: "x")]
      #expect(throws: ArchiveError.reservedName(name: name, folder: try location.folder.path)) {
        try location.run(Workplace.yaml, .init(files: files))
      }
    }
    #expect(try location.contents()["result.json"] == nil)
  }
}

@Suite("A repeated run of a scenario")
struct RepeatedRunTests {
  let location: Workplace

  init() throws { location = try Workplace() }

  @Test("is silent if it gives the same result")
  func same() throws {
    try location.run()
    let before = try location.read(.result)
    let again = try location.run()
    #expect(try location.read(.result) == before)
    #expect(again.remarks.isEmpty)
    #expect(try location.contents().keys.allSatisfy { !$0.contains("earlier") })
  }

  @Test("says that the code changed, and which figures, if another binary made the earlier result")
  func otherBinary() throws {
    try location.run(Workplace.yaml, build: RunRecord.Build(binary: "0123456789abcdef"))
    let before = try location.read(.result)
    let again = try location.run(Workplace.yaml, .init(drift: 1), build: RunRecord.Build(binary: "fedcba9876543210"))
    let remark = again.remarks[0]
    #expect(remark.hasPrefix("The code changed (01234567 → fedcba98): ones "), "\(remark)")
    #expect(remark.hasSuffix(". The earlier result was kept as result.earlier.json."), "\(remark)")
    #expect(try location.contents()["result.earlier.json"] == before)
    let same = try location.run(Workplace.yaml, .init(drift: 2), build: RunRecord.Build(binary: "fedcba9876543210"))
    #expect(same.remarks[0].hasPrefix("NOT REPRODUCIBLE: "))
  }

  @Test("has the verdict none without thresholds, in its files and in the history")
  func unasked() throws {
    let run = try location.run("{name: Ones, kind: counting}")
    #expect(run.document.verdict == .unasked)
    let folder = RunFolder(run.folder)
    #expect(try #require(folder.text(.result)).contains("\"verdict\": \"none\""))
    #expect(try ResultDocument(contentsOf: folder.path(.result)).verdict == .unasked)
    #expect(try #require(folder.text(.report)).contains("No threshold was set, so the verdict is none."))
    let history = try History.open(location.path("history.sqlite"))
    try history.record(run)
    #expect(try history.runs().map(\.verdict) == [.unasked] && history.run(named: "latest").verdict == .unasked)
  }

  @Test("warns that a different result of the same version is not reproducible, and keeps both")
  func notReproducible() throws {
    try location.run()
    let before = try location.read(.result)
    let again = try location.run(Workplace.yaml, .init(drift: 1))
    #expect(again.remarks[0].hasPrefix("NOT REPRODUCIBLE: "))
    #expect(try location.read(.report).contains("NOT REPRODUCIBLE: "))
    #expect(try RunFile(contentsOf: "\(again.folder)/run.json").latest.remarks == again.remarks)
    let between = try location.read(.result)
    #expect(between != before)
    try location.run(Workplace.yaml, .init(drift: 2))
    let contents = try location.contents()
    #expect(contents["result.earlier.json"] == before)
    #expect(contents["result.earlier-2.json"] == between)
  }

  @Test("replaces the same result of another version, and keeps another result of another version")
  func otherVersion() throws {
    try location.run()
    let ours = try location.read(.result)
    let theirs = ours.replacing("\"assay\": \"\(Version.current)\"", with: "\"assay\": \"0.0.9\"")
    #expect(theirs != ours)
    try location.write(theirs, .result)
    let again = try location.run()
    #expect(again.remarks.allSatisfy { !$0.contains("another result") })
    #expect(try location.read(.result) == ours)
    try location.write(theirs, .result)
    let other = try location.run(Workplace.yaml, .init(drift: 1))
    #expect(other.remarks[0] == "Assay 0.0.9 gave another result, which was kept as result.earlier.json.")
    #expect(try location.contents()["result.earlier.json"] == theirs)
  }

  @Test("keeps damaged files under another name")
  func damaged() throws {
    try location.run()
    try location.write("{", .result)
    try location.write("[", .run)
    let again = try location.run()
    #expect(again.remarks[0].contains("damaged; it was kept as result.damaged.json"))
    let contents = try location.contents()
    #expect(contents["result.damaged.json"] == "{")
    #expect(contents["run.damaged.json"] == "[")
    #expect(StoredRun(RunFolder(again.folder)).isComplete)
  }

  @Test("removes the further files that it no longer writes, and only those")
  func furtherFiles() throws {
    try location.run(Workplace.yaml, .init(files: [.init(name: "old.csv", content: "old")]))
    try AtomicFile.write("mine", to: location.folder.path + "/notes.txt")
    try AtomicFile.write("mine", to: location.path("notes.txt"))
    let record = try location.read(.run)
    try location.write(record.replacing("\"old.csv\"", with: "\"old.csv\", \"../../notes.txt\""), .run)
    try location.run()
    let names = try location.contents().keys
    #expect(!names.contains("old.csv"))
    #expect(names.contains("counts.csv"))
    #expect(names.contains("notes.txt"))
    #expect(FileManager.default.fileExists(atPath: location.path("notes.txt")))
  }
}

@Suite("The cases of a run for build servers")
struct RunCasesTests {
  private func evaluated(_ text: String, of name: String = "ones", _ verdict: Verdict) -> EvaluatedThreshold {
    EvaluatedThreshold(
      text: text, measurement: name, source: "a coin", line: 4, verdict: verdict, found: "7 of 9",
      advice: verdict == .undecided ? "about 20 more samples" : "", errorProbability: 0)
  }

  private func report(_ thresholds: [EvaluatedThreshold]) throws -> JUnitReport {
    let own = JUnitReport.Case(name: "bits are bits", group: "counting", outcome: .passed)
    return try Workplace().scenario().cases(
      thresholds, and: [own], command: "assay run x.yaml", HistoryFixture.record().suiteInfo)
  }

  @Test("are one for each threshold, in the scenario's group, and then those of the result")
  func names() throws {
    let report = try report([evaluated("ones > 1", .holds), evaluated("ones > 8", .fails)])
    #expect(report.name == "count")
    #expect(report.cases.map(\.name) == ["ones > 1", "ones > 8", "bits are bits"])
    #expect(report.cases.map(\.group) == ["count", "count", "counting"])
    #expect(report.cases[0].outcome == .passed)
  }

  @Test("state of a failure the value found, its source, the seed, the place and the command")
  func failure() throws {
    let details = """
      threshold: ones > 8
      file: Scenarios/count.yaml:4
      found: 7 of 9
      source: a coin
      seed: 1
      to run it again: assay run x.yaml

      """
    #expect(
      try report([evaluated("ones > 8", .fails)]).cases[0].outcome
        == .failed(message: "fails: found 7 of 9", details: details))
  }

  @Test("show an undecided threshold as an error, with the samples that would decide it")
  func undecided() throws {
    let outcome = try report([evaluated("ones > 8", .undecided)]).cases[0].outcome
    guard case .undecided(let message, let details) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(message == "undecided: found 7 of 9")
    #expect(details.contains("it would be decided by: about 20 more samples\n"))
  }

  @Test("have distinct names if one threshold evaluates several measurements")
  func labels() throws {
    let report = try report([evaluated("ev > 0", of: "ev[a]", .holds), evaluated("ev > 0", of: "ev[b]", .holds)])
    #expect(report.cases.map(\.name) == ["ev > 0 (ev[a])", "ev > 0 (ev[b])", "bits are bits"])
  }

  @Test("find the seed anywhere in the settings")
  func seed() throws {
    #expect(try Workplace().scenario("{name: a, kind: counting, seed: 17}").seed == "17")
  }
}
