// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Scenarios
import Testing

@testable import MethodCalibration

private enum Stated: CalibrationSource {
  static let methods = StatedMethods.all
}

@Suite("The experiment calibration")
struct CalibrationTests {
  private func scenario(_ yaml: String) throws -> Scenario {
    let document = try ScenarioDocument(yaml: "name: Calibration\nkind: calibration\n\(yaml)\n", file: "c.yaml")
    return try Scenario(document, kinds: [Calibration<Stated>.self])
  }

  private func result(_ yaml: String, workers: Int = 2) throws -> ScenarioResult {
    try scenario(yaml).plan.run(on: RunContext(workers: workers))
  }

  private func count(_ name: String, in result: ScenarioResult) throws -> Int {
    let found = try #require(result.measurements.first { $0.measure.name == name })
    return Int(found.estimate)
  }

  /// The methods that draw runs of many samples: a hundred of these show a mutant, too.
  private static let ofRuns = [
    "skewed-mean", "looked-mean", "ratio", "narrow-run", "find", "sweep", "splitting", "control",
  ]

  @Test("no verdict of a sampled run is wrong more often than stated")
  func ofRuns() throws {
    let result = try result("methods: [\(Self.ofRuns.joined(separator: ", "))]\nrepeats: 100")
    #expect(try count("calibration.excess", in: result) == 0)
  }

  @Test("no method in use is wrong more often than stated")
  func inUse() throws {
    let names = StatedMethods.all.filter { $0.mutantOf == nil && !Self.ofRuns.contains($0.name) }.map(\.name)
    let result = try result("methods: [\(names.joined(separator: ", "))]\nrepeats: 500")
    #expect(try count("calibration.excess", in: result) == 0)
    #expect(result.isComplete)
    // What has nothing to go by excludes nothing: that is found, too.
    #expect(try count("calibration.useless", in: result) > 0)
  }

  @Test(
    "every mutant is wrong more often than it promises, beyond doubt",
    arguments: StatedMethods.all.filter { $0.mutantOf != nil })
  func mutants(method: CalibrationMethod) throws {
    let repeats = Self.ofRuns.contains(method.mutantOf ?? "") ? 100 : 500
    let scenario = try scenario("methods: \(method.name)\nrepeats: \(repeats)")
    let result = try scenario.plan.run(on: RunContext(workers: 2))
    #expect(try count("calibration.excess", in: result) > 0)
    let verdicts = scenario.evaluated(by: result.measurements).map(\.verdict)
    #expect(verdicts == [.fails], "the default threshold fails")
    #expect(result.document.text(width: 120).contains("wrong too often"))
  }

  @Test("every method has a mutant, and every mutant names its method")
  func origins() {
    let names = Set(StatedMethods.all.filter { $0.mutantOf == nil }.map(\.name))
    #expect(Set(StatedMethods.all.compactMap(\.mutantOf)) == names)
    #expect(Set(StatedMethods.all.map(\.name)).count == StatedMethods.all.count)
  }

  @Test(
    "the result is the same at any number of workers, differs by seed, and a method's does not depend on the others")
  func determined() throws {
    func text(_ result: ScenarioResult) -> String {
      JSONValue.array(result.measurements.map(\.json)).text + (result.document.csv ?? "")
    }
    let small = "methods: [proportion, cover]\nrepeats: 1200"
    let one = try result(small, workers: 1)
    #expect(try text(result(small, workers: 3)) == text(one))
    #expect(try text(result(small + "\nrandom: {seed: 2}")) != text(one))
    let alone = try result("methods: cover\nrepeats: 1200")
    let shared = one.measurements.filter { $0.measure.label?.hasPrefix("cover/") == true }
    #expect(!shared.isEmpty && shared == alone.measurements.filter { $0.measure.label != nil })
  }

  @Test("measurements are exactly the declared measures")
  func measures() throws {
    let plan = try scenario("methods: [proportion, threshold]\nrepeats: 100").plan
    let found = try plan.run(on: RunContext(workers: 1)).measurements.map(\.measure)
    #expect(found == plan.measures && Set(found.map(\.fullName)).count == found.count)
    // The boundary has no deviation, so no width is best.
    #expect(found.filter { $0.name == "calibration.width" }.count == 4 * 3)
  }

  @Test("thirty errors of a thousand at 0.99 are significantly too many, and seventeen are not")
  func audit() throws {
    let cell = try #require(CalibrationCell.all(of: StatedMethods.all, named: ["proportion"]).last)
    #expect(cell.label == "proportion/null/0.99")
    func audit(wrong: Int) -> CalibrationAudit {
      var tally = CalibrationTally()
      for number in 0..<1_000 {
        tally.add(.interval(0...1, truth: number < wrong ? 2 : 0.5, within: 0...1))
      }
      return CalibrationAudit(cells: [(cell, tally)], repeats: 1_000, confidence: 0.99)
    }
    #expect(audit(wrong: 10).rows.map(\.isExcessive) == [false])
    #expect(audit(wrong: 17).rows.map(\.isExcessive) == [false])
    #expect(audit(wrong: 30).rows.map(\.isExcessive) == [true])
    #expect(audit(wrong: 0).rows.map(\.isUseless) == [true], "nothing of 0 to 1 was excluded")
  }
}
