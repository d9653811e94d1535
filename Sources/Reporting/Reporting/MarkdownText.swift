// SPDX-License-Identifier: GPL-3.0-or-later

/// Texts for Markdown as GitHub reads it, so that what is shown is what was meant.
package enum MarkdownText {
  /// Words of a line: marks that Markdown or HTML would read are written as themselves, a line's end becomes a space.
  ///
  /// - Parameter text: any text.
  /// - Returns: the words; a table's cell needs its bars marked besides, as `Table.markdown` does.
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
