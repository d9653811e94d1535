// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
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
