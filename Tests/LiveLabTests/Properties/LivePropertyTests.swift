// SPDX-License-Identifier: GPL-3.0-or-later
import LiveLab
import PropertyTesting
import PropertyTestingHost
import Testing

@Suite("What is claimed of the live core")
struct LivePropertyTests {
  private static let catalogue = LiveProperties.catalogue

  @Test("holds", arguments: catalogue.properties)
  func holds(property: Property) async throws {
    // A case of the third is a whole herd.
    try await check(property, cases: property.id == "live.3" ? 100 : 2000)
  }

  @Test("is numbered in order, said in a sentence, and has a source")
  func numbered() {
    let properties = Self.catalogue.properties
    #expect(properties.map(\.id) == (1...12).map { "live.\($0)" })
    for property in properties {
      #expect(!property.sentence.isEmpty && !property.reference.isEmpty && !property.argumentNames.isEmpty)
    }
  }

  @Test("is claimed of every broken variant in the same words")
  func sameWords() {
    let subjects = Self.catalogue.subjects
    #expect(Set(subjects.map(\.name)).count == subjects.count && subjects.count >= 30)
    for subject in subjects {
      #expect(subject.name.hasPrefix("live-"))
      #expect(subject.properties.map(\.sentence) == Self.catalogue.properties.map(\.sentence))
    }
  }
}
