// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("assay run, end to end")
struct RunCommandTests {
  @Test("leaves a folder and a line in the history, and prints the verdict and the report's place")
  func folder() throws {
    let folder = try TemporaryFolder(["holds.yaml": ScenarioText.holds])
    let process = try AssayProcess("run holds.yaml", in: folder.url)
    #expect(process.status == 0)
    let path = try #require(process.output.firstMatch(of: /\nfolder: (Results\/runs\/holds-[0-9a-f]{8})\n/)?.1)
    #expect(process.output.contains("\nreport: \(path)/report.html\n"))
    #expect(process.output.contains("\nholds    ev[inf-s17-das] in -0.01..0"))
    #expect(process.output.hasSuffix("\nHOLDS: 1 threshold, 1 scenario.\n"))
    for name in ["scenario.yaml", "result.json", "run.json", "report.html", "junit.xml"] {
      #expect(FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("\(path)/\(name)").path))
    }
    #expect(FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("Results/history.sqlite").path))
  }

  @Test("prints the verdict, the thresholds and the places; the report with --format text, evidence with --verbose")
  func lengths() throws {
    let folder = try TemporaryFolder()
    let yaml = """
      name: A chart
      kind: blackjack.chart
      rules: inf
      confidence: 0.9
      indifference: 0.05
      thresholds: [chart.undecided == 0]

      """
    _ = try folder.write(yaml, as: "chart.yaml")
    let short = try AssayProcess("run chart.yaml --no-history -q", in: folder.url).output
    #expect(short.hasPrefix("holds: A chart\n\nverdict ") && short.split(separator: "\n").count <= 15)
    let whole = try AssayProcess("run chart.yaml --no-history -q -f text", in: folder.url).output
    #expect(whole.contains("Hard totals   2") && !whole.contains("Margins, from closest to clearest"))
    let verbose = try AssayProcess("run chart.yaml --no-history --verbose", in: folder.url).output
    #expect(verbose.contains("Hard totals   2") && verbose.contains("Margins, from closest to clearest"))
  }

  @Test("prints the command that reproduces a failure")
  func reproduction() throws {
    let folder = try TemporaryFolder(["good.yaml": ScenarioText.holds, "bad.yaml": ScenarioText.fails])
    let process = try AssayProcess("run good.yaml bad.yaml --jobs 1 --runs runs --no-history", in: folder.url)
    #expect(process.status == 1)
    #expect(process.output.hasSuffix("FAILS: 1 of 2 thresholds fails (bad), 2 scenarios.\n"))
    #expect(
      process.remarks.hasSuffix("reproduce: assay run good.yaml bad.yaml --jobs 1 --runs runs --no-history\n"))
    #expect(try folder.names() == ["bad.yaml", "good.yaml", "runs"])
  }

  @Test("without a name, runs every file in Scenarios/ in alphabetical order")
  func all() throws {
    let folder = try TemporaryFolder()
    #expect(try AssayProcess("run", in: folder.url).status == 2)
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("Scenarios"), withIntermediateDirectories: true)
    _ = try folder.write(ScenarioText.holds, as: "Scenarios/b.yaml")
    _ = try folder.write(ScenarioText.holds, as: "Scenarios/a.yaml")
    let process = try AssayProcess("run --format csv --no-history --verbose", in: folder.url)
    #expect(process.status == 0)
    #expect(process.output.split(separator: "\n").count == 3)
    #expect(process.remarks.contains("assay run Scenarios/a.yaml Scenarios/b.yaml"))
  }

  @Test("reads all scenarios before the first one runs, and reports all their errors at once")
  func problems() throws {
    let folder = try TemporaryFolder([
      "a.yaml": ScenarioText.holds, "b.yaml": ScenarioText.holds.replacingOccurrences(of: "rules", with: "rule"),
      "c.yaml": ScenarioText.holds.replacingOccurrences(of: "ev in", with: "vv in"),
    ])
    let process = try AssayProcess("run a.yaml b.yaml c.yaml nowhere.yaml", in: folder.url)
    #expect(process.status == 2)
    let lines = process.remarks.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.hasPrefix("error: b.yaml:3: rule: unknown key; did you mean 'rules'?") == true)
    #expect(lines.dropFirst().first?.hasPrefix("error: c.yaml:6: ") == true)
    #expect(lines.last == "error: cannot read 'nowhere.yaml': no such file; check the name.")
    #expect(process.output.isEmpty)
    #expect(try folder.names() == ["a.yaml", "b.yaml", "c.yaml"])
  }

  @Test("refuses two scenarios with the same result folder")
  func sameFolder() throws {
    let folder = try TemporaryFolder()
    for name in ["one", "two"] {
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
      _ = try folder.write(ScenarioText.holds, as: "\(name)/same.yaml")
    }
    let process = try AssayProcess("run one/same.yaml two/same.yaml", in: folder.url)
    #expect(process.status == 2)
    #expect(process.remarks.contains("error: 'two/same.yaml' and 'one/same.yaml' say the same under the same name"))
  }

  @Test("--fail-fast runs nothing after a scenario that fails")
  func failFast() throws {
    let folder = try TemporaryFolder(["a.yaml": ScenarioText.fails, "b.yaml": ScenarioText.holds])
    let process = try AssayProcess("run a.yaml b.yaml --fail-fast", in: folder.url)
    #expect(process.status == 1)
    #expect(process.output.hasSuffix("FAILS: 1 of 1 thresholds fails (a), 2 scenarios, 1 not run.\n"))
    #expect(!process.output.contains("One that holds"))
  }

  @Test("a folder stands for its scenarios in alphabetical order; a stream is refused")
  func folderOfScenarios() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("own"), withIntermediateDirectories: false)
    _ = try folder.write(ScenarioText.holds, as: "own/b.yaml")
    _ = try folder.write(ScenarioText.undecided, as: "own/a.yaml")
    let process = try AssayProcess("run own --no-history --verbose", in: folder.url)
    #expect(process.status == 3 && process.remarks.contains("assay run own/a.yaml own/b.yaml "), "\(process.remarks)")
    for input in ["-", "/dev/null"] {
      let process = try AssayProcess("run \(input)", in: folder.url)
      #expect(process.status == 2 && process.remarks.contains("scenario: found '\(input)'"), "\(process.remarks)")
    }
  }

  @Test(
    "a search ends with 0 if it finds an answer, with 1 if the threshold fails at every value, otherwise with 3",
    arguments: [
      ("edit.kills <= 2 at 0.9", 0), ("edit.kills <= 0.001 at 0.9", 1), ("edit.wrong <= 0.0001 at 0.99", 3),
    ])
  func search(until: String, status: Int32) throws {
    let process = try AssayProcess(
      "profile edit --find trouble=0.1..0.9:0.4 --samples 500", ["--until", until])
    #expect(process.status == status)
    #expect(process.output.contains("until \(until)"))
    #expect(process.output.contains("Thresholds") == (status != 0))
  }
}
