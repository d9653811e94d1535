// SPDX-License-Identifier: GPL-3.0-or-later
import ClubLab
import PropertyTesting
import PropertyTestingHost
import Testing

@Suite("Properties of the club core")
struct ClubPropertyTests {
  @Test("hold", arguments: ClubProperties.catalogue.properties)
  func holds(property: Property) async throws { try await check(property, cases: 500) }

  @Test("catch the mutants", arguments: ClubProperties.catalogue.mutants)
  func caught(mutant: Mutant) throws { try mutant.expectCaught() }
}
