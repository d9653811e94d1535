// SPDX-License-Identifier: GPL-3.0-or-later
import Testing
import Workbench

@testable import trial

struct TrialTests {
  @Test("the declaration is sound") func declaration() { #expect(Looks.runnable.problems() == []) }

  @Test("a single look at 1.96 standard errors is wrong once in twenty times: the normal distribution's own tail")
  func singleLook() throws {
    var trial = Looks()
    (trial.looks, trial.bound) = (1, 1.959964)
    let result = try trial.run(on: ScenarioBench(workers: 2))
    let found = try #require(result.measurements.first)
    #expect(found.interval(at: 0.999).contains(0.05), "\(found.estimate)")
  }
}
