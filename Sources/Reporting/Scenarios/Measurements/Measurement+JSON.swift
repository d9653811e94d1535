// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting

extension Measurement {
  /// The measurement as `result.json` keeps it: the measure, then the figures that its nature has.
  package var json: JSONValue {
    var members = [JSONMember("name", .string(measure.name))]
    if let label = measure.label { members.append(JSONMember("label", .string(label))) }
    members.append(JSONMember("meaning", .string(measure.meaning)))
    if !measure.unit.isEmpty { members.append(JSONMember("unit", .string(measure.unit))) }
    return .object(members + figures.map { JSONMember($0.0, $0.1) })
  }

  /// The nature's name first: it says which figures follow.
  private var figures: [(String, JSONValue)] {
    switch value {
    case .exact(let value):
      [("nature", "exact"), ("value", .number(value))]
    case .count(let count, let undecided):
      [("nature", "count"), ("count", .integer(count)), ("undecided", .integer(undecided))]
    case .proportion(let successes, let trials):
      [("nature", "proportion"), ("successes", .integer(successes)), ("trials", .integer(trials))]
    case .mean(let mean, let deviation, let samples):
      [
        ("nature", "mean"), ("mean", .number(mean)), ("standardDeviation", .number(deviation)),
        ("samples", .integer(samples)),
      ]
    case .interval(let value, let low, let high, let confidence, let samples):
      [
        ("nature", "interval"), ("value", .number(value)), ("low", .number(low)), ("high", .number(high)),
        ("confidence", .number(confidence)), ("samples", .integer(samples)),
      ]
    }
  }

  /// Reads a measurement back. What was not finite was written as `null` and comes back as no number.
  ///
  /// - Parameter json: what `json` wrote, with its place.
  /// - Throws: `ReportingError.badMember`.
  package init(json: JSONField) throws(ReportingError) {
    let (nature, value) = try Self.figures(in: json)
    let measure = Measure(
      try json.required("name").string(), of: try json.member("label")?.string(),
      meaning: try json.required("meaning").string(), unit: try json.member("unit")?.string() ?? "", nature: nature)
    self.init(measure, value)
  }

  private static func figures(in json: JSONField) throws(ReportingError) -> (Measure.Nature, Value) {
    func number(_ key: String) throws(ReportingError) -> Double { try json.required(key).number() }
    func count(_ key: String) throws(ReportingError) -> Int { try json.required(key).integer(in: 0...Int.max) }
    let nature = try json.required("nature")
    switch try nature.string() {
    case "exact":
      return (.exact, .exact(try number("value")))
    case "count":
      return (.count, .count(try json.required("count").integer(), undecided: try count("undecided")))
    case "proportion":
      return (.proportion, .proportion(successes: try count("successes"), trials: try count("trials")))
    case "mean":
      let deviation = try number("standardDeviation")
      return (.mean, .mean(try number("mean"), standardDeviation: deviation, samples: try count("samples")))
    case "interval":
      let (low, high, confidence) = (try number("low"), try number("high"), try number("confidence"))
      let value = Value.interval(
        try number("value"), low: low, high: high, confidence: confidence, samples: try count("samples"))
      return (.interval(confidence: confidence), value)
    default:
      throw nature.bad(expected: "one of exact, count, proportion, mean, interval")
    }
  }
}
