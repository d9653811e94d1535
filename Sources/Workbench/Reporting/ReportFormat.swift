// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// The formats that results are written in.
package enum ReportFormat: String, CaseIterable, Hashable, Sendable {
  case text, markdown, csv, json, svg, png, junit

  /// The formats of everything that is a table.
  package static let tables: [ReportFormat] = [.text, .markdown, .csv, .json]

  /// The endings of files of this format, the default first.
  package var extensions: [String] {
    switch self {
    case .text: ["txt", "text"]
    case .markdown: ["md", "markdown"]
    case .csv: ["csv"]
    case .json: ["json"]
    case .svg: ["svg"]
    case .png: ["png"]
    case .junit: ["xml"]
    }
  }

  /// The format of that name; an error lists `formats`.
  ///
  /// - Throws: `ReportingError.unknownFormat` with the nearest name.
  package init(named name: String, among formats: [Self] = Self.allCases) throws(ReportingError) {
    guard let format = Self(rawValue: name.lowercased()) else {
      let names = formats.map(\.rawValue)
      throw .unknownFormat(
        found: "'\(name)'",
        expected: "one of \(names.joined(separator: ", "))\(Spelling.hint(for: name, among: names))")
    }
    self = format
  }

  /// The format of a file's ending; an error lists `formats`.
  ///
  /// - Throws: `ReportingError.unknownFormat` if the ending is unknown.
  package init(ofFile path: String, among formats: [Self] = Self.allCases) throws(ReportingError) {
    let ending = URL(fileURLWithPath: path).pathExtension.lowercased()
    guard let format = Self.allCases.first(where: { $0.extensions.contains(ending) }) else {
      let endings = formats.compactMap(\.extensions.first).map { ".\($0)" }.joined(separator: ", ")
      throw .unknownFormat(found: "'\(path)'", expected: "a file ending in \(endings), or --format")
    }
    self = format
  }
}
