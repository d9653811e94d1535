// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
internal import Reporting

/// A remark that GitHub Actions shows beside the line of the file it is about.
///
/// The form is that of GitHub's workflow commands, `::error file=…,line=…,title=…::message`. A runner reads them from
/// both streams of a step.
package struct GitHubAnnotation: Hashable, Sendable {
  /// How much it weighs.
  package enum Level: String, CaseIterable, Hashable, Sendable {
    /// The run fails for it.
    case error
    /// It keeps the run from holding.
    case warning
    /// Something to know.
    case notice
  }

  /// How much it weighs.
  package let level: Level
  /// The file it is about, from the repository's root; `nil` where it is about none.
  package let file: String?
  /// The line it is about, from 1; `nil` where it is about the whole file.
  package let line: Int?
  /// The heading.
  package let title: String
  /// What there is to say, in one line or several.
  package let message: String

  /// A remark.
  package init(_ level: Level, file: String? = nil, line: Int? = nil, title: String, message: String) {
    (self.level, self.file, self.line) = (level, file, line)
    (self.title, self.message) = (title, message)
  }

  /// The workflow command, one line without its end, whatever stands in the texts.
  package var command: String {
    var properties: [String] = []
    if let file { properties.append("file=\(Self.property(file))") }
    if file != nil, let line { properties.append("line=\(max(1, line))") }
    properties.append("title=\(Self.property(title))")
    return "::\(level.rawValue) \(properties.joined(separator: ","))::\(Self.data(message))"
  }

  /// The place of a file as annotations name it: from the root of the repository.
  ///
  /// - Parameters:
  ///   - file: the path as it was given.
  ///   - folder: the working folder, from which the path goes.
  ///   - workspace: the root, `GITHUB_WORKSPACE`; empty where nobody knows.
  /// - Returns: the path below the root; as it was given where it lies elsewhere.
  package static func place(of file: String, in folder: String, workspace: String) -> String {
    guard !workspace.isEmpty else { return file }
    let whole = file.hasPrefix("/") ? file : "\(folder)/\(file)"
    let root = URL(fileURLWithPath: workspace).standardizedFileURL.path
    let path = URL(fileURLWithPath: whole).standardizedFileURL.path
    let prefix = root.hasSuffix("/") ? root : root + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : file
  }

  /// A message: the runner ends it at a line's end, and turns back what is written with a percent sign.
  private static func data(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      default: String(scalar)
      }
    }.joined()
  }

  /// A property's value, which colons and commas would end besides.
  private static func property(_ text: String) -> String {
    data(text).unicodeScalars.map { scalar in
      switch scalar {
      case ":": "%3A"
      case ",": "%2C"
      default: String(scalar)
      }
    }.joined()
  }
}

extension GitHubAnnotation {
  /// What was wrong with the input, at the line where it is wrong as far as that is known.
  ///
  /// - Parameters:
  ///   - error: what was thrown; its description is the message.
  ///   - fallback: the file that was being read or run.
  package init(badInput error: any Error, in fallback: String?) {
    let place = (error as? ReportingError)?.place
    self.init(.error, file: place?.file ?? fallback, line: place?.line, title: "Bad input", message: "\(error)")
  }

  /// The same remark about the file of that place.
  ///
  /// - Parameter place: makes the place of the path as it was given.
  /// - Returns: the remark.
  package func moved(by place: (String) -> String) -> GitHubAnnotation {
    GitHubAnnotation(level, file: file.map(place), line: line, title: title, message: message)
  }
}

extension ReportingError {
  /// The file that the error is about, with the line where there is one.
  var place: (file: String, line: Int?)? {
    switch self {
    case .unwritable, .unknownFormat: nil
    case .unreadable(let path, _, _): (path, nil)
    case .badMember(let file, _, _, _): (file, nil)
    case .notYAML(let file, let line, _): (file, line)
    case .notJSON(let file, let line, _, _): (file, line)
    case .unknownKey(let file, let line, _, _, _), .repeatedKey(let file, let line, _),
      .missingKey(let file, let line, _, _), .badValue(let file, let line, _, _, _):
      (file, line)
    }
  }
}
