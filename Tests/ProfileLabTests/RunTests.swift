// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import ProfileCore
import ProfileLab
import Scenarios
import Testing

@Suite("Sessions of people with profiles")
struct RunTests {
  private static func found(_ kind: String, _ yaml: String = "") throws -> [String: Double] {
    try outcome(kind, yaml, among: Profiles.experiments.map { $0.runnable }).found
  }

  @Test("no edit is lost under any policy, with half of the events kills and faults")
  func edit() throws {
    for policy in ConflictPolicy.allCases {
      let found = try Self.found("profile.edit", "policy: \(policy.rawValue)\ntrouble: 50%\nevents: 20")
      #expect(found["edit.lost"] == 0 && found["edit.disordered"] == 0 && found["edit.apart"] == 0)
      #expect(found["edit.wrong"] == 0)
      #expect(found["edit.kills"].map { $0 > 1 } == true && found["edit.cut"].map { $0 > 0.1 } == true)
    }
  }

  // One of these sessions kills the app after an undo that is a conflict: the edits are lost only if it is forgotten.
  @Test("the default sessions lose no edit")
  func `default`() throws {
    #expect(try Self.found("profile.edit")["edit.lost"] == 0)
  }

  @Test("the flat map takes fewer steps and wrong turns than the nested one, for the same people")
  func navigate() throws {
    let found = try Self.found("profile.navigate")
    let (flat, nested) = (try #require(found["flat.steps"]), try #require(found["nested.steps"]))
    #expect(flat < nested && abs(found["steps.saved"].map { $0 - (nested - flat) } ?? 1) < 1e-9)
    #expect(found["flat.turns"].map { $0 < found["nested.turns"] ?? 0 } == true)
  }

  @Test("a person who always sees the right link takes the fewest steps of the map")
  func sure() throws {
    let found = try Self.found("profile.navigate", "recognition: 100%\nsearchers: 0%")
    #expect(found["flat.turns"] == 0 && found["flat.steps"].map { $0 < 2 } == true)
  }
}
