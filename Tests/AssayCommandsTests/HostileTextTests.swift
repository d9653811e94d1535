// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

@Suite("Foreign text reaches terminals and build servers without control characters and commands")
struct HostileTextTests {
  private static let hostile = "x\u{1B}[2J\u{9B}31m\u{7}\u{202E}\r\n::error::boom ##[error]boom\n  ::set-env name=A::b"
  /// The same in a text of YAML or JSON.
  private static let escaped =
    #""x\u001B[2J\u009B31m\u0007\u202E\r\n::error::boom ##[error]boom\n  ::set-env name=A::b""#

  private static func expectHarmless(_ text: String, _ what: String) {
    for line in text.split(separator: "\n") {
      let isShown = line.unicodeScalars.allSatisfy { scalar in
        scalar.properties.generalCategory != .control && !(0x202A...0x202E).contains(scalar.value)
      }
      #expect(isShown, "\(what): \(line.debugDescription)")
      let command = line.drop(while: \.isWhitespace)
      let isOurs = command.wholeMatch(of: #/::(error|warning|notice) (file=[^:]*,)?title=.*/#) != nil
      #expect(!command.hasPrefix("::") || isOurs, "\(what): \(line.debugDescription)")
    }
  }

  private static func expectHarmless(_ process: AssayProcess, _ what: String) {
    expectHarmless(process.output, what)
    expectHarmless(process.remarks, what)
    #expect(process.output.contains("boom") || process.remarks.contains("boom"), "\(what) shows nothing of it")
  }

  @Test(
    "a scenario's file, name and source",
    arguments: ["", "--format text", "--format markdown", "--format json", "--format junit", "--ci", "--verbose"])
  func scenario(options: String) throws {
    let folder = try TemporaryFolder()
    let text = ScenarioText.exact(named: Self.escaped, "{threshold: ev >= 0, source: \(Self.escaped)}")
    let name = Self.hostile.replacing("/", with: "") + ".yaml"
    _ = try folder.write(text, as: name)
    let process = try AssayProcess("run --no-history " + options, [name], in: folder.url)
    #expect(process.status == 1, "\(process.remarks)")
    Self.expectHarmless(process, options)
    Self.expectHarmless(try AssayProcess("scenario check", [name], in: folder.url), "scenario check")
  }

  @Test(
    "a bad value, an unknown key, and what is no YAML",
    arguments: [
      "kind: \(escaped)", "kind: blackjack.play\n\(escaped): 1", "kind: blackjack.play\nrules: \(escaped)",
      "a: boom\u{1B}",
    ])
  func badScenario(line: String) throws {
    let folder = try TemporaryFolder(["boom.yaml": "name: x\n\(line)\n"])
    for options in ["", " --ci"] {
      let process = try AssayProcess("run boom.yaml" + options, in: folder.url)
      #expect(process.status == 2)
      Self.expectHarmless(process, line)
      #expect(process.remarks.contains("boom.yaml:"))
    }
  }

  @Test("arguments: missing files, invalid values and unknown options")
  func arguments() throws {
    let hostile = Self.hostile
    for (typed, more, status) in [
      ("run", [hostile], 2), ("club report", [hostile], 2), ("blackjack play --rules", [hostile], 2),
      ("results show", [hostile], 2), ("blackjack play", ["--" + hostile], 64),
      ("blackjack chart --seed", [hostile], 2),
    ] as [(String, [String], Int32)] {
      let folder = try TemporaryFolder()
      let process = try AssayProcess(typed, more, in: folder.url)
      #expect(process.status == status, "\(typed)")
      if typed == "results show" {
        Self.expectHarmless(process.remarks, typed)
      } else {
        Self.expectHarmless(process, typed)
      }
    }
  }

  @Test("a feed's names, titles and files", arguments: ["text", "markdown", "json"])
  func feed(format: String) throws {
    let folder = try TemporaryFolder()
    let page = """
      [{"athlete":{"firstname":"boom ::error::","lastname":\(Self.escaped)},"name":\(Self.escaped),"distance":9,\
      "moving_time":9,"elapsed_time":9,"total_elevation_gain":0,"type":"Ride"}]
      """
    let name = Self.hostile + ".json"
    _ = try folder.write(page, as: name)
    Self.expectHarmless(try AssayProcess("club report --format \(format)", [name], in: folder.url), format)
    _ = try folder.write("oops \(Self.hostile)\n", as: "lines")
    Self.expectHarmless(try AssayProcess("club report lines", in: folder.url).remarks, "lines")
  }

  @Test(
    "a result that somebody edited", arguments: ["show", "list", "compare quick~1 quick", "show --format markdown"])
  func result(command: String) throws {
    let runs = try RecordedRuns()
    try runs.add(day: 3, isRecorded: false)
    try runs.add(day: 5, digest: "deadbeef", seed: 2, wins: 520, isRecorded: false)
    for folder in ["quick-00c0ffee", "quick-deadbeef"] {
      let file = runs.folder.url.appendingPathComponent("Results/runs/\(folder)/result.json")
      let text = try String(contentsOf: file, encoding: .utf8)
      let edited = text.replacing(#""A quick look""#, with: Self.escaped)
        .replacing(#""wins >= 0.4 at 0.99""#, with: Self.escaped).replacing(#""The house's edge""#, with: Self.escaped)
      #expect(edited != text)
      try Data(edited.utf8).write(to: file)
    }
    Self.expectHarmless(try runs.results("rebuild").remarks, "rebuild")
    let process = try runs.results(command)
    Self.expectHarmless(process.output, command)
    Self.expectHarmless(process.remarks, command)
  }
}
