// SPDX-License-Identifier: GPL-3.0-or-later
import PropertyRuns
import PropertyTesting
import Reporting
import Specimens
import Testing

@Suite("Choosing properties by name")
struct CataloguesTests {
  private func ids(_ patterns: String..., mutant: String? = nil) throws -> [String] {
    try specimens.chosen(patterns, mutant: mutant).map(\.property.id)
  }

  @Test("ids, groups and patterns choose properties, each once and in the catalogue's order")
  func patterns() throws {
    #expect(try ids().count == Specimens.catalogue.properties.count)
    #expect(try ids("specimen") == ids())
    #expect(try ids("*") == ids())
    #expect(try ids("specimen.fails", "specimen.holds") == ["specimen.holds", "specimen.fails"])
    #expect(try ids("specimen.h*") == ["specimen.holds", "specimen.hang"])
    #expect(try ids("s*n.h*s", "specimen.holds") == ["specimen.holds"])
    #expect(try ids("*.trap", "specimen.trap") == ["specimen.trap"])
  }

  @Test("a name without a match suggests the closest one")
  func unknown() {
    #expect(throws: PropertyLabError.noSuchProperty("specimen.hold", nearest: "specimen.holds")) {
      try ids("specimen.holds", "specimen.hold")
    }
    #expect(throws: PropertyLabError.noSuchProperty("specimn", nearest: "specimen")) { try ids("specimn") }
    #expect(throws: PropertyLabError.noSuchProperty("specimen.hol", nearest: "specimen.holds")) {
      try specimens.property("specimen.hol", mutant: nil)
    }
    let known = ["specimen-broken"]
    #expect(throws: PropertyLabError.noSuchMutant("specimen-brokn", nearest: known.first, known: known)) {
      try ids(mutant: "specimen-brokn")
    }
  }
}
