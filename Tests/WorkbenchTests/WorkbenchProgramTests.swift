// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Foundation
import PropertyTesting
import Reporting
import Scenarios
import Testing

import Workbench

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

private struct Tails: SampledExperiment {
  static let kind = "coin.toss"
  static let summary = "Has the kind of another lab."
  static let parameters: [Parameter<Self>] = []
  static let measures: [SampleMeasure<Bool>] = [.share("tails", "Tosses that show tails.") { $0 }]
  func sample(_ random: inout RandomStream) -> Bool { random.happens(0.5) }
}

/// Declares no measure.
private struct Nameless: SampledExperiment {
  static let kind = "nameless.one"
  static let summary = "Measures nothing."
  static let parameters: [Parameter<Self>] = []
  static let measures: [SampleMeasure<Bool>] = []
  func sample(_ random: inout RandomStream) -> Bool { true }
}

/// Operations of the code under test, which mutants replace.
private struct Rounding: Sendable {
  var halve: @Sendable (Int) -> Int = { $0 / 2 }

  func properties() -> [Property] {
    [
      Property("half.1", "Twice the half is the number or one less", Gen<Int>.integers(in: 0...1000)) { number in
        try require((0...1).contains(number - 2 * halve(number)))
      }
    ]
  }

  static func catalogue(caughtBy id: String = "half.1") -> PropertyCatalogue {
    PropertyCatalogue(
      core: "Rounding", production: Rounding(), properties: { $0.properties() },
      mutants: [
        Mutation("rounds-up", "Halves are rounded up.", caughtBy: id, within: 50) { $0.halve = { ($0 + 1) / 2 } }
      ])
  }
}

@Suite("A program is checked before it runs anything")
struct WorkbenchProgramTests {
  private func problems(_ program: any WorkbenchProgram.Type) -> [String] {
    ProgramParts(program).problems(for: ["doctor"])
  }

  @Test("a program with one experiment has its command, the common ones, and none about properties")
  func sound() {
    enum Coins: WorkbenchProgram { static let experiments: [any Experiment.Type] = [Coin.self] }
    #expect(problems(Coins.self) == [])
    let parts = ProgramParts(Coins.self)
    #expect(parts.groups.map(\.name) == ["coin"])
    #expect(parts.experiments.map { $0.kind } == ["coin.toss", "calibration"])
  }

  @Test("two experiments of one kind, and a kind named like a common command, are refused by name")
  func kinds() {
    enum Twice: WorkbenchProgram {
      static let experiments: [any Experiment.Type] = [Coin.self, Coin.self, Runner.self]
    }
    let problems = problems(Twice.self)
    #expect(problems.contains { $0.contains("Coin: another experiment has the kind 'coin.toss'") })
    #expect(problems.contains { $0.contains("the kind 'run.away' begins with a command of every program") })
  }

  @Test("a kind of another lab, a kind with another prefix, a lab without experiments, and a repeated lab are refused")
  func labs() {
    enum Labs: WorkbenchProgram {
      static let labs = [
        Lab("coin", "Coins.", experiments: [Coin.self]), Lab("tail", "Tails.", experiments: [Tails.self]),
        Lab("empty", "Nothing.", experiments: []), Lab("coin", "Coins again.", experiments: [Coin.self]),
      ]
    }
    let problems = problems(Labs.self)
    #expect(problems.contains { $0.contains("Tails: another experiment has the kind 'coin.toss'") })
    #expect(problems.contains { $0.contains("the kind 'coin.toss' does not begin with the name of its lab, 'tail'") })
    #expect(problems.contains("Lab 'empty': it has no experiment."))
    #expect(problems.contains("Lab 'coin': another lab has the name."))
  }

  @Test("a program with properties has their commands; ids and mutants are unique, and every mutant has a property")
  func properties() {
    enum Rounder: WorkbenchProgram { static let properties = [Rounding.catalogue()] }
    #expect(problems(Rounder.self) == [])
    let parts = ProgramParts(Rounder.self)
    #expect(parts.groups.map(\.name) == ["properties"] && parts.groups[0].commands.count == 4)
    #expect(parts.experiments.map { $0.kind } == ["properties.check", "properties.mutants", "calibration"])
    enum Doubled: WorkbenchProgram {
      static let properties = [Rounding.catalogue(), Rounding.catalogue(caughtBy: "x")]
    }
    #expect(
      problems(Doubled.self) == [
        "Rounding, property 'half.1': declared twice; each needs its own id.",
        "Rounding, mutant 'rounds-up': declared twice; each needs its own name.",
        "Rounding, mutant 'rounds-up': caught by 'x', which is no property of its catalogue.",
      ])
  }

  @Test("a command evaluates only the declarations that it needs")
  func needed() {
    enum Careful: WorkbenchProgram {
      static let experiments: [any Experiment.Type] = [Coin.self, Nameless.self]
      static let properties = [
        PropertyCatalogue(core: "Unread", production: 0, properties: { _ in fatalError("read") }, mutants: [])
      ]
    }
    let parts = ProgramParts(Careful.self)
    #expect(parts.problems(for: ["results", "list"]) == [] && parts.problems(for: ["coin", "toss"]) == [])
    #expect(
      parts.problems(for: ["nameless", "one"]).count == 1 && parts.problems(for: ["run", "Scenarios"]).count == 1)
  }

  @Test("a program can add experiments and commands to a lab")
  func additions() {
    struct Flip: ParsableCommand {}
    let lab = Lab("coin", "Coins.", experiments: [Coin.self]).adding(experiments: [Tails.self], commands: [Flip.self])
    #expect(lab.experiments.map { $0.kind } == ["coin.toss", "coin.toss"] && lab.commands.count == 1)
  }
}

/// Draws nothing.
private struct Sum: Experiment {
  static let kind = "sum.up"
  static let summary = "Adds one and one."
  static let parameters: [Parameter<Self>] = []
  var measures: [Measure] { [] }
  func run(on context: RunContext) throws -> ScenarioResult {
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

  @Test("a file and a limit are accepted")
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
  func limit() throws {
    let error = try #require(throws: (any Error).self) { try SampleOptions.parse(["--sample-limit", "10ms"]) }
    #expect(SampleOptions.message(for: error).hasSuffix("found '10ms', expected a length of time, 100ms to 30d."))
  }
}

@Suite("assay new writes a package")
struct NewPackageTests {
  @Test("its files name the package, and no placeholder is left")
  func files() throws {
    let package = try NewPackage(name: "tea2", from: .folder("/assay"))
    #expect(
      package.files.map(\.path) == [
        "Package.swift", "Sources/tea2/Tea2.swift", "Tests/Tea2Tests/Tea2Tests.swift", "Scenarios/settled.yaml",
        "README.md", ".github/workflows/tea2.yml", ".gitignore",
      ])
    let all = package.files.map(\.content).joined()
    #expect(all.contains("static let kind = \"tea2.counter\"") && all.contains("struct Tea2: WorkbenchProgram"))
    #expect(!all.contains("coffee"))
  }

  @Test("with processes it has their product, its own experiment and a formula that the scenario and a test compare")
  func process() throws {
    let package = try NewPackage(name: "tea2", from: .repository(url: "https://a.b/assay", requirement: "x"), .process)
    #expect(
      package.files.map(\.path) == [
        "Package.swift", "Sources/tea2/Tea2.swift", "Tests/Tea2Tests/Tea2Tests.swift", "Scenarios/repaired.yaml",
        "README.md", ".github/workflows/tea2.yml", ".gitignore",
      ])
    #expect(package.files[0].content.contains(".product(name: \"Processes\", package: \"assay\")"))
    let all = package.files.map(\.content).joined().lowercased()
    #expect(all.contains("static let kind = \"tea2.repairs\"") && all.contains("import processes"))
    #expect(!all.contains("coffee") && !all.contains("garage"))
  }

  @Test(
    "an address has a version, a branch or a commit behind @, and names its products; a path is for trying out",
    arguments: [
      ("https://example.com/assay.git@0.1.0", "url: \"https://example.com/assay.git\", exact: \"0.1.0\"", "assay"),
      ("https://example.com/Assay", "url: \"https://example.com/Assay\", branch: \"main\"", "Assay"),
      ("git@example.com:me/lab.git@next", "url: \"git@example.com:me/lab.git\", branch: \"next\"", "lab"),
      ("git@example.com:me/lab.git", "url: \"git@example.com:me/lab.git\", branch: \"main\"", "lab"),
    ])
  func address(typed: String, dependency: String, identity: String) throws {
    func manifest(_ index: NewPackage.Place) throws -> String {
      try #require(try NewPackage(name: "tea", from: index).files.first { $0.path == "Package.swift" }).content
    }
    let text = try manifest(NewPackage.Place(address: typed))
    #expect(text.contains(".package(\(dependency), traits: [\"CommandLine\"])"))
    #expect(text.contains("package: \"\(identity)\")") && !text.contains("trying out"))
    #expect(try manifest(.folder("/assay")).contains("// A path is for trying out on this machine"))
  }

  @Test(
    "a name that is no identifier or is taken is refused",
    arguments: ["", "Coffee", "my-shop", "2coffee", "caf\u{e9}", "../x", "switch", "run", "counter"])
  func names(_ name: String) {
    #expect(throws: CommandError.self) { try NewPackage(name: name, from: .folder("/assay")) }
  }
}
