// SPDX-License-Identifier: GPL-3.0-or-later
import PropertyTesting
import Reporting
import Testing

@testable import PropertyLab

@Suite("Choosing properties by name")
struct CataloguesTests {
  private func ids(_ patterns: String..., subject: String? = nil) throws -> [String] {
    try specimens.chosen(patterns, subject: subject).map(\.property.id)
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

  @Test("a broken subject has properties of its own, under the same ids")
  func subject() throws {
    let chosen = try specimens.chosen([], subject: "specimen-broken")
    #expect(chosen.map(\.property.id) == ["specimen.holds"])
    #expect(chosen.map(\.subject) == ["specimen-broken"])
    let report = try chosen.first?.property.check()
    #expect(report?.counterexample != nil)
    #expect(specimens.subjects == ["specimen-broken"])
  }

  @Test("what chooses nothing is named with the nearest name that chooses something")
  func unknown() {
    #expect(throws: PropertyLabError.noSuchProperty("specimen.hold", nearest: "specimen.holds")) {
      try ids("specimen.holds", "specimen.hold")
    }
    #expect(throws: PropertyLabError.noSuchProperty("specimn", nearest: "specimen")) { try ids("specimn") }
    #expect(throws: PropertyLabError.noSuchProperty("specimen.hol", nearest: "specimen.holds")) {
      try specimens.property("specimen.hol", subject: nil)
    }
    #expect(throws: PropertyLabError.noSuchProperty("specime", nearest: "specimen")) {
      try specimens.catalogues(of: ["specime"])
    }
    let known = ["specimen-broken"]
    #expect(throws: PropertyLabError.noSuchSubject("specimen-brokn", nearest: known.first, known: known)) {
      try ids(subject: "specimen-brokn")
    }
  }
}
