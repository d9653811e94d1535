// SPDX-License-Identifier: GPL-3.0-or-later
internal import Scenarios

extension GitHubAnnotation {
  /// What a run has to say: errors first, since a build server shows only so many of each step.
  ///
  /// Every threshold that fails is an error at its line, every undecided one a warning. A property or another case
  /// that fails is said at the file, with its seed and the command that runs it again, as its details have them: an
  /// error, or a warning where the thresholds hold all the same. Remarks are notices.
  ///
  /// - Parameter run: what came out.
  /// - Returns: the annotations; none for a run that holds and has nothing to remark.
  package static func all(of run: RunAccount) -> [GitHubAnnotation] {
    let name = run.document.name
    let thresholds = run.document.thresholds
    let fails = thresholds.filter { $0.judgement == .fails }.map { one in
      GitHubAnnotation(
        .error, file: run.file, line: one.line, title: "Fails: \(one.text)", message: said(of: one, in: run))
    }
    let cases = run.wrongCases.map { one in
      GitHubAnnotation(
        run.document.judgement == .holds ? .warning : .error, file: run.file, title: "Fails: \(one.name)",
        message: [one.message, one.details, "Scenario: \(name)"].filter { !$0.isEmpty }.joined(separator: "\n"))
    }
    let undecided = thresholds.filter { $0.judgement == .undecided }.map { one in
      GitHubAnnotation(
        .warning, file: run.file, line: one.line, title: "Undecided: \(one.text)", message: said(of: one, in: run))
    }
    let remarks = run.remarks.map { GitHubAnnotation(.notice, file: run.file, title: name, message: $0) }
    return fails + cases + undecided + remarks
  }

  private static func said(of one: JudgedThreshold, in run: RunAccount) -> String {
    var lines = ["\(one.measurement): found \(one.found)"]
    if !one.remedy.isEmpty { lines.append("To decide it: \(one.remedy)") }
    if !one.source.isEmpty { lines.append("Source: \(one.source)") }
    lines.append("Scenario: \(run.document.name)")
    lines.append("Run again: \(run.command)")
    return lines.joined(separator: "\n")
  }
}
