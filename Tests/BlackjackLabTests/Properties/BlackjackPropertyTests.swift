// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackLab
import PropertyTesting
import PropertyTestingHost
import Testing

@Suite("What is claimed of the blackjack core")
struct BlackjackPropertyTests {
  private static let catalogue = BlackjackProperties.catalogue

  @Test("holds", arguments: catalogue.properties)
  func holds(property: Property) async throws {
    try await check(property)
  }

  @Test("is numbered in order, said in a sentence, and has a source")
  func numbered() {
    let properties = Self.catalogue.properties
    #expect(properties.map(\.id) == (1...23).map { "blackjack.\($0)" })
    for property in properties {
      #expect(!property.sentence.isEmpty && !property.reference.isEmpty && !property.argumentNames.isEmpty)
    }
  }

  @Test("is claimed of every broken variant in the same words")
  func sameWords() {
    let subjects = Self.catalogue.subjects
    #expect(Set(subjects.map(\.name)).count == subjects.count && subjects.count >= 10)
    for subject in subjects {
      #expect(subject.properties.map(\.sentence) == Self.catalogue.properties.map(\.sentence))
    }
  }
}
