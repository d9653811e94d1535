// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import ProfileCore
import ProfileLab
import Scenarios
import TestSupport
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

  /// Expects each mean or share within its interval at 0.9999, and each constant exactly.
  private static func expect(_ kind: String, _ yaml: String, _ expected: [String: Double]) throws {
    let result = try outcome(kind, yaml, among: Profiles.experiments.map { $0.runnable }).result
    for (name, value) in expected {
      let one = try #require(result.measurements.first { $0.measure.fullName == name }, "\(name)")
      let interval = one.interval(at: 0.9999)
      #expect(interval.lowerBound - 1e-9 <= value && value <= interval.upperBound + 1e-9, "\(name): \(one.estimate)")
    }
  }

  @Test("a session of one event: a key is saved when the person leaves, and arrives 80 ms later")
  func oneEvent() throws {
    // 22 of 32 calm events are keys and one is a new text; an undo is an edit without a request.
    try Self.expect(
      "profile.edit", "events: 1\ntrouble: 0%",
      [
        "edit.saves": 23.0 / 32, "edit.durable": 23.0 / 32 * 0.08, "edit.longest[p50]": 0.08, "edit.longest[p99]": 0.08,
        "edit.kills": 0, "edit.cut": 0, "edit.lost": 0, "edit.disordered": 0, "edit.apart": 0, "edit.wrong": 0,
      ])
  }

  @Test("kills: one trouble in 13 is one, and a key is cut if the trouble before it kills at the next write")
  func kills() throws {
    try Self.expect("profile.edit", "events: 13\ntrouble: 100%", ["edit.kills": 1, "edit.cut": 0, "edit.saves": 0])
    // Devices are the phone with 3/4 and the tablet with 1/4, and both events are of the same one.
    try Self.expect("profile.edit", "events: 2\ntrouble: 50%", ["edit.cut": 0.5 / 13 * 0.5 * 23 / 32 * 10 / 16])
  }

  @Test("two tabs in place of one: a person who sees half of the links at once goes wrong as a coin does")
  func coins() throws {
    func map(_ tabs: String, _ more: String = "") -> String {
      """
      name: one
      tabs: [\(tabs)]
      systems: [16]
      screens:
        - {id: home, name: Home, sections: [{entries: [{id: lock, name: Lock, kind: action, role: lock, use: 1}]}]}
      """ + more
    }
    let more = "\n  - {id: more, name: More, sections: [{entries: [{id: help, name: Help, kind: action}]}]}"
    let folder = try TemporaryFolder(["one.yaml": map("home"), "two.yaml": map("home, more", more)])
    let maps = "maps: ['\(folder.path("one.yaml"))', '\(folder.path("two.yaml"))']\n"
    // With patience 2 a person goes wrong once with 1/2, again with 1/4, and searches with 1/8, which takes two steps.
    try Self.expect(
      "profile.navigate", maps + "recognition: 50%\nsearchers: 0%\npatience: 2",
      [
        "flat.steps": 1, "flat.turns": 0, "flat.search": 0, "nested.turns": 0.75, "nested.search": 0.125,
        "nested.steps": 2 * 0.75 + 0.875 + 0.125 * 2, "steps.saved": 1.625,
      ])
    try Self.expect(
      "profile.navigate", maps + "searchers: 100%", ["flat.search": 1, "nested.steps": 2, "steps.saved": 0])
  }
}
