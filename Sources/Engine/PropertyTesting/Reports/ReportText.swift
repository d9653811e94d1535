// SPDX-License-Identifier: Apache-2.0
internal import MonteCarlo

/// A part of a report, in the words that all its forms have.
package enum ReportPart: Sendable {
  /// A sentence that begins in lower case, without a full stop.
  case line(String)
  /// Items under a title, or each on a line with a prefix.
  case list([String], title: String, prefix: String)
  case arguments([(name: String, value: String)], title: String)
  case failure(Failure)
  /// The command that runs the case again.
  case replay(String)
  case coverage([CoverageFinding])
  /// The most frequent values with their counts, the others in one row, and the sum of all.
  case shares(title: String, caption: String, [CheckReport.Count], of: Int)

  /// The lines of a text.
  package var lines: [String] {
    switch self {
    case .line(let text): ["  \(ReadableText.indented(text))"]
    case .list(let items, _, let prefix): items.map { "  \(prefix)\(ReadableText.indented($0))" }
    case .arguments(let arguments, _): arguments.map { "  \($0.name): \(ReadableText.indented($0.value))" }
    case .failure(let failure): ["  failure: \(ReadableText.indented(failure.text))", "  at \(failure.origin)"]
    case .replay(let command): ["  replay: \(command)"]
    case .coverage(let claims): claims.map { "  \($0)" }
    case .shares(let title, _, let rows, let total): ["  \(title)"] + Self.lines(rows, of: total)
    }
  }

  private static func lines(_ rows: [CheckReport.Count], of total: Int) -> [String] {
    let width = rows.map(\.name.count).max() ?? 0
    return rows.map { row in
      let name = ReadableText.visible(row.name)
      let gap = String(repeating: " ", count: max(0, width - name.count))
      let share = Percentage.text(row.count, of: total)
      return "    \(name)\(gap)  \(String(repeating: " ", count: max(0, 6 - share.count)))\(share)"
    }
  }
}

extension CheckReport {
  /// The report as text.
  ///
  /// - Parameters:
  ///   - property: The property tested, for the first line; `nil` for none.
  ///   - replay: A command or token that replays the counterexample; `nil` for none.
  /// - Returns: Lines of text, without a line end after the last one.
  public func text(for property: Property? = nil, replay: String? = nil) -> String {
    text(for: property) { $0 == choices ? replay : nil }
  }

  /// The report as text, with the commands that replay its cases.
  package func text(for property: Property? = nil, replay: (ChoiceSequence) -> String?) -> String {
    let title = property.map { ["\($0.id)  \($0.sentence)"] } ?? []
    return (title + [summary] + parts(replay: replay).flatMap(\.lines)).joined(separator: "\n")
  }

  /// Everything after the summary. Warnings that depend on the speed of the machine are left out if it is `repeatable`.
  package func parts(repeatable: Bool = false, replay: (ChoiceSequence) -> String?) -> [ReportPart] {
    var parts = (counterexample?.parts(argumentNames) ?? []) + (flaky?.parts(argumentNames) ?? [])
    if let command = choices.flatMap(replay) { parts.append(.replay(command)) }
    for other in others {
      parts.append(.line("also false in another way, found in case \(other.casesUntilFound)"))
      parts += other.parts(argumentNames)
      if let command = replay(other.choices) { parts.append(.replay(command)) }
    }
    if !coverage.isEmpty { parts.append(.coverage(coverage)) }
    parts += best.map { .line("highest \($0.label): \($0.score)") }
    parts += Self.shares("labels", "Labels of the cases", labels, of: passed)
    for table in tables { parts += Self.shares(table.name, "Cases by \(table.name)", table.rows, of: table.total) }
    parts += (repeatable ? repeatableWarnings : warnings).map { .line("warning: \($0)") }
    if let guidance { parts.append(.line("\(guidance), seed \(settings.seed)")) }
    return parts
  }

  private static func shares(_ title: String, _ caption: String, _ rows: [Count], of total: Int) -> [ReportPart] {
    if rows.isEmpty { return [] }
    let rest = rows.dropFirst(20)
    let others = Count(name: "… and \(rest.count) more", count: rest.reduce(0) { $0 + $1.count })
    return [.shares(title: title, caption: caption, rows.prefix(20) + (rest.isEmpty ? [] : [others]), of: total)]
  }

  /// The warnings that do not depend on the speed of the machine.
  package var repeatableWarnings: [HealthWarning] {
    warnings.filter { if case .slowGenerator = $0 { false } else { true } }
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
  private var explainingEnd: String {
    explainEvaluations > 0 && explainEvaluations >= evaluations
      ? ", the most allowed; other parts may not matter either" : ""
  }

  fileprivate func parts(_ names: [String]) -> [ReportPart] {
    let title =
      isShrunk ? "The simplest case for which it fails" : "A case for which it fails; not yet the simplest"
    var parts = [namedArguments(arguments, names, title), .failure(failure)]
    if !notes.isEmpty { parts.append(.list(notes, title: "Notes", prefix: "note: ")) }
    if !irrelevant.isEmpty { parts.append(.list(irrelevant, title: "Irrelevant parts", prefix: "")) }
    if isAsGiven { parts.append(.line("as given: no choices of the generators were found that produce it")) }
    // A stored case is neither searched for nor shrunk.
    if evaluations == 1 { return parts }
    let shrinking = "\(evaluations) runs to shrink it\(isShrunk ? "" : " (not finished)")"
    return parts + [.line("\(shrinking), \(explainEvaluations) to explain it\(explainingEnd)")]
  }
}

extension FlakyCase {
  package var again: String {
    switch second {
    case .passed: "passed"
    case .failed(let failure): "failed: \(failure.text), at \(failure.origin)"
    case .discarded(let reason): "discarded \(reason.reason)"
    case .generatorFailed(let failure): "a generator failed: \(failure.message), at \(failure.origin)"
    case .declined: "not run"
    }
  }

  private var cause: String {
    redrawn == nil
      ? "The code depends on more than its arguments: time, chance, order of hashing, or what ran before."
      : "The same choices gave another value, or one with another description, so no value can be named that fails "
        + "again. A generator may draw nothing at random but from its choices, and a description must not depend on "
        + "addresses or on the order of a set."
  }

  fileprivate func parts(_ names: [String]) -> [ReportPart] {
    let title =
      redrawn == nil ? "A case that failed once but not when it was run again" : "The arguments as first drawn"
    let again = redrawn.map { redrawn -> [ReportPart] in
      [
        .line("drawn from the same choices again:"),
        namedArguments(redrawn, names, "The arguments drawn again from the same choices"),
      ]
    }
    return [namedArguments(arguments, names, title)] + (again ?? []) + [
      .line("first: failed: \(first.text), at \(first.origin)"), .line("then: \(self.again)"), .line(cause),
    ]
  }
}

private func namedArguments(_ arguments: [String], _ names: [String], _ title: String) -> ReportPart {
  .arguments(arguments.enumerated().map { (argumentName($0.offset, of: names), $0.element) }, title: title)
}
