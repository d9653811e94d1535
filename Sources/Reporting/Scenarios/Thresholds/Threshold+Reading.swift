// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting

extension Threshold {
  /// Reads a threshold of a scenario: a text, or a mapping with the keys `threshold` and `source`.
  ///
  /// - Parameter field: the threshold with its place.
  /// - Throws: `ReportingError.badValue` with the column; `.unknownKey` or `.missingKey` for a mapping.
  package init(_ field: ScenarioField) throws(ReportingError) {
    var (text, source) = (field, "")
    if field.isMapping {
      let map = try field.mapping(keys: ["threshold", "source"])
      text = try map.required("threshold", expected: "a threshold, for example chart.mismatches == 0")
      source = try map["source"]?.string() ?? ""
    }
    let written = try text.string(expected: "a threshold, for example chart.mismatches == 0")
    do throws(ThresholdError) {
      self = try Threshold(written, source: source, line: text.line)
    } catch {
      switch error {
      case .unexpected(let found, let column, let expected):
        throw .badValue(
          file: text.file, line: text.line, field: text.path, found: "\(found) at column \(column) of '\(written)'",
          expected: expected)
      }
    }
  }

  /// The measures that the threshold judges: the one it names, or one for each label where it names none.
  ///
  /// - Parameters:
  ///   - measures: what the run will measure.
  ///   - field: where the threshold stands.
  /// - Returns: at least one measure.
  /// - Throws: `ReportingError.badValue` where it names nothing known, or asks for what cannot be.
  func named(among measures: [Measure], in field: ScenarioField) throws(ReportingError) -> [Measure] {
    let named = measures.filter { $0.fullName == fullName }
    let all = named.isEmpty && label == nil ? measures.filter { $0.name == name } : named
    guard !all.isEmpty else {
      throw bad(in: field, found: "'\(fullName)', which is not measured", expected: known(among: measures))
    }
    for measure in all {
      if let problem = problem(of: measure, sharing: all.count) {
        throw bad(in: field, found: problem.found, expected: problem.expected)
      }
    }
    return all
  }

  private func bad(in field: ScenarioField, found: String, expected: String) -> ReportingError {
    let path = field.isMapping ? "\(field.path).threshold" : field.path
    return .badValue(file: field.file, line: line, field: path, found: found, expected: expected)
  }

  /// The names to choose from: labels of the measure where only the label is wrong.
  private func known(among measures: [Measure]) -> String {
    let sameName = measures.filter { $0.name == name }
    let candidates = sameName.isEmpty ? Self.unique(measures.map(\.name)) : Self.unique(sameName.map(\.fullName))
    let nearest = Spelling.nearest(to: sameName.isEmpty ? name : fullName, among: candidates)
    guard !candidates.isEmpty else { return "no thresholds: nothing is measured" }
    return "one of \(candidates.joined(separator: ", "))" + (nearest.map { " (did you mean '\($0)'?)" } ?? "")
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  private typealias Problem = (found: String, expected: String)

  /// What the nature of a measure forbids.
  private func problem(of measure: Measure, sharing: Int) -> Problem? {
    let name = measure.fullName
    switch measure.nature {
    case .exact, .count:
      let how = measure.nature == .exact ? "computed" : "counted"
      return confidence.map { ("'at \($0.text)'", "no confidence: \(name) is \(how), not sampled") }
    case .proportion, .mean, .interval:
      guard let confidence else {
        return ("no confidence", "'\(text) at 0.99' or the like: \(name) is sampled")
      }
      switch condition {
      case .compared(.equal, let number), .compared(.unequal, let number):
        return (
          "'\(text)'",
          "'>=', '<=', '>', '<' or 'in LOW..HIGH': no number of samples shows that \(name) is \(number.text)"
        )
      case .relative(.equal, _), .relative(.unequal, _):
        return (
          "'\(text)'", "'>=', '<=', '>' or '<': no number of samples shows that \(name) is what the baseline has"
        )
      case .within(let low, let high) where low.value == high.value:
        return ("'\(low.text)..\(high.text)'", "an interval of some width: \(name) is sampled")
      default: break
      }
      if case .interval(let own) = measure.nature,
        let problem = excess(confidence, of: name, over: isRelative ? 2 * own - 1 : own, sharing: sharing)
      {
        return problem
      }
      return measure.isShare ? impossible(for: name) : nil
    }
  }

  /// An interval that holds at one confidence can be asked for no more, and for less where labels share the error.
  private func excess(_ confidence: Number, of name: String, over own: Double, sharing: Int) -> Problem? {
    guard (1 - confidence.value) / Double(sharing) < (1 - own) * (1 - 1e-9) else { return nil }
    let most = Part.tidied(1 - (1 - own) * Double(sharing))
    guard most > 0.5 else {
      return (
        "'\(fullName)'", "a label: \(sharing) cannot share an error of \(NumberFormat.shortest(Part.tidied(1 - own)))"
      )
    }
    let why = sharing > 1 ? ", whose error \(sharing) labels share" : ""
    return (
      "'at \(confidence.text)'",
      "at most \(NumberFormat.shortest(most)): the interval of \(name) holds at \(NumberFormat.shortest(own))\(why)"
    )
  }

  /// Shares lie from 0 to 1, and no sample shows one that is all or nothing.
  private func impossible(for name: String) -> Problem? {
    for number in condition.numbers where number.value < 0 || number.value > 1 {
      return ("'\(number.text)'", "a share from 0 to 1 or in percent, for example 0.95 or 95%")
    }
    switch condition {
    case .compared(.atLeast, let number) where number.value == 1, .within(let number, _) where number.value == 1:
      return ("'\(text)'", "a number below 1: no number of samples shows that \(name) is 1")
    case .compared(.atMost, let number) where number.value == 0, .within(_, let number) where number.value == 0:
      return ("'\(text)'", "a number above 0: no number of samples shows that \(name) is 0")
    default: return nil
    }
  }
}
