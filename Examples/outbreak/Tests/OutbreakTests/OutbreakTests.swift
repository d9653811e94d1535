// SPDX-License-Identifier: GPL-3.0-or-later
import Testing
import Workbench

@testable import outbreak

struct OutbreakTests {
  @Test("the declaration is sound") func declaration() { #expect(Town.runnable.problems() == []) }

  @Test("towns of two and of three people are solved by hand")
  func small() {
    var town = Town()
    (town.people, town.contact) = (2, 0.3)
    #expect(abs(town.expectedCases - 1.3) < 1e-12)
    town.immune = 0.5
    #expect(abs(town.expectedCases - 1.15) < 1e-12)
    // Of two others, none, one or both are infected at once; one infects the other a day later.
    (town.people, town.immune) = (3, 0)
    #expect(abs(town.expectedCases - (1 + 2 * 0.3 * 0.7 * (1 + 0.3) + 2 * 0.3 * 0.3)) < 1e-12)
  }

  @Test("the simulation agrees with the computation, and all cases but the first are passed on")
  func agrees() throws {
    var town = Town()
    (town.people, town.contact, town.immune) = (20, 0.08, 0.2)
    let found = try town.run(samples: 4_000, seed: 7)
    #expect(try found["cases"].interval(at: 0.999).contains(town.expectedCases))
    #expect(try found["passed"].interval(at: 0.999).contains(1 - 1 / town.expectedCases))
    #expect(try found["new[1]"].interval(at: 0.999).contains(19 * 0.8 * 0.08))
  }
}
