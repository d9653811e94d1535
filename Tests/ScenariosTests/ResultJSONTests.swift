// SPDX-License-Identifier: GPL-3.0-or-later
import Reporting
import Scenarios
import Testing

@Suite("What a result keeps reads back as it was")
struct ResultJSONTests {
  private func read(_ text: String) throws -> JSONField {
    JSONField(try JSONValue(parsing: text), file: "result.json")
  }

  @Test("every measurement reads back from its text as itself")
  func measurements() throws {
    var dice = Dice(seed: 7)
    for _ in 0..<1000 {
      let measurement = Samples.any(&dice)
      #expect(try Measurement(json: read(measurement.json.text)) == measurement)
    }
  }

  @Test(
    "every evaluated threshold reads back from its text as itself, without a line, which a comment in the file moves")
  func thresholds() throws {
    var dice = Dice(seed: 8)
    for _ in 0..<300 {
      let threshold = Threshold(
        name: "x", .compared(.atLeast, .init(dice.number())), confidence: .init(0.99), source: "a \"source\"")
      let evaluated = threshold.evaluated(by: Samples.any(&dice))
      #expect(try EvaluatedThreshold(json: read(evaluated.json.text)) == evaluated)
    }
  }

  @Test("a figure that is no number is kept as null and reads back as no number")
  func notFinite() throws {
    let json = Samples.exact(.infinity).json.text
    #expect(json.contains("\"value\": null"))
    #expect(try Measurement(json: read(json)).estimate.isNaN)
  }

  @Test("what does not fit is named with its place")
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
      problem("{\"name\": \"x\", \"meaning\": \"y\", \"nature\": \"median\"}") { _ = try Measurement(json: $0) }
        == "result.json: nature: found 'median', expected one of exact, count, proportion, mean, interval.")
    #expect(
      problem("{\"judgement\": \"passes\"}") { _ = try EvaluatedThreshold(json: $0) }
        == "result.json: judgement: found 'passes', expected one of holds, fails, undecided.")
    #expect(
      problem("[]") { _ = try Measurement(json: $0) } == "result.json: document: found an array, expected an object.")
    #expect(
      problem("{\"nature\": \"proportion\", \"successes\": -1}") { _ = try Measurement(json: $0) }
        == "result.json: successes: found -1, expected a whole number from 0 on.")
  }
}
