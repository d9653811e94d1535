// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("assay run on a build server")
struct BuildServerTests {
  @Test("--ci annotates what fails at its line, on the error stream, and leaves junit.xml")
  func annotations() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    _ = try folder.write(ScenarioText.fails, as: "fails.yaml")
    _ = try folder.write(ScenarioText.undecided, as: "undecided.yaml")
    let process = try AssayProcess("run fails.yaml undecided.yaml --ci --no-history", in: folder.url)
    #expect(process.status == 1)
    let commands = process.remarks.split(separator: "\n").filter { $0.hasPrefix("::") }
    #expect(commands.first?.hasPrefix("::error file=fails.yaml,line=6,title=Fails%3A ev >= 0::") == true)
    #expect(commands.last?.hasPrefix("::warning file=undecided.yaml,line=6,title=Undecided%3A ev") == true)
    #expect(!process.output.contains("::error"))
    let runs = folder.url.appendingPathComponent("Results/runs")
    let made = try #require(
      try FileManager.default.contentsOfDirectory(atPath: runs.path).first { $0.hasPrefix("fails-") })
    let junit = try String(contentsOf: runs.appendingPathComponent("\(made)/junit.xml"), encoding: .utf8)
    #expect(junit.contains(#"failures="1""#) && junit.contains("assay run fails.yaml"))
  }

  @Test("is known by its variables", arguments: ["CI", "GITHUB_ACTIONS"])
  func variables(name: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    _ = try folder.write(ScenarioText.fails, as: "s.yaml")
    let typed = "run s.yaml --no-history"
    #expect(try AssayProcess(typed, in: folder.url, environment: [name: "true"]).remarks.contains("::error "))
    #expect(try !AssayProcess(typed, in: folder.url, environment: [name: "false"]).remarks.contains("::error "))
    #expect(try !AssayProcess(typed, in: folder.url).remarks.contains("::error "))
  }

  @Test("adds to the summary of the step, and names files from the workspace")
  func summary() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    _ = try folder.write(ScenarioText.fails, as: "s.yaml")
    let summary = try folder.write("Before.\n", as: "summary.md")
    let process = try AssayProcess(
      "run \(folder.url.path)/s.yaml --no-history --out \(folder.url.path)/runs",
      environment: ["CI": "1", "GITHUB_STEP_SUMMARY": summary, "GITHUB_WORKSPACE": folder.url.path])
    #expect(process.remarks.contains("::error file=s.yaml,line=6,"))
    let text = try String(contentsOfFile: summary, encoding: .utf8)
    #expect(text.hasPrefix("Before.\n## Assay: FAILS: 1 of 1 thresholds fails (s), 1 scenario.\n"))
    #expect(text.contains("| fails | ev &gt;= 0 |"))
  }

  @Test("annotates bad input at its line, each mistake")
  func badInput() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    _ = try folder.write(ScenarioText.holds.replacingOccurrences(of: "rules", with: "rule"), as: "a.yaml")
    let process = try AssayProcess("run a.yaml nowhere.yaml --ci", in: folder.url)
    #expect(process.status == 2)
    #expect(process.remarks.contains("::error file=a.yaml,line=3,title=Bad input::a.yaml:3: rule: unknown key"))
    #expect(process.remarks.contains("::error file=nowhere.yaml,title=Bad input::cannot read 'nowhere.yaml'"))
    #expect(process.remarks.contains("\nerror: a.yaml:3: rule: unknown key"))
  }
}
