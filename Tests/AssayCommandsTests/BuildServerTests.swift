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
    #expect(commands.last?.hasPrefix("::warning file=undecided.yaml,line=7,title=Undecided%3A ev") == true)
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

  private static func specimen(_ how: String, samples: String = "5000") -> String {
    """
    name: A sample that ends by \(how)
    kind: specimen.sample
    how: \(how)
    samples: \(samples)
    end: all

    """
  }

  /// Runs the program of the specimens, whose ends are known, without the runtime's slow trace of a trap.
  private static func specimens(
    _ typed: String, in folder: TemporaryFolder, interruptedBy sign: String? = nil, summary: String = ""
  ) throws -> AssayProcess {
    try AssayProcess(
      typed + " --no-history", in: folder.url, interruptedBy: sign, signal: SIGTERM,
      environment: ["SWIFT_BACKTRACE": "enable=no", "GITHUB_STEP_SUMMARY": summary],
      executable: AssayProcess.executable("Specimens"))
  }

  @Test("a sample that traps ends its scenario only: an annotation, an error of JUnit and of the summary, exit code 1")
  func trap() throws {
    let folder = try TemporaryFolder([
      "a.yaml": Self.specimen("trap"), "b.yaml": Self.specimen("infinity"), "c.yaml": Self.specimen("number"),
    ])
    let summary = folder.url.appendingPathComponent("summary.md")
    let process = try Self.specimens(
      "run --ci a.yaml b.yaml c.yaml --output all.xml --output -", in: folder, summary: summary.path)
    #expect(process.status == 1, "\(process.remarks)")
    #expect(process.output.hasSuffix("FAILS: 2 of 3 scenarios ended with an error (a, b).\n"))
    #expect(process.output.contains("complete: A sample that ends by number"))
    let annotations = process.remarks.split(separator: "\n").filter { $0.hasPrefix("::error ") }
    #expect(annotations.count == 2, "\(annotations)")
    let alone = #/to draw it alone: (assay run a\.yaml --set only=\d+)/#
    let first = String(try #require(annotations.first))
    #expect(first.hasPrefix("::error file=a.yaml,title=Ended with an error%3A A sample that ends by trap::A sample "))
    #expect(first.contains("trapped with SIGILL: ") && first.contains(": one in a thousand"))
    for text in try [first, String(contentsOf: summary, encoding: .utf8), folder.text("all.xml")] {
      let command = try #require(text.firstMatch(of: alone)).1
      let again = try Self.specimens(String(command.dropFirst("assay ".count)), in: folder)
      #expect(again.status == SIGILL && again.remarks.contains("in sample \(command.split(separator: "=")[1])\n"))
    }
    let junit = try folder.text("all.xml")
    #expect(junit.components(separatedBy: "<error ").count == 3)
    #expect(junit.components(separatedBy: "<testsuite ").count == 4)
    let runs = try FileManager.default.subpathsOfDirectory(atPath: folder.path("Results/runs"))
    let stored = try #require(runs.first { $0.hasPrefix("a-") && $0.hasSuffix("/junit.xml") })
    #expect(try folder.text("Results/runs/\(stored)").contains("<error message=\"A sample trapped with SIGILL: "))
  }

  @Test("an interrupt of a session reaches the scenario that is run, whose partial results are kept")
  func interrupted() throws {
    let folder = try TemporaryFolder([
      "a.yaml": Self.specimen("number", samples: "1e10"), "b.yaml": Self.specimen("number"),
    ])
    let process = try Self.specimens("run a.yaml b.yaml", in: folder, interruptedBy: "running 1 of 2")
    #expect(process.status == 143, "\(process.remarks)")
    #expect(process.output.hasSuffix("INCOMPLETE: no thresholds, 2 scenarios, 1 ended early, 1 not run.\n"))
    #expect(process.remarks.contains("to continue: assay resume Results/runs/a-"))
  }

  @Test("--fail-fast runs nothing after a sample that traps, and --sample-limit ends a scenario without end")
  func failFast() throws {
    let folder = try TemporaryFolder(["a.yaml": Self.specimen("endless"), "b.yaml": Self.specimen("number")])
    let process = try Self.specimens("run a.yaml b.yaml --fail-fast --sample-limit 200ms", in: folder)
    #expect(process.status == 1)
    #expect(process.output == "FAILS: 1 of 2 scenarios ended with an error (a), 1 not run.\n")
    #expect(process.remarks.contains("error: A sample that ends by endless: It took longer than its limit.\nMore than"))
  }

  @Test("bad input reaches the summary and JUnit, and nothing is run")
  func unread() throws {
    let folder = try TemporaryFolder([
      "good.yaml": ScenarioText.holds, "bad.yaml": ScenarioText.exact(named: "Bad", "evv >= 0"),
    ])
    let summary = folder.url.appendingPathComponent("summary.md")
    let process = try AssayProcess(
      "run --ci good.yaml bad.yaml --output all.xml", in: folder.url,
      environment: ["GITHUB_STEP_SUMMARY": summary.path])
    #expect(process.status == 2)
    let text = try String(contentsOf: summary, encoding: .utf8)
    #expect(text.hasPrefix("## Assay: BAD INPUT: 1 error in the input (bad), 2 scenarios, 2 not run.\n"))
    #expect(text.contains("bad.yaml:6: thresholds[1]: found 'evv'"))
    #expect(try folder.text("all.xml").contains(#"<error message="bad.yaml:6: thresholds[1]: found 'evv'"#))
    #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("Results").path))
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
