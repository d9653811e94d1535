// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("assay run on a build server")
struct BuildServerTests {
  @Test("--ci annotates failures at their lines on the error stream and writes junit.xml")
  func annotations() throws {
    let folder = try TemporaryFolder(["fails.yaml": ScenarioText.fails, "undecided.yaml": ScenarioText.undecided])
    let process = try AssayProcess("run fails.yaml undecided.yaml --ci --no-history", in: folder.url)
    #expect(process.status == 1)
    let commands = process.remarks.split(separator: "\n").filter { $0.hasPrefix("::") }
    #expect(commands.first?.hasPrefix("::error file=fails.yaml,line=6,title=Fails%3A ev[inf-s17-das] >= 0::") == true)
    #expect(commands.last?.hasPrefix("::warning file=undecided.yaml,line=6,title=Undecided%3A ev") == true)
    #expect(!process.output.contains("::error"))
    let runs = folder.url.appendingPathComponent("Results/runs")
    let made = try #require(
      try FileManager.default.contentsOfDirectory(atPath: runs.path).first { $0.hasPrefix("fails-") })
    let junit = try String(contentsOf: runs.appendingPathComponent("\(made)/junit.xml"), encoding: .utf8)
    #expect(junit.contains(#"failures="1""#) && junit.contains("assay run fails.yaml"))
  }

  @Test("annotates a failing property at the line of its declaration")
  func property() throws {
    let folder = try TemporaryFolder()
    let root = packageRoot.path
    let scenario = try folder.write(
      """
      name: Ranks counted one two two three
      kind: properties.check
      properties: [league.5]
      mutant: dense-ranks
      cases: 200
      store: none
      """, as: "ranks.yaml")
    let process = try AssayProcess(
      "run \(scenario) --no-history --runs \(folder.url.path)/runs",
      environment: ["CI": "1", "GITHUB_WORKSPACE": root])
    let prefix = "::error file=Sources/Labs/LeagueLab/LeagueProperties.swift,line="
    let annotation = try #require(process.remarks.split(separator: "\n").first { $0.hasPrefix(prefix) })
    let line = try #require(Int(annotation.dropFirst(prefix.count).prefix { $0.isNumber }))
    let source = try String(contentsOfFile: root + "/Sources/Labs/LeagueLab/LeagueProperties.swift", encoding: .utf8)
    let declared = source.split(separator: "\n", omittingEmptySubsequences: false)[(line - 1)...].prefix(2).joined()
    #expect(declared.contains("Property(") && declared.contains("\"league.5\""))
  }

  @Test("a build server is recognised by its environment variables", arguments: ["CI", "GITHUB_ACTIONS"])
  func variables(name: String) throws {
    let folder = try TemporaryFolder(["s.yaml": ScenarioText.fails])
    let typed = "run s.yaml --no-history"
    #expect(try AssayProcess(typed, in: folder.url, environment: [name: "true"]).remarks.contains("::error "))
    #expect(try !AssayProcess(typed, in: folder.url, environment: [name: "false"]).remarks.contains("::error "))
    #expect(try !AssayProcess(typed, in: folder.url).remarks.contains("::error "))
  }

  @Test("appends to the step's summary, and names files relative to the workspace")
  func summary() throws {
    let folder = try TemporaryFolder(["s.yaml": ScenarioText.fails])
    let summary = try folder.write("Before.\n", as: "summary.md")
    let process = try AssayProcess(
      "run \(folder.url.path)/s.yaml --no-history --runs \(folder.url.path)/runs",
      environment: ["CI": "1", "GITHUB_STEP_SUMMARY": summary, "GITHUB_WORKSPACE": folder.url.path])
    #expect(process.remarks.contains("::error file=s.yaml,line=6,"))
    let text = try String(contentsOfFile: summary, encoding: .utf8)
    #expect(text.hasPrefix("Before.\n## Assay: FAILS: 1 of 1 thresholds fails (s), 1 scenario.\n"))
    #expect(text.contains(#"| fails | ev\[inf-s17-das\] &gt;= 0 |"#))
  }

  @Test("annotates every mistake of bad input at its line")
  func badInput() throws {
    let folder = try TemporaryFolder(["a.yaml": ScenarioText.holds.replacingOccurrences(of: "rules", with: "rule")])
    let process = try AssayProcess("run a.yaml nowhere.yaml --ci", in: folder.url)
    #expect(process.status == 2)
    #expect(process.remarks.contains("::error file=a.yaml,line=3,title=Bad input::a.yaml:3: rule: unknown key"))
    #expect(process.remarks.contains("::error file=nowhere.yaml,title=Bad input::cannot read 'nowhere.yaml'"))
    #expect(process.remarks.contains("\nerror: a.yaml:3: rule: unknown key"))
  }
}
