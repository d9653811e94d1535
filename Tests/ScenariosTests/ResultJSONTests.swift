// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Scenarios
import TestSupport
import Testing

@Suite("Results read back as they were written")
struct ResultJSONTests {
  private func read(_ text: String) throws -> JSONField {
    JSONField(try JSONValue(parsing: text), file: "result.json")
  }

  @Test(
    "every evaluated threshold reads back from its text as itself, without a line, which a comment in the file moves")
  func thresholds() throws {
    var dice = SplitMix64(seed: 8)
    for _ in 0..<300 {
      let threshold = Threshold(
        name: "x", .compared(.atLeast, .init(dice.number())), confidence: .init(0.99), source: "a \"source\"")
      let evaluated = threshold.evaluated(by: Samples.any(&dice))
      #expect(try EvaluatedThreshold(json: read(evaluated.json.text)) == evaluated)
    }
  }

  @Test("an invalid value is reported with its place")
  func broken() {
    func problem(_ text: String, _ read: (JSONField) throws -> Void) -> String {
      do {
        try read(self.read(text))
        return "no error"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      problem("{\"name\": \"x\", \"meaning\": \"y\", \"kind\": \"median\"}") { _ = try Measurement(json: $0) }
        == "result.json: kind: found 'median', expected one of exact, count, proportion, mean, interval.")
    #expect(
      problem("{\"verdict\": \"passes\"}") { _ = try EvaluatedThreshold(json: $0) }
        == "result.json: verdict: found 'passes', expected one of holds, fails, undecided.")
    #expect(
      problem("[]") { _ = try Measurement(json: $0) } == "result.json: document: found an array, expected an object.")
    #expect(
      problem("{\"kind\": \"proportion\", \"successes\": -1}") { _ = try Measurement(json: $0) }
        == "result.json: successes: found -1, expected a whole number from 0 on.")
  }

  @Test(
    "figures that no run can measure are refused with what was expected",
    arguments: [
      (
        "\"kind\": \"proportion\", \"successes\": 7, \"trials\": 5",
        "trials: found 5, expected a whole number from 7 on."
      ),
      (
        "\"kind\": \"count\", \"count\": 9, \"undecided\": -1",
        "undecided: found -1, expected a whole number from 0 on."
      ),
      (
        "\"kind\": \"mean\", \"mean\": 0, \"standardDeviation\": -0.5, \"samples\": 3",
        "standardDeviation: found -0.5, expected a number from 0 on, 'Infinity' or null."
      ),
      (
        "\"kind\": \"interval\", \"value\": 2, \"low\": 3, \"high\": 1, \"confidence\": 0.9, \"samples\": 3",
        "high: found 1, expected a number from 3 on, 'Infinity' or null."
      ),
      (
        "\"kind\": \"interval\", \"value\": 2, \"low\": 1, \"high\": 3, \"confidence\": 99, \"samples\": 3",
        "confidence: found 99, expected a number from 0 to 1."
      ),
      (
        "\"kind\": \"exact\", \"value\": \"infinity\"",
        "value: found 'infinity', expected a number, '-Infinity', 'Infinity' or null."
      ),
    ])
  func impossible(figures: String, problem: String) {
    let error = #expect(throws: ReportingError.self) { try Measurement(json: read("{\(figures)}")) }
    #expect(error?.description == "result.json: \(problem)")
  }
}
