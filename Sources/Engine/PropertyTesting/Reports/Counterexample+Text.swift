// SPDX-License-Identifier: GPL-3.0-or-later

extension Counterexample {
  /// The counterexample for people.
  func lines(_ names: ArgumentNames, replay: String?) -> [String] {
    var lines = ArgumentLines.lines(arguments, names)
    lines.append("  failure: \(ArgumentLines.indented(failure.message))")
    lines.append("  at \(failure.origin)")
    lines += notes.map { "  note: \(ArgumentLines.indented($0))" }
    lines += irrelevant.map { "  \($0)" }
    let runs = evaluations == 1 ? "run" : "runs"
    lines.append("  \(evaluations) \(runs) to shrink it, \(explainEvaluations) to explain it")
    if let replay { lines.append("  replay: \(replay)") }
    return lines
  }
}

extension FlakyCase {
  /// The case for people.
  func lines(_ names: ArgumentNames, replay: String?) -> [String] {
    var lines = ArgumentLines.lines(arguments, names)
    lines.append("  first: failed: \(ArgumentLines.indented(first.message)), at \(first.origin)")
    lines.append("  then: \(ArgumentLines.indented(again))")
    lines.append("  The code depends on more than its arguments: time, chance, order of hashing, or what ran before.")
    if let replay { lines.append("  replay: \(replay)") }
    return lines
  }
}

/// Arguments with their names.
enum ArgumentLines {
  static func lines(_ arguments: [String], _ names: ArgumentNames) -> [String] {
    arguments.enumerated().map { "  \(names[$0.offset]): \(indented($0.element))" }
  }

  /// A text of several lines, its further lines two columns to the right.
  static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n  ")
  }
}
