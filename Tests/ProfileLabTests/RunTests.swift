// SPDX-License-Identifier: GPL-3.0-or-later
import ProfileCore
import Scenarios
import Testing

@testable import ProfileLab

@Suite("Sessions of people with profiles")
struct RunTests {
  private static func found(_ experiment: some Experiment) throws -> [String: Double] {
    let result = try experiment.run(on: RunContext(workers: 2))
    return result.measurements.reduce(into: [:]) { $0[$1.measure.fullName] = $1.estimate }
  }

  @Test("no edit is lost under any policy, with half of the events kills and faults")
  func edit() throws {
    for policy in ConflictPolicy.allCases {
      var run = EditRun()
      (run.policy, run.trouble, run.events) = (policy, 0.5, 20)
      let found = try Self.found(run)
      #expect(found["edit.lost"] == 0 && found["edit.disordered"] == 0 && found["edit.apart"] == 0)
      #expect(found["edit.wrong"] == 0)
      #expect(found["edit.kills"].map { $0 > 1 } == true && found["edit.cut"].map { $0 > 0.1 } == true)
    }
  }

  @Test("the flat map takes fewer steps and wrong turns than the nested one, for the same people")
  func navigate() throws {
    let found = try Self.found(NavigateRun())
    let (flat, nested) = (try #require(found["flat.steps"]), try #require(found["nested.steps"]))
    #expect(flat < nested && abs(found["steps.saved"].map { $0 - (nested - flat) } ?? 1) < 1e-9)
    #expect(found["flat.wrongTurns"].map { $0 < found["nested.wrongTurns"] ?? 0 } == true)
  }

  @Test("who always sees the right link takes the steps of the map")
  func sure() throws {
    var run = NavigateRun()
    (run.recognition, run.searchers) = (1, 0)
    let found = try Self.found(run)
    #expect(found["flat.wrongTurns"] == 0 && found["flat.steps"].map { $0 < 2 } == true)
  }
}
