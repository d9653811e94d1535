// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting
package import Scenarios

/// A remark that GitHub Actions shows next to a line of a file.
///
/// The form is that of GitHub's workflow commands, `::error file=…,line=…,title=…::message`. A runner reads them from
/// both streams of a step.
package struct GitHubAnnotation: Hashable, Sendable {
  package enum Level: String, CaseIterable, Hashable, Sendable {
    case error
    case warning
    case notice
  }

  package let level: Level
  /// The file, from the repository's root; `nil` for none.
  package var file: String?
  /// The line, from 1; `nil` for the whole file.
  package let line: Int?
  package let title: String
  package let message: String

  package init(_ level: Level, file: String? = nil, line: Int? = nil, title: String, message: String) {
    (self.level, self.file, self.line) = (level, file, line)
    (self.title, self.message) = (title, message)
  }

  package var command: String {
    var properties: [String] = []
    if let file { properties.append("file=\(Self.property(file))") }
    if file != nil, let line { properties.append("line=\(max(1, line))") }
    properties.append("title=\(Self.property(title))")
    return "::\(level.rawValue) \(properties.joined(separator: ","))::\(Self.escaped(message))"
  }

  /// The place of a file as annotations name it: from the root of the repository.
  package static func location(of file: String, in folder: String, workspace: String) -> String {
    guard !workspace.isEmpty else { return file }
    let whole = file.hasPrefix("/") ? file : "\(folder)/\(file)"
    let root = URL(fileURLWithPath: workspace).standardizedFileURL.path
    let path = URL(fileURLWithPath: whole).standardizedFileURL.path
    let prefix = root.hasSuffix("/") ? root : root + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : file
  }

  /// Percent-encodes characters that would end a message (`%`, CR, LF) or a property (also colon and comma).
  private static func escaped(_ text: String, _ special: String = "%\r\n") -> String {
    text.unicodeScalars.map { scalar in
      guard special.unicodeScalars.contains(scalar) else { return String(scalar) }
      return "%" + NumberFormat.hexadecimal(scalar.value, digits: 2).uppercased()
    }.joined()
  }

  private static func property(_ text: String) -> String { escaped(text, "%\r\n:,") }
}

extension GitHubAnnotation {
  package init(badInput error: any Error, in fallback: String?) {
    let location = (error as? ReportingError)?.location
    self.init(.error, file: location?.file ?? fallback, line: location?.line, title: "Bad input", message: "\(error)")
  }
}

extension ReportingError {
  var location: (file: String, line: Int?)? {
    switch self {
    case .unwritable, .unknownFormat: nil
    case .unreadable(let path, _, _): (path, nil)
    case .badMember(let file, _, _, _): (file, nil)
    case .notYAML(let file, let line, _): (file, line)
    case .several(let errors): errors.first?.location
    case .notJSON(let file, let line, _, _): (file, line)
    case .unknownKey(let file, let line, _, _, _), .repeatedKey(let file, let line, _),
      .missingKey(let file, let line, _, _), .badValue(let file, let line, _, _, _), .refused(let file, let line, _, _):
      (file, line)
    }
  }
}

extension GitHubAnnotation {
  /// The annotations of a run: errors first, since a build server shows a limited number for each step.
  ///
  /// Every threshold that fails is an error at its line, every undecided one a warning. A property or another case that
  /// fails is an error at the line that declares it if that is in the workspace, otherwise at the scenario's file; it
  /// is a warning if the thresholds hold. Its details have its seed and the command that runs it again. Remarks are
  /// notices.
  package static func all(of run: FinishedRun, in workspace: String) -> [GitHubAnnotation] {
    let name = run.document.name
    func thresholds(_ verdict: Verdict, _ level: Level, _ word: String) -> [GitHubAnnotation] {
      run.document.thresholds.filter { $0.verdict == verdict }.map { one in
        GitHubAnnotation(
          level, file: run.file, line: one.line, title: "\(word): \(one.text)", message: message(of: one, in: run))
      }
    }
    let cases = all(
      of: run.outcome, run.document.verdict, in: workspace, otherwise: run.file, remark: "Scenario: \(name)")
    let remarks = run.remarks.map { GitHubAnnotation(.notice, file: run.file, title: name, message: $0) }
    return thresholds(.fails, .error, "Fails") + cases + thresholds(.undecided, .warning, "Undecided") + remarks
  }

  /// The cases that fail, each at its line if that is in the workspace.
  package static func all(
    of outcome: ScenarioResult, _ verdict: Verdict, in workspace: String, otherwise file: String? = nil,
    remark: String = ""
  ) -> [GitHubAnnotation] {
    outcome.wrongCases.map { one in
      let location = one.location.flatMap { !$0.file.hasPrefix("/") || $0.file.hasPrefix(workspace + "/") ? $0 : nil }
      return GitHubAnnotation(
        verdict == .holds || verdict == .unasked ? .warning : .error, file: location?.file ?? file,
        line: location?.line,
        title: "Fails: \(one.name)",
        message: [one.message, one.details, remark].filter { !$0.isEmpty }.joined(separator: "\n"))
    }
  }

  private static func message(of one: EvaluatedThreshold, in run: FinishedRun) -> String {
    var lines = ["\(one.measurement): found \(one.found)"]
    if !one.advice.isEmpty { lines.append("To decide it: \(one.advice)") }
    if !one.source.isEmpty { lines.append("Source: \(one.source)") }
    lines.append("Scenario: \(run.document.name)")
    lines.append("Run again: \(run.record.command)")
    return lines.joined(separator: "\n")
  }
}

/// The file that GitHub Actions shows below a step, to which every program of the step adds.
package struct StepSummary: Hashable, Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// Appends a text on its own line, in one write.
  package func append(_ markdown: String) throws(ArchiveError) {
    do {
      if !FileManager.default.fileExists(atPath: path) {
        try Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
      }
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      defer { try? file.close() }
      let end = try file.seekToEnd()
      var text = markdown
      if end > 0 {
        try file.seek(toOffset: end - 1)
        if try file.read(upToCount: 1) != Data("\n".utf8) { text = "\n" + text }
        try file.seekToEnd()
      }
      try file.write(contentsOf: Data(text.utf8))
    } catch {
      throw .file(
        .unwritable(
          path: path, cause: SystemCause.message(of: error), cure: "check what GITHUB_STEP_SUMMARY is set to"))
    }
  }
}
