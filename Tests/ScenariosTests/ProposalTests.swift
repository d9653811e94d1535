// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Testing

@testable import Scenarios

/// What errors propose is fed back to the reader that refused; nothing proposed is refused in its turn.
@Suite("An error proposes only what the next check accepts")
struct ProposalTests {
  /// A text that a reader refused: what it found, and what it expected.
  struct Refusal: Hashable {
    let found: String
    let expected: String
  }

  private static let measures: [Measure] =
    [
      Measure("exact", meaning: "It", unit: "bets", kind: .exact),
      Measure("count", meaning: "It", unit: "cells", kind: .count),
      Measure("share", meaning: "It", kind: .proportion),
      Measure("mean", meaning: "It", unit: "bets", kind: .mean),
      Measure("time", meaning: "It", unit: "ms", kind: .mean),
      Measure("answer", of: "machines", meaning: "It", kind: .interval(confidence: 0.99)).whole(true),
      Measure("stated", meaning: "It", unit: "s", kind: .interval(confidence: 0.95)),
      Measure("doubtful", meaning: "It", kind: .interval(confidence: 0.7)),
    ]
    + [2, 3, 40].flatMap { count in
      (1...count).map { Measure("of\(count)", of: "week \($0)", meaning: "It", kind: .interval(confidence: 0.99)) }
    }

  private static let conditions = [
    "== 0", "== 1", "== 2", "!= 2", ">= 0", ">= 1", "<= 0", "<= 1", "> 5", "< 5%", "<= 150%", "<= 5s", "== 250ms",
    ">= 1k", "in 2..2", "in 0..0", "in 1..1", "in 0.2..0.9", "in 1s..5s", "in 5..2", "= 2", "=> 3", "≥ 1",
    ">= baseline",
    "== baseline", ">= baseline - 5%", "<= baseline + 2", "<= baseline + 2s", ">= baseline - 250ms",
  ]

  private func refusal(of text: String) -> Refusal? {
    do {
      let threshold = try Threshold(text)
      _ = try threshold.named(among: Self.measures, in: ScenarioField(option: "--threshold", [text]))
      return nil
    } catch {
      switch error as any Error {
      case let error as ThresholdError: return Refusal(found: error.found, expected: error.expected)
      case ReportingError.badValue(_, _, _, let found, let expected): return Refusal(found: found, expected: expected)
      default:
        Issue.record("\(text): \(error)")
        return nil
      }
    }
  }

  /// The texts that a refused threshold becomes if one does what the error says.
  private func proposals(for text: String, _ refusal: Refusal) throws -> [String] {
    let (found, expected) = (refusal.found.split(separator: "'").first.map(String.init) ?? "", refusal.expected)
    func replacing(_ part: String, by other: [some StringProtocol]) -> [String] {
      other.map { text.replacing(part, with: String($0), maxReplacements: 1) }
    }
    let quoted = expected.matches(of: #/'([^']+)'/#).map { String($0.1) }
    let (name, rest) = try #require(
      text.firstMatch(of: #/^(\S+(?: \d+\])?) (.*)$/#).map { (String($0.1), String($0.2)) })
    let end = ["time", "stated"].contains(name) ? "s" : ""
    switch expected {
    case let some where some.contains("did you mean"): return replacing(found, by: quoted.suffix(1))
    case let some where some.hasPrefix("one of ") && refusal.found.contains("not measured"):
      return some.dropFirst(7).split(separator: ", ").map { "\($0) \(rest)" }
    case let some where some.hasSuffix("or the like: \(name) is sampled"): return [quoted[0]]
    case let some where some.contains("or the like"): return [quoted[0]]
    case let some where some.hasPrefix("no confidence"): return [text.replacing(#/ at \S+$/#, with: "")]
    case let some where some.hasPrefix("at most "):
      let maximum = try #require(some.firstMatch(of: #/^at most ([^:]+):/#)).1
      return [text.replacing(#/ at \S+$/#, with: " at \(maximum)")]
    case let some where some.contains("no number of samples shows") && some.hasPrefix("'"):
      let sign = try #require(rest.firstMatch(of: #/^\S+/#)).0
      return quoted.map { word in
        word == "in LOW..HIGH"
          ? text.replacing(#/[=!]= (-?[\d.]+)(\S*)/#) {
            name == "share" ? "in 0.1..0.9" : "in \($0.1)\($0.2)..9000\(end)"
          } : text.replacing(sign, with: word, maxReplacements: 1)
      }
    case let some where some.hasPrefix("a length of time with its unit"):
      // As a whole number, at both ends where they are the same.
      let whole = "(^|\\.\\.|[^\\w.])\(NSRegularExpression.escapedPattern(for: found))(?![\\w%]|\\.\\d)"
      let number = try Regex(whole, as: (Substring, Substring).self)
      return quoted.map { word in "\(name) " + rest.replacing(number) { "\($0.1)\(word)" } }
    case let some where some.hasPrefix("a mere number") || some.contains("without a unit"):
      return replacing(found, by: [found.replacing(#/[a-z]+$/#, with: "")])
    case let some where some.hasPrefix("a share from 0 to 1"): return replacing(found, by: ["0.95", "95%"])
    case let some where some.hasPrefix("a number below 1"): return [text.replacing(#/\b1\b/#, with: "0.999")]
    case let some where some.hasPrefix("a number above 0"):
      return
        [
          text.replacing("== 0", with: "== 0.001").replacing("<= 0", with: "<= 0.001").replacing(
            "0..0", with: "0..0.001")
        ]
    case let some where some.hasPrefix("an interval of some width"):
      let low = try #require(found.split(separator: ".").first)
      return replacing(
        found, by: [name == "share" ? "0.1..0.9" : "\(low)..9000\(end)"])
    case let some where some.hasPrefix("a number in place of the baseline"):
      return [text.replacing(#/baseline( [+-] \S+)?/#, with: "0.5")]
    case let some where some.hasPrefix("a label"):
      return Self.measures.filter { $0.name == name }.prefix(2).map { "\($0.fullName) \(rest)" }
    case let some where some.hasPrefix("an upper end of at least "):
      let minimum = try #require(some.split(separator: " ").last)
      return [text.replacing(#/\.\.\S+/#, with: "..\(minimum)")]
    case let some where some.hasPrefix("a confidence above 0.5"):
      return [text.replacing(#/ at \S+$/#, with: " at 0.99")]
    default:
      Issue.record("'\(text)' has an error whose proposal this test does not know: \(expected)")
      return []
    }
  }

  @Test("doing what the error of a threshold says leads to a threshold that is accepted, and a whole text at once")
  func thresholds() throws {
    let names = Set(Self.measures.map(\.name) + ["coun", "answer[machines]", "of3[week 2]"])
    let confidences = ["", " at 0.5", " at 0.95", " at 0.99", " at 0.999", " at 100%"]
    var (tried, accepted) = (0, 0)
    for name in names.sorted() {
      for condition in Self.conditions {
        for confidence in confidences {
          var texts = ["\(name) \(condition)\(confidence)"]
          // Each step fixes one part; a proposed text must not come back to its own mistake.
          for step in 0..<8 where !texts.isEmpty {
            var next: [String] = []
            for text in texts {
              guard let first = refusal(of: text) else {
                accepted += 1
                continue
              }
              #expect(step < 7, "'\(text)' is refused after seven corrections: \(first.expected)")
              for proposal in try proposals(for: text, first) {
                tried += 1
                #expect(proposal != text, "'\(text)': \(first.expected)")
                guard let again = refusal(of: proposal) else {
                  accepted += 1
                  continue
                }
                #expect(
                  again != first && !first.expected.contains("'\(proposal)'")
                    && !(first.expected.hasPrefix("'") && again.expected.hasPrefix("a number")),
                  "'\(text)' expects \(first.expected), but '\(proposal)' expects \(again.expected)")
                next.append(proposal)
              }
            }
            texts = next
          }
        }
      }
    }
    #expect(tried > 1000 && accepted > 1000)
  }
}
