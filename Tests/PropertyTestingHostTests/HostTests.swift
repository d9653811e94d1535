// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import PropertyTestingHost
import Testing

@Suite("A round of a property")
struct RoundTests {
  static func property(below limit: Int) -> Property {
    Property("round.1", "Numbers are small", Gen.integers(in: 0...1000)) { number in
      try require(number < limit, "\(number) is not below \(limit)")
    }
  }

  private static func findings(_ property: Property, _ environment: HostEnvironment) throws -> Findings {
    try Round(property: property, settings: CheckSettings(), environment: environment, test: "rounds").findings()
  }

  private static func token(of found: Findings) throws -> String {
    "\(ReplayToken(property: "round.1", choices: try #require(found.report?.choices)))"
  }

  @Test("stores a failing case, tries it first, and removes it when it passes")
  func store() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "round-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let wishes = try HostEnvironment(["ASSAY_EXAMPLES": folder.path])
    let found = try Self.findings(Self.property(below: 100), wishes)
    #expect(found.report?.counterexample?.arguments == ["100"])
    #expect(found.remarks.count == 1)
    let again = try Self.findings(Self.property(below: 100), wishes)
    #expect(try Self.token(of: again) == Self.token(of: found))
    #expect(again.report?.passed == 0 && again.remarks.first?.hasPrefix("still fails: \(folder.path)/round.1/") == true)
    let fixed = try Self.findings(Self.property(below: 1001), wishes)
    #expect(fixed.report?.outcome == .held)
    #expect(fixed.remarks.count == 1)
    #expect(try ExampleStore(folder: folder.path).contents(of: "round.1").examples.isEmpty)
  }

  @Test("replays a requested case, and only for its property")
  func replay() throws {
    let found = try Self.findings(Self.property(below: 100), HostEnvironment(["ASSAY_EXAMPLES": ""]))
    let word = try Self.token(of: found)
    let wishes = try HostEnvironment(["ASSAY_EXAMPLES": "", "ASSAY_REPLAY": word])
    let again = try Self.findings(Self.property(below: 50), wishes)
    #expect(again.report?.counterexample?.failure.message == "100 is not below 50")
    let passing = try Self.findings(Self.property(below: 101), wishes)
    #expect(passing.report == nil)
    #expect(passing.remarks == ["the replayed case of 'round.1' passes now"])
    let stranger = Property("round.2", "Anything goes", Gen<Int>.integers()) { _ in }
    #expect(try Self.findings(stranger, wishes).report?.passed == 100)
    let changed = Property("round.1", "Pairs are small", Gen<Int>.integers(), Gen<Int>.integers()) { _, _ in }
    let stale = try Self.findings(changed, wishes)
    #expect(stale.staleness == .staleChoices(property: "round.1"))
  }
}

@Suite("Names of unnamed checks")
struct UnnamedCheckTests {
  @Test("each position of a check within one test has its own, constant name")
  func indices() throws {
    func name(line: Int) throws -> String {
      let location = SourceLocation(fileID: "Module/File.swift", filePath: "/File.swift", line: line, column: 5)
      return try Host(CheckSettings(), cases: nil, at: location, environment: ["ASSAY_EXAMPLES": ""]).id(nil)
    }
    let names = try [20, 30, 10, 30, 20].map(name)
    let first = "PropertyTestingHostTests.UnnamedCheckTests.indices"
    let (second, third) = ("\(first).2", "\(first).3")
    #expect(names == [first, second, third, second, first])
  }
}

@Suite("Commands that run a test again")
struct CommandTests {
  @Test func `a number isn't below (one) hundred`() async throws {
    let test = try #require(Test.current)
    let name = "`a number isn't below (one) hundred`"
    #expect(
      test.id.filter
        == #"'^PropertyTestingHostTests\.CommandTests/`a number isn'\''t below \(one\) hundred`\(\)/'"#)
    let pattern = try Regex(String(test.id.filter.dropFirst().dropLast()).replacing(#"'\''"#, with: "'"))
    #expect("\(test.id)".contains(pattern) && !"PropertyTestingHostTests.CommandTests/\(name)2()/".contains(pattern))
    let issues = try await issues { try await check(.integers(in: 0...1000)) { $0 < 100 } }
    let word =
      "ASSAY_REPLAY=PropertyTestingHostTests.CommandTests.a%20number%20isn%27t%20below%20%28one%29%20hundred:1:"
    #expect(issues.first?.lines.contains { $0.contains(word) && $0.hasSuffix(" --filter \(test.id.filter)") } == true)
  }

  @Test("on GitHub annotate the line of the check")
  func annotation() {
    let location = SourceLocation(fileID: "M/F.swift", filePath: "/src/app/Tests/F.swift", line: 7, column: 1)
    let text = Host.annotation("50% are, at F:7\n  replay: x", titled: "a, b: c", at: location, in: "/src/app")
    #expect(
      text == "\n::error file=Tests/F.swift,line=7,title=a%2C b%3A c::50%25 are, at F:7%0A  replay: x")
  }
}

@Suite("Environment variables of a check")
struct WishesTests {
  @Test("seed and cases override those of the code")
  func precedence() throws {
    let settings = CheckSettings(cases: 7, jobs: 2, seed: 5)
    let plain = try HostEnvironment([:]).applied(to: settings)
    #expect([plain.seed, UInt64(plain.cases), UInt64(plain.jobs)] == [5, 7, 1])
    let changed = try HostEnvironment(["ASSAY_SEED": "9", "ASSAY_CASES": "11"]).applied(to: settings)
    #expect([changed.seed, UInt64(changed.cases)] == [9, 11])
  }

  @Test("a profile has fixed cases in CI and more, changing ones at night; seed and cases override it")
  func profiles() throws {
    let settings = CheckSettings(cases: 7, seed: 5)
    let day = Date(timeIntervalSince1970: 86_400 * 1000.5)
    func applied(_ environment: [String: String], after days: Double = 0) throws -> CheckSettings {
      try HostEnvironment(environment, today: day + 86_400 * days).applied(to: settings)
    }
    let ci = try applied(["ASSAY_PROFILE": "ci"])
    #expect(ci.cases == 7 && ci.seed == 5 && ci.caseLimit == .seconds(10) && ci.failures == 3 && ci.timeLimit == nil)
    let nightly = try applied(["ASSAY_PROFILE": "nightly"])
    #expect(
      nightly.cases == 700 && nightly.seed == 1005 && nightly.timeLimit == .seconds(600) && nightly.failures == 10)
    #expect(try applied(["ASSAY_PROFILE": "nightly"], after: 1).seed == 1006)
    let named = try applied(["ASSAY_PROFILE": "nightly", "ASSAY_SEED": "9", "ASSAY_CASES": "11"])
    #expect(named.seed == 9 && named.cases == 11 && named.failures == 10)
    let error = #expect(throws: HostError.self) { try HostEnvironment(["ASSAY_PROFILE": "weekly"]) }
    #expect(
      error?.description == "the environment variable ASSAY_PROFILE is \"weekly\"; expected ci or nightly.")
  }

  @Test(
    "a bad value is named, with what was expected",
    arguments: ["ASSAY_SEED", "ASSAY_CASES", "ASSAY_REPLAY", "ASSAY_PROFILE", "ASSAY_REPORT"])
  func badVariable(name: String) throws {
    let error = #expect(throws: HostError.self) { try HostEnvironment([name: "-1"]) }
    #expect(error?.description.hasPrefix("the environment variable \(name) is \"-1\"; expected ") == true)
  }

  @Test("failing cases are kept in .assay/examples, in another folder, or not at all")
  func examples() throws {
    #expect(try HostEnvironment([:]).examples == ExampleStore(folder: ".assay/examples"))
    #expect(try HostEnvironment(["ASSAY_EXAMPLES": ""]).examples == nil)
    #expect(try HostEnvironment(["ASSAY_EXAMPLES": "kept"]).examples == ExampleStore(folder: "kept"))
  }
}

@Suite("A mutant")
struct MutantTests {
  private typealias Sort = @Sendable ([Int]) -> [Int]

  private static func mutant(within cases: Int, smallest: [String], _ change: @escaping @Sendable (inout Sort) -> Void)
    throws -> Mutant
  {
    let catalogue = PropertyCatalogue(
      core: "Sorting", production: { $0.sorted() } as Sort,
      properties: { sort in
        [
          Property("sort.1", "It keeps every number", .arrays(of: Gen<Int>.integers(in: 0...9))) { numbers in
            try require(sort(numbers).count == numbers.count, "some are lost")
          }
        ]
      },
      mutants: [
        Mutation("changed", "it is changed", caughtBy: "sort.1", within: cases, smallest: smallest, change: change)
      ])
    return try #require(catalogue.mutant("changed"))
  }

  @Test("passes when its property catches it in time, with the smallest counterexample")
  func caught() throws {
    let mutant = try Self.mutant(within: 50, smallest: ["[0, 0]"]) { $0 = { Array(Set($0)).sorted() } }
    try mutant.expectCaught()
    #expect(mutant.testDescription == "changed, caught by sort.1 within 50 cases")
  }

  @Test("fails when its property does not catch it, or with another counterexample")
  func missed() async throws {
    let other = try Self.mutant(within: 50, smallest: ["[1, 1]"]) { $0 = { Array(Set($0)).sorted() } }
    #expect(try await issues { try other.expectCaught() }.count == 3)
    let equal = try Self.mutant(within: 50, smallest: []) { _ in }
    let issues = try await issues { try? equal.expectCaught() }
    #expect(issues.first?.lines.contains("not caught from seed 0") == true)
  }
}
