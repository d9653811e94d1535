// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting

extension JudgedThreshold {
  /// The judged threshold as `result.json` keeps it: without its line, which a comment in the scenario's file moves.
  package var json: JSONValue {
    [
      "text": .string(text), "measurement": .string(measurement), "source": .string(source),
      "judgement": .string(judgement.rawValue), "found": .string(found), "remedy": .string(remedy),
      "errorProbability": .number(errorProbability),
    ]
  }

  /// Reads a judged threshold back; its line is 0.
  ///
  /// - Parameter json: what `json` wrote, with its place.
  /// - Throws: `ReportingError.badMember`.
  package init(json: JSONField) throws(ReportingError) {
    let word = try json.required("judgement")
    guard let judgement = Judgement(rawValue: try word.string()) else {
      throw word.bad(expected: "one of \(Judgement.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self.init(
      text: try json.required("text").string(), measurement: try json.required("measurement").string(),
      source: try json.required("source").string(), line: 0,
      judgement: judgement, found: try json.required("found").string(),
      remedy: try json.required("remedy").string(),
      errorProbability: try json.required("errorProbability").number())
  }
}
