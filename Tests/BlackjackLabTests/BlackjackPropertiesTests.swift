// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackLab
import PropertyTesting
import PropertyTestingHost
import Testing

@Suite("Properties of the blackjack core")
struct BlackjackPropertiesTests {
  private static let catalogue = BlackjackProperties.catalogue

  @Test("hold", arguments: catalogue.properties)
  func holds(property: Property) async throws { try await check(property) }

  @Test("catch the mutants, with the smallest counterexample", arguments: catalogue.mutants)
  func caught(mutant: Mutant) throws { try mutant.expectCaught() }

  @Test("are numbered in order, and each has a sentence, a source and named arguments")
  func numbered() {
    #expect(Self.catalogue.properties.map(\.id) == (1...23).map { "blackjack.\($0)" })
    for property in Self.catalogue.properties {
      #expect(!property.sentence.isEmpty && !property.reference.isEmpty && !property.argumentNames.isEmpty)
    }
  }
}
