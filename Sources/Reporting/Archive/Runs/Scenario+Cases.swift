// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting
internal import Scenarios

extension Scenario {
  /// The seed among the settings; `nil` where nothing is random.
  var seed: String? { Self.seed(in: plan.settings) }

  private static func seed(in members: [JSONMember]) -> String? {
    for member in members {
      switch member.value {
      case .integer(let seed) where member.key == "seed": return String(seed)
      case .unsigned(let seed) where member.key == "seed": return String(seed)
      case .object(let members): if let seed = seed(in: members) { return seed }
      default: break
      }
    }
    return nil
  }

  /// One case for each threshold, then those that the result brings. One that is undecided counts as an error: to a
  /// build server it is not passed, and to skip it would hide it.
  ///
  /// - Parameters:
  ///   - thresholds: the judged thresholds.
  ///   - others: the result's own cases.
  ///   - command: what runs it again.
  /// - Returns: the suite.
  func cases(_ thresholds: [JudgedThreshold], and others: [JUnitReport.Case], command: String) -> JUnitReport {
    let texts = Dictionary(grouping: thresholds, by: \.text)
    let cases = thresholds.map { threshold in
      let isUnique = texts[threshold.text]?.count == 1
      let outcome: JUnitReport.Outcome =
        switch threshold.judgement {
        case .holds: .passed
        case .fails:
          .failed(
            message: "fails: found \(threshold.found)", details: details(of: threshold, command: command))
        case .undecided:
          .broken(
            message: "undecided: found \(threshold.found)", details: details(of: threshold, command: command))
        }
      return JUnitReport.Case(
        name: isUnique ? threshold.text : "\(threshold.text) (\(threshold.measurement))", group: slug, outcome: outcome)
    }
    return JUnitReport(name: slug, cases: cases + others)
  }

  /// The one case of a run that ended with an error.
  func failure(_ error: String, command: String) -> JUnitReport {
    let details = lines([("file", file), ("error", error), ("seed", seed ?? ""), ("to run it again", command)])
    return JUnitReport(
      name: slug, cases: [.init(name: "run", group: slug, outcome: .broken(message: error, details: details))])
  }

  private func details(of threshold: JudgedThreshold, command: String) -> String {
    lines([
      ("threshold", threshold.text), ("file", "\(file):\(threshold.line)"), ("found", threshold.found),
      ("it would be decided by", threshold.remedy), ("source", threshold.source), ("seed", seed ?? ""),
      ("to run it again", command),
    ])
  }

  /// A line for each that has something to say.
  private func lines(_ facts: [(name: String, value: String)]) -> String {
    facts.filter { !$0.value.isEmpty }.map { "\($0.name): \($0.value)\n" }.joined()
  }
}
