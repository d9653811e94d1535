// SPDX-License-Identifier: GPL-3.0-or-later
import ExperimentTestSupport
import Foundation
import Reporting
import Scenarios
import Testing

/// What errors of parameters propose is fed back to the parameter that refused.
@Suite("An error of a parameter proposes only what the parameter accepts")
struct ParameterProposalTests {
  @Test(
    "values that errors of a parameter name, as words, ends of a range or examples, are accepted by the parameter",
    arguments: EveryExperimentTests.kinds.indices)
  func parameters(index: Int) {
    let kind: any Experiment.Type = EveryExperimentTests.kinds[index].runnable
    parameters(of: kind)
  }

  private func parameters<E: Experiment>(of type: E.Type) {
    // A threshold has several parts; ProposalTests of Scenarios feeds its errors back.
    for parameter in E.parameters where parameter.form != .flag && parameter.key != "until" {
      /// What the parameter finds in a text that it refuses, and what it expects instead.
      func refusal(of text: String) -> (found: String, expected: String)? {
        var experiment = E()
        do throws(ReportingError) {
          try parameter.read(&experiment, ScenarioField(option: "--it", [text]))
          return nil
        } catch {
          if case .badValue(_, _, _, let found, let expected) = error { return (found.unquoted, expected) }
          return ("\(error)".firstMatch(of: #/'([^']+)'/#).map { String($0.1) } ?? "", "\(error)")
        }
      }
      let misspelt = parameter.words.prefix(20).flatMap {
        [String($0.dropLast()) + "q", $0 + "x", String($0.dropFirst())]
      }
      let example = parameter.example.unquoted
      for text in Self.wrong + misspelt + [example + "x"] {
        guard let first = refusal(of: text) else { continue }
        let value = first.found.split(separator: "=").last.map(String.init) ?? ""
        for proposal in Self.values(in: first.expected) where !proposal.isEmpty {
          // A value takes the place of the whole text, of the part that was found wrong, or of a whole list.
          let key = text.split(separator: "=").first ?? ""
          let texts =
            [proposal, "\(key)=\(proposal)"]
            + [first.found, value].filter { !$0.isEmpty }.map { text.replacing($0, with: proposal) }
          // Of a range of numbers, an end would be the lower one behind another number.
          #expect(
            texts.contains { refusal(of: $0) == nil } || text.contains("..") && Double(proposal) != nil,
            "\(E.kind) \(parameter.key): '\(text)' expects \(first.expected), but '\(proposal)' is refused as well")
        }
      }
    }
  }

  private static let wrong = [
    "x", "0", "1", "-1", "1.5", "101%", "1e300", "1e999", "nan", "5", "5q", "1..", "a=b", "--", ",", "0/s", "",
  ]

  /// The values that a sentence names to be typed.
  private static func values(in expected: String) -> [String] {
    let meant = expected.matches(of: #/did you mean '([^']+)'/#).map { String($0.1) }
    // Of many names only the nearest is shown, with their number.
    let words = expected.firstMatch(of: #/^one of (?!\d+ names)([^(:;]+)/#)?.1.replacing(" or ", with: ", ")
      .split(separator: ", ")
    let examples = expected.matches(of: #/(?:for example|such as) ('[^']+'|[^ ;']+)(?: or ('[^']+'|[^ ;']+))?/#)
      .flatMap { [$0.1, $0.2].compactMap { $0 } }
    let ends = expected.firstMatch(of: #/(?:number|rate|length of time), (\S+) to (\d[\d,.]*[\w/]*)/#)
      .map { [$0.1, $0.2] }
    let typed = (words ?? []) + examples + (ends ?? []).map { $0.replacing(",", with: "") }
    return meant + typed.map { String($0).unquoted.trimmingCharacters(in: .init(charactersIn: " .,")) }
  }
}

extension String {
  /// The text without the quotes of an example.
  fileprivate var unquoted: String {
    count > 1 && first == last && ["'", "\""].contains(first) ? String(dropFirst().dropLast()) : self
  }
}
