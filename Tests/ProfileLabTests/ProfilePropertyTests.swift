// SPDX-License-Identifier: GPL-3.0-or-later
import ProfileCore
import ProfileLab
import PropertyTesting
import PropertyTestingHost
import Testing

@Suite("Properties of the profile core")
struct ProfilePropertyTests {
  @Test("hold", arguments: ProfileProperties.catalogue.properties)
  func holds(property: Property) async throws { try await check(property, cases: 200) }

  @Test("catch the mutants", arguments: ProfileProperties.catalogue.mutants)
  func caught(mutant: Mutant) throws { try mutant.expectCaught() }
}
