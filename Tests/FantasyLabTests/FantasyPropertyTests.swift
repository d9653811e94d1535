// SPDX-License-Identifier: GPL-3.0-or-later
import FantasyLab
import PropertyTesting
import PropertyTestingHost
import Testing

@Suite("Properties of the fantasy core")
struct FantasyPropertyTests {
  @Test("hold", arguments: FantasyProperties.catalogue.properties)
  func holds(property: Property) async throws { try await check(property, cases: 200) }

  @Test("catch the mutants", arguments: FantasyProperties.catalogue.mutants)
  func caught(mutant: Mutant) throws { try mutant.expectCaught() }
}
