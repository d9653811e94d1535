// SPDX-License-Identifier: GPL-3.0-or-later
import ClubLab
import PropertyTesting
import PropertyTestingHost
import Testing

@Suite("What is claimed of the club core")
struct ClubPropertyTests {
  private static let catalogue = ClubProperties.catalogue

  @Test("holds", arguments: catalogue.properties)
  func holds(property: Property) async throws {
    try await check(property, cases: 500)
  }

  @Test("is numbered in order, said in a sentence, and has a source")
  func numbered() {
    let properties = Self.catalogue.properties
    #expect(properties.map(\.id) == (1...27).map { "club.\($0)" })
    for property in properties {
      #expect(!property.sentence.isEmpty && !property.reference.isEmpty && !property.argumentNames.isEmpty)
    }
  }

  @Test("is claimed of every broken variant in the same words")
  func sameWords() {
    let subjects = Self.catalogue.subjects
    #expect(Set(subjects.map(\.name)).count == subjects.count && subjects.count >= 20)
    for subject in subjects {
      #expect(subject.properties.map(\.sentence) == Self.catalogue.properties.map(\.sentence))
    }
  }
}
