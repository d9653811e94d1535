// SPDX-License-Identifier: GPL-3.0-or-later
internal import Reporting

/// What a command about kept results says, in every format that it has.
struct ResultsReport {
  /// A piece of it, from above to below.
  enum Part {
    /// Sentences.
    case paragraph(String)
    /// A table below a heading; no heading where it is empty.
    case table(String, Table)
    /// Lines as they are, below a heading, and in which language Markdown has them.
    case lines(String, [String], language: String)
  }

  /// The heading.
  let title: String
  /// What stands below it.
  let parts: [Part]
  /// The figures as CSV.
  let csv: Table
  /// Everything as JSON.
  let json: JSONValue

  /// The formats that every such report has.
  static let formats: [ReportFormat] = [.text, .markdown, .csv, .json]

  /// The report in a format; `nil` where it has none of that.
  func rendered(as format: ReportFormat) -> String? {
    switch format {
    case .text: ([title] + parts.map(Self.text)).joined(separator: "\n\n") + "\n"
    case .markdown: (["# \(title)"] + parts.map(Self.markdown)).joined(separator: "\n\n") + "\n"
    case .csv: csv.csv
    case .json: json.text
    default: nil
    }
  }

  private static func text(_ part: Part) -> String {
    switch part {
    case .paragraph(let text): text
    case .table(let heading, let table): (heading.isEmpty ? "" : heading + "\n\n") + trimmed(table.text)
    case .lines(let heading, let lines, _): heading + "\n\n" + lines.joined(separator: "\n")
    }
  }

  private static func markdown(_ part: Part) -> String {
    switch part {
    case .paragraph(let text): text
    case .table(let heading, let table): (heading.isEmpty ? "" : "## \(heading)\n\n") + trimmed(table.markdown)
    case .lines(let heading, let lines, let language):
      "## \(heading)\n\n```\(language)\n" + lines.joined(separator: "\n") + "\n```"
    }
  }

  private static func trimmed(_ text: String) -> String { String(text.dropLast(text.hasSuffix("\n") ? 1 : 0)) }
}
