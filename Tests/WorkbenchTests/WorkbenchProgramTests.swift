// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Foundation
import Reporting
import Scenarios
import Testing

@testable import Workbench

private struct Coin: SampledExperiment {
  static let kind = "coin.toss"
  static let summary = "Tosses of a coin."
  static let parameters: [Parameter<Self>] = []
  static let measures: [SampleMeasure<Bool>] = [.share("heads", "Tosses that show heads.") { $0 }]
  func sample(_ random: inout RandomStream) -> Bool { random.happens(0.5) }
}

private struct Runner: SampledExperiment {
  static let kind = "run.away"
  static let summary = "Has the word of a command."
  static let parameters: [Parameter<Self>] = []
  static let measures: [SampleMeasure<Bool>] = [.share("away", "Gone.") { $0 }]
  func sample(_ random: inout RandomStream) -> Bool { true }
}

@Suite("A program is checked before it runs anything")
struct WorkbenchProgramTests {
  @Test("two experiments of one kind, and a kind that begins with a command of every program, are refused by name")
  func problems() {
    #expect(ProgramParts.problems(of: [Coin.runnable]) == [])
    let problems = ProgramParts.problems(of: [Coin.runnable, Coin.runnable, Runner.runnable])
    #expect(problems.contains { $0.contains("another experiment has the kind 'coin.toss'") })
    #expect(problems.contains { $0.contains("the kind 'run.away' begins with a command of every program") })
  }
}

/// Draws nothing.
private struct Sum: Experiment {
  static let kind = "sum.up"
  static let summary = "Adds one and one."
  static let parameters: [Parameter<Self>] = []
  var measures: [Measure] { [] }
  func run(on bench: ScenarioBench) throws -> ScenarioResult {
    ScenarioResult(measurements: [], data: [:], document: Document([]))
  }
}

@Suite("Options of single samples are checked before anything is drawn")
struct SampleOptionsTests {
  private func handling(_ arguments: [String], _ yaml: String..., isShard: Bool = false) throws -> SampleHandling {
    let scenarios = try yaml.map {
      try Scenario(ScenarioDocument(yaml: "name: It\n" + $0, file: "it.yaml"), kinds: [Coin.runnable, Sum.self])
    }
    return try SampleOptions.parse(arguments).handling(of: scenarios, isShard: isShard)
  }

  @Test("a file and a limit are taken")
  func taken() throws {
    let file = NSTemporaryDirectory() + "tosses.jsonl.gz"
    let handling = try handling(["--samples-to", file, "--sample-limit", "10s"], "kind: coin.toss")
    #expect(handling.file == file && handling.limit == .seconds(10))
  }

  @Test(
    "what cannot be is refused, and what was expected is said",
    arguments: [
      ("tosses.txt", ["kind: coin.toss"], false, "a name that ends in .csv, .csv.gz, .jsonl, .jsonl.gz"),
      ("tosses.csv", ["kind: sum.up"], false, "a run that draws samples one after the other"),
      ("tosses.csv", ["kind: coin.toss", "kind: coin.toss"], false, "one scenario, not 2, whose samples are written"),
      ("tosses.csv", ["kind: coin.toss\nonly: 3"], false, "a run that draws samples one after the other"),
      ("tosses.csv", ["kind: coin.toss"], true, "no --shard next to it: the file has the samples of a whole run"),
    ])
  func refused(file: String, yaml: [String], isShard: Bool, expected: String) throws {
    let scenarios = try yaml.map {
      try Scenario(ScenarioDocument(yaml: "name: It\n" + $0, file: "it.yaml"), kinds: [Coin.runnable, Sum.self])
    }
    let error = #expect(throws: CommandError.self) {
      try SampleOptions.parse(["--samples-to", file]).handling(of: scenarios, isShard: isShard)
    }
    #expect(error == .badValue(option: "--samples-to", found: file, expected: expected))
  }

  @Test("a limit is no shorter than a tenth of a second")
  func limit() {
    #expect(throws: ReportingError.self) { try handling(["--sample-limit", "10ms"], "kind: coin.toss") }
  }
}

@Suite("assay new writes a package")
struct NewPackageTests {
  @Test("its files name the package, and nothing is left to fill in")
  func files() throws {
    let package = try NewPackage(name: "tea2", dependency: "name: \"Assay\", path: \"/assay\"")
    #expect(
      package.files.map(\.path) == [
        "Package.swift", "Sources/tea2/Tea2.swift", "Tests/Tea2Tests/Tea2Tests.swift", "Scenarios/settled.yaml",
        ".github/workflows/tea2.yml", "README.md", ".gitignore",
      ])
    let all = package.files.map(\.content).joined()
    #expect(all.contains("static let kind = \"tea2.counter\"") && all.contains("struct Tea2: WorkbenchProgram"))
    #expect(!all.contains("coffee"))
  }

  @Test(
    "a name that is no identifier or is taken is refused",
    arguments: ["", "Coffee", "my-shop", "2coffee", "caf\u{e9}", "../x", "switch", "run", "counter"])
  func names(_ name: String) {
    #expect(throws: CommandError.self) { try NewPackage(name: name, dependency: "") }
  }
}
