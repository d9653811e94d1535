// SPDX-License-Identifier: GPL-3.0-or-later
import Scenarios
import Testing

@Suite("Simulated students of the trainer")
struct StudentsExperimentTests {
  @Test(
    "lose what compare computes for their charts, whatever the mode asks, by ten different misconceptions",
    arguments: ["quick", "dealer-strong"])
  func witness(mode: String) throws {
    let found = try outcome("train", "rules: inf\nsessions: 200\nmode: \(mode)").found
    #expect(found["witness.outside"] == 0 && found["witness.gap"] ?? 1 < 1e-9)
    #expect(found["cost[perfect]"] == 0 && found["accuracy[perfect]"] == 1)
    let costs = found.filter { $0.key.hasPrefix("cost.exact[") && $0.key != "cost.exact[perfect]" }.values
    #expect(costs.count == 10 && costs.allSatisfy { $0 >= 0 })
    if mode == "quick" { #expect(Set(costs).count == 10 && !costs.contains(0)) }
  }

  @Test("are not said to have a misconception where they slip a tenth of the time")
  func slips() throws {
    let result = try outcome("train", "rules: inf\nsessions: 1000\nstudents: perfect\nslips: 10%").result
    #expect(try result.measurement("shown[perfect]").interval(at: 0.999).lowerBound <= 0.05)
  }

  @Test("show a misconception sooner in the adaptive order, and learn more by it")
  func adaptive() throws {
    let names = ["never-doubles-soft", "keeps-eights-against-10"]
    let (result, found) = try outcome(
      "train", "rules: inf\nsessions: 2000\nstudents: [\(names.joined(separator: ", ")), learner]")
    for name in names {
      #expect(try result.measurement("sooner[\(name)]").interval(at: 0.999).lowerBound > 0)
    }
    #expect(found["fixed[keeps-eights-against-10]"] == nil && found["left[learner]"] ?? 0 > 0)
  }
}
