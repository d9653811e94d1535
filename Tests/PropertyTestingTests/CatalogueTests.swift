// SPDX-License-Identifier: Apache-2.0
import MonteCarlo
import PropertyTesting
import Testing

@Suite("A catalogue of properties and mutants")
struct CatalogueTests {
  private typealias Sort = @Sendable ([Int]) -> [Int]

  /// Numbers in ascending order, none lost.
  private static func properties(_ sort: @escaping Sort) -> [Property] {
    let numbers = Gen.arrays(of: Gen<Int>.integers(in: 0...9))
    return [
      Property("sort.1", "It keeps every number", arguments: ["numbers"], numbers) { numbers in
        try require(sort(numbers).count == numbers.count, "some are lost")
      },
      Property("sort.2", "It sorts", reference: "its name", arguments: ["numbers", "more"], numbers) { numbers in
        let sorted = sort(numbers)
        try require(zip(sorted, sorted.dropFirst()).allSatisfy { $0 <= $1 }, "out of order")
      },
    ]
  }

  private let catalogue = PropertyCatalogue(
    core: "Sorting", production: { $0.sorted() } as Sort, properties: properties,
    mutants: [
      Mutation("drops-equals", "equal numbers are dropped", caughtBy: "sort.1", within: 50, smallest: ["[0, 0]"]) {
        $0 = { Array(Set($0)).sorted() }
      },
      Mutation("descends", "it sorts the other way", caughtBy: "sort.2", within: 50) { $0 = { $0.sorted(by: >) } },
      Mutation("works", "nothing is broken", caughtBy: "sort.1", within: 50) { _ in },
    ],
    notPromised: [
      Property("sort.not.1", "It moves nothing", .arrays(of: Gen<Int>.integers(in: 0...9))) { numbers in
        try require(numbers.sorted() == numbers, "something moved")
      }
    ])

  @Test("finds properties by id and code under test by name, including limits")
  func lookup() {
    #expect(catalogue.property("sort.2")?.reference == "its name")
    #expect(catalogue.property("sort.not.1") != nil)
    #expect(catalogue.property("sort.3") == nil)
    #expect(catalogue.mutant("descends")?.fault == "it sorts the other way")
    #expect(catalogue.mutant("sort.2") == nil)
  }

  @Test("shows the names of named arguments")
  func names() throws {
    let property = try #require(catalogue.property("sort.1"))
    #expect(property.named(["[1]", "[2]"]) == ["numbers: [1]", "[2]"])
    #expect(property.named([]) == [])
  }

  @Test("keeps some of the properties, of the production code and of the mutants")
  func keeping() {
    let some = catalogue.keeping(["sort.2"])
    #expect(some.properties.map(\.id) == ["sort.2"])
    #expect(some.mutants.map { $0.properties.map(\.id) } == [["sort.2"], ["sort.2"], ["sort.2"]])
  }

  @Test("each fault is assigned to the property that catches it, with its smallest counterexample")
  func findings() throws {
    let findings = try catalogue.mutants.map { try FaultFinding($0, seeds: 5) }
    #expect(findings.map(\.mutant.name) == ["drops-equals", "descends", "works"])
    #expect(findings.map(\.property?.id) == ["sort.1", "sort.2", nil])
    #expect(findings[0].counterexample?.arguments == ["[0, 0]"])
    #expect(findings[1].counterexample?.arguments == ["[0, 1]"])
    #expect(findings[1].cases.count == 5 && findings[1].cases == findings[1].cases.sorted())
    #expect(findings[1].medianCases == findings[1].cases[2])
  }

  @Test("an interruption ends a mutant in the middle of its properties")
  func interrupted() throws {
    let interrupt = Interrupt()
    interrupt.raise()
    #expect(throws: Abandoned.self) { try FaultFinding(catalogue.mutants[2], seeds: 5, interrupt: interrupt) }
    #expect(throws: Abandoned.self) {
      try catalogue.properties[0].shortestCounterexample(CheckSettings(), seeds: [1], interrupt: interrupt)
    }
  }

  @Test("the row of a fault has the broken code, the property that caught it, the number of cases and the case")
  func rows() throws {
    let findings = try catalogue.mutants.map { try FaultFinding($0, seeds: 1) }
    let cases = try #require(findings[0].medianCases)
    #expect(
      findings[0].row
        == ["drops-equals", "equal numbers are dropped", "sort.1", "\(cases)", "numbers: [0, 0]: some are lost"])
    #expect(findings[2].row == ["works", "nothing is broken", "nothing", "", ""])
    #expect(FaultFinding.headings.count == findings[0].row.count)
  }

  @Test("a fault that no seed finds has no number of cases, and a median needs most seeds")
  func median() throws {
    let settings = CheckSettings(cases: 1)
    let finding = try FaultFinding(catalogue.mutants[1], settings: settings, seeds: 2)
    #expect(finding.cases.allSatisfy { $0 == 1 })
    #expect((finding.medianCases == nil) == (finding.cases.count < 2))
  }
}
