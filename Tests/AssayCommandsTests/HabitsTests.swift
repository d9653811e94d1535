// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("assay without arguments, its log, and shell completions")
struct HabitsTests {
  @Test("assay without arguments shows a few common commands under the name it was called by, and each one exists")
  func firstScreen() throws {
    let process = try AssayProcess("", environment: ["ASSAY_CALLED_AS": "scripts/assay"])
    #expect(process.status == 0)
    let commands = process.output.matches(of: #/\n  scripts/assay (.+?)   /#).map { String($0.1) }
    #expect((5...8).contains(commands.count), "\(commands)")
    for command in commands { #expect(try AssayProcess("\(command) --help").status == 0, "\(command)") }
    #expect(FileManager.default.fileExists(atPath: packageRoot.appendingPathComponent("Scenarios/quick.yaml").path))
    #expect(process.output.split(separator: "\n").count <= 11)
  }

  @Test("--verbose logs what is read, done and written; --quiet logs nothing")
  func log() throws {
    let folder = try TemporaryFolder(["s.yaml": ScenarioText.holds])
    for options in ["--quiet", "--quiet --verbose", "--quiet --log-level info"] {
      let silent = try AssayProcess("run s.yaml --no-history \(options)", in: folder.url)
      #expect(silent.status == 0 && silent.remarks.isEmpty, "\(options): \(silent.remarks)")
      #expect(silent.output.contains("\nverdict "), "the standard output is not silenced")
    }
    let verbose = try AssayProcess("run s.yaml --no-history --verbose", in: folder.url)
    let lines = verbose.remarks.split(separator: "\n")
    // In addition to the log: the command itself, and which run begins where.
    let others = lines.filter { $0.wholeMatch(of: #/ *\d+\.\d{3} info: .*/#) == nil }
    #expect(others.count == 2 && others[0].hasPrefix("assay run s.yaml --jobs "), "\(verbose.remarks)")
    #expect(lines.contains { $0.contains("read digest=") && $0.contains("file=s.yaml") })
    #expect(lines.contains { $0.contains(/wrote file=.*result\.json/) })
    #expect(lines.last?.contains("ended") == true && lines.last?.contains("verdict=holds") == true)
  }

  @Test("an unknown level of the log is refused with the closest match")
  func logLevel() throws {
    let wrong = try AssayProcess("blackjack play --log-level debg")
    #expect(wrong.status == 2)
    #expect(wrong.remarks.contains("--log-level: found 'debg'") && wrong.remarks.contains("did you mean 'debug'?"))
  }

  @Test(
    "rules are completed token by token, and only to games",
    arguments: [
      ("6d-h17-no", ["6d-h17-nodas"]), ("1", ["1d"]), ("6d-s17-h", ["6d-s17-hsa"]), ("6d-d9-d1", []),
    ])
  func rules(typed: String, offered: [String]) throws {
    let words = ["assay", "blackjack", "chart", "--rules", typed]
    let process = try AssayProcess(
      "---completion blackjack chart -- --rules 4 \(typed.count) \(words.joined(separator: " "))",
      environment: ["SAP_SHELL": "bash", "SAP_SHELL_VERSION": "5.2"])
    #expect(process.status == 0)
    #expect(process.output.split(separator: "\n").map(String.init) == offered)
  }

  @Test("shells complete properties by group and by id")
  func properties() throws {
    let script = try AssayProcess("--generate-completion-script bash").output
    #expect(script.contains("league") && script.contains("league.1"))
  }
}
