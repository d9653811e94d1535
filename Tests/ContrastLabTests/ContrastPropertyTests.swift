// SPDX-License-Identifier: GPL-3.0-or-later
import ContrastLab
import PropertyTesting
import PropertyTestingHost
import Testing

@Suite("Properties of the contrast core")
struct ContrastPropertyTests {
  @Test("hold", arguments: ContrastProperties.catalogue.properties)
  func holds(property: Property) async throws { try await check(property, cases: 200) }

  @Test("catch the mutants", arguments: ContrastProperties.catalogue.mutants)
  func caught(mutant: Mutant) throws { try mutant.expectCaught() }
}
