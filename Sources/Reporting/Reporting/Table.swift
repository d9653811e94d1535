// SPDX-License-Identifier: GPL-3.0-or-later

/// A table of texts that prints as aligned text, Markdown or CSV.
package struct Table: Hashable, Sendable {
  /// A column: its heading and the side its values lean to.
  package struct Column: Hashable, Sendable {
    /// Where the values of a column stand.
    package enum Alignment: Hashable, Sendable {
      case left, right, centre
    }

    /// The heading.
    package let title: String
    /// Where the values stand.
    package let alignment: Alignment

    package init(_ title: String, _ alignment: Alignment = .left) {
      self.title = title
      self.alignment = alignment
    }
  }

  package let columns: [Column]
  /// The rows, each as wide as the columns.
  package private(set) var rows: [[String]] = []

  package init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row; what is missing stays empty, what is too much is left out.
  package mutating func add(_ values: [String]) {
    rows.append(columns.indices.map { values.indices.contains($0) ? values[$0] : "" })
  }

  /// The table with other texts in its rows.
  package func mapped(_ text: (String) -> String) -> Table {
    var table = self
    table.rows = rows.map { $0.map(text) }
    return table
  }

  /// The table as aligned text: headings, a rule, and a line a row; nothing trails a line.
  package var text: String {
    let widths = columns.indices.map { index in
      ([columns[index].title] + rows.map { $0[index] }).map(TerminalText.columns).max() ?? 0
    }
    let rule = widths.map { String(repeating: "-", count: $0) }
    return ([columns.map(\.title), rule] + rows).map { aligned($0, widths) + "\n" }.joined()
  }

  /// The table as Markdown.
  package var markdown: String {
    let rule = columns.map { column in
      switch column.alignment {
      case .left: ":--"
      case .right: "--:"
      case .centre: ":-:"
      }
    }
    let lines = [columns.map { Self.escaped($0.title) }, rule] + rows.map { $0.map(Self.escaped) }
    return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }

  /// The table as CSV, headings first.
  package var csv: String {
    ([columns.map(\.title)] + rows).map(CSV.line).joined()
  }

  private func aligned(_ values: [String], _ widths: [Int]) -> String {
    var line = columns.indices.map { index in
      Self.padded(values[index], to: widths[index], columns[index].alignment)
    }.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }

  private static func padded(_ text: String, to width: Int, _ alignment: Column.Alignment) -> String {
    let gap = max(0, width - TerminalText.columns(of: text))
    let before =
      switch alignment {
      case .left: 0
      case .right: gap
      case .centre: gap / 2
      }
    return String(repeating: " ", count: before) + text + String(repeating: " ", count: gap - before)
  }

  private static func escaped(_ text: String) -> String {
    text.map { $0 == "|" ? "\\|" : $0.isNewline ? " " : String($0) }.joined()
  }
}

/// Comma-separated values as RFC 4180 has them, with plain line feeds.
package enum CSV {
  /// One line of fields, quoted where they must be, with its line end.
  package static func line(_ fields: [String]) -> String {
    var line = ""
    for (place, text) in fields.enumerated() {
      if place > 0 { line += "," }
      line += field(text)
    }
    return line + "\n"
  }

  private static func field(_ text: String) -> String {
    // Nearly every field is plain, and to see that in its bytes is fast.
    let isPlain = text.utf8.allSatisfy { byte in
      (0x20...0x7E).contains(byte) && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"")
    }
    guard !isPlain, text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}

/// Texts for Markdown as GitHub reads it, so that what is shown is what was meant.
package enum MarkdownText {
  /// Words of a line: marks that Markdown or HTML would read are written as themselves, a line's end becomes a space.
  package static func plain(_ text: String) -> String {
    text.map { mark in
      switch mark {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\\", "`", "*", "_", "[", "]", "#", "~", "$", "@": "\\\(mark)"
      case _ where mark.isNewline: " "
      default: String(mark)
      }
    }.joined()
  }

  /// A text in the letters of code, within a line: behind more backticks than stand in it.
  package static func code(_ text: String) -> String {
    let line = String(text.map { $0.isNewline ? " " : $0 })
    guard !line.isEmpty else { return "" }
    let fence = String(repeating: "`", count: longestRun(of: "`", in: line) + 1)
    let gap = line.hasPrefix("`") || line.hasSuffix("`") ? " " : ""
    return fence + gap + line + gap + fence
  }

  /// A text to copy, on lines of its own: behind a fence longer than any in it.
  package static func block(_ text: String) -> String {
    let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: text) + 1))
    return "\(fence)text\n\(text)\(text.hasSuffix("\n") || text.isEmpty ? "" : "\n")\(fence)\n"
  }

  private static func longestRun(of mark: Character, in text: String) -> Int {
    var (longest, current) = (0, 0)
    for one in text {
      current = one == mark ? current + 1 : 0
      longest = max(longest, current)
    }
    return longest
  }
}
