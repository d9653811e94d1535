// SPDX-License-Identifier: GPL-3.0-or-later
import AssayCommands
import PropertyTesting
import PropertyTestingHost
import Testing
import Workbench

@Suite("Every property of every lab")
struct EveryPropertyTests {
  private enum Program: WorkbenchProgram { static let labs = AssayProgram.labs }

  private static let catalogues = Program.properties
  /// How many cases a property or a group of them is tested with, where that is not a hundred.
  private static let cases = [
    "league": 500, "promise": 300, "club": 500, "live": 2000, "contrast": 200, "profile": 200, "fantasy": 200,
    // A case is a whole herd, a lesson, or a shoe.
    "live.3": 100, "trainer": 40, "counting": 10,
  ]

  @Test("every property holds for the shipped code", arguments: catalogues.flatMap { $0.properties })
  func holds(property: Property) async throws {
    try await check(property, cases: Self.cases[property.id] ?? Self.cases[Self.group(property)])
  }

  @Test("every mutant is caught, with the smallest counterexample", arguments: catalogues.flatMap { $0.mutants })
  func caught(mutant: Mutant) throws { try mutant.expectCaught() }

  @Test(
    "is numbered in order within its group, and has a sentence; unless it is a promise a source and named arguments")
  func numbered() {
    let all = Self.catalogues.flatMap { $0.properties }
    for (group, properties) in Dictionary(grouping: all, by: Self.group) {
      #expect(properties.map(\.id) == (1...properties.count).map { "\(group).\($0)" })
    }
    for property in all + Self.catalogues.flatMap({ $0.notPromised }) {
      let isPromise = ["promise", "trainer"].contains(Self.group(property))
      #expect(!property.sentence.isEmpty, "\(property.id)")
      #expect(isPromise || !property.reference.isEmpty && !property.argumentNames.isEmpty, "\(property.id)")
    }
  }

  private static func group(_ property: Property) -> String { String(property.id.prefix { $0 != "." }) }
}
