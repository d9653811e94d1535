// SPDX-License-Identifier: GPL-3.0-or-later
import Testing
import Workbench

@testable import trial

struct TrialTests {
  @Test("the declaration is sound") func declaration() { #expect(Looks.runnable.problems() == []) }

  @Test("neither version is favoured, and a trial that favours one is caught") func properties() throws {
    let found = try [claims.properties[0], claims.mutants[0].properties[0]].map { try $0.check().counterexample }
    #expect(found[0] == nil && found[1] != nil)
  }

  @Test("a single look at 1.96 standard errors is wrong once in twenty times: the normal distribution's own tail")
  func singleLook() throws {
    var trial = Looks()
    (trial.looks, trial.bound) = (1, 1.959964)
    let found = try trial.run(samples: 10_000, seed: 7)["found"]
    #expect(found.interval(at: 0.999).contains(0.05), "\(found.estimate)")
  }
}
