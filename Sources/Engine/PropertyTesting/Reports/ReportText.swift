// SPDX-License-Identifier: Apache-2.0
internal import MonteCarlo

extension CheckReport {
  /// The report as text.
  ///
  /// - Parameters:
  ///   - property: The property tested, for the first line; `nil` for none.
  ///   - replay: A command or token that replays the counterexample; `nil` for none.
  /// - Returns: Lines of text, without a line end after the last one.
  public func text(for property: Property? = nil, replay: String? = nil) -> String {
    text(for: property, replay: replay) { _ in nil }
  }

  /// The report, with the replay commands of the other counterexamples.
  package func text(
    for property: Property? = nil, replay: String?, replayingOther: (Counterexample) -> String?
  ) -> String {
    var lines: [String] = []
    if let property { lines.append("\(property.id)  \(property.sentence)") }
    lines.append(summary)
    switch outcome {
    case .falsified(let counterexample): lines += counterexample.lines(argumentNames, replay: replay)
    case .flaky(let flake): lines += flake.lines(argumentNames, replay: replay)
    case .held, .insufficientCoverage, .exhausted, .generatorFailed: break
    }
    for other in others {
      lines.append("  also false in another way, found in case \(other.casesUntilFound)")
      lines += other.lines(argumentNames, replay: replayingOther(other))
    }
    lines += coverage.map { "  \($0)" }
    lines += best.map { "  highest \($0.label): \($0.score)" }
    lines += Self.rows("labels", labels, of: passed)
    for table in tables { lines += Self.rows(table.name, table.rows, of: table.total) }
    lines += warnings.map { "  warning: \($0)" }
    if let guidance { lines.append("  \(guidance)") }
    return lines.joined(separator: "\n")
  }

  /// The conclusion in one line.
  public var summary: String {
    switch outcome {
    case .held: "\(found)\(given)\(stopped)\(passed == 0 ? "" : "; that is no proof")"
    case .falsified(let found) where found.casesUntilFound == 0: "false in a stored case, which was tried first"
    case .falsified(let found):
      "false, found in case \(found.casesUntilFound)\(given)\(found.wasGiven ? ", with a given value" : "")"
    case .flaky(let flake):
      "\(flake.redrawn == nil ? "flaky" : "not reproducible"), found in case \(flake.casesUntilFound)\(given)"
    case .insufficientCoverage:
      "hardly tested: \(Self.cases(passed)) passed\(given), but a coverage claim does not hold"
    case .exhausted, .generatorFailed: obstacle?.description ?? ""
    }
  }

  /// The summary for cases that all passed.
  private var found: String {
    switch passed {
    case 0: "no case passed"
    case 1: "1 random case passed"
    default: "\(passed) random cases passed"
    }
  }

  private static func cases(_ count: Int) -> String { count == 1 ? "1 case" : "\(count) cases" }

  private var given: String {
    if discarded == 0 { return "" }
    let reasons = discards.map { "\($0.value) \($0.key.reason)" }.sorted()
    return " (discarded: \(reasons.joined(separator: ", ")))"
  }

  private var stopped: String {
    switch ending {
    case .deadline where settings.cases == CheckSettings.maxCases: "; the time limit ended the search"
    case .deadline: "; the time limit ended the search before \(settings.cases)"
    case .interrupted: "; interrupted before \(settings.cases)"
    case .completed, .settled: ""
    }
  }

  private static let maxRows = 20

  private static func rows(_ title: String, _ rows: [Count], of total: Int) -> [String] {
    if rows.isEmpty { return [] }
    let shown = rows.prefix(maxRows)
    let width = shown.map(\.name.count).max() ?? 0
    var lines = ["  \(title)"]
    for row in shown {
      let name = ReadableText.visible(row.name)
      let gap = String(repeating: " ", count: max(0, width - name.count))
      let share = Percentage.text(row.count, of: total)
      lines.append("    \(name)\(gap)  \(String(repeating: " ", count: max(0, 6 - share.count)))\(share)")
    }
    let left = rows.count - shown.count
    if left > 0 {
      let share = Percentage.text(rows.dropFirst(maxRows).reduce(0) { $0 + $1.count }, of: total)
      lines.append("    … and \(left) more, \(share) together")
    }
    return lines
  }
}

extension Discard {
  package var reason: String {
    switch self {
    case .assumption: "by an assumption"
    case .filtered: "by a filter"
    case .tooLarge: "as too large"
    case .impossible(let reason): "because \(reason)"
    }
  }

  package var name: String {
    switch self {
    case .assumption: "assumption"
    case .filtered: "filtered"
    case .tooLarge: "tooLarge"
    case .impossible: "impossible"
    }
  }
}

extension CoverageFinding: CustomStringConvertible {
  /// The share found, the share claimed, and the verdict.
  public var description: String {
    let claimed = "at least \(Percentage.text(atLeast)) claimed"
    let found = "\(name) \(Percentage.text(hits, of: cases))"
    let level = Percentage.text(confidence)
    guard let decidedAfter else { return "\(found) (\(claimed): undecided after \(cases) cases)" }
    let verdict = verdict == .holds ? "holds" : "does not hold"
    return "\(found) (\(claimed): \(verdict) at \(level) after \(decidedAfter) cases)"
  }
}

enum Percentage {
  /// The share of a count, with one decimal.
  static func text(_ count: Int, of total: Int) -> String {
    guard total > 0 else { return "0.0%" }
    let tenths = (count * 1000 + total / 2) / total
    return "\(tenths / 10).\(tenths % 10)%"
  }

  /// A share, with as many decimals as needed, at most six.
  static func text(_ share: Double) -> String {
    let rounded = (share * 1e8).rounded() / 1e6
    return rounded == rounded.rounded() ? "\(Int(rounded))%" : "\(rounded)%"
  }
}

extension Counterexample {
  /// The remark for an explanation that exhausted its runs.
  package var explainingEnd: String {
    explainEvaluations > 0 && explainEvaluations >= evaluations
      ? ", the most allowed; other parts may not matter either" : ""
  }

  fileprivate func lines(_ names: [String], replay: String?) -> [String] {
    var lines = argumentLines(arguments, names)
    lines.append("  failure: \(indented(failure.message))")
    lines.append("  at \(failure.origin)")
    lines += notes.map { "  note: \(indented($0))" }
    lines += irrelevant.map { "  \($0)" }
    let runs = evaluations == 1 ? "run" : "runs"
    if isAsGiven { lines.append("  as given: no choices of the generators were found that produce it") }
    let shrinking = "\(evaluations) \(runs) to shrink it\(isShrunk ? "" : " (not finished)")"
    lines.append("  \(shrinking), \(explainEvaluations) to explain it\(explainingEnd)")
    if let replay { lines.append("  replay: \(replay)") }
    return lines
  }
}

extension FlakyCase {
  package var again: String {
    switch second {
    case .passed: "passed"
    case .failed(let failure): "failed: \(failure.message), at \(failure.origin)"
    case .discarded(let reason): "discarded \(reason.reason)"
    case .generatorFailed(let failure): "a generator failed: \(failure.message), at \(failure.origin)"
    case .declined: "not run"
    }
  }

  package var cause: String {
    redrawn == nil
      ? "The code depends on more than its arguments: time, chance, order of hashing, or what ran before."
      : "The same choices gave another value, or one with another description, so no value can be named that fails "
        + "again. A generator may draw nothing at random but from its choices, and a description must not depend on "
        + "addresses or on the order of a set."
  }

  fileprivate func lines(_ names: [String], replay: String?) -> [String] {
    var lines = argumentLines(arguments, names)
    if let redrawn { lines += ["  drawn from the same choices again:"] + argumentLines(redrawn, names) }
    lines.append("  first: failed: \(indented(first.message)), at \(first.origin)")
    lines.append("  then: \(indented(again))")
    lines.append("  \(cause)")
    if let replay { lines.append("  replay: \(replay)") }
    return lines
  }
}

private func argumentLines(_ arguments: [String], _ names: [String]) -> [String] {
  arguments.enumerated().map { "  \(argumentName($0.offset, of: names)): \(indented($0.element))" }
}

/// A text of several lines, with its further lines indented by two columns.
private func indented(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n  ")
}
